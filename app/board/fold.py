"""Events → Board. Total: whatever stands in a log, folding it ends with a board and a list of problems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from app.board.blocks import read_block
from app.board.builders import ConvoyBuilder, Labels, TaskBuilder
from app.board.codec import decode_planned
from app.board.model import Board, Convoy, ConvoyStatus, Problem, Proposal, Task, TaskStatus
from app.board.reading import fact_in
from app.grite import CommentAdded, Event, IssueCreated, LabelAdded, LabelRemoved
from app.ports import ConvoyOpened

__all__ = ["Trust", "fold"]

Trust = Callable[[Event], bool]
"""Whether an event is signed by a key that counts here."""

_CONVOY_FINAL = frozenset(each.value for each in ConvoyStatus if each.final)
_TASK_FINAL = frozenset(each.value for each in TaskStatus if each.final)


def fold(events: Iterable[Event], *, trusted: Trust, head: str | None = None) -> Board:
    """The board of a log. Only trusted events decide; of the others, new tasks become proposals."""
    folding = _Folding()
    last = 0
    for event in sorted(events, key=lambda each: (each.ts, each.actor, each.id)):
        last = event.ts
        if trusted(event):
            folding.decide(event)
        else:
            folding.propose(event)
    return folding.board(head, last)


class _Folding:
    """All issues while events are applied in order."""

    def __init__(self) -> None:
        self.labels: dict[str, Labels] = {}
        self.convoys: dict[str, ConvoyBuilder] = {}
        self.tasks: dict[str, TaskBuilder] = {}
        self.proposals: dict[str, Proposal] = {}
        self.problems: list[Problem] = []
        self.signers: dict[str, None] = {}
        self.taken: set[str] = set()

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
        self.tasks[issue] = TaskBuilder(issue, convoy, task, number, planned, hash, event.ts, labels)
        self.taken.add(task)
        self.proposals.pop(issue, None)

    def _adopted(self, issue: str) -> None:
        """A task in an issue that somebody else opened: their labels decide nothing, so it starts queued."""
        labels = self.labels[issue] = Labels(_TASK_FINAL)
        labels.add("status:queued")

    def board(self, head: str | None, last: int) -> Board:
        convoys = tuple(
            sorted(
                (builder.build(self._tasks(issue, builder)) for issue, builder in self.convoys.items()),
                key=lambda each: (each.opened_ts, each.issue),
            )
        )
        problems = (*self.problems, *self._doubled(convoys), *self._two_statuses())
        proposals = tuple(self.proposals.values())
        return Board(
            head, last, convoys, proposals, problems, tuple(sorted(self.signers)), frozenset(self.taken)
        )

    def _tasks(self, convoy: str, builder: ConvoyBuilder) -> tuple[Task, ...]:
        """The convoy's tasks by number; of two with one number the later gets the next free one."""
        mine = [each for each in self.tasks.values() if each.convoy == convoy]
        recorded = builder.plan.hash if builder.plan else None
        counted = sorted(
            (each for each in mine if each.plan in (None, recorded)),
            key=lambda each: (each.created_ts, each.issue),
        )
        for each in mine:
            if each not in counted:
                problem = Problem(
                    each.issue, "task of a second plan", "ignored: the first recorded plan counts"
                )
                self.problems.append(problem)
        number_of: dict[str, int] = {}
        for each in counted:
            used = number_of.values()
            number = each.number if each.number not in used else max(used) + 1
            if number != each.number:
                what = f"task number {each.number} was taken"
                self.problems.append(Problem(each.issue, what, f"it is task {number} now"))
            number_of[each.issue] = number
        by_id = {each.spec.id: number_of[each.issue] for each in reversed(counted)}
        built = (
            each.build(
                number_of[each.issue],
                tuple(sorted(by_id[id] for id in each.spec.depends_on if id in by_id)),
            )
            for each in counted
        )
        return tuple(sorted(built, key=lambda task: task.number))

    @staticmethod
    def _doubled(convoys: tuple[Convoy, ...]) -> Iterable[Problem]:
        ids = Counter([each.id for each in convoys] + [task.id for each in convoys for task in each.tasks])
        for issue, id in [(each.issue, each.id) for each in convoys] + [
            (task.issue, task.id) for each in convoys for task in each.tasks
        ]:
            if ids[id] > 1:
                yield Problem(
                    issue, f"short id {id} is used twice", "both live on: use the number or issue id"
                )

    def _two_statuses(self) -> Iterable[Problem]:
        for issue, labels in self.labels.items():
            if (issue in self.tasks or issue in self.convoys) and len(labels.statuses) > 1:
                what = f"two status labels: {', '.join(labels.statuses)}"
                yield Problem(issue, what, f"status:{labels.status} counts, the others are removed")
