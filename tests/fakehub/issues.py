"""Changes to issues, labels, comments and reactions, with their events and webhooks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tests.fakehub.accounts import Account, Actor
from tests.fakehub.model import Comment, Event, Issue, Reaction
from tests.fakehub.repository import Repository
from tests.fakehub.views.basic import label_view, node_id
from tests.fakehub.views.issues import comment_view, issue_view
from tests.fakehub.views.pulls import pull_view

__all__ = [
    "add_comment",
    "add_labels",
    "delete_comment",
    "edit_comment",
    "edit_issue",
    "make_label",
    "note",
    "open_issue",
    "react",
    "remove_labels",
    "set_state",
    "tell_issue",
]


def open_issue(repo: Repository, by: Actor, *, title: str, body: str | None) -> Issue:
    hub = repo.hub
    made = Issue(hub.next_id(), repo.next_number(), by, title, body, hub.clock.now, hub.clock.now)
    repo.data.issues[made.number] = made
    hub.record("issue", repo, made.number, by=by)
    tell_issue(repo, made, "opened", by=by)
    return made


def note(repo: Repository, number: int, kind: str, *, by: Actor, **detail: Any) -> Event:
    """An entry in the history; `commit` among the details is the commit that did it."""
    commit = detail.pop("commit", None)
    made = Event(repo.hub.next_id(), number, kind, by, repo.hub.clock.now, detail, commit)
    repo.data.events.append(made)
    repo.data.issues[number].updated = repo.hub.clock.now
    return made


def tell_issue(repo: Repository, issue: Issue, action: str, *, by: Actor, **more: Any) -> None:
    """The `issues` webhook, or `pull_request` where it is one."""
    pull = repo.data.pulls.get(issue.number)
    if pull is None:
        shown = {"issue": issue_view(repo, issue)}
        repo.hub.emit(repo, "issues", {"action": action, **shown, **more}, by=by)
    else:
        seen = {"number": issue.number, "pull_request": pull_view(repo, pull, told=True)}
        repo.hub.emit(repo, "pull_request", {"action": action, **seen, **more}, by=by)


def edit_issue(
    repo: Repository, issue: Issue, *, by: Actor, title: str | None = None, body: str | None = None
) -> None:
    """Title and body; None leaves as it is."""
    before: dict[str, Any] = {}
    if title is not None and title != issue.title:
        before["title"] = {"from": issue.title}
        note(repo, issue.number, "renamed", by=by, rename={"from": issue.title, "to": title})
        issue.title = title
    if body is not None and body != issue.body:
        before["body"] = {"from": issue.body}
        issue.body, issue.edited = body, repo.hub.clock.now
    if before:
        issue.updated = repo.hub.clock.now
        repo.hub.record("edit", repo, issue.number, by=by)
        tell_issue(repo, issue, "edited", by=by, changes=before)


def set_state(
    repo: Repository, issue: Issue, state: str, *, by: Actor, reason: str | None = None, **how: Any
) -> None:
    """Opens or closes; already so is no event."""
    if issue.state == state:
        return
    issue.state = state
    pull = issue.number in repo.data.pulls
    if state == "closed":
        issue.closed, issue.closed_by = repo.hub.clock.now, by.account
        issue.state_reason = None if pull else reason or "completed"
    else:
        issue.closed = issue.closed_by = None
        issue.state_reason = None if pull else "reopened"
    kind = "closed" if state == "closed" else "reopened"
    detail = {} if pull else {"state_reason": issue.state_reason if state == "closed" else None}
    note(repo, issue.number, kind, by=by, **detail, **how)
    repo.hub.record(kind, repo, issue.number, by=by)
    tell_issue(repo, issue, kind, by=by)


def make_label(repo: Repository, name: str, *, color: str = "ededed", description: str | None = None) -> str:
    """The label's name as it is written in the repository."""
    if name.casefold() not in repo.data.labels:
        number = repo.hub.next_id()
        repo.data.labels[name.casefold()] = {
            "id": number, "node_id": node_id("Label", number), "name": name,
            "color": color, "default": False, "description": description or "",
        }  # fmt: skip
    return str(repo.data.labels[name.casefold()]["name"])


def add_labels(repo: Repository, issue: Issue, names: Iterable[str], *, by: Actor) -> None:
    """Labels that are new to the repository are made, as GitHub does."""
    for name in names:
        known = make_label(repo, name)
        if known not in issue.labels:
            issue.labels.append(known)
            _labelled(repo, issue, "labeled", name=known, by=by)


def remove_labels(repo: Repository, issue: Issue, names: Iterable[str], *, by: Actor) -> None:
    for name in names:
        known = str(repo.data.labels[name.casefold()]["name"])
        issue.labels.remove(known)
        _labelled(repo, issue, "unlabeled", name=known, by=by)


def _labelled(repo: Repository, issue: Issue, kind: str, *, name: str, by: Actor) -> None:
    shown = label_view(repo, name)
    note(repo, issue.number, kind, by=by, label={"name": name, "color": shown["color"]})
    repo.hub.record(kind, repo, f"{issue.number} {name}", by=by)
    tell_issue(repo, issue, kind, by=by, label=shown)


def add_comment(repo: Repository, issue: Issue, body: str, *, by: Actor) -> Comment:
    hub = repo.hub
    made = Comment(hub.next_id(), issue.number, by, body, hub.clock.now, hub.clock.now)
    repo.data.comments[made.id] = made
    issue.updated = hub.clock.now
    hub.record("comment", repo, issue.number, by=by)
    _tell_comment(repo, made, "created", by=by)
    return made


def edit_comment(repo: Repository, comment: Comment, body: str, *, by: Actor) -> None:
    before, comment.body = comment.body, body
    comment.updated = comment.edited = repo.hub.clock.now
    repo.hub.record("comment-edit", repo, comment.id, by=by)
    _tell_comment(repo, comment, "edited", by=by, changes={"body": {"from": before}})


def delete_comment(repo: Repository, comment: Comment, *, by: Actor) -> None:
    _tell_comment(repo, comment, "deleted", by=by)
    del repo.data.comments[comment.id]
    repo.hub.record("comment-delete", repo, comment.id, by=by)


def _tell_comment(repo: Repository, comment: Comment, action: str, *, by: Actor, **more: Any) -> None:
    shown = {
        "issue": issue_view(repo, repo.data.issues[comment.number]),
        "comment": comment_view(repo, comment),
    }
    repo.hub.emit(repo, "issue_comment", {"action": action, **shown, **more}, by=by)


def react(repo: Repository, reactions: list[Reaction], content: str, *, by: Actor) -> tuple[Reaction, bool]:
    """One of each kind per account: the reaction, and whether it is new."""
    account: Account = by.account
    known = next((e for e in reactions if e.user == account and e.content == content), None)
    if known:
        return known, False
    made = Reaction(repo.hub.next_id(), account, content, repo.hub.clock.now)
    reactions.append(made)
    repo.hub.record("reaction", repo, content, by=by)
    return made, True
