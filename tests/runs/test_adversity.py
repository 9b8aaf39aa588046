"""The main run while something dies or refuses in its middle."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

import pytest

from app.control import End, Pass, Stop
from tests.runs.world import World

HANGS_ONCE = 'cat > /dev/null\necho up\nif [ "$BRAT_ATTEMPT" = 1 ]; then sleep 600; fi\necho 1 > task-1.txt\n'


def in_phase(world: World, phase: str, act: Callable[[str], None]) -> Callable[[Pass], None]:
    """Act once on the first session of task 1 that is seen in this phase."""
    done: list[str] = []

    def look(seen: Pass) -> None:
        for id, view in seen.seen.sessions.items():
            mine = any(each.id == id for each in seen.board.convoys[-1].tasks[0].sessions)
            if mine and not done and view.phase == phase and view.last_line == "up":
                done.append(id)
                act(id)

    return look


def test_engine_killed_is_tried_again_and_its_work_lands_once(world: World) -> None:
    world.plays("task-1", "cat > /dev/null\necho half > half.txt\nkill -9 $$\n", attempt=1)
    world.start()
    assert world.run() is End.LANDED
    world.expect_landed("First", "Second", "Third")
    assert [each.ended and each.ended.finding.value for each in world.works(1)] == ["crashed", "done"]
    assert "the engine was killed by signal 9" in world.prompt(1, attempt=2)
    assert "half.txt" not in world.files()


def test_runner_killed_is_noticed_and_its_task_tried_again(world: World) -> None:
    world.plays("task-1", HANGS_ONCE)
    world.start()

    def kill(session: str) -> None:
        os.kill(int(world.folder(session).pid.read_text()), signal.SIGKILL)

    assert world.run(on_look=in_phase(world, "engine", kill)) is End.LANDED
    world.expect_landed("First", "Second", "Third")
    assert [each.ended and each.ended.finding.value for each in world.works(1)] == ["crashed", "done"]


def test_stopped_run_ends_its_sessions_and_resumes(world: World) -> None:
    world.plays("task-1", HANGS_ONCE)
    world.start()
    stop = Stop()
    assert world.run(stop=stop, on_look=in_phase(world, "engine", lambda _: stop.ask())) is End.STOPPED
    assert not any(each.open for each in world.works(1))
    assert world.run() is End.LANDED
    world.expect_landed("First", "Second", "Third")


def test_refused_push_is_said_and_lands_once_the_way_is_free(world: World) -> None:
    world.start()
    lock = world.repo / ".git/refs/heads/convoy/three-parts/task-1.lock"
    lock.parent.mkdir(parents=True)
    lock.touch()
    assert world.run() is End.WAITING
    assert "task-1.lock" in world.told()
    blocked = world.task(1).blocked
    assert blocked is not None
    assert "cannot be pushed" in blocked.reason
    assert "delete the file it names" in blocked.unblock
    lock.unlink()
    assert world.run() is End.LANDED
    world.expect_landed("First", "Second", "Third")
    assert len(world.works(1)) == 1


def test_ref_locked_for_a_moment_by_another_git_is_waited_for(world: World) -> None:
    world.start()
    lock = world.repo / ".git/refs/heads/convoy/three-parts/task-1.lock"
    lock.parent.mkdir(parents=True)
    lock.touch()

    def let_go(seen: Pass) -> None:
        if any("task-1.lock" in each.reason for each in seen.refusals):
            lock.unlink(missing_ok=True)

    assert world.run(on_look=let_go) is End.LANDED
    world.expect_landed("First", "Second", "Third")


@pytest.mark.full
def test_target_that_cannot_be_moved_is_said_and_lands_later(world: World) -> None:
    world.start()
    lock = world.repo / ".git/refs/heads/convoy/three-parts/main.lock"
    lock.parent.mkdir(parents=True)
    lock.touch()
    assert world.run() is End.WAITING
    assert "convoy/three-parts/main cannot be moved" in world.told()
    lock.unlink()
    assert world.run() is End.LANDED
    world.expect_landed("First", "Second", "Third")
