"""Checks before anything is recorded or spent: sandbox, engines, keys, meters, remote."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from app.cli.starting import budget_refusal
from app.config import ENGINES, Config, nearest
from app.errors import OperatorError, UserError
from app.ports import EngineCall, Operator

if TYPE_CHECKING:
    from app.wiring import Workshop

__all__ = ["check_in", "check_remote", "engines_in_work"]


def check_in(workshop: Workshop, config: Config, engines: Iterable[str]) -> Operator:
    """What sessions are lent. Each of `engines` is there, has its key, and is metered where a cap is set.

    Other engines that are ready are lent too: convoys of others may be open in this repository. Raises
    OperatorError with the remedy.
    """
    from app.runner import find_agent, is_metered

    needed = tuple(engines)
    operator = workshop.operator(needed)
    for type in needed:
        find_agent(EngineCall(type, None, ""), operator)
    metered = {type: is_metered(operator.engine(type)) for type in needed}
    if refused := budget_refusal(config, needed, metered):
        raise refused
    return workshop.operator((*needed, *_ready(workshop, set(needed))))


def check_remote(workshop: Workshop, asked: str | None, config: Config) -> str | None:
    """The remote's name, from the option or `[log] remote`. Raises UserError when there is no such one."""
    import pygit2

    name = asked or config.log.remote
    if name is None:
        return None
    known = [each or "" for each in pygit2.Repository(str(workshop.repository.common_dir)).remotes.names()]
    if name in known:
        return name
    near = nearest(name, known)
    raise UserError(
        f"there is no git remote {name!r}" + (f"; did you mean {near}?" if near else ""),
        place="--remote" if asked else f"{config.place}, [log] remote",
        remedy=f"git remote add {name} URL" + (f", or one of: {', '.join(known)}" if known else ""),
    )


def engines_in_work(workshop: Workshop, config: Config, issues: Iterable[str]) -> tuple[str, ...]:
    """Engine types that the open tasks of these convoys may still need."""
    chosen = set(issues)
    found: list[str] = []
    for convoy in workshop.view()[0].open_convoys:
        if convoy.issue not in chosen:
            continue
        if convoy.plan is None:
            found.append(convoy.engine or config.planner_engine().type)
        for task in convoy.tasks:
            named = config.engine_named(task.engine, kind=task.spec.kind) if task.engine else None
            if not task.status.final:
                found.append((named or config.engine_for(task.spec.kind)).type)
    return tuple(dict.fromkeys(found))


def _ready(workshop: Workshop, besides: set[str]) -> tuple[str, ...]:
    """Allowed engines that have all they need; the others are not missed yet."""
    from app.settings import lend

    found = []
    for type in workshop.settings.allow_engines or ENGINES:
        if type in besides:
            continue
        try:
            lend(workshop.settings, workshop.surroundings.environ, engines=(type,))
        except OperatorError:
            continue
        found.append(type)
    return tuple(found)
