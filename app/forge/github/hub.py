"""One repository on GitHub: looked at once per pass, and acted on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TypeVar

from app.errors import Later
from app.forge.github.acting import Hands
from app.forge.github.answers import RepositoryAnswer, read
from app.forge.github.client import Client, Unreadable
from app.forge.github.failures import Failures
from app.forge.github.glance import Glance
from app.forge.github.inbox import COMMAND, Inbox
from app.forge.github.issues import Issues, with_edits
from app.forge.github.overview import Overview, Questions, open_pulls, overview
from app.forge.github.people import Ourselves, accesses
from app.forge.github.protection import branch_rules
from app.forge.github.tree import Tree
from app.ports import (
    BranchRules,
    CheckSeen,
    Clock,
    Comment,
    HubAction,
    HubSeen,
    HubWanted,
    IssueSeen,
    Outcome,
    Person,
    PullSeen,
    wall_clock,
)
from app.values import dataclass

__all__ = ["NEEDED", "GitHubHub", "Surroundings", "missing"]

NEEDED = (
    ("metadata", "read"),
    ("contents", "write"),
    ("pull_requests", "write"),
    ("issues", "write"),
    ("checks", "write"),
    ("statuses", "read"),
    ("actions", "write"),
    ("merge_queues", "write"),
)
T = TypeVar("T")
_LEVELS = ("none", "read", "write", "admin")
_AGAIN_MS = 15_000
_ABOUT_MS = 300_000
"""How long it may take until a repository that became public is seen to be."""
_SETTLED_MS = 60_000


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a hub is lent: the replica's files, a way to take secrets out of logs, time."""

    tree: Tree
    redact: Callable[[str], str]
    clock: Clock = wall_clock


class GitHubHub:
    """`repository` is `owner/name`. One value per repository and process: it remembers what it did."""

    def __init__(self, client: Client, repository: str, us: Ourselves, *, around: Surroundings) -> None:
        self._us, self._around = us, around
        self._hands = Hands(client, repository, clock=around.clock)
        self._face(client, repository)

    def move(self, client: Client, repository: str) -> None:
        """The same repository under another name, or seen by another client: what was done is still known."""
        self._hands.move(client, repository)
        self._face(client, repository)

    def _face(self, client: Client, repository: str) -> None:
        self._client, self._repository = client, repository
        self._issues = Issues(client, repository, self._us, clock=self._around.clock)
        self._inbox = Inbox(client, repository, self._us)
        self._failures = Failures(client, repository, self._around.redact, clock=self._around.clock)
        self._glance = Glance(client, repository, self._around.clock)
        self._known: tuple[RepositoryAnswer, int] | None = None
        self._listed = False

    def observe(self, wanted: HubWanted) -> HubSeen:
        """One look. What could not be read is absent or None. Raises Later and OperatorError."""
        about = self._about()
        issues, labelled = self._issues.look(wanted.label, wanted.issues)
        found = self._overview(wanted, issues)
        issues = with_edits(issues, found.edits)
        self._hands.know(found.ids)
        comments = self._comments(wanted, found)
        pulls = {number: self._placed(pull) for number, pull in found.pulls.items()}
        triggered = tuple(sorted(n for n in labelled or () if _waits(issues.get(n), wanted.handled)))
        people = (*wanted.people, *_speakers(issues, triggered, comments=comments, pulls=pulls.values()))
        return HubSeen(
            app=self._us.app,
            private=about.private,
            default_branch=about.default_branch,
            issues=MappingProxyType(issues),
            triggered=triggered,
            comments=comments,
            access=MappingProxyType(accesses(self._client, self._repository, people)),
            pulls=MappingProxyType(pulls),
            checks=MappingProxyType(found.checks),
            rules=MappingProxyType({branch: self._rules(branch, found) for branch in wanted.rules}),
            workflows=_present({each: self._around.tree.workflows(each) for each in wanted.workflows}),
            owners=_present({each: self._around.tree.owners(each) for each in wanted.owners}),
            failures=MappingProxyType(self._failures.look(_red(wanted.heads, found.checks))),
            done=MappingProxyType(dict(self._hands.done)),
            tried=self._hands.tried,
            missing=missing(self._client.permissions),
            pulls_listed=self._listed,
            takes_workflows=self._client.permissions.get("workflows") == "write",
        )

    def act(self, action: HubAction) -> Outcome:
        """Once, without a second try. Raises Later where GitHub or the budget says to come back."""
        self._glance.forget()
        return self._hands.act(action)

    def _about(self) -> RepositoryAnswer:
        """Without this nothing is worth asking. It changes with each push, what is read of it hardly ever."""
        now = self._around.clock()
        if self._known is not None and now - self._known[1] < _ABOUT_MS:
            return self._known[0]
        self._known = self._asked_about(), now
        return self._known[0]

    def _asked_about(self) -> RepositoryAnswer:
        try:
            about = read(RepositoryAnswer, self._client.found(f"/repos/{self._repository}"))
        except Unreadable as unreadable:
            raise self._later(str(unreadable)) from None
        if about is None:
            raise self._later("an answer that cannot be read")
        return about

    def _later(self, reason: str) -> Later:
        place = f"{self._repository} on GitHub"
        return Later(reason, retry_at=self._around.clock() + _AGAIN_MS, place=place)

    def _overview(self, wanted: HubWanted, issues: Mapping[int, IssueSeen]) -> Overview:
        try:
            listed = open_pulls(self._client, self._repository)
            self._listed = True
        except Unreadable:
            listed, self._listed = (), False
        numbers = dict.fromkeys((*(each.number for each in listed), *wanted.pulls, *self._hands.opened))
        asked = Questions(tuple(numbers), tuple(issues), wanted.heads, wanted.rules)
        updated = (*self._issues.updated.values(), *(each.updated_at for each in listed))
        now = self._around.clock()
        # Times are in whole seconds: what is as young as this may have changed again unseen.
        fresh = now if any(each + _SETTLED_MS > now for each in updated) else 0
        signs = repr((listed, sorted(self._issues.updated.items()), fresh))

        def read() -> Overview:
            return overview(self._client, self._repository, self._us, questions=asked)

        return self._glance.look(asked, signs, read)

    def _comments(self, wanted: HubWanted, found: Overview) -> tuple[Comment, ...]:
        """An inbox that cannot be read now is read the next time: `since_ts` stays where it was."""
        try:
            return self._inbox.look(wanted, (*wanted.issues, *found.talked))
        except Unreadable as unreadable:
            raise self._later(str(unreadable)) from None

    def _placed(self, pull: PullSeen) -> PullSeen:
        if pull.behind is not None:
            return pull
        return replace(pull, behind=self._around.tree.behind(pull.base_branch, pull.head))

    def _rules(self, branch: str, found: Overview) -> BranchRules:
        rules = branch_rules(self._client, self._repository, branch)
        queue = found.queues.get(branch) if rules.queue is None else rules.queue
        methods = tuple(each for each in rules.methods if each in found.methods)
        # Classic protection hides it from an App; GitHub calls a head behind only where that stops a merge.
        behind = any(each.behind and each.base_branch == branch for each in found.pulls.values())
        strict = True if rules.strict is None and behind else rules.strict
        return replace(rules, queue=queue, methods=methods, strict=strict, usual=found.usual.get(branch))


def _red(heads: tuple[str, ...], checks: Mapping[str, tuple[CheckSeen, ...]]) -> tuple[int, ...]:
    """Check runs of others on these heads whose log says what is wrong."""
    found = (each for head in heads for each in checks.get(head, ()))
    return tuple(each.id for each in found if each.id and each.state.fails and not each.ours)


def missing(granted: Mapping[str, str]) -> tuple[str, ...]:
    """What the installation lacks, as `checks: write`."""
    return tuple(
        f"{name}: {level}"
        for name, level in NEEDED
        if _LEVELS.index(level) > _level(granted.get(name, "none"))
    )


def _level(name: str) -> int:
    return _LEVELS.index(name) if name in _LEVELS else 0


def _present(found: Mapping[str, T | None]) -> Mapping[str, T]:
    return MappingProxyType({key: value for key, value in found.items() if value is not None})


def _waits(issue: IssueSeen | None, handled: frozenset[str]) -> bool:
    return issue is not None and issue.trigger is not None and f"label:{issue.trigger.event}" not in handled


def _speakers(
    issues: Mapping[int, IssueSeen],
    triggered: tuple[int, ...],
    *,
    comments: Iterable[Comment],
    pulls: Iterable[PullSeen],
) -> tuple[Person, ...]:
    """Whose word may count in this look: who labelled, who gave a command, who reviewed."""
    labelled = (issues[number].trigger for number in triggered)
    return (
        *(each.by for each in labelled if each is not None),
        *(each.author for each in comments if COMMAND in each.body and not each.author.ours),
        *(review.author for pull in pulls if pull.ours for review in pull.reviews),
    )
