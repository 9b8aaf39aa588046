"""Which planner reads a request."""

from __future__ import annotations

from typing import Literal, TypeGuard, get_args

from app.errors import PlanError
from app.mayor.checkbox import has_open_box, nothing_left
from app.mayor.nearest import did_you_mean

__all__ = ["Planner", "planner_for"]

Planner = Literal["checklist", "engine", "workflow"]
PLANNERS: tuple[str, ...] = get_args(Planner)


def planner_for(text: str, configured: str) -> Planner:
    """The configured planner; `auto` is the checklist where the text has an open box, else the engine.

    A text of ticked boxes alone is a checklist too, which then says that nothing is left. Boxes inside code
    blocks and HTML comments do not count. Raises PlanError for a name that is no planner.
    """
    if configured == "auto":
        return "checklist" if has_open_box(text) or nothing_left(text) else "engine"
    if _known(configured):
        return configured
    names = ("auto", *PLANNERS)
    near = did_you_mean(configured, names)
    raise PlanError(f"there is no planner {configured!r}{near} (allowed: {', '.join(names)})")


def _known(name: str) -> TypeGuard[Planner]:
    return name in PLANNERS
