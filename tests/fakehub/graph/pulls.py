"""Pull requests, reviews, conversations, the merge queue."""

from __future__ import annotations

from typing import Any

from tests.fakehub.graph.checks import commit, ref, rollup
from tests.fakehub.graph.issues import comments, labels, timeline
from tests.fakehub.graph.nodes import Node, actor, ident, page, resolves, when
from tests.fakehub.model import QueueEntry
from tests.fakehub.protecting import approvers
from tests.fakehub.views.basic import node_id

__all__ = ["queue_entry"]

_CHANGES = {"added": "ADDED", "removed": "DELETED", "modified": "MODIFIED", "changed": "CHANGED"}


def _mergeable(node: Node) -> bool | None:
    found: bool | None = node.once(("mergeable", node.of.id), lambda: node.repo.mergeable(node.of))
    return found


def _state(node: Node) -> str:
    return "MERGED" if node.of.merged else str(node.of.issue.state.upper())


def queue_entry(node: Node) -> Node | None:
    found = (each for each in node.repo.data.queue if each.number == node.of.number)
    entry: QueueEntry | None = next(found, None)
    return node.to("MergeQueueEntry", entry) if entry else None


def _queued(node: Node) -> bool:
    return any(each.queue for each in node.repo.rules_of(node.of.base))


def _head_repo(node: Node) -> Node:
    found = node.repo.hub.repositories[node.of.head_repo]
    return node.to("Repository", found, repo=found)


def _reviews(node: Node, *, newest: bool = False, opinions: bool = False, **args: Any) -> dict[str, Any]:
    states, author = args.pop("states", None), args.pop("author", None)
    args.pop("writersOnly", None)
    me = node.token.account
    found = [e for e in node.of.reviews if e.state != "PENDING" or e.author.account == me]
    found = [e for e in found if states is None or e.state in states]
    found = [e for e in found if author is None or e.author.account.login == author]
    if opinions:
        found = [e for e in found if e.state in ("APPROVED", "CHANGES_REQUESTED", "DISMISSED")]
    if newest or opinions:
        found = list({e.author.account.id: e for e in found}.values())
    bound = [node.to("PullRequestReview", (node.of, each)) for each in found]
    return page(bound, **args)


def _decision(node: Node) -> str | None:
    wanted = [e.approvals for e in node.repo.rules_of(node.of.base) if e.approvals is not None]
    approved, against = approvers(node.repo, node.of)
    if against:
        return "CHANGES_REQUESTED"
    if wanted and len(approved) < max(wanted):
        return "REVIEW_REQUIRED"
    return "APPROVED" if approved else None


def _threads(node: Node, **args: Any) -> dict[str, Any]:
    hidden = {each.id for each in node.of.reviews if each.state == "PENDING"}
    shown = [each for each in node.of.threads if each.comments[0].review not in hidden]
    return page([node.to("PullRequestReviewThread", (node.of, each)) for each in shown], **args)


resolves(
    "PullRequest",
    id=ident,
    databaseId=lambda n: n.of.id,
    fullDatabaseId=lambda n: str(n.of.id),
    number=lambda n: n.of.number,
    title=lambda n: n.of.issue.title,
    body=lambda n: n.of.issue.body or "",
    url=lambda n: f"{n.repo.html}/pull/{n.of.number}",
    permalink=lambda n: f"{n.repo.html}/pull/{n.of.number}",
    state=_state,
    closed=lambda n: n.of.issue.state == "closed",
    closedAt=lambda n: when(n.of.issue.closed),
    merged=lambda n: n.of.merged is not None,
    mergedAt=lambda n: when(n.of.merged),
    mergedBy=lambda n: actor(n, n.of.merged_by),
    mergeCommit=lambda n: commit(n, n.of.merge_commit),
    isDraft=lambda n: n.of.draft,
    isCrossRepository=lambda n: n.of.head_repo != n.repo.id,
    isInMergeQueue=lambda n: queue_entry(n) is not None,
    isMergeQueueEnabled=_queued,
    mergeQueueEntry=queue_entry,
    mergeQueue=lambda n: n.to("MergeQueue", n.of.base) if _queued(n) else None,
    mergeable=lambda n: {None: "UNKNOWN", True: "MERGEABLE", False: "CONFLICTING"}[_mergeable(n)],
    mergeStateStatus=lambda n: n.repo.mergeable_state(n.of, _mergeable(n)).upper(),
    author=lambda n: actor(n, n.of.issue.author.account),
    authorAssociation=lambda n: n.repo.association(n.of.issue.author.account),
    baseRef=lambda n: ref(n, n.of.base),
    baseRefName=lambda n: n.of.base,
    baseRefOid=lambda n: n.of.base_sha,
    baseRepository=lambda n: n.to("Repository", n.repo),
    headRef=lambda n: ref(_head_repo(n), n.of.head),
    headRefName=lambda n: n.of.head,
    headRefOid=lambda n: n.of.head_sha,
    headRepository=_head_repo,
    headRepositoryOwner=lambda n: actor(n, _head_repo(n).of.owner),
    repository=lambda n: n.to("Repository", n.repo),
    additions=lambda n: sum(each.additions for each in n.repo.changed_files(n.of)),
    deletions=lambda n: sum(each.deletions for each in n.repo.changed_files(n.of)),
    changedFiles=lambda n: len(n.repo.changed_files(n.of)),
    files=lambda n, **a: page(n.all("PullRequestChangedFile", n.repo.changed_files(n.of)), **a),
    commits=lambda n, **a: page(n.all("PullRequestCommit", n.repo.commits_of(n.of)), **a),
    comments=lambda n, **a: comments(n, n.of.number, **a),
    labels=lambda n, **a: labels(n, n.of.issue.labels, **a),
    reviews=_reviews,
    latestReviews=lambda n, **a: _reviews(n, newest=True, **a),
    latestOpinionatedReviews=lambda n, **a: _reviews(n, opinions=True, **a),
    reviewDecision=_decision,
    reviewRequests=lambda n, **a: page(n.all("ReviewRequest", n.of.reviewers), **a),
    reviewThreads=_threads,
    statusCheckRollup=lambda n: rollup(n, n.of.head_sha),
    timelineItems=lambda n, **a: timeline(n, n.of.number, **a),
    createdAt=lambda n: when(n.of.issue.created),
    updatedAt=lambda n: when(n.of.issue.updated),
    lastEditedAt=lambda n: when(n.of.issue.edited),
    locked=lambda n: n.of.issue.locked,
)
resolves(
    "PullRequestChangedFile",
    path=lambda n: n.of.path,
    additions=lambda n: n.of.additions,
    deletions=lambda n: n.of.deletions,
    changeType=lambda n: _CHANGES[n.of.status],
)
resolves(
    "PullRequestCommit",
    id=lambda n: node_id("PullRequestCommit", int(n.of[:12], 16)),
    commit=lambda n: commit(n, n.of),
)
resolves("ReviewRequest", id=ident, requestedReviewer=lambda n: actor(n, n.of))


def _of_review(node: Node, **args: Any) -> dict[str, Any]:
    pull, review = node.of
    said = [e for thread in pull.threads for e in thread.comments if e.review == review.id]
    return page([node.to("PullRequestReviewComment", (pull, each)) for each in said], **args)


resolves(
    "PullRequestReview",
    id=lambda n: node_id("PullRequestReview", n.of[1].id),
    databaseId=lambda n: n.of[1].id,
    fullDatabaseId=lambda n: str(n.of[1].id),
    author=lambda n: actor(n, n.of[1].author.account),
    authorAssociation=lambda n: n.repo.association(n.of[1].author.account),
    state=lambda n: n.of[1].state,
    body=lambda n: n.of[1].body,
    url=lambda n: f"{n.repo.html}/pull/{n.of[0].number}#pullrequestreview-{n.of[1].id}",
    submittedAt=lambda n: when(n.of[1].submitted),
    lastEditedAt=lambda n: when(n.of[1].edited),
    commit=lambda n: commit(n, n.of[1].commit),
    comments=_of_review,
)


def _reply_to(node: Node) -> Node | None:
    pull, said = node.of
    everything = (each for thread in pull.threads for each in thread.comments)
    found = next((each for each in everything if each.id == said.reply_to), None)
    return node.to("PullRequestReviewComment", (pull, found)) if found else None


resolves(
    "PullRequestReviewComment",
    id=lambda n: node_id("PullRequestReviewComment", n.of[1].id),
    databaseId=lambda n: n.of[1].id,
    fullDatabaseId=lambda n: str(n.of[1].id),
    author=lambda n: actor(n, n.of[1].author.account),
    body=lambda n: n.of[1].body,
    path=lambda n: n.of[1].path,
    line=lambda n: n.of[1].line,
    url=lambda n: f"{n.repo.html}/pull/{n.of[0].number}#discussion_r{n.of[1].id}",
    createdAt=lambda n: when(n.of[1].created),
    replyTo=_reply_to,
)


def _thread_comments(node: Node, **args: Any) -> dict[str, Any]:
    args.pop("skip", None)
    pull, thread = node.of
    return page([node.to("PullRequestReviewComment", (pull, each)) for each in thread.comments], **args)


resolves(
    "PullRequestReviewThread",
    id=lambda n: node_id("PullRequestReviewThread", n.of[1].id),
    isResolved=lambda n: n.of[1].resolved_by is not None,
    isOutdated=lambda n: n.of[1].comments[0].commit != n.of[0].head_sha,
    path=lambda n: n.of[1].comments[0].path,
    line=lambda n: n.of[1].comments[0].line,
    comments=_thread_comments,
    resolvedBy=lambda n: actor(n, n.of[1].resolved_by),
)


def _entries(node: Node, **args: Any) -> dict[str, Any]:
    pulls = node.repo.data.pulls
    found = [each for each in node.repo.data.queue if pulls[each.number].base == node.of]
    return page(node.all("MergeQueueEntry", found), **args)


resolves(
    "MergeQueue",
    id=lambda n: node_id("MergeQueue", n.repo.id),
    url=lambda n: f"{n.repo.html}/queue/{n.of}",
    entries=_entries,
)
resolves(
    "MergeQueueEntry",
    id=ident,
    state=lambda n: n.of.state,
    position=lambda n: [each.id for each in n.repo.data.queue].index(n.of.id) + 1,
    enqueuedAt=lambda n: when(n.of.enqueued),
    enqueuer=lambda n: actor(n, n.of.by.account),
    headCommit=lambda n: commit(n, n.of.head),
    baseCommit=lambda n: commit(n, n.of.base),
    pullRequest=lambda n: n.to("PullRequest", n.repo.data.pulls[n.of.number]),
)
