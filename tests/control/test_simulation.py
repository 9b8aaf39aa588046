"""Whole convoys over random graphs with random failures: what holds in every one of them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from app.board import Board, ConvoyStatus, TaskStatus, merge_failures, stuck
from app.config import Config, EngineChoice, RefineryPolicy, SwarmPolicy
from app.ports import CheckSpec, PlannedTask
from tests.book import Book
from tests.control.simulation import World

CONFIG = Config(
    engines=(("default", EngineChoice("shell")),),
    swarm=SwarmPolicy(max_polecats=3, attempts=2),
    refinery=RefineryPolicy(checks=(CheckSpec("tests", "make"),), merge_retry_limit=2),
)


@st.composite
def plans(draw: st.DrawFn) -> tuple[PlannedTask, ...]:
    count = draw(st.integers(1, 5))
    return tuple(
        PlannedTask(
            f"t{number}",
            f"Task {number}",
            depends_on=tuple(f"t{each}" for each in range(number) if draw(st.booleans())),
        )
        for number in range(count)
    )


def play(tasks: tuple[PlannedTask, ...], seed: int, *, luck: float, config: Config = CONFIG) -> World:
    book = Book()
    book.open(*tasks)
    world = World(book, config, Random(seed), luck)
    world.run()
    return world


@settings(max_examples=15)
@given(plans(), st.integers(0, 10_000), st.sampled_from([0.3, 0.6, 0.9]))
def test_every_convoy_comes_to_rest_landed_or_with_a_reason(
    tasks: tuple[PlannedTask, ...], seed: int, luck: float
) -> None:
    world = play(tasks, seed, luck=luck)
    (convoy,) = world.book.board().convoys
    if convoy.status is ConvoyStatus.COMPLETE:
        assert all(task.status is TaskStatus.MERGED for task in convoy.tasks)
        return
    assert stuck(convoy)
    for task in convoy.tasks:
        if task.status is TaskStatus.BLOCKED:
            assert task.blocked is not None
            assert task.blocked.reason
            assert task.blocked.unblock == f"brat task retry {task.id}"


@settings(max_examples=15)
@given(plans(), st.integers(0, 10_000), st.sampled_from([0.0, 0.5, 0.9]))
def test_attempts_slots_and_merges_stay_within_their_limits(
    tasks: tuple[PlannedTask, ...], seed: int, luck: float
) -> None:
    world = play(tasks, seed, luck=luck)
    assert world.most_running <= 3
    for task in world.book.board().convoys[0].tasks:
        assert task.attempts <= 2 * (1 + 2), "attempts times landings"
        assert merge_failures(task) <= 3
        assert sum(merge.result == "succeeded" for merge in task.merges) <= 1
        assert not any(session.open for session in task.sessions)


def landed(board: Board) -> list[tuple[int, str]]:
    return [(task.number, str(task.status)) for task in board.convoys[0].tasks]


@settings(max_examples=6)
@given(plans(), st.integers(0, 10_000))
def test_with_luck_all_lands_whatever_the_number_of_slots(tasks: tuple[PlannedTask, ...], seed: int) -> None:
    for slots in (1, 16):
        config = replace(CONFIG, swarm=replace(CONFIG.swarm, max_polecats=slots))
        board = play(tasks, seed, luck=1.0, config=config).book.board()
        assert board.convoys[0].status is ConvoyStatus.COMPLETE
        assert {status for _, status in landed(board)} == {"merged"}
