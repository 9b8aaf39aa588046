"""Commits with what was checked on them, branches, files."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from tests.fakehub.graph.nodes import Node, actor, ident, page, resolves, when
from tests.fakehub.model import CheckRun
from tests.fakehub.views.basic import node_id

__all__ = ["commit", "ref", "rollup"]

_ORDER = ("ERROR", "FAILURE", "PENDING", "EXPECTED")
_PASSING = ("success", "neutral", "skipped")


def commit(node: Node, sha: str | None) -> Node | None:
    return node.to("Commit", sha) if sha else None


def ref(node: Node, branch: str) -> Node | None:
    return node.to("Ref", branch) if node.repo.branch(branch) else None


def rollup(node: Node, sha: str) -> Node | None:
    """None where nothing was reported."""
    found = node.repo.newest_checks(sha) or node.repo.newest_statuses(sha)
    return node.to("StatusCheckRollup", sha) if found else None


def _contexts(node: Node, **args: Any) -> dict[str, Any]:
    """Of each suite the newest of a name: a workflow that ran twice shows twice."""
    suites = [each for each in node.repo.data.suites.values() if each.head == node.of]
    checks = node.all("CheckRun", [run for suite in suites for run in node.repo.checks_of(suite)])
    statuses = node.all("StatusContext", node.repo.newest_statuses(node.of))
    return page([*checks, *statuses], **args)


def _check_state(check: CheckRun) -> str:
    if check.conclusion is None:
        return "PENDING"
    return "SUCCESS" if check.conclusion in _PASSING else "FAILURE"


def _state(node: Node) -> str:
    found = {_check_state(each) for each in node.repo.newest_checks(node.of)}
    found |= {each.state.upper() for each in node.repo.newest_statuses(node.of)}
    return next((each for each in _ORDER if each in found), "SUCCESS")


def _required(node: Node, name: str, *, app: int | None, **args: Any) -> bool:
    """Whether the pull request's base asks for it."""
    number = args.get("pullRequestNumber")
    pulls = node.repo.data.pulls.values()
    asked = next(
        (e for e in pulls if number == e.number or args.get("pullRequestId") == node_id("PullRequest", e.id)),
        None,
    )
    rules = node.repo.rules_of(asked.base) if asked else []
    return any(name == context and wanted in (None, app) for rule in rules for context, wanted in rule.checks)


def _utc(text: str) -> str:
    return datetime.fromisoformat(text).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _suites(node: Node, filterBy: dict[str, Any] | None = None, **args: Any) -> dict[str, Any]:
    wanted = (filterBy or {}).get("appId")
    suites = [e for e in node.repo.data.suites.values() if e.head == node.of and wanted in (None, e.app.id)]
    return page(node.all("CheckSuite", suites), **args)


def _status(node: Node) -> Node | None:
    return node.to("Status", node.of) if node.repo.newest_statuses(node.of) else None


def _sha_id(node: Node) -> str:
    return node_id(node.kind, int(node.of[:12], 16))


resolves(
    "Commit",
    id=_sha_id,
    oid=lambda n: n.of,
    message=lambda n: n.repo.git.commit(n.of).message,
    messageHeadline=lambda n: n.repo.git.commit(n.of).message.split("\n")[0],
    committedDate=lambda n: _utc(n.repo.git.commit(n.of).committer[2]),
    authoredDate=lambda n: _utc(n.repo.git.commit(n.of).author[2]),
    parents=lambda n, **a: page(n.all("Commit", n.repo.git.commit(n.of).parents), **a),
    statusCheckRollup=lambda n: rollup(n, n.of),
    checkSuites=_suites,
    status=_status,
)
resolves(
    "Status",
    id=_sha_id,
    state=lambda n: _state(n.to("Status", n.of)),
    contexts=lambda n: n.all("StatusContext", n.repo.newest_statuses(n.of)),
)
resolves("StatusCheckRollup", id=_sha_id, state=_state, contexts=_contexts)
resolves(
    "CheckRun",
    id=ident,
    databaseId=lambda n: n.of.id,
    name=lambda n: n.of.name,
    status=lambda n: n.of.status.upper(),
    conclusion=lambda n: n.of.conclusion.upper() if n.of.conclusion else None,
    startedAt=lambda n: when(n.of.started),
    completedAt=lambda n: when(n.of.completed),
    detailsUrl=lambda n: n.of.details_url or f"{n.repo.html}/runs/{n.of.id}",
    url=lambda n: f"{n.repo.html}/runs/{n.of.id}",
    externalId=lambda n: n.of.external_id,
    title=lambda n: n.of.output.get("title"),
    summary=lambda n: n.of.output.get("summary"),
    text=lambda n: n.of.output.get("text"),
    isRequired=lambda n, **a: _required(n, n.of.name, app=n.of.suite.app.id, **a),
    checkSuite=lambda n: n.to("CheckSuite", n.of.suite),
)
resolves(
    "StatusContext",
    id=ident,
    context=lambda n: n.of.context,
    state=lambda n: n.of.state.upper(),
    description=lambda n: n.of.description,
    targetUrl=lambda n: n.of.target_url,
    createdAt=lambda n: when(n.of.created),
    creator=lambda n: actor(n, n.of.creator),
    isRequired=lambda n, **a: _required(n, n.of.context, app=None, **a),
)


def _run(node: Node) -> Node | None:
    found = (each for each in node.repo.data.runs.values() if each.suite.id == node.of.id)
    run = next(found, None)
    return node.to("WorkflowRun", run) if run else None


def _conclusion(node: Node) -> str | None:
    conclusion = node.repo.suite_state(node.of)[1]
    return conclusion.upper() if conclusion else None


resolves(
    "CheckSuite",
    id=ident,
    databaseId=lambda n: n.of.id,
    app=lambda n: n.to("App", n.of.app),
    status=lambda n: n.repo.suite_state(n.of)[0].upper(),
    conclusion=_conclusion,
    workflowRun=_run,
    createdAt=lambda n: when(n.of.created),
    updatedAt=lambda n: when(n.of.created),
    checkRuns=lambda n, filterBy=None, **a: page(n.all("CheckRun", n.repo.checks_of(n.of)), **a),
)
resolves(
    "App",
    id=ident,
    databaseId=lambda n: n.of.id,
    slug=lambda n: n.of.slug,
    name=lambda n: n.of.slug,
)
resolves(
    "WorkflowRun",
    id=ident,
    databaseId=lambda n: n.of.id,
    event=lambda n: n.of.event,
    runNumber=lambda n: n.of.number,
    url=lambda n: f"{n.repo.html}/actions/runs/{n.of.id}",
    workflow=lambda n: n.to("Workflow", n.of),
)
resolves(
    "Workflow",
    id=lambda n: node_id("Workflow", n.of.workflow_id),
    name=lambda n: n.of.name,
)
resolves(
    "Ref",
    id=lambda n: node_id("Ref", int((n.repo.branch(n.of) or "0")[:12], 16)),
    name=lambda n: n.of,
    prefix=lambda n: "refs/heads/",
    target=lambda n: commit(n, n.repo.branch(n.of)),
)
