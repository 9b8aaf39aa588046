"""One atomic push to a host, read back when its end is not clear."""

from __future__ import annotations

from app.errors import BratError
from app.ports import Done, Outcome, RefMove, Refused, Step, Unknown
from app.workspace.git import Overflow, quoted_words
from app.workspace.refusals import STALE, refusal
from app.workspace.upstream import UpstreamGit

__all__ = ["HostPush"]

_FLAGS = ("--porcelain", "--atomic", "--no-verify", "--no-follow-tags", "--no-signed")


class HostPush:
    """Moves refs of the upstream by compare-and-swap, all or none."""

    def __init__(self, there: UpstreamGit, step: Step) -> None:
        self._there, self._step = there, step

    def push(self, moves: tuple[RefMove, ...]) -> Outcome:
        """`Done`, `Refused` in the host's words with nothing moved, or `Unknown`."""
        leases = (f"--force-with-lease={move.ref}:{move.old or ''}" for move in moves)
        specs = (f"{move.new}:{move.ref}" for move in moves)
        try:
            with self._step("host.push"):
                answer = self._there.run("push", *_FLAGS, *leases, "--", self._there.address, *specs)
        except Overflow as over:
            return self._read_back(moves, str(over))
        if answer.ok:
            return Done()
        refused = refusal(answer.text, answer.err)
        if refused is not None and STALE not in refused.reason:
            return refused
        # Of a connection that breaks git sends the push again by itself: then the host refuses what it has.
        found = self._read_back(moves, quoted_words(answer.err))
        return found if refused is None or isinstance(found, Done) else refused

    def _read_back(self, moves: tuple[RefMove, ...], reason: str) -> Outcome:
        """The other side may still be at work: what has not moved by now is unknown, not refused."""
        try:
            there = self.look(tuple(move.ref for move in moves))
        except (BratError, Overflow) as error:
            return Unknown(f"{reason}; and the refs cannot be read: {error}")
        if all(there.get(move.ref, "") == move.new for move in moves):
            return Done()
        others = [each.ref for each in moves if there.get(each.ref, "") not in (each.old or "", each.new)]
        if others:
            return Refused(f"{', '.join(others)} moved meanwhile: {reason}")
        return Unknown(reason)

    def look(self, refs: tuple[str, ...]) -> dict[str, str]:
        """Where these refs are on the host."""
        told = self._there.text("ls-remote", "--refs", "--", self._there.address, *refs)
        found = (line.partition("\t") for line in told.splitlines())
        return {ref: commit for commit, _, ref in found if ref in refs}
