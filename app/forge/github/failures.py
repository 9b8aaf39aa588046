"""Why a check failed, in its own last words."""

from __future__ import annotations

from collections.abc import Callable

from app.forge.github.answers import Answer, Ms, Text, read
from app.forge.github.client import Client, Unreadable
from app.ports import Clock

__all__ = ["Failures", "tail_of"]

_BYTES = 2048
_KEPT = 500
_WRITTEN_MS = 120_000
"""After a job's end: its log is there a little later than its check run says so."""
_CI = "github-actions"


class _Output(Answer):
    title: Text = ""
    summary: Text = ""
    text: Text = ""


class _App(Answer):
    slug: Text = ""


class _Run(Answer):
    completed_at: Ms = 0
    output: _Output = _Output()
    app: _App | None = None


class Failures:
    """Log tails of failed checks. A finished job's log does not change, so it is read once."""

    def __init__(
        self, client: Client, repository: str, redact: Callable[[str], str], *, clock: Clock
    ) -> None:
        self._client, self._repository, self._redact = client, repository, redact
        self._clock = clock
        self._known: dict[int, str] = {}

    def look(self, runs: tuple[int, ...]) -> dict[int, str]:
        """By check run; one that could not be read is absent."""
        found = {}
        for run in runs:
            try:
                found[run] = self._known.get(run) or self._tail(run)
            except Unreadable:
                continue
        return found

    def _tail(self, run: int) -> str:
        """The log of the job behind a check run of GitHub's own CI, else what the check says itself."""
        reply = self._client.get(f"/repos/{self._repository}/actions/jobs/{run}/logs")
        if reply.ok and reply.body:
            return self._keep(run, tail_of(self._redact(reply.body.decode("utf-8", "replace"))))
        told = read(_Run, self._client.found(f"/repos/{self._repository}/check-runs/{run}"))
        if told is None:
            raise Unreadable("a check run that cannot be read")
        job = told.app is not None and told.app.slug == _CI
        if job and self._clock() - told.completed_at < _WRITTEN_MS:
            raise Unreadable("a log that is not written yet")
        words = "\n".join(filter(None, (told.output.title, told.output.summary, told.output.text)))
        said = tail_of(self._redact(words)) or "the check says nothing about its failure"
        return said if job else self._keep(run, said)

    def _keep(self, run: int, tail: str) -> str:
        self._known[run] = tail
        while len(self._known) > _KEPT:
            del self._known[next(iter(self._known))]
        return tail


def tail_of(text: str) -> str:
    """The last 2 KB, from the start of a line where there is one."""
    raw = text.strip().encode()
    if len(raw) <= _BYTES:
        return text.strip()
    cut = raw[-_BYTES:].decode("utf-8", "ignore")
    return cut.partition("\n")[2] or cut
