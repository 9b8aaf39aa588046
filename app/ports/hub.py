"""What a code host shows beside refs: issues, words of people, pull requests, checks, rules.

Read once, frozen. Times are in ms since the epoch. None means "could not be read", never "there is none":
what cannot be read is unknown, and no rule may take it for a yes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from types import MappingProxyType

from app.ports.hub_pulls import CheckSeen, Person, PullSeen
from app.values import dataclass

__all__ = [
    "Access",
    "BranchRules",
    "Comment",
    "HubSeen",
    "HubWanted",
    "IssueSeen",
    "RequiredCheck",
    "SetBack",
    "Trigger",
    "WorkflowFile",
]


class Access(StrEnum):
    """What an account may do in the repository now; `UNKNOWN` when it could not be asked."""

    ADMIN = "admin"
    MAINTAIN = "maintain"
    WRITE = "write"
    TRIAGE = "triage"
    READ = "read"
    NONE = "none"
    UNKNOWN = "unknown"

    @property
    def writes(self) -> bool:
        return self in (Access.ADMIN, Access.MAINTAIN, Access.WRITE)


@dataclass(frozen=True, slots=True)
class Trigger:
    """The newest time somebody put the start label on an issue; `event` is GitHub's event id."""

    event: int
    by: Person
    ts: int


@dataclass(frozen=True, slots=True)
class IssueSeen:
    """An issue. `edited_ts` and `renamed_ts`: last change of body and of title; `closed_by` None: open.

    `our_close_ts`: when our own App closed it last, open again or not.
    """

    number: int
    url: str
    title: str
    body: str
    author: Person
    open: bool
    labels: frozenset[str] = frozenset()
    trigger: Trigger | None = None
    edited_ts: int | None = None
    renamed_ts: int | None = None
    closed_by: Person | None = None
    closed_ts: int | None = None
    our_close_ts: int | None = None


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment on an issue, or with `on_pull` on a pull request. `key` is the hidden marker, read on our own
    App's only.
    """

    id: int
    number: int
    author: Person
    body: str
    created_ts: int
    edited: bool = False
    url: str = ""
    key: str = ""
    on_pull: bool = False


@dataclass(frozen=True, slots=True)
class RequiredCheck:
    """A check that protection or a ruleset requires; `app`: only this App may post it."""

    name: str
    app: int | None = None


@dataclass(frozen=True, slots=True)
class BranchRules:
    """What protects a branch, as far as an App without administration may read it.

    `required` None: unknown. `strict`: the head must contain the base. `queue`: GitHub's merge queue is on.
    `usual`: names of the checks seen on the base's last commits.
    """

    branch: str
    required: tuple[RequiredCheck, ...] | None = None
    approvals: int | None = None
    code_owners: bool | None = None
    conversations: bool | None = None
    strict: bool | None = None
    queue: bool | None = None
    linear: bool | None = None
    methods: tuple[str, ...] = ("merge", "squash", "rebase")
    usual: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class WorkflowFile:
    """A file of `.github/workflows/` at a base commit."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class SetBack:
    """The host's log lacked what this process knows and was made whole again.

    `found` is where it stood, None: it was gone; `ours` where it stands since.
    """

    found: str | None
    ours: str


@dataclass(frozen=True, slots=True)
class HubWanted:
    """What one pass has to look at on the code host.

    `label` starts a convoy. `since_ts` is where the inbox was read to, with an overlap; `handled` are the
    keys that need no second look (`comment:12`, `label:34`). `issues` are looked at whatever their labels,
    `pulls` by number beside all open ones of our own on `convoy/`; `heads` are commits whose checks matter;
    `rules` branches; `workflows` base commits; `owners` base commits whose CODEOWNERS matters;
    `people` accounts whose access matters.
    """

    label: str = "brat"
    since_ts: int = 0
    handled: frozenset[str] = frozenset()
    issues: tuple[int, ...] = ()
    pulls: tuple[int, ...] = ()
    heads: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    workflows: tuple[str, ...] = ()
    owners: tuple[str, ...] = ()
    people: tuple[Person, ...] = ()


@dataclass(frozen=True, slots=True)
class HubSeen:
    """One look at the code host. A number or commit that was asked for and is absent could not be read.

    `triggered` are issues that carry the label and wait for an answer, `comments` the unhandled inbox plus
    our own App's comments on the wanted issues and pulls. `access` is by account id. `done` are the keys of
    actions that this process carried out, with what they left (a comment's or pull request's number); `tried`
    are those whose outcome it does not know or whose refusal may pass. `missing` names permissions that the
    installation lacks. `set_back` is the last time that this process found the log so. `pulls_listed`: every
    open pull request from or into a branch on `convoy/` is among `pulls`. `failures` are the log tails of red
    check runs on the wanted heads. `takes_workflows`: commits that change workflow files may be pushed.
    """

    app: int = 0
    private: bool | None = None
    default_branch: str = ""
    issues: Mapping[int, IssueSeen] = field(default_factory=lambda: MappingProxyType({}))
    triggered: tuple[int, ...] = ()
    comments: tuple[Comment, ...] = ()
    access: Mapping[int, Access] = field(default_factory=lambda: MappingProxyType({}))
    pulls: Mapping[int, PullSeen] = field(default_factory=lambda: MappingProxyType({}))
    checks: Mapping[str, tuple[CheckSeen, ...]] = field(default_factory=lambda: MappingProxyType({}))
    rules: Mapping[str, BranchRules] = field(default_factory=lambda: MappingProxyType({}))
    workflows: Mapping[str, tuple[WorkflowFile, ...]] = field(default_factory=lambda: MappingProxyType({}))
    owners: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    failures: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))
    done: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    tried: frozenset[str] = frozenset()
    missing: tuple[str, ...] = ()
    set_back: SetBack | None = None
    pulls_listed: bool = False
    takes_workflows: bool = True

    def pull_of(self, branch: str) -> PullSeen | None:
        """Our newest pull request from this branch."""
        mine = (each for each in self.pulls.values() if each.ours and each.head_branch == branch)
        return max(mine, key=lambda each: each.number, default=None)

    def may(self, person: Person) -> bool | None:
        """Whether the account may write; None when it could not be asked."""
        access = self.access.get(person.id, Access.UNKNOWN)
        return None if access is Access.UNKNOWN else access.writes
