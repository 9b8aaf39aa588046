"""Comments: what people wrote since, and our own on the issues and pull requests that matter."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime

from app.forge.github.answers import CommentAnswer, read_all
from app.forge.github.client import Client, Unreadable
from app.forge.github.people import Ourselves
from app.ports import Comment, HubWanted

__all__ = ["Inbox", "marked"]

_MARKER = re.compile(r"<!-- brat:([^\s<>]+) -->\s*\Z")


def marked(body: str, key: str) -> str:
    """The body with the hidden marker as its last line."""
    return f"{body.rstrip()}\n\n<!-- brat:{key} -->"


class Inbox:
    """Reads comments of issues and pull requests. Comments on lines come with their published review."""

    def __init__(self, client: Client, repository: str, us: Ourselves) -> None:
        self._client, self._repository, self._us = client, repository, us

    def look(self, wanted: HubWanted, talked: Iterable[int]) -> tuple[Comment, ...]:
        """The inbox of people since, without what is handled, and ours on `talked`, in order of time.

        Raises Unreadable where it could not be read to its end.
        """
        found = {each.id: each for each in self._since(wanted.since_ts)}
        for number in talked:
            path = f"/repos/{self._repository}/issues/{number}/comments"
            for each in self._read(path, {}, number=number):
                if each.author.ours:
                    found.setdefault(each.id, each)
        ours = frozenset((*wanted.issues, *wanted.pulls, *talked))
        kept = (each for each in found.values() if _counts(each, ours, wanted.handled))
        return tuple(sorted(kept, key=lambda each: (each.created_ts, each.id)))

    def _since(self, since_ts: int) -> list[Comment]:
        when = datetime.fromtimestamp(since_ts // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        asked: dict[str, str | int] = {"since": when, "sort": "updated", "direction": "asc"}
        return self._read(f"/repos/{self._repository}/issues/comments", asked)

    def _read(self, path: str, asked: dict[str, str | int], *, number: int = 0) -> list[Comment]:
        listed = self._client.pages(path, asked)
        answers = read_all(CommentAnswer, listed)
        if len(answers) != len(listed):
            raise Unreadable(f"{path}: a comment that cannot be read")
        return [self._comment(each, number or each.number) for each in answers]

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


def _counts(comment: Comment, ours: frozenset[int], handled: frozenset[str]) -> bool:
    if comment.author.ours:
        return comment.number in ours
    return f"comment:{comment.id}" not in handled
