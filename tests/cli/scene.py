"""States that commands find: a recorded convoy, facts that a loop would have written, somebody else's log."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.board import Board, Convoy
from app.cli.recording import record_facts
from app.grite import Draft, Identity, IssueCreated, Log, new_issue
from app.ports import (
    Fact,
    Finding,
    HoldPlaced,
    Role,
    SessionEnded,
    SessionStarted,
    TaskBlocked,
    WorkPublished,
    wall_clock,
)
from app.wiring import Surroundings, Workshop, open_workshop
from tests.cli.desk import Answer, Desk, told

__all__ = [
    "CHAIN",
    "HEAD",
    "blocked",
    "board",
    "clone",
    "held",
    "judge",
    "opened",
    "proposed",
    "published",
    "shop",
    "words",
    "worked",
]

CHAIN = "Say who you are\n\n- [ ] First\n- [ ] Second\n  after: 1\n- [ ] Third\n"
HEAD = "abcdef0123456789abcdef0123456789abcdef01"


def words(answer: Answer, desk: Desk) -> str:
    """What was said, refusals too, without what changes from run to run."""
    text = told(answer.out + answer.err, desk)
    text = re.sub(r"\b(just now|\d+ (s|min|h) ago)", "WHEN", text)
    text = re.sub(r"^\d\d:\d\d:\d\d", "AT", text, flags=re.MULTILINE)
    text = re.sub(r"^\d{4}-\d\d-\d\d \(UTC\)", "DAY", text, flags=re.MULTILINE)
    return re.sub(r"\b(?=[0-9a-f]*[0-9])[0-9a-f]{8}\b", "SHORT", text)


def shop(desk: Desk) -> Workshop:
    return open_workshop(desk.repo, Surroundings(desk.environ, desk.home))


def board(desk: Desk) -> Board:
    return shop(desk).view()[0]


def opened(desk: Desk, request: str = CHAIN) -> Convoy:
    """A convoy that was asked for, with its plan approved; nothing runs."""
    assert desk.brat("mayor", "start", "--task", request).code == 0
    assert desk.brat("convoy", "approve").code == 0
    return board(desk).open_convoys[0]


def judge(desk: Desk, facts: Callable[[Convoy], tuple[Fact, ...]]) -> None:
    """Facts as the loop would have written them."""
    record_facts(shop(desk), lambda board: facts(board.convoys[0]))


def worked(desk: Desk, number: int, finding: Finding = Finding.DONE, **ended: Any) -> str:
    """A session of the task that has ended; its id."""
    session = f"s-20251121-000{number}"

    def facts(convoy: Convoy) -> tuple[Fact, ...]:
        task = convoy.task(number)
        assert task is not None
        started = SessionStarted(task.issue, session, Role.WITNESS, "work", 1, "b" * 40, 9, engine="shell")
        end = SessionEnded(task.issue, session, Role.WITNESS, "work", finding, 1, 8)
        return started, replace(end, **ended)

    judge(desk, facts)
    return session


def blocked(desk: Desk, number: int) -> None:
    """The task was given up."""

    def facts(convoy: Convoy) -> tuple[Fact, ...]:
        task = convoy.task(number)
        assert task is not None
        return (
            TaskBlocked(task.issue, "3 of 3 attempts failed, the last: silent", f"brat task retry {task.id}"),
        )

    judge(desk, facts)


def held(desk: Desk, number: int) -> None:
    """The task's work touches a protected path."""

    def facts(convoy: Convoy) -> tuple[Fact, ...]:
        task = convoy.task(number)
        assert task is not None
        return (HoldPlaced(task.issue, None, HEAD, "touches protected paths: .github/ci.yml"),)

    judge(desk, facts)


def published(desk: Desk, number: int) -> None:
    """The task's work is on its branch and waits to land."""
    session = worked(desk, number)
    base, branch = desk.git("rev-parse", "main"), f"convoy/say-who/task-{number}"
    desk.git("branch", branch, base)

    def facts(convoy: Convoy) -> tuple[Fact, ...]:
        task = convoy.task(number)
        assert task is not None
        return (WorkPublished(task.issue, session, branch, base, base, ()),)

    judge(desk, facts)


def proposed(desk: Desk, folder: Path, title: str, body: str = "") -> str:
    """Somebody with another key opens a task's issue in the same log; its id."""
    issue = new_issue()
    log = Log(desk.repo / ".git", identity=Identity.create(), state_dir=folder / "stranger", clock=wall_clock)
    log.append([Draft(issue, IssueCreated(title, body, ("type:task", "status:merged")))])
    return issue


def clone(desk: Desk, folder: Path) -> Desk:
    """Another person's clone, with the log and without the pin."""
    subprocess.run(["git", "clone", "--quiet", str(desk.repo), str(folder)], check=True)
    fetch = ["git", "fetch", "--quiet", "origin", "refs/grite/*:refs/grite/*"]
    subprocess.run(fetch, cwd=folder, check=True)
    return replace(desk, repo=folder)
