"""The shortest command line with which each engine does one prompt against the scripted model."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests import engines

__all__ = ["KEY", "Place", "run_aider", "run_claude", "run_codex"]

KEY = "key-of-the-test"


@dataclass(frozen=True, slots=True)
class Place:
    """A repository to work in, and a home of the engine's own."""

    repository: Path
    home: Path
    path: str = field(default_factory=lambda: os.environ["PATH"])

    @classmethod
    def make(cls, under: Path) -> Place:
        """An empty repository with one commit, and an empty home."""
        place = cls(under / "repository", under / "home")
        place.home.mkdir()
        subprocess.run(["git", "init", "-q", str(place.repository)], check=True)
        subprocess.run(
            ["git", "commit", "-q", "--allow-empty", "-m", "start"], cwd=place.repository, check=True
        )
        return place

    def changed(self) -> list[str]:
        """The paths that git sees as changed or new."""
        status = ["git", "status", "--porcelain", "--untracked-files=all"]
        done = subprocess.run(status, cwd=self.repository, check=True, capture_output=True, text=True)
        return [line[3:] for line in done.stdout.splitlines()]

    def run(
        self, command: list[str], more: Mapping[str, str], *, said: str | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run an engine here with a scrubbed environment, `said` on its standard input."""
        environment = {
            "HOME": str(self.home),
            "TMPDIR": str(self.home),
            "PATH": self.path,
            "TERM": "dumb",
            "NO_COLOR": "1",
            "LANG": "C.UTF-8",
            **more,
        }
        return subprocess.run(
            command,
            cwd=self.repository,
            env=environment,
            input=said or "",
            capture_output=True,
            text=True,
            timeout=150,
            check=False,
        )


def run_claude(place: Place, base: str, prompt: str) -> subprocess.CompletedProcess[str]:
    """Prompt on standard input; one JSON object per line comes out."""
    more = {
        "ANTHROPIC_BASE_URL": base,
        "ANTHROPIC_API_KEY": KEY,
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_TELEMETRY": "1",
        "CLAUDE_CODE_MAX_RETRIES": "2",
        "IS_SANDBOX": "1",
    }
    command = [str(engines.claude()), "-p", "--output-format", "stream-json", "--verbose"]
    command += ["--permission-mode", "bypassPermissions", "--model", "claude-sonnet-4-5", "--max-turns", "8"]
    return place.run(command, more, said=prompt)


def run_codex(place: Place, base: str, prompt: str) -> subprocess.CompletedProcess[str]:
    """The endpoint can be named in its settings file only."""
    settings = place.home / ".codex" / "config.toml"
    settings.parent.mkdir()
    settings.write_text(f"""
model = "gpt-5.5"
model_provider = "scripted"
check_for_update_on_startup = false
[analytics]
enabled = false
[features]
plugins = false
unbounded_connection_retries = false
[model_providers.scripted]
name = "scripted"
base_url = "{base}/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
request_max_retries = 2
stream_max_retries = 2
""")
    command = [str(engines.codex()), "exec", "--json", "--skip-git-repo-check"]
    command += ["--dangerously-bypass-approvals-and-sandbox", "-C", str(place.repository), "-"]
    return place.run(command, {"CODEX_HOME": str(settings.parent), "OPENAI_API_KEY": KEY}, said=prompt)


def run_aider(place: Place, base: str, prompt: str) -> subprocess.CompletedProcess[str]:
    """Prompt in a file. Its price list is put where it looks, or it would ask a host for one."""
    prices = json.dumps({"openai/m": {"max_tokens": 8192, "litellm_provider": "openai", "mode": "chat"}})
    cache = place.home / ".aider" / "caches" / "model_prices_and_context_window.json"
    cache.parent.mkdir(parents=True)
    cache.write_text(prices)
    known = place.home / "models.json"
    known.write_text(prices)
    asked = place.home / "prompt.txt"
    asked.write_text(prompt)
    command = [str(engines.aider()), "--model", "openai/m", "--model-metadata-file", str(known)]
    command += [
        "--message-file",
        str(asked),
        "--edit-format",
        "diff",
        "--yes-always",
        "--no-stream",
        "--no-pretty",
    ]
    command += ["--no-fancy-input", "--no-check-update", "--no-show-release-notes", "--no-analytics"]
    command += ["--no-show-model-warnings", "--no-detect-urls", "--disable-playwright", "--no-gitignore"]
    command += ["--no-suggest-shell-commands", "--no-auto-lint", "--no-auto-commits", "--map-tokens", "0"]
    command += [
        "--chat-history-file",
        str(place.home / "chat.md"),
        "--input-history-file",
        str(place.home / "in"),
    ]
    more = {"OPENAI_API_BASE": f"{base}/v1", "OPENAI_API_KEY": KEY, "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    return place.run(command, more)
