"""The GraphQL that is asked: one document per look, and one shape for reading on what was cut off.

Fields and their meaning: https://docs.github.com/en/graphql/reference
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["DEQUEUE", "ENQUEUE", "Asked", "document", "further"]

_ACTOR = "__typename login ... on User { databaseId } ... on Bot { databaseId }"
_PAGE = "pageInfo { hasNextPage endCursor }"
_REMARK = "path line body"
_CONTEXT = f"""
__typename
... on CheckRun {{
  databaseId name status conclusion startedAt completedAt detailsUrl externalId title summary
  checkSuite {{ databaseId app {{ databaseId }} workflowRun {{ event workflow {{ id }} }} }}
}}
... on StatusContext {{ context state targetUrl createdAt description creator {{ {_ACTOR} }} }}
"""
_REVIEW = f"""
id databaseId state body submittedAt author {{ {_ACTOR} }} commit {{ oid }}
comments(first: 30) {{ nodes {{ {_REMARK} }} {_PAGE} }}
"""
_ROLLUP = f"statusCheckRollup {{ id contexts(first: 100) {{ nodes {{ {_CONTEXT} }} {_PAGE} }} }}"
_PULL = f"""
fragment Pull on PullRequest {{
  id number url title body state isDraft mergeable merged updatedAt additions deletions
  headRefOid headRefName baseRefName isCrossRepository mergeStateStatus reviewDecision
  author {{ {_ACTOR} }}
  mergeCommit {{ oid }}
  labels(first: 100) {{ nodes {{ name }} {_PAGE} }}
  comments(first: 1) {{ totalCount }}
  reviews(first: 50) {{ nodes {{ {_REVIEW} }} {_PAGE} }}
  reviewThreads(first: 100) {{ nodes {{ isResolved }} {_PAGE} }}
  mergeQueueEntry {{ state enqueuedAt headCommit {{ oid }} }}
  timelineItems(last: 1, itemTypes: [CLOSED_EVENT, MERGED_EVENT]) {{
    nodes {{
      __typename
      ... on ClosedEvent {{ actor {{ {_ACTOR} }} }}
      ... on MergedEvent {{ actor {{ {_ACTOR} }} }}
    }}
  }}
  commits(last: 1) {{ nodes {{ commit {{ oid {_ROLLUP} }} }} }}
}}
"""
_HEAD = f"... on Commit {{ oid {_ROLLUP} }}"
_HABIT = f"""
fragment Habit on Commit {{
  statusCheckRollup {{ contexts(first: 100) {{
    nodes {{
      __typename
      ... on CheckRun {{ name checkSuite {{ app {{ databaseId }} }} }}
      ... on StatusContext {{ context }}
    }}
    {_PAGE}
  }} }}
}}
"""
_PARENT = "parents(first: 1) {{ nodes {{ ...Habit {} }} }}"
_USUAL = "target {{ ... on Commit {{ ...Habit {} }} }}".format(
    _PARENT.format(_PARENT.format(_PARENT.format("")))
)
"""A branch's tip and three commits before it, along first parents."""
_CONNECTIONS = {
    "contexts": ("StatusCheckRollup", _CONTEXT),
    "reviews": ("PullRequest", _REVIEW),
    "reviewThreads": ("PullRequest", "isResolved"),
    "labels": ("PullRequest", "name"),
    "comments": ("PullRequestReview", _REMARK),
}
ENQUEUE = """
mutation($pull: ID!, $head: GitObjectID!) {
  enqueuePullRequest(input: {pullRequestId: $pull, expectedHeadOid: $head}) { mergeQueueEntry { state } }
}
"""
DEQUEUE = """
mutation($pull: ID!) {
  dequeuePullRequest(input: {id: $pull}) { mergeQueueEntry { state } }
}
"""


class Asked:
    """Variables with their types, gathered while a document is written: nothing foreign enters its text."""

    def __init__(self) -> None:
        self.values: dict[str, str | int] = {}
        self.types: list[str] = []

    def of(self, value: str | int, kind: str) -> str:
        """The name of a new variable with this value."""
        name = f"v{len(self.types)}"
        self.types.append(f"${name}: {kind}!")
        self.values[name] = value
        return f"${name}"


def document(
    repository: str,
    *,
    pulls: Iterable[int] = (),
    issues: Iterable[int] = (),
    heads: Iterable[str] = (),
    branches: Iterable[str] = (),
) -> tuple[str, dict[str, str | int]]:
    """One read of all of these, by aliases `p7`, `i7`, `h0`, `b0` and `q0` (the branch's merge queue)."""
    asked, parts = Asked(), list[str]()
    pulls, branches = tuple(pulls), tuple(branches)
    owner, _, name = repository.partition("/")
    where = f"owner: {asked.of(owner, 'String')}, name: {asked.of(name, 'String')}"
    for number in pulls:
        parts.append(f"p{number}: pullRequest(number: {asked.of(number, 'Int')}) {{ ...Pull }}")
    for number in issues:
        parts.append(f"i{number}: issue(number: {asked.of(number, 'Int')}) {{ lastEditedAt }}")
    for index, head in enumerate(heads):
        parts.append(f"h{index}: object(oid: {asked.of(head, 'GitObjectID')}) {{ {_HEAD} }}")
    for index, branch in enumerate(branches):
        ref = asked.of(f"refs/heads/{branch}", "String")
        parts.append(f"b{index}: ref(qualifiedName: {ref}) {{ {_USUAL} }}")
        parts.append(f"q{index}: mergeQueue(branch: {asked.of(branch, 'String')}) {{ id }}")
    merging = "id mergeCommitAllowed squashMergeAllowed rebaseMergeAllowed"
    body = "\n".join((merging, *parts))
    text = f"query({', '.join(asked.types)}) {{ repository({where}) {{ {body} }} }}"
    fragments = (_PULL if pulls else "") + (_HABIT if branches else "")
    return text + fragments, asked.values


def further(connection: str) -> str:
    """The next pages of a list that was cut off, by the id of what holds it."""
    holder, fields = _CONNECTIONS[connection]
    return f"""
    query($id: ID!, $after: String!) {{ node(id: $id) {{ ... on {holder} {{
      {connection}(first: 100, after: $after) {{ nodes {{ {fields} }} {_PAGE} }}
    }} }} }}
    """
