"""`brat init`: a first settings file, made from what the project shows."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast, get_args

import typer

from app.cli.call import call_of

if TYPE_CHECKING:
    from app.config import EngineType
    from app.wiring import Workshop

__all__ = ["init"]

_MOST_BYTES = 1024 * 1024


def init(
    context: typer.Context,
    engine: Annotated[str | None, typer.Option("--engine", help="The engine for all work.")] = None,
) -> None:
    """Write .brat/config.toml with checks proposed from the project's own files; never overwrites."""
    from app.config import DEFAULT_ENGINE, propose_checks, starter
    from app.errors import UserError
    from app.wiring import CONFIG_FILE

    call = call_of(context)
    workshop = call.workshop()
    top = workshop.repository.work_tree
    if top is None:
        raise UserError(
            "a bare repository has no working tree to write into",
            place=str(workshop.repository.common_dir),
            remedy=f"write {CONFIG_FILE} in a clone and push it",
        )
    chosen = _engine(engine or DEFAULT_ENGINE, workshop.settings.allow_engines)
    checks = propose_checks(_paths(top), lambda name: _text(top / name))
    file = top / CONFIG_FILE
    _write_new(file, starter(checks, engine=chosen))
    steps = _next_steps(workshop, chosen, CONFIG_FILE)
    if call.json:
        proposed = [{"name": each.name, "run": each.run} for each in checks]
        call.answer({"file": str(file), "engine": chosen, "checks": proposed, "next": steps})
        return
    call.say(f"Wrote {CONFIG_FILE} (engine: {chosen}).")
    for each in checks:
        call.say(f"Check before landing, from the project's files: {each.name} ({each.run})")
    if not checks:
        call.say("No check was found in the project's files: nothing is checked until you name one there.")
    call.say("Next:")
    for step in steps:
        call.say(f"  {step}")


def _engine(name: str, allowed: tuple[str, ...]) -> EngineType:
    from app.config import ENGINES, EngineType, nearest
    from app.errors import UserError

    known = next((each for each in get_args(EngineType) if each == name), None)
    if known is not None and name in (allowed or ENGINES):
        return cast("EngineType", known)
    near = nearest(name, allowed or ENGINES)
    said = f"; did you mean {near}?" if near else ""
    raise UserError(
        f"there is no engine {name!r} here{said}",
        place="--engine",
        remedy=f"one of: {', '.join(allowed or ENGINES)}",
    )


def _paths(top: Path) -> list[str]:
    """Files that git knows or would add."""
    told = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=top,
        capture_output=True,
        check=False,
    )
    return [os.fsdecode(each) for each in told.stdout.split(b"\0") if each]


def _text(file: Path) -> str | None:
    """A file's text, never through a symlink and never a large one."""
    try:
        if file.is_symlink() or file.stat().st_size > _MOST_BYTES:
            return None
        return file.read_text("utf-8", "replace")
    except OSError:
        return None


def _write_new(file: Path, text: str) -> None:
    """Whole or not at all, and never over a file that is there."""
    from app.errors import OperatorError, UserError

    draft = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        file.parent.mkdir(exist_ok=True)
        with draft.open("x", encoding="utf-8") as handle:
            handle.write(text)
            handle.flush()
            os.fsync(handle.fileno())
        os.link(draft, file)
    except FileExistsError:
        raise UserError(
            "is there already, and is left as it is",
            place=str(file),
            remedy="`brat config check` says whether it is right; remove it to begin anew",
        ) from None
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise OperatorError(
            f"cannot be written: {reason}",
            place=str(file),
            remedy="make room, or get the right to write there",
        ) from None
    finally:
        draft.unlink(missing_ok=True)


def _next_steps(workshop: Workshop, engine: str, file: str) -> list[str]:
    """Commands in the order in which they help."""
    from app.settings import key_variable

    steps = [f"git add {file} && git commit -m 'Configure brat'"]
    settings = workshop.settings.engine(engine)
    key = key_variable(settings)
    if key and not workshop.surroundings.environ.get(key):
        steps.append(
            f"export {key}=...   (or set key_env under [engines.{engine}] in {workshop.settings.place})"
        )
    if engine == "shell" and not settings.command:
        steps.append(f"set command under [engines.shell] in {workshop.settings.place}")
    return [*steps, "brat doctor", 'brat mayor start --task "..."']
