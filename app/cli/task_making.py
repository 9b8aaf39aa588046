"""A task by a person's word: in a convoy or in a new one, of their own or proposed by somebody else."""

from __future__ import annotations

import secrets
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from app.board import Board, Convoy, Proposal
from app.cli.call import Call
from app.cli.naming import find_convoy, find_task
from app.cli.recording import person
from app.cli.steering import go_on_line, written
from app.cli.task_changes import redacted
from app.errors import UserError
from app.mayor import Addition, Request, add_task, open_convoy, rules_of, validate
from app.ports import ConvoyOpened, Fact, Plan, PlannedTask, PlanRecorded, TaskAdded
from app.values import dataclass

if TYPE_CHECKING:
    from app.cli.task_commands import TaskOptions
    from app.wiring import Workshop

__all__ = ["approve_proposal", "create_task"]

_SHORTEST = 4


def create_task(call: Call, options: TaskOptions) -> None:
    """`brat task create`."""
    workshop = call.workshop(needs_branch=True)
    making = _Making(workshop, options, person(workshop))
    _tell(call, workshop, written(workshop, lambda board: making.facts(board, making.spec(board), None)))


def approve_proposal(call: Call, options: TaskOptions) -> None:
    """`brat task approve`: what the stranger wrote is its instructions, never a command."""
    workshop = call.workshop(needs_branch=True)
    making = _Making(workshop, options, person(workshop))

    def decide(board: Board) -> tuple[Fact, ...]:
        proposal = _find_proposal(board, options.name)
        return making.facts(board, making.spec(board, proposal), proposal)

    _tell(call, workshop, written(workshop, decide))


@dataclass(frozen=True, slots=True)
class _Making:
    """The facts of one task as its options say it."""

    workshop: Workshop
    options: TaskOptions
    by: str

    def spec(self, board: Board, proposal: Proposal | None = None) -> PlannedTask:
        """What is asked for; the id is given later."""
        options = self.options
        said = sys.stdin.read() if options.instructions == "-" else options.instructions
        title = options.title or (proposal.title if proposal else options.name)
        convoy = self.convoy(board, proposal)
        after = (self._plan_id(board, each, convoy) for each in options.after)
        return PlannedTask(
            id="task-1",
            title=" ".join(redacted(self.workshop, title).split()),
            kind=options.kind,
            instructions=redacted(
                self.workshop, said if said is not None else proposal.body if proposal else ""
            ),
            commands=tuple(options.run),
            paths=tuple(options.paths),
            depends_on=tuple(dict.fromkeys(after)),
            engine=options.engine,
        )

    def convoy(self, board: Board, proposal: Proposal | None) -> Convoy | None:
        """The one named, the one proposed for, the only open one; None: a new one."""
        if self.options.convoy is not None:
            return find_convoy(board, self.options.convoy)
        proposed = next(
            (each for each in board.open_convoys if proposal and each.id == proposal.convoy), None
        )
        return proposed or (find_convoy(board) if board.open_convoys else None)

    def facts(self, board: Board, spec: PlannedTask, proposal: Proposal | None) -> tuple[Fact, ...]:
        """Raises PlanError with every rule that the task breaks."""
        convoy = self.convoy(board, proposal)
        issue = proposal.issue if proposal else None
        now = self.workshop.surroundings.clock()
        config = self.workshop.config(board)
        rules = rules_of(config, self.workshop.settings.allow_engines)
        if convoy is not None:
            return (add_task(board, convoy, Addition(spec, self.by, issue), rules=rules, now=now),)
        valid = validate(Plan(spec.title, (spec,)), rules)
        facts = open_convoy(board, self._request(spec), valid, now=now)
        return tuple(
            replace(each, issues=(issue,)) if issue and isinstance(each, PlanRecorded) else each
            for each in facts
        )

    def _request(self, spec: PlannedTask) -> Request:
        workshop, repository = self.workshop, self.workshop.repository
        config = workshop.config.at(repository.base)
        base = repository.base.removeprefix("refs/heads/")
        checkouts = workshop.publisher().checkouts((base,))
        return Request(
            goal=spec.title,
            base=base,
            base_commit=repository.head,
            strategy=config.refinery.strategy,
            approval="auto",
            planner="task",
            by=self.by,
            seed=secrets.token_hex(8),
            target=config.refinery.target,
            base_checked_out=base in checkouts,
        )

    @staticmethod
    def _plan_id(board: Board, name: str, convoy: Convoy | None) -> str:
        if convoy is None:
            raise UserError(f"--after {name}: no convoy is open, so there is no task to wait for")
        found = find_task(board, name, convoy=convoy.slug)
        return found.task.spec.id


def _find_proposal(board: Board, name: str) -> Proposal:
    found = [
        each for each in board.proposals if len(name) >= _SHORTEST and each.issue.startswith(name.lower())
    ]
    if len(found) == 1:
        return found[0]
    if found:
        listed = "".join(f"\n  {each.issue[:12]}  {each.title}" for each in found)
        raise UserError(f"{name!r} names {len(found)} proposals:{listed}", remedy="say more of the id")
    listed = ", ".join(each.issue[:8] for each in board.proposals) or "none"
    raise UserError(f"there is no proposal {name!r}", remedy=f"proposals: {listed}")


def _tell(call: Call, workshop: Workshop, facts: tuple[Fact, ...]) -> None:
    board = workshop.view()[0]
    issue = next(
        each.issue if isinstance(each, TaskAdded) else each.issues[0]
        for each in facts
        if isinstance(each, TaskAdded | PlanRecorded)
    )
    convoy, task = next(
        (convoy, task) for convoy in board.convoys for task in convoy.tasks if task.issue == issue
    )
    opened = any(isinstance(each, ConvoyOpened) for each in facts)
    notes = next((each.plan.notes for each in facts if isinstance(each, TaskAdded | PlanRecorded)), ())
    then = go_on_line(workshop)
    if call.json:
        call.answer(
            {
                "task": {"task_id": task.id, "number": task.number, "convoy": convoy.slug, "issue": issue},
                "opened_convoy": opened,
                "notes": list(notes),
                "next": [then.removeprefix("-> ")],
            }
        )
        return
    new = f" in the new convoy {convoy.slug}" if opened else f" of {convoy.slug}"
    call.say(f"Task {task.number}{new} ({task.id}): {task.title}")
    for note in notes:
        call.say(f"  note: {note}")
    call.say(then)
