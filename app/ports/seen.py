"""What a pass wants to look at, and what it saw: read once, frozen, handed to every rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from types import MappingProxyType

from app.ports.hub import HubSeen, HubWanted
from app.ports.session import SessionResult
from app.values import dataclass

__all__ = [
    "Candidate",
    "CandidateKey",
    "Checkout",
    "DiffKey",
    "Inspection",
    "Landing",
    "LandingKey",
    "Life",
    "Patch",
    "PatchKey",
    "RefusedMove",
    "Seen",
    "SessionSeen",
    "Wanted",
    "WorkKey",
]


class Life(StrEnum):
    """Whether a session's runner lives.

    `ABSENT`: nothing of it is on this machine; `UNKNOWN`: cannot tell.
    """

    ALIVE = "alive"
    ENDED = "ended"
    DEAD = "dead"
    ABSENT = "absent"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class SessionSeen:
    """One session as this machine sees it. `ENDED` always has a result. Times in ms since the epoch."""

    life: Life
    phase: str = ""
    last_output_ts: int | None = None
    last_line: str = ""
    result: SessionResult | None = None


@dataclass(frozen=True, slots=True)
class WorkKey:
    """The bundle of an ended session, to be inspected against the base it started from."""

    session: str
    base: str
    head: str
    branch: str


@dataclass(frozen=True, slots=True)
class Inspection:
    """What the publisher found in a bundle. `problems` non-empty: refused. Paths are repository paths."""

    head: str
    touched: tuple[str, ...] = ()
    protected: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    commits: int = 0


@dataclass(frozen=True, slots=True)
class CandidateKey:
    """Which merge is asked for: `head` onto `base`. Same key, same commit: the build is deterministic.

    `since` is the commit where the work started; `date_ts` the commit date in ms; `message` of squash and
    merge commits.
    """

    base: str
    head: str
    since: str
    strategy: str
    message: str
    date_ts: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """The merge, built in the object store.

    No commit: `conflicts` names the paths, or `empty` says nothing is left to land.
    """

    commit: str | None
    tree: str | None = None
    conflicts: tuple[str, ...] = ()
    detail: str = ""
    empty: bool = False


@dataclass(frozen=True, slots=True)
class Checkout:
    """The user's working tree that has `branch` checked out. `clean` is None when it could not be told."""

    path: str
    branch: str
    clean: bool | None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class RefusedMove:
    """A ref that this process could not move, `times` in a row, with the last reason and what helps.

    `behind`: a head in which its base has to be first. `attempt`: which merge of a task it was for.
    """

    reason: str
    remedy: str = ""
    times: int = 1
    behind: bool = False
    attempt: str = ""


@dataclass(frozen=True, slots=True)
class LandingKey:
    """A landing that somebody else's machine made: `commit` is on the target, `head` is what was tested.

    `since` is the commit where the work started.
    """

    commit: str
    head: str
    since: str


@dataclass(frozen=True, slots=True)
class PatchKey:
    """What work from `since` to `head` does to workflow files, and whether `base` has them so already."""

    since: str
    head: str
    base: str


@dataclass(frozen=True, slots=True)
class Patch:
    """The changed workflow files and their diff, as `git apply` takes it; no text: too long, or no text.

    `there`: the base holds the very same files.
    """

    paths: tuple[str, ...]
    text: str
    there: bool


@dataclass(frozen=True, slots=True)
class DiffKey:
    """All that work from `since` to `head` changes."""

    since: str
    head: str


@dataclass(frozen=True, slots=True)
class Landing:
    """Trees of a landing: what landed, what was tested, and the tested head merged with the actual parent.

    `merged` None: that merge has conflicts.
    """

    landed: str
    tested: str
    merged: str | None


@dataclass(frozen=True, slots=True)
class Wanted:
    """What one pass has to look at, computed from the board.

    `folders` are beginnings of ref names that end with a slash: which names there are below is wanted.
    `protected` are the globs by which `works` are judged; None: as they were.
    """

    refs: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    works: tuple[WorkKey, ...] = ()
    candidates: tuple[CandidateKey, ...] = ()
    contains: tuple[tuple[str, str], ...] = ()
    checkouts: tuple[str, ...] = ()
    hub: HubWanted | None = None
    landings: tuple[LandingKey, ...] = ()
    folders: tuple[str, ...] = ()
    protected: tuple[str, ...] | None = None
    patches: tuple[PatchKey, ...] = ()
    diffs: tuple[DiffKey, ...] = ()


@dataclass(frozen=True, slots=True)
class Seen:
    """One look at the world. A ref that is absent from `refs` was looked for and does not exist.

    `contains` holds the `(ref, commit)` pairs that were asked for and hold; `refused` is by full ref,
    or `pull:` with a pull request's number or branch, `queue:` with its number (to leave it), or a key;
    `unsure`, by the same names, is why it is not known whether the last try did it. `names` are the refs
    below the wanted folders.
    `hub` is what the code host shows; None on a plain repository. An empty diff is too long, or no text.
    """

    refs: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    sessions: Mapping[str, SessionSeen] = field(default_factory=lambda: MappingProxyType({}))
    works: Mapping[WorkKey, Inspection] = field(default_factory=lambda: MappingProxyType({}))
    candidates: Mapping[CandidateKey, Candidate] = field(default_factory=lambda: MappingProxyType({}))
    contains: frozenset[tuple[str, str]] = frozenset()
    checkouts: Mapping[str, Checkout] = field(default_factory=lambda: MappingProxyType({}))
    refused: Mapping[str, RefusedMove] = field(default_factory=lambda: MappingProxyType({}))
    unsure: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    hub: HubSeen | None = None
    landings: Mapping[LandingKey, Landing] = field(default_factory=lambda: MappingProxyType({}))
    names: frozenset[str] = frozenset()
    patches: Mapping[PatchKey, Patch] = field(default_factory=lambda: MappingProxyType({}))
    diffs: Mapping[DiffKey, str] = field(default_factory=lambda: MappingProxyType({}))
