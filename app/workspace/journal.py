"""The journal of one take-over: what was begun, for whoever has to finish or undo it."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

from app.ports import RefMove
from app.values import dataclass
from app.workspace.checkouts import Tree
from app.workspace.git import Git

__all__ = ["Journal"]


@dataclass(frozen=True, slots=True)
class Journal:
    """The branch moves from `old` to `new` in the working tree `tree`, and the log's ref with it."""

    tree: str
    git_dir: str
    branch: str
    old: str
    new: str
    log_ref: str = ""
    log_old: str = ""
    log_new: str = ""

    @classmethod
    def of(cls, tree: Tree, move: RefMove, log: RefMove | None) -> Journal:
        """`move.old` is known: a branch that is checked out exists."""
        told = ("", "", "") if log is None else (log.ref, log.old or "", log.new)
        return cls(str(tree.path), str(tree.git_dir), move.ref, move.old or "", move.new, *told)

    @classmethod
    def read(cls, file: Path) -> Journal | None:
        """The unfinished take-over, if there is one. The file is written durably: it is whole or absent."""
        try:
            return cls(**json.loads(file.read_bytes()))
        except (OSError, ValueError, TypeError):
            return None

    def encoded(self) -> bytes:
        return json.dumps(dataclasses.asdict(self)).encode()

    @property
    def moves(self) -> tuple[tuple[str, str, str], ...]:
        """Ref, old, new; an old of nothing is empty."""
        log = ((self.log_ref, self.log_old, self.log_new),) if self.log_ref else ()
        return ((self.branch, self.old, self.new), *log)

    @property
    def index(self) -> Path:
        return Path(self.git_dir) / "index"

    @property
    def index_lock(self) -> Path:
        return Path(self.git_dir) / "index.lock"

    def git(self, index: Path | None = None) -> Git:
        """git in that working tree with the person's configuration: line ends and filters are theirs."""
        variables = {} if index is None else {"GIT_INDEX_FILE": str(index)}
        who = {"GIT_COMMITTER_NAME": "brat", "GIT_COMMITTER_EMAIL": "brat@localhost"}
        named = {"GIT_WORK_TREE": self.tree}
        return Git(
            Path(self.tree),
            git_dir=Path(self.git_dir),
            variables={**who, **named, **variables},
            timeout=600.0,
        )
