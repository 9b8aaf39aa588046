"""The whole stand-in as one object: accounts, Apps, repositories, time, faults, deliveries."""

from __future__ import annotations

import copy
import secrets
import threading
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from tests.fakehub import protecting
from tests.fakehub.accounts import Account, Actor, App, Installation, Token
from tests.fakehub.clock import Clock
from tests.fakehub.faults import Faults
from tests.fakehub.git import BareGit
from tests.fakehub.journal import Change, Journal
from tests.fakehub.keys import new_key
from tests.fakehub.model import Data, Pull
from tests.fakehub.people import Project
from tests.fakehub.repository import Repository
from tests.fakehub.server import Server
from tests.fakehub.views.basic import installation_view, repository_view, user_view
from tests.fakehub.webhooks import Webhooks

__all__ = ["EVENTS", "PERMISSIONS", "Hub"]

PERMISSIONS = {
    "metadata": "read",
    "contents": "write",
    "pull_requests": "write",
    "issues": "write",
    "checks": "write",
    "statuses": "read",
    "actions": "write",
    "merge_queues": "write",
}
EVENTS = (
    "issues", "issue_comment", "pull_request", "pull_request_review", "push", "check_run", "check_suite",
    "status", "merge_group",
)  # fmt: skip
_EVENT_NEEDS = {
    "issues": "issues",
    "issue_comment": "issues",
    "pull_request": "pull_requests",
    "pull_request_review": "pull_requests",
    "push": "contents",
    "check_run": "checks",
    "check_suite": "checks",
    "status": "statuses",
    "merge_group": "merge_queues",
}


class Hub:
    """`base` is where it listens, `api` its REST root, as on an Enterprise Server.

    Use as a context manager. Every change holds `lock`.
    """

    def __init__(self, root: Path, *, clock: Clock | None = None, port: int = 0) -> None:
        self.root = root
        self.clock = clock or Clock.at_start()
        self.lock = threading.RLock()
        self.accounts: dict[int, Account] = {}
        self.apps: dict[int, App] = {}
        self.keys: dict[int, str] = {}
        self.installations: dict[int, Installation] = {}
        self.repositories: dict[int, Project] = {}
        self.tokens: dict[str, Token] = {}
        self.everywhere: dict[int, str] = {}
        self.manifests: dict[str, dict[str, Any]] = {}
        self.webhooks = Webhooks()
        self.faults = Faults()
        self.journal = Journal()
        self.limit = 5000
        self.used: dict[tuple[str, int], int] = {}
        self.pasts: dict[int, deque[Data]] = {}
        self.changed = threading.Condition(self.lock)
        self._last_id = 1000
        self.web_flow = self._account("web-flow", "User")
        self.actions_app = self._app("github-actions", {}, ())
        self.server = Server(self, port)

    def __enter__(self) -> Self:
        self.server.start()
        return self

    def __exit__(self, *why: object) -> None:
        self.server.stop()

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.server.port}"

    @property
    def api(self) -> str:
        return f"{self.base}/api/v3"

    @property
    def graphql(self) -> str:
        return f"{self.base}/api/graphql"

    def next_id(self) -> int:
        self._last_id += 1
        return self._last_id

    def person(self, login: str, *, access: str | None = None) -> Account:
        """An account by its login, made if it is new; `access` holds in every repository."""
        with self.lock:
            made = self.account(login) or self._account(login, "User")
            if access:
                self.everywhere[made.id] = access
            return made

    def account(self, login: str) -> Account | None:
        found = (each for each in self.accounts.values() if each.login.casefold() == login.casefold())
        return next(found, None)

    def token(self, account: Account) -> str:
        """A personal token, for git and for calls as that person."""
        value = "ghp_" + secrets.token_hex(18)
        self.tokens[value] = Token(value, account)
        return value

    def app(
        self, slug: str = "brat", *, id: int | None = None, key: str | None = None,
        permissions: Mapping[str, str] = PERMISSIONS,
    ) -> App:  # fmt: skip
        """An App; its private key (PEM) is in `keys`. `key`: use this one."""
        with self.lock:
            return self._app(slug, permissions, EVENTS, id=id, key=key)

    def install(self, app: App, *repositories: Repository) -> Installation:
        """Installs, or adds repositories to the installation on their owner's account."""
        with self.lock:
            owner = repositories[0].owner
            known = (e for e in self.installations.values() if e.app is app and e.account == owner)
            made = next(known, None)
            fresh = made is None
            if made is None:
                granted = dict(app.permissions)
                made = Installation(self.next_id(), app, owner, granted, self.clock.now)
                self.installations[made.id] = made
            made.repositories |= {each.id for each in repositories}
            self._tell_installed(made, repositories, fresh=fresh)
            return made

    def repository(
        self, full_name: str, *, private: bool = False, files: Mapping[str, str | bytes] | None = None
    ) -> Project:
        """A repository with one commit on `main` (unless `files` is empty). Its owner administers it."""
        with self.lock:
            owner, name = full_name.split("/")
            made = Project(
                self, self.next_id(), self.person(owner), name,
                BareGit(self.root / owner / f"{name}.git"), self.clock.now, private=private,
            )  # fmt: skip
            made.pushed = self.clock.now
            made.git.create(made.default_branch)
            self.repositories[made.id] = made
            made.begin({"README.md": f"# {name}\n"} if files is None else files)
            return made

    def find(self, full_name: str) -> Project | None:
        wanted = full_name.casefold()
        return next((e for e in self.repositories.values() if e.full_name.casefold() == wanted), None)

    def emit(self, repo: Repository, event: str, payload: dict[str, Any], *, by: Actor) -> None:
        """Deliveries to every App that is installed, lets see and asked for this."""
        shared = {"repository": repository_view(repo), "sender": user_view(self, by.account)}
        for made in self.installations.values():
            if repo.id not in made.repositories or made.suspended or event not in made.app.events:
                continue
            if _EVENT_NEEDS[event] in made.permissions:
                named = {"installation": {"id": made.id, "node_id": str(made.id)}}
                self.tell(made.app, event, {**payload, **shared, **named})

    def tell(self, app: App, event: str, payload: dict[str, Any]) -> None:
        """One delivery, if the App listens at all."""
        if app.webhook_url:
            self.webhooks.make(app, event, payload, now=self.clock.now)
            self.changed.notify_all()

    def deliver(self) -> int:
        """Sends what waits, in order, over HTTP; how many were sent."""
        with self.lock:
            sent = self.webhooks.take()
        for each in sent:
            self.webhooks.send(each)
        return len(sent)

    def forge(self, app: App, event: str, payload: dict[str, Any]) -> int:
        """Sends a delivery whose signature nobody gave; the App's answer."""
        with self.lock:
            made = self.webhooks.make(app, event, payload, now=self.clock.now)
            self.webhooks.pending.remove(made)
        return self.webhooks.send(made, signature="sha256=" + "0" * 64)

    def record(self, what: str, repo: Repository, subject: object, *, by: Actor) -> None:
        """An effect that lasts; keeps what went before for stale reads that are armed."""
        self.journal.changes.append(Change(what, repo.full_name, str(subject), by.account.login))

    def remember(self, repo: Repository) -> None:
        """Called before a change."""
        if self.faults.remembers:
            past = self.pasts.setdefault(repo.id, deque(maxlen=50))
            past.append(copy.deepcopy(repo.data))

    def refusals(self, repo: Repository, pull: Pull) -> list[str]:
        return protecting.refusals(repo, pull)

    def suspend(self, installation: Installation, *, on: bool = True) -> None:
        """Suspends the App there, or lets it go on."""
        with self.lock:
            installation.suspended = self.clock.now if on else None
            self._tell_installation(installation, "suspend" if on else "unsuspend")

    def grant(self, installation: Installation, **levels: str | None) -> None:
        """Changes permissions; None takes one away. Tokens made before have what they had."""
        with self.lock:
            for name, level in levels.items():
                installation.permissions.pop(name, None)
                if level:
                    installation.permissions[name] = level
            self._tell_installation(installation, "new_permissions_accepted")

    def uninstall(self, installation: Installation) -> None:
        with self.lock:
            del self.installations[installation.id]
            self.revoke(installation)
            self._tell_installation(installation, "deleted")

    def revoke(self, installation: Installation) -> None:
        """Its tokens end now: 401 in mid-run."""
        held = [each.value for each in self.tokens.values() if each.installation is installation]
        for value in held:
            del self.tokens[value]

    def _account(self, login: str, kind: str) -> Account:
        made = Account(self.next_id(), login, kind)
        self.accounts[made.id] = made
        return made

    def _app(
        self, slug: str, permissions: Mapping[str, str], events: tuple[str, ...], *,
        id: int | None = None, key: str | None = None,
    ) -> App:  # fmt: skip
        private, public = new_key(key)
        number = id or self.next_id()
        owner, bot = self.person("apps-owner"), self._account(f"{slug}[bot]", "Bot")
        made = App(
            number,
            slug,
            owner,
            bot,
            public,
            f"Iv23li{number:014d}",
            self.clock.now,
            dict(permissions),
            events,
        )
        self.apps[number], self.keys[number] = made, private
        return made

    def _tell_installation(self, made: Installation, action: str) -> None:
        shown = {"installation": installation_view(self, made), "sender": user_view(self, made.account)}
        self.tell(made.app, "installation", {"action": action, **shown})

    def _tell_installed(
        self, made: Installation, repositories: tuple[Repository, ...], *, fresh: bool
    ) -> None:
        named = [
            {"id": e.id, "node_id": str(e.id), "name": e.name, "full_name": e.full_name, "private": e.private}
            for e in repositories
        ]
        shown = {"installation": installation_view(self, made), "sender": user_view(self, made.account)}
        if fresh:
            self.tell(made.app, "installation", {"action": "created", **shown, "repositories": named})
        else:
            added = {
                "repositories_added": named,
                "repositories_removed": [],
                "repository_selection": "selected",
            }
            self.tell(made.app, "installation_repositories", {"action": "added", **shown, **added})
