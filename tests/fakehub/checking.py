"""Check runs, statuses and workflow runs: made, finished, run again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.fakehub.accounts import Actor, App
from tests.fakehub.model import CheckRun, CheckSuite, Job, Status, WorkflowRun
from tests.fakehub.repository import Repository
from tests.fakehub.views.checks import check_view, status_view, suite_view

__all__ = ["NewCheck", "add_check", "change_check", "post_status", "rerun", "suite_for", "workflow_run"]


@dataclass(frozen=True, slots=True)
class NewCheck:
    """`conclusion` None: it runs on. `status` follows from it unless given."""

    name: str
    head: str
    conclusion: str | None = None
    status: str | None = None
    external_id: str = ""
    details_url: str | None = None
    output: dict[str, Any] = field(default_factory=dict)


def suite_for(repo: Repository, app: App, head: str, *, fresh: bool = False) -> CheckSuite:
    """The App's suite on a head; GitHub makes one for each push. `fresh`: one more."""
    known = [e for e in repo.data.suites.values() if e.app is app and e.head == head]
    if known and not fresh:
        return known[-1]
    branches = (ref.removeprefix("refs/heads/") for ref, sha in repo.refs.items() if sha == head)
    branch = next((each for each in branches if not each.startswith("refs/")), None)
    made = CheckSuite(repo.hub.next_id(), app, head, branch, repo.hub.clock.now)
    repo.data.suites[made.id] = made
    return made


def add_check(repo: Repository, new: NewCheck, *, by: Actor, suite: CheckSuite | None = None) -> CheckRun:
    """By the App that `by` is."""
    hub = repo.hub
    assert by.app
    home = suite or suite_for(repo, by.app, new.head)
    status = "completed" if new.conclusion else new.status or "queued"
    made = CheckRun(hub.next_id(), home, new.name, status, new.conclusion, hub.clock.now)
    made.completed = hub.clock.now if new.conclusion else None
    made.external_id, made.details_url = new.external_id, new.details_url
    _say(made, new.output)
    repo.data.checks[made.id] = made
    hub.record("check", repo, f"{new.name} {new.head}", by=by)
    _tell(repo, made, "created", by=by)
    return made


def change_check(repo: Repository, check: CheckRun, changes: dict[str, Any], *, by: Actor) -> None:
    """`changes` as in the request: name, status, conclusion, external_id, details_url, output."""
    for key in ("name", "external_id", "details_url", "status"):
        if changes.get(key) is not None:
            setattr(check, key, changes[key])
    if "conclusion" in changes:
        check.conclusion, check.status, check.completed = (
            changes["conclusion"],
            "completed",
            repo.hub.clock.now,
        )
    elif changes.get("status") not in (None, "completed"):
        check.conclusion = check.completed = None
    _say(check, changes.get("output") or {})
    repo.hub.record("check-edit", repo, check.id, by=by)
    if check.status == "completed":
        _tell(repo, check, "completed", by=by)


def _say(check: CheckRun, output: dict[str, Any]) -> None:
    check.output |= {key: output[key] for key in ("title", "summary", "text") if key in output}
    check.annotations += output.get("annotations", [])


def _tell(repo: Repository, check: CheckRun, action: str, *, by: Actor) -> None:
    shown = check_view(repo, check)
    shown["check_suite"] = suite_view(repo, check.suite)
    repo.hub.emit(repo, "check_run", {"action": action, "check_run": shown}, by=by)
    status, _ = repo.suite_state(check.suite)
    if status == "completed":
        if action == "created":
            repo.hub.emit(repo, "check_run", {"action": "completed", "check_run": shown}, by=by)
        suite = {"action": "completed", "check_suite": suite_view(repo, check.suite)}
        repo.hub.emit(repo, "check_suite", suite, by=by)


def post_status(repo: Repository, sha: str, *, by: Actor, context: str, state: str, **more: Any) -> Status:
    hub = repo.hub
    said = {key: more.get(key) for key in ("description", "target_url")}
    made = Status(hub.next_id(), sha, context, state, by.account, hub.clock.now, **said)
    repo.data.statuses.append(made)
    hub.record("status", repo, f"{context} {sha}", by=by)
    shown = status_view(repo, made)
    plain = {"id": made.id, "sha": sha, "name": repo.full_name, "context": context, "state": state}
    rest: dict[str, Any] = {"description": made.description, "target_url": made.target_url, "branches": []}
    hub.emit(repo, "status", {**plain, **rest, "created_at": shown["created_at"]}, by=by)
    return made


def workflow_run(
    repo: Repository, head: str, jobs: dict[str, tuple[str | None, str]], *, event: str, workflow: str
) -> WorkflowRun:
    """A run of GitHub Actions; `jobs` are name → (conclusion, log)."""
    hub = repo.hub
    actor = Actor(hub.actions_app.bot, hub.actions_app)
    suite = suite_for(repo, hub.actions_app, head, fresh=True)
    number = len(repo.data.runs) + 1
    path = f".github/workflows/{workflow.lower()}.yml"
    made = WorkflowRun(hub.next_id(), number, workflow, path, event, suite, actor.account, hub.clock.now)
    repo.data.runs[made.id] = made
    for name, (conclusion, log) in jobs.items():
        _job(repo, made, NewCheck(name, head, conclusion, "in_progress"), log=log, by=actor)
    return made


def _job(repo: Repository, run: WorkflowRun, new: NewCheck, *, log: str, by: Actor) -> Job:
    check = add_check(repo, new, by=by, suite=run.suite)
    check.details_url = f"{repo.html}/actions/runs/{run.id}/job/{check.id}"
    made = Job(check.id, run.id, check, log, run.attempt)
    repo.data.jobs[made.id] = made
    return made


def rerun(repo: Repository, run: WorkflowRun, *, only: set[int] | None = None, by: Actor) -> list[Job]:
    """Failed jobs once more (or those in `only`); CI answers later."""
    run.attempt += 1
    newest = {job.check.name: job for job in repo.data.jobs.values() if job.run == run.id}
    again = []
    for job in newest.values():
        wanted = job.id in only if only else job.check.conclusion not in ("success", "neutral", "skipped")
        if wanted:
            bot = Actor(repo.hub.actions_app.bot, repo.hub.actions_app)
            again.append(
                _job(repo, run, NewCheck(job.check.name, run.suite.head, None, "queued"), log="", by=bot)
            )
    repo.hub.record("rerun", repo, run.id, by=by)
    repo.hub.repositories[repo.id].run_again(run)
    return again
