"""Issues: those that carry the start label and those that are wanted, with who did what when."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from app.forge.github.answers import EventAnswer, IssueAnswer, read, read_all
from app.forge.github.client import Client, Unreadable
from app.forge.github.people import Ourselves
from app.ports import Clock, IssueSeen, Trigger
from app.values import dataclass

__all__ = ["Issues", "with_edits"]

_SETTLED_MS = 60_000
"""Times are in whole seconds, and clocks differ: an issue younger than this is asked about again."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """The events of an issue, as they were when it had been left alone for a while."""

    updated: int
    events: tuple[EventAnswer, ...]


class Issues:
    """Reads issues; what did not change since is not asked for again. `updated` is of the last look."""

    def __init__(self, client: Client, repository: str, us: Ourselves, *, clock: Clock) -> None:
        self._client, self._repository, self._us, self._clock = client, repository, us, clock
        self._kept: dict[int, _Kept] = {}
        self.updated: dict[int, int] = {}

    def look(self, label: str, wanted: Iterable[int]) -> tuple[dict[int, IssueSeen], frozenset[int] | None]:
        """All issues by number, and which are open with the label, None where that could not be read.

        The time of the last edit of a body is not in these answers.
        """
        path = f"/repos/{self._repository}/issues"
        try:
            listed = self._client.pages(path, {"labels": label, "state": "open"})
        except Unreadable:
            listed, labelled = [], None
        else:
            labelled = frozenset(each.number for each in _issues(listed))
        answers = {each.number: each for each in _issues(listed)}
        for number in wanted:
            if number not in answers and (answer := self._one(f"{path}/{number}")):
                answers[number] = answer
        self.updated = {number: answer.updated_at for number, answer in answers.items()}
        found = {number: self._seen(answer, label) for number, answer in answers.items()}
        self._kept = {number: kept for number, kept in self._kept.items() if number in answers}
        issues = {number: seen for number, seen in found.items() if seen is not None}
        return issues, None if labelled is None else labelled & issues.keys()

    def _one(self, path: str) -> IssueAnswer | None:
        try:
            return next(iter(_issues([self._client.found(path)])), None)
        except Unreadable:
            return None

    def _seen(self, answer: IssueAnswer, label: str) -> IssueSeen | None:
        try:
            events = self._events(answer)
        except Unreadable:
            return None
        closed = [each for each in events if each.event == "closed"]
        ours = (each.created_at for each in closed if self._us.person(each.actor).ours)
        by = answer.closed_by or (closed[-1].actor if closed else None)
        is_open = answer.state == "open"
        return IssueSeen(
            answer.number,
            answer.html_url,
            answer.title,
            answer.body,
            self._us.person(answer.user),
            is_open,
            labels=answer.label_names,
            trigger=self._trigger(events, label) if label in answer.label_names else None,
            renamed_ts=max((each.created_at for each in events if each.event == "renamed"), default=None),
            closed_by=None if is_open else self._us.person(by),
            closed_ts=None if is_open else answer.closed_at or None,
            our_close_ts=max(ours, default=None),
        )

    def _trigger(self, events: tuple[EventAnswer, ...], label: str) -> Trigger | None:
        named = [each for each in events if each.label is not None and each.label.name == label]
        put = [each for each in named if each.event == "labeled"]
        if not put:
            return None
        newest = max(put, key=lambda each: each.id)
        return Trigger(newest.id, self._us.person(newest.actor), newest.created_at)

    def _events(self, answer: IssueAnswer) -> tuple[EventAnswer, ...]:
        kept = self._kept.get(answer.number)
        if kept is not None and kept.updated == answer.updated_at:
            return kept.events
        listed = self._client.pages(f"/repos/{self._repository}/issues/{answer.number}/events")
        events = read_all(EventAnswer, listed)
        if answer.updated_at + _SETTLED_MS < self._clock():
            self._kept[answer.number] = _Kept(answer.updated_at, events)
        return events


def with_edits(issues: Mapping[int, IssueSeen], edits: Mapping[int, int | None]) -> dict[int, IssueSeen]:
    """The issues with the last edit of their body; one whose edits are unknown is unknown."""
    return {
        number: replace(seen, edited_ts=edits[number]) for number, seen in issues.items() if number in edits
    }


def _issues(data: list[object]) -> list[IssueAnswer]:
    """Pull requests are listed among issues, and are none here."""
    read_ones = (read(IssueAnswer, each) for each in data)
    return [each for each in read_ones if each is not None and each.pull_request is None]
