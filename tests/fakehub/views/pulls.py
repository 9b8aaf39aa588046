"""Pull requests, reviews, review comments, changed files."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from tests.fakehub.clock import iso
from tests.fakehub.git import FileChange
from tests.fakehub.model import Pull, Review, ReviewComment
from tests.fakehub.views.basic import View, label_view, node_id, repository_view, rollup_view, user_view

if TYPE_CHECKING:
    from tests.fakehub.repository import Repository

__all__ = ["file_view", "pull_minimal_view", "pull_view", "review_comment_view", "review_view"]


def _side(repo: Repository, branch: str, sha: str) -> View:
    return {
        "label": f"{repo.owner.login}:{branch}",
        "ref": branch,
        "sha": sha,
        "user": user_view(repo.hub, repo.owner),
        "repo": repository_view(repo),
    }


def _links(repo: Repository, number: int, sha: str) -> dict[str, str]:
    url, issue = f"{repo.api}/pulls/{number}", f"{repo.api}/issues/{number}"
    return {
        "self": url,
        "html": f"{repo.html}/pull/{number}",
        "issue": issue,
        "comments": f"{issue}/comments",
        "review_comments": f"{url}/comments",
        "review_comment": f"{repo.api}/pulls/comments{{/number}}",
        "commits": f"{url}/commits",
        "statuses": f"{repo.api}/statuses/{sha}",
    }


def pull_view(repo: Repository, pull: Pull, *, full: bool = False, told: bool = False) -> View:
    """`full`: by itself, with what is computed for one pull request only; `told`: in a webhook."""
    issue, hub = pull.issue, repo.hub
    links = _links(repo, pull.number, pull.head_sha)
    head_repo = hub.repositories[pull.head_repo]
    made: View = {
        "id": pull.id,
        "node_id": node_id("PullRequest", pull.id),
        "url": links["self"],
        "html_url": links["html"],
        "diff_url": links["html"] + ".diff",
        "patch_url": links["html"] + ".patch",
        "issue_url": links["issue"],
        "number": pull.number,
        "state": issue.state,
        "locked": issue.locked,
        "title": issue.title,
        "user": user_view(hub, issue.author.account),
        "body": issue.body,
        "created_at": iso(issue.created),
        "updated_at": iso(issue.updated),
        "closed_at": iso(issue.closed) if issue.closed else None,
        "merged_at": iso(pull.merged) if pull.merged else None,
        "merge_commit_sha": pull.merge_commit,
        **dict.fromkeys(("assignee", "milestone", "auto_merge")),
        "assignees": [],
        "requested_reviewers": [user_view(hub, each) for each in pull.reviewers],
        "requested_teams": [],
        "labels": [label_view(repo, name) for name in issue.labels],
        "draft": pull.draft,
        **{f"{name}_url": links[name] for name in ("commits", "review_comments", "review_comment")},
        "comments_url": links["comments"],
        "statuses_url": links["statuses"],
        "head": _side(head_repo, pull.head, pull.head_sha),
        "base": _side(repo, pull.base, pull.base_sha),
        "_links": {name: {"href": each} for name, each in links.items()},
        "author_association": repo.association(issue.author.account),
    }
    return made | (_computed(repo, pull, told=told) if full or told else {})


def _computed(repo: Repository, pull: Pull, *, told: bool) -> View:
    files = repo.changed_files(pull)
    mergeable = None if told else repo.mergeable(pull)
    return {
        "merged": pull.merged is not None,
        "mergeable": mergeable,
        "rebaseable": mergeable,
        "mergeable_state": repo.mergeable_state(pull, mergeable),
        "merged_by": user_view(repo.hub, pull.merged_by) if pull.merged_by else None,
        "comments": sum(each.number == pull.number for each in repo.data.comments.values()),
        "review_comments": sum(len(each.comments) for each in pull.threads),
        "maintainer_can_modify": False,
        "commits": len(repo.commits_of(pull)),
        "additions": sum(each.additions for each in files),
        "deletions": sum(each.deletions for each in files),
        "changed_files": len(files),
    }


def pull_minimal_view(repo: Repository, pull: Pull) -> View:
    def short(where: Repository) -> View:
        return {"id": where.id, "url": where.api, "name": where.name}

    head_repo = repo.hub.repositories[pull.head_repo]
    return {
        "id": pull.id,
        "number": pull.number,
        "url": f"{repo.api}/pulls/{pull.number}",
        "head": {"ref": pull.head, "sha": pull.head_sha, "repo": short(head_repo)},
        "base": {"ref": pull.base, "sha": pull.base_sha, "repo": short(repo)},
    }


def review_view(repo: Repository, pull: Pull, review: Review) -> View:
    page = f"{repo.html}/pull/{pull.number}#pullrequestreview-{review.id}"
    url = f"{repo.api}/pulls/{pull.number}"
    made: View = {
        "id": review.id,
        "node_id": node_id("PullRequestReview", review.id),
        "user": user_view(repo.hub, review.author.account),
        "body": review.body,
        "state": review.state,
        "html_url": page,
        "pull_request_url": url,
        "author_association": repo.association(review.author.account),
        "_links": {"html": {"href": page}, "pull_request": {"href": url}},
        "commit_id": review.commit,
    }
    return made | ({"submitted_at": iso(review.submitted)} if review.submitted else {})


def review_comment_view(repo: Repository, pull: Pull, comment: ReviewComment) -> View:
    url = f"{repo.api}/pulls/comments/{comment.id}"
    page = f"{repo.html}/pull/{pull.number}#discussion_r{comment.id}"
    owner = f"{repo.api}/pulls/{pull.number}"
    made: View = {
        "url": url,
        "pull_request_review_id": comment.review,
        "id": comment.id,
        "node_id": node_id("PullRequestReviewComment", comment.id),
        "diff_hunk": f"@@ -1,{comment.line} +1,{comment.line} @@",
        "path": comment.path,
        "commit_id": comment.commit,
        "original_commit_id": comment.commit,
        "user": user_view(repo.hub, comment.author.account),
        "body": comment.body,
        "created_at": iso(comment.created),
        "updated_at": iso(comment.created),
        "html_url": page,
        "pull_request_url": owner,
        "author_association": repo.association(comment.author.account),
        "_links": {"self": {"href": url}, "html": {"href": page}, "pull_request": {"href": owner}},
        "reactions": rollup_view(url, ()),
        "position": comment.line,
        "original_position": comment.line,
        "line": comment.line,
        "original_line": comment.line,
        "side": "RIGHT",
        "subject_type": "line",
    }
    return made | ({"in_reply_to_id": comment.reply_to} if comment.reply_to else {})


def file_view(repo: Repository, change: FileChange, head: str) -> View:
    path = quote(change.path)
    return {
        "sha": change.sha,
        "filename": change.path,
        "status": change.status,
        "additions": change.additions,
        "deletions": change.deletions,
        "changes": change.additions + change.deletions,
        "blob_url": f"{repo.html}/blob/{head}/{path}",
        "raw_url": f"{repo.html}/raw/{head}/{path}",
        "contents_url": f"{repo.api}/contents/{path}?ref={head}",
    }
