"""What moves a pull request into its base: merge and queue, guarded by its head."""

from __future__ import annotations

from collections.abc import Mapping

from app.forge.github import outcomes
from app.forge.github.client import Client, Unreadable
from app.forge.github.documents import DEQUEUE, ENQUEUE
from app.ports import Dequeue, Done, Enqueue, MergePull, Outcome, Unknown

__all__ = ["Lander"]


class Lander:
    """`ids` are GraphQL's names of pull requests, by number."""

    def __init__(self, client: Client, root: str) -> None:
        self._client, self._root = client, root
        self.ids: dict[int, str] = {}

    def act(self, action: MergePull | Enqueue | Dequeue) -> Outcome:
        """Nothing goes in without the head that was looked at."""
        match action:
            case MergePull():
                return self._merge(action)
            case Enqueue():
                return self._queue(ENQUEUE, action.number, {"head": action.head})
            case Dequeue():
                return self._queue(DEQUEUE, action.number, {})

    def _merge(self, action: MergePull) -> Outcome:
        body = {"sha": action.head, "merge_method": action.method}
        if action.method != "rebase":
            body |= {"commit_title": action.title, "commit_message": action.body}
        return outcomes.merged(self._client.change("PUT", f"{self._root}/pulls/{action.number}/merge", body))

    def _queue(self, document: str, number: int, more: Mapping[str, str]) -> Outcome:
        pull = self.ids.get(number) or self._id(number)
        if not pull:
            return Unknown(f"pull request {number} could not be looked up")
        errors = self._client.mutation(document, {"pull": pull, **more})
        if not errors:
            return Done()
        told = "; ".join(errors)
        if "already" in told.lower() and "queue" in told.lower():
            return Done()
        return outcomes.plain(422, told)

    def _id(self, number: int) -> str:
        try:
            told = self._client.found(f"{self._root}/pulls/{number}")
        except Unreadable:
            return ""
        return str(told.get("node_id") or "") if isinstance(told, dict) else ""
