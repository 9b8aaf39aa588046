"""Events to issues."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from app.grite import (
    ActorId,
    AssigneeAdded,
    AssigneeRemoved,
    CommentAdded,
    Dependency,
    DependencyAdded,
    DependencyRemoved,
    Draft,
    Event,
    Issue,
    IssueCreated,
    IssueId,
    IssueUpdated,
    Kind,
    LabelAdded,
    LabelRemoved,
    LinkAdded,
    ProjectContextUpdated,
    Projection,
    StateChanged,
    fold,
    fold_contexts,
)
from app.grite.events import make_event
from tests.grite.conftest import ISSUE
from tests.grite.test_events import ACTOR

OTHER = IssueId("ee" * 16)
LATER_ACTOR = ActorId("ff" * 16)


def at(ts: int, kind: Kind, *, actor: ActorId = ACTOR, issue: IssueId = ISSUE) -> Event:
    return make_event(Draft(issue, kind), actor, ts)


def folded(*events: Event) -> Issue:
    return fold(events)[ISSUE]


CREATED = at(1, IssueCreated("title", "body", ("a",)))

words = st.sampled_from(["a", "b", "c"])
some_kinds: st.SearchStrategy[Kind] = st.one_of(
    st.builds(IssueCreated, words, words, st.lists(words, max_size=2).map(tuple)),
    st.builds(IssueUpdated, st.none() | words, st.none() | words),
    st.builds(StateChanged, st.sampled_from(["open", "closed"])),
    st.builds(CommentAdded, words),
    st.builds(LabelAdded, words),
    st.builds(LabelRemoved, words),
    st.builds(AssigneeAdded, words),
    st.builds(AssigneeRemoved, words),
    st.builds(LinkAdded, words, st.none() | words),
    st.builds(DependencyAdded, st.just(OTHER), st.just("blocks")),
    st.builds(DependencyRemoved, st.just(OTHER), st.just("blocks")),
    st.builds(ProjectContextUpdated, words, words),
)
some_events = st.lists(
    st.builds(
        at,
        st.integers(0, 6),
        some_kinds,
        actor=st.sampled_from([ACTOR, LATER_ACTOR]),
        issue=st.sampled_from([ISSUE, OTHER]),
    ),
    max_size=25,
)


@given(events=some_events, seed=st.integers(), cut=st.integers(0, 25))
def test_arrival_order_and_repetition_change_nothing(events: list[Event], seed: int, cut: int) -> None:
    shuffled = [*events, *events[:cut]]
    random.Random(seed).shuffle(shuffled)
    grown = Projection()
    grown.update(shuffled[:cut])
    assert grown.update(shuffled[cut:]) == fold(events) == fold(shuffled)
    assert fold_contexts(shuffled) == fold_contexts(events)


def test_the_last_writer_wins_field_by_field() -> None:
    issue = folded(CREATED, at(3, IssueUpdated("newer", None)), at(2, IssueUpdated("older", "text")))
    assert (issue.title, issue.body) == ("newer", "text")


def test_in_one_millisecond_the_greater_actor_wins() -> None:
    ours, theirs = at(2, IssueUpdated("ours")), at(2, IssueUpdated("theirs"), actor=LATER_ACTOR)
    assert folded(CREATED, theirs, ours).title == "theirs"


def test_labels_are_added_and_removed_in_order() -> None:
    issue = folded(CREATED, at(2, LabelAdded("b")), at(3, LabelRemoved("a")), at(4, LabelAdded("0")))
    assert issue.labels == ("0", "b")


def test_a_removed_dependency_of_another_type_stays() -> None:
    issue = folded(
        CREATED, at(2, DependencyAdded(OTHER, "depends_on")), at(3, DependencyRemoved(OTHER, "related_to"))
    )
    assert issue.dependencies == (Dependency("depends_on", OTHER),)


def test_events_wait_for_the_creation_of_their_issue() -> None:
    grown = Projection()
    assert grown.update([at(2, CommentAdded("early")), at(3, StateChanged("closed"))]) == {}
    issue = grown.update([CREATED])[ISSUE]
    assert (issue.state, issue.comments[0].body, issue.updated_ts) == ("closed", "early", 3)


def test_a_second_creation_says_nothing() -> None:
    issue = folded(CREATED, at(2, IssueCreated("again", "again", ("b",)), actor=LATER_ACTOR))
    assert (issue.title, issue.labels, issue.creator) == ("title", ("a",), ACTOR)


def test_a_comment_knows_its_event() -> None:
    event = at(2, CommentAdded("text"), actor=LATER_ACTOR)
    (comment,) = folded(CREATED, event).comments
    assert (comment.body, comment.actor, comment.ts, comment.event) == ("text", LATER_ACTOR, 2, event.id)
