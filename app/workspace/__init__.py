"""Everything that needs git beside the log: the mirror, the publisher's look, merges, pushes, take-overs.

The person's repository is read, and written to by compare-and-swap only. All work happens in a mirror of our
own: commits are fetched into it, bundles are looked at in a throw-away repository that borrows from it, merge
candidates are built in its object store. One atomic push brings commits and log back. Worked example:

    here = examine(Path.cwd(), base=None)
    publisher = Publisher(Place(here.common_dir, here.state_dir, bundle_path))
    publisher.recover()
    publisher.fetch((here.head,))
    look = publisher.inspect(work)
    if not look.problems:
        publisher.push((RefMove("refs/heads/convoy/jwt/task-1", None, look.head), log_move))
"""

from app.workspace.mirror import Mirror
from app.workspace.publisher import Place, Publisher
from app.workspace.remote import Remote
from app.workspace.replica import Replica
from app.workspace.repository import Repository, examine
from app.workspace.rules import Rules
from app.workspace.upstream import Upstream

__all__ = ["Mirror", "Place", "Publisher", "Remote", "Replica", "Repository", "Rules", "Upstream", "examine"]
