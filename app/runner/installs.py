"""Where a program lives: which folders a sandbox has to show so that it can run there."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from app.values import dataclass

__all__ = ["Install", "find_install", "python_install"]

SYSTEM_ROOTS = (Path("/usr"), Path("/bin"), Path("/sbin"), Path("/lib"))


@dataclass(frozen=True, slots=True)
class Install:
    """`program` is what to execute, `roots` what must be visible, `bins` what it looks up in PATH."""

    program: str
    roots: tuple[Path, ...]
    bins: tuple[str, ...] = ()


def python_install(prefix: Path, base: Path) -> Install:
    """The running Python: a virtual environment's folder and the installation behind it."""
    roots = tuple(dict.fromkeys((prefix, base, prefix.resolve(), base.resolve())))
    bins = tuple(str(each / "bin") for each in dict.fromkeys((prefix, base)))
    return Install(str(prefix / "bin" / "python"), roots, bins)


def find_install(command: str, path: str) -> Install | None:
    """The installation of an executable, given by name or path; None: there is none."""
    found = shutil.which(command, path=path)
    return _install(Path(found).absolute(), path, depth=0) if found else None


def _install(program: Path, path: str, *, depth: int) -> Install:
    real = program.resolve()
    if _venv(program):
        roots: tuple[Path, ...] = (program.parent.parent, *_python_prefix(real))
    else:
        # A symlink is followed, or Node would look for its modules beside the link.
        program = program if program.is_relative_to("/usr") or program.is_relative_to("/bin") else real
        roots = _roots(real)
    interpreter = _interpreter(real, path)
    if interpreter is None or depth > 2:
        return Install(str(program), roots)
    behind = _install(interpreter, path, depth=depth + 1)
    bins = (str(interpreter.parent), *behind.bins)
    return Install(str(program), (*roots, *behind.roots, interpreter), bins)


def _roots(real: Path) -> tuple[Path, ...]:
    if any(real.is_relative_to(each) for each in SYSTEM_ROOTS):
        return ()
    parts = real.parts
    if "node_modules" in parts:
        return (Path(*parts[: parts.index("node_modules") + 1]),)
    return _python_prefix(real) or (real,)


def _venv(program: Path) -> bool:
    return (program.parent.parent / "pyvenv.cfg").is_file()


def _python_prefix(real: Path) -> tuple[Path, ...]:
    """The installation of a Python executable, told by its library."""
    prefix = real.parent.parent
    named = real.parent.name == "bin" and re.fullmatch(r"python[\d.]*", real.name)
    return (prefix,) if named and any((prefix / "lib").glob("python3*")) else ()


def _interpreter(script: Path, path: str) -> Path | None:
    """What a script's first line names, `/usr/bin/env` looked through."""
    with script.open("rb") as file:
        line = file.readline(512)
    words = line[2:].decode("utf-8", "replace").split() if line.startswith(b"#!") else []
    if words and Path(words[0]).name == "env":
        named = next((each for each in words[1:] if not each.startswith("-")), "")
        found = shutil.which(named, path=path) if named else None
        return Path(found) if found else None
    return Path(words[0]) if words and Path(words[0]).exists() else None
