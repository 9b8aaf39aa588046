"""What the set-up says and does where something cannot be had."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.house.source import ROOT

NEEDED = ("bash", "cat", "dirname", "git", "id")


def set_up(script: str, *arguments: str, tools: Path, ci: str = "") -> subprocess.CompletedProcess[str]:
    command = [str(ROOT / "scripts" / script), *arguments]
    environment = {"PATH": str(tools), "CI": ci}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A folder of programs without bubblewrap, strace, apt-get and Python."""
    for name in NEEDED:
        found = shutil.which(name)
        assert found, f"this machine has no {name}"
        (tmp_path / name).symlink_to(os.path.realpath(found))
    return tmp_path


def test_demo_goes_on_without_bubblewrap_and_says_so(bare: Path) -> None:
    done = set_up("setup-sandbox.sh", tools=bare)
    assert done.returncode == 0
    assert "ask for 'apt-get install bubblewrap'" in done.stdout
    assert "scripted agents of the demo run without a sandbox" in done.stdout


@pytest.mark.parametrize(("ci", "code"), [("", 0), ("true", 1)])
def test_tests_without_bubblewrap_end_at_once_in_ci_only(bare: Path, ci: str, code: int) -> None:
    done = set_up("setup-sandbox.sh", "tests", tools=bare, ci=ci)
    assert done.returncode == code
    assert "bubblewrap is missing" in done.stdout + done.stderr


def test_missing_python_is_named_with_its_remedy(
    bare: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    copy = tmp_path_factory.mktemp("clone")
    shutil.copytree(ROOT / "scripts", copy / "scripts")
    for name in ("pyproject.toml", "requirements.lock"):
        shutil.copy(ROOT / name, copy)
    command = [str(copy / "scripts" / "setup-venv.sh")]
    done = subprocess.run(command, env={"PATH": str(bare)}, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "no Python 3.11 or newer found" in done.stderr
    assert "make PYTHON=" in done.stderr


def test_every_target_that_is_for_people_explains_itself() -> None:
    listed = subprocess.run(["make", "-C", str(ROOT)], capture_output=True, text=True, check=True).stdout
    for target in ("demo", "test", "test-all", "lint", "types", "bench", "lock", "clean", "help"):
        assert re.search(rf"(?m)^  make {target} +\S", listed), target
