"""Labels of issues and pull requests, made where the repository does not know them."""

from __future__ import annotations

from urllib.parse import quote

from app.forge.github import outcomes
from app.forge.github.client import Client, Unreadable
from app.ports import Done, Label, Outcome

__all__ = ["Labels"]

_COLOURS = {
    "brat": "5319e7",
    "brat:planning": "c5def5",
    "brat:waiting": "fbca04",
    "brat:running": "1d76db",
    "brat:blocked": "d93f0b",
    "brat:done": "0e8a16",
}
_OTHER = "ededed"


class Labels:
    """Adds before it removes: an issue is never seen without its state."""

    def __init__(self, client: Client, root: str) -> None:
        self._client, self._root = client, root
        self._known: set[str] = set()
        self._missing: set[str] = set()

    def missing(self, names: tuple[str, ...]) -> int:
        """How many of them have to be made before they can be added. Raises Later."""
        for name in names:
            if name in self._known or name in self._missing:
                continue
            try:
                there = self._client.get(f"{self._root}/labels/{quote(name, safe='')}")
            except Unreadable:
                continue
            (self._missing if there.status == 404 else self._known).add(name)
        return sum(name in self._missing for name in names)

    def change(self, action: Label) -> Outcome:
        """Already so is fine."""
        outcome = self.add(action.number, action.add) if action.add else Done()
        for name in action.remove:
            if not isinstance(outcome, Done):
                return outcome
            path = f"{self._root}/issues/{action.number}/labels/{quote(name, safe='')}"
            reply = self._client.change("DELETE", path)
            # 404 with these words: it was not there.
            gone = reply.status == 404 and "label" in reply.message.lower()
            outcome = Done() if gone else outcomes.of(reply)
        return outcome

    def add(self, number: int, names: tuple[str, ...]) -> Outcome:
        """Adds labels; those that nobody made get our colours."""
        for name in names:
            self._make(name)
        path = f"{self._root}/issues/{number}/labels"
        return outcomes.of(self._client.change("POST", path, {"labels": list(names)}))

    def _make(self, name: str) -> None:
        """A label that cannot be made here is made by GitHub itself when it is added, in grey."""
        if name in self._missing:
            self._missing.discard(name)
            body = {"name": name, "color": _COLOURS.get(name, _OTHER)}
            self._client.change("POST", f"{self._root}/labels", body)
            self._known.add(name)
