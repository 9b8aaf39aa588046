"""What people complained of in systems of agents must not happen here: each story names its thread."""

from __future__ import annotations

import pytest

from app.board import TaskStatus
from tests.fakehub import Project
from tests.hosted.conftest import MakeHosted
from tests.hosted.scenes import (
    GATED,
    ONE,
    TWO,
    approver,
    builds,
    in_review,
    planned,
    pull_of,
    pulls,
    states,
)
from tests.hosted.world import HostedWorld, green

CHAIN = "- [ ] First\n- [ ] Second\n  after: 1\n"


def test_no_session_runs_while_there_is_nothing_to_do(hosted: HostedWorld) -> None:
    """gastownhall/gascity#1751: 441 million tokens were burnt in twelve idle hours."""
    in_review(hosted)
    for _ in range(3):
        hosted.hub.clock.advance(4 * 3600)
        hosted.settle()
    assert len(hosted.convoy.all_sessions) == 1


@pytest.mark.full
def test_work_counts_as_done_only_when_it_is_on_the_host(hosted: HostedWorld) -> None:
    """gastownhall/gastown#2028, #3203, #4734: work was called done before it was pushed, and lost."""
    hosted.hub.faults.add("POST */git-receive-pack", status=502, skip=6, count=4)
    issue = hosted.ask("The work", ONE)
    hosted.repo.ci(green)

    def honest() -> bool:
        task = hosted.convoy.tasks[0] if hosted.board.convoys and hosted.convoy.tasks else None
        if task is not None and task.work is not None:
            assert hosted.repo.git.has(task.work.head)
        return issue.state == "closed"

    hosted.until(honest)


@pytest.mark.full
def test_a_dependent_task_starts_from_what_has_landed(hosted: HostedWorld) -> None:
    """gastownhall/gastown#1893: dependents started before the merge."""
    hosted.repo.protect("main", "build")
    hosted.plays("task-2", "cat > /dev/null\ncat task-1.txt > copy.txt\n")
    issue = hosted.ask("The work", CHAIN)
    hosted.until(lambda: bool(pulls(hosted)))
    hosted.settle()
    assert not hosted.task(2).sessions
    builds(hosted.repo)
    hosted.repo.ci(green)
    hosted.until(lambda: issue.state == "closed")
    assert hosted.repo.git.text("main", "copy.txt") == "task-1\n"


@pytest.mark.full
def test_the_older_convoy_goes_first(make_hosted: MakeHosted) -> None:
    """gastownhall/gascity-packs#272: newest first starved the oldest for two days."""
    hosted = make_hosted(config="[swarm]\nmax_polecats = 1\n")
    hosted.repo.ci(green)
    older = hosted.ask("Older", ONE)
    hosted.hub.clock.advance(5)
    newer = hosted.ask("Newer", ONE)
    hosted.until(lambda: newer.state == "closed" and older.state == "closed")
    begun = [
        (each.started_ts, convoy.slug) for convoy in hosted.board.convoys for each in convoy.all_sessions
    ]
    assert [name for _, name in sorted(begun)] == ["older", "newer"]


def test_what_has_landed_is_not_begun_again(hosted: HostedWorld) -> None:
    """gastownhall/gastown#3584, #3055, #1208: dead workers went unnoticed, closed work was restarted."""
    hosted.repo.ci(green)
    issue = hosted.ask("The work", ONE)
    hosted.until(lambda: issue.state == "closed")
    hosted.restart()
    hosted.hub.clock.advance(3600)
    hosted.settle()
    assert hosted.task(1).attempts == 1
    assert len(pulls(hosted)) == 1


@pytest.mark.full
def test_the_comment_is_true_after_somebody_else_acted(hosted: HostedWorld) -> None:
    """ComposioHQ/agent-orchestrator#3738, #3115: a status was false for days."""
    issue = in_review(hosted, TWO)
    builds(hosted.repo, task=1)
    hosted.repo.merge(pull_of(hosted, 1), by=hosted.ada)
    hosted.settle()
    assert "1 of 2 tasks merged" in hosted.sticky(issue)
    assert "| 1 | First | ✅ merged" in hosted.sticky(issue)


@pytest.mark.full
def test_a_check_that_turns_red_after_the_session_ended_still_wakes_one(hosted: HostedWorld) -> None:
    """ComposioHQ/agent-orchestrator#413, #1290: a red check was dropped since the session had exited."""
    hosted.plays("witness", "cat > told.txt\ndate +%N > n.txt\n")
    in_review(hosted)
    hosted.hub.clock.advance(3600)
    head = pulls(hosted)[0].head_sha
    hosted.repo.actions(head, {"build": ("failure", "E   expected 2, got 1\n")})
    hosted.until(lambda: hosted.task(1).attempts == 2)
    hosted.settle()
    assert "expected 2, got 1" in (hosted.repo.git.text(pulls(hosted)[0].head, "told.txt") or "")


def test_work_that_an_agent_forgot_to_commit_is_there_and_its_checks_run(hosted: HostedWorld) -> None:
    """anthropics/claude-code-action#262, #319: it forgot to push; CI did not run for its commits."""
    ran: list[str] = []
    hosted.repo.ci(lambda repo, branch, head: ran.append(branch))
    hosted.plays("witness", "cat > /dev/null\necho one > one.txt\ngit add one.txt\necho two > two.txt\n")
    in_review(hosted)
    branch = pulls(hosted)[0].head
    assert hosted.repo.git.text(branch, "one.txt") == "one\n"
    assert hosted.repo.git.text(branch, "two.txt") == "two\n"
    assert branch in ran


def test_a_blocker_that_nobody_here_may_clear_is_named_with_who_can(hosted: HostedWorld) -> None:
    """github/app#2430: it went on ticking in silence at something that it was not allowed to mend."""
    hosted.repo.protect("main", approvals=1, ruleset=1)
    issue = in_review(hosted)
    builds(hosted.repo)
    hosted.settle()
    shown = hosted.sticky(issue)
    assert "approv" in shown
    assert "→" in shown


def test_labels_tell_the_truth_after_a_failure(make_hosted: MakeHosted) -> None:
    """sweepai/sweep#152: a label stayed after a failure."""
    hosted = make_hosted(config="[swarm]\nattempts = 1\n")
    hosted.repo.ci(green)
    hosted.plays("witness", "exit 3\n")
    issue = hosted.ask("The work", ONE)
    hosted.settle()
    assert [each for each in issue.labels if each.startswith("brat:")] == ["brat:blocked"]
    hosted.plays("witness", "cat > /dev/null\necho well > well.txt\n")
    hosted.repo.comment(issue, "/brat retry", by=hosted.ada)
    hosted.until(lambda: issue.state == "closed")
    assert [each for each in issue.labels if each.startswith("brat:")] == ["brat:done"]


def test_a_branch_that_is_in_the_way_is_named_and_left_alone(make_hosted: MakeHosted) -> None:
    """sweepai/sweep#557: a stale branch was in the way. (One that was there before is avoided.)"""
    hosted = make_hosted(config=GATED)
    issue = planned(hosted)
    theirs = hosted.repo.push("convoy/work/task-1", {"old.txt": "left over\n"}, by=hosted.ada)
    hosted.repo.comment(issue, "/brat approve", by=hosted.ada)
    hosted.settle()
    assert "which is not this convoy's work" in hosted.sticky(issue)
    assert "brat:blocked" in issue.labels
    assert hosted.repo.branch("convoy/work/task-1") == theirs


@pytest.mark.full
def test_no_prompt_is_given_twice(make_hosted: MakeHosted) -> None:
    """trailofbits/ultrafuzz#376: byte-identical tries burnt the whole budget."""

    def red(repo: Project, branch: str, head: str) -> None:
        if branch.startswith("convoy/"):
            repo.actions(head, {"build": ("failure", "E   it never works\n")})

    hosted = make_hosted(config="[refinery]\nmerge_retry_limit = 2\n")
    hosted.plays("witness", 'cat > "told.$BRAT_ATTEMPT"\ndate +%N > n.txt\n')
    hosted.repo.ci(red)
    hosted.repo.protect("main", "build")
    issue = hosted.ask("The work", ONE)
    hosted.until(lambda: bool(hosted.board.convoys) and states(hosted) == [TaskStatus.BLOCKED])
    hosted.settle()
    branch = pulls(hosted)[0].head
    prompts = [hosted.repo.git.text(branch, f"told.{n}") for n in range(1, hosted.task(1).attempts + 1)]
    assert len(prompts) == len(set(prompts)) == 3
    assert "/brat retry 1" in hosted.sticky(issue)


def test_what_no_webhook_told_is_found_by_looking(make_hosted: MakeHosted) -> None:
    """rust-lang/homu#178, #191, palantir/policy-bot#960: stuck after a lost webhook. None is sent here."""
    hosted = make_hosted(config=GATED)
    issue = planned(hosted)
    assert not hosted.app.webhook_url
    hosted.repo.comment(issue, "/brat approve", by=hosted.ada)
    hosted.hub.clock.advance(24 * 3600)
    hosted.restart()
    hosted.until(lambda: bool(pulls(hosted)))
    assert approver(hosted) == "ada"
