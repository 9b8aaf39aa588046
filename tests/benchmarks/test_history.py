"""The log that idle passes are measured on is one that brat itself would have written."""

from __future__ import annotations

from pathlib import Path

import pygit2

from app.board import ConvoyStatus, TaskStatus, fold
from app.grite import Identity, Log
from benchmarks.history import ClockOfThePast, write_history

NOW = 1_700_000_000_000


def test_everything_in_it_has_landed_and_nothing_is_wrong_with_it(tmp_path: Path) -> None:
    pygit2.init_repository(str(tmp_path / "repo"), bare=True)
    clock = ClockOfThePast(NOW)
    identity = Identity.ensure(tmp_path / "identity.json")
    log = Log(tmp_path / "repo", identity=identity, state_dir=tmp_path / "state", clock=clock)
    written = write_history(log, clock, events=300)
    board = fold(log.read().events, trusted=lambda _: True)
    assert written >= 300
    assert len(log.read().events) >= written
    assert board.problems == ()
    assert board.convoys
    assert board.moving == ()
    assert {each.status for each in board.convoys} == {ConvoyStatus.COMPLETE}
    assert {task.status for each in board.convoys for task in each.tasks} == {TaskStatus.MERGED}
    assert all(board.ledger.ref(f"told:{each.id}") for each in board.convoys)
    assert (clock.now, board.last_ts < NOW) == (NOW, True)
