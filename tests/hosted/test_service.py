"""A worker that lives for long: what it looks at, counts, tells, keeps and lets go."""

from __future__ import annotations

import threading

import pytest

from app.ports import SessionSeen
from app.runner import LocalDispatch
from app.service import Repository
from tests.hosted.scenes import ONE
from tests.hosted.world import HostedWorld, green

WAITS = 'cat > /dev/null\nwhile [ ! -e "${0%/*}/go" ]; do sleep 0.05; done\necho "$task" > "$task.txt"\n'
PATIENCE_S = 60.0


def working(hosted: HostedWorld, title: str) -> str:
    """A convoy whose one session runs until `go` is there."""
    hosted.plays("witness", WAITS)
    hosted.ask(title, ONE)
    while not hosted.sessions_run():
        hosted.run_pass()
    hosted.run_pass()
    return hosted.task(1).sessions[-1].id


def test_only_sessions_that_live_are_watched(hosted: HostedWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    hosted.repo.ci(green)
    issue = hosted.ask("Over", ONE)
    hosted.until(lambda: issue.state == "closed")
    session = working(hosted, "Goes on")
    asked, woken, look = list[tuple[str, ...]](), threading.Event(), LocalDispatch.look

    def noted(self: LocalDispatch, sessions: tuple[str, ...]) -> dict[str, SessionSeen]:
        asked.append(sessions)
        return look(self, sessions)

    monkeypatch.setattr(LocalDispatch, "look", noted)
    hosted.worker().listen(lambda where: woken.set() if where == here(hosted) else None)
    hosted.plays("go", "")
    assert woken.wait(PATIENCE_S)
    assert set(asked) == {(session,)}
    hosted.close()
    assert not any(each.name == "sessions" for each in threading.enumerate())


def here(hosted: HostedWorld) -> Repository:
    return Repository(hosted.repo.id, hosted.installation.id)
