"""One journalled fast-forward of a branch that is checked out, together with its working tree and the log.

`git merge --ff-only` would leave a kill in its middle to the person, and could not move the log along.
The order is: journal, `index.lock`, working tree, refs, index. Before the refs have moved everything can be
undone; from then on everything can be finished.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from app.errors import BratError, RepositoryError
from app.ports import Checkout, Done, Outcome, RefMove, Refused, Step, Unknown, unnumbered
from app.workspace.changes import shown
from app.workspace.checkouts import Checkouts, Tree
from app.workspace.deadlocks import clear_dead_locks
from app.workspace.durable import disk_failure, locked, sync_folder, write_durably
from app.workspace.git import Overflow, quoted_words
from app.workspace.halfway import in_the_way, restore
from app.workspace.journal import Journal
from app.workspace.pushing import read_refs

__all__ = ["Takeover"]

_ZERO = "0" * 40


class Takeover:
    """At most one at a time per repository. `recover` runs first in each run, and before each take-over.

    Our `index.lock` is a hard link of a file of ours, so that it is told from anybody else's. The new
    index is written beside, by git itself, and renamed into place when the refs have moved.
    """

    def __init__(self, state_dir: Path, common_dir: Path, step: Step = unnumbered) -> None:
        self._folder = state_dir / "takeover"
        self._common = common_dir
        self._step = step
        self._journal = self._folder / "journal.json"
        self._token = self._folder / "lock"
        self._copy = self._folder / "index"

    def take_over(self, checkout: Checkout, move: RefMove, log: RefMove | None) -> Outcome:
        """`Done`, or `Refused` with the tree as it was. A person's changes are never touched."""
        with locked(self._folder.with_suffix(".lock")) as descriptor:
            try:
                self._recover(descriptor)
                tree = Checkouts(self._common).holder(move.ref)
                if tree is None:
                    return Refused(f"{move.ref} is not checked out in {checkout.path} any more")
                return self._begin(tree, Journal.of(tree, move, log), descriptor)
            except (BratError, OSError) as error:
                return self._stopped(error)

    def _stopped(self, error: BratError | OSError) -> Outcome:
        """Raises once the refs have moved: the log says it is done, nobody would look again."""
        journal = Journal.read(self._journal)
        told = disk_failure(error, self._folder) if isinstance(error, OSError) else error
        if journal is not None and self._moved(journal):
            raise RepositoryError(
                f"a take-over stopped half way: {told.reason}",
                place=journal.tree,
                remedy=f"{told.remedy or 'clear the way'}, then: brat mayor resume",
            ) from error
        if isinstance(error, OSError):
            return Unknown(f"a take-over stopped half way, the next pass mends it: {error}")
        return Refused(error.reason, error.remedy or "")

    def recover(self) -> None:
        """Finish or undo what a killed run began. `RepositoryError`: a person's edit is in between."""
        if self._folder.is_dir():
            with locked(self._folder.with_suffix(".lock")) as descriptor:
                self._recover(descriptor)

    def _begin(self, tree: Tree, journal: Journal, descriptor: int) -> Outcome:
        if refused := self._unfit(tree, journal):
            return refused
        self._folder.mkdir(exist_ok=True)
        with self._step("takeover.journal"):
            write_durably(self._journal, journal.encoded())
        try:
            self._lock_index(journal)
        except FileExistsError:
            self._close()
            return _foreign_lock(journal)
        if refused := self._dirty(journal):
            self._release(journal)
            return refused
        return self._move(journal, descriptor)

    def _unfit(self, tree: Tree, journal: Journal) -> Refused | None:
        there = self._refs(journal)
        if there.get(journal.branch) != journal.old:
            at = there.get(journal.branch, "nothing")[:12]
            return Refused(f"{journal.branch} is at {at}, not {journal.old[:12]}")
        if not journal.index.exists():
            return Refused(f"{tree.path} has no index", "git reset, then run again")
        if busy := tree.busy():
            return Refused(f"{busy} is in progress in {tree.path}", "finish or abort it, then run again")
        if not journal.git().holds("merge-base", "--is-ancestor", journal.old, journal.new):
            return Refused(f"{journal.new[:12]} is not a fast-forward of {journal.branch}")
        return None

    def _lock_index(self, journal: Journal) -> None:
        self._token.unlink(missing_ok=True)
        self._token.write_text("brat is moving a branch here; `brat mayor resume` finishes it\n")
        with self._step("takeover.lock"):
            os.link(self._token, journal.index_lock)

    def _dirty(self, journal: Journal) -> Refused | None:
        """Looked at under the lock, through a copy of the index; git's own dry run has the last word."""
        self._copy_index(journal)
        git = journal.git(self._copy)
        status = git.run("status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=no")
        if not status.ok or status.out:
            names = ", ".join(shown(each[3:]) for each in status.out.split(b"\0")[:5] if each)
            return Refused(
                f"the working tree {journal.tree} has changes: {names or quoted_words(status.err)}",
                f"commit or stash them, then: git merge --ff-only {journal.new}",
            )
        if blocked := in_the_way(journal):
            return Refused(
                f"files that git does not track would be overwritten: {', '.join(blocked[:5])}",
                f"move them away, then: git merge --ff-only {journal.new}",
            )
        git.run("update-index", "-q", "--refresh")
        dry = git.run("read-tree", "-m", "-u", "-n", journal.old, journal.new)
        return None if dry.ok else Refused(quoted_words(dry.err), f"git merge --ff-only {journal.new}")

    def _copy_index(self, journal: Journal) -> None:
        self._copy.with_suffix(".lock").unlink(missing_ok=True)
        # With its time: git takes a file that is as young as its index for possibly changed.
        shutil.copy2(journal.index, self._copy)

    def _move(self, journal: Journal, descriptor: int) -> Outcome:
        try:
            with self._step("takeover.tree"):
                written = journal.git(self._copy).run(
                    "read-tree", "-m", "-u", journal.old, journal.new, keep=(descriptor,)
                )
            reason = "" if written.ok else quoted_words(written.err)
            if not reason:
                # The refs must not reach the disk before the files that they promise.
                os.sync()
                reason = self._move_refs(journal, journal.moves, descriptor)
        except Overflow as over:
            reason = str(over)
        if not reason:
            self._finish(journal, descriptor)
            return Done()
        if self._moved(journal):
            return Unknown(f"the refs moved in part: {reason}")
        self._undo(journal)
        return Refused(reason)

    def _move_refs(self, journal: Journal, moves: tuple[tuple[str, str, str], ...], descriptor: int) -> str:
        lines = [f"update {ref} {new} {old or _ZERO}" for ref, old, new in moves]
        told = "\n".join(("start", *lines, "prepare", "commit", ""))
        with self._step("takeover.refs"):
            answer = journal.git().run(
                *("-c", "core.fsync=committed,loose-object,reference"),
                *("update-ref", "--create-reflog", "-m", "brat: taken over by fast-forward", "--stdin"),
                stdin=told.encode(),
                keep=(descriptor,),
            )
        return "" if answer.ok else quoted_words(answer.err)

    def _finish(self, journal: Journal, descriptor: int) -> None:
        """The refs have moved, or one of them has: move the rest, put the index in place, let go."""
        there = self._refs(journal)
        left = tuple(each for each in journal.moves if there.get(each[0], "") == each[1] != each[2])
        if left and (reason := self._move_refs(journal, left, descriptor)):
            raise RepositoryError(
                f"a take-over stopped half way: {reason}", place=journal.tree, remedy="run again in a moment"
            )
        for ref, _, _ in journal.moves:
            sync_folder((self._common / ref).parent)
        if self._copy.exists() and not journal.git().holds("diff-index", "--cached", "--quiet", journal.new):
            with self._step("takeover.index"):
                self._copy.replace(journal.index)
        self._release(journal)

    def _undo(self, journal: Journal) -> None:
        self._copy_index(journal)
        restore(journal, self._copy)
        self._release(journal)

    def _release(self, journal: Journal) -> None:
        with self._step("takeover.unlock"):
            if self._ours(journal):
                journal.index_lock.unlink()
        self._close()

    def _close(self) -> None:
        with self._step("takeover.closed"):
            self._journal.unlink(missing_ok=True)
        self._sweep()

    def _sweep(self) -> None:
        for left in (self._copy, self._copy.with_suffix(".lock"), self._token):
            left.unlink(missing_ok=True)

    def _recover(self, descriptor: int) -> None:
        journal = Journal.read(self._journal)
        if journal is None:
            self._sweep()
            return
        if not Path(journal.tree).is_dir():
            self._close()
            return
        clear_dead_locks(self._common, ((ref, new) for ref, _, new in journal.moves), self._step)
        clear_dead_locks(Path(journal.git_dir), (("HEAD", journal.new),), self._step)
        there = self._refs(journal).get(journal.branch)
        if there not in (journal.old, journal.new):
            self._release(journal)
            raise _left_alone(journal, f"{journal.branch} has moved on during an unfinished take-over")
        if not self._ours(journal):
            try:
                self._lock_index(journal)
            except FileExistsError:
                lock = _foreign_lock(journal)
                raise RepositoryError(lock.reason, place=journal.tree, remedy=lock.remedy) from None
        if not self._untouched_index(journal):
            self._release(journal)
            raise _left_alone(journal, "the index was changed during an unfinished take-over")
        if self._moved(journal):
            self._finish(journal, descriptor)
        else:
            self._undo(journal)

    def _untouched_index(self, journal: Journal) -> bool:
        ask = ("diff-index", "--cached", "--quiet")
        return any(journal.git().holds(*ask, each) for each in (journal.old, journal.new))

    def _moved(self, journal: Journal) -> bool:
        there = self._refs(journal)
        return any(there.get(ref) == new != old for ref, old, new in journal.moves)

    def _ours(self, journal: Journal) -> bool:
        try:
            return journal.index_lock.samefile(self._token)
        except OSError:
            return False

    def _refs(self, journal: Journal) -> dict[str, str]:
        return read_refs(journal.git(), tuple(ref for ref, _, _ in journal.moves))


def _foreign_lock(journal: Journal) -> Refused:
    return Refused(
        f"another git command holds {journal.index_lock}",
        "wait for it to end; if none runs, delete that file, then run again",
    )


def _left_alone(journal: Journal, reason: str) -> RepositoryError:
    return RepositoryError(
        f"{reason}; the working tree was left as it is",
        place=journal.tree,
        remedy=f"git -C {journal.tree} status; to take the rest: git restore --source={journal.new} PATH",
    )
