"""The right to use one repository over git's own protocol."""

from __future__ import annotations

import base64
from dataclasses import replace
from urllib.parse import urlsplit

from app.errors import OperatorError
from app.forge.github.tokens import Scope, Token, Tokens

__all__ = ["GitAccess"]

_PUSH = ("contents", "write")


class GitAccess:
    """Address and credential of a repository; the credential is a header's value, for one process's life."""

    def __init__(self, tokens: Tokens, scope: Scope, clone_url: str, *, plain_http: bool) -> None:
        scheme = urlsplit(clone_url).scheme
        if scheme != "https" and not (plain_http and scheme == "http"):
            raise OperatorError(
                f"{clone_url!r} is no https address", place="the repository on GitHub", remedy="use https"
            )
        self._tokens, self._scope, self._url = tokens, scope, clone_url
        self._used = scope
        self._token: Token | None = None

    @property
    def address(self) -> str:
        """Where git fetches and pushes, without any credential."""
        return self._url

    def credential(self) -> str:
        """The value of an Authorization header. Raises Later and OperatorError."""
        self._used = self._narrowed()
        self._token = self._tokens.get(self._used)
        pair = base64.b64encode(f"x-access-token:{self._token.text}".encode()).decode()
        return f"Basic {pair}"

    def refused(self) -> None:
        """The credential was not accepted: the next one is new. Raises Later where this one is too new."""
        if self._token is not None:
            self._tokens.drop(self._used, self._token)

    def _narrowed(self) -> Scope:
        """To push, workflow files too where the installation's owner lets the App change them."""
        if _PUSH not in self._scope.permissions:
            return self._scope
        granted = self._tokens.get(replace(self._scope, permissions=())).permissions
        if ("workflows", "write") not in granted:
            return self._scope
        return replace(self._scope, permissions=(*self._scope.permissions, ("workflows", "write")))
