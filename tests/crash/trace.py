"""What strace saw of a run: which durable effects happened outside of every step."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["COMMAND", "Trace", "effects_outside"]

COMMAND = (
    *("strace", "-f", "-qq", "--seccomp-bpf", "--decode-pids=pidns", "-s", "4096", "-e", "signal=none", "-e"),
    "trace=rename,renameat,renameat2,link,linkat,chdir,execve,clone,clone3,fork,vfork",
    "-o",
)
_CALL = re.compile(r"^(\d+) +(\w+)\((.*)$")
_RESUMED = re.compile(r"^(\d+) +<\.\.\. (\w+) resumed>(.*)$")
_BIRTH = re.compile(
    r"^(\d+) +(?:<\.\.\. )?(?:clone3?|v?fork)\b.*= (\d+)(?: /\* (\d+) in strace's PID NS \*/)?$"
)
_TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"')


@dataclass
class _Process:
    """One traced task: where it is, what it opened, and who made it."""

    parent: _Process | None
    folder: Path
    steps: list[str] = field(default_factory=list)
    sandboxed: bool = False

    def lineage(self) -> Iterator[_Process]:
        yield self
        if self.parent is not None:
            yield from self.parent.lineage()

    @property
    def inside(self) -> bool:
        """Whether it is in a sandbox, where nothing durable of ours can be reached."""
        return any(each.sandboxed for each in self.lineage())

    @property
    def step(self) -> str | None:
        return next((each.steps[-1] for each in self.lineage() if each.steps), None)


@dataclass
class Trace:
    """The lines of a trace, replayed in order. A child may be seen before the call that made it returns."""

    start: Path
    durable: re.Pattern[str]
    outside: list[str] = field(default_factory=list)
    inside: set[str] = field(default_factory=set)
    _makers: dict[str, str] = field(default_factory=dict)
    _tasks: dict[str, _Process] = field(default_factory=dict)
    _begun: dict[str, str] = field(default_factory=dict)

    def replay(self, lines: list[str]) -> None:
        born = [found for line in lines if (found := _BIRTH.match(line))]
        self._makers = {found[3] or found[2]: found[1] for found in born}
        for line in lines:
            if resumed := _RESUMED.match(line):
                self._call(resumed[1], resumed[2], self._begun.pop(resumed[1], "") + resumed[3])
            elif call := _CALL.match(line):
                if call[3].endswith("<unfinished ...>"):
                    self._begun[call[1]] = call[3].removesuffix("<unfinished ...>")
                else:
                    self._call(call[1], call[2], call[3])

    def _task(self, pid: str) -> _Process:
        if pid not in self._tasks:
            maker = self._makers.get(pid)
            parent = self._task(maker) if maker is not None else None
            self._tasks[pid] = _Process(parent, parent.folder if parent else self.start)
        return self._tasks[pid]

    def _call(self, pid: str, name: str, rest: str) -> None:
        task = self._task(pid)
        texts = [each.encode().decode("unicode_escape") for each in _TEXT.findall(rest)]
        if name in ("rename", "renameat", "renameat2", "link", "linkat"):
            self._moved(task, texts, rest)
        elif rest.endswith(" = 0") and name == "chdir":
            task.folder /= texts[0]
        elif rest.endswith(" = 0") and name == "execve":
            self._started(task, texts)

    def _started(self, task: _Process, texts: list[str]) -> None:
        arguments = texts[1:]
        if Path(texts[0]).name == "bwrap":
            task.sandboxed = True
        if Path(texts[0]).name == "git" and {"push", "update-ref"} & set(arguments[:40]):
            self._effect(task, " ".join(arguments[:40]))

    def _moved(self, task: _Process, texts: list[str], rest: str) -> None:
        if texts[0].startswith("/step "):
            order, name = texts[0].removeprefix("/step ").split(" ", 1)
            if order == "begin":
                task.steps.append(name)
            else:
                assert task.steps.pop() == name
        elif rest.endswith(" = 0") and self.durable.search(str(task.folder / texts[1])):
            self._effect(task, str(task.folder / texts[1]))

    def _effect(self, task: _Process, what: str) -> None:
        if task.inside:
            return
        step = task.step
        if step is None:
            self.outside.append(what)
        else:
            self.inside.add(step)


def effects_outside(file: Path, *, start: Path, durable: re.Pattern[str]) -> Trace:
    """Replay the trace that is in `file`."""
    trace = Trace(start, durable)
    trace.replay(file.read_text(errors="replace").splitlines())
    return trace
