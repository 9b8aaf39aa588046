"""Where the engines' own native programs are: npm's wrappers would add a process that signals do not pass."""

from __future__ import annotations

from pathlib import Path

__all__ = ["aider", "claude", "codex"]

_INSTALLED = Path(__file__).parents[2] / ".engines"


def claude() -> Path:
    """Claude Code, a single native file."""
    return _the("node_modules/@anthropic-ai/claude-code-*/claude", remedy="make engines")


def codex() -> Path:
    """codex, the native file inside the platform's package."""
    return _the("node_modules/@openai/codex-*/vendor/*/bin/codex", remedy="make engines")


def aider() -> Path:
    """aider, the script of its own virtual environment."""
    return _the("aider/bin/aider", remedy="make aider")


def _the(pattern: str, *, remedy: str) -> Path:
    found = sorted(_INSTALLED.glob(pattern))
    if len(found) != 1:
        raise FileNotFoundError(f"{_INSTALLED}: {len(found)} files match {pattern}, not one\n  → {remedy}")
    return found[0]
