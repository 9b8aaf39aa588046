"""Issues, comments and the events of an issue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.fakehub.clock import iso
from tests.fakehub.model import Comment, Event, Issue, Pull
from tests.fakehub.views.basic import (
    View,
    app_view,
    label_view,
    node_id,
    rollup_view,
    user_view,
    via_app,
)

if TYPE_CHECKING:
    from tests.fakehub.repository import Repository

__all__ = ["comment_view", "event_view", "issue_view"]


def issue_view(repo: Repository, issue: Issue) -> View:
    hub, url, number = repo.hub, f"{repo.api}/issues/{issue.number}", issue.number
    pull = repo.data.pulls.get(number)
    said = [each for each in repo.data.comments.values() if each.number == number]
    made: View = {
        "url": url,
        "repository_url": repo.api,
        "labels_url": f"{url}/labels{{/name}}",
        "comments_url": f"{url}/comments",
        "events_url": f"{url}/events",
        "html_url": f"{repo.html}/{'pull' if pull else 'issues'}/{number}",
        "id": issue.id,
        "node_id": node_id("Issue", issue.id),
        "number": number,
        "title": issue.title,
        "user": user_view(hub, issue.author.account),
        "labels": [label_view(repo, name) for name in issue.labels],
        "state": issue.state,
        "locked": issue.locked,
        "assignee": None,
        "assignees": [],
        "milestone": None,
        "comments": len(said),
        "created_at": iso(issue.created),
        "updated_at": iso(issue.updated),
        "closed_at": iso(issue.closed) if issue.closed else None,
        "closed_by": user_view(hub, issue.closed_by) if issue.closed_by else None,
        "author_association": repo.association(issue.author.account),
        "active_lock_reason": None,
        "body": issue.body,
        "reactions": rollup_view(url, issue.reactions),
        "timeline_url": f"{url}/timeline",
        "performed_via_github_app": via_app(hub, issue.author),
        "state_reason": issue.state_reason,
    }
    return made | (_pull_side(repo, pull) if pull else {})


def _pull_side(repo: Repository, pull: Pull) -> View:
    page = f"{repo.html}/pull/{pull.number}"
    links = {
        "url": f"{repo.api}/pulls/{pull.number}",
        "html_url": page,
        "diff_url": f"{page}.diff",
        "patch_url": f"{page}.patch",
        "merged_at": iso(pull.merged) if pull.merged else None,
    }
    return {"draft": pull.draft, "pull_request": links}


def comment_view(repo: Repository, comment: Comment) -> View:
    url = f"{repo.api}/issues/comments/{comment.id}"
    kind = "pull" if comment.number in repo.data.pulls else "issues"
    return {
        "url": url,
        "html_url": f"{repo.html}/{kind}/{comment.number}#issuecomment-{comment.id}",
        "issue_url": f"{repo.api}/issues/{comment.number}",
        "id": comment.id,
        "node_id": node_id("IssueComment", comment.id),
        "user": user_view(repo.hub, comment.author.account),
        "created_at": iso(comment.created),
        "updated_at": iso(comment.updated),
        "author_association": repo.association(comment.author.account),
        "body": comment.body,
        "reactions": rollup_view(url, comment.reactions),
        "performed_via_github_app": via_app(repo.hub, comment.author),
    }


def event_view(repo: Repository, event: Event, *, inside: bool = False) -> View:
    """`inside`: in the whole repository's list, where the issue is shown with it.

    GitHub describes no reason of a closing in an issue's own list.
    """
    made: View = {
        "id": event.id,
        "node_id": node_id("Event", event.id),
        "url": f"{repo.api}/issues/events/{event.id}",
        "actor": user_view(repo.hub, event.actor.account),
        "event": event.kind,
        "commit_id": event.commit,
        "commit_url": f"{repo.api}/commits/{event.commit}" if event.commit else None,
        "created_at": iso(event.created),
        "performed_via_github_app": app_view(repo.hub, event.actor.app) if event.actor.app else None,
        **{name: each for name, each in event.detail.items() if inside or name != "state_reason"},
    }
    if inside:
        made["issue"] = issue_view(repo, repo.data.issues[event.number])
    return made
