"""Check runs and statuses of a head, as GraphQL shows them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from app.forge.github.answers import Answer, Ms, Text, read
from app.forge.github.client import Client, Unreadable
from app.forge.github.people import Ourselves
from app.forge.github.reading_on import all_nodes
from app.ports import CheckSeen, CheckState

__all__ = ["checks_of", "usual_names"]

_CONCLUSIONS = {
    "SUCCESS": CheckState.SUCCESS,
    "NEUTRAL": CheckState.NEUTRAL,
    "SKIPPED": CheckState.SKIPPED,
    "FAILURE": CheckState.FAILURE,
    "STARTUP_FAILURE": CheckState.FAILURE,
    "CANCELLED": CheckState.CANCELLED,
    "TIMED_OUT": CheckState.TIMED_OUT,
    "ACTION_REQUIRED": CheckState.ACTION_REQUIRED,
}
_STATES = {"SUCCESS": CheckState.SUCCESS, "FAILURE": CheckState.FAILURE, "ERROR": CheckState.FAILURE}


class _App(Answer):
    databaseId: int | None = None


class _Workflow(Answer):
    id: str


class _WorkflowRun(Answer):
    event: Text = ""
    workflow: _Workflow | None = None


class _Suite(Answer):
    databaseId: int = 0
    app: _App | None = None
    workflowRun: _WorkflowRun | None = None

    @property
    def workflow(self) -> str:
        """Which workflow began it, and for what; a suite of another App has none."""
        run = self.workflowRun
        return "" if run is None or run.workflow is None else f"{run.workflow.id}:{run.event}"


class _Run(Answer):
    databaseId: int
    name: str
    status: Text = ""
    conclusion: Text = ""
    startedAt: Ms = 0
    completedAt: Ms = 0
    detailsUrl: Text = ""
    externalId: Text = ""
    title: Text = ""
    summary: Text = ""
    checkSuite: _Suite = _Suite()


class _Status(Answer):
    context: str
    state: Text = ""
    targetUrl: Text = ""
    createdAt: Ms = 0
    description: Text = ""


def checks_of(client: Client, commit: Any, us: Ourselves) -> tuple[CheckSeen, ...]:
    """All that was posted on a commit; a commit without any has no rollup. Raises Unreadable."""
    if not isinstance(commit, dict) or "statusCheckRollup" not in commit:
        raise Unreadable("the commit was not answered")
    rollup = commit["statusCheckRollup"]
    if rollup is None:
        return ()
    return tuple(_check(node, us) for node in all_nodes(client, rollup, "contexts"))


def usual_names(ref: Any, us: Ourselves) -> tuple[str, ...] | None:
    """Names of the checks on a branch's last commits, ours left out; None where some are out of sight."""
    try:
        rollups = [each["contexts"] for each in _rollups(ref["target"]) if each is not None]
        if any(each["pageInfo"]["hasNextPage"] for each in rollups):
            return None
        names = {_name(node, us) for each in rollups for node in each["nodes"]}
    except (KeyError, TypeError):
        return None
    return tuple(sorted(name for name in names if name))


def _rollups(commit: dict[str, Any]) -> Iterator[dict[str, Any] | None]:
    """Of a commit and of those before it, as far as they were asked for."""
    yield commit["statusCheckRollup"]
    for parent in commit.get("parents", {"nodes": []})["nodes"]:
        yield from _rollups(parent)


def _name(node: dict[str, Any], us: Ourselves) -> str:
    suite = node.get("checkSuite") or {}
    if (suite.get("app") or {}).get("databaseId") == us.app:
        return ""
    return str(node.get("name") or node.get("context") or "")


def _check(node: dict[str, Any], us: Ourselves) -> CheckSeen:
    if node.get("__typename") == "StatusContext":
        return _status(node, us)
    run = read(_Run, node)
    if run is None:
        raise Unreadable("a check run that cannot be read")
    app = run.checkSuite.app.databaseId if run.checkSuite.app else None
    ours = app == us.app
    done = run.status == "COMPLETED"
    return CheckSeen(
        run.name,
        _CONCLUSIONS.get(run.conclusion, CheckState.PENDING) if done else CheckState.PENDING,
        app=app,
        id=run.databaseId,
        suite=run.checkSuite.databaseId,
        workflow=run.checkSuite.workflow,
        started_ts=run.startedAt,
        completed_ts=run.completedAt or None,
        url=run.detailsUrl,
        ours=ours,
        key=run.externalId if ours else "",
        summary=run.summary if ours else run.title or run.summary[:500],
    )


def _status(node: dict[str, Any], us: Ourselves) -> CheckSeen:
    """A commit status; GraphQL tells who made it, and not which App."""
    status = read(_Status, node)
    if status is None:
        raise Unreadable("a status that cannot be read")
    state = _STATES.get(status.state, CheckState.PENDING)
    return CheckSeen(
        status.context,
        state,
        started_ts=status.createdAt,
        completed_ts=status.createdAt if state is not CheckState.PENDING else None,
        url=status.targetUrl,
        ours=us.actor(node.get("creator")).ours,
        summary=status.description,
    )
