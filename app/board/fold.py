"""Events → Board. Total: whatever stands in a log, folding it ends with a board and a list of problems."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from app.board.assembling import Built, assemble, doubled
from app.board.blocks import read_block
from app.board.board import Board, Problem, Proposal
from app.board.builders import Labels, TaskBuilder
from app.board.codec import decode_planned
from app.board.convoy_builder import ConvoyBuilder
from app.board.ledger import LedgerBuilder
from app.board.model import ConvoyStatus, TaskStatus
from app.board.reading import fact_in
from app.grite import CommentAdded, Event, IssueCreated, LabelAdded, LabelRemoved
from app.ports import ConvoyOpened

__all__ = ["Projection", "Trust", "fold"]

Trust = Callable[[Event], bool]
"""Whether an event is signed by a key that counts here."""

_CONVOY_FINAL = frozenset(each.value for each in ConvoyStatus if each.final)
_TASK_FINAL = frozenset(each.value for each in TaskStatus if each.final)


def fold(events: Iterable[Event], *, trusted: Trust, head: str | None = None) -> Board:
    """The board of a log. Only trusted events decide; of the others, new tasks become proposals."""
    ordered = sorted(events, key=lambda each: (each.ts, each.actor, each.id))
    return Projection(trusted).advance(tuple(ordered), head)


class Projection:
    """A fold that goes on: events after all it has seen cost their own number and their convoys."""

    def __init__(self, trusted: Trust) -> None:
        self._trusted = trusted
        self._folding = _Folding()
        self._seen: tuple[Event, ...] = ()

    def advance(self, events: tuple[Event, ...], head: str | None) -> Board:
        """The board of these events, which are all of a log in the log's order."""
        known = len(self._seen)
        # A log only grows, so the last known event in its old place means that nothing came before it.
        if known and (len(events) < known or events[known - 1].id != self._seen[-1].id):
            self._folding, known = _Folding(), 0
        for event in events[known:]:
            if self._trusted(event):
                self._folding.decide(event)
            else:
                self._folding.propose(event)
        self._seen = events
        return self._folding.board(head, events[-1].ts if events else 0)


class _Folding:
    """All issues while events are applied. `stale`: convoys that changed since they were built."""

    def __init__(self) -> None:
        self.labels: dict[str, Labels] = {}
        self.convoys: dict[str, ConvoyBuilder] = {}
        self.tasks: dict[str, TaskBuilder] = {}
        self.members: dict[str, list[TaskBuilder]] = {}
        self.built: dict[str, Built] = {}
        self.stale: set[str] = set()
        self.proposals: dict[str, Proposal] = {}
        self.problems: list[Problem] = []
        self.signers: dict[str, None] = {}
        self.taken: set[str] = set()
        self.ledger = LedgerBuilder()

    def decide(self, event: Event) -> None:
        """A trusted event."""
        kind = event.kind
        issue = str(event.issue)
        if isinstance(kind, IssueCreated):
            self._created(issue, kind)
        elif isinstance(kind, LabelAdded) and issue in self.labels:
            self.labels[issue].add(kind.label)
        elif isinstance(kind, LabelRemoved) and issue in self.labels:
            self.labels[issue].remove(kind.label)
        elif isinstance(kind, CommentAdded):
            self._comment(event, kind.body)
        subject = self.tasks.get(issue) or self.convoys.get(issue)
        if subject is not None:
            self.signers.setdefault(str(event.actor))
            subject.updated_ts = event.ts
            self.stale.add(subject.convoy if isinstance(subject, TaskBuilder) else issue)

    def propose(self, event: Event) -> None:
        """Somebody else's event: a new task is a proposal, the rest changes nothing."""
        kind = event.kind
        if str(event.issue) in self.tasks:
            return
        if isinstance(kind, IssueCreated) and "type:task" in kind.labels:
            convoy = next((each[7:] for each in kind.labels if each.startswith("convoy:")), None)
            proposal = Proposal(str(event.issue), kind.title, kind.body, convoy, str(event.actor), event.ts)
            self.proposals.setdefault(str(event.issue), proposal)

    def _created(self, issue: str, kind: IssueCreated) -> None:
        final = _CONVOY_FINAL if "type:convoy" in kind.labels else _TASK_FINAL
        labels = self.labels.setdefault(issue, Labels(final))
        for label in sorted(kind.labels):
            labels.add(label)

    def _comment(self, event: Event, body: str) -> None:
        issue = str(event.issue)
        try:
            block = read_block(body)
            if block is None:
                if issue in self.tasks:
                    self.tasks[issue].remarks.append(body)
                return
            self._block(event, *block)
        except ValueError as error:
            self.problems.append(Problem(issue, f"unreadable block: {error}", "kept without effect"))

    def _block(self, event: Event, name: str, values: dict[str, object]) -> None:
        issue = str(event.issue)
        if name == "brat" and values.get("fact") == "TaskPlanned":
            self._task_planned(event, values)
            return
        fact = fact_in(issue, name, values)
        if fact is None:
            what = f"[{name}] block of an unknown kind {values.get('fact') or values.get('state')!r}"
            self.problems.append(Problem(issue, what, "kept without effect"))
        elif isinstance(fact, ConvoyOpened):
            self._convoy_opened(event, fact)
        else:
            self.ledger.apply(fact)
            subject = self.tasks.get(issue) or self.convoys.get(issue)
            if subject is not None:
                subject.apply(fact, event.ts, str(event.actor))
            if name == "session":
                self.taken.add(str(values.get("session_id")))

    def _convoy_opened(self, event: Event, fact: ConvoyOpened) -> None:
        labels = self.labels.get(fact.issue)
        if labels is None or fact.issue in self.convoys:
            return
        self.convoys[fact.issue] = ConvoyBuilder(fact, event.ts, str(event.actor), labels)
        self.taken |= {fact.convoy, f"slug:{fact.slug}"}

    def _task_planned(self, event: Event, values: dict[str, object]) -> None:
        issue, spec = str(event.issue), values.get("spec")
        number, task, plan = values.get("number"), values.get("task"), values.get("plan")
        if not isinstance(spec, dict) or not isinstance(number, int) or not isinstance(task, str):
            raise ValueError("TaskPlanned lacks spec, number or task")
        if issue in self.tasks or issue in self.convoys:
            return
        planned = decode_planned(spec)
        if issue not in self.labels:
            self._adopted(issue)
        labels = self.labels[issue]
        hash = plan if isinstance(plan, str) else None
        convoy = str(values.get("convoy"))
        builder = TaskBuilder(issue, convoy, task, number, planned, hash, event.ts, labels)
        self.tasks[issue] = builder
        self.members.setdefault(convoy, []).append(builder)
        self.taken.add(task)
        self.proposals.pop(issue, None)

    def _adopted(self, issue: str) -> None:
        """A task in an issue that somebody else opened: their labels decide nothing, so it starts queued."""
        labels = self.labels[issue] = Labels(_TASK_FINAL)
        labels.add("status:queued")

    def board(self, head: str | None, last: int) -> Board:
        """The board as it is now; more events may follow."""
        for issue in self.stale & self.convoys.keys():
            self.built[issue] = assemble(self.convoys[issue], self.members.get(issue, ()))
        self.stale.clear()
        built = sorted(self.built.values(), key=lambda each: (each.convoy.opened_ts, each.convoy.issue))
        convoys = tuple([each.convoy for each in built])
        wrong = [problem for each in built for problem in each.problems]
        return Board(
            head=head,
            last_ts=last,
            convoys=convoys,
            proposals=tuple(self.proposals.values()),
            problems=(*self.problems, *wrong, *doubled(convoys)),
            signers=tuple(sorted(self.signers)),
            taken=frozenset(self.taken),
            ledger=self.ledger.build(),
        )
