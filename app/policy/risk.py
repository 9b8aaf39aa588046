"""What CI would put within reach of agent code, judged before the code is pushed (T18)."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence

from app.policy.reach import reach
from app.policy.triggers import started
from app.policy.workflow import Unreadable, Workflow, read_workflow
from app.ports import WorkflowFile
from app.values import dataclass

__all__ = ["Risk", "ci_risk", "runs_ci"]

_FOLDER = ".github/workflows"


@dataclass(frozen=True, slots=True)
class Risk:
    """`what` is a secret, a permission, a runner, or the file itself; `why` says in words what it means."""

    workflow: str
    what: str
    why: str

    def __str__(self) -> str:
        return f"{self.workflow}: {self.what}: {self.why}"


def ci_risk(workflows: tuple[WorkflowFile, ...], branch: str, base: str) -> tuple[Risk, ...]:
    """What agent code on `branch`, and in a pull request from it to `base`, would reach. Empty: nothing.

    `workflows` are the base's: an agent's own changes to them are not pushed without a release. What cannot
    be judged is a risk that says so.
    """
    files, broken = _read(workflows)
    risks = list(broken)
    for path, event in started(files, branch, base).items():
        risks += _risks_of(path, event, {each.path: each for each in files})
    return tuple(dict.fromkeys(risks))


def runs_ci(workflows: tuple[WorkflowFile, ...], branch: str, base: str) -> bool:
    """Whether any workflow would, or may, start for the branch or a pull request from it."""
    files, broken = _read(workflows)
    return bool(broken or started(files, branch, base))


def _read(workflows: Sequence[WorkflowFile]) -> tuple[list[Workflow], list[Risk]]:
    files: list[Workflow] = []
    broken: list[Risk] = []
    for each in workflows:
        if posixpath.dirname(each.path) != _FOLDER or not each.path.endswith((".yml", ".yaml")):
            continue
        try:
            files.append(read_workflow(each))
        except Unreadable as error:
            broken.append(Risk(each.path, "the file", f"cannot be judged: {error}"))
    return files, broken


def _risks_of(path: str, event: str | None, files: Mapping[str, Workflow]) -> Iterator[Risk]:
    """Its own, and those of the workflows of this repository that it calls."""
    if event is None:
        yield Risk(path, "its triggers", "cannot be judged: our branches may start it")
    waiting, seen = [(path, False)], set[tuple[str, bool]]()
    while waiting:
        here, granted = waiting.pop()
        if (here, granted) in seen:
            continue
        seen.add((here, granted))
        for what, why in reach(files[here], granted=granted):
            yield Risk(here, what, why)
        for job, called, said in _calls(files[here]):
            if called in files:
                waiting.append((called, granted or said))
            else:
                yield Risk(here, f"job {job}", f"calls {called[:80]}, which cannot be judged")


def _calls(workflow: Workflow) -> Iterator[tuple[str, str, bool]]:
    """Job, path of the workflow that it calls, and whether permissions are said for the call."""
    above = "permissions" in workflow.rest
    for job, body in workflow.jobs.items():
        if "uses" in body:
            yield job, str(body["uses"]).removeprefix("./"), above or "permissions" in body
