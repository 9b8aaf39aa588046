"""Where a convoy's work goes on a code host, and which pull request counts."""

from __future__ import annotations

from app.board import Convoy, Look, Merge, Task, TaskStatus
from app.ports import HubSeen, LandingKey, PullEnded, PullSeen

__all__ = [
    "CALM",
    "REFINERY",
    "UPDATE",
    "WATCH",
    "check_key",
    "home_landing_key",
    "intro_key",
    "landing_key",
    "lands_on",
    "own_branch",
    "pull_for",
    "pushed_last",
    "running",
    "short_branch",
    "unsaid",
    "watched",
]

WATCH = "watch"
"""Feedback of a convoy: a landed commit whose own checks are awaited, because the base had moved."""
CALM = "calm"
"""Feedback of a convoy: the watched commit's checks turned out well, or red and said."""
UPDATE = "update"
"""Feedback of a convoy: the base was merged into its own branch, as this commit."""
REFINERY = "refinery"
"""By whom a convoy is paused that landed something other than what was tested, or what is red on its base."""


def short_branch(ref: str) -> str:
    """`refs/heads/main` → `main`."""
    return ref.removeprefix("refs/heads/")


def own_branch(convoy: Convoy) -> bool:
    """Whether tasks land on a branch of the convoy's own first."""
    return convoy.target != f"refs/heads/{convoy.base}"


def running(task: Task) -> Merge | None:
    """The landing that is under way by the log."""
    return task.merge if task.merge is not None and task.merge.result == "running" else None


def pull_for(hub: HubSeen, branch: str, ended: PullEnded | None) -> PullSeen | None:
    """Our pull request of this branch that counts: the newest, unless a person closed it."""
    pull = hub.pull_of(branch)
    if pull is None or (ended is not None and pull.number <= ended.number):
        return None
    return pull


def check_key(pull: PullSeen) -> str:
    """The effect of our check run on the head."""
    return f"check:{pull.head}"


def intro_key(pull: PullSeen) -> str:
    """The effect of the pull request's label and reviewers."""
    return f"pull:{pull.number}"


def unsaid(pull: PullSeen, look: Look) -> bool:
    """Whether what is put on a pull request before it lands is meant to be there and not known to be."""
    return any(key in look.board.ledger.begun for key in (check_key(pull), intro_key(pull)))


def pushed_last(convoy: Convoy) -> Task | None:
    """The task that landed last, where it landed as the very commit that was tested: by a push."""
    landed = [each for each in convoy.tasks if each.status is TaskStatus.MERGED and each.merge]
    last = max(landed, key=lambda each: each.merge.started_ts if each.merge else 0, default=None)
    merge = last.merge if last else None
    return last if merge is not None and merge.commit and merge.commit == merge.head else None


def landing_key(task: Task, pull: PullSeen) -> LandingKey | None:
    """What has to be looked at to know that the tested code landed."""
    if task.work is None or pull.merge_commit is None:
        return None
    return LandingKey(pull.merge_commit, task.work.head, task.work.base)


def home_landing_key(convoy: Convoy, pull: PullSeen) -> LandingKey | None:
    """The same of a convoy's own pull request."""
    if pull.merge_commit is None:
        return None
    return LandingKey(pull.merge_commit, pull.head, convoy.base_commit)


def lands_on(convoy: Convoy) -> str:
    """The ref that its last landing moved."""
    return f"refs/heads/{convoy.base}" if convoy.taken_over is not None else convoy.target


def watched(convoy: Convoy) -> tuple[str, ...]:
    """Landed commits whose own checks are awaited."""
    calm = {key for what, key in convoy.feedback if what == CALM}
    return tuple(key for what, key in sorted(convoy.feedback) if what == WATCH and key not in calm)
