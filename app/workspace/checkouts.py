"""Which of the person's working trees has a branch checked out, and whether it could be moved."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from app.ports import Checkout
from app.workspace.changes import shown
from app.workspace.git import Git, Overflow, quoted_words

__all__ = ["Checkouts", "Tree"]

_BUSY = {
    "MERGE_HEAD": "a merge",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase",
    "sequencer": "a cherry-pick or revert",
    "BISECT_LOG": "a bisection",
}
# Branches that git reserves for a working tree whose HEAD is detached meanwhile.
_RESERVED = ("rebase-merge/head-name", "rebase-apply/head-name")


class Tree:
    """One working tree: `path`, and `git_dir`, where its HEAD and index are."""

    def __init__(self, path: Path, git_dir: Path) -> None:
        self.path = path
        self.git_dir = git_dir

    def branches(self) -> set[str]:
        """Full refs that belong to this tree now: the checked-out one, and one that a rebase works on."""
        import pygit2

        found = set()
        with suppress(KeyError, pygit2.GitError):
            head = pygit2.Repository(str(self.git_dir)).references["HEAD"]
            if isinstance(head.target, str):
                found.add(head.target)
        for name in _RESERVED:
            with suppress(OSError):
                found.add((self.git_dir / name).read_text().strip())
        return found

    def busy(self) -> str:
        """What is in progress here, in words; empty when nothing is."""
        return next((words for name, words in _BUSY.items() if (self.git_dir / name).exists()), "")

    def look(self, branch: str) -> Checkout:
        """Tracked changes and operations in progress make it unclean, untracked files do not."""
        if not self.path.is_dir():
            return self._seen(branch, None, "the working tree's folder is gone: git worktree prune")
        if busy := self.busy():
            return self._seen(branch, False, f"{busy} is in progress")
        if (self.git_dir / "index.lock").exists():
            return self._seen(branch, None, "another git command holds index.lock")
        flags = ("--porcelain=v1", "-z", "--no-renames", "--untracked-files=no")
        try:
            # Named, not searched for: with core.worktree nothing in the tree leads to its repository.
            named = {"GIT_WORK_TREE": str(self.path)}
            git = Git(self.path, git_dir=self.git_dir, variables=named)
            answer = git.run("status", *flags, limit=1024 * 1024)
        except Overflow as over:
            return self._seen(branch, None, str(over))
        if not answer.ok:
            return self._seen(branch, None, quoted_words(answer.err))
        names = [shown(each[3:]) for each in answer.out.split(b"\0") if each]
        listed = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
        return self._seen(branch, not names, f"changed: {listed}" if names else "")

    def _seen(self, branch: str, clean: bool | None, detail: str) -> Checkout:
        return Checkout(str(self.path), branch, clean, detail)


class Checkouts:
    """All working trees of one repository: the main one, and linked ones (`git worktree`)."""

    def __init__(self, common_dir: Path) -> None:
        self._common = common_dir

    def trees(self) -> Iterator[Tree]:
        """Format: https://git-scm.com/docs/gitrepository-layout, `worktrees/`."""
        import pygit2

        work_tree = pygit2.Repository(str(self._common)).workdir
        if work_tree is not None:
            yield Tree(Path(work_tree), self._common)
        for folder in sorted(self._common.glob("worktrees/*/gitdir")):
            with suppress(OSError):
                yield Tree((folder.parent / folder.read_text().strip()).parent, folder.parent)

    def holder(self, branch: str) -> Tree | None:
        """The tree that has the full ref `branch`, if any."""
        return next((tree for tree in self.trees() if branch in tree.branches()), None)

    def look(self, branches: tuple[str, ...]) -> dict[str, Checkout]:
        """Checkouts by branch as asked (short name or full ref); one that is nowhere is absent."""
        found = {}
        held = [(tree, tree.branches()) for tree in self.trees()] if branches else []
        for asked in branches:
            ref = asked if asked.startswith("refs/") else f"refs/heads/{asked}"
            tree = next((tree for tree, refs in held if ref in refs), None)
            if tree is not None:
                found[asked] = tree.look(asked)
        return found
