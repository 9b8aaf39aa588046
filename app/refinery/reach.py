"""What CI would lend to an agent's code: asked before its head is pushed (T18)."""

from __future__ import annotations

from app.board import Convoy, Look, Session, Task, cap, task_branch
from app.policy import ci_risk
from app.ports import HoldPlaced, Verdict, VerdictState
from app.refinery.places import short_branch

__all__ = ["ci_hold"]


def ci_hold(
    convoy: Convoy, task: Task, session: Session, *, look: Look, head: str
) -> HoldPlaced | Verdict | None:
    """A hold bound to this head where the base's workflows would give it secrets or a writing token.

    A verdict while the workflows could not be read; None where nothing is in reach, the owner allows it, or
    a person released this head.
    """
    hub = look.seen.hub
    if hub is None or look.config.refinery.agent_ci == "allow" or head in task.released:
        return None
    base = look.seen.refs.get(f"refs/heads/{convoy.base}", "")
    workflows = hub.workflows.get(base)
    if workflows is None:
        because = f"the workflows of {convoy.base} could not be read, so nothing is pushed that they may run"
        return Verdict(
            task.issue, "workflows", VerdictState.WAITING, because, who="the Refinery", next_look_ts=look.now
        )
    on = _runs_on(convoy, task)
    risks = tuple(dict.fromkeys(risk for head, base in on for risk in ci_risk(workflows, head, base)))
    if not risks:
        return None
    told = "; ".join(f"{each.workflow}: {each.what} ({each.why})" for each in risks[:4])
    more = f"; and {len(risks) - 4} more" if len(risks) > 4 else ""
    paths = tuple(dict.fromkeys(each.workflow for each in risks))
    reason = cap(f"its push would run workflows with more than reading rights: {told}{more}")
    return HoldPlaced(task.issue, session.id, head, reason, paths)


def _runs_on(convoy: Convoy, task: Task) -> tuple[tuple[str, str], ...]:
    """Each branch that the work comes on, and where it is proposed to go from there."""
    target, own = short_branch(convoy.target), task_branch(convoy.slug, task.number)
    return ((own, target),) if target == convoy.base else ((own, target), (target, convoy.base))
