"""Many writers, and writers that die: what was acknowledged is in the log, and the log goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from app.errors import UserError
from app.grite import CommentAdded, Draft, Log
from app.ports import wall_clock
from tests.grite.conftest import ISSUE, World, comment, git, said


def start(world: World, name: str, count: int, kill: str = "9999") -> subprocess.Popen[str]:
    command = [
        sys.executable,
        "-m",
        "tests.grite.writer",
        world.repo("repo"),
        world.root / "repo.state",
        name,
    ]
    return subprocess.Popen(
        [*map(str, command), str(count), kill],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )


def acknowledged(process: subprocess.Popen[str]) -> set[str]:
    return set(process.communicate()[0].splitlines())


def test_eight_processes_at_once_lose_nothing(world: World) -> None:
    world.repo("repo")
    writers = [start(world, f"w{n}", 10) for n in range(8)]
    told = set[str]().union(*map(acknowledged, writers))
    assert len(told) == 80
    log = world.log()
    assert sorted(said(log.read().events)) == sorted(told)
    assert log.verify() == ()


def test_threads_of_one_process_lose_nothing_and_share_commits(world: World) -> None:
    log, answers = world.log(), dict[str, str]()
    log.append([comment("first")])
    ready = threading.Barrier(16)

    def append(number: int) -> None:
        ready.wait()
        answers[f"t{number}"] = log.append([comment(f"t{number}")])

    threads = [threading.Thread(target=append, args=(number,)) for number in range(16)]
    with log.writing():
        for thread in threads:
            thread.start()
        while ready.n_waiting or len(log._pending._waiting) < 15:
            os.sched_yield()
    for thread in threads:
        thread.join()
    assert set(said(log.read().events)) == {"first", *answers}
    assert int(git(world.repo("repo"), "rev-list", "--count", "refs/grite/wal")) <= 3
    assert {event.ts for event in log.read().events} == set(range(world.now, world.now + 18))


def test_one_thread_s_bad_draft_does_not_fail_the_others(world: World) -> None:
    log = world.log()
    errors = list[UserError]()

    def append(text: str) -> None:
        try:
            log.append([comment(text)])
        except UserError as reason:
            errors.append(reason)

    threads = [threading.Thread(target=append, args=(text,)) for text in ("good", "bad \ud800", "better")]
    with log.writing():
        for thread in threads:
            thread.start()
        while len(log._pending._waiting) < 2:
            os.sched_yield()
    for thread in threads:
        thread.join()
    assert sorted(said(log.read().events)) == ["better", "good"]
    assert len(errors) == 1


STEPS = ["log.objects", "log.ref", "log.ref.settled"] * 3 + ["log.snapshot", "log.snapshot.pruned"]


@pytest.mark.parametrize("moment", ["", "-"])
@pytest.mark.parametrize("number", range(len(STEPS)), ids=lambda n: f"{n}-{STEPS[n]}")
def test_a_writer_killed_at_any_step_leaves_a_log_that_goes_on(
    world: World, number: int, moment: str
) -> None:
    told = acknowledged(start(world, "w", 3, f"{moment}{number}"))
    world.now = wall_clock()
    log = world.log(writer="next")
    present = said(log.read().events)
    assert told <= set(present)
    assert len(present) <= len(told) + 1
    log.append([comment("goes on")])
    assert said(world.log().read().events) == [*present, "goes on"]
    assert world.log().verify() == ()


def test_the_list_of_steps_above_is_the_truth(world: World) -> None:
    process = start(world, "w", 3, f"{len(STEPS)}")
    acknowledged(process)
    assert process.returncode == 0
    world.root = world.root / "again"
    process = start(world, "w", 3, f"{len(STEPS) - 1}")
    acknowledged(process)
    assert process.returncode == -signal.SIGKILL


def test_a_lock_file_of_a_dead_writer_is_cleared(world: World) -> None:
    log = world.log()
    log.append([comment("one")])
    lock = world.repo("repo") / "refs/grite/wal.lock"
    lock.touch()
    os.utime(lock, (0, 0))
    log.append([comment("two")])
    assert said(log.read().events) == ["one", "two"]
    assert not lock.exists()


def test_a_lock_file_of_a_living_writer_is_waited_for(world: World) -> None:
    log = world.log()
    log.append([comment("one")])
    lock = world.repo("repo") / "refs/grite/wal.lock"
    lock.touch()
    waiting = threading.Thread(target=log.append, args=([comment("two")],))
    waiting.start()
    waiting.join(0.2)
    before = said(Log.read(log).events)
    lock.unlink()
    waiting.join()
    assert before == ["one"]
    assert said(log.read().events) == ["one", "two"]


def test_half_written_objects_of_a_dead_writer_go_and_young_ones_stay(world: World) -> None:
    objects = world.repo("repo") / "objects"
    old, young = objects / "tmp_object_git2_old", objects / "tmp_obj_young"
    old.touch()
    young.touch()
    os.utime(old, (0, 0))
    world.log().append([Draft(ISSUE, CommentAdded("one"))])
    assert (old.exists(), young.exists()) == (False, True)
