"""A worker that lives for long: what it looks at, counts, tells, keeps and lets go."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable

import pygit2
import pytest

from app.board import ConvoyStatus
from app.ports import SessionSeen
from app.runner import LocalDispatch
from app.service import Metrics, Repository
from tests.hosted.conftest import MakeHosted
from tests.hosted.scenes import ONE, builds, done, in_review, pull_of, pulls
from tests.hosted.world import HostedWorld, green
from tests.runs.world import SHELL

WAITS = 'cat > /dev/null\nwhile [ ! -e "${0%/*}/go" ]; do sleep 0.05; done\necho "$task" > "$task.txt"\n'
OWN_FILE = 'cat > /dev/null\necho "$task" > "$(echo "$BRAT_BRANCH" | tr / -).txt"\n'
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


def metrics_of(hosted: HostedWorld, *names: str) -> dict[str, float]:
    """What these workers counted, as one process that shows it."""
    metrics = Metrics()
    for name in names:
        for each in hosted.worker(name).counted():
            metrics.count(each)
    lines = (line.rsplit(" ", 1) for line in metrics.text().splitlines() if line[:1] != "#")
    return {name: float(value) for name, value in lines}


def test_passes_are_counted_once_however_many_workers_look(hosted: HostedWorld) -> None:
    hosted.repo.ci(green)
    issue = hosted.ask("The work", ONE)
    hosted.until(lambda: issue.state == "closed", names=("one", "two"))
    counts = metrics_of(hosted, "one", "two")
    assert counts['brat_actions_total{end="done",kind="MergePull"}'] == 1
    assert counts['brat_sessions_total{end="done",kind="work"}'] == 1
    assert counts['brat_github_requests_total{status="200"}'] > 10
    assert not any("_total" in name for name in metrics_of(hosted, "one", "two"))


def test_an_action_that_github_refuses_and_a_request_without_an_answer_are_counted(
    hosted: HostedWorld,
) -> None:
    in_review(hosted)
    hosted.hub.faults.add("PUT */merge", status=405, message="Not now")
    hosted.hub.faults.add("GET /repos/*/pulls", status=0)
    builds(hosted.repo)
    hosted.until(lambda: done(hosted))
    counts = metrics_of(hosted, "one")
    assert counts['brat_actions_total{end="refused",kind="MergePull"}'] == 1
    assert counts['brat_github_requests_total{status="405"}'] == 1
    assert counts['brat_github_requests_total{status="cut"}'] == 1


@pytest.mark.parametrize("status", [422, 429, 503])
def test_a_delivery_that_github_does_not_repeat_is_asked_for_by_the_next_sweep_and_stops_none(
    hosted: HostedWorld, caplog: pytest.LogCaptureFixture, status: int
) -> None:
    hosted.app.webhook_url, hosted.hub.webhooks.lost = "http://127.0.0.1:9/", 9
    hosted.ask("The work", ONE)
    hosted.hub.deliver()
    lost = sorted(each.guid for each in hosted.hub.webhooks.past)
    hosted.hub.faults.add("POST /app/hook/deliveries/*", status=status)
    for _ in range(3):
        assert hosted.worker().sweep() == (here(hosted),)
    assert sorted(each.guid for each in hosted.hub.webhooks.pending) == lost
    assert len([each for each in caplog.records if "asked for again" in each.getMessage()]) == 1


def refusals(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    """Warnings about an action."""
    return [each for each in caplog.records if each.name == "brat.worker" and hasattr(each, "action")]


def test_a_refused_action_is_logged_once_until_it_changes(
    hosted: HostedWorld, caplog: pytest.LogCaptureFixture
) -> None:
    in_review(hosted)
    pull = pull_of(hosted, 1)
    fault = hosted.hub.faults.add("PUT */merge", status=405, message="Not now", count=3)
    builds(hosted.repo)
    hosted.until(lambda: fault.struck == 2)
    (told,) = refusals(caplog)
    assert "MergePull" in told.getMessage()
    assert f"#{pull.number} in ada-corp/demo" in told.getMessage()
    assert "Not now" in told.getMessage()
    said = vars(told)
    assert (said["repository"], said["action"]) == (hosted.repo.id, "MergePull")
    assert said["convoy"] == hosted.convoy.slug
    fault.message = "Still not"
    hosted.until(lambda: fault.struck == 3)
    assert ["Still not" in each.getMessage() for each in refusals(caplog)] == [False, True]


def snapshots(refs: Iterable[str]) -> list[str]:
    return sorted(each for each in refs if each.startswith("refs/grite/snapshots/"))


def test_an_ended_convoy_is_tidied_up_while_another_goes_on(hosted: HostedWorld) -> None:
    hosted.repo.protect("main", "build")
    hosted.plays("witness", OWN_FILE)
    for title in ("First", "Second"):
        hosted.ask(title, ONE)
    hosted.until(lambda: len(pulls(hosted)) == 2)
    hosted.settle()
    first, second = (each.tasks[0].sessions[0].id for each in hosted.board.convoys)
    state = hosted.root / "data" / "repos" / str(hosted.repo.id) / "repo.git" / "brat"
    left = [state / "sessions" / each / "workspace" for each in (first, second)]
    for each in left:
        each.mkdir()
    land(hosted, 0)
    assert [each.exists() for each in left] == [False, True]
    kept = list(pygit2.Repository(str(state / "mirror.git")).references)
    assert [f"refs/brat/work/{each}" in kept for each in (first, second)] == [False, True]
    assert len(snapshots(hosted.repo.refs)) == 1
    land(hosted, 1)
    hosted.ask("Third", ONE)
    hosted.until(lambda: len(pulls(hosted)) == 3)
    land(hosted, 2)
    here = pygit2.Repository(str(state.parent)).references
    assert snapshots(hosted.repo.refs) == snapshots(here)
    assert len(snapshots(here)) == 2


def test_protected_paths_and_engines_may_change_while_a_worker_lives(make_hosted: MakeHosted) -> None:
    hosted = make_hosted()
    hosted.environ |= {"OPENAI_API_KEY": "sk-0123456789", "ANTHROPIC_API_KEY": ""}
    hosted.plays("witness", 'cat > /dev/null\nmkdir -p kept\necho "$BRAT_BRANCH" > kept/file.txt\n')
    hosted.repo.ci(green)
    first = hosted.ask("First", ONE)
    hosted.until(lambda: first.state == "closed")
    dispatch = hosted.reconciler().dispatch
    assert isinstance(dispatch, LocalDispatch)
    assert {each.type for each in dispatch.operator.engines} == {"aider", "codex", "shell"}
    changed = SHELL + '[refinery]\nprotected = ["kept/**"]\n'
    hosted.repo.push("main", {".brat/config.toml": changed}, by=hosted.ada)
    hosted.ask("Second", ONE)
    hosted.until(lambda: len(hosted.board.convoys) == 2 and hosted.task(1).hold is not None)
    hold = hosted.task(1).hold
    assert hold is not None
    assert hold.paths == ("kept/file.txt",)


def test_an_engine_without_a_key_is_told_before_anything_is_spent(make_hosted: MakeHosted) -> None:
    hosted = make_hosted()
    hosted.environ |= {"OPENAI_API_KEY": "", "ANTHROPIC_API_KEY": ""}
    hosted.repo.push("main", {".brat/config.toml": '[engine.default]\ntype = "codex"\n'}, by=hosted.ada)
    hosted.repo.ci(green)
    issue = hosted.ask("The work", ONE)
    hosted.until(lambda: "sets OPENAI\\_API\\_KEY" in hosted.sticky(issue))
    assert "/brat engine 1 NAME" in hosted.sticky(issue)
    assert not hosted.task(1).sessions
    hosted.repo.comment(issue, "/brat engine 1 shell", by=hosted.ada)
    hosted.until(lambda: issue.state == "closed")
    assert [each.started.engine for each in hosted.task(1).sessions] == ["shell"]


def test_a_planner_without_a_key_is_told_before_it_is_asked(make_hosted: MakeHosted) -> None:
    hosted = make_hosted()
    hosted.environ |= {"OPENAI_API_KEY": "", "ANTHROPIC_API_KEY": ""}
    hosted.repo.push("main", {".brat/config.toml": '[engine.default]\ntype = "codex"\n'}, by=hosted.ada)
    issue = hosted.ask("The work", "Make it good.")
    hosted.until(lambda: "sets OPENAI\\_API\\_KEY" in hosted.sticky(issue))
    assert not hosted.convoy.sessions


def land(hosted: HostedWorld, number: int) -> None:
    """CI is content with this convoy's one branch, and the convoy ends."""
    branch = f"convoy/{hosted.board.convoys[number].slug}/task-1"
    hosted.repo.check(str(hosted.repo.branch(branch)), "build")
    hosted.until(lambda: hosted.board.convoys[number].status is ConvoyStatus.COMPLETE)
    hosted.settle()
