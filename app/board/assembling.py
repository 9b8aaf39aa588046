"""Folded parts → Board: task numbers, dependencies, and what needs repair. Changes nothing it is given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from app.board.board import Problem
from app.board.builders import TaskBuilder
from app.board.convoy_builder import ConvoyBuilder
from app.board.model import Convoy, Task
from app.values import dataclass

__all__ = ["Built", "assemble", "doubled"]


@dataclass(frozen=True, slots=True)
class Built:
    """One convoy as the log has it, and what is wrong in it."""

    convoy: Convoy
    problems: tuple[Problem, ...] = ()


def assemble(builder: ConvoyBuilder, tasks: Iterable[TaskBuilder]) -> Built:
    """One convoy of the tasks that name it, in the order in which they were folded."""
    mine = tuple(tasks)
    numbered = _Numbered(builder, mine)
    convoy = builder.build(numbered.tasks())
    return Built(convoy, (*numbered.problems, *_two_statuses(builder, mine)))


class _Numbered:
    """The tasks of one convoy by number; of two with one number the later gets the next free one."""

    def __init__(self, builder: ConvoyBuilder, mine: tuple[TaskBuilder, ...]) -> None:
        recorded = builder.plan.hash if builder.plan else None
        counted = [each for each in mine if each.plan in (None, recorded)]
        self._counted = sorted(counted, key=lambda each: (each.created_ts, each.issue))
        self.problems = [
            Problem(each.issue, "task of a second plan", "ignored: the first recorded plan counts")
            for each in mine
            if each.plan not in (None, recorded, *builder.replaced)
        ]

    def tasks(self) -> tuple[Task, ...]:
        number_of = self._numbers()
        by_id = {each.spec.id: number_of[each.issue] for each in reversed(self._counted)}
        parts = {number_of[each.issue]: _parts(each, number_of) for each in self._counted if each.split}
        built = []
        for each in self._counted:
            number = number_of[each.issue]
            needed = {by_id[id] for id in each.spec.depends_on if id in by_id}
            waits = _instead(needed, parts) - {number}
            built.append(each.build(number, tuple(sorted(waits)), parts.get(number, ())))
        return tuple(sorted(built, key=lambda task: task.number))

    def _numbers(self) -> dict[str, int]:
        number_of: dict[str, int] = {}
        for each in self._counted:
            used = number_of.values()
            number = each.number if each.number not in used else max(used) + 1
            if number != each.number:
                what = f"task number {each.number} was taken"
                self.problems.append(Problem(each.issue, what, f"it is task {number} now"))
            number_of[each.issue] = number
        return number_of


def _parts(task: TaskBuilder, number_of: Mapping[str, int]) -> tuple[int, ...]:
    into = task.split.into if task.split is not None else ()
    return tuple(sorted(number_of[issue] for issue in into if issue in number_of))


def _instead(numbers: set[int], parts: Mapping[int, tuple[int, ...]]) -> set[int]:
    """Who waits for a task that was split waits for its parts, and for theirs."""
    seen: set[int] = set()
    while split := (numbers & parts.keys()) - seen:
        seen |= split
        numbers = numbers | {part for number in split for part in parts[number]}
    return numbers - seen


def doubled(convoys: tuple[Convoy, ...]) -> Iterator[Problem]:
    """Short ids that two of them have."""
    ids = [each.id for each in convoys] + [task.id for each in convoys for task in each.tasks]
    if len(set(ids)) == len(ids):
        return
    named = [(each.issue, each.id) for each in convoys]
    named += [(task.issue, task.id) for each in convoys for task in each.tasks]
    often = Counter(ids)
    for issue, id in named:
        if often[id] > 1:
            yield Problem(issue, f"short id {id} is used twice", "both live on: use the number or issue id")


def _two_statuses(builder: ConvoyBuilder, tasks: tuple[TaskBuilder, ...]) -> Iterator[Problem]:
    subjects = ((builder.opened.issue, builder.labels), *((each.issue, each.labels) for each in tasks))
    for issue, labels in subjects:
        if len(labels.statuses) > 1:
            what = f"two status labels: {', '.join(labels.statuses)}"
            yield Problem(issue, what, f"status:{labels.status} counts, the others are removed")
