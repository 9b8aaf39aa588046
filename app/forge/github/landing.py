"""What moves a pull request towards its base: merge, queue, update, out of draft; guarded by its head."""

from __future__ import annotations

from app.forge.github import outcomes
from app.forge.github.client import Client, Unreadable
from app.forge.github.documents import ENQUEUE, READY
from app.ports import Done, Enqueue, MergePull, Outcome, ReadyPull, Refused, Unknown, UpdateBranch

__all__ = ["Lander"]


class Lander:
    """`ids` are GraphQL's names of pull requests, by number."""

    def __init__(self, client: Client, root: str) -> None:
        self._client, self._root = client, root
        self.ids: dict[int, str] = {}

    def act(self, action: MergePull | Enqueue | UpdateBranch | ReadyPull) -> Outcome:
        """Never without the head that was looked at."""
        match action:
            case MergePull():
                return self._merge(action)
            case UpdateBranch():
                return self._update(action)
            case Enqueue():
                return self._graphql(action.number, ENQUEUE, {"head": action.head})
            case ReadyPull():
                return self._graphql(action.number, READY, {})

    def _merge(self, action: MergePull) -> Outcome:
        body = {"sha": action.head, "merge_method": action.method}
        if action.method != "rebase":
            body |= {"commit_title": action.title, "commit_message": action.body}
        return outcomes.merged(self._client.change("PUT", f"{self._root}/pulls/{action.number}/merge", body))

    def _update(self, action: UpdateBranch) -> Outcome:
        path = f"{self._root}/pulls/{action.number}/update-branch"
        reply = self._client.change("PUT", path, {"expected_head_sha": action.head})
        if reply.status == 422 and "no new commits" in reply.message.lower():
            return Done()
        if reply.status == 422 and "expected" in reply.message.lower():
            return Refused(f"the head has moved: {reply.message}", "its new head is looked at first")
        return outcomes.of(reply)

    def _graphql(self, number: int, document: str, more: dict[str, str]) -> Outcome:
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
