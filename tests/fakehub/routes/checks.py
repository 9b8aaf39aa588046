"""Check runs, suites and commit statuses."""

from __future__ import annotations

from typing import Any

from tests.fakehub import checking
from tests.fakehub.checking import NewCheck
from tests.fakehub.model import CheckRun, CheckSuite
from tests.fakehub.routes.table import Answer, Call, Listing, Refused, route
from tests.fakehub.views.checks import check_view, combined_view, status_view, suite_view

REPO = "/repos/{owner}/{repo}"
RUN = REPO + "/check-runs/{check_run_id}"
SUITE = REPO + "/check-suites/{check_suite_id}"
AT = REPO + "/commits/{ref}"

__all__ = ["MOST"]

MOST = 65_535


def _run(call: Call) -> CheckRun:
    found = call.repo.data.checks.get(int(call.params["check_run_id"]))
    if found is None:
        raise Refused(404, "Not Found")
    return found


def _suite(call: Call) -> CheckSuite:
    found = call.repo.data.suites.get(int(call.params["check_suite_id"]))
    if found is None:
        raise Refused(404, "Not Found")
    return found


def _commit(call: Call) -> str:
    found = call.repo.commit_of(call.params["ref"])
    if found is None:
        raise Refused(422, f"No commit found for SHA: {call.params['ref']}")
    return found


def _fits(output: dict[str, Any]) -> None:
    for key in ("summary", "text"):
        if len(output.get(key) or "") > MOST:
            raise Refused(
                422, "Invalid request.", f"Only {MOST} characters are allowed; output.{key} has more"
            )


@route("POST " + REPO + "/check-runs")
def create(call: Call) -> Answer:
    body = call.body
    if call.actor.app is None:
        raise Refused(403, "You must authenticate via a GitHub App.")
    if not call.repo.git.has(body["head_sha"]):
        raise Refused(422, f"No commit found for SHA: {body['head_sha']}")
    _fits(body.get("output") or {})
    new = NewCheck(
        body["name"], body["head_sha"], body.get("conclusion"), body.get("status"),
        body.get("external_id", ""), body.get("details_url"), body.get("output") or {},
    )  # fmt: skip
    return Answer(check_view(call.repo, checking.add_check(call.repo, new, by=call.actor)), 201)


@route("GET " + RUN)
def get(call: Call) -> Answer:
    return Answer(check_view(call.repo, _run(call)))


@route("PATCH " + RUN)
def update(call: Call) -> Answer:
    check = _run(call)
    if check.suite.app is not call.actor.app:
        raise Refused(403, f"Invalid app_id `{check.suite.app.id}` - check run can only be modified by the "
                           "GitHub App that created it.")  # fmt: skip
    _fits(call.body.get("output") or {})
    checking.change_check(call.repo, check, call.body, by=call.actor)
    return Answer(check_view(call.repo, check))


@route("GET " + RUN + "/annotations")
def list_annotations(call: Call) -> Listing:
    return Listing(_run(call).annotations, lambda each: each)


@route("POST " + RUN + "/rerequest")
def rerequest(call: Call) -> Answer:
    """Only the App that made a check run is told to run it again: never GitHub Actions' from outside."""
    check = _run(call)
    if check.suite.app is not call.actor.app:
        raise Refused(403, "Resource not accessible by integration")
    check.status, check.conclusion, check.completed = "queued", None, None
    call.hub.record("rerun", call.repo, check.id, by=call.actor)
    return Answer({}, 201)


@route("GET " + SUITE)
def get_suite(call: Call) -> Answer:
    return Answer(suite_view(call.repo, _suite(call)))


@route("GET " + SUITE + "/check-runs")
def list_of_suite(call: Call) -> Listing:
    suite = _suite(call)
    return _listing(call, [each for each in call.repo.checks_on(suite.head) if each.suite.id == suite.id])


@route("POST " + SUITE + "/rerequest")
def rerequest_suite(call: Call) -> Answer:
    suite = _suite(call)
    if suite.app is not call.actor.app:
        raise Refused(403, "Resource not accessible by integration")
    for check in call.repo.checks_of(suite):
        check.status, check.conclusion, check.completed = "queued", None, None
    call.hub.record("rerun", call.repo, suite.id, by=call.actor)
    return Answer({}, 201)


@route("GET " + AT + "/check-runs")
def list_at(call: Call) -> Listing:
    return _listing(call, call.repo.checks_on(_commit(call)))


def _listing(call: Call, found: list[CheckRun]) -> Listing:
    """`filter=latest` (the default) shows of each name in each suite's App the newest."""
    query = call.query
    if query.get("filter", "latest") == "latest":
        newest: dict[tuple[int, str], CheckRun] = {}
        for each in sorted(found, key=lambda check: check.id):
            newest[each.suite.id, each.name] = each
        found = sorted(newest.values(), key=lambda check: -check.id)
    chosen = [
        each
        for each in found
        if query.get("check_name", each.name) == each.name
        and query.get("status", each.status) == each.status
        and int(query.get("app_id", each.suite.app.id)) == each.suite.app.id
    ]
    return Listing(chosen, lambda each: check_view(call.repo, each), "check_runs")


@route("GET " + AT + "/check-suites")
def list_suites(call: Call) -> Listing:
    sha = _commit(call)
    wanted = call.query.get("app_id")
    found = [
        each
        for each in call.repo.data.suites.values()
        if each.head == sha and wanted in (None, str(each.app.id))
    ]
    return Listing(found, lambda each: suite_view(call.repo, each), "check_suites")


@route("GET " + AT + "/status")
def combined(call: Call) -> Answer:
    return Answer(combined_view(call.repo, _commit(call)))


@route("GET " + AT + "/statuses")
def list_statuses(call: Call) -> Listing:
    sha = _commit(call)
    found = [each for each in reversed(call.repo.data.statuses) if each.sha == sha]
    return Listing(found, lambda each: status_view(call.repo, each))


@route("POST " + REPO + "/statuses/{sha}")
def post_status(call: Call) -> Answer:
    body = {"context": "default", **call.body}
    sha = call.params["sha"]
    if not call.repo.git.has(sha):
        raise Refused(422, f"No commit found for SHA: {sha}")
    return Answer(status_view(call.repo, checking.post_status(call.repo, sha, by=call.actor, **body)), 201)
