"""Somebody who can push writes decisions into the log: they are shown, and decide nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from app.board import write_json_block
from app.control import End, Pass
from app.grite import (
    CommentAdded,
    DependencyAdded,
    Draft,
    Identity,
    IssueCreated,
    IssueId,
    Kind,
    LabelAdded,
    LabelRemoved,
    Log,
    StateChanged,
)
from tests.runs.world import World

TWO = "Greet\n- [ ] First\n- [ ] Second\n  after: 1\n"


class Stranger:
    """Another clone's identity, with the right to push the log's ref."""

    def __init__(self, world: World) -> None:
        self.world = world
        state = world.root / "stranger"
        self.log = Log(
            world.repo / ".git", identity=Identity.create(), state_dir=state, clock=world.surroundings().clock
        )

    def says(self, issue: str, *kinds: Kind) -> None:
        self.log.append([Draft(IssueId(issue), kind) for kind in kinds])

    def decides(self, issue: str, fact: str, **values: Any) -> None:
        self.says(issue, CommentAdded(write_json_block({"fact": fact, **values})))


def lies(world: World) -> Iterator[tuple[str, Kind]]:
    """Every kind of decision, as events on a convoy and its tasks."""
    convoy = world.convoy
    first, second = convoy.tasks
    assert convoy.plan is not None
    head = convoy.base_commit
    blocks: list[tuple[str, dict[str, Any]]] = []
    blocks += [(convoy.issue, {"fact": "PlanApproved", "hash": convoy.plan.hash, "by": "Eve"})]
    blocks += [
        (convoy.issue, {"fact": "ConvoyCancelled", "by": "Eve"}),
        (convoy.issue, {"fact": "ConvoyPaused", "by": "Eve"}),
    ]
    blocks += [(convoy.issue, {"fact": "ConvoyCompleted", "head": head})]
    blocks += [
        (first.issue, {"fact": "TaskDropped", "by": "Eve"}),
        (first.issue, {"fact": "TaskRetried", "by": "Eve"}),
    ]
    blocks += [
        (first.issue, {"fact": "HoldPlaced", "session": None, "head": None, "reason": "mine", "paths": []})
    ]
    blocks += [(first.issue, {"fact": "TaskBlocked", "reason": "no", "unblock": "pay"})]
    work: dict[str, Any] = {
        "session": "s-1",
        "branch": f"convoy/{convoy.slug}/task-2",
        "head": head,
        "base": head,
        "touched": [],
    }
    blocks += [(second.issue, {"fact": "WorkPublished", **work, "strayed": []})]
    for issue, values in blocks:
        yield issue, CommentAdded(write_json_block(values))
    merged = {"result": "succeeded", "attempt": 1, "strategy": "rebase", "merge_commit": head, "base": head}
    lines = "\n".join(f"{key} = {json.dumps(value)}" for key, value in merged.items())
    yield second.issue, CommentAdded(f"[merge]\n{lines}\n[/merge]")
    for issue in (first.issue, second.issue):
        yield issue, LabelAdded("status:merged")
        yield issue, LabelRemoved("status:queued")
        yield issue, StateChanged("closed")
    yield first.issue, DependencyAdded(IssueId(second.issue), "depends_on")


def test_t20_decisions_of_a_stranger_change_nothing(world: World) -> None:
    world.start(TWO, approval="required")
    stranger = Stranger(world)
    for issue, kind in lies(world):
        stranger.says(issue, kind)
    assert world.run() is End.WAITING
    assert world.convoy.approved_by is None
    assert not any(world.works(each.number) for each in world.convoy.tasks)
    assert [each.status.value for each in world.convoy.tasks] == ["queued", "queued"]
    assert world.convoy.status.value == "active"
    assert world.landed() == ()


def test_t13_t20_lies_and_a_rewind_during_a_run_end_like_none(world: World) -> None:
    world.start(TWO)
    stranger, began = Stranger(world), world.board().head
    done: list[str] = []

    def look(seen: Pass) -> None:
        published = any(task.work for task in seen.board.convoys[-1].tasks)
        if not done:
            done.append("lied")
            for issue, kind in lies(world):
                stranger.says(issue, kind)
            proposal = IssueCreated(
                "Give me keys", "please", ("type:task", f"convoy:{world.convoy.id}", "status:merged")
            )
            stranger.says("ab" * 16, proposal)
        elif published and len(done) == 1:
            done.append("rewound")
            world.git("update-ref", "refs/grite/wal", str(began))

    assert world.run(on_look=look) is End.LANDED, world.told()
    assert done == ["lied", "rewound"]
    assert world.landed() == ("First", "Second")
    assert [each.status.value for each in world.convoy.tasks] == ["merged", "merged"]
    assert [len(world.works(number)) for number in (1, 2)] == [1, 1]
    assert [each.title for each in world.board().proposals] == ["Give me keys"]
    assert world.workshop().log().read().rewound is None


def test_t20_unsigned_log_of_another_tool_is_there_first(world: World) -> None:
    log = Log(
        world.repo / ".git",
        identity=Identity.create(),
        state_dir=world.root / "stranger",
        clock=world.surroundings().clock,
    )
    open_ = IssueCreated(
        "Their convoy", "Goal: all", ("type:convoy", "convoy:c-20260101-0000", "status:active")
    )
    log.append([Draft(IssueId("cd" * 16), open_)])
    world.start("Greet\n- [ ] First\n")
    assert world.run() is End.LANDED, world.told()
    assert [each.title for each in world.board().convoys] == ["Greet"]
