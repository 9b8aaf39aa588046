"""Where a document begins: repositories, nodes by id, and the four mutations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphql import GraphQLError

from tests.fakehub import pulls, queueing
from tests.fakehub.accounts import Actor
from tests.fakehub.graph.checks import commit, ref
from tests.fakehub.graph.nodes import Node, actor, page, resolves, unpack
from tests.fakehub.model import Issue, Pull
from tests.fakehub.repository import Repository
from tests.fakehub.views.basic import node_id

__all__ = ["forbidden", "repository"]


def _missing(said: str) -> GraphQLError:
    return GraphQLError(said, extensions={"type": "NOT_FOUND"})


def forbidden() -> GraphQLError:
    return GraphQLError("Resource not accessible by integration", extensions={"type": "FORBIDDEN"})


def _may(node: Node, permission: str, level: str = "read") -> None:
    """An installation's permissions; a person's follow the account. Raises GraphQLError."""
    token = node.token
    held = dict(token.permissions).get(permission)
    fine = held == "write" or (held == "read" and level == "read")
    if token.installation is None:
        fine = node.repo.allows(token.account, level)
    if not fine:
        raise forbidden()


def _visible(node: Node, repo: Repository) -> bool:
    made, chosen = node.token.installation, node.token.repositories
    if made is None:
        return repo.allows(node.token.account, "read")
    return repo.id in (made.repositories if chosen is None else chosen)


def repository(node: Node, owner: str, name: str, **_: Any) -> Node:
    found = node.repo.hub.find(f"{owner}/{name}")
    if found is None or not _visible(node, found):
        raise _missing(f"Could not resolve to a Repository with the name '{owner}/{name}'.")
    back = node.seen.get("back", 0)
    past = node.repo.hub.pasts.get(found.id)
    seen = found.as_of(past[-min(back, len(past))]) if back and past else found
    return node.to("Repository", seen, repo=seen)


def _by_id(node: Node, id: str) -> Node:
    kind, number = unpack(id)
    for repo in node.repo.hub.repositories.values():
        if not _visible(node, repo):
            continue
        if kind == "Repository" and repo.id == number:
            return node.to("Repository", repo, repo=repo)
        places: dict[str, list[Any]] = {
            "PullRequest": list(repo.data.pulls.values()),
            "Issue": [e for e in repo.data.issues.values() if e.number not in repo.data.pulls],
            "IssueComment": list(repo.data.comments.values()),
            "CheckRun": list(repo.data.checks.values()),
        }
        for each in places.get(kind, []):
            if each.id == number:
                return node.to(kind, each, repo=repo)
    raise _missing(f"Could not resolve to a node with the global id of '{id}'")


resolves(
    "Query",
    id=lambda n: node_id("Query", 0),
    repository=repository,
    node=_by_id,
    nodes=lambda n, ids: [_by_id(n, each) for each in ids],
    rateLimit=lambda n, **_: n.seen["limits"],
    viewer=lambda n: actor(n, n.token.account),
)


def _pull(node: Node, number: int) -> Node:
    _may(node, "pull_requests")
    found = node.repo.data.pulls.get(number)
    if found is None:
        raise _missing(f"Could not resolve to a PullRequest with the number of {number}.")
    return node.to("PullRequest", found)


def _issue(node: Node, number: int) -> Node:
    _may(node, "issues")
    found = node.repo.data.issues.get(number)
    if found is None or number in node.repo.data.pulls:
        raise _missing(f"Could not resolve to an Issue with the number of {number}.")
    return node.to("Issue", found)


def _either(node: Node, number: int) -> Node:
    return _pull(node, number) if number in node.repo.data.pulls else _issue(node, number)


def _state(pull: Pull) -> str:
    return "MERGED" if pull.merged else pull.issue.state.upper()


def _order(found: list[Any], key: Callable[[Any], Issue], order: dict[str, str] | None) -> list[Any]:
    by = {"UPDATED_AT": "updated", "CREATED_AT": "created"}.get((order or {}).get("field", ""), "number")
    down = (order or {}).get("direction") == "DESC"
    return sorted(found, key=lambda each: (getattr(key(each), by), key(each).number), reverse=down)


def _pulls(node: Node, **args: Any) -> dict[str, Any]:
    _may(node, "pull_requests")
    states, order = args.pop("states", None), args.pop("orderBy", None)
    head, base, names = args.pop("headRefName", None), args.pop("baseRefName", None), args.pop("labels", None)
    found = [
        each
        for each in node.repo.data.pulls.values()
        if (states is None or _state(each) in states)
        and head in (None, each.head)
        and base in (None, each.base)
        and (names is None or set(names) & set(each.issue.labels))
    ]
    return page(node.all("PullRequest", _order(found, lambda each: each.issue, order)), **args)


def _issues(node: Node, **args: Any) -> dict[str, Any]:
    _may(node, "issues")
    states, order, names = args.pop("states", None), args.pop("orderBy", None), args.pop("labels", None)
    filtered = args.pop("filterBy", None) or {}
    names = names or filtered.get("labels")
    states = states or filtered.get("states")
    found = [
        each
        for each in node.repo.data.issues.values()
        if each.number not in node.repo.data.pulls
        and (not states or each.state.upper() in states)
        and (not names or set(names) & set(each.labels))
    ]
    return page(node.all("Issue", _order(found, lambda each: each, order)), **args)


def _object(node: Node, oid: str | None = None, expression: str | None = None) -> Node | None:
    return commit(node, node.repo.commit_of(oid or expression or ""))


def _ref(node: Node, qualifiedName: str) -> Node | None:
    return ref(node, qualifiedName.removeprefix("refs/heads/"))


def _queue(node: Node, branch: str | None = None) -> Node | None:
    name = branch or node.repo.default_branch
    return node.to("MergeQueue", name) if any(e.queue for e in node.repo.rules_of(name)) else None


resolves(
    "Repository",
    id=lambda n: node_id("Repository", n.of.id),
    databaseId=lambda n: n.of.id,
    name=lambda n: n.of.name,
    nameWithOwner=lambda n: n.of.full_name,
    owner=lambda n: actor(n, n.of.owner),
    isPrivate=lambda n: n.of.private,
    isArchived=lambda n: n.of.archived,
    isFork=lambda n: n.of.parent is not None,
    url=lambda n: n.of.html,
    defaultBranchRef=lambda n: ref(n, n.of.default_branch),
    pullRequest=_pull,
    pullRequests=_pulls,
    issue=_issue,
    issues=_issues,
    issueOrPullRequest=_either,
    object=_object,
    ref=_ref,
    mergeQueue=_queue,
    viewerPermission=lambda n: None if n.token.installation else n.of.access(n.token.account).upper(),
    mergeCommitAllowed=lambda n: "merge" in n.of.methods,
    squashMergeAllowed=lambda n: "squash" in n.of.methods,
    rebaseMergeAllowed=lambda n: "rebase" in n.of.methods,
    deleteBranchOnMerge=lambda n: n.of.delete_branch_on_merge,
)


def _asked(node: Node, id: str, permission: str) -> tuple[Node, Actor]:
    found = _by_id(node, id)
    if found.kind != "PullRequest":
        raise _missing(f"Could not resolve to PullRequest node with the global id of '{id}'.")
    _may(found, permission, "write")
    made = node.token.installation
    found.repo.hub.remember(found.repo)
    return found, Actor(node.token.account, made.app if made else None)


def _ready(node: Node, *, input: dict[str, Any], draft: bool = False) -> dict[str, Any]:
    found, by = _asked(node, input["pullRequestId"], "pull_requests")
    if found.of.issue.state != "open":
        raise GraphQLError("Pull request is closed", extensions={"type": "UNPROCESSABLE"})
    pulls.ready(found.repo, found.of, by=by, draft=draft)
    return {"pullRequest": found, "clientMutationId": input.get("clientMutationId")}


def _enqueue(node: Node, *, input: dict[str, Any]) -> dict[str, Any]:
    found, by = _asked(node, input["pullRequestId"], "merge_queues")
    pull, expected = found.of, input.get("expectedHeadOid")
    said = ""
    if not any(each.queue for each in found.repo.rules_of(pull.base)):
        said = "Merge queue is not enabled for this branch"
    elif expected and expected != pull.head_sha:
        said = "Head branch was modified. Review and try the merge again."
    elif pull.issue.state != "open" or pull.draft:
        said = "Pull request is not in a state that can be queued"
    if said:
        raise GraphQLError(said, extensions={"type": "UNPROCESSABLE"})
    entry = queueing.enqueue(found.repo, pull, by=by)
    shown = found.to("MergeQueueEntry", entry)
    return {"mergeQueueEntry": shown, "clientMutationId": input.get("clientMutationId")}


def _dequeue(node: Node, *, input: dict[str, Any]) -> dict[str, Any]:
    found, by = _asked(node, input["id"], "merge_queues")
    entry = next((each for each in found.repo.data.queue if each.number == found.of.number), None)
    if entry:
        queueing.eject(found.repo, entry, by=by, reason="dequeued")
    return {"mergeQueueEntry": None, "clientMutationId": input.get("clientMutationId")}


resolves(
    "Mutation",
    markPullRequestReadyForReview=_ready,
    convertPullRequestToDraft=lambda n, *, input: _ready(n, input=input, draft=True),
    enqueuePullRequest=_enqueue,
    dequeuePullRequest=_dequeue,
)
