"""What the stand-in remembers: plain objects. Times are in ms."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

from tests.fakehub.accounts import Account, Actor, App

__all__ = [
    "CheckRun",
    "CheckSuite",
    "Comment",
    "Data",
    "Event",
    "Issue",
    "Job",
    "Protection",
    "Pull",
    "QueueEntry",
    "Reaction",
    "Review",
    "ReviewComment",
    "Status",
    "Thread",
    "WorkflowRun",
]


@dataclass(slots=True)
class Reaction:
    id: int
    user: Account
    content: str
    created: int


@dataclass(slots=True)
class Event:
    """An entry of an issue's history: labeled, closed, renamed, …; `detail` as GitHub shows it."""

    id: int
    number: int
    kind: str
    actor: Actor
    created: int
    detail: dict[str, Any] = field(default_factory=dict)
    commit: str | None = None


@dataclass(slots=True)
class Comment:
    id: int
    number: int
    author: Actor
    body: str
    created: int
    updated: int
    edited: int | None = None
    reactions: list[Reaction] = field(default_factory=list)


@dataclass(slots=True)
class Issue:
    """An issue, or the issue side of a pull request. `edited` is the body's last change."""

    id: int
    number: int
    author: Actor
    title: str
    body: str | None
    created: int
    updated: int
    state: str = "open"
    state_reason: str | None = None
    labels: list[str] = field(default_factory=list)
    closed: int | None = None
    closed_by: Account | None = None
    edited: int | None = None
    locked: bool = False
    reactions: list[Reaction] = field(default_factory=list)


@dataclass(slots=True)
class ReviewComment:
    id: int
    review: int
    author: Actor
    body: str
    path: str
    line: int
    commit: str
    created: int
    reply_to: int | None = None


@dataclass(slots=True)
class Review:
    """`state` PENDING: written, not published; never listed to others."""

    id: int
    author: Actor
    state: str
    body: str
    commit: str
    submitted: int | None
    edited: int | None = None


@dataclass(slots=True)
class Thread:
    id: int
    comments: list[ReviewComment]
    resolved_by: Account | None = None


@dataclass(slots=True)
class Pull:
    """The pull request side. `asked` (base, head): mergeability was asked for; `known`: it is computed."""

    id: int
    issue: Issue
    base: str
    head: str
    head_repo: int
    head_sha: str
    base_sha: str
    draft: bool = False
    merged: int | None = None
    merged_by: Account | None = None
    merge_commit: str | None = None
    asked: tuple[str, str] | None = None
    known: tuple[str, str, bool] | None = None
    reviewers: list[Account] = field(default_factory=list)
    reviews: list[Review] = field(default_factory=list)
    threads: list[Thread] = field(default_factory=list)

    @property
    def number(self) -> int:
        return self.issue.number


@dataclass(slots=True)
class CheckSuite:
    id: int
    app: App
    head: str
    branch: str | None
    created: int
    before: str = "0" * 40


@dataclass(slots=True)
class CheckRun:
    id: int
    suite: CheckSuite
    name: str
    status: str
    conclusion: str | None
    started: int | None
    completed: int | None = None
    external_id: str = ""
    details_url: str | None = None
    output: dict[str, Any] = field(default_factory=dict)
    annotations: list[dict[str, Any]] = field(default_factory=list)


@dataclass(slots=True)
class Status:
    id: int
    sha: str
    context: str
    state: str
    creator: Account
    created: int
    description: str | None = None
    target_url: str | None = None


@dataclass(slots=True)
class Job:
    """A job of a workflow run; its check run has the same id."""

    id: int
    run: int
    check: CheckRun
    log: str
    attempt: int = 1


@dataclass(slots=True)
class WorkflowRun:
    id: int
    number: int
    name: str
    path: str
    event: str
    suite: CheckSuite
    actor: Account
    created: int
    attempt: int = 1

    @property
    def workflow_id(self) -> int:
        """One for all runs of a workflow's file."""
        return crc32(self.path.encode())


@dataclass(slots=True)
class Protection:
    """Classic protection, or a ruleset's part of it. `checks` are (context, App id or None).

    `approvals` None: no review rule. `ruleset`: shown under `/rules/branches`, otherwise in the branch.
    """

    branch: str
    checks: tuple[tuple[str, int | None], ...] = ()
    strict: bool = False
    approvals: int | None = None
    code_owners: bool = False
    conversations: bool = False
    linear: bool = False
    queue: bool = False
    methods: tuple[str, ...] = ("merge", "squash", "rebase")
    ruleset: int | None = None
    bypass: tuple[int, ...] = ()


@dataclass(slots=True)
class QueueEntry:
    """A pull request in the merge queue. `head` is the group's commit once checks run on it."""

    id: int
    number: int
    by: Actor
    enqueued: int
    state: str = "QUEUED"
    head: str | None = None
    base: str | None = None


@dataclass(slots=True)
class Data:
    """Everything of a repository that a stale read may show as it was."""

    labels: dict[str, dict[str, Any]] = field(default_factory=dict)
    issues: dict[int, Issue] = field(default_factory=dict)
    pulls: dict[int, Pull] = field(default_factory=dict)
    comments: dict[int, Comment] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    suites: dict[int, CheckSuite] = field(default_factory=dict)
    checks: dict[int, CheckRun] = field(default_factory=dict)
    statuses: list[Status] = field(default_factory=list)
    runs: dict[int, WorkflowRun] = field(default_factory=dict)
    jobs: dict[int, Job] = field(default_factory=dict)
    queue: list[QueueEntry] = field(default_factory=list)
