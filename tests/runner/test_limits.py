"""A session ends at its limits, when it is asked to, and with everything that it started."""

from __future__ import annotations

import os
import signal

from app.ports import Done, Finding, Life, Limits, Refused
from tests.runner.conftest import Rig, all_end, processes_with, until


def test_wall_clock_ends_a_session(rig: Rig, isolation: str) -> None:
    result = rig.run("echo 1 > a; while :; do echo busy; sleep 0.1; done", limits=Limits(1_500, 60_000))
    assert (result.finding, result.error) == (Finding.TIMEOUT, "it was ended at its time limit")
    assert result.touched == ("a",), "unfinished work can be carried on"


def test_wall_clock_counts_for_checks_too(rig: Rig) -> None:
    result = rig.run("echo 1 > a", checks=("exec sleep 600", "true"), limits=Limits(2_500, 60_000))
    assert (result.finding, [each.exit_code for each in result.checks]) == (Finding.TIMEOUT, [None])


def test_wall_clock_counts_while_the_workspace_is_made(rig: Rig) -> None:
    """No engine is started for a session whose time is over, and no machine is blamed for it."""
    result = rig.run("echo 1 > a", checks=("true",), limits=Limits(1, 60_000))
    assert (result.finding, result.exit_code, result.checks) == (Finding.TIMEOUT, None, ())
    assert result.error == "it was ended at its time limit"


def test_engine_that_says_nothing_is_ended(rig: Rig, isolation: str) -> None:
    result = rig.run("echo begun; exec sleep 600", limits=Limits(60_000, 500))
    assert (result.finding, result.tail) == (Finding.SILENT, "begun\n")


def test_engine_that_says_too_much_is_ended(rig: Rig, isolation: str) -> None:
    limits = Limits(60_000, 60_000, output_bytes=100_000)
    assert rig.run("exec yes", limits=limits).finding is Finding.OUTPUT_LIMIT
    assert (rig.root / "session-0" / "output.log").stat().st_size < 1_000_000


def test_stopped_engine_may_clean_up(rig: Rig, isolation: str) -> None:
    script = f"trap 'echo cleaning; exit 0' TERM; echo 1 > a; echo go > {rig.signal}; sleep 600 & wait"
    dispatch, session = rig.start(script)
    assert rig.heard() == "go"
    assert dispatch.stop(session) == Done()
    result = rig.result(dispatch, session)
    assert (result.finding, result.tail) == (Finding.STOPPED, "cleaning\n")
    assert (result.exit_code, result.touched) == (0, ("a",))


def test_engine_that_ignores_the_request_is_killed(rig: Rig, isolation: str) -> None:
    script = f"trap '' TERM; echo go > {rig.signal}; while :; do sleep 1; done"
    dispatch, session = rig.start(script)
    rig.heard()
    dispatch.stop(session)
    assert rig.result(dispatch, session).finding is Finding.STOPPED


def test_session_that_is_stopped_as_soon_as_it_starts_ends_as_stopped(rig: Rig, isolation: str) -> None:
    dispatch, session = rig.start("exec sleep 600")
    # For a moment the kernel does not tell yet which program a process runs; then a stop is asked for again.
    until(lambda: dispatch.stop(session) == Done())
    assert rig.result(dispatch, session).finding is Finding.STOPPED


def test_what_the_engine_leaves_behind_ends_with_it(rig: Rig, isolation: str) -> None:
    """In a session of its own, where no signal to a process group finds it; and holding our pipes."""
    marker = f"{600 + os.getpid() / 1e7:.7f}"
    left = f"setsid sh -c 'echo 1 > started; exec sleep {marker}'"
    result = rig.run(f"{left} & until test -s started; do :; done")
    assert (result.finding, result.touched) == (Finding.DONE, ("started",))
    assert not processes_with(marker)


def test_killed_runner_takes_everything_along(rig: Rig, isolation: str) -> None:
    marker = f"{700 + os.getpid() / 1e7:.7f}"
    script = f"setsid sleep {marker} & sleep {marker} & echo go > {rig.signal}; wait"
    dispatch, session = rig.start(script)
    rig.heard()
    left = processes_with(marker)
    assert len(left) >= 2
    os.kill(int(dispatch.folder(session).pid.read_text()), signal.SIGKILL)
    assert all_end(left)
    assert rig.over(dispatch, session).life is Life.DEAD
    assert dispatch.folder(session).workspace.is_dir()
    dispatch.clean(session)
    assert not dispatch.folder(session).workspace.exists()


def test_nothing_but_a_running_session_can_be_stopped(rig: Rig) -> None:
    result = rig.run("echo 1 > a")
    dispatch = rig.dispatch()
    assert dispatch.stop(result.session) == Done()
    assert isinstance(dispatch.stop("never-started"), Refused)
