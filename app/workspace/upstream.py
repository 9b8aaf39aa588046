"""git against a host over https: the credential goes in by the environment, and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from app.errors import BratError, Later, OperatorError
from app.ports import Clock
from app.workspace.git import DURABLE, Answer, Git, Overflow, failure, quoted_words

__all__ = ["FETCH_S", "Upstream", "UpstreamGit", "protocols", "settings_for"]

FETCH_S = 110.0
_AGAIN_MS = 30_000
_UNAUTHORISED = ("authentication failed", "invalid username or", "error: 401", "could not read username")
_AWAY = (
    "could not resolve host",
    "failed to connect",
    "couldn't connect",
    "connection reset",
    "connection refused",
    "operation timed out",
    "operation too slow",
    "early eof",
    "unexpected disconnect",
    "remote end hung up",
    "empty reply",
    "error: 5",
    "error: 429",
    "rpc failed",
)


class Upstream(Protocol):
    """Where a repository is kept in step with, and the right to do so."""

    @property
    def address(self) -> str:
        """The url, without any credential."""
        ...

    def credential(self) -> str:
        """The value of an Authorization header."""
        ...

    def refused(self) -> None:
        """The credential was not accepted: the next one shall be another. Raises Later for a new one."""
        ...


class UpstreamGit:
    """Commands in one of our repositories that speak to the upstream. A refused credential is renewed once.

    `objects` are lent to pushes beside the repository's own.
    """

    def __init__(self, repository: Path, upstream: Upstream, clock: Clock, *, objects: Path) -> None:
        self._git = Git(
            repository,
            own=True,
            git_dir=repository,
            config=(*DURABLE, *_SETTINGS, *protocols(upstream.address)),
        )
        self._upstream, self._clock, self._objects = upstream, clock, objects

    @property
    def address(self) -> str:
        return self._upstream.address

    def run(self, *args: str, stdin: bytes = b"", patience_s: float = FETCH_S) -> Answer:
        """To the end, whatever that is. Raises Overflow when it takes too long, and Later."""
        git = replace(self._git, timeout=patience_s)
        for last in (False, True):
            variables = settings_for(self._upstream.address, self._upstream.credential())
            answer = git.run(*args, stdin=stdin, variables={**variables, **self._lent(args)})
            if answer.ok or last or not any(each in answer.err.lower() for each in _UNAUTHORISED):
                break
            self._upstream.refused()
        return answer

    def _lent(self, args: tuple[str, ...]) -> dict[str, str]:
        # A fetch that saw them would leave out what it finds there, and the branch would be hollow here.
        needed = "push" in args and self._objects.is_dir()
        return {"GIT_ALTERNATE_OBJECT_DIRECTORIES": str(self._objects)} if needed else {}

    def text(self, *args: str, stdin: bytes = b"", patience_s: float = FETCH_S) -> str:
        """What it says. Raises Later where time may mend it, and OperatorError."""
        try:
            answer = self.run(*args, stdin=stdin, patience_s=patience_s)
        except Overflow as over:
            raise self._later(str(over)) from None
        if answer.ok:
            return answer.text
        raise self._failed(answer, args[0])

    def _failed(self, answer: Answer, doing: str) -> BratError:
        words = quoted_words(answer.err)
        if any(each in words.lower() for each in _AWAY):
            return self._later(words)
        if "not found" in words.lower() or any(each in words.lower() for each in _UNAUTHORISED):
            remedy = "look at the App's installation: is this repository still in it?"
            return OperatorError(f"git {doing}: {words}", place=self.address, remedy=remedy)
        return failure(answer, place=self.address, doing=doing)

    def _later(self, reason: str) -> Later:
        return Later(reason, retry_at=self._clock() + _AGAIN_MS, place=self.address)


def settings_for(address: str, credential: str) -> Mapping[str, str]:
    """The environment of one git command; the header goes to this address and no other."""
    host = urlsplit(address)
    return {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"http.{host.scheme}://{host.netloc}/.extraHeader",
        "GIT_CONFIG_VALUE_0": f"Authorization: {credential}",
        "GIT_ASKPASS": "",
        "SSH_ASKPASS": "",
    }


_SETTINGS = (
    "credential.helper=",
    "http.followRedirects=false",
    "http.lowSpeedLimit=1000",
    "http.lowSpeedTime=30",
    "protocol.allow=never",
    "protocol.https.allow=always",
)


def protocols(address: str) -> tuple[str, ...]:
    """http only where the upstream itself is spoken to so: on this machine, which its maker has checked."""
    return ("protocol.http.allow=always",) if urlsplit(address).scheme == "http" else ()
