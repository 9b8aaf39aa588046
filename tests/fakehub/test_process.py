"""The stand-in as a process of its own, steered through its control interface."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest


@dataclass(frozen=True, slots=True)
class Process:
    url: str

    def __call__(self, step: str, /, **args: Any) -> Any:
        return httpx.post(f"{self.url}/_control/{step}", json=args, trust_env=False).raise_for_status().json()


@pytest.fixture
def process(tmp_path: Path) -> Iterator[Process]:
    key, root = tmp_path / "key.pem", tmp_path / "hub"
    command = [
        sys.executable,
        "-m",
        "tests.fakehub",
        "--root",
        str(root),
        "--key",
        str(key),
        "--app-id",
        "77",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout
        yield Process(json.loads(running.stdout.readline())["url"])
        running.terminate()
        assert running.wait(20) == 0


def test_other_process_acts_as_people_and_ci(process: Process, tmp_path: Path) -> None:
    process("person", login="ada", access="admin")
    made = process("repository", full_name="ada/demo", files={"a.txt": "one\n"})
    process("install", repository="ada/demo")
    process("ci", repository="ada/demo", rule="green")
    issue = process("do", repository="ada/demo", verb="issue", by="ada", args={"title": "JWT"})
    label = {"list": [issue["number"], "brat"]}
    process("do", repository="ada/demo", verb="label", by="ada", args=label)
    process("do", repository="ada/demo", verb="push", args={"branch": "b", "files": {"b.txt": "x"}})
    state = process("state", repository="ada/demo")
    assert state["issues"][0]["labels"][0]["name"] == "brat"
    assert state["checks"][-1]["conclusion"] == "success"
    refs = subprocess.run(["git", "ls-remote", made["clone_url"]], capture_output=True, text=True, check=True)
    assert "refs/heads/b" in refs.stdout
    assert (tmp_path / "key.pem").stat().st_mode & 0o777 == 0o600
    assert process("journal")["problems"] == []


def test_wrong_verb_is_refused_with_its_reason(process: Process) -> None:
    process("repository", full_name="ada/demo")
    refused = httpx.post(
        f"{process.url}/_control/do", json={"repository": "ada/demo", "verb": "begin"}, trust_env=False
    )
    assert refused.status_code == 400
    assert "begin is none of issue" in refused.text
