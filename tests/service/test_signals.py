"""Ends of processes: asked for, asked for twice, and by force."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import httpx
import pytest

from app.service import HARD_EXIT
from tests.processes import all_end
from tests.service.conftest import Start
from tests.service.processes import BRAT, Process, loop_process
from tests.service.scene import Scene
from tests.webhooks.desk import headers

TREE = (sys.executable, "-m", "tests.service.tree")
BOTH = [signal.SIGTERM, signal.SIGINT]


@pytest.mark.parametrize("which", BOTH)
def test_web_process_ends_in_order(start: Start, which: signal.Signals) -> None:
    web = start((*BRAT, "serve"))
    web.address()
    web.signal(which)
    assert web.ended() == 0
    assert web.logged()[-1]["message"] == "ended"


@pytest.mark.parametrize("which", BOTH)
def test_worker_finishes_its_pass_and_leaves_nothing_locked(
    start: Start, scene: Scene, tmp_path: Path, which: signal.Signals
) -> None:
    hold = tmp_path / "data/hold"
    hold.touch()
    worker = start(loop_process(), FOUND="42")
    worker.wait_for("begins 42")
    worker.signal(which)
    worker.wait_for("stops")
    scene.wake(43)
    hold.unlink()
    assert worker.ended() == 0
    assert "ends 42" in worker.lines
    assert "begins 43" not in worker.lines
    assert scene.left("brat:lease", "arq:in-progress") == []


def test_second_signal_ends_a_worker_at_once(start: Start, tmp_path: Path) -> None:
    (tmp_path / "data/hold").touch()
    worker = start(loop_process(), FOUND="42")
    worker.wait_for("begins 42")
    worker.signal(signal.SIGTERM)
    worker.wait_for("stops")
    worker.signal(signal.SIGTERM)
    assert worker.ended() == HARD_EXIT
    assert "ends 42" not in worker.lines


def test_killed_workers_repository_is_taken_up_by_the_next(start: Start, tmp_path: Path) -> None:
    hold = tmp_path / "data/hold"
    hold.touch()
    killed = start(loop_process(), FOUND="42")
    killed.wait_for("begins 42")
    killed.signal(signal.SIGKILL)
    killed.ended()
    hold.unlink()
    start(loop_process(), FOUND="42").wait_for("ends 42")


def test_up_runs_everything_with_a_redis_of_its_own_and_ends_with_nothing_left(start: Start) -> None:
    tree = start(TREE, BRAT_REDIS_URL="", FOUND="42")
    tree.address()
    tree.wait_for("ends 42")
    children = _children(tree)
    assert len(children) == 3
    tree.signal(signal.SIGTERM)
    assert tree.ended() == 0
    assert all_end(children)


def test_tree_delivers_from_its_web_process_to_its_worker(start: Start) -> None:
    tree = start(TREE, BRAT_REDIS_URL="")
    body = b'{"repository": {"id": 42}, "installation": {"id": 3}}'
    heads = headers(body, event="push")
    assert httpx.post(f"{tree.address()}/webhooks/github", content=body, headers=heads).status_code == 202
    tree.wait_for("ends 42")


def test_child_that_is_killed_is_started_again(start: Start) -> None:
    tree = start(TREE, BRAT_REDIS_URL="", FOUND="42")
    tree.address()
    tree.wait_for("ends 42")
    for each in _children(tree):
        signal.pidfd_send_signal(each, signal.SIGKILL)
        os.close(each)
    tree.wait_for("listens on", times=2)
    tree.wait_for("ends 42", times=2)


def test_killed_tree_takes_its_children_along(start: Start) -> None:
    tree = start(TREE, BRAT_REDIS_URL="", FOUND="42")
    tree.address()
    tree.wait_for("ends 42")
    children = _children(tree)
    tree.signal(signal.SIGKILL)
    assert all_end(children)


def test_second_tree_over_the_same_data_is_refused(start: Start) -> None:
    start(TREE).address()
    second = start((*BRAT, "up"))
    assert second.ended() == 4
    assert "another brat up runs over this data" in "\n".join(second.lines)


def _children(tree: Process) -> list[int]:
    """Handles on them, which stay theirs."""
    pid = tree.child.pid
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [os.pidfd_open(int(each)) for each in found]
