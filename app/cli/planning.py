"""`brat mayor plan` and `brat mayor status`: what would be done, and what the Mayor waits for."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.board import Convoy, counted
from app.cli.call import Call
from app.cli.convoys import show_plan
from app.cli.entrance import check_in
from app.cli.inputs import ask_for
from app.cli.plan_view import plan_of
from app.cli.progress import one_line
from app.cli.recording import person, record_facts
from app.cli.running import Course, Runner
from app.cli.starting import Prepared, engines_of, prepare
from app.cli.times import ago
from app.errors import OperatorError, PlanError
from app.mayor import Request, open_convoy, plan_to_dict, plan_to_yaml, render_graph
from app.ports import Plan, Verdict

if TYPE_CHECKING:
    from app.cli.mayor_commands import PlanOptions
    from app.config import Config
    from app.wiring import Workshop

__all__ = ["print_mayor_status", "print_plan"]


def print_plan(call: Call, options: PlanOptions) -> int:
    """`brat mayor plan`: the exit code. Nothing is recorded, also not what a planning session costs."""
    workshop = call.workshop(base=options.base, needs_branch=True)
    config = workshop.config.at(workshop.repository.base)
    asked = replace(
        ask_for(workshop, options.source, options.input), planner=options.planner, engine=options.engine
    )
    prepared = prepare(asked, config, workshop.settings.allow_engines)
    plan = (
        prepared.plan.plan if prepared.plan else _planned_by_engine(call, workshop, config, prepared=prepared)
    )
    if call.json:
        drawing = render_graph(plan, ascii_only=True)
        call.answer({"planner": prepared.planner, "plan": plan_to_dict(plan), "graph": drawing})
    elif options.yaml:
        print(plan_to_yaml(plan), end="")
    else:
        show_plan(call, plan, config)
    return 0


def print_mayor_status(call: Call) -> int:
    """`brat mayor status`: 0, or 3 when a person is waited for."""
    workshop = call.workshop()
    done = workshop.observer().look()
    verdicts = {each.subject: each for each in done.verdicts}
    now = workshop.surroundings.clock()
    open_ones = done.board.open_convoys
    told = [_document(each, verdicts.get(each.issue)) for each in open_ones]
    waits = any(each.plan is not None and each.approved_by is None for each in open_ones)
    if call.json:
        call.answer({"convoys": told, "waits_for_a_person": waits})
        return 3 if waits else 0
    for convoy in open_ones:
        call.say(f"{convoy.slug}: {one_line(convoy.title)} (opened {ago(convoy.opened_ts, now=now)})")
        for line in _state_lines(convoy, verdicts.get(convoy.issue)):
            call.say(f"  {line}")
    if not open_ones:
        call.say('No convoy is open here. Begin one: brat mayor start --task "..."')
    return 3 if waits else 0


def _state_lines(convoy: Convoy, verdict: Verdict | None) -> Iterator[str]:
    if convoy.plan is None:
        reason = verdict.because if verdict else "no plan yet"
        yield f"planning: {one_line(reason)}"
        yield f"refused answers: {len(convoy.refusals)}" if convoy.refusals else "brat mayor resume"
    elif convoy.approved_by is None:
        yield f"the plan of {counted(len(convoy.tasks), 'task')} waits for approval"
        yield f"a maintainer: brat convoy approve {convoy.slug}"
    else:
        yield f"approved by {convoy.approved_by}; the Mayor has nothing to do"


def _document(convoy: Convoy, verdict: Verdict | None) -> dict[str, Any]:
    state = "planning" if convoy.plan is None else "approved" if convoy.approved_by else "approval"
    waiting = None
    if state != "approved" and verdict is not None:
        waiting = {"reason": verdict.because, "who": verdict.who, "command": verdict.unblock or None}
    return {
        "convoy_id": convoy.id,
        "slug": convoy.slug,
        "title": convoy.title,
        "state": state,
        "tasks": len(convoy.tasks),
        "refusals": len(convoy.refusals),
        "waiting": waiting,
    }


def _planned_by_engine(call: Call, workshop: Workshop, config: Config, *, prepared: Prepared) -> Plan:
    """A planning session over a throw-away clone that borrows the objects: the same rules, another log."""
    operator = check_in(workshop, config, engines_of(prepared, config)[:1])
    quiet = Call(call.repo, call.json, quiet=True, surroundings=call.surroundings)
    with _throw_away(workshop) as spare:
        request = Request(
            goal=prepared.goal,
            base=spare.repository.base.removeprefix("refs/heads/"),
            base_commit=spare.repository.head,
            strategy=config.refinery.strategy,
            approval="required",
            planner=prepared.planner,
            by=person(workshop),
            seed="plan",
            engine=prepared.engine,
        )
        now = workshop.surroundings.clock()
        record_facts(spare, lambda board: open_convoy(board, request, None, now=now))
        done = Runner(quiet, spare, operator=operator).run(Course(roles=frozenset({"mayor"}))).done
        (convoy,) = done.board.convoys
        if convoy.plan is not None:
            return plan_of(convoy)
        if convoy.refusals:
            raise PlanError(*convoy.refusals[-1].errors, place="the planner's answer")
        raise OperatorError(
            convoy.reason or "planning was stopped",
            place=f"engine {prepared.engine or config.planner_engine().type}",
            remedy="brat doctor says whether the engine is ready",
        )


@contextmanager
def _throw_away(workshop: Workshop) -> Iterator[Workshop]:
    """A bare clone whose log and sessions are gone afterwards; its settings are those of the real one."""
    import pygit2

    from app.wiring import ConfigSource, Workshop
    from app.workspace import examine

    repository = workshop.repository
    with tempfile.TemporaryDirectory(prefix="brat-plan-") as folder:
        place = Path(folder) / "plan.git"
        made = pygit2.init_repository(str(place), bare=True)
        made.odb.add_disk_alternate(str(repository.common_dir / "objects"))
        alternates = place / "objects" / "info" / "alternates"
        alternates.write_text(f"{repository.common_dir / 'objects'}\n")
        made.references.create(repository.base, repository.head)
        made.set_head(repository.base)
        made.free()
        source = ConfigSource(
            repository.common_dir, repository.base, workshop.settings, work_tree=repository.work_tree
        )
        here = examine(place, base=repository.base)
        yield Workshop(here, workshop.settings, workshop.surroundings, source)
