"""What shall be done on the code host. `key` finds each again on objects of our own App."""

from __future__ import annotations

from app.values import dataclass

__all__ = [
    "CloseIssue",
    "ClosePull",
    "Dequeue",
    "EditComment",
    "EditPull",
    "Enqueue",
    "HubAction",
    "Introduce",
    "Label",
    "MergePull",
    "OpenPull",
    "PostCheck",
    "PostComment",
    "React",
    "RerunCheck",
]


@dataclass(frozen=True, slots=True)
class PostComment:
    """A new comment with the hidden marker `key`. Nothing guards it: an intent in the log comes first."""

    number: int
    key: str
    body: str


@dataclass(frozen=True, slots=True)
class EditComment:
    """Makes our comment say `body`; `key` stays its marker."""

    number: int
    comment: int
    key: str
    body: str


@dataclass(frozen=True, slots=True)
class React:
    """`eyes`, `rocket` or `confused` on a person's comment. GitHub keeps one of each kind per account.

    `key` names it in `HubSeen.done`, where it leaves 1; nothing else tells that it is there.
    """

    comment: int
    content: str
    key: str = ""


@dataclass(frozen=True, slots=True)
class Label:
    """Adds and removes labels of an issue or pull request; already so is fine."""

    number: int
    add: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CloseIssue:
    """Closes the issue; `completed` or `not_planned`. Already closed is fine.

    `key` names it in `HubSeen.done`, where it leaves 1: an issue that is open again was opened by a person.
    """

    number: int
    reason: str = "completed"
    key: str = ""


@dataclass(frozen=True, slots=True)
class OpenPull:
    """A pull request for a branch that is pushed. A second one for the head is refused by GitHub (422)."""

    head: str
    base: str
    title: str
    body: str


@dataclass(frozen=True, slots=True)
class Introduce:
    """Labels and reviewers (`@org/team` is a team) of a new pull request, once: people may take them away.

    Welcome and not needed: done, whatever the answers. `key` names it in `HubSeen.done`, where it leaves 1.
    """

    number: int
    key: str
    labels: tuple[str, ...] = ()
    reviewers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EditPull:
    """Makes the description of our pull request say `body`; the title stays as people see it."""

    number: int
    body: str


@dataclass(frozen=True, slots=True)
class ClosePull:
    """Closes the pull request. A person may reopen it, so an intent in the log comes first.

    `key` names it in `HubSeen.done`, where it leaves 1.
    """

    number: int
    key: str = ""


@dataclass(frozen=True, slots=True)
class MergePull:
    """Merges if the head is still `head`: the `sha` guard. `method` is merge, squash or rebase.

    `attempt` names a task's merge: refusals are counted anew for each.
    """

    number: int
    head: str
    method: str
    title: str
    body: str
    attempt: str = ""


@dataclass(frozen=True, slots=True)
class Enqueue:
    """Into GitHub's own merge queue, if the head is still `head`. `attempt` as in `MergePull`."""

    number: int
    head: str
    attempt: str = ""


@dataclass(frozen=True, slots=True)
class Dequeue:
    """Out of GitHub's own merge queue. What is not in it needs no such thing: only the look tells."""

    number: int


@dataclass(frozen=True, slots=True)
class PostCheck:
    """Our check run on a head, made or changed: found by `external_id` = `key` and our own App.

    `conclusion` None: in progress.
    """

    head: str
    key: str
    title: str
    summary: str
    conclusion: str | None
    check: int = 0


@dataclass(frozen=True, slots=True)
class RerunCheck:
    """Re-runs the failed jobs behind a check run once."""

    check: int


HubAction = (
    PostComment
    | EditComment
    | React
    | Label
    | CloseIssue
    | OpenPull
    | Introduce
    | EditPull
    | ClosePull
    | MergePull
    | Enqueue
    | Dequeue
    | PostCheck
    | RerunCheck
)
