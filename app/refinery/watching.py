"""What the Refinery has to see of a code host."""

from __future__ import annotations

from collections.abc import Mapping

from app.board import Board, Convoy, Task, TaskStatus, convoy_main, finished_work
from app.ports import CandidateKey, HubSeen, HubWanted, LandingKey, PullSeen, PullState
from app.refinery.leaving import closing_wanted
from app.refinery.places import (
    home_landing_key,
    landing_key,
    own_branch,
    pull_for,
    pushed_last,
    running,
    short_branch,
    watched,
)
from app.refinery.updating import home_key, update_key

__all__ = ["hub_wanted", "landings_wanted", "updates_wanted"]


def hub_wanted(board: Board, refs: Mapping[str, str]) -> HubWanted:
    """Pull requests of all that is not over; checks and rules of what is published or lands."""
    pulls: list[int] = []
    heads: list[str] = []
    rules: list[str] = []
    commits: list[str] = []
    for convoy in board.open_convoys:
        published = [task for task in convoy.tasks if _published(task)]
        begun = [task for task in convoy.tasks if not task.status.final or running(task)]
        pulls += [task.pull.number for task in begun if task.pull is not None]
        pulls += [convoy.pull.number] if convoy.pull is not None else []
        pulls += _landed_pull(convoy, refs)
        heads += [task.work.head for task in published if task.work is not None]
        heads += [*watched(convoy), *_own_head(convoy, refs)]
        pushing = any(_pushing(task) for task in convoy.tasks)
        if pushing or convoy.pull is not None or watched(convoy):
            rules += dict.fromkeys((short_branch(convoy.target), convoy.base))
            commits += [refs[f"refs/heads/{convoy.base}"]] if f"refs/heads/{convoy.base}" in refs else []
    return HubWanted(
        pulls=tuple(dict.fromkeys((*pulls, *closing_wanted(board)))),
        heads=tuple(dict.fromkeys(heads)),
        rules=tuple(dict.fromkeys(rules)),
        workflows=tuple(dict.fromkeys(commits)),
        owners=tuple(dict.fromkeys(commits)),
    )


def _published(task: Task) -> bool:
    return task.status is TaskStatus.NEEDS_REVIEW or running(task) is not None


def _pushing(task: Task) -> bool:
    """What it has on its branch may land, or what it has done may be pushed there, a refused push again."""
    if task.status is TaskStatus.RUNNING or _published(task):
        return True
    return not task.status.final and finished_work(task) is not None


def _landed_pull(convoy: Convoy, refs: Mapping[str, str]) -> list[int]:
    """Of the last push, until the branch is where it put it."""
    task = pushed_last(convoy)
    if task is None or task.merge is None or task.pull is None:
        return []
    return [] if refs.get(convoy.target) == task.merge.commit else [task.pull.number]


def _own_head(convoy: Convoy, refs: Mapping[str, str]) -> list[str]:
    return [refs[convoy.target]] if _comes_home(convoy) and convoy.target in refs else []


def _comes_home(convoy: Convoy) -> bool:
    """Whether all of it that lands is on its own branch, which lands next."""
    return own_branch(convoy) and bool(convoy.tasks) and all(task.status.final for task in convoy.tasks)


def landings_wanted(board: Board, hub: HubSeen) -> tuple[LandingKey, ...]:
    """Landings that the code host made and the log does not know yet."""
    merged = (landing_key(task, pull) for _, task, pull in _pulls(board, hub) if _merged(pull))
    home = (home_landing_key(convoy, pull) for convoy, pull in _homes(board, hub) if _merged(pull))
    return tuple(key for key in (*merged, *home) if key is not None)


def _merged(pull: PullSeen) -> bool:
    return pull.state is PullState.MERGED


def updates_wanted(board: Board, hub: HubSeen, refs: Mapping[str, str]) -> tuple[CandidateKey, ...]:
    """Merges of the base into branches that are behind or in conflict."""
    tasks = (update_key(convoy, task, refs) for convoy, task, pull in _pulls(board, hub) if _lacks(pull))
    homes = (home_key(convoy, pull, refs) for convoy, pull in _homes(board, hub) if _lacks(pull))
    return (*tasks, *homes)


def _lacks(pull: PullSeen) -> bool:
    return pull.state is PullState.OPEN and (bool(pull.behind) or pull.mergeable is False)


def _homes(board: Board, hub: HubSeen) -> list[tuple[Convoy, PullSeen]]:
    return [
        (convoy, pull)
        for convoy in board.open_convoys
        if _comes_home(convoy)
        if (pull := pull_for(hub, convoy_main(convoy.slug), convoy.pull_ended)) is not None
    ]


def _pulls(board: Board, hub: HubSeen) -> list[tuple[Convoy, Task, PullSeen]]:
    return [
        (convoy, task, pull)
        for convoy in board.open_convoys
        for task in convoy.tasks
        if _published(task) and task.work is not None
        if (pull := pull_for(hub, task.work.branch, task.pull_ended)) is not None
    ]
