"""What a session leaves: leftovers committed, the branch bundled. All git runs inside the sandbox."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from app.ports import SessionSpec, Step
from app.runner.folder import Folder, flush_folder
from app.runner.inside import Inside
from app.runner.watch import Ran

__all__ = ["Unfinished", "Work", "bundle", "commit"]

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
    _must(inside.git("add", "--all"), "cannot add the changes")
    if not inside.git("diff", "--cached", "--quiet", "--no-ext-diff", "HEAD").ok:
        message = _message(spec)
        _must(
            inside.git("commit", "--quiet", "--no-verify", "--allow-empty", f"--message={message}"),
            "cannot commit",
        )
    head = _text(_must(inside.git("rev-parse", "--verify", "HEAD^{commit}"), "no commit is checked out"))
    if not inside.git("merge-base", "--is-ancestor", spec.base, head).ok:
        made = inside.git("commit-tree", f"{head}^{{tree}}", "-p", spec.base, "-m", _message(spec))
        head = _text(_must(made, "cannot put the work on its base"))
    _must(inside.git("update-ref", f"refs/heads/{spec.branch}", head), "cannot set the branch")
    changed = inside.git("diff", "--no-ext-diff", "--no-renames", "--name-only", "-z", spec.base, head)
    touched = _names(_must(changed, "cannot compare with the base"))
    return Work(head, touched, _marked(inside, head, conflicted))


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


def _text(ran: Ran) -> str:
    return ran.stdout.decode("utf-8", "replace").strip()


def _names(ran: Ran) -> tuple[str, ...]:
    return tuple(name for name in ran.stdout.decode("utf-8", "replace").split("\0") if name)
