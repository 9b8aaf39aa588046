"""Issues, comments, labels and what happened to them."""

from __future__ import annotations

from typing import Any

from tests.fakehub.graph.checks import commit
from tests.fakehub.graph.nodes import Node, actor, ident, page, resolves, when
from tests.fakehub.model import Event
from tests.fakehub.repository import Repository

__all__ = ["comments", "labels", "timeline"]

_KINDS = {
    "labeled": "LabeledEvent",
    "unlabeled": "UnlabeledEvent",
    "closed": "ClosedEvent",
    "reopened": "ReopenedEvent",
    "renamed": "RenamedTitleEvent",
    "merged": "MergedEvent",
    "head_ref_force_pushed": "HeadRefForcePushedEvent",
    "head_ref_deleted": "HeadRefDeletedEvent",
    "ready_for_review": "ReadyForReviewEvent",
    "converted_to_draft": "ConvertToDraftEvent",
    "added_to_merge_queue": "AddedToMergeQueueEvent",
    "removed_from_merge_queue": "RemovedFromMergeQueueEvent",
    "base_ref_changed": "BaseRefChangedEvent",
}


def comments(node: Node, number: int, **args: Any) -> dict[str, Any]:
    args.pop("orderBy", None)
    found = [each for each in node.repo.data.comments.values() if each.number == number]
    return page(node.all("IssueComment", found), **args)


def labels(node: Node, names: list[str], **args: Any) -> dict[str, Any]:
    args.pop("orderBy", None)
    known = node.repo.data.labels
    return page(node.all("Label", [known[each.casefold()] for each in names]), **args)


def timeline(node: Node, number: int, **args: Any) -> dict[str, Any]:
    """History and comments; `itemTypes` are GitHub's names in capitals."""
    wanted = args.pop("itemTypes", None)
    args.pop("since", None)
    args.pop("skip", None)
    repo = node.repo
    found: list[tuple[int, int, Node]] = []
    for event in repo.data.events:
        kind = _KINDS.get(event.kind)
        if event.number == number and kind:
            found.append((event.created, event.id, node.to(kind, event)))
    for said in repo.data.comments.values():
        if said.number == number:
            found.append((said.created, said.id, node.to("IssueComment", said)))
    chosen = [each[2] for each in sorted(found, key=lambda e: e[:2]) if _chosen(each[2].kind, wanted)]
    return page(chosen, **args)


def _chosen(kind: str, wanted: list[str] | None) -> bool:
    capitals = "".join(f"_{each}" if each.isupper() else each.upper() for each in kind).lstrip("_")
    return wanted is None or capitals in wanted


resolves(
    "Issue",
    id=ident,
    databaseId=lambda n: n.of.id,
    fullDatabaseId=lambda n: str(n.of.id),
    number=lambda n: n.of.number,
    title=lambda n: n.of.title,
    body=lambda n: n.of.body or "",
    url=lambda n: f"{n.repo.html}/issues/{n.of.number}",
    state=lambda n: n.of.state.upper(),
    stateReason=lambda n, **_: n.of.state_reason.upper() if n.of.state_reason else None,
    closed=lambda n: n.of.state == "closed",
    closedAt=lambda n: when(n.of.closed),
    author=lambda n: actor(n, n.of.author.account),
    authorAssociation=lambda n: n.repo.association(n.of.author.account),
    labels=lambda n, **a: labels(n, n.of.labels, **a),
    comments=lambda n, **a: comments(n, n.of.number, **a),
    timelineItems=lambda n, **a: timeline(n, n.of.number, **a),
    createdAt=lambda n: when(n.of.created),
    updatedAt=lambda n: when(n.of.updated),
    lastEditedAt=lambda n: when(n.of.edited),
    locked=lambda n: n.of.locked,
    repository=lambda n: n.to("Repository", n.repo),
)
resolves(
    "IssueComment",
    id=ident,
    databaseId=lambda n: n.of.id,
    fullDatabaseId=lambda n: str(n.of.id),
    author=lambda n: actor(n, n.of.author.account),
    authorAssociation=lambda n: n.repo.association(n.of.author.account),
    body=lambda n: n.of.body,
    url=lambda n: f"{n.repo.html}/issues/{n.of.number}#issuecomment-{n.of.id}",
    createdAt=lambda n: when(n.of.created),
    updatedAt=lambda n: when(n.of.updated),
    lastEditedAt=lambda n: when(n.of.edited),
)
resolves(
    "Label",
    id=lambda n: n.of["node_id"],
    name=lambda n: n.of["name"],
    color=lambda n: n.of["color"],
    description=lambda n: n.of["description"],
)


def _label(node: Node) -> Node:
    event: Event = node.of
    repo: Repository = node.repo
    return node.to("Label", repo.data.labels[event.detail["label"]["name"].casefold()])


_MORE: dict[str, dict[str, Any]] = {
    "LabeledEvent": {"label": _label},
    "UnlabeledEvent": {"label": _label},
    "RenamedTitleEvent": {
        "currentTitle": lambda n: n.of.detail["rename"]["to"],
        "previousTitle": lambda n: n.of.detail["rename"]["from"],
    },
    "MergedEvent": {
        "commit": lambda n: commit(n, n.of.commit),
        "mergeRefName": lambda n: n.repo.data.pulls[n.of.number].base,
    },
    "HeadRefForcePushedEvent": {"afterCommit": lambda n: commit(n, n.of.commit)},
}
for _kind in _KINDS.values():
    resolves(
        _kind,
        id=ident,
        actor=lambda n: actor(n, n.of.actor.account),
        createdAt=lambda n: when(n.of.created),
        **_MORE.get(_kind, {}),
    )
