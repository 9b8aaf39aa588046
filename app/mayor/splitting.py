"""A task of a running plan becomes several smaller ones, cut by the planner; the rest of the plan goes on."""

from __future__ import annotations

from dataclasses import replace

from app.board import Convoy, Look, Session, Task, cap, derived_issue, failures, short_id
from app.errors import PlanError
from app.mayor.rulebook import repository_facts, rules_of
from app.mayor.rules import PlanRules
from app.mayor.running import PlannerRun, close_sessions, last_answer
from app.mayor.split_prompt import LEAST, MOST, Cut, split_prompt
from app.mayor.validate import validate
from app.ports import (
    Answered,
    Decision,
    Fact,
    HoldPlaced,
    HoldReleased,
    Plan,
    PlannedTask,
    PlanRefused,
    PullState,
    TaskAdded,
    TaskSplit,
)
from app.prompts import Failure
from app.texts import not_split_reply

__all__ = ["parts_of", "split_sessions", "split_tasks"]

PURPOSE = "split"


def split_sessions(task: Task) -> tuple[Session, ...]:
    """The planner's sessions that were to cut the task, in the order of their start."""
    return tuple(each for each in task.sessions if each.started.purpose == PURPOSE)


def split_tasks(convoy: Convoy, look: Look) -> Decision:
    """One step for each task that is to be cut, one cut a round; what nobody wants cut now is stopped."""
    decision = Decision()
    for task in convoy.tasks:
        if not task.splitting:
            decision += close_sessions(split_sessions(task), look, why="the task is not split any more")
        elif task.open_work is None:
            job = _Split(convoy, task, look)
            decision += _landed(task, look) or PlannerRun(convoy, job, look.after(decision)).step()
            if any(isinstance(each, TaskSplit) for each in decision.facts):
                # The next one's parts take the numbers and names that these leave.
                break
    return decision


def _landed(task: Task, look: Look) -> Decision | None:
    """A person merged its pull request meanwhile: then it is no more to be split."""
    hub = look.seen.hub
    pull = hub.pull_of(task.work.branch) if hub is not None and task.work is not None else None
    merged = pull is not None and pull.state is PullState.MERGED
    return Decision(facts=(HoldReleased(task.issue, None, "policy"),)) if merged else None


class _Split:
    """One task that is to be cut; only what was tried since that was asked for counts."""

    purpose, doing = PURPOSE, "cuts the task into smaller ones"

    def __init__(self, convoy: Convoy, task: Task, look: Look) -> None:
        self._convoy, self._task, self._look = convoy, task, look
        self.issue = task.issue

    @property
    def sessions(self) -> tuple[Session, ...]:
        return tuple(each for each in split_sessions(self._task) if each.started_ts > self._task.held_ts)

    @property
    def begun(self) -> int:
        return len(split_sessions(self._task))

    @property
    def refusals(self) -> tuple[PlanRefused, ...]:
        present = {each.id for each in self.sessions}
        return tuple(each for each in self._task.refusals if each.session in present)

    def prompt(self) -> str:
        convoy, task, look = self._convoy, self._task, self._look
        facts = repository_facts(convoy, look.config, look.setting.allow_engines)
        tried = (
            Failure(each.started.attempt, each.ended.finding.value, each.ended.evidence)
            for each in failures(task)
            if each.ended is not None
        )
        sent_back = task.follow_up
        cut = Cut(
            convoy.goal,
            task.spec,
            (*tried, *([Failure(0, sent_back.reason, sent_back.evidence)] if sent_back else [])),
            task.remarks,
            tuple(f"{each.spec.id}: {each.title}" for each in convoy.tasks if each.number != task.number),
        )
        if not self.refusals:
            return split_prompt(cut, facts)
        last = self.refusals[-1]
        return split_prompt(cut, facts, answer=last_answer(look, last), problems=last.errors)

    def taken(self, plan: Plan) -> tuple[Fact, ...]:
        """The parts as tasks; where a person approves plans, they are held until one has read them."""
        convoy, task, look = self._convoy, self._task, self._look
        specs = parts_of(convoy, task, plan, rules=rules_of(look.config, look.setting.allow_engines))
        first = max(each.number for each in convoy.tasks) + 1
        by, drawn, facts = _asked_by(task), list[str](), list[Fact]()
        for at, spec in enumerate(specs):
            issue = derived_issue(convoy.issue, "split", task.issue, str(self.begun), str(at))
            taken = look.board.taken.union(drawn).__contains__
            drawn.append(short_id("t", issue, now=look.now, taken=taken))
            one = Plan(convoy.title, (spec,))
            facts.append(TaskAdded(issue, convoy.issue, first + at, drawn[-1], one, by))
        issues = tuple(each.issue for each in facts)
        if convoy.approval == "required":
            why = f"a part of task {task.number} that nobody has approved yet: read what it does"
            facts += [HoldPlaced(issue, None, None, why) for issue in issues]
        return (*facts, TaskSplit(task.issue, issues, by))

    def given_up(self, reason: str) -> tuple[Fact, ...]:
        """It goes on as one task, and who asked is told."""
        convoy, task = self._convoy, self._task
        released = HoldReleased(task.issue, None, "policy")
        if convoy.request is None:
            return (released,)
        reply = not_split_reply(task.number, cap(reason))
        key, number = f"split:{self.sessions[-1].id}", convoy.request.number
        told = Answered(
            convoy.issue, key, number, "", _asked_by(task), 0, accepted=False, reply=reply, ts=self._look.now
        )
        return (released, told)


def _asked_by(task: Task) -> str:
    return task.hold.by if task.hold is not None else "policy"


def parts_of(convoy: Convoy, task: Task, answer: Plan, *, rules: PlanRules) -> tuple[PlannedTask, ...]:
    """The parts with names that are free here, after all that the task waited for.

    Held against the same rules as a plan: alone, in the planner's own names, and among the other tasks.
    Raises PlanError.
    """
    count = len(answer.tasks)
    if not LEAST <= count <= MOST:
        raise PlanError(f"the answer has {count} tasks; {LEAST} to {MOST} are wanted")
    validate(answer, rules)
    names = _free_names(convoy, [each.id for each in answer.tasks])
    before = {number: _name(convoy, number) for number in task.depends_on}
    parts = tuple(
        replace(
            each,
            id=names[each.id],
            engine=each.engine or task.engine,
            depends_on=(*before.values(), *(names[id] for id in each.depends_on)),
        )
        for each in answer.tasks
    )
    others = _others(convoy, task, before=frozenset(before), parts=tuple(names.values()))
    return validate(Plan(convoy.title, (*others, *parts)), rules).plan.tasks[-count:]


def _others(
    convoy: Convoy, task: Task, *, before: frozenset[int], parts: tuple[str, ...]
) -> tuple[PlannedTask, ...]:
    """The tasks that stay, as far as the parts have to do with them."""
    there = {
        each.number: each
        for each in convoy.tasks
        if each.number != task.number and (not each.status.final or each.number in before)
    }
    return tuple(
        replace(
            each.spec,
            engine=None,
            timeout_ms=None,
            depends_on=(
                *(there[number].spec.id for number in each.depends_on if number in there),
                *(parts if task.number in each.depends_on else ()),
            ),
        )
        for each in there.values()
    )


def _free_names(convoy: Convoy, ids: list[str]) -> dict[str, str]:
    """`task-<number>` for the numbers that the parts get, or something like it."""
    taken = {each.spec.id for each in convoy.tasks}
    first = max(each.number for each in convoy.tasks) + 1
    found: dict[str, str] = {}
    for number, id in enumerate(ids, first):
        candidates = (f"task-{n}" for n in range(number, number + len(taken) + len(ids) + 1))
        found[id] = next(each for each in candidates if each not in taken)
        taken.add(found[id])
    return found


def _name(convoy: Convoy, number: int) -> str:
    found = convoy.task(number)
    assert found is not None
    return found.spec.id
