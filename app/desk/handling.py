"""A command and what follows from it: facts for the log, and words for the person. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from app.board import (
    SHOWN,
    Task,
    TaskStatus,
    answer_questions,
    ask_to_split,
    begun,
    cancel_convoy,
    change_priority,
    change_strategy,
    drop_task,
    hold_task,
    pause_convoy,
    release_task,
    replan,
    resume_convoy,
    retry_task,
)
from app.desk.case import Case, NothingHere, Outcome
from app.desk.opening import changed_since, open_here
from app.desk.planning import SKEW_MS, approve
from app.errors import UserError
from app.ports import Answered, Fact, HoldPlaced
from app.texts import (
    accepted_reply,
    as_comment,
    nothing_here_reply,
    refused_reply,
    unchanged_reply,
)

__all__ = ["handle"]

_REACTION = frozenset({"approve", "hold", "merge", "pause", "plan", "priority", "resume", "start", "unhold"})
"""Here a reaction is answer enough: what changed stands in the sticky comment at once."""


def handle(case: Case) -> Outcome:
    """Never raises for what a person said: a refusal has the reason and what to say instead."""
    try:
        outcome = _HANDLERS[case.command.name](case)
    except NothingHere:
        reply = nothing_here_reply(case.command, case.look.config.mayor.label, case.spot.place)
        return Outcome(reply=reply, accepted=False)
    except UserError as error:
        remedy = as_comment(error.remedy or "", case.spot.convoy) if case.spot.convoy else error.remedy or ""
        return Outcome(reply=refused_reply(case.command, error.reason, remedy), accepted=False)
    if outcome.reply or outcome.wait or not outcome.accepted:
        return outcome
    quiet = case.command.name in SHOWN | _REACTION and not outcome.said
    reply = "" if quiet else accepted_reply(case.command, by=case.by, said=outcome.said)
    return replace(outcome, reply=reply)


def _plan(case: Case) -> Outcome:
    convoy = case.spot.convoy
    if convoy is None or convoy.status.final:
        return _open(case)
    return Outcome()


def _open(case: Case) -> Outcome:
    """As the label does; a text that changed after the comment is not what was asked for."""
    issue = case.hub.issues.get(case.spot.number)
    if issue is None:
        return Outcome(wait=f"#{case.spot.number} could not be read as an issue")
    if not issue.open:
        raise UserError(f"issue #{issue.number} is closed", remedy="open it and say it again")
    if changed_since(issue, case.asked.ts):
        raise UserError("title or text changed after this comment: read it first", remedy="/brat plan")
    facts = open_here(case.look, issue, asked=case.asked, asked_ts=case.asked.ts, start=case.start)
    told = next(each for each in facts if isinstance(each, Answered))
    rest = tuple(each for each in facts if each is not told)
    return Outcome(rest, told.reply, accepted=told.accepted)


def _approve(case: Case) -> Outcome:
    convoy = case.convoy
    _ = case.tasks
    found = approve(convoy, case.hub, case.asked, numbers=case.command.numbers)
    if found is None:
        return Outcome(wait=f"#{case.spot.number} could not be read, and an approval binds to its text")
    facts, said = found
    if not facts:
        return _already(case, f"{convoy.approved_by} has approved the plan")
    return Outcome(facts, said=said)


def _start(case: Case) -> Outcome:
    """The next step, whichever that is; nothing is left to do where it runs."""
    convoy = case.spot.convoy
    if convoy is None or convoy.status.final:
        return _open(case)
    resumed = resume_convoy(case.convoy, by=case.by)
    if convoy.plan is None or convoy.approved_by:
        return _steered(case, resumed, "it is on its way")
    outcome = _approve(case)
    return replace(outcome, facts=(*outcome.facts, *resumed))


def _already(case: Case, why: str) -> Outcome:
    return Outcome(reply=unchanged_reply(case.command, why))


def _steered(case: Case, facts: tuple[Fact, ...], already: str) -> Outcome:
    return Outcome(facts) if facts else _already(case, already)


def _pause(case: Case) -> Outcome:
    return _steered(case, pause_convoy(case.convoy, by=case.by), "it is paused")


def _resume(case: Case) -> Outcome:
    return _steered(case, resume_convoy(case.convoy, by=case.by), "it is not paused")


def _cancel(case: Case) -> Outcome:
    return Outcome(cancel_convoy(case.convoy, by=case.by))


def _replan(case: Case) -> Outcome:
    if begun(case.convoy):
        remedy = "a task is cut by /brat split n or left out by /brat drop n; /brat cancel ends it all"
        raise UserError("work has begun, so the plan stands", remedy=remedy)
    return Outcome(replan(case.convoy, by=case.by, text=case.command.text))


def _answer(case: Case) -> Outcome:
    return Outcome(answer_questions(case.convoy, by=case.by, text=case.command.text))


def _split(case: Case) -> Outcome:
    task = case.tasks[0]
    facts = ask_to_split(case.convoy, task, by=case.by)
    if not facts:
        return _already(case, "the Mayor is at it")
    begun_already = any(isinstance(fact, HoldPlaced) for fact in facts)
    return Outcome(
        facts, said="" if begun_already else "the Mayor writes another plan, in which it is several tasks"
    )


def _retry(case: Case) -> Outcome:
    tasks = case.sensible(lambda task: task.status is TaskStatus.BLOCKED, what="blocked")
    engine = case.command.word or None
    facts = _each(tasks, lambda task: retry_task(case.convoy, task, by=case.by, engine=engine))
    again = [task for task in tasks if task.status is TaskStatus.BLOCKED]
    return Outcome(facts, said=f"{_named(again)}: a fresh set of attempts" if again else _NEXT_ENGINE)


def _engine(case: Case) -> Outcome:
    """Before its next session, or to try again with; what runs or is done was made by another one."""
    there = (TaskStatus.QUEUED, TaskStatus.BLOCKED)
    for task in case.tasks:
        if task.status not in there and not case.convoy.status.final:
            now = "in review" if task.status is TaskStatus.NEEDS_REVIEW else task.status.value
            raise UserError(
                f"task {task.number} is {now}: its engine can change while it waits or is blocked",
                remedy="/brat status",
            )
    return replace(_retry(case), said=_NEXT_ENGINE)


_NEXT_ENGINE = "the next session uses this engine"


def _named(tasks: list[Task]) -> str:
    word = "task" if len(tasks) == 1 else "tasks"
    return f"{word} {', '.join(str(task.number) for task in tasks)}"


def _drop(case: Case) -> Outcome:
    return Outcome(_each(case.tasks, lambda task: drop_task(case.convoy, task, by=case.by)))


def _strategy(case: Case) -> Outcome:
    word = case.command.word
    return _steered(case, change_strategy(case.convoy, by=case.by, strategy=word), f"it is {word}")


def _priority(case: Case) -> Outcome:
    facts = change_priority(case.convoy, by=case.by, level=case.command.level)
    return _steered(case, facts, "that is its priority")


def _merge(case: Case) -> Outcome:
    """That the comment came is the look: every pass looks, and the rules stay the rules."""
    _ = case.convoy
    return Outcome()


def _hold(case: Case) -> Outcome:
    tasks = case.sensible(lambda task: not task.status.final and task.hold is None, what="open and free")
    facts = _each(tasks, lambda task: hold_task(case.convoy, task, by=case.by))
    return _steered(case, facts, "it is held")


def _unhold(case: Case) -> Outcome:
    """Ends holds on whole tasks; one on a commit needs a release, which names what was looked at."""
    tasks = case.sensible(
        lambda task: task.hold is not None and task.hold.head is None and not task.splitting,
        what="held by a person",
    )
    bound = [task for task in tasks if task.hold is not None and task.hold.head is not None]
    if bound:
        number = bound[0].number
        raise UserError(
            f"task {number} is held at a commit: look at it first", remedy=f"/brat release {number}"
        )
    return Outcome(_each(tasks, lambda task: release_task(case.convoy, task, by=case.by)))


def _release(case: Case) -> Outcome:
    """For the commit that the person could see when they wrote, and no other."""
    for task in case.tasks:
        if _there_since(task) > case.asked.ts + SKEW_MS:
            raise UserError(
                f"the work of task {task.number} is newer than your comment: look at it first",
                remedy=f"/brat release {task.number}",
            )
    facts = _each(case.tasks, lambda task: _released(case, task))
    return _steered(case, facts, "that commit is released")


def _released(case: Case, task: Task) -> tuple[Fact, ...]:
    head = task.hold.head if task.hold is not None else task.work.head if task.work is not None else None
    return release_task(case.convoy, task, by=case.by, head=head)


def _there_since(task: Task) -> int:
    """When what is held, else published, came to be; where that is not known, when the task last changed."""
    if task.hold is None:
        return task.work_ts
    held = task.hold.session
    ends = (each.ended.ended_ts for each in task.sessions if each.id == held and each.ended is not None)
    return next(ends, task.updated_ts)


def _each(tasks: tuple[Task, ...], say: Callable[[Task], tuple[Fact, ...]]) -> tuple[Fact, ...]:
    return tuple(fact for task in tasks for fact in say(task))


def _show(case: Case) -> Outcome:
    """Needs no convoy, and changes nothing."""
    return Outcome()


def _logs(case: Case) -> Outcome:
    _ = case.tasks
    return Outcome()


_HANDLERS: dict[str, Callable[[Case], Outcome]] = {
    "help": _show,
    "status": _show,
    "plan": _plan,
    "approve": _approve,
    "replan": _replan,
    "start": _start,
    "pause": _pause,
    "resume": _resume,
    "cancel": _cancel,
    "retry": _retry,
    "drop": _drop,
    "split": _split,
    "engine": _engine,
    "strategy": _strategy,
    "priority": _priority,
    "merge": _merge,
    "hold": _hold,
    "unhold": _unhold,
    "release": _release,
    "logs": _logs,
    "answer": _answer,
}
