"""The one door to the git binary: clean environment, no hooks, bounded, errors in git's words."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import tempfile
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import field
from pathlib import Path

from app.errors import BratError, Moved, OperatorError, RepositoryError
from app.values import dataclass
from app.workspace.durable import disk_failure

__all__ = [
    "ALWAYS",
    "CLONE_S",
    "DURABLE",
    "Answer",
    "Git",
    "Overflow",
    "clear_half_packs",
    "failure",
    "quoted_words",
]

ALWAYS = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "advice.detachedHead=false",
    "core.quotePath=false",
)
# Nothing fsyncs loose objects by default; a power cut then leaves refs that point at empty files.
DURABLE = ("core.fsync=committed,loose-object,reference",)

_NETWORK = ("GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_ASKPASS", "GIT_PROXY_COMMAND")
_PERSON = ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM")
_ERROR_BYTES = 16 * 1024
CLONE_S = 3600.0
"""For a first fetch: it has all of the history, and git begins anew when it is cut off."""


class Overflow(Exception):
    """git said more than was allowed, or took longer: what it works on is not sane."""


@dataclass(frozen=True, slots=True)
class Answer:
    """How git ended: exit code, output as bytes, its words on stderr."""

    code: int
    out: bytes
    err: str

    @property
    def ok(self) -> bool:
        return self.code == 0

    @property
    def text(self) -> str:
        return self.out.decode("utf-8", "replace").strip()


@dataclass(frozen=True, slots=True)
class Git:
    """git in one place. `own`: a repository of ours, no configuration of the person or the machine is read.

    Without `own` it is the person's repository: their configuration counts (line ends, filters,
    credentials), their hooks, aliases and prompts do not. `git_dir` skips git's search; `memory`
    caps git's address space in bytes.
    """

    place: Path
    own: bool = False
    git_dir: Path | None = None
    config: tuple[str, ...] = ()
    timeout: float = 120.0
    memory: int | None = None
    variables: Mapping[str, str] = field(default_factory=dict)

    def run(
        self,
        *args: str,
        stdin: bytes = b"",
        variables: Mapping[str, str] | None = None,
        limit: int = 256 * 1024 * 1024,
        keep: tuple[int, ...] = (),
    ) -> Answer:
        """Run to the end. Raises `Overflow` past `limit` bytes or the timeout; never for an exit code."""
        with tempfile.TemporaryFile() as source:
            try:
                source.write(stdin)
                source.seek(0)
            except OSError as error:
                raise disk_failure(error, Path(tempfile.gettempdir())) from error
            return self.feed(source.fileno(), *args, variables=variables, limit=limit, keep=keep)

    def feed(
        self,
        source: int,
        *args: str,
        variables: Mapping[str, str] | None = None,
        limit: int = 256 * 1024 * 1024,
        keep: tuple[int, ...] = (),
    ) -> Answer:
        """As `run`, with an open file as input. Descriptors in `keep` stay open in git and all it starts."""
        with tempfile.TemporaryFile() as words:
            try:
                process = subprocess.Popen(
                    self._arguments(args),
                    stdin=source,
                    stdout=subprocess.PIPE,
                    stderr=words,
                    cwd=self.place,
                    env=self._environment(variables or {}),
                    start_new_session=True,
                    pass_fds=keep,
                )
            except FileNotFoundError as missing:
                raise _not_started(self.place) from missing
            if self.memory is not None:
                with suppress(ProcessLookupError):
                    resource.prlimit(process.pid, resource.RLIMIT_AS, (self.memory, self.memory))
            out, late = _collect(process, self.timeout, limit)
            if late:
                raise Overflow(f"git {args[0]} {late}")
            words.seek(0)
            return Answer(process.returncode, out, words.read(_ERROR_BYTES).decode("utf-8", "replace"))

    def text(self, *args: str, stdin: bytes = b"", variables: Mapping[str, str] | None = None) -> str:
        """The output, stripped. Raises what `failure` makes of any other end than 0."""
        answer = self.run(*args, stdin=stdin, variables=variables)
        if not answer.ok:
            raise failure(answer, place=str(self.place), doing=args[0])
        return answer.text

    def holds(self, *args: str) -> bool:
        """A question that git answers by its exit code: 0 is yes, all else is no."""
        return self.run(*args).ok

    def _arguments(self, args: tuple[str, ...]) -> list[str]:
        settings = (*ALWAYS, *self.config)
        return ["git", *(part for each in settings for part in ("-c", each)), *args]

    def _environment(self, more: Mapping[str, str]) -> dict[str, str]:
        wanted = () if self.own else (*_NETWORK, *_PERSON)
        kept = {k: v for k, v in os.environ.items() if not k.startswith("GIT_") or k in wanted}
        kept.update({"LC_ALL": "C", "LANGUAGE": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0"})
        kept.update({"GIT_EDITOR": ":", "GIT_PAGER": "cat"})
        if self.own:
            kept.update(
                {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_ATTR_NOSYSTEM": "1"}
            )
        if self.git_dir is not None:
            kept["GIT_DIR"] = str(self.git_dir)
        return {**kept, **self.variables, **more}


def _collect(process: subprocess.Popen[bytes], timeout: float, limit: int) -> tuple[bytes, str]:
    late = threading.Event()

    def end() -> None:
        late.set()
        _kill(process)

    timer = threading.Timer(timeout, end)
    timer.daemon = True
    timer.start()
    try:
        assert process.stdout is not None
        with process.stdout:
            out = process.stdout.read(limit + 1)
        if len(out) > limit:
            _kill(process)
        process.wait()
    except BaseException:
        _kill(process)
        process.wait()
        raise
    finally:
        timer.cancel()
    if late.is_set():
        return b"", f"took longer than {timeout:.0f} s"
    return out, f"said more than {limit} bytes" if len(out) > limit else ""


def _kill(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def clear_half_packs(repository: Path) -> None:
    """Removes what killed fetches left half written, as large as a repository each. Only under the lock of
    all who fetch into this one."""
    for left in (repository / "objects" / "pack").glob("tmp_*"):
        left.unlink(missing_ok=True)


def _not_started(place: Path) -> BratError:
    if not place.is_dir():
        return RepositoryError("there is no such folder", place=str(place), remedy="check the path")
    return OperatorError("git is not installed or not in PATH", remedy="install git 2.38 or newer")


def quoted_words(err: str, *, most: int = 600) -> str:
    """git's own words, without hints and empty lines, capped."""
    lines = [
        line.strip() for line in err.splitlines() if line.strip() and not line.startswith(("hint:", "To "))
    ]
    return "; ".join(lines)[:most] or "no reason given"


def failure(answer: Answer, *, place: str, doing: str) -> BratError:
    """Which branch of the error tree an unwelcome end of git belongs to."""
    words = quoted_words(answer.err)
    low = words.lower()
    reason = f"git {doing}: {words}"
    if "no space left" in low or "disk quota" in low:
        return OperatorError(reason, place=place, remedy="free space on this disk, then run again")
    if "dubious ownership" in low:
        return RepositoryError(
            "the repository belongs to another user",
            place=place,
            remedy=f"git config --global --add safe.directory {place}",
        )
    if "not a git repository" in low:
        return RepositoryError("this is not a git repository", place=place, remedy="git init")
    if "cannot lock ref" in low and ("but expected" in low or "already exists" in low):
        return Moved(reason, place=place)
    if "permission denied" in low or "read-only file system" in low:
        return OperatorError(reason, place=place, remedy="check who owns the folder and its permissions")
    return OperatorError(reason, place=place, remedy="run `git fsck` there to see whether it is sound")
