"""Refs that matter before anything is known of a repository's convoys."""

from __future__ import annotations

from app.ports import Setting

__all__ = ["base_refs"]


def base_refs(setting: Setting) -> tuple[str, ...]:
    """Where a request on a code host would start from, and the name that leaves it no room."""
    return (f"refs/heads/{setting.base}", "refs/heads/convoy") if setting.hosted else ()
