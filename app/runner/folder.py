"""A session's folder: which file is what, and how it is written so that a crash leaves all or nothing."""

from __future__ import annotations

import contextlib
import fcntl
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from app.values import dataclass

__all__ = ["Folder", "flush_folder", "hold", "is_held", "share", "store"]


@dataclass(frozen=True, slots=True)
class Folder:
    """`alive` is locked by the runner for its whole life; `result.json` is written last."""

    path: Path

    @property
    def spec(self) -> Path:
        return self.path / "spec.json"

    @property
    def alive(self) -> Path:
        return self.path / "alive"

    @property
    def pid(self) -> Path:
        return self.path / "pid"

    @property
    def phase(self) -> Path:
        return self.path / "phase"

    @property
    def last(self) -> Path:
        """When the engine last said something (ms since the epoch), and its last line, for people."""
        return self.path / "last"

    @property
    def log(self) -> Path:
        return self.path / "output.log"

    @property
    def diary(self) -> Path:
        """What the runner itself has to say."""
        return self.path / "runner.log"

    @property
    def workspace(self) -> Path:
        return self.path / "workspace"

    @property
    def home(self) -> Path:
        return self.path / "home"

    @property
    def temp(self) -> Path:
        return self.path / "tmp"

    @property
    def etc(self) -> Path:
        return self.path / "etc"

    @property
    def socket(self) -> Path:
        return self.path / "gateway.sock"

    @property
    def calls(self) -> Path:
        """One line for each request that went through the gateway."""
        return self.path / "gateway.jsonl"

    @property
    def bundle(self) -> Path:
        return self.path / "result.bundle"

    @property
    def result(self) -> Path:
        return self.path / "result.json"

    def note(self, path: Path, text: str) -> None:
        """A small file for readers at any time: whole, but not safe against power loss."""
        draft = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            draft.write_text(text, "utf-8")
            draft.replace(path)
        except OSError:
            draft.unlink(missing_ok=True)
            raise

    def sweep(self) -> None:
        """Remove what the agent had, however deep and however locked. Symlinks are not followed."""
        for each in (self.workspace, self.home, self.temp, self.etc):
            if not each.is_symlink() and each.is_dir():
                subprocess.run(["chmod", "-R", "u+rwX", "--", each], capture_output=True, check=False)
            subprocess.run(["rm", "-rf", "--", each], capture_output=True, check=False)
        self.socket.unlink(missing_ok=True)


def store(path: Path, data: bytes) -> None:
    """Write `path` so that after a crash it is there whole or not at all."""
    handle, draft = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(draft).replace(path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
    flush_folder(path.parent)


def flush_folder(path: Path) -> None:
    """Make the names in a folder durable."""
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def hold(path: Path) -> int | None:
    """Lock the file for this process and those that inherit the descriptor; None: somebody else holds it."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return None
    return handle


@contextlib.contextmanager
def share(path: Path) -> Iterator[int]:
    """A shared lock on the file, for the block and for a child that inherits the descriptor."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_SH)
        yield handle
    finally:
        os.close(handle)


def is_held(path: Path) -> bool:
    """Whether a living process holds the lock."""
    with contextlib.suppress(FileNotFoundError):
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(handle)
    return False
