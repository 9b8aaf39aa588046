"""The environment inside: an allow-list, so that nothing of the host's leaks in by being forgotten."""

from __future__ import annotations

from app.runner.isolation import Places

__all__ = ["AGENT_EMAIL", "AGENT_NAME", "base_environment", "git_environment"]

AGENT_NAME = "brat agent"
AGENT_EMAIL = "agent@brat.invalid"


def base_environment(places: Places, path: tuple[str, ...]) -> dict[str, str]:
    """What every command inside gets."""
    return {
        "HOME": places.home,
        "TMPDIR": places.temp,
        "PATH": ":".join(path),
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        "NO_COLOR": "1",
        "CI": "true",
        "PYTHONDONTWRITEBYTECODE": "1",
        "GIT_AUTHOR_NAME": AGENT_NAME,
        "GIT_AUTHOR_EMAIL": AGENT_EMAIL,
        "GIT_COMMITTER_NAME": AGENT_NAME,
        "GIT_COMMITTER_EMAIL": AGENT_EMAIL,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
    }


def git_environment(places: Places) -> tuple[tuple[str, str], ...]:
    """For our own git commands: the agent may have moved its repository, changed its stores or its home."""
    return (
        ("GIT_DIR", f"{places.workspace}/.git"),
        ("GIT_WORK_TREE", places.workspace),
        ("GIT_ALTERNATE_OBJECT_DIRECTORIES", ":".join(places.objects)),
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_OPTIONAL_LOCKS", "0"),
        ("GIT_NO_REPLACE_OBJECTS", "1"),
        ("GIT_NO_LAZY_FETCH", "1"),
        ("GIT_ALLOW_PROTOCOL", ""),
    )
