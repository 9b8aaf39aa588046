"""What `brat doctor` mends: caches that are damaged are removed, and made again from the log when needed.

No ref is written and nothing that only exists here is deleted: a result that cannot be read is put aside.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.checkup import BAD, MENDED, OK, Check, guarded
from app.workspace import Mirror

if TYPE_CHECKING:
    from app.runner import LocalDispatch
    from app.wiring import Workshop

__all__ = ["mend_caches"]

_FSCK_SECONDS = 300.0


def mend_caches(workshop: Workshop) -> Iterator[Check]:
    """Look at each cache, remove what is damaged. Left alone while a process works on the repository."""
    if workshop.attended:
        yield Check("caches", OK, "in use by a running brat; they are looked at when it has ended")
        return
    before = len(found := list(_damaged(workshop)))
    yield from found
    if not before:
        yield Check("caches", OK, "mirror, sessions and journals are sound")


def _damaged(workshop: Workshop) -> Iterator[Check]:
    state = workshop.state
    yield from guarded("journals", lambda: _journals(workshop))
    yield from guarded("mirror", lambda: _mirror(Mirror(state, workshop.repository.common_dir)))
    yield from guarded("log.seen", lambda: _seen(state / "log.seen"))
    yield from guarded("sessions", lambda: _sessions(workshop.dispatch()))


def _journals(workshop: Workshop) -> Iterator[Check]:
    """An unfinished push or take-over is finished or undone, as the next run would do."""
    unfinished = [name for name in ("push.json", "takeover/journal.json") if (workshop.state / name).exists()]
    if unfinished:
        workshop.publisher().recover()
        yield Check("journals", MENDED, f"finished what a killed run left: {', '.join(unfinished)}")


def _mirror(mirror: Mirror) -> Iterator[Check]:
    place = mirror.repository
    if not place.exists():
        return
    reason = _unsound(place)
    if not reason:
        return
    gone = place.with_name("mirror.damaged")
    shutil.rmtree(gone, ignore_errors=True)
    with mirror.writing():
        place.rename(gone)
    shutil.rmtree(gone, ignore_errors=True)
    yield Check("mirror", MENDED, f"{place} was damaged ({reason}) and is removed; it is made again")


def _unsound(place: Path) -> str:
    """Why this is no sound bare repository; empty: it is one."""
    command = ["git", "-c", "safe.directory=*", f"--git-dir={place}", "fsck", "--full", "--no-progress"]
    try:
        told = subprocess.run(
            [*command, "--no-dangling", "--no-reflogs"],
            cwd="/",
            capture_output=True,
            timeout=_FSCK_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return ""
    if told.returncode == 0:
        return ""
    said = told.stderr.decode("utf-8", "replace").strip().splitlines() or ["git fsck failed"]
    return said[0][:120]


def _seen(file: Path) -> Iterator[Check]:
    try:
        text = file.read_text("utf-8").strip()
    except FileNotFoundError:
        return
    except UnicodeDecodeError:
        text = "?"
    if text and not (len(text) == 40 and set(text) <= set("0123456789abcdef")):
        file.unlink()
        yield Check("log.seen", MENDED, f"{file} was damaged and is removed; it is written again")


def _sessions(dispatch: LocalDispatch) -> Iterator[Check]:
    for draft in sorted((*dispatch.root.glob(".new-*"), *dispatch.root.glob(".gone-*"))):
        shutil.rmtree(draft, ignore_errors=True)
        yield Check("sessions", MENDED, f"removed {draft.name}, which a killed run left half made")
    for session in dispatch.sessions():
        folder = dispatch.folder(session)
        if not folder.path.is_dir():
            folder.path.unlink()
            yield Check("sessions", MENDED, f"removed {folder.path}, which is no session's folder")
        elif folder.result.exists() and not _readable(folder.result):
            aside = folder.result.with_name("result.damaged")
            folder.result.replace(aside)
            says = f"the result of {session} cannot be read and is put aside; its attempt counts as lost"
            yield Check("sessions", MENDED, says)
        elif not folder.spec.exists() and not folder.result.exists():
            yield from _empty(folder.path, session)


def _readable(file: Path) -> bool:
    with suppress(OSError, ValueError):
        return isinstance(json.loads(file.read_bytes()), dict)
    return False


def _empty(path: Path, session: str) -> Iterator[Check]:
    """A folder without its order would never start and never end."""
    shutil.rmtree(path, ignore_errors=True)
    if path.exists():
        yield Check("sessions", BAD, f"{path} cannot be removed", "remove that folder")
    else:
        yield Check("sessions", MENDED, f"removed the folder of {session}, which had lost its order")
