"""One atomic push from the mirror into the person's repository, read back when git is not sure."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from app.errors import OperatorError
from app.ports import Done, Outcome, RefMove, Refused, Step, Unknown, unnumbered
from app.workspace.checkouts import Checkouts
from app.workspace.deadlocks import clear_dead_locks
from app.workspace.durable import locked, sync_folder, write_durably
from app.workspace.git import ALWAYS, DURABLE, Answer, Git, Overflow, failure
from app.workspace.mirror import Mirror

__all__ = ["Pusher", "read_refs", "rejections"]

# What the person set for pushes from elsewhere is not meant for their own machine's own program.
_RECEIVE = (
    *ALWAYS,
    *DURABLE,
    "safe.directory=*",
    "receive.autogc=false",
    "receive.denyNonFastForwards=false",
    "receive.updateServerInfo=false",
    "receive.fsckObjects=false",
    "transfer.fsckObjects=false",
    "receive.hideRefs=!refs",
    "receive.maxInputSize=0",
    # A command for repositories that borrow objects; with this one git asks them nothing.
    "core.alternateRefsCommand=true",
    "core.filesRefLockTimeout=2000",
)


class Pusher:
    """Moves refs of the person's repository by compare-and-swap, all or none.

    A push holds `push.lock`, and so do git and receive-pack, which inherit the descriptor: whoever gets the
    lock knows that no push of ours is still at work. `push.json` names the refs of an unfinished push; a
    lock file on exactly those refs that holds exactly the commit we were writing is ours, and is removed.
    """

    def __init__(self, mirror: Mirror, common_dir: Path, step: Step = unnumbered) -> None:
        self._mirror = mirror
        self._common = common_dir
        self._step = step
        self._theirs = Git(common_dir, own=True, git_dir=common_dir)

    def push(self, moves: tuple[RefMove, ...]) -> Outcome:
        """`Done`, `Refused` with nothing moved, or `Unknown`."""
        if not moves:
            return Done()
        self._mirror.ensure()
        if refused := self._forbidden(moves):
            return refused
        with locked(self._mirror.state_dir / "push.lock") as descriptor:
            self._clear_dead_locks()
            with self._journalled(moves):
                try:
                    answer = self._git_push(moves, descriptor)
                except Overflow as over:
                    return self._read_back(moves, str(over))
                return self._settled(moves) if answer.ok else self._read_back(moves, _reason(answer))

    def recover(self) -> None:
        """Clear what a killed push left. Waits for its receive-pack if that still runs."""
        if (self._mirror.state_dir / "push.json").exists():
            with locked(self._mirror.state_dir / "push.lock"):
                self._clear_dead_locks()

    def _forbidden(self, moves: tuple[RefMove, ...]) -> Refused | None:
        checkouts = Checkouts(self._common)
        heads = {branch: tree for tree in checkouts.trees() for branch in tree.branches()}
        for move in moves:
            if move.ref in heads:
                where = heads[move.ref].path
                return Refused(
                    f"{move.ref} is checked out in {where}", "it is moved by a take-over, not by a push"
                )
            if move.old is not None and not move.force and not self._forward(move.old, move.new):
                return Refused(f"{move.ref}: {move.new[:12]} does not contain {move.old[:12]}")
        return None

    def _forward(self, old: str, new: str) -> bool:
        """Branches are in the mirror with their new commits, the log's commits are over there."""
        import pygit2

        if self._mirror.has(old) and self._mirror.has(new):
            return self._mirror.contains(new, old)
        there = pygit2.Repository(str(self._common))
        if old in there and new in there:
            return old == new or there.descendant_of(new, old)
        return self._mirror.git.run("merge-base", "--is-ancestor", old, new, variables=self._alternates()).ok

    def _alternates(self) -> dict[str, str]:
        # The log's commit is an object over there already; it is read, never copied here.
        return {"GIT_ALTERNATE_OBJECT_DIRECTORIES": str(self._common / "objects")}

    def _git_push(self, moves: tuple[RefMove, ...], descriptor: int) -> Answer:
        settings = " ".join(f"-c {shlex.quote(each)}" for each in _RECEIVE)
        leases = (f"--force-with-lease={move.ref}:{move.old or ''}" for move in moves)
        specs = (f"{move.new}:{move.ref}" for move in moves)
        with self._step("push.refs"):
            return self._mirror.git.run(
                *("-c", "protocol.file.allow=always", "push", "--porcelain", "--atomic", "--no-verify"),
                *("--no-follow-tags", "--no-signed", "--recurse-submodules=no"),
                *(f"--receive-pack=git {settings} receive-pack", *leases),
                *(os.fspath(self._common), *specs),
                variables=self._alternates(),
                keep=(descriptor,),
            )

    def _settled(self, moves: tuple[RefMove, ...]) -> Outcome:
        # git fsyncs a ref file and not its folder: after a power cut the old name could be back.
        for folder in {(self._common / move.ref).parent for move in moves}:
            if folder.is_dir():
                sync_folder(folder)
        return Done()

    def _read_back(self, moves: tuple[RefMove, ...], reason: str) -> Outcome:
        try:
            there = read_refs(self._theirs, tuple(move.ref for move in moves))
        except (OperatorError, Overflow) as error:
            return Unknown(f"{reason}; and the refs cannot be read: {error}")
        if all(there.get(move.ref) == move.new for move in moves):
            return self._settled(moves)
        if any(there.get(move.ref) == move.new != move.old for move in moves):
            return Unknown(f"some refs moved and some did not: {reason}")
        moved = [
            f"{move.ref} is at {_short(there.get(move.ref))}, expected {_short(move.old)}"
            for move in moves
            if there.get(move.ref) != move.old
        ]
        remedy = (
            "end the git command that holds the lock, or delete the file it names"
            if ".lock" in reason
            else ""
        )
        return Refused("; ".join(moved) or reason, remedy)

    @contextmanager
    def _journalled(self, moves: tuple[RefMove, ...]) -> Iterator[None]:
        journal = self._mirror.state_dir / "push.json"
        with self._step("push.journal"):
            write_durably(journal, json.dumps({move.ref: move.new for move in moves}).encode())
        yield
        with self._step("push.closed"):
            journal.unlink(missing_ok=True)

    def _clear_dead_locks(self) -> None:
        journal = self._mirror.state_dir / "push.json"
        try:
            moves: dict[str, str] = json.loads(journal.read_bytes())
        except (OSError, ValueError):
            return
        clear_dead_locks(self._common, moves.items(), self._step)
        journal.unlink(missing_ok=True)


def read_refs(git: Git, refs: tuple[str, ...]) -> dict[str, str]:
    """Where these refs point; one that does not exist is absent."""
    answer = git.run("for-each-ref", "--format=%(objectname) %(refname)", *refs)
    if not answer.ok:
        raise failure(answer, place=str(git.place), doing="for-each-ref")
    found = (line.split(" ", 1) for line in answer.text.splitlines())
    return {ref: commit for commit, ref in found if ref in refs}


def rejections(out: str) -> list[str]:
    """The refused refs of `push --porcelain`: `ref: [rejected] (reason)`."""
    fields = (line.split("\t") for line in out.splitlines() if line.startswith("!\t"))
    return [f"{each[1].partition(':')[2]}: {each[2]}" for each in fields if len(each) >= 3]


def _reason(answer: Answer) -> str:
    words = str(failure(answer, place="", doing="push").reason)
    return (
        "; ".join([*rejections(answer.text), words])
        if ".lock" in words
        else "; ".join(rejections(answer.text)) or words
    )


def _short(commit: str | None) -> str:
    return commit[:12] if commit else "nothing"
