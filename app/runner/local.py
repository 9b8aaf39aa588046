"""Sessions on this machine: a folder and a detached process each, found again after any crash."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path

from app.errors import Defect
from app.ports import (
    Clock,
    Done,
    Life,
    Operator,
    Outcome,
    Refused,
    SessionResult,
    SessionSeen,
    SessionSpec,
    Step,
    Unknown,
    unnumbered,
    wall_clock,
)
from app.runner.bell import Bell
from app.runner.codec import decode, encode
from app.runner.folder import Folder, flush_folder, hold, is_held, share
from app.runner.output import read_last
from app.runner.watch import STOPPING

__all__ = ["LocalDispatch"]

RUNNER = (sys.executable, "-m", "app.runner")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


class LocalDispatch:
    """Implements `app.ports.Dispatch`. `root` holds one folder per session, named by its id.

    The lock on `alive` is taken here and handed to the runner over the fork, so that there is no moment in
    which a started session looks dead. The operator's keys go through a pipe. The runner inherits a shared
    lock on the file beside its repository (`mirror.git`, `mirror.use`), which gc needs alone.
    """

    def __init__(
        self,
        root: Path,
        *,
        operator: Operator,
        command: Sequence[str] = RUNNER,
        step: Step = unnumbered,
        clock: Clock = wall_clock,
    ) -> None:
        self.root = root.absolute()
        self.operator = operator
        self._command = tuple(command)
        self._step = step
        self._clock = clock
        self._children: set[int] = set()

    @cached_property
    def _bell(self) -> Bell:
        return Bell()

    def folder(self, session: str) -> Folder:
        """Where a session's files are; see `Folder` for their names."""
        if not NAME.fullmatch(session):
            raise Defect(f"not a session id: {session!r}")
        return Folder(self.root / session)

    def start(self, spec: SessionSpec) -> Outcome:
        """Start the session unless it was started before, also when it has ended or died since.

        Raises `OSError` where this machine cannot: another try is of use only after a person has helped.
        """
        if not NAME.fullmatch(spec.id):
            return Refused(f"not a session id: {spec.id!r}")
        folder = self.folder(spec.id)
        if not folder.path.is_dir():
            self._make(folder, spec)
        return self._spawn(folder, Path(spec.repository).with_suffix(".use"))

    def stop(self, session: str) -> Outcome:
        """Ask the runner to end its engine; the result follows within seconds."""
        folder = self.folder(session)
        if folder.result.exists():
            return Done()
        if not is_held(folder.alive):
            return Refused(f"session {session} does not run on this machine")
        try:
            pid = int(folder.pid.read_text("utf-8"))
            handle = os.pidfd_open(pid)
        except (OSError, ValueError):
            return Unknown(f"session {session} is just starting or ending")
        try:
            # The lock was held and the process with this number names the folder: it is the runner.
            if os.fsencode(folder.path) not in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0"):
                return Unknown(f"process {pid} is not the runner of session {session}")
            with self._step("dispatch.stop"):
                signal.pidfd_send_signal(handle, signal.SIGTERM)
        except OSError as gone:
            return Unknown(f"session {session} is ending: {gone.strerror}")
        finally:
            os.close(handle)
        return Done()

    def look(self, sessions: tuple[str, ...]) -> dict[str, SessionSeen]:
        """What this machine knows of each session."""
        self._reap()
        return {session: self._look(self.folder(session)) for session in sessions}

    def wait(self, seconds: float) -> None:
        """Until a session that was started here has its result, and no longer than this."""
        self._bell.wait(seconds)

    def clean(self, session: str) -> None:
        """Remove workspace and home of a session that is over; log and result stay."""
        folder = self.folder(session)
        if folder.path.is_dir() and not is_held(folder.alive):
            folder.sweep()

    def remove(self, session: str) -> None:
        """Forget a session that is over, and its bundle. Renamed away first, it is never seen half gone."""
        folder = self.folder(session)
        if not folder.path.is_dir() or is_held(folder.alive):
            return
        folder.sweep()
        gone = self.root / f".gone-{session}"
        shutil.rmtree(gone, ignore_errors=True)
        with self._step("dispatch.remove"):
            folder.path.rename(gone)
        shutil.rmtree(gone, ignore_errors=True)

    def sessions(self) -> tuple[str, ...]:
        """All sessions that have a folder here."""
        if not self.root.is_dir():
            return ()
        return tuple(sorted(each.name for each in self.root.iterdir() if NAME.fullmatch(each.name)))

    def _make(self, folder: Folder, spec: SessionSpec) -> None:
        """The folder appears whole or not at all; of two makers one wins."""
        self.root.mkdir(parents=True, exist_ok=True)
        draft = Folder(Path(tempfile.mkdtemp(prefix=".new-", dir=self.root)))
        try:
            draft.alive.touch(0o600)
            with draft.spec.open("w", encoding="utf-8") as file:
                file.write(encode(spec))
                file.flush()
                os.fsync(file.fileno())
            flush_folder(draft.path)
            with self._step("dispatch.make"), suppress(FileExistsError, OSError):
                draft.path.rename(folder.path)
            flush_folder(self.root)
        finally:
            shutil.rmtree(draft.path, ignore_errors=True)
        if not folder.path.is_dir():
            raise OSError(f"the folder {folder.path} could not be made")

    def _spawn(self, folder: Folder, borrowed: Path) -> Outcome:
        lock = hold(folder.alive)
        if lock is None:
            return Done()
        try:
            if folder.result.exists() or folder.pid.exists():
                return Done()
            with self._step("dispatch.spawn"):
                with share(borrowed) as shared:
                    process = self._run(folder, lock, self._bell.rope, shared)
                try:
                    folder.note(folder.pid, str(process.pid))
                except OSError:
                    process.kill()
                    process.communicate()
                    raise
        finally:
            os.close(lock)
        return self._lend(process)

    def _run(self, folder: Folder, lock: int, bell: int, *locks: int) -> subprocess.Popen[bytes]:
        with folder.diary.open("ab") as diary, _stop_waits():
            return subprocess.Popen(
                [*self._command, str(folder.path), str(lock), str(bell)],
                stdin=subprocess.PIPE,
                stdout=diary,
                stderr=diary,
                pass_fds=(lock, bell, *locks),
                start_new_session=True,
            )

    def _lend(self, process: subprocess.Popen[bytes]) -> Outcome:
        """Hand the keys over and let the process go: it is found again by its folder, not as a child."""
        assert process.stdin is not None
        self._children.add(process.pid)
        process.returncode = 0
        try:
            process.stdin.write(encode(self.operator).encode())
            process.stdin.close()
        except BrokenPipeError:
            return Unknown("the runner ended while it was started")
        return Done()

    def _look(self, folder: Folder) -> SessionSeen:
        result = _result(folder)
        if result is not None:
            return SessionSeen(Life.ENDED, "done", result.ended_ts, result=result)
        if not is_held(folder.alive):
            # Between the look for a result and the look at the lock it may have ended.
            result = _result(folder)
            if result is not None:
                return SessionSeen(Life.ENDED, "done", result.ended_ts, result=result)
            return SessionSeen(Life.DEAD if folder.pid.exists() else Life.ABSENT)
        last_ts, line = read_last(folder)
        with suppress(OSError):
            return SessionSeen(Life.ALIVE, folder.phase.read_text("utf-8"), last_ts, line)
        return SessionSeen(Life.ALIVE)

    def _reap(self) -> None:
        """Ended runners of this process would stay as zombies."""
        for pid in tuple(self._children):
            try:
                ended = os.waitpid(pid, os.WNOHANG)[0] == pid
            except ChildProcessError:
                ended = True
            if ended:
                self._children.discard(pid)


@contextmanager
def _stop_waits() -> Iterator[None]:
    """What is started inside is not ended by a request to stop that comes before it listens for one."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _result(folder: Folder) -> SessionResult | None:
    try:
        return decode(SessionResult, folder.result.read_bytes())
    except FileNotFoundError:
        return None
