"""Opening, moving, closing and reviewing pull requests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.fakehub.accounts import Account, Actor
from tests.fakehub.issues import note, set_state, tell_issue
from tests.fakehub.model import Issue, Pull, Review, ReviewComment, Thread
from tests.fakehub.repository import Repository
from tests.fakehub.views.pulls import pull_view, review_view

__all__ = ["NewPull", "Said", "branches_moved", "landed", "open_pull", "ready", "request_reviewers", "review"]


@dataclass(frozen=True, slots=True)
class NewPull:
    title: str
    head: str
    base: str
    body: str | None = None
    draft: bool = False
    head_repo: int | None = None


def open_pull(repo: Repository, new: NewPull, *, by: Actor) -> Pull:
    """Head and base exist and differ: the caller has looked."""
    hub = repo.hub
    source = hub.repositories[new.head_repo or repo.id]
    head, base = source.branch(new.head), repo.branch(new.base)
    assert head
    assert base
    number, now = repo.next_number(), hub.clock.now
    issue = Issue(hub.next_id(), number, by, new.title, new.body, now, now)
    made = Pull(hub.next_id(), issue, new.base, new.head, source.id, head, base, new.draft)
    repo.data.issues[number], repo.data.pulls[number] = issue, made
    if source.id != repo.id:
        repo.git.run("fetch", "-q", str(source.git.path), head)
    _keep_ref(repo, made)
    hub.record("pull", repo, f"{number} {new.head}", by=by)
    tell_issue(repo, issue, "opened", by=by)
    return made


def branches_moved(repo: Repository, moved: dict[str, tuple[str | None, str | None]], *, by: Actor) -> None:
    """After heads changed: heads follow, bases are noted, gone branches close, contained heads are merged."""
    for where in [repo, *(e for e in repo.hub.repositories.values() if e.parent is repo or repo.parent is e)]:
        for pull in where.open_pulls():
            if pull.head_repo == repo.id and pull.head in moved:
                _head_moved(where, pull, moved[pull.head], by=by)
            if where is repo and pull.base in moved and pull.issue.state == "open":
                _base_moved(repo, pull, moved[pull.base], by=by)


def _head_moved(repo: Repository, pull: Pull, change: tuple[str | None, str | None], *, by: Actor) -> None:
    old, new = change
    if new is None:
        set_state(repo, pull.issue, "closed", by=by)
        note(repo, pull.number, "head_ref_deleted", by=by)
        return
    pull.head_sha = new
    pull.issue.updated = repo.hub.clock.now
    source = repo.hub.repositories[pull.head_repo]
    if source.id != repo.id:
        repo.git.run("fetch", "-q", str(source.git.path), new)
    if old and not repo.git.holds(new, old):
        note(repo, pull.number, "head_ref_force_pushed", by=by, commit=new)
    _keep_ref(repo, pull)
    tell_issue(repo, pull.issue, "synchronize", by=by, before=old, after=new)


def _base_moved(repo: Repository, pull: Pull, change: tuple[str | None, str | None], *, by: Actor) -> None:
    new = change[1]
    if new is None:
        set_state(repo, pull.issue, "closed", by=by)
        return
    if repo.git.holds(new, pull.head_sha) and repo.commits_of(pull):
        landed(repo, pull, new, by=by)
        return
    pull.base_sha = new


def landed(repo: Repository, pull: Pull, commit: str, *, by: Actor) -> None:
    """The base contains the head: merged, whoever did it and however."""
    pull.merged, pull.merged_by, pull.merge_commit = repo.hub.clock.now, by.account, commit
    note(repo, pull.number, "merged", by=by, commit=commit)
    repo.hub.record("merge", repo, pull.number, by=by)
    set_state(repo, pull.issue, "closed", by=by, commit=commit)


def ready(repo: Repository, pull: Pull, *, by: Actor, draft: bool = False) -> None:
    """Into or out of draft."""
    if pull.draft is not draft:
        pull.draft = draft
        note(repo, pull.number, "converted_to_draft" if draft else "ready_for_review", by=by)
        repo.hub.record("draft" if draft else "ready", repo, pull.number, by=by)
        tell_issue(repo, pull.issue, "converted_to_draft" if draft else "ready_for_review", by=by)


def request_reviewers(repo: Repository, pull: Pull, people: Sequence[Account], *, by: Actor) -> None:
    for each in people:
        if each not in pull.reviewers:
            pull.reviewers.append(each)
            tell_issue(repo, pull.issue, "review_requested", by=by)
    repo.hub.record("reviewers", repo, pull.number, by=by)


@dataclass(frozen=True, slots=True)
class Said:
    """A review's words; `lines` are (path, line, text). PENDING is written but not published."""

    state: str
    body: str = ""
    lines: tuple[tuple[str, int, str], ...] = ()


def review(repo: Repository, pull: Pull, said: Said, *, by: Actor) -> Review:
    hub = repo.hub
    submitted = None if said.state == "PENDING" else hub.clock.now
    made = Review(hub.next_id(), by, said.state, said.body, pull.head_sha, submitted)
    pull.reviews.append(made)
    for path, line, text in said.lines:
        first = ReviewComment(hub.next_id(), made.id, by, text, path, line, pull.head_sha, hub.clock.now)
        pull.threads.append(Thread(hub.next_id(), [first]))
    if by.account in pull.reviewers and submitted:
        pull.reviewers.remove(by.account)
    if submitted:
        hub.record("review", repo, pull.number, by=by)
        shown: dict[str, Any] = {"action": "submitted", "review": review_view(repo, pull, made)}
        shown["review"]["state"] = said.state.lower()
        hub.emit(repo, "pull_request_review", {**shown, "pull_request": pull_view(repo, pull)}, by=by)
    return made


def _keep_ref(repo: Repository, pull: Pull) -> None:
    ref = f"refs/pull/{pull.number}/head"
    repo.git.update(ref, pull.head_sha)
    repo.refs[ref] = pull.head_sha
