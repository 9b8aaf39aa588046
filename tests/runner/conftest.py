"""A bare repository, and sessions run on it by the real dispatch in real processes."""

from __future__ import annotations

import fcntl
import os
import select
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from app.ports import (
    CheckSpec,
    Done,
    EngineCall,
    EngineSetup,
    Limits,
    Operator,
    Role,
    SessionResult,
    SessionSeen,
    SessionSpec,
)
from app.runner import LocalDispatch

BRANCH = "convoy/greet/task-1"


def git(folder: Path, *arguments: str, stdin: str = "") -> str:
    ran = subprocess.run(
        ["git", "-C", folder, *arguments], input=stdin, capture_output=True, text=True, check=True
    )
    return ran.stdout.strip()


@dataclass
class Repository:
    """A bare repository with one commit, and a checkout to make more."""

    bare: Path
    checkout: Path

    def commit(self, files: dict[str, str], *, onto: str | None = None) -> str:
        if onto is not None:
            git(self.checkout, "checkout", "--quiet", "--detach", onto)
        for name, text in files.items():
            path = self.checkout / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        git(self.checkout, "add", "--all", "--force")
        git(self.checkout, "commit", "--quiet", "--message=work")
        head = git(self.checkout, "rev-parse", "HEAD")
        git(self.checkout, "push", "--quiet", "--force", str(self.bare), f"HEAD:refs/heads/at-{head[:8]}")
        return head

    def unbundled(self, bundle: Path) -> str:
        """Fetch a session's bundle; answers the head of its branch."""
        git(self.bare, "fetch", "--quiet", str(bundle), f"refs/heads/{BRANCH}")
        return git(self.bare, "rev-parse", "FETCH_HEAD")

    def subjects(self, base: str, head: str) -> list[str]:
        return git(self.bare, "log", "--format=%s", f"{base}..{head}").splitlines()

    def log(self, head: str) -> str:
        return git(self.bare, "log", "-1", "--format=%an%n%B", head)

    def show(self, what: str) -> str:
        return git(self.bare, "show", what)


@dataclass
class Rig:
    """Runs agents that are shell scripts. `signal` is a pipe by which agent and test wait for each other."""

    root: Path
    repository: Repository
    base: str
    operator: Operator
    signal: Path
    started: list[str] = field(default_factory=list)

    def spec(self, **changed: Any) -> SessionSpec:
        plain = SessionSpec(
            id=f"session-{len(self.started)}",
            role=Role.WITNESS,
            attempt=1,
            repository=str(self.repository.bare),
            base=self.base,
            branch=BRANCH,
            limits=Limits(wall_ms=60_000, idle_ms=60_000),
            engine=EngineCall("shell", None, "Write a greeting."),
            subject="Greet the world",
            trailers=(("Brat-Convoy", "greet"), ("Brat-Task", "task-1")),
        )
        return replace(plain, **changed)

    def dispatch(self, script: str = "", **operator: Any) -> LocalDispatch:
        shell = EngineSetup("shell", command=("/bin/sh", "-c", script))
        lent = replace(self.operator, **{"engines": (shell,), **operator})
        return LocalDispatch(self.root, operator=lent)

    def start(self, script: str, **changed: Any) -> tuple[LocalDispatch, str]:
        spec = self.spec(**changed)
        self.started.append(spec.id)
        dispatch = self.dispatch(script)
        assert dispatch.start(spec) == Done()
        return dispatch, spec.id

    def run(
        self, script: str, *, checks: tuple[str, ...] = (), specs: tuple[CheckSpec, ...] = (), **changed: Any
    ) -> SessionResult:
        """A whole session, to its result."""
        named = tuple(CheckSpec(f"check-{number}", run) for number, run in enumerate(checks, 1))
        dispatch, session = self.start(script, checks=named + specs, **changed)
        return self.result(dispatch, session)

    def result(self, dispatch: LocalDispatch, session: str) -> SessionResult:
        seen = self.over(dispatch, session)
        diary = dispatch.folder(session).diary.read_text()
        assert seen.result is not None, diary
        assert "Traceback" not in diary, diary
        return seen.result

    def over(self, dispatch: LocalDispatch, session: str) -> SessionSeen:
        """Wait for the runner's end, by its lock, and look."""
        with dispatch.folder(session).alive.open("rb") as alive:
            fcntl.flock(alive, fcntl.LOCK_SH)
        return dispatch.look((session,))[session]

    def heard(self) -> str:
        """Wait for what an agent writes to the signal pipe."""
        with self.signal.open() as pipe:
            return pipe.read().strip()


def until(condition: Callable[[], bool]) -> None:
    """Ask again and again; fails after 20 s."""
    for _ in range(1000):
        if condition():
            return
        select.select([], [], [], 0.02)
    raise AssertionError("it never came to be")


def processes_with(marker: str) -> list[int]:
    """Open handles (pidfds) on the living processes whose arguments hold the marker."""
    handles = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and int(entry.name) != os.getpid():
            with suppress(OSError):
                if marker.encode() in (entry / "cmdline").read_bytes():
                    handles.append(os.pidfd_open(int(entry.name)))
    return handles


def all_end(handles: list[int]) -> bool:
    """Whether all these processes end."""
    ended = [bool(select.select([each], [], [], 20)[0]) for each in handles]
    for each in handles:
        os.close(each)
    return all(ended)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    bare, checkout = tmp_path / "mirror.git", tmp_path / "checkout"
    for arguments in (["init", "--quiet", "--bare", str(bare)], ["init", "--quiet", str(checkout)]):
        subprocess.run(["git", *arguments], check=True)
    return Repository(bare, checkout)


@pytest.fixture(params=["bwrap", "process"])
def isolation(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def rig(tmp_path: Path, repository: Repository, request: pytest.FixtureRequest) -> Iterator[Rig]:
    """Under bwrap, unless the test asks for `isolation`."""
    chosen = request.getfixturevalue("isolation") if "isolation" in request.fixturenames else "bwrap"
    base = repository.commit({"README": "hello\n"})
    lent = tmp_path / "lent"
    lent.mkdir()
    os.mkfifo(lent / "signal")
    operator = Operator(isolation=chosen, read_only=(str(lent),))
    rig = Rig(tmp_path / "sessions", repository, base, operator, lent / "signal")
    yield rig
    left = processes_with(str(rig.root))
    assert not left, "a session left processes behind"
