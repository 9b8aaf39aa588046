"""Workflow files: GitHub takes them from no App without that permission, so a person gets them as a patch."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from tests.hosted.scenes import ONE, done, pulls, replies
from tests.hosted.world import HostedWorld, green

LINT = ".github/workflows/lint.yml"
WRITES = f"""cat > /dev/null
mkdir -p .github/workflows
printf 'on: pull_request\\npermissions: {{}}\\njobs: {{}}\\n' > {LINT}
echo more > more.txt
git add -A && git commit -qm 'Lint and more'
"""


def applied(hosted: HostedWorld, comment: str, place: Path) -> None:
    """Ada does what the comment says."""
    found = re.search(r"```diff\n(.*?)\n```", comment, re.DOTALL)
    assert found is not None
    place.mkdir()
    subprocess.run(["git", "init", "-q", "-b", "main", str(place)], check=True)
    subprocess.run(["git", "apply", "-"], cwd=place, input=found[1].encode() + b"\n", check=True)
    hosted.repo.push("main", {LINT: (place / LINT).read_text()}, by=hosted.ada)


def test_changed_workflow_files_are_handed_over_and_the_rest_lands(
    hosted: HostedWorld, tmp_path: Path
) -> None:
    hosted.plays("witness", WRITES)
    hosted.repo.ci(green)
    issue = hosted.ask("The work", ONE)
    hosted.settle()
    (told,) = (each for each in replies(hosted, issue) if "brat:held:" in each)
    assert f"- `{LINT}`" in told
    assert "more.txt" not in told
    assert "changes workflow files" in hosted.sticky(issue)
    assert not pulls(hosted)
    hosted.hub.clock.advance(60)
    hosted.repo.comment(issue, "/brat release 1", by=hosted.ada)
    hosted.settle()
    assert "does not hold its workflow files yet" in hosted.sticky(issue)
    applied(hosted, told, tmp_path / "ada")
    hosted.until(lambda: done(hosted))
    assert hosted.repo.git.text("main", "more.txt") == "more\n"
    work = hosted.task(1).work
    assert work is not None
    assert work.touched == ("more.txt",)
    assert sum("brat:held:" in each for each in replies(hosted, issue)) == 1


def test_an_app_that_may_push_workflow_files_pushes_them_once_released(hosted: HostedWorld) -> None:
    hosted.hub.grant(hosted.installation, workflows="write")
    hosted.plays("witness", WRITES)
    hosted.repo.ci(green)
    issue = hosted.ask("The work", ONE)
    hosted.settle()
    (told,) = (each for each in replies(hosted, issue) if "brat:held:" in each)
    assert "touches protected paths" in told
    hosted.hub.clock.advance(60)
    hosted.repo.comment(issue, "/brat release 1", by=hosted.ada)
    hosted.until(lambda: done(hosted))
    assert hosted.repo.git.text("main", LINT)
