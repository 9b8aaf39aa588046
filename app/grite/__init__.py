"""The event log of a repository under `refs/grite/*`, in grite's own wire format.

Events are facts about issues: who said what, when. An event's id is the hash of its content, so it cannot
be changed, doubled or counted twice. `Log` appends them to a chain of commits, flushed to the disk before it
answers, and reads them back; `fold` makes issues of them. Nothing here knows what a convoy is.

One process at a time writes (a lock file that dies with its holder); foreign writers are met by
compare-and-swap: `Moved` means read again, decide again. A remote's log and ours are united by event id,
never overwritten. A ref that somebody set back shows as `History.rewound`, and the next append or sync brings
its events back. To begin a log anew, remove the state directory together with the ref.

    >>> import subprocess, tempfile
    >>> from pathlib import Path
    >>> from app.grite import CommentAdded, Draft, Identity, IssueCreated, Log, fold, new_issue
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = subprocess.run(["git", "init", "--quiet", "--bare", str(folder / "repo")], check=True)
    >>> log = Log(folder / "repo", identity=Identity.create(), state_dir=folder / "state", clock=lambda: 1000)
    >>> issue = new_issue()
    >>> before = log.read().head
    >>> drafts = [Draft(issue, IssueCreated("Use JWT")), Draft(issue, CommentAdded("go"))]
    >>> commit = log.append(drafts, expected=before)
    >>> log.read().head == commit
    True
    >>> [(issue.title, issue.comments[0].body) for issue in fold(log.read().events).values()]
    [('Use JWT', 'go')]
    >>> [(event.ts, type(event.kind).__name__) for event in log.read().events]
    [(1000, 'ProjectContextUpdated'), (1001, 'IssueCreated'), (1002, 'CommentAdded')]
    >>> import shutil; shutil.rmtree(folder)
"""

from app.grite.audit import Finding
from app.grite.contexts import Contexts, ProjectValue, fold_contexts
from app.grite.events import Draft, Event
from app.grite.fold import Attachment, Comment, Dependency, Issue, Link, Projection, fold
from app.grite.identity import Identity, announced_keys, verify
from app.grite.ids import (
    PROJECT_CONTEXT,
    ActorId,
    EventId,
    IssueId,
    PublicKey,
    file_context,
    new_actor,
    new_issue,
)
from app.grite.kinds import (
    AssigneeAdded,
    AssigneeRemoved,
    AttachmentAdded,
    CommentAdded,
    ContextUpdated,
    DependencyAdded,
    DependencyRemoved,
    DependencyType,
    IssueCreated,
    IssueState,
    IssueUpdated,
    Kind,
    LabelAdded,
    LabelRemoved,
    LinkAdded,
    ProjectContextUpdated,
    StateChanged,
    Symbol,
    Unknown,
)
from app.grite.log import ANY, Expected, Log
from app.grite.reader import History, Rewound
from app.grite.snapshots import SNAPSHOTS
from app.grite.sync import Fetched, Synced
from app.grite.wal import WAL
from app.grite.writing import PreparedCommit, Publish, Writing

__all__ = [
    "ANY",
    "PROJECT_CONTEXT",
    "SNAPSHOTS",
    "WAL",
    "ActorId",
    "AssigneeAdded",
    "AssigneeRemoved",
    "Attachment",
    "AttachmentAdded",
    "Comment",
    "CommentAdded",
    "ContextUpdated",
    "Contexts",
    "Dependency",
    "DependencyAdded",
    "DependencyRemoved",
    "DependencyType",
    "Draft",
    "Event",
    "EventId",
    "Expected",
    "Fetched",
    "Finding",
    "History",
    "Identity",
    "Issue",
    "IssueCreated",
    "IssueId",
    "IssueState",
    "IssueUpdated",
    "Kind",
    "LabelAdded",
    "LabelRemoved",
    "Link",
    "LinkAdded",
    "Log",
    "PreparedCommit",
    "ProjectContextUpdated",
    "ProjectValue",
    "Projection",
    "PublicKey",
    "Publish",
    "Rewound",
    "StateChanged",
    "Symbol",
    "Synced",
    "Unknown",
    "Writing",
    "announced_keys",
    "file_context",
    "fold",
    "fold_contexts",
    "new_actor",
    "new_issue",
    "verify",
]
