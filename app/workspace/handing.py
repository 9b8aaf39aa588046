"""Work that is not pushed, read so that a person can judge it, or make it where no App may push it."""

from __future__ import annotations

from app.ports import DiffKey, Patch, PatchKey
from app.workspace.git import Git, Overflow
from app.workspace.mirror import Mirror

__all__ = ["PatchReader"]

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
        if key in self._known:
            return self._known[key]
        if not all(self._mirror.has(each) for each in (key.since, key.head, key.base)):
            return None
        try:
            found = _read(self._git, key)
        except Overflow:
            return None
        if len(self._known) >= _MOST_KNOWN:
            self._known.clear()
        self._known[key] = found
        return found

    def diff(self, key: DiffKey) -> str | None:
        """All of it; empty: too long for a page, or no text. None while one of its commits is not here."""
        if key in self._diffs:
            return self._diffs[key]
        if not all(self._mirror.has(each) for each in (key.since, key.head)):
            return None
        if len(self._diffs) >= _MOST_KNOWN:
            self._diffs.clear()
        found = self._diffs[key] = _text(self._git, key.since, key.head)
        return found


def _read(git: Git, key: PatchKey) -> Patch:
    paths = _names(git, key.since, key.head, _WORKFLOWS)
    if not paths:
        return Patch((), "", there=True)
    there = not _names(git, key.base, key.head, *paths)
    return Patch(paths, _text(git, key.since, key.head, _WORKFLOWS), there)


def _text(git: Git, one: str, other: str, *paths: str) -> str:
    try:
        told = git.run(*_DIFF, one, other, "--", *paths, limit=_TEXT_BYTES)
    except Overflow:
        return ""
    text = told.out.decode("utf-8", "replace")
    return "" if "\ufffd" in text or "\0" in text else text


def _names(git: Git, one: str, other: str, *paths: str) -> tuple[str, ...]:
    asked = ("--literal-pathspecs", *_DIFF, "--name-only", "-z", one, other, "--", *paths)
    told = git.run(*asked, limit=_NAMES_BYTES)
    if not told.ok:
        raise Overflow(told.err)
    return tuple(each.decode("utf-8", "replace") for each in told.out.split(b"\0") if each)
