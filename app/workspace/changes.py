"""What commits change, read from git's raw diff: https://git-scm.com/docs/diff-format"""

from __future__ import annotations

from app.values import dataclass

__all__ = ["Change", "parse_raw", "shown"]

_NOTHING = "000000"


@dataclass(frozen=True, slots=True)
class Change:
    """One path, before and after. A rename is a deletion and an addition."""

    path: bytes
    old_mode: str
    old: str
    mode: str
    new: str

    @property
    def added(self) -> bool:
        return self.old_mode == _NOTHING

    @property
    def deleted(self) -> bool:
        return self.mode == _NOTHING

    @property
    def name(self) -> str:
        return shown(self.path)


def shown(path: bytes) -> str:
    """A path for people and for the log; what is not UTF-8 is escaped."""
    return path.decode("utf-8", "backslashreplace")


def parse_raw(out: bytes) -> tuple[Change, ...]:
    """`diff-tree -r -z --raw`, also combined (`-c`): n colons, n+1 modes, n+1 ids, status; then the path."""
    changes = []
    tokens = iter(out.split(b"\0"))
    for token in tokens:
        if not token.startswith(b":"):
            continue
        fields = token.decode("ascii").lstrip(":").split(" ")
        parents = len(token) - len(token.lstrip(b":"))
        modes, ids = fields[: parents + 1], fields[parents + 1 : 2 * parents + 2]
        changes.append(Change(next(tokens), modes[0], ids[0], modes[-1], ids[-1]))
    return tuple(changes)
