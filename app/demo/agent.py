"""The scripted agent of the demo, run by the engine `shell` in place of a coding agent. No model is asked.

It reads its prompt on standard input, finds its task and attempt in it, and makes the edits that
`script.toml` holds for that task. It imports nothing of brat, for in its sandbox there is none.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Asked", "asked_for", "edits", "main", "resolved"]

DATA = r"-----BEGIN DATA {} (?P<mark>\w+)-----\n(?P<text>.*?)\n-----END DATA {} (?P=mark)-----"
CONFLICT = re.compile(r"^<<<<<<< [^\n]*\n(.*?)^=======\n(.*?)^>>>>>>> [^\n]*\n", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a prompt asks for: the task's title, which attempt it is, and files with conflict markers.

    `repair`: the attempt's own earlier work is there already, and something was wrong with it.
    """

    title: str
    attempt: int
    conflicts: tuple[str, ...] = ()
    repair: bool = False


def asked_for(prompt: str) -> Asked:
    """Read a prompt as `app.prompts` writes it. Raises ValueError for any other text."""
    attempt = re.search(r"This is attempt (\d+)\.", prompt)
    task = _data("task", prompt)
    if attempt is None or not task:
        raise ValueError("this prompt names no task and attempt")
    marked = prompt.partition("hold conflict markers")[2]
    conflicts = tuple(_data("files", marked).splitlines()) if marked else ()
    return Asked(task.splitlines()[0].strip(), int(attempt[1]), conflicts, "# Earlier work" in prompt)


def edits(patch: str) -> Iterator[tuple[str, str]]:
    """The parts of a patch, each with the file it changes."""
    for part in re.split(r"(?m)^(?=diff --git )", patch):
        named = re.match(r"diff --git a/(\S+) ", part)
        if named:
            yield named[1], part


def resolved(text: str) -> str:
    """Both sides of every conflict, ours first, without the markers."""
    return CONFLICT.sub(lambda found: found[1] + found[2], text)


def main(argv: list[str]) -> int:
    """Play one session in the current directory; the exit code says whether it claims success."""
    parser = argparse.ArgumentParser(description="scripted agent of the demo")
    parser.add_argument("--parts", type=Path, required=True, help="folder with script.toml and the patches")
    parser.add_argument("--pace", type=float, default=0.0, help="seconds between two steps")
    options = parser.parse_args(argv)
    asked = asked_for(sys.stdin.read())
    played = tomllib.loads((options.parts / "script.toml").read_text("utf-8"))["task"]
    part = next((each for each in played if each["title"] == asked.title), None)
    if part is None:
        print(f"there is no script for the task {asked.title!r}", file=sys.stderr)
        return 1
    if asked.conflicts:
        _resolve(asked.conflicts, options.pace)
    else:
        dying = asked.attempt in part.get("dies", ())
        patch = part["repair"] if asked.repair and "repair" in part else part["work"]
        _edit((options.parts / patch).read_text("utf-8"), options.pace, dying=dying)
    _say("done", options.pace)
    return 0


def _edit(patch: str, pace: float, *, dying: bool) -> None:
    _say("reading the code", pace)
    for path, part in edits(patch):
        _say(f"editing {path}", pace)
        subprocess.run(["git", "apply", "--whitespace=nowarn", "-"], input=part.encode(), check=True)
        if dying:
            _say("as planned, this agent is killed now", pace)
            os.kill(os.getpid(), signal.SIGKILL)


def _resolve(paths: tuple[str, ...], pace: float) -> None:
    for path in paths:
        _say(f"keeping both sides of the conflict in {path}", pace)
        file = Path(path)
        file.write_text(resolved(file.read_text("utf-8")), "utf-8")


def _data(label: str, prompt: str) -> str:
    found = re.search(DATA.format(label, label), prompt, re.DOTALL)
    return found["text"] if found else ""


def _say(line: str, pace: float) -> None:
    """A pause after each line, so that a person can watch."""
    print(line, flush=True)
    threading.Event().wait(pace)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
