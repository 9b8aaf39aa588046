"""What a workflow puts within reach of the code it runs: secrets, writing tokens, machines.

https://docs.github.com/en/actions/reference/security/secure-use
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from app.policy.workflow import Unreadable, Workflow, as_list

__all__ = ["reach"]

Found = tuple[str, str]
"""What is in reach, and why in words."""

_SECRET = re.compile(
    r"(?<![\w.-])secrets\b(?:\s*\.\s*([A-Za-z_][\w-]*)|\s*\[\s*'([^']*)'\s*\])?", re.IGNORECASE | re.ASCII
)
_HOSTED = re.compile(r"(ubuntu|windows|macos)-[\w.-]+", re.ASCII)
_ABSENT = object()


def reach(workflow: Workflow, *, granted: bool = False) -> Iterator[Found]:
    """All that is in reach, job by job. `granted`: the caller of this reusable workflow says permissions."""
    for name in sorted(set(_secrets(workflow.rest))):
        yield name, "a secret" if name != "secrets" else "secrets by a name that is made while it runs"
    above = workflow.rest.get("permissions", _ABSENT)
    for job, body in workflow.jobs.items():
        said = body.get("permissions", above)
        if said is not _ABSENT or not granted:
            yield from _permissions(said, job)
        if "environment" in body:
            yield f"environment of job {job}", "its secrets and its right to deploy"
        if body.get("secrets") == "inherit":
            yield "secrets: inherit", f"job {job} hands all secrets on"
        if "uses" not in body:
            yield from _runner(body, job)


def _secrets(node: Any, key: str = "") -> Iterator[str]:
    """Names in expressions; `if:` is one without braces. The token's rights are told by its permissions."""
    if isinstance(node, Mapping):
        for name, value in node.items():
            yield from _secrets(name)
            yield from _secrets(value, name)
    elif isinstance(node, list):
        for each in node:
            yield from _secrets(each, key)
    elif isinstance(node, str):
        parts = [node] if key == "if" else [each.split("}}", 1)[0] for each in node.split("${{")[1:]]
        for found in (match for part in parts for match in _SECRET.finditer(part)):
            name = (found[1] or found[2] or "secrets").upper() if found[1] or found[2] else "secrets"
            if name != "GITHUB_TOKEN":
                yield name


def _permissions(said: Any, job: str) -> Iterator[Found]:
    """https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#permissions"""
    if said is _ABSENT:
        yield f"permissions of job {job}", "are not said: the repository's default may let the token write"
    elif said == "write-all":
        yield "permissions: write-all", f"the token of job {job} writes everything"
    elif isinstance(said, Mapping):
        for name, level in said.items():
            if level == "write":
                what = "an identity for other services" if name == "id-token" else "a writing token"
                yield f"{name}: write", f"{what} in job {job}"
            elif level not in ("read", "none"):
                yield f"{name}: {level}"[:60], f"permission of job {job} that cannot be judged"
    elif said != "read-all":
        yield f"permissions of job {job}", "cannot be judged"


def _runner(body: Mapping[str, Any], job: str) -> Iterator[Found]:
    """Only GitHub's own machines are new for each job."""
    try:
        labels = _labels(body)
    except Unreadable:
        yield f"runner of job {job}", "cannot be judged: it may be a machine of the owner's"
        return
    for label in labels:
        if _HOSTED.fullmatch(label.lower()) is None:
            yield f"runner {label}"[:60], f"job {job} may run on a machine of the owner's"


def _labels(body: Mapping[str, Any]) -> list[str]:
    runs_on = body.get("runs-on")
    found = re.fullmatch(r"\$\{\{\s*matrix\.([\w-]+)\s*\}\}", runs_on) if isinstance(runs_on, str) else None
    if found is None:
        return as_list(runs_on)
    strategy = body.get("strategy")
    matrix = strategy.get("matrix") if isinstance(strategy, Mapping) else None
    if not isinstance(matrix, Mapping):
        raise Unreadable("its matrix is made while it runs")
    labels = as_list(matrix[found[1]]) if found[1] in matrix else []
    include = matrix.get("include", [])
    if not isinstance(include, list) or not all(isinstance(each, Mapping) for each in include):
        raise Unreadable("its matrix is made while it runs")
    labels += [label for each in include if found[1] in each for label in as_list(each[found[1]])]
    if not labels:
        raise Unreadable("its matrix names no runner")
    return labels
