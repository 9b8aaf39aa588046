"""Workflow runs, jobs, their logs, and running them again."""

from __future__ import annotations

from tests.fakehub import checking
from tests.fakehub.model import Job, WorkflowRun
from tests.fakehub.routes.table import Answer, Call, Listing, Refused, route
from tests.fakehub.views.checks import job_view, run_view

REPO = "/repos/{owner}/{repo}"
RUN = REPO + "/actions/runs/{run_id}"
JOB = REPO + "/actions/jobs/{job_id}"

__all__ = ["JOB", "RUN"]


def _run(call: Call) -> WorkflowRun:
    found = call.repo.data.runs.get(int(call.params["run_id"]))
    if found is None:
        raise Refused(404, "Not Found")
    return found


def _job(call: Call) -> Job:
    found = call.repo.data.jobs.get(int(call.params["job_id"]))
    if found is None:
        raise Refused(404, "Not Found")
    return found


@route("GET " + REPO + "/actions/runs")
def list_runs(call: Call) -> Listing:
    query = call.query
    found = [
        each
        for each in reversed(call.repo.data.runs.values())
        if query.get("head_sha", each.suite.head) == each.suite.head
        and query.get("branch", each.suite.branch) == each.suite.branch
        and query.get("event", each.event) == each.event
        and int(query.get("check_suite_id", each.suite.id)) == each.suite.id
    ]
    return Listing(found, lambda each: run_view(call.repo, each), "workflow_runs")


@route("GET " + RUN)
def get_run(call: Call) -> Answer:
    return Answer(run_view(call.repo, _run(call)))


@route("GET " + RUN + "/jobs")
def list_jobs(call: Call) -> Listing:
    run = _run(call)
    found = [each for each in call.repo.data.jobs.values() if each.run == run.id]
    if call.query.get("filter", "latest") == "latest":
        found = list({each.check.name: each for each in found}.values())
    return Listing(found, lambda each: job_view(call.repo, each), "jobs")


@route("POST " + RUN + "/rerun-failed-jobs")
def rerun_failed(call: Call) -> Answer:
    run = _run(call)
    status, conclusion = call.repo.suite_state(run.suite)
    if status != "completed" or conclusion in ("success", "neutral"):
        raise Refused(403, "This workflow run cannot be retried")
    checking.rerun(call.repo, run, by=call.actor)
    return Answer({}, 201)


@route("GET " + JOB)
def get_job(call: Call) -> Answer:
    return Answer(job_view(call.repo, _job(call)))


@route("GET " + JOB + "/logs")
def logs(call: Call) -> Answer:
    """A redirect to a place that needs no token, good for a minute."""
    place = f"{call.hub.base}/_logs/{call.repo.id}/{_job(call).id}"
    return Answer(status=302, headers={"location": place})


@route("POST " + JOB + "/rerun")
def rerun_job(call: Call) -> Answer:
    job = _job(call)
    if job.check.status != "completed":
        raise Refused(403, "This workflow run cannot be retried")
    checking.rerun(call.repo, call.repo.data.runs[job.run], only={job.id}, by=call.actor)
    return Answer({}, 201)
