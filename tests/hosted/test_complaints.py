"""What people complained of in merge bots must not happen here: each story names its thread."""

from __future__ import annotations

import pytest

from app.board import ConvoyStatus, TaskStatus
from tests.fakehub import merging
from tests.hosted.conftest import MakeHosted
from tests.hosted.scenes import (
    GATED,
    ONE,
    TWO,
    approver,
    builds,
    done,
    in_review,
    planned,
    pull_of,
    pulls,
    replies,
    states,
    status,
)
from tests.hosted.world import HostedWorld, green


def test_a_red_head_does_not_hold_up_the_one_behind_it(hosted: HostedWorld) -> None:
    """chdsbd/kodiak#586: the queue was stuck behind a pull request that could not be merged."""
    in_review(hosted, TWO)
    builds(hosted.repo, None, task=1)
    builds(hosted.repo, task=2)
    hosted.settle()
    assert pull_of(hosted, 2).merged
    assert not pull_of(hosted, 1).merged


def test_a_merge_whose_answer_was_an_error_is_looked_up_and_not_made_again(hosted: HostedWorld) -> None:
    """chdsbd/kodiak#397, chdsbd/kodiak#398: merged again after a 500."""
    in_review(hosted)
    fault = hosted.hub.faults.add("PUT */merge", status=500, after=True)
    builds(hosted.repo)
    hosted.until(lambda: done(hosted))
    assert fault.struck == 1
    assert len(hosted.hub.journal.changes_of("merge")) == 1
    assert hosted.hub.journal.count("PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge") == 1


def test_a_host_that_is_away_for_a_while_needs_no_restart(hosted: HostedWorld) -> None:
    """chdsbd/kodiak#415, chdsbd/kodiak#899: dead after a row of 503 until somebody restarted it."""
    in_review(hosted)
    hosted.hub.faults.add("GET *", status=503, count=30)
    hosted.hub.faults.add("POST *", status=503, count=5)
    builds(hosted.repo)
    worker = hosted.worker()
    hosted.until(lambda: done(hosted))
    assert hosted.worker() is worker


def test_a_refused_push_is_said_and_tried_again(hosted: HostedWorld) -> None:
    """bors-ng/bors-ng#856, bors-ng/bors-ng#561, bors-ng/bors-ng#783: crashed on a push that was refused."""
    issue = hosted.ask("The work", ONE)
    hosted.until(lambda: hosted.task(1).open_work is not None if hosted.board.convoys else False)
    hosted.hub.faults.add("POST refs/heads/convoy/*", refused="declined by a hook", count=2)
    hosted.repo.ci(green)
    hosted.until(lambda: issue.state == "closed")
    assert states(hosted) == [TaskStatus.MERGED]


def test_the_same_word_said_twice_at_once_is_done_once(make_hosted: MakeHosted) -> None:
    """bors-ng/bors-ng#349, bors-ng/bors-ng#434: words hit the wrong pull request; retries raced."""
    hosted = make_hosted(config="[swarm]\nattempts = 1\n")
    hosted.plays("witness", "exit 3\n")
    issue = hosted.ask("The work", TWO)
    hosted.settle()
    hosted.plays("task-1", "cat > /dev/null\necho one > one.txt\n")
    for _ in range(2):
        hosted.repo.comment(issue, "/brat retry 1", by=hosted.ada)
    hosted.settle()
    assert hosted.task(1).attempts == 2
    assert hosted.task(2).attempts == 1
    assert len(pulls(hosted)) == 1


def test_a_new_approval_after_an_edit_is_taken_up(make_hosted: MakeHosted) -> None:
    """rust-lang/bors#695: approved again after a push, and not queued again."""
    hosted = make_hosted(config=GATED)
    issue = planned(hosted)
    hosted.repo.edit(issue, body="- [ ] First\n\nMore words.", by=hosted.ada)
    hosted.hub.clock.advance(5)
    hosted.repo.comment(issue, "/brat approve", by=hosted.ada)
    hosted.until(lambda: bool(pulls(hosted)))
    assert approver(hosted) == "ada"


def test_few_requests_are_made_for_a_task_and_none_is_charged_while_nothing_happens(
    hosted: HostedWorld,
) -> None:
    """Mergifyio/mergify-engine#331, Mergifyio/mergify-engine#248: many calls per event."""
    in_review(hosted)
    for _ in range(2):
        hosted.hub.clock.advance(120)
        hosted.run_pass()
    asked = len(hosted.hub.journal.asked)
    for _ in range(4):
        hosted.run_pass()
    charged = {each.route for each in hosted.hub.journal.asked[asked:] if not each.free}
    assert charged == {"GIT refs", "GIT git-upload-pack"}


def test_a_settings_file_with_a_mistake_stops_no_landing_and_is_said(hosted: HostedWorld) -> None:
    """ansible/vscode-ansible-lightspeed#1076 (Mergify): an invalid config blocks all merges."""
    issue = in_review(hosted)
    hosted.repo.rules.clear()
    hosted.repo.push("main", {".brat/config.toml": "[refinery]\nstratgy = 1\n"}, by=hosted.ada)
    hosted.repo.protect("main", "build")
    hosted.settle()
    assert "`refinery.stratgy`" in hosted.sticky(issue).replace("\\", "")
    builds(hosted.repo)
    hosted.until(lambda: issue.state == "closed")
    hosted.repo.rules.clear()
    other = hosted.ask("More work", ONE)
    hosted.settle()
    assert "cannot be used" in replies(hosted, other)[-1]
    assert len(hosted.board.convoys) == 1
    hosted.repo.push("main", {".brat/config.toml": '[engine.default]\ntype = "shell"\n'}, by=hosted.ada)
    hosted.hub.clock.advance(5)
    hosted.repo.comment(other, "/brat plan", by=hosted.ada)
    hosted.settle()
    assert len(hosted.board.convoys) == 2


@pytest.mark.full
def test_a_base_that_moves_while_it_lands_is_noticed(hosted: HostedWorld) -> None:
    """kubernetes/test-infra#10621, kubernetes/test-infra#6048: a part of a batch merged, the base moved."""
    issue = in_review(hosted, TWO)
    for task in (1, 2):
        builds(hosted.repo, task=task)
    hosted.run_pass()
    hosted.repo.push("main", {"other.txt": "by ada\n"}, by=hosted.ada)
    hosted.until(lambda: issue.state == "closed")
    assert len(hosted.hub.journal.changes_of("merge")) == 2
    assert hosted.repo.git.text("main", "other.txt") == "by ada\n"


def test_what_waits_is_said_once_and_in_words(hosted: HostedWorld) -> None:
    """kubernetes/test-infra#6145, kubernetes/test-infra#22143: an opaque status, said again and again."""
    issue = in_review(hosted)
    assert "build" in hosted.sticky(issue)
    checks = [each for each in hosted.repo.data.checks.values() if each.name == "brat"]
    hosted.hub.clock.advance(3600)
    hosted.settle()
    changes = len(hosted.hub.journal.changes)
    for _ in range(4):
        hosted.hub.clock.advance(400)
        hosted.run_pass()
    assert len(hosted.hub.journal.changes) == changes
    assert [each for each in hosted.repo.data.checks.values() if each.name == "brat"] == checks


def test_nothing_is_merged_while_a_check_runs_again(hosted: HostedWorld) -> None:
    """kubernetes-sigs/prow#337: merged on the old green while a re-run was pending."""
    in_review(hosted)
    builds(hosted.repo)
    builds(hosted.repo, None)
    hosted.settle()
    assert not pulls(hosted)[0].merged
    builds(hosted.repo)
    hosted.settle()
    assert pulls(hosted)[0].merged


def test_a_squash_that_reverts_other_work_stops_everything(
    make_hosted: MakeHosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    """zed-industries/zed#54721: GitHub's queue landed a tree that silently took back other work."""
    hosted = make_hosted(config='[refinery]\nstrategy = "squash"\n')
    issue = in_review(hosted, TWO)
    builds(hosted.repo, task=1)
    commit = merging._commit

    def reverting(repo: object, pull: object, asked: object, *, tree: str, by: object) -> str:
        git = hosted.repo.git
        bad = git.write_tree(hosted.repo.branch("main"), {"README.md": "gone\n"})
        return commit(repo, pull, asked, tree=bad, by=by)  # type: ignore[arg-type]

    monkeypatch.setattr(merging, "_commit", reverting)
    hosted.settle()
    assert status(hosted) is ConvoyStatus.PAUSED
    builds(hosted.repo, task=2)
    hosted.settle()
    assert pull_of(hosted, 1).merged
    assert not pull_of(hosted, 2).merged
    assert "Paused" in hosted.sticky(issue)
    assert f"#{pull_of(hosted, 1).number}" in (hosted.convoy.paused.why if hosted.convoy.paused else "")
    assert "the convoy is paused: " in hosted.sticky(issue)


@pytest.mark.full
def test_a_landing_that_the_host_limits_goes_on_by_itself(hosted: HostedWorld) -> None:
    """palantir/bulldozer#276: eleven merges in 33 seconds met the secondary rate limit."""
    issue = in_review(hosted, TWO)
    hosted.hub.faults.limited("PUT */merge", form="secondary", now=hosted.clock(), count=2)
    for task in (1, 2):
        builds(hosted.repo, task=task)
    hosted.until(lambda: issue.state == "closed")
    assert len(hosted.hub.journal.changes_of("merge")) == 2


@pytest.mark.full
def test_what_a_stale_answer_shows_is_not_taken_for_the_head(hosted: HostedWorld) -> None:
    """palantir/policy-bot#47: an answer from before the push let the old head pass."""
    in_review(hosted)
    builds(hosted.repo)
    hosted.hub.faults.add("POST */graphql", back=3, count=3)
    hosted.until(lambda: done(hosted))
    assert len(hosted.hub.journal.changes_of("merge")) == 1


def test_a_merge_that_is_refused_for_good_has_its_reason_in_the_issue(hosted: HostedWorld) -> None:
    """BloopAI/vibe-kanban#1897: a direct merge failed in silence."""
    issue = in_review(hosted)
    message = "Repository rule violations found\n\nCommits must have verified signatures."
    hosted.hub.faults.add("PUT */merge", status=405, message=message, count=50)
    builds(hosted.repo)
    hosted.until(lambda: states(hosted) == [TaskStatus.BLOCKED])
    hosted.settle()
    assert "verified signatures" in hosted.sticky(issue)
    assert "/brat retry 1" in hosted.sticky(issue)
