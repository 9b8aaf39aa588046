"""`witness run` and `refinery run`: one role each, in the foreground, any number safe."""

from __future__ import annotations

import json

from tests.cli.desk import Desk


def test_nothing_open_is_said(desk: Desk) -> None:
    for role in ("witness", "refinery"):
        answer = desk.brat(role, "run")
        assert answer.code == 0
        assert "No convoy is open here" in answer.out
        assert json.loads(desk.brat(role, "run", "--json").out)["end"] == "nothing-open"


def test_witness_works_and_refinery_lands_side_by_side(desk: Desk) -> None:
    desk.brat("mayor", "start", "--approve", "--task", "- [ ] First\n- [ ] Second\n  after: 1\n")
    with (
        desk.process("witness", "run", "--poll-interval", "200ms") as witness,
        desk.process("witness", "run") as other,
        desk.process("refinery", "run") as refinery,
    ):
        ends = [each.communicate()[0] for each in (witness, other, refinery)]
        assert [witness.returncode, other.returncode, refinery.returncode] == [0, 0, 0], ends
    assert sorted(file.name for file in desk.repo.glob("task-*.txt")) == ["task-1.txt", "task-2.txt"]
    assert desk.git("rev-list", "--count", "main") == "3"


def test_once_ends_when_nothing_changes_any_more(desk: Desk) -> None:
    desk.brat("mayor", "start", "--approve", "--task", "- [ ] First")
    assert desk.brat("refinery", "run", "--once").code in (0, 3)
    assert not (desk.repo / "task-1.txt").exists()


def test_a_poll_interval_that_is_no_duration_is_refused(desk: Desk) -> None:
    desk.brat("mayor", "start", "--approve", "--task", "- [ ] First")
    answer = desk.brat("witness", "run", "--poll-interval", "soon")
    assert answer.code == 2
    assert "--poll-interval" in answer.err
