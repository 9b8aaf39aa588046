"""What one installation reads and changes on GitHub: limits heeded, tokens renewed, reads conditional."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.errors import Later, OperatorError
from app.forge.github.budget import Budget
from app.forge.github.ledger import Priority
from app.forge.github.remembered import Remembered
from app.forge.github.tokens import Scope, Token, Tokens
from app.forge.github.wire import Cut, Reply, Wire
from app.ports import Clock

__all__ = ["Client", "Unreadable", "Unsure"]

_PER_PAGE = 100
_MOST_PAGES = 50
_AGAIN_MS = 15_000


class Unreadable(Exception):
    """Something could not be read: it is unknown, not absent. `status` is GitHub's; 0: no answer came."""

    def __init__(self, reason: str, *, status: int = 0) -> None:
        super().__init__(reason)
        self.status = status


class Unsure(Exception):
    """A mutation got no clear answer: it may be done or not."""


class Client:
    """One installation, narrowed to one repository. Any number of threads may use it.

    Reads that break off are tried once more; mutations never are, but after a 401, which did nothing.
    """

    def __init__(self, wire: Wire, tokens: Tokens, budget: Budget, *, scope: Scope, clock: Clock) -> None:
        self._wire, self._tokens, self._budget, self._clock = wire, tokens, budget, clock
        self.scope = scope
        self.remembered = Remembered()

    @property
    def permissions(self) -> Mapping[str, str]:
        """What the installation granted."""
        return dict(self._tokens.get(self.scope).permissions)

    def get(self, path: str, params: Mapping[str, str | int] | None = None) -> Reply:
        """A read; 404 and other refusals come back as they are. Raises Later and Unreadable.

        Asked again with the same token, an unchanged answer costs nothing (304).
        """
        self._budget.spend()
        for last in (False, True):
            try:
                reply = self._conditional(path, params)
            except Cut as cut:
                if not cut.sent:
                    raise self._later(f"GitHub cannot be reached: {cut}") from None
                if last:
                    raise Unreadable(str(cut)) from None
                continue
            if reply.status < 500:
                return reply
        raise Unreadable(f"{path}: {reply.message}", status=reply.status)

    def found(self, path: str, params: Mapping[str, str | int] | None = None) -> Any:
        """The JSON of a read that has to be there. Raises Unreadable where it is not."""
        reply = self.get(path, params)
        if not reply.ok:
            raise Unreadable(f"{path}: {reply.message}", status=reply.status)
        return reply.json()

    def pages(
        self, path: str, params: Mapping[str, str | int] | None = None, *, inside: str = ""
    ) -> list[Any]:
        """All items of all pages, or Unreadable: half a list would be taken for the whole."""
        items, whole = self.first_pages(path, params, inside=inside)
        if not whole:
            raise Unreadable(f"{path}: more than {_MOST_PAGES} pages")
        return items

    def first_pages(
        self, path: str, params: Mapping[str, str | int] | None = None, *, inside: str = ""
    ) -> tuple[list[Any], bool]:
        """As many pages as are read in one look, and whether these are all. Raises Later and Unreadable."""
        items: list[Any] = []
        asked: Mapping[str, str | int] | None = {**(params or {}), "per_page": _PER_PAGE}
        for _ in range(_MOST_PAGES):
            reply = self.get(path, asked)
            told = reply.json()
            part = told.get(inside) if inside and isinstance(told, dict) else told
            if not reply.ok or not isinstance(part, list):
                raise Unreadable(f"{path}: {reply.message}", status=reply.status)
            items += part
            if reply.next is None:
                return items, True
            if not self._wire.knows(reply.next):
                raise Unreadable(f"{path}: the next page is somewhere else")
            path, asked = reply.next, None
        return items, False

    def query(self, document: str, variables: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
        """Data of a GraphQL read and the errors beside it. Raises Later, and Unreadable without any data."""
        self._budget.spend()
        for last in (False, True):
            try:
                reply = self._graphql(document, variables)
            except Cut as cut:
                if last or not cut.sent:
                    raise Unreadable(str(cut)) from None
                continue
            if reply.status < 500 or last:
                break
        data, errors = _parts(reply)
        if not reply.ok or data is None:
            raise Unreadable("; ".join(errors) or reply.message)
        return data, errors

    def change(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Reply:
        """A mutation, once; `reserve` comes first. Raises Later, and Unsure where the outcome is open."""
        return self._sure(lambda: self._authorised(method, path, body))

    def mutation(self, document: str, variables: Mapping[str, Any]) -> tuple[str, ...]:
        """A GraphQL mutation, once; its errors, none when it is done. Raises Later and Unsure."""
        reply = self._sure(lambda: self._graphql(document, variables))
        data, errors = _parts(reply)
        if reply.ok and data is None and not errors:
            raise Unsure("an answer that cannot be read")
        return errors or (() if reply.ok else (reply.message,))

    def reserve(self, mutations: int = 1, *, priority: Priority = Priority.STATUS) -> None:
        """Charges mutations that follow at once. Raises Later."""
        self._budget.spend(mutations=mutations, priority=priority)

    def _sure(self, ask: Any) -> Reply:
        try:
            reply: Reply = ask()
        except Cut as cut:
            if cut.sent:
                raise Unsure(str(cut)) from None
            raise self._later(f"GitHub cannot be reached: {cut}") from None
        if reply.status >= 500:
            raise Unsure(reply.message)
        return reply

    def _graphql(self, document: str, variables: Mapping[str, Any]) -> Reply:
        body = {"query": document, "variables": dict(variables)}
        reply = self._authorised("POST", self._graphql_url(), body)
        _, errors = _parts(reply)
        self._budget.heed(reply.status, reply.headers, " ".join(errors) if reply.ok else "")
        return reply

    def _graphql_url(self) -> str:
        """Beside `/api/v3` on an Enterprise server, below the API's root on github.com."""
        base = str(self._wire.config.base_url).rstrip("/")
        return f"{base.removesuffix('/v3')}/graphql"

    def _conditional(self, path: str, params: Mapping[str, str | int] | None) -> Reply:
        question = f"{path}?{sorted((params or {}).items())}"
        reply, token = self._tried("GET", path, params=params, question=question)
        before = self.remembered.of(token, question)
        if reply.status == 304 and before is not None:
            self._budget.give_back()
            return before.again(reply)
        if reply.ok and "etag" in reply.headers:
            self.remembered.keep(token, question, reply)
        return reply

    def _authorised(self, method: str, path: str, body: Mapping[str, Any] | None) -> Reply:
        return self._tried(method, path, body=body)[0]

    def _tried(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, str | int] | None = None,
        body: Mapping[str, Any] | None = None,
        question: str = "",
    ) -> tuple[Reply, Token]:
        for last in (False, True):
            token = self._tokens.get(self.scope)
            headers = {"Authorization": f"Bearer {token.text}"}
            if before := self.remembered.of(token, question):
                headers["If-None-Match"] = before.headers["etag"]
            reply = self._wire.send(method, path, headers=headers, params=params, body=body)
            if reply.status != 401:
                self._budget.heed(reply.status, reply.headers, reply.message if reply.status >= 400 else "")
                return reply, token
            if not last:
                self._tokens.drop(self.scope, token)
        raise OperatorError(
            f"GitHub refuses a token that it has just given: {reply.message}",
            place=f"installation {self.scope.installation}",
            remedy="look at the App's installation on GitHub, and at this machine's clock",
        )

    def _later(self, reason: str) -> Later:
        return Later(reason, retry_at=self._clock() + _AGAIN_MS, place="GitHub")


def _parts(reply: Reply) -> tuple[dict[str, Any] | None, tuple[str, ...]]:
    told = reply.json()
    if not isinstance(told, dict):
        return None, ()
    data, errors = told.get("data"), told.get("errors")
    words = tuple(_words(each) for each in errors) if isinstance(errors, list) else ()
    return (data if isinstance(data, dict) else None), words


def _words(error: object) -> str:
    if not isinstance(error, dict):
        return str(error)
    kind = error.get("type")
    return f"{error.get('message', '')} ({kind})" if kind else str(error.get("message", ""))
