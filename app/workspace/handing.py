"""Work that is not pushed, read so that a person can judge it, or make it where no App may push it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from app.ports import DiffKey, Patch, PatchKey
from app.workspace.git import Git, Overflow
from app.workspace.mirror import Mirror

__all__ = ["PatchReader"]

Key = TypeVar("Key")
Found = TypeVar("Found")

_WORKFLOWS = ".github/workflows"
_DIFF = ("diff", "--no-ext-diff", "--no-textconv", "--no-color", "--no-renames")
_TEXT_BYTES = 60_000
"""More is not read on a page: the files are named and the text is left out."""
_NAMES_BYTES = 1024 * 1024
_MOST_KNOWN = 256


class PatchReader:
    """Both ends are commits, so an answer holds for ever."""

    def __init__(self, mirror: Mirror) -> None:
        self._mirror, self._git = mirror, mirror.git
        self._known: dict[PatchKey, Patch] = {}
        self._diffs: dict[DiffKey, str] = {}

    def read(self, key: PatchKey) -> Patch | None:
        """None while one of its commits is not in the mirror, or while git cannot say."""
        return self._once(self._known, key, commits=(key.since, key.head, key.base), look=_read)

    def diff(self, key: DiffKey) -> str | None:
        """All of it; empty: too long for a page, or no text. None as in `read`."""
        return self._once(self._diffs, key, commits=(key.since, key.head), look=_text)

    def _once(
        self,
        known: dict[Key, Found],
        key: Key,
        *,
        commits: tuple[str, ...],
        look: Callable[[Git, Key], Found],
    ) -> Found | None:
        if key in known:
            return known[key]
        if not all(self._mirror.has(each) for each in commits):
            return None
        try:
            found = look(self._git, key)
        except Overflow:
            return None
        if len(known) >= _MOST_KNOWN:
            known.clear()
        known[key] = found
        return found


def _read(git: Git, key: PatchKey) -> Patch:
    paths = _names(git, key.since, key.head, _WORKFLOWS)
    if not paths:
        return Patch((), "", there=True)
    there = not _names(git, key.base, key.head, *paths)
    return Patch(paths, _text(git, key, _WORKFLOWS), there)


def _text(git: Git, key: PatchKey | DiffKey, *paths: str) -> str:
    """Whole or not at all: who reads half of it would judge what they do not see."""
    try:
        told = git.run(*_DIFF, key.since, key.head, "--", *paths, limit=_TEXT_BYTES)
    except Overflow:
        return ""
    if not told.ok:
        raise Overflow(told.err)
    text = told.out.decode("utf-8", "replace")
    return "" if "\ufffd" in text or "\0" in text else text


def _names(git: Git, one: str, other: str, *paths: str) -> tuple[str, ...]:
    asked = ("--literal-pathspecs", *_DIFF, "--name-only", "-z", one, other, "--", *paths)
    told = git.run(*asked, limit=_NAMES_BYTES)
    if not told.ok:
        raise Overflow(told.err)
    return tuple(each.decode("utf-8", "replace") for each in told.out.split(b"\0") if each)
