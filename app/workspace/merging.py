"""Merge candidates, built in the mirror's object store and never in a checkout."""

from __future__ import annotations

import hashlib
import json
from dataclasses import astuple
from typing import TYPE_CHECKING

from app.errors import Defect, OperatorError
from app.ports import Candidate, CandidateKey, Landing, LandingKey
from app.prompts import defused
from app.values import dataclass
from app.workspace.git import Git, failure, quoted_words
from app.workspace.mirror import CANDIDATES, Mirror

if TYPE_CHECKING:
    from pygit2 import Commit

__all__ = ["Builder", "Merged", "merge_trees"]

_COMMITTER = "brat <brat@localhost>"
_DETAIL_BYTES = 2048
_MOST_KNOWN = 4096


@dataclass(frozen=True, slots=True)
class Merged:
    """A tree, or the paths in conflict with git's messages."""

    tree: str | None
    conflicts: tuple[str, ...] = ()
    detail: str = ""


class Builder:
    """Answers `CandidateKey` with the same commit each time: dates, names and messages come from the key.

    A commit is written as an object and not by `commit-tree`, so that author lines, encodings and messages
    of replayed commits stay as they are, byte for byte; only a message that would act on a code host is
    defused.
    """

    def __init__(self, mirror: Mirror) -> None:
        self._mirror = mirror
        self._git = mirror.git
        self._known: dict[CandidateKey, Candidate] = {}

    def build(self, key: CandidateKey) -> Candidate | None:
        """The merge, or None while one of its commits is not in the mirror."""
        if key in self._known:
            return self._known[key]
        if not all(self._mirror.has(each) for each in (key.base, key.head, key.since)):
            return None
        found = self._build(key)
        if found.commit is not None:
            name = hashlib.sha256(json.dumps(astuple(key)).encode()).hexdigest()[:40]
            self._mirror.keep(f"{CANDIDATES}{name}", found.commit)
        if len(self._known) >= _MOST_KNOWN:
            self._known.clear()
        self._known[key] = found
        return found

    def landing(self, key: LandingKey) -> Landing | None:
        """The trees of a landing that a code host made, or None while its commits are not here.

        Its actual parent is the first parent, or for a rebase the one below all that was replayed.
        """
        if not all(self._mirror.has(each) for each in (key.commit, key.head, key.since)):
            return None
        parents = self._git.text("rev-parse", f"{key.commit}^@").split()
        ours = int(self._git.text("rev-list", "--count", "--first-parent", key.head, f"^{key.since}"))
        merged = [merge_trees(self._git, each, key.head).tree for each in parents[:1]]
        landed = self._tree(key.commit)
        if landed not in merged and len(parents) == 1 and ours > 1:
            below = self._git.run("rev-parse", "--verify", "--quiet", f"{key.commit}~{ours}")
            merged = [merge_trees(self._git, below.text, key.head).tree] if below.ok else merged
        return Landing(landed, self._tree(key.head), merged[0] if merged else None)

    def _build(self, key: CandidateKey) -> Candidate:
        if self._mirror.contains(key.base, key.head):
            return Candidate(None, empty=True, detail="the base contains the work already")
        if key.strategy == "update":
            # On a task's branch no message acts: only what lands on the default branch does.
            return self._join(key, squash=False)
        if key.strategy == "rebase":
            return self._rebase(key, self._acting(key))
        if key.strategy not in ("merge", "squash"):
            raise Defect(f"there is no merge strategy {key.strategy!r}", place="merge candidate")
        if key.strategy == "merge" and self._acting(key):
            return self._join(key, squash=True, detail="a message of the work would act, so it was squashed")
        return self._join(key, squash=key.strategy == "squash")

    def _join(self, key: CandidateKey, *, squash: bool, detail: str = "") -> Candidate:
        merged = merge_trees(self._git, key.base, key.head)
        if merged.tree is None:
            return Candidate(None, conflicts=merged.conflicts, detail=merged.detail)
        # A branch without its base's commits is behind, though it may have all of their changes.
        if merged.tree == self._tree(key.base) and key.strategy != "update":
            return Candidate(None, merged.tree, detail="the work changes nothing on this base", empty=True)
        parents = (key.base,) if squash else (key.base, key.head)
        author = self._headers(key.head)["author"] if squash else _stamp(_COMMITTER, key.date_ts)
        message = key.message.replace("\0", "").rstrip("\n") + "\n"
        body = _Body(author, message.encode("utf-8", "replace"))
        return Candidate(
            self._write(merged.tree, parents, body, date_ts=key.date_ts), merged.tree, detail=detail
        )

    def _acting(self, key: CandidateKey) -> frozenset[str]:
        """Commits of the work whose messages would close, mention or skip something on the base."""
        told = ((str(each.id), _words(each)) for each in self._work(key))
        return frozenset(commit for commit, message in told if defused(message) != message)

    def _work(self, key: CandidateKey) -> list[Commit]:
        """What the head has and neither the base nor the work it carries on has, oldest first."""
        from pygit2.enums import SortMode

        walk = self._mirror.objects.walk(key.head, SortMode.TOPOLOGICAL | SortMode.REVERSE)
        walk.hide(key.since)
        walk.hide(key.base)
        return list(walk)

    def _rebase(self, key: CandidateKey, acting: frozenset[str]) -> Candidate:
        work = self._work(key)
        if any(len(each.parent_ids) != 1 for each in work):
            return self._join(key, squash=True, detail="the work holds a merge commit, so it was squashed")
        onto = key.base
        for commit, parent in ((str(each.id), str(each.parent_ids[0])) for each in work):
            if parent == onto and commit not in acting:
                onto = commit
                continue
            merged = self._replay(commit, parent, onto)
            if merged.tree is None:
                subject = self._git.text("log", "-1", "--format=%s", commit)[:100]
                detail = f"replaying {commit[:12]} {subject}\n{merged.detail}"
                return Candidate(None, conflicts=merged.conflicts, detail=_cut(detail))
            if merged.tree != self._tree(onto):
                body = self._body(commit)
                body = body.defused() if commit in acting else body
                onto = self._write(merged.tree, (onto,), body, date_ts=key.date_ts)
        tree = self._tree(onto)
        if onto == key.base or tree == self._tree(key.base):
            return Candidate(None, tree, detail="the work changes nothing on this base", empty=True)
        return Candidate(onto, tree)

    def _replay(self, commit: str, parent: str, onto: str) -> Merged:
        """A cherry-pick. `merge-tree --merge-base` is git 2.40; a stand-in for `onto` whose parent is the
        commit's own parent gives git 2.38 the same merge base.
        """
        tree = self._tree(onto)
        if tree == self._tree(parent):
            return Merged(self._tree(commit))
        body = _Body(_stamp(_COMMITTER, 0).encode(), b"stand-in\n")
        return merge_trees(self._git, self._write(tree, (parent,), body, date_ts=0), commit)

    def _tree(self, commit: str) -> str:
        return self._headers(commit)["tree"].decode()

    def _headers(self, commit: str) -> dict[str, bytes]:
        head, _, _ = self._mirror.objects.read(commit)[1].partition(b"\n\n")
        pairs = (line.partition(b" ") for line in head.split(b"\n"))
        return {name.decode("ascii", "replace"): value for name, _, value in pairs if name}

    def _body(self, commit: str) -> _Body:
        headers = self._headers(commit)
        _, _, message = self._mirror.objects.read(commit)[1].partition(b"\n\n")
        return _Body(headers["author"], message, headers.get("encoding"))

    def _write(self, tree: str, parents: tuple[str, ...], body: _Body, *, date_ts: int) -> str:
        lines = [b"tree " + tree.encode(), *(b"parent " + each.encode() for each in parents)]
        lines += [b"author " + _bytes(body.author), b"committer " + _stamp(_COMMITTER, date_ts).encode()]
        if body.encoding is not None:
            lines.append(b"encoding " + body.encoding)
        raw = b"\n".join(lines) + b"\n\n" + body.message
        return self._git.text("hash-object", "-t", "commit", "-w", "--stdin", stdin=raw)


@dataclass(frozen=True, slots=True)
class _Body:
    author: bytes | str
    message: bytes
    encoding: bytes | None = None

    def defused(self) -> _Body:
        return _Body(self.author, defused(self.message.decode("utf-8", "replace")).encode())


def _words(commit: Commit) -> str:
    try:
        return commit.raw_message.decode(commit.message_encoding or "utf-8", "replace")
    except LookupError:
        return commit.raw_message.decode("utf-8", "replace")


def _bytes(text: bytes | str) -> bytes:
    return text if isinstance(text, bytes) else text.encode()


def _stamp(who: str, date_ts: int) -> str:
    return f"{who} {date_ts // 1000} +0000"


def merge_trees(git: Git, ours: str, theirs: str) -> Merged:
    """Three-way merge of two commits without an index. Attributes and merge drivers play no part."""
    answer = git.run("merge-tree", "--write-tree", "-z", "--name-only", "--messages", ours, theirs)
    if "unrelated histories" in answer.err:
        return Merged(None, (".",), "the work and the base have no common history")
    if answer.code not in (0, 1):
        raise failure(answer, place=str(git.git_dir), doing="merge-tree")
    head, _, tail = answer.out.partition(b"\0\0")
    first, *paths = head.decode("utf-8", "backslashreplace").rstrip("\0").split("\0")
    if answer.ok:
        return Merged(first)
    if not paths:
        raise OperatorError(f"git merge-tree: {quoted_words(answer.err)}", place=str(git.git_dir))
    return Merged(None, tuple(sorted(set(paths))), _cut("\n".join(_messages(tail))))


def _messages(tail: bytes) -> list[str]:
    """Messages come as count, that many paths, a type, the text."""
    parts = iter(tail.decode("utf-8", "replace").split("\0"))
    found = []
    for count in parts:
        for _ in range(int(count) if count.isdigit() else 0):
            next(parts, "")
        next(parts, "")
        text = next(parts, "").strip()
        if text and not text.startswith("Auto-merging"):
            found.append(text)
    return found


def _cut(text: str) -> str:
    return text.encode()[:_DETAIL_BYTES].decode("utf-8", "ignore")
