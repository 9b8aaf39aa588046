"""GitHub's merge queue: an entry waits, its group is tested as one commit, lands, or leaves in silence."""

from __future__ import annotations

from tests.fakehub.accounts import Actor
from tests.fakehub.issues import note
from tests.fakehub.merging import land
from tests.fakehub.model import Pull, QueueEntry
from tests.fakehub.protecting import check_passes, refusals
from tests.fakehub.pushing import move, people_of
from tests.fakehub.repository import Repository

__all__ = ["eject", "enqueue", "work"]

_BRANCH = "gh-readonly-queue/{base}/pr-{number}-{sha}"


def enqueue(repo: Repository, pull: Pull, *, by: Actor) -> QueueEntry:
    """Once; a second call gives the same entry."""
    known = next((each for each in repo.data.queue if each.number == pull.number), None)
    if known:
        return known
    made = QueueEntry(repo.hub.next_id(), pull.number, by, repo.hub.clock.now)
    repo.data.queue.append(made)
    note(repo, pull.number, "added_to_merge_queue", by=by)
    repo.hub.record("enqueue", repo, pull.number, by=by)
    return made


def eject(repo: Repository, entry: QueueEntry, *, by: Actor, reason: str = "failed_checks") -> None:
    """Only the pull request's history says it."""
    repo.data.queue.remove(entry)
    note(repo, entry.number, "removed_from_merge_queue", by=by)
    if entry.head:
        pull = repo.data.pulls[entry.number]
        shown = {"action": "destroyed", "reason": "invalidated", "merge_group": _group(repo, entry, pull)}
        repo.hub.emit(repo, "merge_group", shown, by=by)
        move(repo, f"refs/heads/{_branch(entry, pull)}", None, by=by)
    repo.hub.record("dequeue", repo, f"{entry.number} {reason}", by=by)


def work(repo: Repository) -> None:
    """Looks at the first entry: one group at a time."""
    by = Actor(repo.hub.web_flow)
    for entry in repo.data.queue[:1]:
        pull = repo.data.pulls[entry.number]
        if entry.head is None or entry.base != repo.branch(pull.base):
            _start(repo, entry, pull, by=by)
        else:
            _judge(repo, entry, pull, by=by)


def _start(repo: Repository, entry: QueueEntry, pull: Pull, *, by: Actor) -> None:
    tree = repo.git.merge_tree(pull.base_sha, pull.head_sha)
    if tree is None or refusals(repo, pull, queued=True):
        eject(repo, entry, by=by, reason="not_mergeable")
        return
    people = people_of(repo, by, committer="GitHub")
    text = f"Merge pull request #{pull.number} from {repo.owner.login}/{pull.head}\n\n{pull.issue.title}\n"
    entry.base = pull.base_sha
    entry.head = repo.git.write_commit(tree, (pull.base_sha, pull.head_sha), text, people=people)
    entry.state = "AWAITING_CHECKS"
    move(repo, f"refs/heads/{_branch(entry, pull)}", entry.head, by=by)
    shown = {"action": "checks_requested", "merge_group": _group(repo, entry, pull)}
    repo.hub.emit(repo, "merge_group", shown, by=by)


def _judge(repo: Repository, entry: QueueEntry, pull: Pull, *, by: Actor) -> None:
    assert entry.head
    wanted = [each for rule in repo.rules_of(pull.base) for each in rule.checks]
    found = [check_passes(repo, entry.head, context=context, app=app) for context, app in wanted]
    if False in found:
        eject(repo, entry, by=by)
    elif None not in found:
        repo.data.queue.remove(entry)
        land(repo, pull, entry.head, by=by)
        move(repo, f"refs/heads/{_branch(entry, pull)}", None, by=by)


def _branch(entry: QueueEntry, pull: Pull) -> str:
    return _BRANCH.format(base=pull.base, number=pull.number, sha=entry.base)


def _group(repo: Repository, entry: QueueEntry, pull: Pull) -> dict[str, object]:
    return {
        "head_sha": entry.head,
        "head_ref": f"refs/heads/{_branch(entry, pull)}",
        "base_sha": entry.base,
        "base_ref": f"refs/heads/{pull.base}",
    }
