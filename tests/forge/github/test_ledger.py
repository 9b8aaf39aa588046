"""Who may ask now, and who comes back when."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from app.forge.github.ledger import Ask, Ledger, Pace, Priority, admit, blocked, given_back

NOW = 1_800_000_000_000
PACE = Pace()
MUTATION = Ask(5, 1, Priority.LAND)


def test_a_second_mutation_waits_for_one_second() -> None:
    ledger, wait = admit(Ledger(), MUTATION, now=NOW, pace=PACE)
    assert wait == 0
    assert admit(ledger, MUTATION, now=NOW + 300, pace=PACE)[1] == NOW + 1000
    assert admit(ledger, MUTATION, now=NOW + 1000, pace=PACE)[1] == 0


def test_reads_do_not_wait_for_mutations() -> None:
    ledger, _ = admit(Ledger(), MUTATION, now=NOW, pace=PACE)
    assert admit(ledger, Ask(), now=NOW, pace=PACE)[1] == 0


def test_landing_keeps_its_place_before_comments_that_ask_at_the_same_time() -> None:
    ledger, _ = admit(Ledger(), MUTATION, now=NOW, pace=PACE)
    ledger, wait = admit(ledger, MUTATION, now=NOW + 100, pace=PACE)
    comment = Ask(5, 1, Priority.COMMENT)
    assert admit(ledger, comment, now=wait, pace=PACE)[1] > wait
    ledger, told = admit(ledger, MUTATION, now=wait, pace=PACE)
    assert told == 0
    assert admit(ledger, comment, now=wait + 1000, pace=PACE)[1] == 0


def test_a_place_that_nobody_takes_is_free_again() -> None:
    ledger, _ = admit(Ledger(), MUTATION, now=NOW, pace=PACE)
    ledger, wait = admit(ledger, MUTATION, now=NOW + 100, pace=PACE)
    assert admit(ledger, Ask(5, 1, Priority.COMMENT), now=wait + 5000, pace=PACE)[1] == 0


def test_landing_still_goes_where_comments_have_used_their_share() -> None:
    ledger = Ledger(spent=((NOW // 1000, 600),))
    assert admit(ledger, Ask(5, 1, Priority.COMMENT), now=NOW, pace=PACE)[1] == NOW + 60_000
    assert admit(ledger, Ask(5, 1, Priority.LAND), now=NOW, pace=PACE)[1] == 0


def test_a_rest_allows_a_burst_where_it_is_set() -> None:
    ledger, waits = Ledger(), []
    for _ in range(4):
        ledger, wait = admit(ledger, MUTATION, now=NOW, pace=Pace(burst=3))
        waits.append(wait)
    assert waits == [0, 0, 0, NOW + 1000]


def test_githubs_own_word_stands_above_the_count() -> None:
    ledger = blocked(Ledger(), NOW + 9000)
    assert admit(ledger, Ask(), now=NOW, pace=PACE)[1] == NOW + 9000
    assert admit(ledger, Ask(), now=NOW + 9000, pace=PACE)[1] == 0


def test_what_was_free_is_given_back() -> None:
    ledger, _ = admit(Ledger(), Ask(), now=NOW, pace=PACE)
    assert sum(points for _, points in given_back(ledger, 1, now=NOW).spent) == 0


asks = st.builds(
    lambda mutations, priority: Ask(5 * mutations or 1, mutations, priority),
    st.integers(0, 2),
    st.sampled_from(Priority),
)


@given(st.lists(st.tuples(asks, st.integers(0, 3000)), max_size=200), st.integers(20, 100))
def test_no_minute_spends_more_than_its_points_and_no_mutation_comes_early(
    steps: list[tuple[Ask, int]], points: int
) -> None:
    ledger, now, pace = Ledger(), NOW, Pace(points=points)
    done: list[tuple[int, Ask]] = []
    for ask, pause in steps:
        now += pause
        ledger, wait = admit(ledger, ask, now=now, pace=pace)
        assert wait == 0 or wait > now
        if wait == 0:
            done.append((now, ask))
    for at, _ in done:
        minute = [ask.points for when, ask in done if at - 59_000 <= when <= at]
        assert sum(minute) <= points
    changes = [(at, ask.mutations) for at, ask in done if ask.mutations]
    assert all(b - a >= 1000 * many for (a, many), (b, _) in pairwise(changes))


@given(st.lists(asks, min_size=1, max_size=30))
def test_who_comes_back_when_told_is_let_in_in_the_end(waiting: list[Ask]) -> None:
    ledger, now, rounds = Ledger(), NOW, 0
    while waiting:
        told = []
        for ask in sorted(waiting, key=lambda each: each.priority):
            ledger, wait = admit(ledger, ask, now=now, pace=PACE)
            told.append((wait, ask))
        waiting = [ask for wait, ask in told if wait]
        now = min((wait for wait, _ in told if wait), default=now)
        rounds += 1
        assert rounds < 500
