"""Whatever people do and whatever fails: everything once, nothing for strangers, and an end to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from app.board import fact_of
from app.desk import STATES
from app.ports import (
    Access,
    Answered,
    ConvoyCancelled,
    ConvoyOpened,
    Decision,
    EffectSeen,
    Person,
    PostComment,
    React,
    ReplanAsked,
)
from tests.desk.hubsim import ADA, EVE, US, Process, World

SAID = (
    "/brat approve",
    "/brat pause",
    "/brat resume\n\n/brat status",
    "/brat replan other words\n\n/brat priority urgent",
    "/brat drop 2\n\n/brat nonsense\n\n/brat help",
    "/brat plan",
    "/brat cancel",
    "thanks",
)


class Run:
    """A world with two processes that fail as they are told to; mostly, ada has labelled the issue."""

    def __init__(self, *, by: Person = ADA) -> None:
        self.world = World()
        self.world.issue(body="Please.")
        self.world.label(by=by)
        self.processes = [Process("p-1"), Process("p-2")]
        self.names = 2

    def work(self, which: int, fault: str) -> None:
        """One round of one process. A fault hits the first new comment or reaction."""
        process = self.processes[which]
        decision = self.world.decided(process)
        new = [each for each in decision.actions if isinstance(each, PostComment | React)]
        if fault == "none" or not new or decision.facts:
            self.world.carry_out(decision, self.world.board, process)
        elif fault == "cut":
            self.world.act(new[0], process, known=False)
        elif fault == "lost":
            process.tried.add(new[0].key)
        else:
            self.world.act(new[0], process)
        if fault == "crash":
            self.names += 1
            self.processes[which] = Process(f"p-{self.names}")
        self.world.later(1_000)

    def race(self) -> None:
        """Both look, then both go on from what they saw."""
        board = self.world.board
        seen: list[tuple[Process, Decision]] = [(each, self.world.decided(each)) for each in self.processes]
        for process, decision in seen:
            self.world.carry_out(decision, board, process)

    def wait(self) -> None:
        """Longer than any intent holds; a host that gave no answer is asked anew."""
        self.world.later(150_000)
        for process in self.processes:
            process.tried.clear()

    def rest(self) -> None:
        """Everything is readable again, and the processes go on until nothing is left."""
        self.world.access[ADA.id] = Access.WRITE
        for process in self.processes * 2:
            self.wait()
            self.world.settle(process)


def _say(text: str, by: int) -> Callable[[Run], object]:
    return lambda run: run.world.say(text, by=(ADA, EVE)[by])


def _work(which: int, fault: str) -> Callable[[Run], object]:
    return lambda run: run.work(which, fault)


people = st.builds(_say, st.sampled_from(SAID), st.sampled_from((0, 0, 0, 1)))
rounds = st.builds(
    _work, st.integers(0, 1), st.sampled_from(("none", "none", "none", "cut", "lost", "crash"))
)
rare: st.SearchStrategy[Callable[[Run], object]] = st.sampled_from(
    (
        Run.race,
        Run.wait,
        lambda run: run.world.label(by=ADA),
        lambda run: run.world.label(by=EVE),
        lambda run: run.world.unlabel(),
        lambda run: run.world.edit(f"Text {run.world.ids}"),
        lambda run: run.world.close(),
        lambda run: run.world.access.update({ADA.id: Access.WRITE}),
        lambda run: run.world.access.update({ADA.id: Access.UNKNOWN}),
    )
)
courses = st.lists(st.one_of(people, rounds, rounds, rare), min_size=8, max_size=24)


def once(world: World) -> None:
    """Nothing is recorded, said, or reacted to twice (P2)."""
    facts = [fact for event in world.book.events if (fact := fact_of(event)) is not None]
    answered = Counter(each.key for each in facts if isinstance(each, Answered))
    left = Counter(each.key for each in facts if isinstance(each, EffectSeen))
    opened = Counter(
        each.request.trigger for each in facts if isinstance(each, ConvoyOpened) and each.request
    )
    made = Counter(each.key for each in world.ours())
    assert max([*answered.values(), *left.values(), *opened.values(), *made.values()], default=1) == 1
    replans = sum(isinstance(each, ReplanAsked) for each in facts)
    assert replans <= sum(
        "replan" in each.text and each.accepted for each in facts if isinstance(each, Answered)
    )
    assert sum(not each.status.final for each in world.board.convoys) <= 1


def nothing_for_strangers(world: World) -> None:
    """One polite answer at most, no reaction, no word of theirs, and no fact but that it was seen (P8)."""
    facts = [fact for event in world.book.events if (fact := fact_of(event)) is not None]
    theirs = [each for each in facts if getattr(each, "by", "") == EVE.login]
    assert all(isinstance(each, Answered) and not each.accepted and not each.text for each in theirs)
    assert sum(isinstance(each, Answered) and bool(each.reply) for each in theirs) <= 1
    said = {number for number, each in world.comments.items() if each.author == EVE}
    assert not said & {number for number, _ in world.reactions}


def told(world: World) -> None:
    """Every command of a writer has its answer, every answer is said, and one label tells the state."""
    answers = world.board.ledger.answered
    commands = [
        number
        for number, each in world.comments.items()
        if each.author == ADA and each.body.startswith("/brat")
    ]
    assert all(f"comment:{number}" in answers for number in commands)
    assert set(commands) == {number for number, _ in world.reactions}
    replies = {each.key.removeprefix("reply:") for each in world.ours("reply:")}
    assert {":".join(key.split(":")[:2]) for key, each in answers.items() if each.reply} <= replies
    assert len(world.ours("sticky:")) == len(world.board.convoys)
    assert len(world.issues[7].labels & set(STATES)) == bool(world.board.convoys)


@settings(max_examples=100, deadline=None)
@given(courses, st.sampled_from((ADA, ADA, ADA, EVE)))
def test_p2_p8_p1_everything_once_nothing_for_strangers_and_all_is_told(
    course: list[Callable[[Run], object]], by: Person
) -> None:
    run = Run(by=by)
    for deed in course:
        deed(run)
        once(run.world)
        nothing_for_strangers(run.world)
    run.rest()
    once(run.world)
    nothing_for_strangers(run.world)
    told(run.world)
    assert not any(
        isinstance(each, ConvoyCancelled) and each.by == US.login
        for each in map(fact_of, run.world.book.events)
    )


@settings(max_examples=25, deadline=None)
@given(courses)
def test_the_same_look_gives_the_same_decision(course: list[Callable[[Run], object]]) -> None:
    run = Run()
    for deed in course:
        deed(run)
    assert run.world.decided(run.processes[0]) == run.world.decided(run.processes[0])
