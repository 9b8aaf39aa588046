"""CI for the second act: the steps of the sample's workflow, run on exactly the head that was pushed."""

from __future__ import annotations

import io
import os
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

if TYPE_CHECKING:
    from tests.fakehub import Project

__all__ = ["JOB", "WORKFLOW", "last_line", "run_workflow"]

WORKFLOW = Path(__file__).parent / "sample" / "ci.yml"
JOB = "test"


def run_workflow(repo: Project, branch: str, head: str) -> None:
    """What a code host's CI does for each pushed head; it fails with the first step that does."""
    steps = yaml.safe_load(WORKFLOW.read_text("utf-8"))["jobs"][JOB]["steps"]
    with tempfile.TemporaryDirectory(prefix="brat-demo-ci-") as folder:
        _check_out(repo.git.path, head, Path(folder))
        log = ""
        for step in steps:
            done = _step(step["run"], Path(folder))
            log += f"== {step['name']}\n{done.stdout}"
            if done.returncode:
                repo.actions(head, {JOB: ("failure", log)})
                return
    repo.actions(head, {JOB: ("success", log)})


def last_line(log: str) -> str:
    """What a red job's log comes to."""
    return log.strip().splitlines()[-1]


def _step(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environ = {"PATH": os.environ.get("PATH", os.defpath), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        ["bash", "-e", "-c", script],
        cwd=folder,
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def _check_out(repository: Path, head: str, folder: Path) -> None:
    command = ["git", "--git-dir", str(repository), "archive", head]
    packed = subprocess.run(command, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
