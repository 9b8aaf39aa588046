"""Whatever is decided at once, sessions and money stay within their limits."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from app.board import Session, open_sessions, spent_usd, split_task
from app.config import Budget, Config, EngineChoice, SwarmPolicy
from app.control import ROLES, decide
from app.mayor import Request, open_convoy
from app.ports import Finding, PlannedTask, SessionEnded, Usage
from tests.book import BASE, Book, started

CONFIG = Config(engines=(("default", EngineChoice("shell")),))
USD = st.none() | st.integers(1, 12).map(float)


def request(book: Book) -> None:
    """Somebody asks for something that a planner's engine has to plan."""
    seed = str(len(book.events))
    asked = Request("Use JWT", "main", BASE, "rebase", "auto", "engine", "ada", seed)
    book.write(*open_convoy(book.board(), asked, None, now=book.now))


@st.composite
def books(draw: st.DrawFn) -> Book:
    """Requests without a plan, plans that run, and in some of them tasks that are to be split."""
    book = Book()
    for tasks in draw(st.lists(st.integers(0, 4), min_size=1, max_size=4)):
        if not tasks:
            request(book)
            continue
        convoy = book.open(*(PlannedTask(f"t{each}", f"Task {each}") for each in range(tasks))).convoys[-1]
        for task in convoy.tasks[: draw(st.integers(0, tasks))]:
            book.write(*split_task(convoy, task, by="ada", text="Split it"))
    return book


def ends(session: Session, usd: float | None) -> SessionEnded:
    begun = session.started
    usage = Usage(1, 1, usd)
    return SessionEnded(begun.issue, begun.session, begun.role, begun.purpose, Finding.NO_CHANGE, 1, 9, usage)


@settings(max_examples=60)
@given(books(), st.integers(1, 5), st.builds(Budget, USD, USD, USD), st.data())
def test_p10_all_that_starts_at_once_is_within_slots_and_budget(
    book: Book, slots: int, budget: Budget, data: st.DataObject
) -> None:
    config = replace(CONFIG, swarm=SwarmPolicy(max_polecats=slots, attempts=3), budget=budget)
    for _ in range(6):
        book.write(*decide(book.look(config=config), roles=ROLES).facts)
        board = book.board()
        running = [session for _, session in open_sessions(board)]
        assert len(running) <= slots
        assert len({session.id for session in running}) == len(running)
        assert spent_usd(board) <= (budget.day_usd or 1e9) + 1e-6
        for convoy in board.convoys:
            assert spent_usd(board, convoy=convoy.issue) <= (budget.convoy_usd or 1e9) + 1e-6
        for session in running:
            if data.draw(st.booleans()):
                told = data.draw(st.sampled_from([None, 0.0, 0.5]))
                book.write(ends(session, told and told * session.cost_usd))


def test_a_planner_and_a_task_that_could_start_at_once_share_slot_and_money() -> None:
    book = Book()
    book.open()
    request(book)
    for swarm, budget in (
        (SwarmPolicy(max_polecats=1), Budget()),
        (SwarmPolicy(), Budget(day_usd=10.0, session_usd=6.0)),
    ):
        config = replace(CONFIG, swarm=swarm, budget=budget)
        (session,) = started(decide(book.look(config=config), roles=ROLES).facts)
        assert session.purpose == "plan"
