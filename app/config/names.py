"""The words both settings files are made of: engines, kinds of work, what belongs to whom, nearest name."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Literal, get_args

__all__ = [
    "ALIASES",
    "DEFAULT_ENGINE",
    "ENGINES",
    "KINDS",
    "OPERATOR_KEYS",
    "OPERATOR_TABLES",
    "PROTECTED",
    "UNAVAILABLE_ENGINES",
    "EngineType",
    "nearest",
    "nearest_engine",
]

EngineType = Literal["claude-code", "codex", "aider", "shell"]

ENGINES: tuple[str, ...] = get_args(EngineType)
"""Engines that run. `shell` runs a command of the operator's own."""

UNAVAILABLE_ENGINES = ("opencode", "continue", "gemini", "copilot")
"""Known engines that this release does not run."""

DEFAULT_ENGINE: EngineType = "claude-code"

ALIASES = {
    "claude": "claude-code",
    "claude_code": "claude-code",
    "claudecode": "claude-code",
    "anthropic": "claude-code",
    "openai": "codex",
    "codex-cli": "codex",
    "bash": "shell",
    "sh": "shell",
    "cn": "continue",
    "gemini-cli": "gemini",
    "github-copilot": "copilot",
    "copilot-cli": "copilot",
    "open-code": "opencode",
}
"""What people and the Rust tool call an engine, and its name here."""

KINDS = ("default", "code", "tests", "docs", "refactor")
"""Kinds of work with a fixed meaning; any other word is a kind too."""

OPERATOR_TABLES = ("engines", "sandbox", "limits")
"""Tables of the operator's file that a repository must not have."""

OPERATOR_KEYS = (
    "allow_engines",
    "args",
    "base_url",
    "command",
    "input_usd_per_mtok",
    "isolation",
    "key_env",
    "network",
    "output",
    "output_usd_per_mtok",
    "path",
    "read_only",
    "secrets",
)
"""Keys of the operator's file that a repository must not have, in whichever table."""

PROTECTED = (
    ".github/**",
    ".gitlab-ci.yml",
    ".brat/**",
    "**/CODEOWNERS",
    "**/AGENTS.md",
    "**/CLAUDE.md",
    "**/GEMINI.md",
    "**/.claude/**",
    "**/.codex/**",
    "**/.gemini/**",
    "**/.opencode/**",
    "**/opencode.json",
    "**/.aider*",
    "**/.continue/**",
    "**/.cursor/**",
    "**/.mcp.json",
    "**/.gitmodules",
    "**/.gitattributes",
)
"""Globs whose change waits for a person: what CI, owners and agents obey.

`**/` is written out, so that a gitignore and a write glob read them alike.
"""


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known name that was probably meant: one letter off wins, else a similar one, else None."""
    names = sorted(known)
    plain = {name: _plain(name) for name in names}
    for name in names:
        if _one_off(_plain(word), plain[name]):
            return name
    similar = get_close_matches(_plain(word), plain.values(), n=1)
    return next((name for name in names if similar and plain[name] == similar[0]), None)


def nearest_engine(word: str) -> str | None:
    """The engine that was probably meant, by alias or by spelling."""
    return ALIASES.get(word.lower()) or nearest(word, (*ENGINES, *UNAVAILABLE_ENGINES))


def _plain(word: str) -> str:
    return word.lower().replace("-", "_")


def _one_off(left: str, right: str) -> bool:
    """At most one letter replaced, added or left out, or two neighbours swapped."""
    if abs(len(left) - len(right)) > 1:
        return False
    head = 0
    while head < min(len(left), len(right)) and left[head] == right[head]:
        head += 1
    a, b = left[head:], right[head:]
    swapped = len(a) > 1 and a[:2] == b[1::-1] and a[2:] == b[2:]
    return swapped or a[1:] == b[1:] or a[1:] == b or a == b[1:]
