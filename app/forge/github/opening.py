"""New pull requests: one per head, which GitHub itself guards; and what they are introduced with."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from app.forge.github import outcomes
from app.forge.github.client import Client
from app.forge.github.labels import Labels
from app.forge.github.wire import Reply
from app.ports import Done, Introduce, OpenPull, Outcome, Refused

__all__ = ["Opener"]


class Opener:
    """Opens pull requests. `opened` are those that no look has shown yet."""

    def __init__(self, client: Client, root: str, labels: Labels) -> None:
        self._client, self._root, self._labels = client, root, labels
        self.opened: tuple[int, ...] = ()

    def seen(self, numbers: Iterable[int]) -> None:
        """A look has shown these."""
        shown = frozenset(numbers)
        self.opened = tuple(each for each in self.opened if each not in shown)

    def open(self, action: OpenPull) -> Outcome:
        """Refused where one is open already: the next look shows it, if it is ours."""
        body = {"head": action.head, "base": action.base, "title": action.title, "body": action.body}
        reply = self._client.change("POST", f"{self._root}/pulls", body)
        if not reply.ok:
            return _refused(reply, action)
        told = reply.json()
        number = told.get("number") if isinstance(told, dict) else None
        if isinstance(number, int):
            self.opened = (*self.opened, number)
        return Done()

    def introduce(self, action: Introduce) -> Outcome:
        """Labels last: where they are, all of it was done. Raises Unsure."""
        if action.reviewers:
            path = f"{self._root}/pulls/{action.number}/requested_reviewers"
            self._client.change("POST", path, _reviewers(action.reviewers))
        if action.labels:
            self._labels.add(action.number, action.labels)
        return Done()


def _reviewers(names: tuple[str, ...]) -> dict[str, Any]:
    """`@org/team` asks a team, a plain login a person."""
    plain = [each.removeprefix("@") for each in names]
    return {
        "reviewers": [each for each in plain if "/" not in each],
        "team_reviewers": [each.rpartition("/")[2] for each in plain if "/" in each],
    }


def _refused(reply: Reply, action: OpenPull) -> Outcome:
    low = reply.message.lower()
    if reply.status == 422 and "already exists" in low:
        # Ours, which the next look shows; or one that a person opened from this branch.
        return Refused(reply.message, "close the one that is not brat's")
    if reply.status == 422 and "no commits between" in low:
        return Refused(f"{action.head} has nothing that {action.base} lacks: {reply.message}")
    return outcomes.of(reply)
