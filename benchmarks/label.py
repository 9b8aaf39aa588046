"""From the label to the agent's first line: `brat up` over the stand-in, both processes of their own."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.figure import Figure
from benchmarks.ground import CHECKOUT, PYTHON
from tests.hosted.up import SECRET, Running
from tests.runs.world import SHELL

__all__ = ["Span", "covered_s", "measure"]

TIMES = 5
AGENT = 'echo "began $(date +%s.%N)"\ncat > /dev/null\ndate +%s.%N > "part-$(date +%s%N).txt"\n'
LOOKS = 1200
QUIET_S = 2.0
_CONTROL = "/_control/"


@dataclass(frozen=True, slots=True)
class Span:
    """A request as the stand-in saw it, in seconds since the epoch."""

    begun: float
    ended: float
    what: str


def covered_s(spans: Iterable[Span], since: float, until: float) -> float:
    """How long at least one of them was under way between two moments."""
    total, reached = 0.0, since
    for each in sorted(spans, key=lambda span: span.begun):
        begun, ended = max(each.begun, reached), min(each.ended, until)
        if ended > begun:
            total, reached = total + ended - begun, ended
    return total


def measure(folder: Path) -> Iterator[Figure]:
    """Ours is what the stand-in was not at work on; the whole is split where the session begins."""
    folder.mkdir(exist_ok=True)
    running = _Clocked.begin(folder, _free_port(), config=SHELL + '[mayor]\napproval = "auto"\n')
    try:
        (folder / "lent" / "plays" / "witness").write_text(AGENT)
        running.up()
        runs = [_first(running, number) for number in range(TIMES + 1)][1:]
    finally:
        running.close()
    best = min(runs, key=lambda each: each.own_s)
    against = "what the stand-in was at work on in it"
    yield Figure("label to first session, whole", best.whole_s, best.theirs_s, "s", against)
    own = "label to first session, own part"
    yield Figure(own, best.own_s, best.theirs_s, "s", against, 1.0, absolute=True)
    yield Figure("of the whole, until the session is begun", best.begun_s, best.whole_s, "s", "the whole")
    start = best.whole_s - best.begun_s
    yield Figure("of the whole, from there to the first line", start, best.whole_s, "s", "the whole")


@dataclass(frozen=True, slots=True)
class _Run:
    """Seconds from label to first line, those of the stand-in in them, and those until the session began."""

    whole_s: float
    theirs_s: float
    begun_s: float

    @property
    def own_s(self) -> float:
        return self.whole_s - self.theirs_s


class _Clocked(Running):
    """With the stand-in that notes when it was asked."""

    @property
    def spans(self) -> list[Span]:
        """What it noted so far."""
        return [Span(*json.loads(line)) for line in self._times.read_text().splitlines()]

    @property
    def _times(self) -> Path:
        return self.root / "times.jsonl"

    def _serve_hub(self) -> None:
        command = [PYTHON, "-m", "benchmarks.timed_hub", "--root", str(self.root / "hub")]
        command += ["--key", str(self.root / "app.pem"), "--app-id", "42", "--webhook-secret", SECRET]
        command += ["--webhook-url", f"http://127.0.0.1:{self.port}/webhooks/github"]
        environ = {**os.environ, "BENCH_TIMES": str(self._times)}
        self.hub = subprocess.Popen(command, cwd=CHECKOUT, env=environ, stdout=subprocess.PIPE, text=True)
        assert self.hub.stdout is not None
        self.api = json.loads(self.hub.stdout.readline())["api"]


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def _first(running: _Clocked, number: int) -> _Run:
    """One issue, from a service at rest to the closed issue."""
    _at_rest(running)
    known = set(_sessions(running))
    issue = running.do("issue", title=f"Number {number}", body=f"Please.\n- [ ] Part {number}\n")["number"]
    _at_rest(running)
    running.do("label", issue, "brat")
    begun, began = _began(running, known)
    running.ended(issue)
    spans = running.spans
    labelled = max(each.ended for each in spans if each.what.endswith("_control/do"))
    asked = [each for each in spans if _CONTROL not in each.what]
    return _Run(began - labelled, covered_s(asked, labelled, began), begun - labelled)


def _at_rest(running: _Clocked) -> None:
    """Until the service has asked for nothing for a while."""
    pause = threading.Event()
    for _ in range(LOOKS):
        last = max((each.ended for each in running.spans if _CONTROL not in each.what), default=0.0)
        if last and time.time() - last > QUIET_S:
            return
        pause.wait(QUIET_S / 10)
    raise RuntimeError("the service never rests")


def _sessions(running: Running) -> list[Path]:
    return list((running.root / "data").glob("repos/*/repo.git/brat/sessions/*/output.log"))


def _began(running: Running, known: set[Path]) -> tuple[float, float]:
    """When its folder was made, and its first line."""
    pause = threading.Event()
    for _ in range(LOOKS):
        for each in set(_sessions(running)) - known:
            if found := re.search(r"began (\d+\.\d+)", each.read_text()):
                return (each.parent / "spec.json").stat().st_mtime, float(found[1])
        pause.wait(0.05)
    raise RuntimeError((running.root / "up.log").read_text()[-4000:])
