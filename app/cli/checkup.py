"""The checks of `brat doctor`: each looks at one thing and says what it found; none raises."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.progress import one_line
from app.errors import BratError
from app.values import dataclass

if TYPE_CHECKING:
    from app.config import Config
    from app.ports import Operator
    from app.wiring import Workshop

__all__ = ["BAD", "MENDED", "NOTE", "OK", "Check", "check_machine", "check_records", "guarded"]

OK = "ok"
NOTE = "note"
MENDED = "mended"
BAD = "bad"
"""`note`: worth knowing, nothing is wrong. `mended`: was wrong, and is right now."""

_LITTLE = 1024**3
_TOO_LITTLE = 100 * 1024**2
_VERSION_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Check:
    """What one look found; `remedy` where something is to be done."""

    name: str
    state: str
    says: str
    remedy: str = ""


def guarded(name: str, look: Callable[[], Iterable[Check]]) -> list[Check]:
    """What `look` found; an expected failure is a finding like any other."""
    try:
        return list(look())
    except BratError as error:
        where = f"{error.place}: " if error.place else ""
        return [Check(name, BAD, f"{where}{error.reason}", error.remedy or "")]
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return [
            Check(name, BAD, f"{where}{error.strerror or error}", "make it readable and writable for you")
        ]


def check_machine(workshop: Workshop) -> Iterator[Check]:
    """git, repository, sandbox, engines with their keys, disk: in the order in which a run needs them."""
    repository = workshop.repository
    version = ".".join(map(str, repository.git_version))
    yield Check("git", OK, version)
    where = repository.work_tree or repository.common_dir
    base = repository.base.removeprefix("refs/heads/")
    yield Check("repository", OK, f"{where}, base {base} at {repository.head[:12]}")
    yield from guarded("isolation", lambda: _isolation(workshop))
    yield from guarded("settings", lambda: _settings(workshop))
    yield from guarded("engines", lambda: _engines(workshop))
    yield from guarded("disk", lambda: _disk(workshop.state))


def check_records(workshop: Workshop) -> Iterator[Check]:
    """The log, whose decisions count, and what is recorded but does not go on."""
    yield from guarded("log", lambda: _log(workshop))
    yield from guarded("pins", lambda: _pins(workshop))
    yield from guarded("board", lambda: _board(workshop))
    yield from guarded("locks", lambda: _locks(workshop))


def _isolation(workshop: Workshop) -> Iterator[Check]:
    kind = workshop.isolation()
    if kind == "process":
        remedy = f"remove [sandbox] isolation from {workshop.settings.place}"
        yield Check("isolation", NOTE, "process (UNSAFE): agents run with all your rights", remedy)
    else:
        yield Check("isolation", OK, f"{kind} works")


def _settings(workshop: Workshop) -> Iterator[Check]:
    config = workshop.config.at(workshop.repository.base)
    uncommitted = workshop.config.uncommitted
    if uncommitted is not None:
        yield Check("settings", NOTE, f"{uncommitted} is not committed", "git add it and commit")
    else:
        yield Check("settings", OK, config.place)
    for lowered in config.lowered:
        yield Check("settings", NOTE, f"lowered {lowered}")
    if not config.refinery.checks:
        says = "no [[refinery.check]]: what lands is checked by acceptance commands only"
        yield Check("settings", NOTE, says, "brat init proposes one for a project without settings")


def _engines(workshop: Workshop) -> Iterator[Check]:
    """Those that the settings use have to be ready; of the others it is said whether they are."""
    from app.config import ENGINES

    config = workshop.config.at(workshop.repository.base)
    used = _used(config)
    for type in (*used, *(each for each in ENGINES if each not in used)):
        yield _engine(workshop, type, used=type in used)


def _used(config: Config) -> tuple[str, ...]:
    kinds = ("default", *(kind for kind, _ in config.engines))
    chosen = (config.planner_engine().type, *(config.engine_for(kind).type for kind in kinds))
    return tuple(dict.fromkeys(chosen))


def _engine(workshop: Workshop, type: str, *, used: bool) -> Check:
    from app.ports import EngineCall
    from app.runner import find_agent
    from app.settings import key_variable, lend

    name, settings = f"engine {type}", workshop.settings
    try:
        isolation = "process" if settings.sandbox.isolation == "process" else "bwrap"
        environ = workshop.surroundings.environ
        operator = lend(settings, environ, engines=(type,), isolation=isolation)
        agent = find_agent(EngineCall(type, None, ""), operator)
    except BratError as error:
        return Check(name, BAD if used else NOTE, error.reason, error.remedy or "" if used else "")
    key = key_variable(settings.engine(type))
    told = [agent.install.program]
    told += [version] if type != "shell" and (version := _version(agent.install.program, operator)) else []
    told += [f"key in {key}"] if key and operator.engine(type).key else []
    return Check(name, OK, ", ".join(told))


def _version(program: str, operator: Operator) -> str:
    """What `--version` says, in a home of its own so that nothing of the person's is touched."""
    import os

    path = ":".join([*operator.path, os.environ.get("PATH", os.defpath)])
    with tempfile.TemporaryDirectory(prefix="brat-doctor-") as home:
        try:
            told = subprocess.run(
                [program, "--version"],
                env={"PATH": path, "HOME": home, "LANG": "C.UTF-8"},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_VERSION_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return "its version cannot be told"
    lines = told.stdout.decode("utf-8", "replace").splitlines()
    return one_line(next((each for each in lines if each.strip()), ""))[:60]


def _disk(state: Path) -> Iterator[Check]:
    folder = next(each for each in (state, *state.parents) if each.is_dir())
    free = shutil.disk_usage(folder).free
    says = f"{free / _LITTLE:.1f} GB free at {folder}"
    if free < _TOO_LITTLE:
        yield Check("disk", BAD, says, "make room: sessions cannot write their work")
    else:
        yield Check("disk", NOTE if free < _LITTLE else OK, says)


def _log(workshop: Workshop) -> Iterator[Check]:
    log = workshop.log()
    found = log.verify()
    for finding in found:
        yield Check("log", BAD, f"{finding.place}: {finding.problem}", finding.remedy)
    if not found:
        count = len(log.read().events)
        yield Check("log", OK, f"{count} events, every one verified" if count else "empty")


def _pins(workshop: Workshop) -> Iterator[Check]:
    pinned = workshop.pins.load()
    board, trusted = workshop.view()
    if pinned:
        yield Check("pins", OK, f"decisions of {', '.join(sorted(each[:8] for each in pinned))} count here")
    elif board.signers and not trusted:
        signers = ", ".join(each[:8] for each in board.signers)
        says = f"nothing is pinned: the state is shown, signed by {signers}, and nobody acts on it"
        yield Check("pins", NOTE, says, f"brat log --pin {board.signers[0][:8]}")
    else:
        yield Check("pins", OK, "none needed yet")


def _board(workshop: Workshop) -> Iterator[Check]:
    from app.board import open_sessions

    board, _ = workshop.view()
    for problem in board.problems:
        yield Check("board", NOTE, f"{problem.issue[:8]}: {problem.what}: {problem.outcome}")
    running = [session.id for _, session in open_sessions(board)]
    if running and not workshop.attended:
        says = f"{len(running)} sessions are recorded as running, and no brat process watches them"
        yield Check("sessions", NOTE, f"{says}: {', '.join(running[:5])}", "brat mayor resume")
    waiting = [convoy.slug for convoy in board.open_convoys]
    if waiting and not workshop.attended:
        yield Check("board", NOTE, f"open, and nobody works on it: {', '.join(waiting)}", "brat mayor resume")
    if not board.problems:
        yield Check("board", OK, f"{len(board.convoys)} convoys, {len(waiting)} open")


def _locks(workshop: Workshop) -> Iterator[Check]:
    """git's lock files on what a run moves; one that no git holds stays for ever."""
    common = workshop.repository.common_dir
    names = [common / "packed-refs.lock", *common.glob("refs/grite/**/*.lock")]
    names += list(common.glob("refs/heads/convoy/**/*.lock"))
    if workshop.repository.work_tree is not None:
        names.append(workshop.repository.git_dir / "index.lock")
    found = [each for each in names if each.exists()]
    for each in found:
        yield Check("locks", BAD, f"{each} is there", "if no git command runs, delete that file")
    if not found:
        yield Check("locks", OK, "no git lock is left over")
