"""The App as a whole: where it is installed, what it was told, and a client for each installation."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any, TypeVar
from urllib.parse import quote

from app.errors import Later, OperatorError
from app.forge.github.answers import (
    Account,
    Answer,
    AppAnswer,
    DeliveryAnswer,
    InstallationAnswer,
    RepositoryAnswer,
    read,
    read_all,
)
from app.forge.github.budget import Budget, LocalShelf, Shelf
from app.forge.github.client import Client, Unreadable
from app.forge.github.credentials import AppCredentials
from app.forge.github.git_access import GitAccess
from app.forge.github.ledger import Pace
from app.forge.github.limits import limited_until
from app.forge.github.people import Ourselves
from app.forge.github.tokens import Scope, Tokens
from app.forge.github.wire import Cut, Reply, Wire
from app.ports import Clock, wall_clock
from app.values import dataclass

__all__ = ["Delivery", "GitHubApp", "Installation", "RepositoryRef"]

A = TypeVar("A", bound=Answer)
_AGAIN_MS = 30_000
_SEES = (("metadata", "read"),)
_MOST_PAGES = 50


@dataclass(frozen=True, slots=True)
class Installation:
    """Where the App is installed; `suspended` ones give no token."""

    id: int
    account: str
    suspended: bool = False
    permissions: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class RepositoryRef:
    """A repository of an installation. `id` stays when it is renamed; `name` is `owner/name`."""

    id: int
    name: str
    installation: int
    clone_url: str
    default_branch: str
    private: bool
    archived: bool = False


@dataclass(frozen=True, slots=True)
class Delivery:
    """A webhook as GitHub recorded it: `guid` is what our end saw, `id` what is redelivered."""

    id: int
    guid: str
    at: int
    status: int
    event: str
    redelivery: bool = False
    repository: int | None = None

    @property
    def failed(self) -> bool:
        return not 200 <= self.status < 300


class GitHubApp:
    """One App for the whole process. Raises Later and OperatorError; nothing is asked before it is needed."""

    def __init__(
        self,
        credentials: AppCredentials,
        *,
        clock: Clock = wall_clock,
        shelf: Shelf | None = None,
        pace: Pace | None = None,
    ) -> None:
        credentials.check()
        self._credentials, self._clock, self._pace = credentials, clock, pace
        self._wire = Wire(credentials.api_url)
        self._tokens = Tokens(self._wire, credentials, clock)
        self._shelf = shelf or LocalShelf()
        self._lock = threading.Lock()
        self._ourselves: Ourselves | None = None
        self._clients: dict[Scope, Client] = {}

    def close(self) -> None:
        """Lets the connections go."""
        self._wire.close()

    def requests(self) -> Mapping[str, int]:
        """Requests since this was last asked, by the answer's status; `cut`: no answer came."""
        return self._wire.counted()

    def ourselves(self, installation: int | None = None) -> Ourselves:
        """Our App's number, and the account it writes as; asked once.

        The App itself may not look up accounts: any installation may, the first one unless named.
        """
        with self._lock:
            known = self._ourselves
        if known is None:
            app = self._one(AppAnswer, "/app")
            client = self.client(installation or self._anywhere())
            name = quote(f"{app.slug}[bot]", safe="")
            try:
                bot = read(Account, client.found(f"/users/{name}"))
            except Unreadable as unreadable:
                raise self._later(str(unreadable)) from None
            if bot is None or not bot.id:
                raise self._later("our own account: an answer that cannot be read")
            known = Ourselves(app.id, app.slug, bot.id)
            with self._lock:
                self._ourselves = known
        return known

    def installations(self) -> tuple[Installation, ...]:
        """Everywhere, the suspended ones too."""
        answers = read_all(InstallationAnswer, self._pages("/app/installations"))
        return tuple(
            Installation(
                each.id,
                each.account.login if each.account else "",
                bool(each.suspended_at),
                tuple(sorted(each.permissions.items())),
            )
            for each in answers
        )

    def repositories(self, installation: int) -> tuple[RepositoryRef, ...]:
        """All that the installation covers."""
        client = self.client(installation)
        try:
            listed = client.pages("/installation/repositories", inside="repositories")
        except Unreadable as unreadable:
            raise self._later(str(unreadable)) from None
        return tuple(
            RepositoryRef(
                each.id,
                each.full_name,
                installation,
                each.clone_url,
                each.default_branch,
                each.private,
                each.archived,
            )
            for each in read_all(RepositoryAnswer, listed)
        )

    def deliveries(self, since: int) -> tuple[Delivery, ...]:
        """What GitHub sent since (ms), the newest first; it keeps three days."""
        found: list[Delivery] = []
        path: str | None = "/app/hook/deliveries?per_page=100"
        for _ in range(_MOST_PAGES):
            reply = self._asked("GET", str(path))
            page = [_delivery(each) for each in read_all(DeliveryAnswer, reply.json())]
            found += [each for each in page if each.at >= since]
            path = reply.next
            if path is None or any(each.at < since for each in page):
                break
        return tuple(found)

    def redeliver(self, delivery: int) -> None:
        """Asks for the delivery again; it comes with the same guid."""
        self._asked("POST", f"/app/hook/deliveries/{delivery}/attempts")

    def client(self, installation: int, repository: int | None = None) -> Client:
        """The one client of this installation and repository: its tokens open nothing else.

        Without a repository it may only see which there are.
        """
        scope = Scope(installation, (repository,)) if repository else Scope(installation, (), _SEES)
        with self._lock:
            if scope not in self._clients:
                budget = Budget(installation, self._clock, shelf=self._shelf, pace=self._pace)
                self._clients[scope] = Client(
                    self._wire, self._tokens, budget, scope=scope, clock=self._clock
                )
            return self._clients[scope]

    def git_access(self, repository: RepositoryRef, *, push: bool = True) -> GitAccess:
        """The right to fetch from one repository over https, and to push to it."""
        contents = ("contents", "write" if push else "read")
        scope = Scope(repository.installation, (repository.id,), (contents,))
        return GitAccess(self._tokens, scope, repository.clone_url, plain_http=self._credentials.plain_http)

    def _anywhere(self) -> int:
        alive = [each.id for each in self.installations() if not each.suspended]
        if not alive:
            remedy = "install it on a repository"
            raise OperatorError("the App is installed nowhere", place="GitHub", remedy=remedy)
        return alive[0]

    def _one(self, model: type[A], path: str) -> A:
        answer = read(model, self._asked("GET", path).json())
        if answer is None:
            raise self._later(f"{path}: an answer that cannot be read")
        return answer

    def _pages(self, path: str) -> list[Any]:
        items: list[Any] = []
        following: str | None = f"{path}?per_page=100"
        while following is not None:
            reply = self._asked("GET", following)
            part = reply.json()
            if not isinstance(part, list):
                raise self._later(f"{path}: an answer that cannot be read")
            items += part
            following = reply.next
        return items

    def _asked(self, method: str, path: str) -> Reply:
        """As the App itself: only what concerns no repository."""
        try:
            reply = self._wire.send(method, path, headers={"Authorization": f"Bearer {self._tokens.app()}"})
        except Cut as cut:
            raise self._later(str(cut)) from None
        until = limited_until(reply.status, reply.headers, reply.message, now=self._clock())
        if until is not None:
            raise Later(reply.message, retry_at=until, place="GitHub")
        if reply.status >= 500:
            raise self._later(reply.message)
        if reply.ok:
            return reply
        remedy = "check BRAT_GITHUB_APP_ID, the private key and this machine's clock"
        raise OperatorError(f"{path}: {reply.message}", place=self._credentials.api_url, remedy=remedy)

    def _later(self, reason: str) -> Later:
        return Later(reason, retry_at=self._clock() + _AGAIN_MS, place="GitHub")


def _delivery(answer: DeliveryAnswer) -> Delivery:
    return Delivery(
        answer.id,
        answer.guid,
        answer.delivered_at,
        answer.status_code,
        answer.event,
        answer.redelivery,
        answer.repository_id,
    )
