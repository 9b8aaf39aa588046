"""What the Rust tool of the same name promises, and its ten failures on this very job, by name."""

from __future__ import annotations

import os
import shutil
import signal

import pytest

from app.board import record
from app.control import End, Pass, Stop
from app.ports import TaskCommented
from tests.runs.conftest import Make
from tests.runs.summary import summary
from tests.runs.world import CHECKED, World

RED = '[refinery]\nmerge_retry_limit = 2\n[[refinery.check]]\nname = "red"\nrun = "test ! -e task-1.txt"\n'


def test_property_1_work_in_several_workspaces_leaves_git_status_clean(world: World) -> None:
    world.start()
    assert world.run(on_look=lambda _: world.expect_clean_checkout()) is End.LANDED
    world.expect_clean_checkout()


def test_property_3_without_a_process_running_one_comments_and_rebuilds(world: World) -> None:
    world.start()
    shop, board = world.workshop(), world.board()
    remark = TaskCommented(world.task(1).issue, "Ada", "Mind the gap.")
    shop.log(write=True).append(record(board, (remark,), now=shop.surroundings.clock()))
    (world.state / "log.seen").unlink()
    assert world.task(1).remarks == ("Mind the gap.",)
    assert world.run() is End.LANDED
    assert "Mind the gap." in world.prompt(1)


def test_property_4_killed_engine_leaves_a_comment_with_its_end_and_last_lines(world: World) -> None:
    world.plays("task-1", "cat > /dev/null\necho almost there\nkill -9 $$\n", attempt=1)
    world.start()
    assert world.run() is End.LANDED
    ended = world.works(1)[0].ended
    assert ended is not None
    assert ended.exit_code == 137
    assert "signal 9" in ended.evidence
    assert "almost there" in ended.evidence


def test_property_6_damaged_cache_is_made_anew_and_no_ref_is_rewritten(world: World) -> None:
    world.start()
    assert world.run() is End.LANDED
    before, refs = summary(world.board()), world.refs()
    for each in world.state.iterdir():
        if each.is_dir():
            shutil.rmtree(each)
        elif each.name not in ("identity.json", "pins.json"):
            each.write_bytes(b"\0 damaged")
    assert summary(world.board()) == before
    assert world.run() is End.LANDED
    assert world.refs() == refs


def test_failure_1_no_task_starts_before_what_it_depends_on_is_in_its_base(world: World) -> None:
    world.start()
    assert world.run() is End.LANDED
    merged = world.task(1).merge_commit
    assert merged is not None
    base = world.works(2)[0].started.base
    world.git("merge-base", "--is-ancestor", merged, base)
    assert world.works(2)[0].started_ts > world.task(1).merges[-1].started_ts


def test_failure_2_the_engine_is_told_its_task(world: World) -> None:
    world.plays("task-1", "cat > told.txt\n")
    world.start("- [ ] Greet the world\n  Say it in Latin.\n  run: grep -q Latin told.txt\n")
    assert world.run() is End.LANDED
    told = world.git("show", "main:told.txt")
    assert "Greet the world" in told
    assert "Say it in Latin." in told
    assert "grep -q Latin told.txt" in told


def test_failure_3_nothing_but_the_agents_own_work_is_in_the_workspace(world: World) -> None:
    world.plays("task-1", "cat > /dev/null\nls -A > seen.txt\ngit status --porcelain >> seen.txt\n")
    world.start("- [ ] Look around\n")
    assert world.run() is End.LANDED
    assert world.git("show", "main:seen.txt").split("\n") == [
        ".brat",
        ".git",
        "README.md",
        "seen.txt",
        "?? seen.txt",
    ]
    work = world.task(1).work
    assert work is not None
    assert work.touched == ("seen.txt",)


def test_failure_4_work_is_on_its_branch_when_its_workspace_is_gone(world: World) -> None:
    world.start("- [ ] Greet\n")
    assert world.run() is End.LANDED
    session = world.works(1)[0]
    assert not world.folder(session.id).workspace.exists()
    work = world.task(1).work
    assert work is not None
    assert world.refs()[f"refs/heads/convoy/{world.convoy.slug}/task-1"] == work.head


def test_failure_5_finished_work_goes_through_review_and_the_queue(world: World) -> None:
    world.start()
    assert world.run() is End.LANDED
    assert world.events('"WorkPublished"') == 3
    assert world.events('result = "running"') >= 3


def test_failure_6_task_of_dead_sessions_is_given_up_with_the_reason(make_world: Make) -> None:
    world = make_world(config=f"[swarm]\nattempts = 2\n{CHECKED}")
    world.plays("task-1", "echo dying >&2\nkill -9 $$\n")
    world.start()
    assert world.run() is End.WAITING
    assert world.task(1).status.value == "blocked"
    assert len(world.works(1)) == 2
    blocked = world.task(1).blocked
    assert blocked is not None
    assert "2 of 2 attempts failed" in blocked.reason
    assert "brat task retry" in blocked.unblock
    assert world.task(3).status.value == "merged"


def test_failure_7_limits_of_merging_outlive_the_process(make_world: Make) -> None:
    world = make_world(config=RED)
    world.start("- [ ] Greet\n  run: true\n")
    ends = []
    for _ in range(8):
        stop, before = Stop(), len(world.task(1).merges)

        def look(seen: Pass, stop: Stop = stop, before: int = before) -> None:
            merges = seen.board.convoys[-1].tasks[0].merges
            if len(merges) > before and merges[-1].result == "failed" and not stop.asked:
                stop.ask()

        ends.append(world.run(stop=stop, on_look=look))
        if ends[-1] is End.WAITING:
            break
    assert ends[-1] is End.WAITING
    assert len(ends) > 2
    assert [each.result for each in world.task(1).merges] == ["failed"] * 3
    assert "did not land after 3 tries" in str(world.task(1).blocked)


def test_failure_8_check_that_cannot_run_is_an_end_and_no_endless_wait(make_world: Make) -> None:
    lost = '[refinery]\nmerge_retry_limit = 0\n[[refinery.check]]\nname = "lost"\nrun = "no-such-program"\n'
    world = make_world(config=lost)
    world.start("- [ ] Greet\n  run: true\n")
    assert world.run() is End.WAITING
    assert "commands failed: lost" in str(world.task(1).blocked)
    assert "no-such-program" in world.task(1).merges[-1].evidence


def test_failure_8_of_two_runs_of_one_check_the_newest_counts(world: World) -> None:
    world.commit({".brat/config.toml": SLOW_CHECK.format(shell=world.lent)}, "Check slowly")
    killed: list[str] = []

    def kill_first(seen: Pass) -> None:
        for id, view in seen.seen.sessions.items():
            if view.phase == "checks" and view.last_line == "checking" and not killed:
                killed.append(id)
                (world.lent / "quick").touch()
                os.kill(int(world.folder(id).pid.read_text()), signal.SIGKILL)

    world.start("- [ ] Greet\n  run: true\n")
    assert world.run(on_look=kill_first) is End.LANDED
    checks = [each for each in world.task(1).sessions if each.started.purpose == "check"]
    assert [each.ended and each.ended.finding.value for each in checks] == ["crashed", "done"]


SLOW_CHECK = (
    '[engine.default]\ntype = "shell"\n[[refinery.check]]\nname = "slow"\n'
    'run = "echo checking; test -e {shell}/quick || sleep 600"\n'
)


def test_failure_9_base_has_any_name_and_the_own_checkout_is_not_worked_in(make_world: Make) -> None:
    world = make_world(base="trunk")
    world.git("checkout", "-q", "-b", "mine")
    before = world.git("reflog", "HEAD")
    world.start()
    assert world.run() is End.LANDED
    assert sorted(world.landed("trunk")) == ["First", "Second", "Third"]
    assert world.git("reflog", "HEAD") == before
    assert world.git("remote") == ""


@pytest.mark.parametrize(
    ("limit", "script", "finding"),
    [
        ("session_timeout", "while :; do echo busy; sleep 0.2; done\n", "timeout"),
        ("idle_timeout", "echo up\nsleep 600\n", "silent"),
    ],
)
def test_failure_10_hung_agent_is_ended_at_its_limit(
    limit: str, script: str, finding: str, make_world: Make
) -> None:
    world = make_world(config=f'[swarm]\n{limit} = "3s"\n{CHECKED}')
    world.plays("task-1", script, attempt=1)
    world.start()
    assert world.run() is End.LANDED
    assert [each.ended and each.ended.finding.value for each in world.works(1)] == [finding, "done"]
    world.expect_landed("First", "Second", "Third")
