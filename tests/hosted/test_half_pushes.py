"""A host that dies between two refs of one push, or takes one only: record and branch come together."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from tests.fakehub import Project, smart_http
from tests.fakehub.dispatch import Reply, Request
from tests.fakehub.pushing import ZERO
from tests.hosted.conftest import Mode, play, world_in
from tests.hosted.ends import End, end_of, expect_once
from tests.hosted.points import Killed, Points
from tests.hosted.test_crash_modes import MODES

# A dead worker closes nothing in good order.
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")

LOG = "refs/grite/wal"
LANDINGS = {"api": Mode(), "push": MODES["push"], "convoy": MODES["convoy"]}
ENDS = ("cut", "dead", "ng")
"""Nobody hears of the push; nor does the worker live on; the host says which refs it did not take."""
HALVES = [*(("api", each) for each in ENDS), ("push", "cut"), ("push", "dead"), ("convoy", "ng")]


@dataclass
class Halving(Points):
    """Of the `order`-th push of the log with other refs the host keeps only the log, or all but the log."""

    log: bool = True
    order: int = 0
    ends: str = "cut"
    pushes: int = 0
    halved: bool = False

    def served(self, repo: Project, request: Request, what: str, *, body: BinaryIO, **more: Any) -> Reply:
        """In place of the stand-in's own way to git."""
        moves = smart_http._commands(body) if what == "git-receive-pack" else []
        reply = _BACKEND(repo, request, what, body=body, **more)
        if len(moves) > 1 and LOG in {ref for _, _, ref in moves}:
            self.pushes += 1
            if self.pushes == self.order:
                return self._halve(repo, reply, moves)
        return reply

    def _halve(self, repo: Project, reply: Reply, moves: list[tuple[str, str, str]]) -> Reply:
        text = reply.body
        for old, _, ref in moves:
            if (ref == LOG) is not self.log:
                repo.git.update(ref, None if old == ZERO else old)
                no = f"ng {ref} failed to update ref\n".encode()
                text = smart_http._replace(text, f"ok {ref}\n".encode(), no)
        self.halved = True
        if self.ends == "ng":
            assert text != reply.body
            return Reply(reply.status, reply.headers, text)
        repo.hub.faults.add("POST */git-receive-pack", status=0, after=True)
        return reply

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        before = self.halved
        with super().step(name):
            yield
        if self.ends == "dead" and self.halved and not before:
            raise Killed(name)


_BACKEND = smart_http._backend


def run(root: Path, patch: pytest.MonkeyPatch, host: Halving, *, mode: Mode) -> End:
    """A convoy of two tasks over this host, to its end."""
    with patch.context() as patched, world_in(root, config=mode.config) as hosted:
        patched.setattr(smart_http, "_backend", host.served)
        issue = play(hosted, host, mode=mode)
        expect_once(hosted, issue, homes=mode.homes)
        return end_of(hosted, issue)


def test_half_a_push_to_the_host_is_made_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    host = Halving(log=True, order=1)
    run(tmp_path, monkeypatch, host, mode=Mode())
    assert host.halved


@pytest.mark.full
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("landing", "ends"), HALVES)
@pytest.mark.parametrize("log", [True, False], ids=["only the log moved", "only branches moved"])
def test_half_of_any_push_to_the_host_is_made_whole(
    landing: str, ends: str, log: bool, *, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Halving()
    end = run(tmp_path / "whole", monkeypatch, whole, mode=LANDINGS[landing])
    assert whole.pushes >= 2
    for order in range(1, whole.pushes + 1):
        host = Halving(log=log, order=order, ends=ends)
        assert run(tmp_path / str(order), monkeypatch, host, mode=LANDINGS[landing]) == end, order
        assert host.halved, order
