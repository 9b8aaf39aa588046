"""A log as years of work leave it: many convoys that landed, each told of on its issue."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from app.board import Board, convoy_facts_of_plan, derived_issue, record, short_id
from app.grite import Log
from app.ports import (
    Answered,
    ConvoyCompleted,
    ConvoyOpened,
    EffectIntended,
    EffectSeen,
    Fact,
    Finding,
    MergeStarted,
    MergeSucceeded,
    Plan,
    PlanApproved,
    PlannedTask,
    PullOpened,
    RequestSource,
    Role,
    SessionEnded,
    SessionStarted,
    Usage,
    WorkPublished,
)

__all__ = ["HOUR_MS", "ClockOfThePast", "write_history"]

HOUR_MS = 3_600_000
APART_MS = 6 * HOUR_MS
TASKS = 5
FIRST_NUMBER = 100_000
"""Issues and pull requests of the past have numbers that nothing of today has."""


class ClockOfThePast:
    """Stands where it is put; `write_history` ends at `now`."""

    def __init__(self, now: int) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now


def write_history(log: Log, clock: ClockOfThePast, *, events: int) -> int:
    """One convoy of five merged tasks every six hours until `clock.now`; how many events that made."""
    end, taken = clock.now, set[str]()
    each = len(record(Board(), _landed(0, set(), now=end), now=end))
    convoys = -(-events // each)
    for number in range(convoys):
        clock.now = end - (convoys - number) * APART_MS
        log.append(record(Board(), _landed(number, taken, now=clock.now), now=clock.now))
    clock.now = end
    return convoys * each


def _landed(number: int, taken: set[str], *, now: int) -> Iterator[Fact]:
    """Everything that is said of one convoy on a code host, from the label to the closed issue."""
    issue = derived_issue("history", str(number))
    asked = FIRST_NUMBER + number * (TASKS + 1)
    name = short_id("c", issue, now=now, taken=taken.__contains__)
    tasks = tuple(
        PlannedTask(
            f"part-{each}",
            f"Write part {each}",
            instructions=f"Write part {each} of what was asked for, with its tests.",
            paths=(f"src/part_{each}/**",),
            depends_on=(f"part-{each - 1}",) if each % 3 == 0 else (),
        )
        for each in range(1, TASKS + 1)
    )
    digest = hashlib.sha256(issue.encode()).hexdigest()
    url = f"https://github.com/ada-corp/demo/issues/{asked}"
    source = RequestSource(asked, url, digest, "ada", 7, f"label:{asked}", now)
    yield ConvoyOpened(
        issue=issue,
        convoy=name,
        slug=f"parts-{number}",
        title=f"Parts, the {number}th time",
        goal="Write all parts.\n" * 20,
        base="main",
        base_commit=_commit(issue),
        target="refs/heads/main",
        strategy="rebase",
        approval="required",
        planner="checklist",
        by="ada",
        request=source,
    )
    recorded = convoy_facts_of_plan(
        Board(taken=frozenset(taken)), issue, Plan("All parts", tasks), hash=digest, now=now
    )
    taken |= {name, *recorded.tasks}
    yield recorded
    yield Answered(issue, f"label:{asked}", asked, "label brat", "ada", 7, accepted=True, ts=now)
    yield from _effect(issue, f"sticky:{name}", asked)
    yield Answered(issue, f"comment:{asked}", asked, "/brat approve", "ada", 7, accepted=True, ts=now)
    yield PlanApproved(issue, digest, "ada", digest)
    yield from _effect(issue, f"react:comment:{asked}", 1)
    for offset, task in enumerate(recorded.issues):
        yield from _merged(task, f"parts-{number}", offset + 1, pull=asked + offset + 1, now=now)
    yield ConvoyCompleted(issue, _commit(f"{issue} end"))
    yield from _effect(issue, f"closing:{name}", asked + 1)
    yield from _effect(issue, f"told:{name}", 1)


def _merged(task: str, slug: str, number: int, *, pull: int, now: int) -> Iterator[Fact]:
    session, head, commit = f"s-{task[:16]}", _commit(f"{task} head"), _commit(f"{task} merge")
    branch, base = f"convoy/{slug}/task-{number}", _commit(f"{task} base")
    yield SessionStarted(task, session, Role.WITNESS, "work", 1, base, now + HOUR_MS, engine="codex")
    yield SessionEnded(
        issue=task,
        session=session,
        role=Role.WITNESS,
        purpose="work",
        finding=Finding.DONE,
        exit_code=0,
        ended_ts=now,
        usage=Usage(usd=0.4),
        head=head,
    )
    yield WorkPublished(task, session, branch, head, base, (f"src/part_{number}/code.py",))
    yield PullOpened(task, pull, f"https://github.com/ada-corp/demo/pull/{pull}", head)
    yield from _effect(task, f"check:{head}", pull)
    yield MergeStarted(task, 1, "rebase", base, head, commit, _commit(f"{task} tree"))
    yield MergeSucceeded(task, 1, "rebase", commit, base, ("build",))


def _effect(issue: str, key: str, left: int) -> Iterator[Fact]:
    yield EffectIntended(issue, key, "worker-1", HOUR_MS)
    yield EffectSeen(issue, key, left)


def _commit(seed: str) -> str:
    return hashlib.sha1(seed.encode(), usedforsecurity=False).hexdigest()
