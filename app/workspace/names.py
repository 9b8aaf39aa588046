"""Which names, modes and link targets work may bring: pure rules, each answering with a reason or nothing."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

__all__ = ["bad_link", "bad_mode", "bad_name", "case_twins"]

_MODES = {"100644", "100755", "120000", "040000"}
# What HFS+ ignores in names: https://github.com/git/git/blob/master/utf8.c (next_hfs_char).
_IGNORED = dict.fromkeys([*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF])
# NTFS drops trailing dots and blanks, cuts at a colon, and knows `.git` by its short name too.
_NTFS_TAIL = re.compile(r"[ .]*(:.*)?$", re.DOTALL)


def bad_mode(mode: str) -> str | None:
    """Files, executables, links and folders; no submodule, no group-writable or other odd mode."""
    if mode in _MODES:
        return None
    return "adds or moves a submodule" if mode == "160000" else f"has mode {mode}"


def bad_name(path: bytes) -> str | None:
    """Why a new path is refused. Control characters are: a line break forges lines in every list of files."""
    try:
        text = path.decode("utf-8")
    except UnicodeDecodeError:
        return "has a name that is not UTF-8"
    if any(unicodedata.category(each) == "Cc" for each in text):
        return "has a control character in its name"
    if len(path) > 1024:
        return "has a name longer than 1024 bytes"
    if text.startswith("/"):
        return "is absolute"
    return next(filter(None, map(_bad_component, text.split("/"))), None)


def _bad_component(name: str) -> str | None:
    if name in ("", ".", ".."):
        return "has an empty or dotted part in its name"
    if "\\" in name and any(_is_git(part) or part == ".." for part in name.split("\\")):
        return "reaches git's own folder on Windows"
    return "reaches git's own folder" if _is_git(name) else None


def _is_git(name: str) -> bool:
    plain = unicodedata.normalize("NFC", name.translate(_IGNORED)).casefold()
    return _NTFS_TAIL.sub("", plain) in (".git", "git~1")


def bad_link(path: str, target: bytes) -> str | None:
    """A link may stay in the tree: relative, `..` only in front, not above the root, not into `.git`.

    `..` behind another part is refused: that part may itself be a link, and then it leads elsewhere.
    """
    try:
        text = target.decode("utf-8")
    except UnicodeDecodeError:
        return "is a link to a name that is not UTF-8"
    if text.startswith("/") or re.match(r"[A-Za-z]:|\\", text):
        return "is a link to an absolute path"
    parts = [part for part in text.split("/") if part not in ("", ".")]
    ups = next((i for i, part in enumerate(parts) if part != ".."), len(parts))
    if ".." in parts[ups:] or ups > path.count("/") or "\\" in text:
        return "is a link out of the tree"
    if "\0" in text or any(_is_git(part) for part in parts):
        return "is a link to git's own folder"
    return None


def case_twins(added: Iterable[str], everything: Iterable[str]) -> list[tuple[str, str]]:
    """New paths that differ from another path, or from a folder of one, only in case.

    On a file system that ignores case one of them would be written through the other.
    """
    spelled: dict[str, set[str]] = {}
    for path in everything:
        for prefix in _prefixes(path):
            spelled.setdefault(_folded(prefix), set()).add(prefix)
    twins: set[tuple[str, str]] = set()
    for path in added:
        for prefix in _prefixes(path):
            others = spelled.get(_folded(prefix), set()) - {prefix}
            twins.update((path, other) for other in others)
    return sorted(twins)


def _prefixes(path: str) -> Iterable[str]:
    parts = path.split("/")
    return ("/".join(parts[:n]) for n in range(1, len(parts) + 1))


def _folded(path: str) -> str:
    return unicodedata.normalize("NFC", path).casefold()
