"""`/brat split n` once work has begun: one task becomes several, and the rest of the convoy goes on."""

from __future__ import annotations

import json

import pytest

from app.board import TaskStatus
from tests.hosted.conftest import MakeHosted
from tests.hosted.scenes import ONE, in_review, pulls, replies, states
from tests.hosted.world import HostedWorld, green

HALVES = {
    "summary": "s",
    "tasks": [{"id": "a", "title": "Upper half"}, {"id": "b", "title": "Lower half", "depends_on": ["a"]}],
}
ANSWERS = f"cat > /dev/null\ncat <<'END'\n{json.dumps(HALVES)}\nEND\n"
ONE_ATTEMPT = "[swarm]\nattempts = 1\n"


@pytest.mark.full
def test_a_blocked_task_is_split_while_the_others_land_and_its_parts_follow(make_hosted: MakeHosted) -> None:
    hosted = make_hosted(config=ONE_ATTEMPT)
    hosted.repo.ci(green)
    hosted.plays("task-1", "exit 3\n")
    hosted.plays("mayor", ANSWERS)
    issue = hosted.ask("The work", "- [ ] First\n- [ ] Second\n- [ ] Third\n  after: 1\n")
    hosted.settle()
    assert states(hosted) == [TaskStatus.BLOCKED, TaskStatus.MERGED, TaskStatus.QUEUED]
    hosted.repo.comment(issue, "/brat split 1", by=hosted.ada)
    hosted.until(lambda: issue.state == "closed")
    merged = TaskStatus.MERGED
    assert states(hosted) == [TaskStatus.DROPPED, merged, merged, merged, merged]
    assert hosted.task(3).depends_on == (4, 5)
    assert "split into 4, 5" in hosted.sticky(issue)
    assert "the Mayor cuts it into smaller tasks" in replies(hosted, issue)[0]


def test_a_session_that_runs_is_stopped_for_the_split(hosted: HostedWorld) -> None:
    hosted.repo.ci(green)
    hosted.plays("task-1", "cat > /dev/null\nsleep 600\n")
    hosted.plays("mayor", ANSWERS)
    issue = hosted.ask("The work", ONE)
    hosted.until(hosted.sessions_run)
    hosted.repo.comment(issue, "/brat split 1", by=hosted.ada)
    hosted.until(lambda: issue.state == "closed")
    assert [each.ended.finding.value for each in hosted.task(1).sessions if each.ended] == ["stopped", "done"]
    assert states(hosted) == [TaskStatus.DROPPED, TaskStatus.MERGED, TaskStatus.MERGED]


@pytest.mark.full
def test_a_task_in_review_is_split_and_its_pull_request_is_closed_with_a_word(hosted: HostedWorld) -> None:
    hosted.plays("mayor", ANSWERS)
    issue = in_review(hosted)
    hosted.repo.ci(green)
    hosted.repo.comment(issue, "/brat split 1", by=hosted.ada)
    hosted.until(lambda: len(hosted.convoy.tasks) == 3)
    hosted.until(lambda: issue.state == "closed")
    assert [each.merged is not None for each in pulls(hosted)] == [False, True, True]
    first = pulls(hosted)[0]
    assert first.issue.state == "closed"
    assert "split into tasks 2, 3" in replies(hosted, first)[-1]
    assert states(hosted) == [TaskStatus.DROPPED, TaskStatus.MERGED, TaskStatus.MERGED]
