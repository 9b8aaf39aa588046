"""Why a pull request does not land yet, for somebody who asks: the same judgement as a pass makes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from app.board import Board, Convoy, Look, Task, convoy_main
from app.ports import HubWanted, PullOpened, PullSeen, Verdict
from app.refinery.places import short_branch
from app.values import dataclass

__all__ = ["Asked", "Explained", "asked_refs", "asked_wanted", "judge_asked", "open_asked", "with_pull"]


@dataclass(frozen=True, slots=True)
class Asked:
    """A pull request that is asked about: a task's, or with no task the convoy's own."""

    convoy: Convoy
    task: Task | None
    pull: PullOpened


@dataclass(frozen=True, slots=True)
class Explained:
    """A pull request with what policy says of it; `then` is by the other settings, if there were any."""

    asked: Asked
    pull: PullSeen
    verdict: Verdict
    then: Verdict | None = None


def open_asked(board: Board) -> tuple[Asked, ...]:
    """Every pull request of the open convoys that may still land."""
    return tuple(
        each
        for convoy in board.open_convoys
        for each in _of(convoy)
        if each.task is None or not (each.task.status.final or each.task.pull_ended)
    )


def with_pull(board: Board, number: int) -> Asked | None:
    """The convoy's or task's pull request of this number, also one that is over."""
    found = (each for convoy in board.convoys for each in _of(convoy) if each.pull.number == number)
    return next(found, None)


def asked_refs(asked: tuple[Asked, ...]) -> tuple[str, ...]:
    """Branches whose heads the question is about."""
    bases = (f"refs/heads/{each.convoy.base}" for each in asked)
    own = (f"refs/heads/{convoy_main(each.convoy.slug)}" for each in asked if each.task is None)
    return tuple(dict.fromkeys((*bases, *own)))


def asked_wanted(asked: tuple[Asked, ...], look: Look) -> HubWanted:
    """What has to be seen of the code host to judge them, and nothing that people said since."""
    refs = look.seen.refs
    bases = (refs.get(f"refs/heads/{each.convoy.base}") for each in asked)
    requests = (each.convoy.request.number for each in asked if each.convoy.request)
    branches = (name for each in asked for name in (short_branch(each.convoy.target), each.convoy.base))
    return HubWanted(
        label=look.config.mayor.label,
        since_ts=look.now,
        issues=tuple(dict.fromkeys(requests)),
        pulls=tuple(each.pull.number for each in asked),
        heads=tuple(dict.fromkeys(filter(None, (_head(each, refs) for each in asked)))),
        rules=tuple(dict.fromkeys(branches)),
        workflows=tuple(dict.fromkeys(filter(None, bases))),
    )


def judge_asked(asked: Asked, look: Look) -> Verdict | None:
    """The result tree; None when the code host did not show the pull request."""
    # What only a code host needs stays out of every command on a plain repository.
    from app.refinery.judging import judged

    hub = look.seen.hub
    pull = hub.pulls.get(asked.pull.number) if hub is not None else None
    return None if pull is None else judged(asked.convoy, asked.task, pull, look=look)


def _of(convoy: Convoy) -> Iterator[Asked]:
    for task in convoy.tasks:
        if task.pull is not None:
            yield Asked(convoy, task, task.pull)
    if convoy.pull is not None:
        yield Asked(convoy, None, convoy.pull)


def _head(asked: Asked, refs: Mapping[str, str]) -> str | None:
    if asked.task is None:
        return refs.get(f"refs/heads/{convoy_main(asked.convoy.slug)}")
    return asked.task.work.head if asked.task.work else None
