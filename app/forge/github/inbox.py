"""Comments: what people wrote since, and our own on the issues and pull requests that matter."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from app.forge.github.answers import CommentAnswer, read_all
from app.forge.github.client import Client, Unreadable
from app.forge.github.people import Ourselves
from app.ports import Comment, HubWanted

__all__ = ["COMMAND", "Inbox", "marked"]

COMMAND = "/brat"
_OVERLAP_MS = 600_000
"""What is updated while pages are read moves to their end, and the pages behind it forward."""
_MARKER = re.compile(r"<!-- brat:([^\s<>]+) -->\s*\Z")


def marked(body: str, key: str) -> str:
    """The body with the hidden marker as its last line."""
    return f"{body.rstrip()}\n\n<!-- brat:{key} -->"


class Inbox:
    """Reads comments of issues and pull requests. Comments on lines come with their published review.

    An inbox that is too long for one look is read on in the next, from where that one came to; commands on
    the way stay in sight until they are handled.
    """

    def __init__(self, client: Client, repository: str, us: Ourselves) -> None:
        self._client, self._repository, self._us = client, repository, us
        self._read_to = 0
        self._waiting: dict[int, Comment] = {}

    def look(self, wanted: HubWanted, talked: Iterable[int]) -> tuple[Comment, ...]:
        """The inbox of people since, without what is handled, and ours on `talked`, in order of time.

        Raises Unreadable where it could not be read to its end.
        """
        if wanted.since_ts >= self._read_to:
            self._read_to, self._waiting = 0, {}
        found = {**self._waiting, **{each.id: each for each in self._since(wanted.since_ts)}}
        if self._read_to:
            self._waiting = {each.id: each for each in found.values() if _waits(each, wanted.handled)}
        for number in talked:
            for each in self._of(number):
                if each.author.ours:
                    found.setdefault(each.id, each)
        ours = frozenset((*wanted.issues, *wanted.pulls, *talked))
        kept = (each for each in found.values() if _counts(each, ours, wanted.handled))
        return tuple(sorted(kept, key=lambda each: (each.created_ts, each.id)))

    def _since(self, since_ts: int) -> list[Comment]:
        """Oldest first, so that the first pages are all there is up to the last one's time."""
        start = max(since_ts, self._read_to)
        when = datetime.fromtimestamp(start // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        asked: dict[str, str | int] = {"since": when, "sort": "updated", "direction": "asc"}
        path = f"/repos/{self._repository}/issues/comments"
        listed, whole = self._client.first_pages(path, asked)
        answers = _whole(path, listed)
        if not whole:
            last = max(each.updated_at for each in answers)
            self._read_to = last - _OVERLAP_MS if last - _OVERLAP_MS > start else last
        return [self._comment(each, each.number) for each in answers]

    def _of(self, number: int) -> list[Comment]:
        path = f"/repos/{self._repository}/issues/{number}/comments"
        return [self._comment(each, number) for each in _whole(path, self._client.pages(path))]

    def _comment(self, answer: CommentAnswer, number: int) -> Comment:
        """A key counts on what our own App wrote, whoever copies it."""
        author = self._us.person(answer.user)
        app = answer.performed_via_github_app
        by_us = author.ours and (app is None or app.id == self._us.app)
        found = _MARKER.search(answer.body) if by_us else None
        return Comment(
            answer.id,
            number,
            author,
            answer.body,
            created_ts=answer.created_at,
            edited=answer.updated_at > answer.created_at,
            url=answer.html_url,
            key=found[1] if found else "",
            on_pull=f"/pull/{number}#" in answer.html_url,
        )


def _whole(path: str, listed: list[Any]) -> tuple[CommentAnswer, ...]:
    answers = tuple(read_all(CommentAnswer, listed))
    if len(answers) != len(listed):
        raise Unreadable(f"{path}: a comment that cannot be read")
    return answers


def _waits(comment: Comment, handled: frozenset[str]) -> bool:
    return COMMAND in comment.body and not comment.author.ours and f"comment:{comment.id}" not in handled


def _counts(comment: Comment, ours: frozenset[int], handled: frozenset[str]) -> bool:
    if comment.author.ours:
        return comment.number in ours
    return f"comment:{comment.id}" not in handled
