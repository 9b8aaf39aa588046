"""Check runs and suites, statuses, workflow runs and jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.fakehub.clock import iso
from tests.fakehub.model import CheckRun, CheckSuite, Job, Status, WorkflowRun
from tests.fakehub.views.basic import View, app_view, node_id, repository_view, user_view
from tests.fakehub.views.pulls import pull_minimal_view

if TYPE_CHECKING:
    from tests.fakehub.repository import Repository

__all__ = [
    "check_view",
    "combined_view",
    "job_view",
    "run_view",
    "short_commit_view",
    "status_view",
    "suite_view",
]


def _pulls(repo: Repository, head: str) -> list[View]:
    pulls = repo.data.pulls.values()
    return [
        pull_minimal_view(repo, each)
        for each in pulls
        if each.head_sha == head and each.issue.state == "open"
    ]


def check_view(repo: Repository, check: CheckRun) -> View:
    url, page = f"{repo.api}/check-runs/{check.id}", f"{repo.html}/runs/{check.id}"
    said = check.output
    return {
        "id": check.id,
        "node_id": node_id("CheckRun", check.id),
        "head_sha": check.suite.head,
        "external_id": check.external_id,
        "url": url,
        "html_url": page,
        "details_url": check.details_url or page,
        "status": check.status,
        "conclusion": check.conclusion,
        "started_at": iso(check.started) if check.started else None,
        "completed_at": iso(check.completed) if check.completed else None,
        "output": {
            "title": said.get("title"),
            "summary": said.get("summary"),
            "text": said.get("text"),
            "annotations_count": len(check.annotations),
            "annotations_url": f"{url}/annotations",
        },
        "name": check.name,
        "check_suite": {"id": check.suite.id},
        "app": app_view(repo.hub, check.suite.app),
        "pull_requests": _pulls(repo, check.suite.head),
    }


def suite_view(repo: Repository, suite: CheckSuite) -> View:
    url = f"{repo.api}/check-suites/{suite.id}"
    checks = repo.checks_of(suite)
    status, conclusion = repo.suite_state(suite)
    return {
        "id": suite.id,
        "node_id": node_id("CheckSuite", suite.id),
        "head_branch": suite.branch,
        "head_sha": suite.head,
        "status": status,
        "conclusion": conclusion,
        "url": url,
        "before": suite.before,
        "after": suite.head,
        "pull_requests": _pulls(repo, suite.head),
        "app": app_view(repo.hub, suite.app),
        "created_at": iso(suite.created),
        "updated_at": iso(max([suite.created, *(each.completed or 0 for each in checks)])),
        "rerequestable": True,
        "runs_rerequestable": True,
        "latest_check_runs_count": len({each.name for each in checks}),
        "check_runs_url": f"{url}/check-runs",
        "head_commit": short_commit_view(repo, suite.head),
        "repository": repository_view(repo, size="minimal"),
    }


def short_commit_view(repo: Repository, sha: str) -> View:
    seen = repo.git.commit(sha)
    return {
        "id": sha,
        "tree_id": seen.tree,
        "message": seen.message,
        "timestamp": seen.committer[2],
        "author": {"name": seen.author[0], "email": seen.author[1]},
        "committer": {"name": seen.committer[0], "email": seen.committer[1]},
    }


def status_view(repo: Repository, status: Status, *, short: bool = False) -> View:
    made: View = {
        "url": f"{repo.api}/statuses/{status.sha}",
        "avatar_url": f"{repo.hub.base}/avatars/u/{status.creator.id}",
        "id": status.id,
        "node_id": node_id("StatusContext", status.id),
        "state": status.state,
        "description": status.description,
        "target_url": status.target_url,
        "context": status.context,
        "created_at": iso(status.created),
        "updated_at": iso(status.created),
    }
    return made if short else {**made, "creator": user_view(repo.hub, status.creator)}


def combined_view(repo: Repository, sha: str) -> View:
    """The newest of each context; nothing at all is pending, as on GitHub."""
    newest = repo.newest_statuses(sha)
    states = {each.state for each in newest}
    red = bool(states & {"failure", "error"})
    state = "failure" if red else "success" if states == {"success"} else "pending"
    return {
        "state": state,
        "statuses": [status_view(repo, each, short=True) for each in newest],
        "sha": sha,
        "total_count": len(newest),
        "repository": repository_view(repo, size="minimal"),
        "commit_url": f"{repo.api}/commits/{sha}",
        "url": f"{repo.api}/commits/{sha}/status",
    }


def run_view(repo: Repository, run: WorkflowRun) -> View:
    url, head = f"{repo.api}/actions/runs/{run.id}", run.suite.head
    status, conclusion = repo.suite_state(run.suite)
    ends = {f"{name}_url": f"{url}/{name}" for name in ("jobs", "logs", "artifacts", "cancel", "rerun")}
    return {
        "id": run.id,
        "name": run.name,
        "node_id": node_id("WorkflowRun", run.id),
        "check_suite_id": run.suite.id,
        "check_suite_node_id": node_id("CheckSuite", run.suite.id),
        "head_branch": run.suite.branch,
        "head_sha": head,
        "path": run.path,
        "run_number": run.number,
        "run_attempt": run.attempt,
        "event": run.event,
        "display_title": repo.git.commit(head).message.split("\n")[0],
        "status": status,
        "conclusion": conclusion,
        "workflow_id": run.workflow_id,
        "url": url,
        "html_url": f"{repo.html}/actions/runs/{run.id}",
        "pull_requests": _pulls(repo, head),
        "created_at": iso(run.created),
        "updated_at": iso(run.created),
        "run_started_at": iso(run.created),
        "actor": user_view(repo.hub, run.actor),
        "triggering_actor": user_view(repo.hub, run.actor),
        **ends,
        "check_suite_url": f"{repo.api}/check-suites/{run.suite.id}",
        "previous_attempt_url": None,
        "workflow_url": f"{repo.api}/actions/workflows/{run.number}",
        "head_commit": short_commit_view(repo, head),
        "repository": repository_view(repo, size="minimal"),
        "head_repository": repository_view(repo, size="minimal"),
    }


def job_view(repo: Repository, job: Job) -> View:
    check, run = job.check, repo.data.runs[job.run]
    runner = dict.fromkeys(("runner_id", "runner_name", "runner_group_id", "runner_group_name"))
    return {
        "id": job.id,
        "run_id": run.id,
        "run_url": f"{repo.api}/actions/runs/{run.id}",
        "run_attempt": job.attempt,
        "node_id": node_id("CheckRun", check.id),
        "head_sha": check.suite.head,
        "head_branch": check.suite.branch,
        "workflow_name": run.name,
        "url": f"{repo.api}/actions/jobs/{job.id}",
        "html_url": f"{repo.html}/actions/runs/{run.id}/job/{job.id}",
        "status": check.status,
        "conclusion": check.conclusion,
        "created_at": iso(run.created),
        "started_at": iso(check.started or run.created),
        "completed_at": iso(check.completed) if check.completed else None,
        "name": check.name,
        "steps": [],
        "check_run_url": f"{repo.api}/check-runs/{check.id}",
        "labels": ["ubuntu-latest"],
        **runner,
    }
