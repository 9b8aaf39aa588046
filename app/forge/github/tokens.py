"""Installation tokens: one request per need for any number of threads, never one of another installation."""

from __future__ import annotations

import threading
from dataclasses import field
from typing import Any

from app.errors import Later, OperatorError
from app.forge.github.answers import TokenAnswer, read
from app.forge.github.credentials import AppCredentials
from app.forge.github.limits import limited_until
from app.forge.github.wire import Cut, Reply, Wire
from app.ports import Clock
from app.values import dataclass

__all__ = ["Scope", "Token", "Tokens"]

_MARGIN_MS = 300_000
"""Five minutes: no token may end in the middle of a pass or a push."""
_AGAIN_MS = 30_000
_YOUNG_MS = 10_000
"""So long a new token may be refused where it is not known yet: https://github.com/octokit/auth-app.js/issues/65"""
_KNOWN_SOON_MS = 2_000


@dataclass(frozen=True, slots=True)
class Scope:
    """What a token is for: an installation, some of its repositories (none: all), some permissions."""

    installation: int
    repositories: tuple[int, ...] = ()
    permissions: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Token:
    """`made` and `expires` in ms; `permissions` as GitHub granted them."""

    text: str = field(repr=False)
    expires: int
    permissions: tuple[tuple[str, str], ...] = ()
    made: int = 0


class Tokens:
    """All tokens of the App, by scope."""

    def __init__(self, wire: Wire, credentials: AppCredentials, clock: Clock) -> None:
        self._wire, self._credentials, self._clock = wire, credentials, clock
        self._lock = threading.Lock()
        self._turns: dict[Scope, threading.Lock] = {}
        self._tokens: dict[Scope, Token] = {}

    def app(self) -> str:
        """The App's own proof, made anew each time."""
        return self._credentials.proof(self._clock())

    def get(self, scope: Scope) -> Token:
        """A token that lasts. Raises Later and OperatorError."""
        with self._lock:
            turn = self._turns.setdefault(scope, threading.Lock())
        with turn:
            token = self._tokens.get(scope)
            if token is None or token.expires - _MARGIN_MS <= self._clock():
                token = self._tokens[scope] = self._made(scope)
            return token

    def drop(self, scope: Scope, token: Token) -> None:
        """It was refused; another thread's newer one stays. Raises Later while this one is new."""
        now = self._clock()
        if 0 <= now - token.made < _YOUNG_MS:
            reason = "GitHub does not know its new token yet"
            raise Later(reason, retry_at=now + _KNOWN_SOON_MS, place="GitHub")
        with self._lock:
            if self._tokens.get(scope) == token:
                del self._tokens[scope]

    def _made(self, scope: Scope) -> Token:
        reply = self._asked(scope)
        place = f"installation {scope.installation}"
        if not reply.ok:
            raise _refused(reply, place)
        answer = read(TokenAnswer, reply.json())
        if answer is None or not answer.token:
            raise self._later("GitHub's answer holds no token")
        granted = tuple(sorted(answer.permissions.items()))
        return Token(answer.token, answer.expires_at, granted, self._clock())

    def _asked(self, scope: Scope) -> Reply:
        body: dict[str, Any] = {}
        if scope.repositories:
            body["repository_ids"] = list(scope.repositories)
        if scope.permissions:
            body["permissions"] = dict(scope.permissions)
        path = f"/app/installations/{scope.installation}/access_tokens"
        try:
            reply = self._wire.send(
                "POST", path, headers={"Authorization": f"Bearer {self.app()}"}, body=body
            )
        except Cut as cut:
            raise self._later(f"no token: {cut}") from None
        until = limited_until(reply.status, reply.headers, reply.message, now=self._clock())
        if until is not None:
            raise Later(f"no token: {reply.message}", retry_at=until, place="GitHub")
        if reply.status >= 500:
            raise self._later(f"no token: {reply.message}")
        return reply

    def _later(self, reason: str) -> Later:
        return Later(reason, retry_at=self._clock() + _AGAIN_MS, place="GitHub")


def _refused(reply: Reply, place: str) -> OperatorError:
    reason, remedy = f"GitHub gives no token: {reply.message}", "look at the App's installation on GitHub"
    if reply.status == 401:
        remedy = "check BRAT_GITHUB_APP_ID, the private key and this machine's clock"
    elif reply.status == 404:
        reason, remedy = "the App is not installed there any more", "install it again, or forget it"
    elif "suspended" in reply.message.lower():
        reason, remedy = "the App's installation is suspended", "lift the suspension on GitHub"
    return OperatorError(reason, place=place, remedy=remedy)
