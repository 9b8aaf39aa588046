"""Planning sessions, the recorded plan, the approval gate: board and world in, facts and actions out."""

from __future__ import annotations

import json
from dataclasses import replace
from types import MappingProxyType

import pytest

from app import mayor
from app.board import ConvoyStatus, TaskStatus, change_priority, pause_convoy, replan, resume_convoy
from app.config import Budget, Config, EngineChoice, MayorPolicy, SwarmPolicy
from app.ports import (
    ConvoyCancelled,
    ConvoyFailed,
    Decision,
    Finding,
    Life,
    PlanApproved,
    PlanRecorded,
    PlanRefused,
    Role,
    Seen,
    SessionEnded,
    SessionResult,
    SessionSeen,
    SessionStarted,
    StartSession,
    StopSession,
)
from tests.book import Book, only, started
from tests.prompts.injections import data_of

CONFIG = Config(engines=(("default", EngineChoice("codex", "gpt-5.5")),), swarm=SwarmPolicy(attempts=2))
GOOD = json.dumps({"summary": "s", "tasks": [{"id": "one", "title": "Do it", "paths": ["src/**"]}]})
CYCLE = json.dumps(
    {
        "summary": "s",
        "tasks": [
            {"id": "a", "title": "A", "depends_on": ["b"]},
            {"id": "b", "title": "B", "depends_on": ["a"]},
        ],
    }
)


def unplanned(count: int = 1, *, approval: str = "auto") -> Book:
    """So many requests without a plan."""
    book = Book()
    for number in range(count):
        asked = mayor.Request(
            goal="Use JWT\n\nplease",
            base="main",
            base_commit="a" * 40,
            strategy="rebase",
            approval=approval,
            planner="engine",
            by="ada",
            seed=str(number),
        )
        book.write(*mayor.open_convoy(book.board(), asked, None, now=book.now))
    return book


def decide(book: Book, view: SessionSeen | None = None, **setting: object) -> Decision:
    sessions = book.board().convoys[0].sessions
    seen = Seen(sessions=MappingProxyType({sessions[-1].id: view} if view and sessions else {}))
    return mayor.decide(book.look(seen, config=CONFIG, **setting))


def planning(book: Book) -> SessionStarted:
    """The next planning session, recorded."""
    (session,) = started(decide(book).facts)
    book.write(session)
    return session


def answered(session: SessionStarted, answer: str, finding: Finding = Finding.DONE) -> SessionSeen:
    result = SessionResult(session.session, finding, 0, 1, 2, answer=answer, error="boom")
    return SessionSeen(Life.ENDED, result=result)


def test_a_request_without_a_plan_gets_a_planning_session_on_a_read_only_checkout() -> None:
    book = unplanned()
    session = planning(book)
    assert (session.role, session.purpose, session.engine, session.model) == (
        Role.MAYOR,
        "plan",
        "codex",
        "gpt-5.5",
    )
    (action,) = decide(book, SessionSeen(Life.ABSENT)).actions
    assert isinstance(action, StartSession)
    assert action.spec.read_only
    assert action.spec.engine is not None
    assert "Use JWT" in action.spec.engine.prompt


def test_what_a_person_said_of_a_plan_reaches_the_prompt_of_the_next_as_data() -> None:
    book = unplanned()
    session = planning(book)
    book.write(*decide(book, answered(session, GOOD)).facts)
    book.write(*replan(book.board().convoys[0], by="ada", text="Leave the schema alone."))
    planning(book)
    (action,) = decide(book, SessionSeen(Life.ABSENT)).actions
    assert isinstance(action, StartSession)
    assert action.spec.engine is not None
    assert data_of(action.spec.engine.prompt, "wishes") == ["Leave the schema alone."]


def replanned(book: Book, text: str) -> None:
    """Ada wants another plan."""
    book.write(*replan(book.board().convoys[0], by="ada", text=text))


def test_what_a_person_says_while_the_planner_runs_is_in_the_plan() -> None:
    book = unplanned()
    replanned(book, "Use RS256.")
    first = planning(book)
    replanned(book, "Leave the schema alone.")
    stop = StopSession(first.session, "another plan was asked for")
    assert decide(book, SessionSeen(Life.ALIVE)).actions == (stop,)
    facts = decide(book, answered(first, GOOD)).facts
    assert [type(each) for each in facts] == [SessionEnded, SessionStarted]
    book.write(*facts)
    (action,) = decide(book, SessionSeen(Life.ABSENT)).actions
    assert isinstance(action, StartSession)
    assert action.spec.engine is not None
    told = "Use RS256.\n\nLeave the schema alone."
    assert data_of(action.spec.engine.prompt, "wishes") == [told]


def test_an_overtaken_planner_that_never_began_is_closed_and_one_elsewhere_only_when_it_is_late() -> None:
    book = unplanned()
    planning(book)
    replanned(book, "Use RS256.")
    assert isinstance(decide(book, SessionSeen(Life.ABSENT)).facts[0], SessionEnded)
    for nowhere in (Life.ABSENT, Life.UNKNOWN):
        decision = decide(book, SessionSeen(nowhere), me="elsewhere")
        assert not any(isinstance(each, SessionEnded) for each in decision.facts)
        assert decision.actions == ()
        late = decide(book, SessionSeen(nowhere), me="elsewhere", now=book.now + 90 * 86_400_000)
        assert isinstance(late.facts[0], SessionEnded)


def test_an_overtaken_planner_is_stopped_though_the_next_plan_is_there_and_waits() -> None:
    book = unplanned(approval="required")
    first = planning(book)
    replanned(book, "Use RS256.")
    second = planning(book)
    book.write(*decide(book, answered(second, GOOD)).facts)
    assert book.board().convoys[0].plan is not None
    assert first.session in mayor.wanted(book.board()).sessions
    seen = Seen(sessions=MappingProxyType({first.session: answered(first, GOOD)}))
    (end,) = mayor.decide(book.look(seen, config=CONFIG)).facts
    assert isinstance(end, SessionEnded)


def test_a_paused_request_whose_planner_is_overtaken_is_planned_anew_when_it_goes_on() -> None:
    book = unplanned()
    first = planning(book)
    replanned(book, "Use RS256.")
    book.write(*pause_convoy(book.board().convoys[0], by="ada"))
    facts = decide(book, answered(first, GOOD)).facts
    assert [type(each) for each in facts] == [SessionEnded]
    book.write(*facts)
    assert decide(book).facts == ()
    book.write(*resume_convoy(book.board().convoys[0], by="ada"))
    assert started(decide(book).facts)


def test_a_planner_that_was_overtaken_before_it_began_cost_nothing() -> None:
    book = unplanned()
    config = replace(CONFIG, budget=Budget(convoy_usd=5.0))
    (first,) = started(mayor.decide(book.look(config=config)).facts)
    assert first.reserved_usd == 5.0
    book.write(first)
    replanned(book, "Use RS256.")
    book.write(*decide(book, SessionSeen(Life.ABSENT)).facts[:1])
    (second,) = started(mayor.decide(book.look(config=config)).facts)
    assert second.reserved_usd == 5.0


def test_failures_before_another_plan_was_asked_for_do_not_count() -> None:
    book = unplanned()
    for text in ("Use RS256.", "No, HS256."):
        for answer, finding in (("", Finding.ENGINE_ERROR), (GOOD, Finding.DONE)):
            session = planning(book)
            book.write(*decide(book, answered(session, answer, finding)).facts)
        replanned(book, text)
    session = planning(book)
    assert session.attempt == 5
    book.write(*decide(book, answered(session, "", Finding.ENGINE_ERROR)).facts)
    session = planning(book)
    book.write(*decide(book, answered(session, "", Finding.ENGINE_ERROR)).facts)
    (failed,) = decide(book).facts
    assert isinstance(failed, ConvoyFailed)


def test_a_good_answer_becomes_the_plan_and_its_tasks() -> None:
    book = unplanned()
    session = planning(book)
    facts = decide(book, answered(session, f"Here it is:\n```json\n{GOOD}\n```")).facts
    assert isinstance(facts[0], SessionEnded)
    book.write(*facts)
    convoy = book.board().convoys[0]
    assert [(task.number, task.title, task.status) for task in convoy.tasks] == [
        (1, "Do it", TaskStatus.QUEUED)
    ]
    (approved,) = decide(book).facts
    assert isinstance(approved, PlanApproved)
    assert approved.by == "policy"


def test_the_same_answer_gives_the_same_facts_again() -> None:
    """A crash between deciding and writing repeats the decision, so ids must not be drawn by chance."""
    book = unplanned()
    session = planning(book)
    view = answered(session, GOOD)
    assert only(decide(book, view).facts, PlanRecorded) == only(decide(book, view).facts, PlanRecorded)


def test_a_bad_answer_goes_back_with_its_errors_twice_and_then_the_request_fails() -> None:
    book = unplanned()
    for round in range(3):
        session = planning(book)
        if round:
            (action,) = decide(book, SessionSeen(Life.ABSENT)).actions
            assert isinstance(action, StartSession)
            assert action.spec.engine is not None
            assert "a → b → a" in action.spec.engine.prompt
        facts = decide(book, answered(session, CYCLE)).facts
        refused = only(facts, PlanRefused)
        assert isinstance(refused, PlanRefused)
        assert "a → b → a" in " ".join(refused.errors)
        book.write(*facts)
    (failed,) = decide(book).facts
    assert isinstance(failed, ConvoyFailed)
    assert failed.reason.startswith("the planner's answer was refused 3 times: ")


def test_a_refused_answer_is_shown_to_the_planner_that_corrects_it() -> None:
    book = unplanned()
    first = planning(book)
    view = answered(first, CYCLE)
    book.write(*decide(book, view).facts)
    second = planning(book)
    wanted = mayor.wanted(book.board()).sessions
    assert set(wanted) == {first.session, second.session}
    seen = Seen(sessions=MappingProxyType({first.session: view, second.session: SessionSeen(Life.ABSENT)}))
    (action,) = mayor.decide(book.look(seen, config=CONFIG)).actions
    assert isinstance(action, StartSession)
    assert action.spec.engine is not None
    assert data_of(action.spec.engine.prompt, "answer") == [CYCLE]


def test_planning_sessions_that_die_are_bounded() -> None:
    book = unplanned()
    for _ in range(2):
        session = planning(book)
        book.write(*decide(book, answered(session, "", Finding.ENGINE_ERROR)).facts)
    (failed,) = decide(book).facts
    assert isinstance(failed, ConvoyFailed)
    assert failed.reason == "2 planning sessions failed, the last: boom"
    assert book.write(failed).convoys[0].status is ConvoyStatus.FAILED


def test_a_plan_that_needs_approval_says_who_can_give_it_and_how() -> None:
    book = Book()
    convoy = book.open(approval="required").convoys[0]
    decision = decide(book)
    assert decision.facts == ()
    (verdict,) = decision.verdicts
    assert (verdict.who, verdict.unblock) == ("a maintainer", f"brat convoy approve {convoy.slug}")
    assert convoy.plan is not None
    other = book.write(PlanApproved(convoy.issue, "f" * 64, "ada"))
    assert other.convoys[0].approved_by is None, "approval binds to the plan's hash"
    assert book.write(PlanApproved(convoy.issue, convoy.plan.hash, "ada")).convoys[0].approved_by == "ada"


def test_a_cancelled_request_stops_its_planning_session() -> None:
    book = unplanned()
    session = planning(book)
    book.write(ConvoyCancelled(book.board().convoys[0].issue, "ada"))
    assert decide(book, SessionSeen(Life.ALIVE)).actions == (
        StopSession(session.session, "the convoy is over"),
    )
    (end,) = decide(book, SessionSeen(Life.DEAD)).facts
    assert isinstance(end, SessionEnded)


def test_equal_requests_get_slugs_of_their_own() -> None:
    book = Book()
    slugs = [book.open().convoys[-1].slug for _ in range(3)]
    assert slugs == ["jwt", "jwt-2", "jwt-3"]


def test_a_slug_whose_branches_exist_already_is_taken() -> None:
    book = Book()
    asked = mayor.Request(
        "Use JWT", "main", "a" * 40, "rebase", "auto", "engine", "ada", "1", base_checked_out=True
    )
    facts = mayor.open_convoy(book.board(), asked, None, branches=("convoy/jwt/main",), now=1)
    board = book.write(*facts)
    assert (board.convoys[0].slug, board.convoys[0].target) == ("jwt-2", "refs/heads/convoy/jwt-2/main")


def test_the_planner_setting_of_a_repository_names_its_engine() -> None:
    config = Config(engines=(("docs", EngineChoice("aider", "gpt-4o")),), mayor=MayorPolicy(engine="docs"))
    (session,) = started(mayor.decide(unplanned().look(config=config)).facts)
    assert (session.engine, session.model) == ("aider", "gpt-4o")


@pytest.mark.parametrize(
    ("swarm", "budget", "waits_for"),
    [
        (SwarmPolicy(max_polecats=1), Budget(), "slots"),
        (SwarmPolicy(), Budget(day_usd=10.0), "budget"),
        (SwarmPolicy(), Budget(day_usd=10.0, session_usd=6.0), "budget"),
    ],
)
def test_planners_that_start_at_once_share_the_slots_and_the_days_money(
    swarm: SwarmPolicy, budget: Budget, waits_for: str
) -> None:
    decision = mayor.decide(unplanned(3).look(config=replace(CONFIG, swarm=swarm, budget=budget)))
    assert len(started(decision.facts)) == 1
    assert [each.rule for each in decision.verdicts] == [waits_for, waits_for]


def test_of_requests_that_wait_for_a_slot_the_one_of_higher_priority_is_planned_first() -> None:
    book = unplanned(2)
    newer = book.board().convoys[1]
    book.write(*change_priority(newer, by="ada", level=1))
    config = replace(CONFIG, swarm=SwarmPolicy(max_polecats=1))
    (session,) = started(mayor.decide(book.look(config=config)).facts)
    assert session.issue == newer.issue
