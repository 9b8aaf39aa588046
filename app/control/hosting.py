"""What a pass over a repository on a code host needs beside one over a plain repository."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from app import desk
from app.board import Look
from app.mayor import Request, open_convoy, plan_from_checklist, planner_for, rules_of, validate
from app.ports import Fact, HubWanted, RequestSource

__all__ = ["both", "covers", "start_request"]


def both(one: HubWanted, other: HubWanted) -> HubWanted:
    """All that two roles want to see. Label and inbox are the first one's."""
    joined: dict[str, Any] = {
        each.name: tuple(dict.fromkeys((*getattr(one, each.name), *getattr(other, each.name))))
        for each in fields(HubWanted)
        if isinstance(getattr(one, each.name), tuple)
    }
    return replace(one, **joined)


def covers(seen: HubWanted, wanted: HubWanted) -> bool:
    """Whether a look that was asked for `seen` shows all of `wanted`.

    What was answered since is in the log, so a longer list of handled keys needs no second look.
    """
    return seen.label == wanted.label and all(
        set(getattr(wanted, each.name)) <= set(getattr(seen, each.name))
        for each in fields(HubWanted)
        if isinstance(getattr(wanted, each.name), tuple)
    )


def start_request(look: Look, request: RequestSource, *, goal: str, title: str) -> tuple[Fact, ...]:
    """A permitted request as a convoy: planned at once where it is a checklist, else by the planner's engine.

    Raises PlanError and UserError with words for the issue.
    """
    config, base = look.config, look.setting.base
    text = f"{title}\n\n{goal}".strip()
    listed = planner_for(text, config.mayor.planner) == "checklist"
    wanted = Request(
        goal=text,
        base=base,
        base_commit=look.seen.refs[f"refs/heads/{base}"],
        strategy=config.refinery.strategy,
        approval=desk.approval_of(look),
        planner="checklist" if listed else "engine",
        by=request.by,
        seed=request.trigger,
        target=config.refinery.target,
        request=request,
    )
    plan = None
    if listed:
        plan = validate(plan_from_checklist(text), rules_of(config, look.setting.allow_engines))
    names = {*look.seen.refs, *look.seen.names}
    branches = [each.removeprefix("refs/heads/") for each in names if each.startswith("refs/heads/")]
    return open_convoy(look.board, wanted, plan, branches=branches, now=look.now)
