"""Settings are read where the base stands now, whatever git did to the repository meanwhile."""

from __future__ import annotations

import subprocess
from pathlib import Path

from app.settings import Settings
from app.wiring import CONFIG_FILE, ConfigSource

MAIN = "refs/heads/main"


def git(repo: Path, *args: str) -> None:
    subprocess.run(["git", "-C", str(repo), *args], check=True, capture_output=True)


def put(repo: Path, text: str) -> None:
    (repo / CONFIG_FILE).parent.mkdir(exist_ok=True)
    (repo / CONFIG_FILE).write_text(text)
    git(repo, "add", "--all")
    git(repo, "commit", "--quiet", "-m", text)


def test_a_source_that_stays_open_follows_the_base_through_packs_and_to_its_end(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "-b", "main")
    source = ConfigSource(tmp_path / ".git", MAIN, Settings("here"))
    assert source.text(MAIN) == ("", "")
    for number in range(3):
        put(tmp_path, f"# {number}\n")
        assert source.text(MAIN) == (CONFIG_FILE, f"# {number}\n")
        git(tmp_path, "gc", "--quiet", "--prune=now")
        assert source.text(MAIN) == (CONFIG_FILE, f"# {number}\n")
    git(tmp_path, "checkout", "--quiet", "-b", "other")
    git(tmp_path, "branch", "--quiet", "-D", "main")
    assert source.text(MAIN) == ("", "")
