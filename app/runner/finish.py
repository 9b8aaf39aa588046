"""What a session leaves: leftovers committed, the branch bundled. All git runs inside the sandbox."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

from app.ports import SessionSpec, Step
from app.runner.folder import Folder, flush_folder
from app.runner.inside import Inside
from app.runner.watch import Ran
from app.values import dataclass

__all__ = ["Unfinished", "Work", "bundle", "commit"]

_ID = re.compile(rb"[0-9a-f]{40}")
_NO_COMMIT = "no commit is checked out"
# One script, as a start of the sandbox takes longer than all of these commands together.
_COMMIT = """
git add --all >&2 || exit 81
git diff --cached --quiet --no-ext-diff HEAD >&2 ||
    git commit --quiet --no-verify --allow-empty --message="$3" >&2 || exit 82
head=$(git rev-parse --verify 'HEAD^{commit}') || exit 83
git merge-base --is-ancestor "$1" "$head" ||
    head=$(git commit-tree "$head^{tree}" -p "$1" -m "$3") || exit 84
git update-ref "refs/heads/$2" "$head" >&2 || exit 85
git diff --no-ext-diff --no-renames --name-only -z "$1" "$head" || exit 86
printf %s "$head"
"""
_FAILED = {
    81: "cannot add the changes",
    82: "cannot commit",
    84: "cannot put the work on its base",
    85: "cannot set the branch",
    86: "cannot compare with the base",
}
MARKERS = r"^(<<<<<<<|>>>>>>>) "
# A command line is bounded: of more conflicts than this only the first ones are looked at.
MOST_CONFLICTS = 500


class Unfinished(Exception):
    """The agent left its repository in a state from which nothing can be taken; the text says why."""


@dataclass(frozen=True, slots=True)
class Work:
    """`head` is what the agent made of the base, `touched` the paths in which they differ."""

    head: str
    touched: tuple[str, ...] = ()
    marked: tuple[str, ...] = ()


def commit(spec: SessionSpec, inside: Inside, conflicted: tuple[str, ...]) -> Work:
    """Commit what is left uncommitted and put it on the branch. Raises `Unfinished`.

    An agent that rewrote history before the base has its tree put on the base as one commit.
    """
    ran = inside.script(_COMMIT, spec.base, spec.branch or "", _message(spec))
    *names, head = _must(ran, _FAILED.get(ran.exit_code, _NO_COMMIT)).stdout.split(b"\0")
    if not _ID.fullmatch(head):
        raise Unfinished(_NO_COMMIT)
    touched = tuple(name.decode("utf-8", "replace") for name in names)
    return Work(head.decode(), touched, _marked(inside, head.decode(), conflicted))


def bundle(spec: SessionSpec, folder: Folder, inside: Inside, *, step: Step) -> None:
    """Store base..branch as `result.bundle`, durably. Raises `Unfinished`."""
    handle, draft = tempfile.mkstemp(prefix=".bundle.", dir=folder.path)
    with os.fdopen(handle, "wb") as file:
        ref = f"refs/heads/{spec.branch}"
        _must(
            inside.git("bundle", "create", "--quiet", "-", ref, f"^{spec.base}", stdout=file), "cannot bundle"
        )
        with step("runner.bundle"):
            os.fsync(file.fileno())
            Path(draft).replace(folder.bundle)
            flush_folder(folder.path)


def _message(spec: SessionSpec) -> str:
    subject = " ".join(spec.subject.split()) or f"Work of session {spec.id}"
    trailers = "\n".join(f"{name}: {' '.join(value.split())}" for name, value in spec.trailers)
    return f"{subject}\n\n{trailers}\n" if trailers else f"{subject}\n"


def _marked(inside: Inside, head: str, conflicted: tuple[str, ...]) -> tuple[str, ...]:
    """Paths of the carried conflicts that still hold markers."""
    if not conflicted:
        return ()
    paths = (f":(top,literal){path}" for path in conflicted[:MOST_CONFLICTS])
    found = inside.git("grep", "-I", "-z", "--name-only", "-E", MARKERS, head, "--", *paths)
    return tuple(name.partition(":")[2] for name in _names(found))


def _must(ran: Ran, failed: str) -> Ran:
    if not ran.ok:
        said = ran.stderr.decode("utf-8", "replace").strip().splitlines()
        raise Unfinished(f"{failed}: {said[-1] if said else ran.end}")
    return ran


def _names(ran: Ran) -> tuple[str, ...]:
    return tuple(name for name in ran.stdout.decode("utf-8", "replace").split("\0") if name)
