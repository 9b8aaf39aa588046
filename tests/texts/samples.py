"""Convoys, tasks and verdicts as the board would hold them."""

from __future__ import annotations

import textwrap

from app.board import Convoy, ConvoyStatus, Session, Task, TaskStatus
from app.config import Budget, Config
from app.ports import (
    Finding,
    Plan,
    PlannedTask,
    PlanRecorded,
    Role,
    SessionEnded,
    SessionStarted,
    Usage,
    Verdict,
    VerdictState,
    WorkPublished,
)
from app.texts import (
    StickyView,
    sticky_view,
)

BASE = "a" * 40
HUB = "https://github.com/acme/shop"
NO_LIMIT = Config()
MERGED, REVIEW = TaskStatus.MERGED, TaskStatus.NEEDS_REVIEW
RETRY_3 = "brat task retry t-20261121-0003"
TEN_USD = Config(budget=Budget(convoy_usd=10.0))


def spec(number: int, title: str = "", **over: object) -> PlannedTask:
    """A planned task with words of its own."""
    values: dict[str, object] = {
        "id": f"task-{number}",
        "title": title or f"Do thing {number}",
        "instructions": f"Change thing {number}.",
        "criteria": (f"Thing {number} works",),
        "commands": (f"pytest tests/test_{number}.py",),
        "paths": (f"src/{number}/**",),
        **over,
    }
    return PlannedTask(**values)  # type: ignore[arg-type]


def session(number: int, *, usd: float | None = None, ended: bool = True, **over: object) -> Session:
    """A work session of task `number`, ended well unless it is still open."""
    issue, name = f"issue-{number}", f"s-{number}-{over.get('attempt', 1)}"
    values: dict[str, object] = {
        "issue": issue,
        "session": name,
        "role": Role.WITNESS,
        "purpose": "work",
        "attempt": 1,
        "base": BASE,
        "deadline_ts": 9,
        "engine": "codex",
        "model": "gpt-5.1-codex",
        **over,
    }
    started = SessionStarted(**values)  # type: ignore[arg-type]
    end = SessionEnded(
        issue, name, Role.WITNESS, "work", Finding.DONE, 0, 9, Usage(usd=usd), checks=("acceptance 1",)
    )
    return Session(started, 1, "me", end if ended else None)


def task(number: int, status: TaskStatus = TaskStatus.QUEUED, *, title: str = "", **over: object) -> Task:
    """Task `number`; `spec`, `sessions` and all other fields may be given."""
    values: dict[str, object] = {
        "issue": f"issue-{number}",
        "id": f"t-20261121-000{number}",
        "convoy": "convoy",
        "number": number,
        "spec": spec(number, title),
        "depends_on": (),
        "status": status,
        "created_ts": 1,
        "updated_ts": 1,
        **over,
    }
    return Task(**values)  # type: ignore[arg-type]


def published(number: int) -> WorkPublished:
    """The work of task `number` on its branch."""
    branch = f"convoy/use-jwt/task-{number}"
    return WorkPublished(f"issue-{number}", f"s-{number}-1", branch, "b" * 40, BASE, (f"src/{number}/a.py",))


def convoy(*tasks: Task, plan: Plan | None = None, **over: object) -> Convoy:
    """An approved, running convoy of these tasks."""
    specs = tuple(each.spec for each in tasks)
    issues = tuple(each.issue for each in tasks)
    planned = plan or Plan("Tokens instead of sessions.", specs)
    values: dict[str, object] = {
        "issue": "convoy",
        "id": "c-20261121-a2f9",
        "slug": "use-jwt",
        "title": "Use JWT",
        "goal": "Use JWT",
        "base": "main",
        "base_commit": BASE,
        "target": "refs/heads/main",
        "strategy": "squash",
        "approval": "required",
        "planner": "engine",
        "by": "ada",
        "status": ConvoyStatus.ACTIVE,
        "opened_ts": 1,
        "updated_ts": 1,
        "actor": "me",
        "tasks": tasks,
        "plan": PlanRecorded("convoy", "f" * 64, planned, issues, tuple(each.id for each in tasks)),
        "approved_by": "ada",
        **over,
    }
    return Convoy(**values)  # type: ignore[arg-type]


def waits(subject: str, because: str, unblock: str = "", *, person: bool = False) -> Verdict:
    """Something that waits, for time or for a maintainer."""
    state = VerdictState.BLOCKED if person else VerdictState.WAITING
    return Verdict(subject, "rule", state, because, "a maintainer" if person else "the Witness", unblock)


def view(of: Convoy, *verdicts: Verdict, config: Config = TEN_USD, **over: object) -> StickyView:
    """What the issue shows, with pull requests 10 + n for tasks whose work is published."""
    pulls = {
        each.number: (10 + each.number, f"{HUB}/pull/{10 + each.number}") for each in of.tasks if each.work
    }
    told = {each.subject: each for each in verdicts}
    return sticky_view(of, told, pulls=pulls, config=config, **over)  # type: ignore[arg-type]


def unapproved() -> StickyView:
    """A plan of three tasks that waits for approval, with a question."""
    tasks = (
        task(1, title="Sign and verify tokens"),
        task(2, title="Log in with a token", depends_on=(1,)),
        task(3, title="Describe it", depends_on=(1, 2)),
    )
    plan = Plan(
        "Tokens instead of sessions.",
        tuple(each.spec for each in tasks),
        ("Sessions may end with the release.",),
        ("Which algorithm: RS256 or ES256?",),
    )
    waiting = waits(
        "convoy",
        "the plan of 3 tasks waits for approval ([mayor] approval is required)",
        "brat convoy approve use-jwt",
        person=True,
    )
    return view(convoy(*tasks, plan=plan, approved_by=None), waiting)


def running() -> StickyView:
    """One task merged, one in review, one blocked, one running, two waiting."""
    tasks = (
        task(
            1,
            TaskStatus.MERGED,
            title="Sign and verify tokens",
            work=published(1),
            sessions=(session(1, usd=0.42),),
        ),
        task(2, TaskStatus.NEEDS_REVIEW, work=published(2), sessions=(session(2, usd=0.2),), depends_on=(1,)),
        task(3, TaskStatus.BLOCKED, title="Migrate `users`", sessions=(session(3, usd=None),)),
        task(4, TaskStatus.RUNNING, sessions=(session(4, ended=False, reserved_usd=1.5),)),
        task(5, title="Describe it", depends_on=(2, 3)),
        task(6, depends_on=(5,)),
    )
    return view(
        convoy(*tasks),
        waits("issue-2", "1 of 2 required checks passed: `unit` is pending"),
        waits("issue-3", "3 attempts failed: acceptance-failed", RETRY_3, person=True),
        waits("issue-5", "waits for task 2, which is needs-review"),
        waits("issue-6", "waits for task 5, which is queued"),
    )


def wrapped(text: str) -> str:
    """The text as it is, with long lines broken for the eye."""
    return "\n".join(textwrap.fill(line, 96, break_long_words=False) for line in text.split("\n"))
