"""What a planner is told that is to cut one task of a running plan into smaller ones."""

from __future__ import annotations

import json
from collections.abc import Iterator

from app.mayor.prompts import RepositoryFacts, answer_parts, refused_parts, repository_part, task_rules
from app.mayor.schema import task_data
from app.ports import PlannedTask
from app.prompts import Failure, fenced
from app.values import dataclass

__all__ = ["LEAST", "MOST", "Cut", "split_prompt"]

LEAST = 2
"""One task would be the same again."""
MOST = 4
"""More were a plan of its own, and are asked for as such."""


@dataclass(frozen=True, slots=True)
class Cut:
    """The task to split, what was tried and said of it, and the titles of the plan's other tasks."""

    goal: str
    task: PlannedTask
    failures: tuple[Failure, ...] = ()
    remarks: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


def split_prompt(
    cut: Cut, facts: RepositoryFacts, *, answer: str = "", problems: tuple[str, ...] = ()
) -> str:
    """The whole prompt; with `problems`, those of the `answer` before."""
    again = refused_parts(answer, problems) if problems else ()
    return "\n\n".join([*_parts(cut, facts), *again]) + "\n"


def _parts(cut: Cut, facts: RepositoryFacts) -> Iterator[str]:
    yield (
        f"A plan is being carried out in the git repository you are in. One of its tasks is too large or too"
        f" hard for one agent: split it into {LEAST} to {MOST} smaller tasks. Read what you need, change"
        " nothing, run nothing that writes. Other agents will do the tasks, each alone on its own branch."
    )
    yield "# The task to split\n" + fenced("task", json.dumps(task_data(cut.task), indent=1))
    for failure in cut.failures[-3:]:
        said = f"{failure.reason}\n{failure.evidence}"
        yield f"# Attempt {failure.attempt} at it failed\n" + fenced("failure", said, limit=6_000)
    if cut.remarks:
        told = "\n\n".join(cut.remarks)
        yield "# What people with a say said of it\n" + fenced("remarks", told, limit=8_000)
    yield "# What the whole plan is for\n" + fenced("request", cut.goal, limit=16_000)
    if cut.others:
        listed = "\n".join(cut.others)
        yield "# Its other tasks\nThey stay as they are and are not yours:\n" + fenced("tasks", listed)
    yield repository_part(facts)
    rules = (*_rules(), *task_rules(facts))
    yield "# A good split\n" + "\n".join(f"- {rule}" for rule in rules)
    yield from answer_parts()


def _rules() -> Iterator[str]:
    yield f"{LEAST} to {MOST} tasks, which together do all of that task and nothing beside it."
    yield "depends_on names only tasks of your answer; what the split task waited for is kept anyway."
    yield "What proves the whole task is among the commands of the task that comes last."
