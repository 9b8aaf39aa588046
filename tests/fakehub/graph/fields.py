"""The part of GitHub's GraphQL schema that is answered: type by type, field by field."""

from __future__ import annotations

__all__ = ["CONNECTIONS", "FIELDS"]

_PAGE = "nodes edges pageInfo totalCount"
_TABLE = """
Query: id repository node nodes rateLimit viewer
Mutation: markPullRequestReadyForReview convertPullRequestToDraft enqueuePullRequest dequeuePullRequest
Node: id
Actor: avatarUrl login resourcePath url
RepositoryOwner: avatarUrl id login resourcePath url
User: id databaseId login url avatarUrl resourcePath
Bot: id databaseId login url avatarUrl resourcePath
Organization: id databaseId login url avatarUrl resourcePath
App: id databaseId slug name
PageInfo: endCursor hasNextPage hasPreviousPage startCursor
RateLimit: cost limit nodeCount remaining resetAt used
Repository: id databaseId name nameWithOwner owner isPrivate isArchived isFork url defaultBranchRef \
pullRequest pullRequests issue issues issueOrPullRequest object ref mergeQueue viewerPermission \
mergeCommitAllowed squashMergeAllowed rebaseMergeAllowed deleteBranchOnMerge
PullRequest: id databaseId fullDatabaseId number title body url permalink state closed closedAt merged \
mergedAt mergedBy mergeCommit isDraft isCrossRepository isInMergeQueue isMergeQueueEnabled \
mergeQueueEntry mergeQueue mergeable mergeStateStatus author authorAssociation baseRef baseRefName \
baseRefOid baseRepository headRef headRefName headRefOid headRepository headRepositoryOwner repository \
additions deletions changedFiles files commits comments labels reviews latestReviews \
latestOpinionatedReviews reviewDecision reviewRequests reviewThreads statusCheckRollup timelineItems \
createdAt updatedAt lastEditedAt locked
Issue: id databaseId fullDatabaseId number title body url state stateReason closed closedAt author \
authorAssociation labels comments timelineItems createdAt updatedAt lastEditedAt locked repository
IssueComment: id databaseId fullDatabaseId author authorAssociation body url createdAt updatedAt \
lastEditedAt
Label: id name color description
Ref: id name prefix target
GitObject: id oid
Commit: id oid message messageHeadline committedDate authoredDate parents statusCheckRollup checkSuites \
status
Status: id state contexts
StatusCheckRollup: id state contexts
CheckRun: id databaseId name status conclusion startedAt completedAt detailsUrl url externalId title \
summary text isRequired checkSuite
StatusContext: id context state description targetUrl createdAt creator isRequired
CheckSuite: id databaseId app status conclusion workflowRun createdAt updatedAt checkRuns
WorkflowRun: id databaseId event runNumber url workflow
Workflow: id name
PullRequestReview: id databaseId fullDatabaseId author authorAssociation state body url submittedAt \
commit comments lastEditedAt
PullRequestReviewComment: id databaseId fullDatabaseId author body path line url createdAt replyTo
PullRequestReviewThread: id isResolved isOutdated path line comments resolvedBy
PullRequestChangedFile: path additions deletions changeType
PullRequestCommit: id commit
ReviewRequest: id requestedReviewer
MergeQueue: id url entries
MergeQueueEntry: id state position enqueuedAt enqueuer headCommit baseCommit pullRequest
ClosedEvent: id actor createdAt
ReopenedEvent: id actor createdAt
MergedEvent: id actor createdAt commit mergeRefName
LabeledEvent: id actor createdAt label
UnlabeledEvent: id actor createdAt label
RenamedTitleEvent: id actor createdAt currentTitle previousTitle
HeadRefForcePushedEvent: id actor createdAt afterCommit
HeadRefDeletedEvent: id actor createdAt
ReadyForReviewEvent: id actor createdAt
ConvertToDraftEvent: id actor createdAt
AddedToMergeQueueEvent: id actor createdAt
RemovedFromMergeQueueEvent: id actor createdAt
BaseRefChangedEvent: id actor createdAt
MarkPullRequestReadyForReviewPayload: clientMutationId pullRequest
ConvertPullRequestToDraftPayload: clientMutationId pullRequest
EnqueuePullRequestPayload: clientMutationId mergeQueueEntry
DequeuePullRequestPayload: clientMutationId mergeQueueEntry
PullRequestTimelineItemsConnection: nodes pageInfo totalCount
IssueTimelineItemsConnection: nodes pageInfo totalCount
"""

CONNECTIONS = (
    "PullRequest", "Issue", "IssueComment", "Label", "PullRequestReview", "PullRequestReviewThread",
    "PullRequestReviewComment", "PullRequestCommit", "PullRequestChangedFile", "ReviewRequest",
    "MergeQueueEntry",
    "StatusCheckRollupContext", "CheckSuite", "CheckRun", "Commit",
)  # fmt: skip


def _fields() -> dict[str, tuple[str, ...]]:
    made: dict[str, tuple[str, ...]] = {}
    for line in _TABLE.strip().splitlines():
        name, rest = line.split(": ", 1)
        made[name] = tuple(rest.split())
    for name in CONNECTIONS:
        made[f"{name}Connection"] = tuple(_PAGE.split())
        made[f"{name}Edge"] = ("cursor", "node")
    return made


FIELDS = _fields()
