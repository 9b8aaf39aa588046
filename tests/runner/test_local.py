"""Sessions on this machine: started once, found again by their folder."""

from __future__ import annotations

import json
import os
import stat
from contextlib import AbstractContextManager, nullcontext

import pytest

from app.ports import Done, EngineSetup, Finding, Life, Refused, SessionSpec
from app.runner import LocalDispatch, decode
from app.runner.folder import hold
from tests.runner.conftest import Rig, all_end, processes_with, until


class Crash(BaseException):
    """The process dies here."""


def test_second_start_does_nothing(rig: Rig) -> None:
    dispatch, session = rig.start(f"echo go > {rig.signal}; read end < {rig.signal}; echo x >> a")
    rig.heard()
    pid = dispatch.folder(session).pid.read_text()
    assert dispatch.start(rig.spec(id=session)) == Done()
    assert dispatch.folder(session).pid.read_text() == pid
    rig.signal.write_text("end\n")
    assert rig.result(dispatch, session).finding is Finding.DONE
    assert dispatch.start(rig.spec(id=session)) == Done()
    assert dispatch.look((session,))[session].life is Life.ENDED


def test_running_session_shows_phase_and_last_line(rig: Rig) -> None:
    script = f"echo one; printf '\\033[1mtwo\\033[0m\\n'; read a < {rig.signal}"
    dispatch, session = rig.start(script)
    until(lambda: dispatch.look((session,))[session].last_line == "two")
    seen = dispatch.look((session,))[session]
    assert (seen.life, seen.phase) == (Life.ALIVE, "engine")
    assert seen.last_output_ts is not None
    rig.signal.write_text("on\n")
    assert rig.result(dispatch, session).finding is Finding.NO_CHANGE


def test_whoever_waits_is_woken_by_a_session_that_ends(rig: Rig) -> None:
    dispatch, session = rig.start("echo x > a")
    # Longer than any test may take: only being woken ends it in time.
    dispatch.wait(3600)
    assert dispatch.look((session,))[session].life is Life.ENDED
    assert all_end(processes_with(str(rig.root)))


def test_unknown_session_is_absent(rig: Rig) -> None:
    assert rig.dispatch().look(("nobody",))["nobody"].life is Life.ABSENT


@pytest.mark.parametrize("name", ["../evil", "", ".hidden", "a/b", "x" * 200])
def test_id_that_is_no_name_is_refused(rig: Rig, name: str) -> None:
    assert isinstance(rig.dispatch().start(rig.spec(id=name)), Refused)


@pytest.mark.parametrize("at", ["dispatch.make", "dispatch.spawn"])
def test_start_that_died_half_way_is_done_by_the_next(rig: Rig, at: str) -> None:
    def dying(name: str) -> AbstractContextManager[None]:
        if name == at:
            raise Crash
        return nullcontext()

    shell = EngineSetup("shell", command=("/bin/sh", "-c", "echo 1 > a"))
    dispatch = LocalDispatch(rig.root, operator=rig.dispatch("echo 1 > a").operator, step=dying)
    assert shell in dispatch.operator.engines
    with pytest.raises(Crash):
        dispatch.start(rig.spec())
    assert rig.dispatch().look(("session-0",))["session-0"].life is Life.ABSENT
    assert rig.run("echo 1 > a").finding is Finding.DONE


def test_runner_that_cannot_even_start_is_dead_and_not_started_for_ever(rig: Rig) -> None:
    dispatch = LocalDispatch(rig.root, operator=rig.operator, command=("false",))
    dispatch.start(rig.spec())
    assert rig.over(dispatch, "session-0").life is Life.DEAD
    dispatch.start(rig.spec())
    assert rig.over(dispatch, "session-0").life is Life.DEAD


def test_ended_session_keeps_its_result_and_not_its_workspace(rig: Rig) -> None:
    result = rig.run("mkdir -p deep/er; echo 1 > deep/er/a; chmod 000 deep/er; ln -s /etc link")
    folder = rig.dispatch().folder(result.session)
    kept = {each.name for each in folder.path.iterdir()}
    assert kept >= {"result.json", "result.bundle", "output.log", "spec.json"}
    assert not kept & {"workspace", "home", "tmp", "gateway.sock"}


def test_removed_session_is_forgotten(rig: Rig) -> None:
    result = rig.run("echo 1 > a")
    dispatch = rig.dispatch()
    assert dispatch.sessions() == (result.session,)
    dispatch.remove(result.session)
    assert dispatch.sessions() == ()
    assert dispatch.look((result.session,))[result.session].life is Life.ABSENT
    assert list(rig.root.iterdir()) == []


def test_folder_holds_the_spec_and_no_key(rig: Rig) -> None:
    spec = rig.spec()
    key = "sk-canary-0123456789abcdef"
    shell = EngineSetup("shell", ("/bin/sh", "-c", "echo 1 > a"), base_url="http://127.0.0.1:9", key=key)
    dispatch = rig.dispatch(engines=(shell,))
    dispatch.start(spec)
    assert rig.result(dispatch, spec.id).finding is Finding.DONE
    folder = dispatch.folder(spec.id)
    assert decode(SessionSpec, folder.spec.read_text()) == spec
    assert json.loads(folder.spec.read_text())["engine"]["prompt"] == "Write a greeting."
    for path in folder.path.rglob("*"):
        assert not path.is_file() or key.encode() not in path.read_bytes()
    assert stat.S_IMODE(folder.path.stat().st_mode) == 0o700


def test_a_session_holds_what_it_borrows_from_until_its_end(rig: Rig) -> None:
    borrowed = rig.repository.bare.with_suffix(".use")
    dispatch, session = rig.start(f"echo up > {rig.signal}; read end < {rig.signal}; echo 1 > a")
    assert rig.heard() == "up"
    assert hold(borrowed) is None
    rig.signal.write_text("end\n")
    assert rig.result(dispatch, session).finding is Finding.DONE
    handle = hold(borrowed)
    assert handle is not None
    os.close(handle)
