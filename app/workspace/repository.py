"""The person's repository at start-up: what it is, and why it cannot be worked on."""

from __future__ import annotations

import difflib
import re
from pathlib import Path

from app.errors import OperatorError, RepositoryError
from app.values import dataclass
from app.workspace.git import Git, failure

__all__ = ["OLDEST_GIT", "Repository", "examine"]

OLDEST_GIT = (2, 38)


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository that can be worked on. `base` is a full ref, `head` its commit.

    `git_dir` belongs to the working tree asked about, `common_dir` to all of them; `work_tree` is None when
    bare. `branch` is the full ref that is checked out there, None when detached.
    """

    git_dir: Path
    common_dir: Path
    work_tree: Path | None
    branch: str | None
    base: str
    head: str
    git_version: tuple[int, ...]

    @property
    def bare(self) -> bool:
        return self.work_tree is None

    @property
    def state_dir(self) -> Path:
        """Where everything of ours in this repository lives, the log apart."""
        return self.common_dir / "brat"


def examine(path: Path, *, base: str | None = None, needs_branch: bool = True) -> Repository:
    """Look once. `base` names the branch to work on; without it the checked-out one is taken.

    On a detached HEAD nothing can land; who only looks does without a branch, and the base is then `HEAD`.
    Raises `OperatorError` for git itself and `RepositoryError` for the repository, each with its remedy.
    """
    git = Git(path)
    version = _version(git)
    told = git.run(
        *("rev-parse", "--is-bare-repository", "--is-shallow-repository", "--show-object-format"),
        *("--path-format=absolute", "--git-dir", "--git-common-dir"),
    )
    if not told.ok:
        raise failure(told, place=str(path), doing="rev-parse")
    bare, shallow, hashing, git_dir, common_dir = told.out.decode("utf-8", "surrogateescape").split("\n")[:5]
    if hashing != "sha1":
        raise RepositoryError(
            f"its objects are named by {hashing}, and only sha1 can be read",
            place=str(path),
            remedy="git clone it into a sha1 repository",
        )
    if shallow == "true":
        raise RepositoryError(
            "this is a shallow clone: the history that merges need is cut off",
            place=str(path),
            remedy="git fetch --unshallow",
        )
    work_tree = None if bare == "true" else _work_tree(git, path)
    branch = git.run("symbolic-ref", "--quiet", "HEAD").text or None
    wanted = _base(git, path, base=base, branch=branch if needs_branch else branch or "HEAD")
    head = _head(git, path, wanted)
    return Repository(Path(git_dir), Path(common_dir), work_tree, branch, wanted, head, version)


def _version(git: Git) -> tuple[int, ...]:
    text = git.text("version")
    found = re.search(r"(\d+)\.(\d+)(?:\.(\d+))?", text)
    version = tuple(int(part) for part in found.groups(default="0")) if found else (0,)
    if version < OLDEST_GIT:
        raise OperatorError(
            f"git is {'.'.join(map(str, version))}, and 2.38 or newer is needed (merges without a checkout)",
            remedy="install a newer git",
        )
    return version


def _work_tree(git: Git, path: Path) -> Path:
    answer = git.run("rev-parse", "--show-toplevel")
    if not answer.ok:
        raise RepositoryError(
            "this folder is inside git's own directory", place=str(path), remedy="go to the working tree"
        )
    return Path(answer.out.decode("utf-8", "surrogateescape").rstrip("\n"))


def _base(git: Git, path: Path, *, base: str | None, branch: str | None) -> str:
    if base is None and branch is None:
        raise RepositoryError(
            "HEAD is detached, so it is not known which branch the work shall land on",
            place=str(path),
            remedy="say it with --base BRANCH",
        )
    if base is None:
        return str(branch)
    ref = base if base.startswith("refs/heads/") else f"refs/heads/{base}"
    if git.holds("show-ref", "--verify", "--quiet", ref):
        return ref
    known = git.run("for-each-ref", "--format=%(refname:short)", "refs/heads").text.splitlines()
    if not known:
        return ref
    near = difflib.get_close_matches(base, known, n=1)
    raise RepositoryError(
        f"there is no branch {base!r}",
        place=str(path),
        remedy=f"did you mean {near[0]!r}?" if near else f"git branch {base}",
    )


def _head(git: Git, path: Path, ref: str) -> str:
    answer = git.run("rev-parse", "--quiet", "--verify", f"{ref}^{{commit}}")
    if answer.ok:
        return answer.text
    if git.run("for-each-ref", "--count=1", "refs/heads").text:
        raise RepositoryError(
            f"the branch {ref.removeprefix('refs/heads/')!r} has no commits",
            place=str(path),
            remedy="say another one with --base BRANCH",
        )
    raise RepositoryError(
        "the repository has no commits, so there is nothing to start from",
        place=str(path),
        remedy='git commit --allow-empty -m "Start"',
    )
