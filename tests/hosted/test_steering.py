"""Every command once, in comments on issues and pull requests, through the whole loop."""

from __future__ import annotations

import pytest

from app.board import ConvoyStatus, TaskStatus
from tests.hosted.conftest import MakeHosted
from tests.hosted.scenes import (
    GATED,
    ONE,
    TWO,
    builds,
    in_review,
    planned,
    pull_of,
    pulls,
    reactions,
    replies,
    states,
    status,
)
from tests.hosted.world import HostedWorld, green

SECOND_ENGINE = '[engine.other]\ntype = "shell"\n'


def test_showing_commands_answer_and_change_nothing(make_hosted: MakeHosted) -> None:
    hosted = make_hosted(config=GATED)
    issue = planned(hosted)
    for command, expected in (
        ("help", "/brat release"),
        ("status", "Waiting for approval"),
        ("logs", "no session of it has begun yet"),
        ("frobnicate", "there is no command frobnicate"),
        ("approve 7", "there is no task 7"),
    ):
        said = hosted.repo.comment(issue, f"/brat {command}", by=hosted.ada)
        hosted.settle()
        assert expected in replies(hosted, issue)[-1]
        assert reactions(said) & {"rocket", "confused"}
    assert len(replies(hosted, issue)) == 5
    assert not hosted.convoy.all_sessions


def test_commands_of_one_comment_run_in_order_and_get_one_answer(make_hosted: MakeHosted) -> None:
    hosted = make_hosted(config=GATED)
    issue = planned(hosted, TWO)
    said = hosted.repo.comment(
        issue,
        "Some words first.\n\n/brat strategy squash\n/brat priority urgent\n/brat drop 2\n/brat hold 1\n"
        "/brat approve\n",
        by=hosted.ada,
    )
    hosted.settle()
    convoy = hosted.convoy
    assert (convoy.strategy, convoy.priority > 0, convoy.approved_by) == ("squash", True, "ada")
    assert states(hosted)[1] is TaskStatus.DROPPED
    assert convoy.tasks[0].hold is not None
    (reply,) = replies(hosted, issue)
    assert reply.index("/brat strategy squash") < reply.index("/brat drop 2")
    assert reactions(said) == {"rocket"}
    hosted.repo.comment(issue, "/brat unhold 1", by=hosted.ada)
    hosted.settle()
    assert convoy.tasks[0].number == 1
    assert hosted.task(1).hold is None
    assert hosted.task(1).work is not None


def test_a_plan_is_asked_for_paused_resumed_and_cancelled_by_comments(make_hosted: MakeHosted) -> None:
    hosted = make_hosted(config=GATED)
    issue = hosted.repo.issue(title="The work", body=ONE, by=hosted.eve)
    hosted.repo.comment(issue, "/brat status", by=hosted.ada)
    hosted.settle()
    assert "/brat plan" in replies(hosted, issue)[-1]
    hosted.hub.clock.advance(2)
    for command, then in (
        ("plan", ConvoyStatus.ACTIVE),
        ("pause", ConvoyStatus.PAUSED),
        ("resume", ConvoyStatus.ACTIVE),
        ("cancel", ConvoyStatus.FAILED),
    ):
        hosted.repo.comment(issue, f"/brat {command}", by=hosted.ada)
        hosted.settle()
        assert status(hosted) is then
    assert issue.state == "open"


@pytest.mark.full
def test_a_task_that_failed_is_retried_with_another_engine_and_its_last_lines_are_shown(
    make_hosted: MakeHosted,
) -> None:
    hosted = make_hosted(config=SECOND_ENGINE + "[swarm]\nattempts = 1\n")
    hosted.repo.ci(green)
    hosted.plays("witness", "echo the disk sang loudly >&2\nexit 3\n")
    issue = hosted.ask("The work", ONE)
    hosted.settle()
    assert states(hosted) == [TaskStatus.BLOCKED]
    assert "brat:blocked" in issue.labels
    hosted.repo.comment(issue, "/brat logs 1", by=hosted.ada)
    hosted.settle()
    assert "the disk sang loudly" in replies(hosted, issue)[-1]
    hosted.plays("witness", "cat > /dev/null\necho well > well.txt\n")
    hosted.repo.comment(issue, "/brat engine 1 shell", by=hosted.ada)
    hosted.until(lambda: issue.state == "closed")
    assert hosted.task(1).engine == "shell"


def test_a_command_on_a_tasks_pull_request_is_about_that_task(hosted: HostedWorld) -> None:
    in_review(hosted, TWO)
    second = pull_of(hosted, 2)
    said = hosted.repo.comment(second, "/brat hold", by=hosted.ada)
    hosted.settle()
    (held,) = (each for each in hosted.convoy.tasks if each.hold is not None)
    assert held.pull is not None
    assert held.pull.number == second.number
    assert reactions(said) == {"rocket"}
    builds(hosted.repo, task=1)
    builds(hosted.repo, task=2)
    hosted.settle()
    assert pull_of(hosted, 1).merged
    assert not second.merged
    hosted.repo.comment(second, "/brat unhold", by=hosted.ada)
    hosted.until(lambda: status(hosted) is ConvoyStatus.COMPLETE)


def test_merge_means_look_now_and_bypasses_nothing(hosted: HostedWorld) -> None:
    in_review(hosted)
    (pull,) = pulls(hosted)
    said = hosted.repo.comment(pull, "/brat merge", by=hosted.ada)
    hosted.settle()
    assert reactions(said) == {"rocket"}
    assert not pull.merged


def test_work_that_is_too_large_lands_when_somebody_released_it(make_hosted: MakeHosted) -> None:
    hosted = make_hosted(config="[refinery]\nmax_lines = 2\n")
    hosted.repo.ci(green)
    hosted.plays("witness", "cat > /dev/null\nseq 50 > many.txt\n")
    issue = hosted.ask("The work", ONE)
    hosted.settle()
    assert "/brat release 1" in hosted.sticky(issue)
    assert not pulls(hosted)[0].merged
    hosted.repo.comment(issue, "/brat release 1", by=hosted.ada)
    hosted.settle()
    assert pulls(hosted)[0].merged


def test_approving_a_part_drops_the_rest_and_says_so(make_hosted: MakeHosted) -> None:
    hosted = make_hosted(config=GATED)
    issue = planned(hosted, TWO)
    hosted.repo.comment(issue, "/brat approve 2", by=hosted.ada)
    hosted.until(lambda: bool(pulls(hosted)))
    assert states(hosted)[0] is TaskStatus.DROPPED
    assert "1 is dropped" in replies(hosted, issue)[-1]


def test_a_list_that_is_all_ticked_is_answered_in_words_and_costs_no_session(hosted: HostedWorld) -> None:
    issue = hosted.ask("The work", "- [x] First\n- [x] Second\n")
    hosted.settle()
    assert "nothing is left to do: every box is ticked" in replies(hosted, issue)[-1]
    assert not hosted.board.convoys
