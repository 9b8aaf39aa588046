"""People, CI, faults and deaths in any order: what must hold after each step, and at rest."""

from __future__ import annotations

import tempfile
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from app.board import Convoy
from app.ports import Verdict
from tests.fakehub import CheckRun, MergeRefused, Project, Pull
from tests.hosted.conftest import TWO_TASKS, world_in
from tests.hosted.ends import expect_no_doubles
from tests.hosted.watched import TIGHT, Watch, expect_within_limits
from tests.hosted.world import HostedWorld

PLANS = ("- [ ] First\n", TWO_TASKS, "- [ ] First\n- [ ] Second\n")
SAID = (
    "/brat status", "/brat pause", "/brat resume", "/brat hold 1", "/brat unhold 1", "/brat retry",
    "/brat retry 1", "/brat merge", "/brat drop 2", "/brat cancel", "/brat approve", "/brat nonsense",
    "/brat priority urgent", "/brat priority low",
)  # fmt: skip
FAULTS = (
    "POST */comments", "PATCH */comments/*", "POST */pulls", "PUT */merge", "POST */check-runs",
    "POST */git-receive-pack", "POST */graphql", "GET */issues*", "GET */pulls", "GET */comments",
)  # fmt: skip
HOW = st.sampled_from(
    [{"status": 502}, {"status": 502, "after": True}, {"status": 0, "after": True}, {"back": 1}, {"back": 2}]
)
INDEX = st.integers(0, 5)
ASKS = {
    "protection": "",
    "strict protection": "",
    "require_ci": "[refinery]\nrequire_ci = true\n",
    "required_checks": '[refinery]\nrequired_checks = ["build"]\n',
}
"""Who asks for green checks: GitHub, or our configuration alone."""


class People(RuleBasedStateMachine):
    """`ada` may write, `eve` may not. CI says what it is told to say."""

    world: HostedWorld
    tight: bool

    def __init__(self) -> None:
        super().__init__()
        self.stack = ExitStack()
        self.waiting: list[CheckRun] = []
        self.asked = 0
        self.watch = Watch()

    @initialize(asks=st.sampled_from(sorted(ASKS)), tight=st.booleans())
    def begin(self, asks: str, tight: bool) -> None:
        root = Path(self.stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        config = ASKS[asks] + (TIGHT if tight else "")
        self.world = world = self.stack.enter_context(world_in(root, config=config))
        self.stack.enter_context(self.watch.watching(world))
        self.tight = tight
        world.failed = []

        def robot(repo: Project, branch: str, head: str) -> None:
            if branch.startswith("convoy/"):
                self.waiting.append(repo.check(head, "build", None))

        world.repo.check(world.repo.branch("main") or "", "build")
        world.repo.ci(robot)
        if not ASKS[asks]:
            world.repo.protect("main", "build", strict=asks == "strict protection")
        self.ask(plan=PLANS[1], ada=True)

    @precondition(lambda self: self.asked < 3)
    @rule(plan=st.sampled_from(PLANS), ada=st.booleans())
    def ask(self, plan: str, ada: bool) -> None:
        world = self.world
        self.asked += 1
        issue = world.repo.issue(title=f"Request {self.asked}", body=plan, by=world.ada)
        world.repo.label(issue, "brat", by=world.ada if ada else world.eve)

    @rule(times=st.integers(1, 4))
    def time_goes_on(self, times: int) -> None:
        for _ in range(times):
            self.one_look()

    @rule(red=st.booleans(), often=st.integers(1, 3))
    def ci_reports(self, red: bool, often: int) -> None:
        for _ in range(min(often, len(self.waiting))):
            self.world.repo.finish(self.waiting.pop(0), "failure" if red else "success")
        self.one_look()

    @rule(text=st.sampled_from(SAID), ada=st.booleans(), at=INDEX)
    def somebody_says(self, text: str, ada: bool, at: int) -> None:
        world = self.world
        numbers = sorted(world.repo.data.issues)
        by = world.ada if ada else world.eve
        world.repo.comment(numbers[at % len(numbers)], text, by=by)
        self.one_look()

    @precondition(lambda self: self.open_pulls())
    @rule(ada=st.booleans(), at=INDEX)
    def somebody_asks_for_changes(self, ada: bool, at: int) -> None:
        world = self.world
        by = world.ada if ada else world.eve
        world.repo.review(self.pull(at), "CHANGES_REQUESTED", "not so", by=by)

    @precondition(lambda self: self.open_pulls())
    @rule(what=st.sampled_from(("close", "merge", "push", "delete")), at=INDEX)
    def ada_has_her_way_with_a_pull(self, what: str, at: int) -> None:
        world, pull = self.world, self.pull(at)
        if what == "close":
            world.repo.close(pull, by=world.ada)
        elif what == "push":
            world.repo.push(pull.head, {"mine.txt": "x\n"}, by=world.ada, force=pull.base_sha)
        elif what == "delete":
            world.repo.set_ref(f"refs/heads/{pull.head}", None, by=world.ada)
        else:
            try:
                world.repo.merge(pull, by=world.ada)
            except MergeRefused:
                return

    @rule()
    def base_moves(self) -> None:
        world = self.world
        made = world.repo.push("main", {f"main-{world.hub.next_id()}.txt": "x\n"}, by=world.ada)
        world.repo.check(made, "build")

    @rule(route=st.sampled_from(FAULTS), how=HOW, skip=st.integers(0, 2))
    def something_breaks(self, route: str, how: dict[str, int], skip: int) -> None:
        self.world.hub.faults.add(route, skip=skip, **how)

    @rule()
    def worker_dies(self) -> None:
        self.world.restart()
        self.world.hub.clock.advance(130)

    @rule()
    def tokens_end(self) -> None:
        self.world.hub.clock.advance(10)
        self.world.hub.revoke(self.world.installation)

    @invariant()
    def only_what_was_green_was_merged_by_us(self) -> None:
        repo = self.world.repo
        for change in self.world.hub.journal.changes_of("merge", by="brat[bot]"):
            pull = repo.data.pulls[int(change.subject)]
            passed = [
                each.conclusion
                for each in repo.data.checks.values()
                if each.suite.head == pull.head_sha and each.name == "build"
            ]
            assert passed, pull.number
            assert passed[-1] == "success", pull.number

    @invariant()
    def nothing_is_done_twice(self) -> None:
        merges = Counter(each.subject for each in self.world.hub.journal.changes_of("merge"))
        assert all(count == 1 for count in merges.values()), merges
        opened = [each for each in self.world.repo.data.pulls.values() if each.issue.state == "open"]
        assert all(count == 1 for count in Counter(each.head for each in opened).values())
        expect_no_doubles(self.world)

    @invariant()
    def strangers_do_nothing(self) -> None:
        board = self.world.board
        eve = self.world.eve
        assert all(each.request is None or each.request.by_id != eve.id for each in board.convoys)
        assert not [each for each in board.ledger.answered.values() if each.accepted and each.by_id == eve.id]
        told = [each.paused.by for each in board.convoys if each.paused]
        assert "eve" not in told

    @invariant()
    def budget_is_kept(self) -> None:
        self.watch.expect_budget_kept()
        if self.tight:
            expect_within_limits(self.world.board)

    @invariant()
    def order_is_fair(self) -> None:
        assert self.watch.unfair == []

    def teardown(self) -> None:
        with self.stack:
            if self.asked:
                self.come_to_rest()
                self.nothing_is_stuck_in_silence()
                self.log_tells_all()

    def come_to_rest(self) -> None:
        """Nothing breaks any more; a few looks beyond every deadline."""
        self.world.hub.faults.clear()
        for _ in range(4):
            self.world.hub.clock.advance(130)
            self.world.settle()

    def nothing_is_stuck_in_silence(self) -> None:
        after = self.world.run_pass()
        said: dict[str, list[Verdict]] = {}
        for each in self.world.worker().verdicts(self.world.repo.id):
            said.setdefault(each.subject, []).append(each)
        for convoy in self.world.board.open_convoys:
            assert after.look_again is not None
            about = [each for subject in subjects(convoy) for each in said.get(subject, ())]
            assert about, self.world.told()
            for each in about:
                assert each.because
                assert each.who or each.unblock or each.next_look_ts or each.parts, each

    def log_tells_all(self) -> None:
        """A machine with an empty disk and the App's key reads the same board from GitHub (P3)."""
        world = self.world
        live = world.board
        world.close()
        (world.root / "data" / "repos").rename(world.root / "lost")
        opened = world.worker().open(world.repo.id, world.installation.id)
        assert opened is not None
        fresh = opened.reconciler()
        fresh.forge.refresh()
        assert fresh.board() == live

    def one_look(self) -> None:
        """A pass; and the end of a session where one runs and nothing else moves."""
        after = self.world.run_pass()
        if after.changed:
            return
        if self.world.sessions_run():
            self.world.await_session()
        elif after.look_again:
            self.world.hub.clock.advance(max(1.0, (after.look_again - self.world.clock()) / 1000))

    def open_pulls(self) -> list[Pull]:
        ours = self.world.repo.data.pulls.values()
        return [each for each in ours if each.issue.state == "open" and not each.merged]

    def pull(self, at: int) -> Pull:
        found = self.open_pulls()
        return found[at % len(found)]


def subjects(convoy: Convoy) -> tuple[str, ...]:
    return (convoy.issue, *(task.issue for task in convoy.tasks))


def play(examples: int, steps: int, *, part: int) -> None:
    """The same examples each time, others for each part. Not made smaller: an example takes seconds."""
    run_state_machine_as_test(
        seed(part)(type("People", (People,), {})),
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            database=None,
            deadline=None,
            phases=(Phase.generate,),
            suppress_health_check=list(HealthCheck),
        ),
    )


@pytest.mark.timeout(600)
def test_what_people_ci_and_faults_do_breaks_no_promise() -> None:
    play(2, 15, part=0)


@pytest.mark.full
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("part", range(1, 5))
def test_whatever_people_ci_and_faults_do_breaks_no_promise(part: int) -> None:
    play(5, 40, part=part)
