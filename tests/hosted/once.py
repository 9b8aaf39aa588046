"""How often each thing was done in all, as the stand-in counted it and as git has it."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from typing import Any

from tests.hosted.up import Running

__all__ = ["expect_once", "ours"]

_MARK = re.compile(r"<!-- brat:(\S+) -->")


def ours(state: dict[str, Any]) -> list[str]:
    """All comments of our App, oldest first."""
    return [each["body"] for each in state["comments"] if each["user"]["login"] == "brat[bot]"]


def expect_once(running: Running, state: dict[str, Any], *, tasks: int, convoys: int = 1) -> None:
    """A pull request, a merge and a commit on the base for each task; each of our comments under its own key,
    one sticky comment and one farewell for each convoy; and nothing that GitHub would not accept.
    """
    journal = running.steer("journal")
    assert journal["problems"] == []
    done = Counter(each["what"] for each in journal["changes"] if each["by"] == "brat[bot]")
    merged = [each["subject"] for each in journal["changes"] if each["what"] == "merge"]
    assert len(state["pulls"]) == done["pull"] == done["merge"] == len(merged) == len(set(merged)) == tasks
    assert len({each["head"]["ref"] for each in state["pulls"]}) == tasks
    keys = [_MARK.findall(body)[-1] for body in ours(state)]
    assert done["comment"] == len(keys) == len(set(keys)), keys
    kinds = Counter(each.partition(":")[0] for each in keys)
    assert (kinds["sticky"], kinds["closing"]) == (convoys, convoys), keys
    heads = Counter(each["head_sha"] for each in state["checks"] if each["name"] == "brat")
    assert set(heads.values()) == {1}, heads
    assert len(landed(running)) == len(set(landed(running))) == tasks
    assert state["refs"]["refs/grite/wal"]


def landed(running: Running) -> list[str]:
    """The task that each commit on the base names."""
    (source,) = (running.root / "hub").glob("**/demo.git")
    told = "%(trailers:key=Brat-Task,valueonly,separator=%x2C)"
    command = ["git", "-C", str(source), "log", f"--format={told}", "main"]
    found = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [each for each in found.splitlines() if each]
