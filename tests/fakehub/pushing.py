"""What a change of refs leads to: webhooks, pull requests that follow, CI. Only heads and tags are told."""

from __future__ import annotations

from collections.abc import Mapping

from tests.fakehub.accounts import Actor
from tests.fakehub.pulls import branches_moved
from tests.fakehub.repository import Repository
from tests.fakehub.views.checks import short_commit_view

__all__ = ["ZERO", "move", "people_of", "refs_changed"]

ZERO = "0" * 40
HEADS = "refs/heads/"


def people_of(repo: Repository, actor: Actor, *, committer: str = "") -> Mapping[str, str]:
    """Git's author and committer for a commit that the host makes."""
    login, number = actor.account.login, actor.account.id
    mail, date = f"{number}+{login}@users.noreply.127.0.0.1", f"{repo.hub.clock.now // 1000} +0000"
    made = {"GIT_AUTHOR_NAME": login, "GIT_AUTHOR_EMAIL": mail, "GIT_AUTHOR_DATE": date}
    made |= {"GIT_COMMITTER_NAME": login, "GIT_COMMITTER_EMAIL": mail, "GIT_COMMITTER_DATE": date}
    if committer:
        made |= {"GIT_COMMITTER_NAME": committer, "GIT_COMMITTER_EMAIL": "noreply@github.com"}
    return made


def move(repo: Repository, ref: str, new: str | None, *, by: Actor) -> None:
    """The host itself changes one ref, guarded by what it knows. Raises GitFailed."""
    repo.git.update(ref, new, old=repo.refs.get(ref, ZERO) if new else None)
    refs_changed(repo, by=by)


def refs_changed(repo: Repository, *, by: Actor) -> dict[str, tuple[str | None, str | None]]:
    """Reads the refs again and lets everything follow; what changed, old and new."""
    before, after = repo.refs, repo.git.refs()
    repo.refs = after
    names = sorted(before.keys() | after.keys())
    changed = {e: (before.get(e), after.get(e)) for e in names if before.get(e) != after.get(e)}
    for ref, (old, new) in changed.items():
        repo.hub.record("ref", repo, ref, by=by)
        if ref.startswith((HEADS, "refs/tags/")):
            repo.pushed = repo.hub.clock.now
            repo.hub.emit(repo, "push", _push(repo, ref, old=old, new=new), by=by)
    heads = {e.removeprefix(HEADS): pair for e, pair in changed.items() if e.startswith(HEADS)}
    branches_moved(repo, heads, by=by)
    for branch, (_, new) in heads.items():
        if new:
            repo.hub.repositories[repo.id].new_head(branch, new)
    return changed


def _push(repo: Repository, ref: str, *, old: str | None, new: str | None) -> dict[str, object]:
    known = repo.git.commits_between(old, new) if old and new else [new] if new else []
    commits = [short_commit_view(repo, each) for each in known[-20:]]
    return {
        "ref": ref,
        "before": old or ZERO,
        "after": new or ZERO,
        "created": old is None,
        "deleted": new is None,
        "forced": bool(old and new and not repo.git.holds(new, old)),
        "base_ref": None,
        "compare": f"{repo.html}/compare/{(old or ZERO)[:12]}...{(new or ZERO)[:12]}",
        "commits": commits,
        "head_commit": commits[-1] if commits else None,
    }
