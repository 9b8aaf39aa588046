"""The named remote of the person's repository, kept up with what has landed here."""

from __future__ import annotations

from pathlib import Path

from app.errors import BratError
from app.ports import Done, Outcome, Refused, Step, Unknown, unnumbered
from app.workspace.git import Answer, Git, Overflow, quoted_words
from app.workspace.mirror import Mirror
from app.workspace.pushing import read_refs, rejections

__all__ = ["Remote"]

_CONVOYS = "refs/heads/convoy/"
# Long enough for a first push of a large history, short enough that a dead network ends the wait.
_SECONDS = 300.0


class Remote:
    """Pushes with the person's configuration, credential helpers and ssh, without their hooks.

    It pushes to the remote's address and not to its name: a push by name would move `refs/remotes/…` of
    the person. What was pushed last is remembered in the mirror, under `refs/brat/remotes/<name>/`.
    """

    def __init__(self, mirror: Mirror, name: str, step: Step = unnumbered) -> None:
        self._mirror = mirror
        self._name = name
        self._step = step
        self._git = Git(_where_addresses_start(mirror.source), git_dir=mirror.source, timeout=_SECONDS)

    def push(self, refs: tuple[str, ...]) -> Outcome:
        """Make the remote's refs what they are here, all or none, each by compare-and-swap.

        A ref may move without a fast-forward only if it is a convoy's branch and still where we put it.
        """
        try:
            here = read_refs(self._git, refs)
            address = self._address()
            answer = self._git.run("ls-remote", "--refs", "--", address, *here)
        except (BratError, Overflow) as error:
            return Refused(str(error), f"git remote -v, then: git ls-remote {self._name}")
        if not answer.ok:
            return Refused(f"{self._name} cannot be read: {_words(answer)}", f"git ls-remote {self._name}")
        there = {
            ref: commit for commit, _, ref in (line.partition("\t") for line in answer.text.splitlines())
        }
        moves = {ref: new for ref, new in here.items() if there.get(ref) != new}
        if ahead := [ref for ref, new in moves.items() if not self._may_move(ref, there.get(ref), new)]:
            return Refused(
                f"{self._name} has commits on {', '.join(ahead)} that are not here",
                f"git fetch {self._name}, merge them, then run again",
            )
        if moves:
            outcome = self._push(address, moves, there)
            if not isinstance(outcome, Done):
                return outcome
        self._remember(here)
        return Done()

    def _address(self) -> str:
        return self._git.text("remote", "get-url", "--push", "--", self._name).splitlines()[0]

    def _may_move(self, ref: str, old: str | None, new: str) -> bool:
        if old is None or self._git.holds("merge-base", "--is-ancestor", old, new):
            return True
        return ref.startswith(_CONVOYS) and self._mirror.reads(self._tracking(ref)) == old

    def _push(self, address: str, moves: dict[str, str], there: dict[str, str]) -> Outcome:
        leases = (f"--force-with-lease={ref}:{there.get(ref, '')}" for ref in moves)
        specs = (f"{new}:{ref}" for ref, new in moves.items())
        flags = ("--porcelain", "--atomic", "--no-verify", "--no-follow-tags", "--recurse-submodules=no")
        try:
            with self._step("remote.push"):
                answer = self._git.run("push", *flags, *leases, "--", address, *specs)
        except Overflow as over:
            return Unknown(str(over))
        if answer.ok:
            return Done()
        refused = "; ".join(rejections(answer.text))
        said = "; ".join(_said_there(answer))
        told = f"{refused}: {said}" if refused and said else refused or _words(answer)
        return Refused(f"{self._name} refuses: {told}", _remedy(self._name, refused, answer))

    def _remember(self, refs: dict[str, str]) -> None:
        """Only convoys' branches may be forced, so only they are remembered; the log stays out."""
        ours = {ref: commit for ref, commit in refs.items() if ref.startswith(_CONVOYS)}
        self._mirror.fetch(ours.values())
        for ref, commit in ours.items():
            if self._mirror.reads(self._tracking(ref)) != commit:
                with self._step("remote.tracking"):
                    self._mirror.git.text("update-ref", self._tracking(ref), commit)

    def _tracking(self, ref: str) -> str:
        return f"refs/brat/remotes/{self._name}/{ref.removeprefix('refs/')}"


def _where_addresses_start(git_dir: Path) -> Path:
    """git reads a relative address like `../origin.git` from the top of the checkout, not from `.git`."""
    return git_dir.parent if git_dir.name == ".git" else git_dir


def _words(answer: Answer) -> str:
    return quoted_words(answer.err)


def _said_there(answer: Answer, *, most: int = 5) -> list[str]:
    """What the remote's own programs printed: a hook says there why it refuses."""
    lines = [
        line.removeprefix("remote:").strip() for line in answer.err.splitlines() if line.startswith("remote:")
    ]
    return [line for line in lines if line][:most]


def _remedy(name: str, refused: str, answer: Answer) -> str:
    if "stale info" in refused or "fetch first" in refused:
        return f"git fetch {name}, then run again"
    if "protected" in answer.err or "pre-receive" in refused or "hook declined" in refused:
        return f"allow this account to push there, or run without --remote {name}"
    return f"git push {name} by hand shows the same; mend it, then run again"
