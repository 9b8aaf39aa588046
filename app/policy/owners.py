"""Who owns changed files, as GitHub reads CODEOWNERS.

https://docs.github.com/en/repositories/managing-your-repositorys-settings-and-features/customizing-your-repository/about-code-owners
"""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["codeowners"]

_OWNER = re.compile(r"@([A-Za-z0-9][A-Za-z0-9-]*(?:_[A-Za-z0-9-]+)?)(/[\w.-]+)?", re.ASCII)
_MAIL = re.compile(r"[^@\s]+@[^@\s]+")
_LARGEST = 3 * 1024 * 1024
"""Bytes; GitHub reads no larger file."""


def codeowners(text: str, paths: Iterable[str]) -> tuple[str, ...]:
    """Logins, and teams as `@org/team`, that own any of the paths; the last line that fits a path decides.

    In the order of the paths, each once. A line with an owner that is none is no line; who is named by mail
    cannot be asked and is left out.
    """
    if len(text.encode()) > _LARGEST:
        return ()
    rules = [rule for line in text.splitlines() if (rule := _rule(line)) is not None]
    found: dict[str, None] = {}
    for path in paths:
        names = tuple(path.split("/"))
        owners = next((each for pattern, each in reversed(rules) if _fits(pattern, names)), ())
        found.update(dict.fromkeys(owners))
    return tuple(found)


def _rule(line: str) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Pattern and owners. No `!`, no `[a-z]` here, other than in a gitignore."""
    words = re.split(r"(?:^|(?<=\s))#", line, maxsplit=1)[0]
    parts = [each.replace("\\ ", " ") for each in re.findall(r"(?:\\ |\S)+", words)]
    if not parts or parts[0].startswith("!") or "[" in parts[0]:
        return None
    owners = []
    for each in parts[1:]:
        found = _OWNER.fullmatch(each)
        if found is None and _MAIL.fullmatch(each) is None:
            return None
        if found is not None:
            owners.append(each if found[2] else found[1])
    return _pattern(parts[0]), tuple(owners)


def _pattern(text: str) -> tuple[str, ...]:
    """Folder names from the top, `**` for any number of them; it ends open unless it ends in `/*`."""
    names = [each for each in text.split("/") if each]
    if "/" not in text.rstrip("/"):
        names.insert(0, "**")
    direct = text.endswith("/*")
    folder = text.endswith("/")
    if folder:
        names.append("*")
    return tuple(names if direct else [*names, "**"])


def _fits(pattern: tuple[str, ...], names: tuple[str, ...]) -> bool:
    reached = {0}
    for name in names:
        reached = {
            after
            for at in _past_any(pattern, reached)
            if at < len(pattern)
            for after in ((at,) if pattern[at] == "**" else (at + 1,) if _alike(pattern[at], name) else ())
        }
    return len(pattern) in _past_any(pattern, reached)


def _past_any(pattern: tuple[str, ...], reached: set[int]) -> set[int]:
    """`**` may also stand for no folder at all."""
    result = set(reached)
    for at in sorted(reached):
        while at < len(pattern) and pattern[at] == "**":
            at += 1
            result.add(at)
    return result


def _alike(pattern: str, name: str) -> bool:
    """`*` is any text, `?` one character; going back only to the last star keeps it fast on any text."""
    at = here = 0
    star = mark = -1
    while here < len(name):
        if at < len(pattern) and pattern[at] == "*":
            star, mark, at = at, here, at + 1
        elif at < len(pattern) and pattern[at] in ("?", name[here]):
            at, here = at + 1, here + 1
        elif star >= 0:
            mark += 1
            at, here = star + 1, mark
        else:
            return False
    return not pattern[at:].strip("*")
