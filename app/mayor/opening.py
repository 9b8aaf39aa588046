"""A request becomes a convoy: its slug, ids and target, and its plan where no engine has to write it."""

from __future__ import annotations

import re
from collections.abc import Collection

from app.board import Board, convoy_facts_of_plan, convoy_main, derived_issue, short_id
from app.errors import UserError
from app.mayor.slug import slug
from app.mayor.validate import ValidPlan
from app.ports import ConvoyOpened, Fact, PlanApproved, RequestSource
from app.values import dataclass

__all__ = ["Request", "open_convoy", "title_of"]

TITLE_LENGTH = 120


@dataclass(frozen=True, slots=True)
class Request:
    """What somebody asks for. `base_checked_out` lands on a branch of the convoy's own first.

    `seed` makes this request different from an equal one (the log's head or a random text). `request` is the
    code host's issue it comes from.
    """

    goal: str
    base: str
    base_commit: str
    strategy: str
    approval: str
    planner: str
    by: str
    seed: str
    target: str = "base"
    base_checked_out: bool = False
    slug: str | None = None
    engine: str | None = None
    request: RequestSource | None = None


def title_of(goal: str) -> str:
    """The first line that says something, cut to one short line."""
    lines = (re.sub(r"^\s*[-*+] \[.\]", "", line).strip(" #\t") for line in goal.splitlines())
    first = next((line for line in lines if line), "convoy")
    return first if len(first) <= TITLE_LENGTH else first[: TITLE_LENGTH - 1].rstrip() + "…"


def open_convoy(
    board: Board,
    request: Request,
    plan: ValidPlan | None,
    *,
    branches: Collection[str] = (),
    now: int,
) -> tuple[Fact, ...]:
    """The facts that open a convoy.

    Without a plan the Mayor's engine writes one; `branches` exist already. Raises UserError when one of them
    is where the convoy's own should be.
    """
    title = title_of(request.goal)
    name = slug(request.slug or title, _taken(board, branches))
    issue = derived_issue(request.seed, request.goal, name)
    own_branch = request.target == "convoy" or request.base_checked_out
    landing = convoy_main(name) if own_branch else request.base
    opened = ConvoyOpened(
        issue=issue,
        convoy=short_id("c", issue, now=now, taken=board.taken.__contains__),
        slug=name,
        title=title,
        goal=request.goal,
        base=request.base,
        base_commit=request.base_commit,
        target=f"refs/heads/{landing}",
        strategy=request.strategy,
        approval=request.approval,
        planner=request.planner,
        by=request.by,
        engine=request.engine,
        request=request.request,
    )
    if plan is None:
        return (opened,)
    recorded = convoy_facts_of_plan(board, issue, plan.plan, hash=plan.hash, now=now)
    approved = (PlanApproved(issue, plan.hash, "policy"),) if request.approval == "auto" else ()
    return (opened, recorded, *approved)


def _taken(board: Board, branches: Collection[str]) -> set[str]:
    """Slugs that the log has given away, and those whose branches are there already."""
    if "convoy" in branches:
        raise UserError(
            "a branch named convoy leaves no room for branches below convoy/",
            place="refs/heads/convoy",
            remedy="git branch -m convoy convoy-branch",
        )
    reserved = {each.removeprefix("slug:") for each in board.taken if each.startswith("slug:")}
    return reserved | {name.split("/")[1] for name in branches if name.startswith("convoy/")}
