"""One command inside the sandbox, watched until nothing of it is left: limits, stop, output."""

from __future__ import annotations

import os
import selectors
import signal
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import field
from enum import StrEnum
from types import FrameType

from app.errors import OperatorError
from app.runner.isolation import Child, Command, Io, Sandbox
from app.values import dataclass

__all__ = ["STOPPING", "Bounds", "End", "Ran", "Stop", "run"]

GRACE_S = 5.0
# Unread output of a killed command is at most what pipes hold, so this is never reached unless a pipe leaks.
DRAIN_S = 5.0
# After so much silence `say` is called with nothing, so that it can pass on what it held back.
TELL_S = 0.5
CHUNK = 65536
PIPES = Io()
STOPPING = (signal.SIGTERM, signal.SIGINT)
"""What asks a session to end."""


class End(StrEnum):
    """Why a command ended. Whoever ended it is remembered: a killed engine may exit with 0."""

    EXITED = "exited"
    TIMEOUT = "timeout"
    SILENT = "silent"
    OUTPUT_LIMIT = "output-limit"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Ran:
    end: End
    exit_code: int
    stdout: bytes
    stderr: bytes

    @property
    def ok(self) -> bool:
        return self.end is End.EXITED and self.exit_code == 0


class Stop:
    """Whether the session was asked to end; SIGTERM sets it and wakes the watcher."""

    def __init__(self) -> None:
        self.asked = False
        self._ours, self._theirs = socket.socketpair()

    def fileno(self) -> int:
        return self._ours.fileno()

    def ask(self) -> None:
        if not self.asked:
            self.asked = True
            self._theirs.send(b".")

    def on_signal(self) -> None:
        """Let SIGTERM and SIGINT of this process ask, also those that waited. Main thread only."""

        def handle(number: int, frame: FrameType | None) -> None:
            self.ask()

        for each in STOPPING:
            signal.signal(each, handle)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPPING)


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits of one command. `deadline` is in seconds of the monotonic clock, `idle` in seconds, None: none.

    `say` is called with each piece of output and answers False when there was too much of it; `keep` is how
    many bytes of each stream's end are kept in memory; `stop` None: not to be stopped.
    """

    deadline: float
    idle: float | None = None
    keep: int = 8 * 1024 * 1024
    stop: Stop | None = None
    say: Callable[[bytes], bool] = field(default=lambda piece: True)


def run(sandbox: Sandbox, command: Command, bounds: Bounds, *, io: Io = PIPES) -> Ran:
    """Run to the end. Raises `OperatorError` when the sandbox cannot be set up."""
    return _Watch(sandbox.start(command, io), bounds).until_gone()


class _Watch:
    def __init__(self, child: Child, bounds: Bounds) -> None:
        self.child = child
        self.bounds = bounds
        self.end: End | None = None
        self.heard = time.monotonic()
        self.ending: float | None = None
        self.untold = False
        self.kept = {"stdout": bytearray(), "stderr": bytearray()}
        self.exit_handle = os.pidfd_open(child.process.pid)
        self.waiting = self._register()

    def _register(self) -> selectors.BaseSelector:
        waiting = selectors.DefaultSelector()
        for name in self.kept:
            stream = getattr(self.child.process, name)
            if stream is not None:
                os.set_blocking(stream.fileno(), False)
                waiting.register(stream, selectors.EVENT_READ, name)
        waiting.register(self.exit_handle, selectors.EVENT_READ, "exit")
        if self.bounds.stop is not None and not self.bounds.stop.asked:
            waiting.register(self.bounds.stop, selectors.EVENT_READ, "stop")
        return waiting

    def until_gone(self) -> Ran:
        try:
            while not self._step():
                pass
        except BaseException:
            self.child.kill()
            raise
        finally:
            self.waiting.unregister(self.exit_handle)
            os.close(self.exit_handle)
        try:
            code = self.child.settle()
        except OperatorError as wrong:
            self._drain()
            said = self._end_of("stderr").decode("utf-8", "replace").strip()
            raise OperatorError(f"{wrong.reason}: {said}", place="sandbox", remedy=wrong.remedy) from wrong
        self._drain()
        return Ran(self.end or End.EXITED, code, self._end_of("stdout"), self._end_of("stderr"))

    def _step(self) -> bool:
        """Wait for the next thing that happens. True: the command is over."""
        self._judge(time.monotonic())
        wait = max(0.0, self._next() - time.monotonic())
        over = False
        ready = self.waiting.select(min(wait, TELL_S) if self.untold else wait)
        if not ready and self.untold:
            self.untold = False
            self.bounds.say(b"")
        for key, _ in ready:
            if key.data == "exit":
                over = True
            elif key.data == "stop":
                self.waiting.unregister(key.fileobj)
            else:
                self._read(key)
        return over

    def _next(self) -> float:
        if self.ending is not None:
            return self.ending + GRACE_S
        idle = self.bounds.idle
        return min(self.bounds.deadline, self.heard + idle) if idle is not None else self.bounds.deadline

    def _judge(self, now: float) -> None:
        if self.ending is not None:
            if now >= self.ending + GRACE_S:
                self.child.kill()
                self.ending = now
            return
        if self.bounds.stop is not None and self.bounds.stop.asked:
            self._finish(End.STOPPED)
        elif now >= self.bounds.deadline:
            self._finish(End.TIMEOUT)
        elif self.bounds.idle is not None and now >= self.heard + self.bounds.idle:
            self._finish(End.SILENT)

    def _finish(self, end: End) -> None:
        self.end = end
        self.ending = time.monotonic()
        self.child.terminate()

    def _read(self, key: selectors.SelectorKey) -> bool:
        try:
            piece = os.read(key.fd, CHUNK)
        except BlockingIOError:
            return True
        if not piece:
            self.waiting.unregister(key.fileobj)
            return False
        self.heard = time.monotonic()
        self.untold = True
        kept = self.kept[key.data]
        kept += piece
        if len(kept) > 2 * self.bounds.keep:
            del kept[: -self.bounds.keep]
        if not self.bounds.say(piece) and self.ending is None:
            self._finish(End.OUTPUT_LIMIT)
        return True

    def _end_of(self, name: str) -> bytes:
        return bytes(self.kept[name][-self.bounds.keep :])

    def _drain(self) -> None:
        """Read what is left in the pipes and close them."""
        until = time.monotonic() + DRAIN_S
        for key in [each for each in self.waiting.get_map().values() if each.data in self.kept]:
            while time.monotonic() < until and self._select_one(key) and self._read(key):
                pass
        self.waiting.close()
        for name in self.kept:
            stream = getattr(self.child.process, name)
            if stream is not None:
                with suppress(OSError):
                    stream.close()

    @staticmethod
    def _select_one(key: selectors.SelectorKey) -> bool:
        with selectors.DefaultSelector() as one:
            one.register(key.fd, selectors.EVENT_READ)
            return bool(one.select(0.5))
