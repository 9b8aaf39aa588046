"""Board and world in, sessions and reasons out."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

import pytest

from app import witness
from app.board import Look, TaskStatus, change_priority, in_turn
from app.config import Budget, Config, EngineChoice, SwarmPolicy
from app.ports import (
    ConvoyCancelled,
    ConvoyPaused,
    Decision,
    Finding,
    FollowUpWanted,
    HoldPlaced,
    HoldReleased,
    Life,
    MergeStarted,
    MergeSucceeded,
    PlannedTask,
    Role,
    Seen,
    SessionEnded,
    SessionResult,
    SessionSeen,
    SessionStarted,
    StartSession,
    StopSession,
    TaskBlocked,
    TaskCommented,
    TaskDropped,
    TaskRequeued,
    TaskRetried,
    Usage,
    VerdictState,
    WorkPublished,
)
from tests.book import BASE, ME, STRANGER, Book, only, started

SHELL = Config(engines=(("default", EngineChoice("shell")),))
S1 = "s-20260101-0001"


def seen(life: Life, *, result: SessionResult | None = None, phase: str = "") -> Seen:
    return Seen(sessions=MappingProxyType({S1: SessionSeen(life, phase, result=result)}))


def a_result(finding: Finding, error: str = "", tail: str = "") -> SessionResult:
    return SessionResult(S1, finding, 1, 1, 2, error=error, tail=tail, head="b" * 40)


def running(book: Book, *, attempt: int = 1, session: str = S1) -> str:
    """The first task with a session that was just started."""
    task = book.board().convoys[0].tasks[0]
    deadline = book.now + 60_000
    book.write(SessionStarted(task.issue, session, Role.WITNESS, "work", attempt, BASE, deadline, "shell"))
    return task.issue


def deadline(book: Book) -> int:
    """When the session of the first task has to be over."""
    return book.board().convoys[0].tasks[0].sessions[-1].started.deadline_ts


def fail(book: Book, times: int, finding: Finding = Finding.NO_CHANGE) -> str:
    """The first task after so many failed attempts, each requeued but the last."""
    issue = book.board().convoys[0].tasks[0].issue
    for attempt in range(1, times + 1):
        name = f"s-20260101-{attempt:04d}"
        running(book, attempt=attempt, session=name)
        book.write(SessionEnded(issue, name, Role.WITNESS, "work", finding, 1, 9, evidence="why\nmore"))
        if attempt < times:
            book.write(TaskRequeued(issue, "again"))
    return issue


def decide(book: Book, seen: Seen | None = None, config: Config = SHELL, **setting: object) -> Decision:
    return witness.decide(book.look(seen, config=config, **setting))


def reasons(decision: Decision) -> dict[str, str]:
    return {verdict.rule: verdict.because for verdict in decision.verdicts}


def test_a_ready_task_gets_a_session_and_its_dependent_says_what_it_waits_for() -> None:
    book = Book()
    book.open(PlannedTask("one", "First"), PlannedTask("two", "Second", depends_on=("one",)))
    decision = decide(book)
    (session,) = started(decision.facts)
    assert (session.attempt, session.base, session.engine, session.purpose) == (1, BASE, "shell", "work")
    assert reasons(decision) == {"dependency": "waits for task 1, which is queued"}


def test_a_dependent_starts_only_from_a_base_that_holds_the_merge() -> None:
    book = Book()
    board = book.open(PlannedTask("one", "First"), PlannedTask("two", "Second", depends_on=("one",)))
    convoy = board.convoys[0]
    issue = convoy.tasks[0].issue
    book.write(MergeStarted(issue, 1, "rebase", BASE, "b" * 40, "c" * 40, "d" * 40))
    book.write(MergeSucceeded(issue, 1, "rebase", "c" * 40, BASE))
    assert started(decide(book).facts) == []
    target = convoy.target
    there = Seen(refs=MappingProxyType({target: "e" * 40}), contains=frozenset({(target, "c" * 40)}))
    (session,) = started(decide(book, there).facts)
    assert session.base == "e" * 40


def test_most_blocking_goes_first_when_slots_are_few() -> None:
    book = Book()
    book.open(
        PlannedTask("leaf", "Leaf"),
        PlannedTask("root", "Root"),
        PlannedTask("next", "Next", depends_on=("root",)),
    )
    one_slot = replace(SHELL, swarm=SwarmPolicy(max_polecats=1))
    decision = decide(book, config=one_slot)
    (session,) = started(decision.facts)
    assert session.issue == book.board().convoys[0].tasks[1].issue
    assert reasons(decision)["slots"] == "1 of 1 sessions run ([swarm] max_polecats)"


def test_a_convoy_of_higher_priority_starts_first_until_another_has_waited_long_enough() -> None:
    book = Book()
    older = book.open(goal="Older").convoys[0]
    newer = book.open(goal="Newer").convoys[1]
    book.write(*change_priority(newer, by="Ada", level=1))
    one_slot = replace(SHELL, swarm=SwarmPolicy(max_polecats=1))
    (first,) = started(decide(book, config=one_slot).facts)
    assert first.issue == newer.tasks[0].issue
    assert [each.slug for each in in_turn(book.board())] == [newer.slug, older.slug]
    book.now += 3_600_000
    book.write(*change_priority(book.open(goal="Newest").convoys[2], by="Ada", level=1))
    assert [each.slug for each in in_turn(book.board())][:2] == [newer.slug, older.slug]


def test_tasks_that_may_write_the_same_paths_do_not_run_at_once_across_convoys() -> None:
    book = Book()
    book.open(PlannedTask("one", "First", paths=("docs/**",)))
    running(book)
    book.open(PlannedTask("two", "Second", paths=("docs/api.md",)), goal="Other things")
    decision = decide(book, seen(Life.ALIVE))
    assert started(decision.facts) == []
    assert reasons(decision)["paths"] == "task 1 of jwt may write the same paths"


def test_nothing_starts_before_approval_or_while_paused_or_stopping() -> None:
    book = Book()
    convoy = book.open(approval="required").convoys[0]
    assert decide(book) == Decision()
    book = Book()
    convoy = book.open().convoys[0]
    assert started(decide(book, start=False).facts) == []
    book.write(ConvoyPaused(convoy.issue, "ada"))
    decision = decide(book)
    assert started(decision.facts) == []
    assert reasons(decision) == {"paused": "the convoy is paused"}


def test_a_hold_on_a_task_keeps_it_from_starting() -> None:
    book = Book()
    task = book.open().convoys[0].tasks[0]
    book.write(HoldPlaced(task.issue, None, None, "ada wants to look first", by="ada"))
    assert reasons(decide(book)) == {"hold": "ada wants to look first"}


@pytest.mark.parametrize(
    ("budget", "expected"),
    [
        (
            Budget(convoy_usd=1.0, session_usd=0.6),
            "0.60 USD of 1.00 spent or reserved, 0.60 needed ([budget] convoy_usd)",
        ),
        (
            Budget(day_usd=1.0, session_usd=0.6),
            "0.60 USD of 1.00 spent or reserved, 0.60 needed ([budget] day_usd)",
        ),
    ],
)
def test_a_session_starts_only_when_its_whole_cap_fits_the_budget(budget: Budget, expected: str) -> None:
    book = Book()
    book.open(PlannedTask("one", "First"), PlannedTask("two", "Second"))
    decision = decide(book, config=replace(SHELL, budget=budget))
    (session,) = started(decision.facts)
    assert session.reserved_usd == 0.6
    more = "; running sessions give back what they do not spend"
    assert reasons(decision) == {"budget": expected + more}


def test_without_a_cap_of_its_own_a_session_reserves_what_is_left_and_settles_what_it_spent() -> None:
    book = Book()
    book.open(PlannedTask("one", "First"), PlannedTask("two", "Second"))
    config = replace(SHELL, budget=Budget(convoy_usd=2.0))
    (first,) = started(decide(book, config=config).facts)
    assert first.reserved_usd == 2.0
    spent = Usage(100, 10, 0.5)
    end = SessionEnded(first.issue, first.session, Role.WITNESS, "work", Finding.DONE, 0, 9, spent)
    book.write(first)
    book.write(end)
    (second,) = started(decide(book, config=config).facts)
    assert second.reserved_usd == 1.5


def test_what_a_session_reserved_is_there_again_when_it_never_began() -> None:
    book = Book()
    book.open(PlannedTask("one", "First"), PlannedTask("two", "Second"))
    config = replace(SHELL, budget=Budget(convoy_usd=2.0))
    (first,) = started(decide(book, config=config).facts)
    book.write(first)
    book.write(TaskDropped(first.issue, "ada"))
    absent = Seen(sessions=MappingProxyType({first.session: SessionSeen(Life.ABSENT)}))
    (end,) = decide(book, absent, config=config).facts
    book.write(end)
    (second,) = started(decide(book, config=config).facts)
    assert second.reserved_usd == 2.0


def test_an_empty_budget_waits_for_a_person() -> None:
    book = Book()
    book.open(PlannedTask("one", "First"))
    task = book.board().convoys[0].tasks[0].issue
    config = replace(SHELL, budget=Budget(convoy_usd=1.0))
    (first,) = started(decide(book, config=config).facts)
    end = SessionEnded(task, first.session, Role.WITNESS, "work", Finding.NO_CHANGE, 0, 9)
    book.write(first)
    book.write(end, TaskRequeued(task, "no change"))
    (verdict,) = decide(book, config=config).verdicts
    assert (verdict.state, verdict.unblock) == (
        VerdictState.BLOCKED,
        "raise [budget] convoy_usd in .brat/config.toml",
    )


def test_a_recorded_session_that_is_nowhere_is_started_here_and_only_by_its_actor() -> None:
    book = Book()
    book.open(PlannedTask("one", "First", instructions="Be careful", commands=("true",)))
    running(book)
    (action,) = decide(book, seen(Life.ABSENT)).actions
    assert isinstance(action, StartSession)
    assert action.spec.id == S1
    assert "Be careful" in action.spec.engine.prompt if action.spec.engine else False
    assert [check.run for check in action.spec.checks] == ["true"]
    assert decide(book, seen(Life.ABSENT), me=STRANGER).actions == ()


def test_a_dead_runner_is_recorded_and_the_task_tried_again() -> None:
    book = Book()
    book.open()
    issue = running(book)
    end = only(decide(book, seen(Life.DEAD, phase="engine")).facts, SessionEnded)
    assert isinstance(end, SessionEnded)
    assert (end.finding, end.evidence) == (Finding.CRASHED, "its runner died in phase engine")
    book.write(end)
    assert decide(book).facts[0] == TaskRequeued(issue, "crashed: its runner died in phase engine")


def test_a_runner_that_cannot_be_seen_is_unknown_until_its_deadline_and_idle_time_are_over() -> None:
    book = Book()
    book.open()
    running(book)
    unknown = seen(Life.UNKNOWN)
    late = deadline(book) + SHELL.swarm.idle_timeout_ms
    assert decide(book, unknown, now=late).facts == ()
    end = only(decide(book, unknown, now=late + 1).facts, SessionEnded)
    assert isinstance(end, SessionEnded)
    assert end.evidence == "no sign of its runner since its deadline"


def test_a_session_past_its_deadline_is_stopped_though_its_runner_lives() -> None:
    book = Book()
    book.open()
    running(book)
    assert decide(book, seen(Life.ALIVE)).actions == ()
    assert decide(book, seen(Life.ALIVE), now=deadline(book) + 60_000).actions == ()
    (action,) = decide(book, seen(Life.ALIVE), now=deadline(book) + 60_001).actions
    assert action == StopSession(S1, "its deadline has passed")


def test_failures_go_into_the_next_prompt_and_end_at_the_cap() -> None:
    book = Book()
    book.open()
    issue = fail(book, 2)
    book.write(*decide(book).facts)
    assert book.board().convoys[0].tasks[0].status is TaskStatus.QUEUED
    (third,) = started(decide(book).facts)
    book.write(third)
    look: Look = book.look(
        Seen(sessions=MappingProxyType({third.session: SessionSeen(Life.ABSENT)})), config=SHELL
    )
    (action,) = witness.decide(look).actions
    assert isinstance(action, StartSession)
    assert action.spec.engine is not None
    assert action.spec.engine.prompt.count("Attempt 1: no-change") == 1
    book.write(SessionEnded(issue, third.session, Role.WITNESS, "work", Finding.TIMEOUT, None, 9))
    assert decide(book).facts == (
        TaskBlocked(
            issue,
            "3 of 3 attempts failed, the last: timeout",
            f"brat task retry {book.board().convoys[0].tasks[0].id}",
        ),
    )


def test_no_two_attempts_get_the_same_prompt() -> None:
    prompts = []
    for times in (0, 1, 2):
        book = Book()
        book.open()
        if times:
            fail(book, times)
            book.write(*decide(book).facts)
        (session,) = started(decide(book).facts)
        book.write(session)
        absent = Seen(sessions=MappingProxyType({session.session: SessionSeen(Life.ABSENT)}))
        (action,) = decide(book, absent).actions
        assert isinstance(action, StartSession)
        assert action.spec.engine is not None
        prompts.append(action.spec.engine.prompt)
    assert len(set(prompts)) == 3


def test_what_only_the_operator_can_mend_is_not_tried_again() -> None:
    book = Book()
    book.open()
    fail(book, 1, Finding.SETUP)
    (blocked,) = decide(book).facts
    assert isinstance(blocked, TaskBlocked)
    assert blocked.reason == "why\nmore"


def test_a_stop_by_a_person_costs_no_attempt() -> None:
    book = Book()
    book.open()
    fail(book, 3, Finding.STOPPED)
    (fact,) = decide(book).facts
    assert isinstance(fact, TaskRequeued)


def test_a_retry_by_a_person_begins_a_fresh_set_of_attempts_with_their_engine() -> None:
    book = Book()
    book.open()
    issue = fail(book, 3)
    book.write(*decide(book).facts)
    assert book.board().convoys[0].tasks[0].status is TaskStatus.BLOCKED
    book.write(TaskRetried(issue, "ada", "codex"))
    (session,) = started(decide(book).facts)
    assert (session.engine, session.attempt) == ("codex", 4)


def test_work_that_does_not_land_goes_back_with_the_evidence_and_its_commits() -> None:
    book = Book()
    book.open()
    issue = running(book)
    book.write(
        SessionEnded(issue, S1, Role.WITNESS, "work", Finding.DONE, 0, 9, head="b" * 40),
        WorkPublished(issue, S1, "convoy/jwt/task-1", "b" * 40, BASE, ("a",)),
    )
    book.write(FollowUpWanted(issue, "conflict", "conflicts in a", "b" * 40, ("a",)))
    (session,) = started(decide(book).facts)
    assert session.carry == "b" * 40
    book.write(session)
    absent = Seen(sessions=MappingProxyType({session.session: SessionSeen(Life.ABSENT)}))
    (action,) = decide(book, absent).actions
    assert isinstance(action, StartSession)
    assert action.spec.engine is not None
    assert "conflicts in a" in action.spec.engine.prompt


def test_follow_up_work_that_was_held_and_released_is_not_done_again() -> None:
    book = Book()
    book.open()
    issue, other = running(book), "s-20260101-0002"
    book.write(
        SessionEnded(issue, S1, Role.WITNESS, "work", Finding.DONE, 0, 9, head="b" * 40),
        WorkPublished(issue, S1, "convoy/jwt/task-1", "b" * 40, BASE, ("a",)),
        FollowUpWanted(issue, "check", "red", "b" * 40),
    )
    running(book, session=other)
    book.write(
        SessionEnded(issue, other, Role.WITNESS, "work", Finding.DONE, 0, 9, head="c" * 40),
        HoldPlaced(issue, other, "c" * 40, "it touches .github"),
        HoldReleased(issue, "c" * 40, "ada"),
    )
    assert not started(decide(book).facts)


def test_a_remark_of_a_person_reaches_the_next_prompt() -> None:
    book = Book()
    issue = book.open().convoys[0].tasks[0].issue
    book.write(TaskCommented(issue, "ada", "mind the leap seconds"))
    running(book)
    (action,) = decide(book, seen(Life.ABSENT)).actions
    assert isinstance(action, StartSession)
    assert action.spec.engine is not None
    assert "mind the leap seconds" in action.spec.engine.prompt


def test_a_cancelled_convoy_stops_what_runs_and_records_the_end() -> None:
    book = Book()
    convoy = book.open().convoys[0]
    running(book)
    book.write(ConvoyCancelled(convoy.issue, "ada"))
    assert decide(book, seen(Life.ALIVE)).actions == (StopSession(S1, "the convoy is over"),)
    ended = seen(Life.ENDED, result=a_result(Finding.STOPPED))
    end = only(decide(book, ended).facts, SessionEnded)
    assert isinstance(end, SessionEnded)
    assert end.finding is Finding.STOPPED


def test_with_minimal_detail_no_output_enters_the_log() -> None:
    book = Book()
    book.open()
    running(book)
    view = seen(Life.ENDED, result=a_result(Finding.ENGINE_ERROR, "401 from the model", "secret words"))
    full = only(decide(book, view).facts, SessionEnded)
    minimal = only(decide(book, view, minimal=True).facts, SessionEnded)
    assert isinstance(full, SessionEnded)
    assert isinstance(minimal, SessionEnded)
    assert "secret words" in full.evidence
    assert "secret words" not in minimal.evidence


def test_of_two_sessions_on_one_task_the_later_is_ended() -> None:
    book = Book()
    book.open()
    running(book)
    running(book, session="s-20260101-0002")
    both = {S1: SessionSeen(Life.ALIVE), "s-20260101-0002": SessionSeen(Life.ALIVE)}
    decision = decide(book, Seen(sessions=MappingProxyType(both)))
    assert decision.actions == (StopSession("s-20260101-0002", "another session works on the task"),)
    assert book.board().convoys[0].actor == ME


def test_a_session_of_an_engine_without_a_key_does_not_start_and_says_what_helps() -> None:
    book = Book()
    book.open(PlannedTask("one", "First"))
    codex = replace(SHELL, engines=(("default", EngineChoice("codex")),))
    keyless = (("codex", "OUR_KEY"),)
    decision = decide(book, config=codex, keyless=keyless)
    assert started(decision.facts) == []
    (verdict,) = decision.verdicts
    assert (verdict.rule, verdict.state) == ("key", VerdictState.BLOCKED)
    assert "codex has no key here: the operator sets OUR_KEY, or another name in key_env" in verdict.because
    assert verdict.unblock == "/brat engine 1 NAME"
    task = book.board().convoys[0].tasks[0].issue
    book.write(TaskRetried(task, "ada", "shell"))
    (session,) = started(decide(book, config=codex, keyless=keyless).facts)
    assert session.engine == "shell"
    (session,) = started(decide(book, config=codex).facts)
