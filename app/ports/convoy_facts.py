"""What happened to a convoy: opened, planned, approved, paused, ended."""

from __future__ import annotations

from app.ports.hub_facts import RequestSource
from app.ports.plan import Plan
from app.values import dataclass

__all__ = [
    "BaseTakenOver",
    "ConvoyCancelled",
    "ConvoyCompleted",
    "ConvoyFailed",
    "ConvoyOpened",
    "ConvoyPaused",
    "ConvoyResumed",
    "PlanApproved",
    "PlanRecorded",
    "PlanRefused",
]


@dataclass(frozen=True, slots=True)
class ConvoyOpened:
    """A request was accepted. `target` is the full ref that tasks land on; it may differ from the base.

    `request` is the code host's issue it was asked for in; None when asked for on the command line.
    """

    issue: str
    convoy: str
    slug: str
    title: str
    goal: str
    base: str
    base_commit: str
    target: str
    strategy: str
    approval: str
    planner: str
    by: str
    engine: str | None = None
    request: RequestSource | None = None


@dataclass(frozen=True, slots=True)
class PlanRecorded:
    """A valid plan with its hash; `issues` are the task issues, in plan order, numbered from `first`."""

    issue: str
    hash: str
    plan: Plan
    issues: tuple[str, ...]
    tasks: tuple[str, ...]
    first: int = 1


@dataclass(frozen=True, slots=True)
class PlanRefused:
    """A planner's answer broke the rules; `errors` go back to it."""

    issue: str
    session: str
    errors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlanApproved:
    """Approval binds to the plan's hash, and to the issue's digest where the request came from one."""

    issue: str
    hash: str
    by: str
    digest: str = ""


@dataclass(frozen=True, slots=True)
class ConvoyPaused:
    issue: str
    by: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class ConvoyResumed:
    issue: str
    by: str


@dataclass(frozen=True, slots=True)
class ConvoyCancelled:
    issue: str
    by: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ConvoyFailed:
    """Nothing more can land; `reason` says why and what would help."""

    issue: str
    reason: str


@dataclass(frozen=True, slots=True)
class ConvoyCompleted:
    """Every task is merged or dropped, and the base has it (or the person was told the command)."""

    issue: str
    head: str


@dataclass(frozen=True, slots=True)
class BaseTakenOver:
    """The base moved from `old` to `new` by one fast-forward."""

    issue: str
    base: str
    old: str
    new: str
