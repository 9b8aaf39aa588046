"""CI by script: what GitHub Actions would say to each new head."""

from __future__ import annotations

from collections.abc import Callable

from tests.fakehub.model import WorkflowRun
from tests.fakehub.people import Ci, Project

__all__ = ["SCRIPTS", "broken", "green", "mended", "red", "red_once", "script"]


def green(name: str = "ci") -> Ci:
    """Every head passes."""

    def robot(repo: Project, branch: str, sha: str) -> None:
        repo.actions(sha, {name: ("success", f"{name}: ok\n")})

    return robot


def red(name: str = "ci") -> Ci:
    """Every head but the default branch's fails."""

    def robot(repo: Project, branch: str, sha: str) -> None:
        word = "success" if branch == repo.default_branch else "failure"
        repo.actions(sha, {name: (word, f"{name}: {word}\n")})

    return robot


def red_once(path: str, name: str = "ci", log: str = "AssertionError: expected 2, got 1\n") -> Ci:
    """The first head of a branch that changes `path` fails with this log; all others pass."""
    seen: set[str] = set()

    def robot(repo: Project, branch: str, sha: str) -> None:
        base = repo.branch(repo.default_branch) or sha
        start = repo.git.merge_base(base, sha) or base
        touched = branch != repo.default_branch and any(e.path == path for e in repo.git.changes(start, sha))
        fails = touched and branch not in seen
        if touched:
            seen.add(branch)
        repo.actions(sha, {name: ("failure", log) if fails else ("success", "ok\n")})

    return robot


def mended(repo: Project, run: WorkflowRun) -> None:
    """What is run again passes: it was flaky."""
    for job in list(repo.data.jobs.values()):
        if job.run == run.id and job.check.status != "completed":
            job.log = "ok\n"
            repo.finish(job.check, "success")


def broken(repo: Project, run: WorkflowRun) -> None:
    """What is run again fails again: it is not the job's fault."""
    for job in list(repo.data.jobs.values()):
        if job.run == run.id and job.check.status != "completed":
            job.log = next(e.log for e in repo.data.jobs.values() if e.run == run.id and e.log)
            repo.finish(job.check, "failure")


SCRIPTS: dict[str, Callable[..., Ci]] = {"green": green, "red": red, "red_once": red_once}


def script(repo: Project, rule: str, **how: str) -> None:
    """Sets a rule by name in place of what ran before."""
    repo.robots[:] = [SCRIPTS[rule](**how)]
