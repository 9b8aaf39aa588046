"""Which parts of the host a sandbox shows, read-only: programs and libraries, nothing private."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from app.ports import Operator
from app.runner.installs import Install, find_install, python_install
from app.values import dataclass

__all__ = ["View", "synthetic_etc", "system_arguments", "view"]

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store")
# Names under /etc that programs need to start or to check a certificate; passwd and its like are made up.
ETC = (
    *("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "ssl", "pki", "ca-certificates", "ca-certificates.conf"),
    *("alternatives", "localtime", "timezone", "mime.types", "magic", "java-17-openjdk", "java-21-openjdk"),
)
MADE_UP = {
    "passwd": "root:x:0:0:root:/:/usr/sbin/nologin\nagent:x:1000:1000:agent:/home/agent:/bin/sh\n",
    "group": "root:x:0:\nagent:x:1000:\n",
    "hosts": "127.0.0.1 localhost brat\n::1 localhost\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
}


@dataclass(frozen=True, slots=True)
class View:
    """Host paths shown at the same place inside, and the directories of PATH."""

    read_only: tuple[Path, ...]
    path: tuple[str, ...]


def view(operator: Operator, engine: tuple[Install, ...]) -> View:
    """The running Python, git, the engine's installation and what the operator adds."""
    python = python_install(Path(sys.prefix), Path(sys.base_prefix))
    git = find_install("git", os.environ.get("PATH", os.defpath))
    installs = [python, *engine, *([git] if git else [])]
    shown = [Path(each) for each in operator.read_only]
    shown += [root for each in installs for root in each.roots]
    bins = [*operator.path, *(each for install in installs for each in install.bins)]
    bins += ["/usr/local/bin", "/usr/bin", "/bin"]
    shown += [Path(each) for each in operator.path]
    return View(tuple(_outermost(shown)), tuple(dict.fromkeys(bins)))


def system_arguments(view: View, etc: Path, *, network: bool) -> list[str]:
    """bwrap's arguments that show the host."""
    arguments: list[str] = []
    for name in SYSTEM:
        path = Path(name)
        if path.is_symlink():
            arguments += ["--symlink", str(path.readlink()), name]
        elif path.is_dir():
            arguments += ["--ro-bind", name, name]
    for name in ETC:
        arguments += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    if network:
        resolver = Path("/etc/resolv.conf")
        arguments += ["--ro-bind-try", str(resolver.resolve()), str(resolver)]
    for name in MADE_UP:
        arguments += ["--ro-bind", str(etc / name), f"/etc/{name}"]
    for each in view.read_only:
        arguments += ["--ro-bind", str(each), str(each)]
    return arguments


def synthetic_etc(folder: Path) -> None:
    """Write the made-up files of /etc."""
    folder.mkdir(exist_ok=True)
    for name, text in MADE_UP.items():
        (folder / name).write_text(text, "utf-8")


def _outermost(paths: list[Path]) -> Iterator[Path]:
    """Existing paths that no other one and no system folder contains, outer ones first."""
    done: list[Path] = [Path(name) for name in SYSTEM]
    for path in sorted(set(paths), key=lambda each: len(each.parts)):
        if path.exists() and not any(path.is_relative_to(each) for each in done):
            done.append(path)
            yield path
