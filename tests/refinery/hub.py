"""A code host as the Refinery sees it: one published task, its pull request, checks and trees."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Any

from app import refinery
from app.config import Config
from app.ports import (
    BranchRules,
    CheckSeen,
    CheckState,
    Decision,
    Finding,
    HubSeen,
    IssueSeen,
    Landing,
    LandingKey,
    Person,
    PlannedTask,
    PullSeen,
    PullState,
    RequiredCheck,
    Role,
    Seen,
    SessionEnded,
    SessionStarted,
    WorkPublished,
)
from tests.book import BASE, Book

ADA = Person(7, "ada")
OURS = Person(99, "brat[bot]", bot=True, ours=True)
S1, HEAD, LANDED, ACTIONS = "s-20260101-0001", "b" * 40, "c" * 40, 15368
BRANCH = "convoy/jwt/task-1"
RULES = BranchRules("main", (RequiredCheck("build", ACTIONS),), 0, False, False, False, False, False)
GREEN = CheckSeen("build", CheckState.SUCCESS, ACTIONS, 11, 5, 1, 2)
PULL = PullSeen(
    3,
    "https://hub/pull/3",
    "Do one thing",
    "",
    PullState.OPEN,
    True,
    HEAD,
    BRANCH,
    "main",
    mergeable=True,
    behind=False,
    conversations=0,
    changed_lines=3,
)
KEY = LandingKey(LANDED, HEAD, BASE)
SAID = MappingProxyType({"pull:3": 1, f"check:{HEAD}": 77})
"""What is put on the pull request before it lands."""
MERGED = replace(PULL, state=PullState.MERGED, merge_commit=LANDED, ended_by=OURS)


def published(*tasks: PlannedTask, target: str = "base") -> Book:
    """A book whose first task has its work on its branch."""
    book = Book()
    book.open(*tasks, target=target)
    issue = book.board().convoys[0].tasks[0].issue
    book.write(SessionStarted(issue, S1, Role.WITNESS, "work", 1, BASE, book.now + 60_000, "shell"))
    end = SessionEnded(issue, S1, Role.WITNESS, "work", Finding.DONE, 0, 9, head=HEAD)
    book.write(end, WorkPublished(issue, S1, BRANCH, HEAD, BASE, ("a.py",)))
    return book


def hub(*pulls: PullSeen, checks: tuple[CheckSeen, ...] = (GREEN,), **more: Any) -> HubSeen:
    """The host with these pull requests; `main` requires `build` of Actions."""
    issue = IssueSeen(1, "https://hub/issues/1", "Use JWT", "", ADA, True)
    usual: dict[str, Any] = {
        "app": 42,
        "issues": MappingProxyType({1: issue}),
        "pulls": MappingProxyType({each.number: each for each in pulls}),
        "checks": MappingProxyType({HEAD: checks}),
        "rules": MappingProxyType({"main": RULES}),
        "workflows": MappingProxyType({BASE: ()}),
        "owners": MappingProxyType({BASE: ""}),
        "done": SAID,
    }
    return HubSeen(**{**usual, **more})


def look(book: Book, seen: HubSeen, config: Config | None = None, **world: Any) -> Decision:
    """What the Refinery decides; `refs` are added to `main` and the task's branch."""
    refs = {"refs/heads/main": BASE, f"refs/heads/{BRANCH}": HEAD, **world.pop("refs", {})}
    trees = world.pop("landing", None)
    landings = world.pop("landings", {KEY: Landing(*trees)} if trees else {})
    view = Seen(
        refs=MappingProxyType({name: head for name, head in refs.items() if head}),
        hub=seen,
        landings=MappingProxyType(landings),
        **world,
    )
    return refinery.decide(book.look(view, config=config, hosted=True, process="p1"))


def settle(book: Book, seen: HubSeen, **world: Any) -> Decision:
    """Facts go into the log until none follow; the last decision."""
    for _ in range(9):
        decision = look(book, seen, **world)
        if not decision.facts:
            return decision
        book.write(*decision.facts)
    raise AssertionError("facts follow from facts without end")
