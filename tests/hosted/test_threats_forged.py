"""T4 to T24, what is forged or stolen: repositories, refs, logs, keys and objects that look like ours."""

from __future__ import annotations

import pytest

from app.board import ConvoyStatus, TaskStatus, write_json_block
from app.grite import CommentAdded, Draft, Identity, IssueId, LabelAdded, Log
from tests.hosted.conftest import MakeHosted
from tests.hosted.scenes import (
    GATED,
    ONE,
    all_said,
    approver,
    builds,
    done,
    in_review,
    planned,
    pulls,
    replies,
    states,
    status,
)
from tests.hosted.world import HostedWorld, green

WAL = "refs/grite/wal"


def log_text(hosted: HostedWorld) -> str:
    """Everything that anybody who can read the repository can read in its log."""
    opened = hosted.worker().opened(hosted.repo.id)
    assert opened is not None
    return repr(opened.reconciler().log.read().events)


def on_the_host(hosted: HostedWorld) -> set[str]:
    """The ids of the events that a fresh clone would bring."""
    state = hosted.root / "reader"
    log = Log(hosted.repo.git.path, identity=Identity.create(), state_dir=state, clock=hosted.clock)
    return {str(each.id) for each in log.read().events}


def test_t4_t24_nothing_that_is_lent_to_us_is_seen_by_an_agent_or_said(hosted: HostedWorld) -> None:
    canary = "ghp_" + "c4n4ry" * 6
    hosted.environ["GITHUB_TOKEN"] = canary
    hosted.plays(
        "witness",
        f"cat > /dev/null\nenv > seen.txt\nls {hosted.root}/data >> seen.txt 2>&1 || true\n"
        f"echo 'token: {canary}, at {hosted.root}/secret/place'\nexit 3\n",
        attempt=1,
    )
    hosted.plays(
        "witness", f"cat > /dev/null\nenv > seen.txt\nls {hosted.root}/data >> seen.txt 2>&1 || true\n"
    )
    issue = in_review(hosted)
    hosted.repo.comment(issue, "/brat logs 1", by=hosted.ada)
    hosted.settle()
    seen = hosted.repo.git.text(pulls(hosted)[0].head, "seen.txt") or ""
    tokens = [each.value for each in hosted.hub.tokens.values()]
    assert "BRAT_" in seen
    for secret in (canary, *tokens, "BEGIN RSA PRIVATE KEY", "BEGIN PRIVATE KEY"):
        assert secret not in seen
        assert secret not in all_said(hosted)
        assert secret not in log_text(hosted)
    assert f"{hosted.root}/secret" not in log_text(hosted) + all_said(hosted)
    assert "identity.json" not in seen


@pytest.mark.full
def test_t24_in_a_public_repository_output_stays_with_the_operator(hosted: HostedWorld) -> None:
    hosted.repo.private = False
    hosted.plays("witness", "echo the disk sang loudly\nexit 3\n")
    issue = planned(hosted)
    assert "Waiting for approval" in hosted.sticky(issue)
    hosted.repo.comment(issue, "/brat approve", by=hosted.ada)
    hosted.settle()
    hosted.repo.comment(issue, "/brat logs 1", by=hosted.ada)
    hosted.settle()
    assert "sang" not in log_text(hosted) + all_said(hosted)
    assert hosted.task(1).attempts > 0


def test_t7_a_workflow_file_that_github_takes_from_no_app_is_said(hosted: HostedWorld) -> None:
    edits = "cat > /dev/null\nmkdir -p .github/workflows\necho 'on: push' > .github/workflows/new.yml\n"
    hosted.plays("witness", edits)
    issue = hosted.ask("The work", ONE)
    hosted.settle()
    hosted.repo.comment(issue, "/brat release 1", by=hosted.ada)
    hosted.settle()
    assert "does not hold its workflow files yet" in hosted.sticky(issue)
    assert "brat:blocked" in issue.labels
    assert not any(ref.startswith("refs/heads/convoy/") for ref in hosted.repo.refs)


def test_t13_a_log_that_is_set_back_on_the_host_is_whole_again(make_hosted: MakeHosted) -> None:
    hosted = make_hosted(config=GATED)
    issue = planned(hosted)
    early = hosted.repo.refs[WAL]
    hosted.repo.comment(issue, "/brat hold 1\n/brat approve", by=hosted.ada)
    hosted.settle()
    before = on_the_host(hosted)
    hosted.repo.set_ref(WAL, early, by=hosted.ada)
    assert not before <= on_the_host(hosted)
    hosted.settle()
    assert before <= on_the_host(hosted)
    assert approver(hosted) == "ada"
    told = [each for each in replies(hosted, issue) if "was set back" in each]
    assert len(told) == 1
    assert early[:12] in told[0]
    hosted.restart()
    hosted.settle()
    hosted.repo.set_ref(WAL, None, by=hosted.ada)
    hosted.settle()
    assert ["was gone" in each for each in replies(hosted, issue) if "was set back" in each] == [False, True]


def test_t13_a_log_that_is_replaced_by_another_one_decides_nothing(make_hosted: MakeHosted) -> None:
    hosted = make_hosted(config=GATED)
    issue = planned(hosted)
    before = on_the_host(hosted)
    hosted.repo.set_ref(WAL, hosted.repo.branch("main"), by=hosted.ada)
    hosted.run_pass()
    hosted.repo.comment(issue, "/brat pause", by=hosted.ada)
    hosted.settle()
    assert status(hosted) is ConvoyStatus.PAUSED
    assert before <= on_the_host(hosted)


@pytest.mark.full
def test_t15_t19_a_forks_pull_request_with_our_branchs_name_is_not_ours(hosted: HostedWorld) -> None:
    fork = hosted.repo.fork(by=hosted.eve)
    fork.push("convoy/work/task-1", {"evil.txt": "boo\n"}, by=hosted.eve)
    theirs = hosted.repo.pull("convoy/work/task-1", head_repo=fork.id, by=hosted.eve, title="First")
    hosted.repo.ci(green)
    issue = hosted.ask("The work", ONE)
    hosted.until(lambda: issue.state == "closed")
    (ours,) = pulls(hosted)
    assert ours.merged
    assert not theirs.merged
    assert theirs.issue.labels == []
    assert not hosted.said(theirs.number)
    assert hosted.repo.git.text("main", "evil.txt") is None


@pytest.mark.full
def test_t19_a_pull_request_that_a_person_opened_from_our_branch_is_named(hosted: HostedWorld) -> None:
    issue = in_review(hosted)
    hosted.repo.close(pulls(hosted)[0], by=hosted.ada)
    theirs = hosted.repo.pull("convoy/work/task-1", by=hosted.ada)
    hosted.settle()
    hosted.repo.comment(issue, "/brat retry 1", by=hosted.ada)
    hosted.until(lambda: "already exists" in hosted.sticky(issue))
    hosted.repo.close(theirs, by=hosted.ada)
    hosted.until(lambda: len(pulls(hosted)) == 2)
    builds(hosted.repo)
    hosted.until(lambda: done(hosted))
    assert not theirs.merged


@pytest.mark.full
def test_t17_two_installations_in_one_process_share_no_token(hosted: HostedWorld) -> None:
    hub = hosted.hub
    bob = hub.person("bob", access=None)
    paths = (".brat/config.toml", ".github/workflows/ci.yml")
    files = {path: hosted.repo.git.text("main", path) or "" for path in paths}
    other = hub.repository("bob-corp/else", private=True, files=files)
    other.set_access(bob, "write")
    second = hub.install(hosted.app, other)
    issue = other.issue(title="Other work", body=ONE, by=bob)
    other.label(issue, "brat", by=bob)
    hosted.repo.comment(hosted.ask("The work", ONE), "/brat hold 1", by=bob)
    for _ in range(6):
        hosted.run_pass()
        hosted.worker().pass_over(other.id, second.id)
    tokens = [each for each in hub.tokens.values() if each.installation is not None]
    assert {each.installation.id for each in tokens if each.installation} == {
        hosted.installation.id,
        second.id,
    }
    for each in tokens:
        assert each.installation is not None
        whole = each.repositories is None
        assert whole or len(each.repositories or ()) == 1
        assert whole or set(each.repositories or ()) <= each.installation.repositories
        assert not whole or dict(each.permissions) == {"metadata": "read"}
    assert not [each for each in hub.journal.asked if each.status in (401, 403)]
    assert hosted.task(1).hold is None
    opened = hosted.worker().opened(other.id)
    assert opened is not None
    assert [each.title for each in opened.reconciler().board().convoys] == ["Other work"]
    assert len(hosted.board.convoys) == 1


def test_t19_a_strangers_copy_of_our_marker_is_not_taken_for_our_comment(make_hosted: MakeHosted) -> None:
    hosted = make_hosted(config=GATED)
    hosted.hub.faults.add("POST */comments", status=502)
    issue = hosted.ask("The work", ONE)
    hosted.run_pass()
    marker = f"All is well.\n\n<!-- brat:sticky:{hosted.convoy.id} -->"
    theirs = hosted.repo.comment(issue, marker, by=hosted.eve)
    hosted.until(lambda: bool(hosted.sticky(issue)))
    hosted.settle()
    assert "Waiting for approval" in hosted.sticky(issue)
    assert theirs.body == marker


def test_t19_a_check_named_like_ours_by_another_app_is_not_ours(hosted: HostedWorld) -> None:
    in_review(hosted)
    (pull,) = pulls(hosted)
    posing = hosted.hub.app("posing")
    fake = hosted.repo.check(pull.head_sha, "brat", app=posing, external_id=f"check:{pull.head_sha}")
    hosted.restart()
    hosted.settle()
    own = [each for each in hosted.repo.data.checks.values() if each.suite.app is hosted.app]
    assert len(own) == 1
    assert fake.conclusion == "success"
    assert not pull.merged
    builds(hosted.repo)
    hosted.until(lambda: done(hosted))


def test_t20_decisions_that_somebody_else_writes_into_the_log_do_not_count(
    make_hosted: MakeHosted,
) -> None:
    hosted = make_hosted(config=GATED)
    issue = planned(hosted)
    convoy = hosted.convoy
    assert convoy.plan is not None
    stranger = Log(
        hosted.repo.git.path,
        identity=Identity.create(),
        state_dir=hosted.root / "stranger",
        clock=hosted.clock,
    )
    block = {"fact": "PlanApproved", "hash": convoy.plan.hash, "by": "ada"}
    answered = {"fact": "Answered", "key": "label:1", "number": 1, "by": "ada", "accepted": True}
    stranger.append([Draft(IssueId(convoy.issue), CommentAdded(write_json_block(block)))])
    stranger.append([Draft(IssueId(convoy.issue), CommentAdded(write_json_block(answered)))])
    stranger.append([Draft(IssueId(convoy.tasks[0].issue), LabelAdded("status:merged"))])
    hosted.settle()
    assert approver(hosted) is None
    assert states(hosted) == [TaskStatus.QUEUED]
    assert not hosted.convoy.all_sessions
    hosted.repo.comment(issue, "/brat approve", by=hosted.ada)
    hosted.until(lambda: bool(pulls(hosted)))
