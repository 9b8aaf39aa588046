"""Why a check failed, in its own last words."""

from __future__ import annotations

from collections.abc import Callable

from app.forge.github.answers import Answer, Text, read
from app.forge.github.client import Client, Unreadable

__all__ = ["Failures", "tail_of"]

_BYTES = 2048
_KEPT = 500


class _Output(Answer):
    title: Text = ""
    summary: Text = ""
    text: Text = ""


class _Run(Answer):
    status: Text = ""
    output: _Output = _Output()


class Failures:
    """Log tails of failed checks. A finished job's log does not change, so it is read once."""

    def __init__(self, client: Client, repository: str, redact: Callable[[str], str]) -> None:
        self._client, self._repository, self._redact = client, repository, redact
        self._known: dict[int, str] = {}

    def look(self, runs: tuple[int, ...]) -> dict[int, str]:
        """By check run; one that could not be read is absent."""
        found = {}
        for run in runs:
            try:
                found[run] = self._known.get(run) or self._tail(run)
            except Unreadable:
                continue
        self._known = dict(list({**self._known, **found}.items())[-_KEPT:])
        return found

    def _tail(self, run: int) -> str:
        """The log of the job behind a check run of GitHub's own CI, else what the check says itself."""
        reply = self._client.get(f"/repos/{self._repository}/actions/jobs/{run}/logs")
        if reply.ok and reply.body:
            return tail_of(self._redact(reply.body.decode("utf-8", "replace")))
        told = read(_Run, self._client.found(f"/repos/{self._repository}/check-runs/{run}"))
        if told is None:
            raise Unreadable("a check run that cannot be read")
        words = "\n".join(filter(None, (told.output.title, told.output.summary, told.output.text)))
        return tail_of(self._redact(words)) or "the check says nothing about its failure"


def tail_of(text: str) -> str:
    """The last 2 KB, from the start of a line where there is one."""
    raw = text.strip().encode()
    if len(raw) <= _BYTES:
        return text.strip()
    cut = raw[-_BYTES:].decode("utf-8", "ignore")
    return cut.partition("\n")[2] or cut
