"""Whole sessions with a scripted agent, in both isolations."""

from __future__ import annotations

from app.ports import CheckSpec, Finding, Limits
from tests.runner.conftest import Rig


def test_work_is_committed_checked_and_bundled(rig: Rig, isolation: str) -> None:
    result = rig.run("cat > greeting.txt; echo wrote it", checks=("grep -q greeting greeting.txt",))
    assert (result.finding, result.error, result.touched) == (Finding.DONE, "", ("greeting.txt",))
    head = rig.repository.unbundled(rig.root / result.session / "result.bundle")
    assert head == result.head
    assert rig.repository.show(f"{head}:greeting.txt") == "Write a greeting."


def test_leftovers_are_committed_with_trailers(rig: Rig) -> None:
    result = rig.run("echo hi > greeting.txt")
    head = rig.repository.unbundled(rig.root / result.session / "result.bundle")
    shown = rig.repository.log(head)
    assert shown == "brat agent\nGreet the world\n\nBrat-Convoy: greet\nBrat-Task: task-1"


def test_commits_of_the_agent_are_kept(rig: Rig) -> None:
    result = rig.run(
        "echo 1 > a; git add a; git commit -qm first; echo 2 > b; git add b; git commit -qm second"
    )
    rig.repository.unbundled(rig.root / result.session / "result.bundle")
    assert rig.repository.subjects(rig.base, str(result.head)) == ["second", "first"]


def test_by_products_of_checks_are_not_committed(rig: Rig) -> None:
    result = rig.run("echo 1 > a", checks=("echo junk > junk.txt", "test -f junk.txt"))
    assert (result.finding, result.touched) == (Finding.DONE, ("a",))


def test_agent_that_changes_nothing_has_not_succeeded(rig: Rig, isolation: str) -> None:
    result = rig.run("echo All done, everything works.", checks=("true",))
    assert (result.finding, result.exit_code, result.head) == (Finding.NO_CHANGE, 0, None)
    assert result.checks == ()


def test_failed_acceptance_shows_its_output_and_keeps_the_work(rig: Rig, isolation: str) -> None:
    result = rig.run("echo 1 > a", checks=("echo expected 2, found 1; exit 1", "true"))
    assert (result.finding, result.error) == (Finding.ACCEPTANCE, "1 of 2 commands failed: check-1")
    assert [each.exit_code for each in result.checks] == [1, 0]
    assert result.checks[0].tail == "expected 2, found 1\n"
    assert rig.repository.unbundled(rig.root / result.session / "result.bundle") == result.head


def test_missing_program_in_a_check_names_the_setting(rig: Rig) -> None:
    result = rig.run("echo 1 > a", checks=("no-such-program",))
    assert "`[sandbox] path`" in result.checks[0].tail


def test_check_beyond_its_own_limit_has_failed(rig: Rig) -> None:
    slow = CheckSpec("slow", "echo begun; exec sleep 600", timeout_ms=300)
    result = rig.run("echo 1 > a", specs=(slow,))
    assert (result.finding, result.checks[0].exit_code) == (Finding.ACCEPTANCE, None)
    assert result.checks[0].tail.startswith("begun\n[ended after")


def test_engine_that_fails_is_an_error_with_its_last_line(rig: Rig, isolation: str) -> None:
    result = rig.run("echo 1 > a; echo first >&2; echo no key >&2; exit 3")
    assert (result.finding, result.exit_code, result.error) == (Finding.ENGINE_ERROR, 3, "no key")


def test_engine_killed_from_outside_has_crashed(rig: Rig, isolation: str) -> None:
    result = rig.run("kill -9 $$")
    assert (result.finding, result.exit_code) == (Finding.CRASHED, 137)


def test_session_without_engine_runs_its_checks_only(rig: Rig) -> None:
    good = rig.run("", engine=None, checks=("test -f README",))
    assert (good.finding, good.head, good.exit_code) == (Finding.DONE, None, None)
    bad = rig.run("", engine=None, checks=("test -f missing",))
    assert (bad.finding, bad.error) == (Finding.ACCEPTANCE, "1 of 1 commands failed: check-1")


def test_plan_session_reads_and_answers(rig: Rig) -> None:
    result = rig.run("cat README; echo x > README || echo fixed", read_only=True)
    assert (result.finding, result.answer, result.head) == (Finding.DONE, "hello\nfixed", None)


def test_plan_session_without_an_answer_has_failed(rig: Rig) -> None:
    assert rig.run("true", read_only=True).finding is Finding.ENGINE_ERROR


def test_carried_work_is_in_the_tree_and_uncommitted(rig: Rig) -> None:
    carry = rig.repository.commit({"old.txt": "earlier\n"}, onto=rig.base)
    result = rig.run("git status --short; echo more > new.txt", carry=carry)
    assert result.answer == "A  old.txt"
    assert (result.finding, result.touched) == (Finding.DONE, ("new.txt", "old.txt"))


def test_conflict_of_carried_work_has_to_be_resolved(rig: Rig) -> None:
    carry = rig.repository.commit({"README": "hello moon\n"}, onto=rig.base)
    base = rig.repository.commit({"README": "hello sun\n"}, onto=rig.base)
    left = rig.run("echo 1 > a", carry=carry, base=base)
    assert (left.finding, left.error) == (Finding.CONFLICT_LEFT, "conflict markers are left in README")
    resolved = rig.run("echo hello both > README", carry=carry, base=base, checks=("grep both README",))
    assert (resolved.finding, resolved.touched) == (Finding.DONE, ("README",))


def test_carry_that_cannot_be_merged_does_not_end_the_session(rig: Rig) -> None:
    assert rig.run("echo 1 > a", carry="0" * 40).finding is Finding.DONE


def test_history_rewritten_before_the_base_becomes_one_commit_on_it(rig: Rig) -> None:
    result = rig.run("echo 1 > a; git checkout -q --orphan fresh; git add -A; git commit -qm all")
    rig.repository.unbundled(rig.root / result.session / "result.bundle")
    assert rig.repository.subjects(rig.base, str(result.head)) == ["Greet the world"]
    assert result.touched == ("a",)


def test_work_on_another_branch_is_found(rig: Rig) -> None:
    result = rig.run("git checkout -q -b mine; echo 1 > a; git add a; git commit -qm mine")
    assert rig.repository.unbundled(rig.root / result.session / "result.bundle") == result.head


def test_base_that_is_not_there_is_a_setup_failure(rig: Rig) -> None:
    result = rig.run("true", base="1" * 40)
    assert result.finding is Finding.SETUP
    assert "cannot check out the base 111111111111" in result.error


def test_result_names_log_limits_and_isolation(rig: Rig, isolation: str) -> None:
    result = rig.run("echo 1 > a; echo said", limits=Limits(60_000, 60_000))
    assert result.isolation == {"bwrap": "bwrap", "process": "process (unsafe)"}[isolation]
    assert result.log_ref is not None
    assert result.log_ref.startswith("sha256:")
    assert (result.tail, result.answer) == ("said\n", "said")
    assert result.started_ts <= result.ended_ts
