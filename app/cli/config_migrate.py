"""The Rust tool's settings file rewritten, on paper or in place."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.call import Call
from app.config import migrate
from app.errors import OperatorError, UserError
from app.wiring import CONFIG_FILE

if TYPE_CHECKING:
    from app.ports import Step

__all__ = ["migrate_file"]


def migrate_file(call: Call, *, write: bool) -> None:
    """The new text on standard output, what changed on standard error; with `write` in place."""
    from app.ports import unnumbered
    from app.workspace import examine

    work_tree = examine(call.repo).work_tree
    path = work_tree / CONFIG_FILE if work_tree else None
    if path is None or not path.is_file():
        raise UserError(
            "there is no file to migrate", place=str(path or call.repo), remedy="brat init writes one"
        )
    text = path.read_text("utf-8", "replace")
    migration = migrate(text, place=CONFIG_FILE)
    changed = migration.text != text
    if write and changed:
        _replace(path, migration.text, call.surroundings.step if call.surroundings else unnumbered)
    if call.json:
        told = {
            "text": migration.text,
            "notes": list(migration.notes),
            "changed": changed,
            "written": write and changed,
        }
        call.answer({"migration": told})
        return
    if not changed:
        call.say(f"{CONFIG_FILE} has nothing to migrate.")
        return
    if not write:
        sys.stdout.write(migration.text)
    for note in migration.notes:
        print(note, file=sys.stderr)
    if write:
        call.say(f"Wrote {CONFIG_FILE}, the old one is beside it as .bak. Commit it: only then it counts.")
    else:
        print(f"-> brat config migrate --write replaces {CONFIG_FILE}", file=sys.stderr)


def _replace(path: Path, text: str, step: Step) -> None:
    """The old file is kept first; at no moment is there none, or half of one."""
    try:
        with step("config.backup"):
            _durably(path.with_name(f"{path.name}.bak"), path.read_bytes())
        with step("config.write"):
            _durably(path, text.encode())
    except OSError as error:
        reason = f"cannot be written: {(error.strerror or 'unknown reason').lower()}"
        raise OperatorError(reason, place=str(path), remedy="check permissions and disk") from None


def _durably(path: Path, data: bytes) -> None:
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    with fresh.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
