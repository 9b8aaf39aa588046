"""A small GitHub over real bare repositories, as strict as the real one.

    from tests.fakehub import Hub

    with Hub(tmp_path) as hub:
        ada = hub.person("ada", access="admin")
        repo = hub.repository("ada/demo", files={"a.txt": "one\\n"})
        app = hub.app("brat")                       # hub.keys[app.id] is its private key (PEM)
        hub.install(app, repo)
        app.webhook_url, app.webhook_secret = "http://127.0.0.1:1234/webhooks/github", "s3cret"
        issue = repo.issue(title="JWT", body="please", by=ada)
        repo.label(issue, "brat", by=ada)
        hub.deliver()                               # sends the waiting webhooks over HTTP
        repo.ci(lambda repo, branch, head: repo.check(head, "ci"))
        ...                                         # a client at hub.api, git at repo.clone_url
        assert hub.journal.changes_of("merge", by="brat[bot]")

The REST root is `hub.api`, GraphQL `hub.graphql`, as on an Enterprise Server. Time is `hub.clock`
(`advance(seconds)`). A change says nothing to the App until `deliver()`; without a `webhook_url` there
are no deliveries at all. `hub.journal` has every request (`count("PUT")`), every lasting change, and
`problems`: unknown routes and whatever GitHub's own description does not allow. The fixture `hub`
(`tests.fakehub.fixture`) fails a test that leaves problems. `hub.faults.add("PUT */merge", status=502,
after=True)` strikes once (status 0 cuts the connection), `back=1` makes a read stale by one change made
after it was armed; `hub.webhooks.lost = 2` loses the next two deliveries (on record, `forgotten` not).
`with Postman(hub)` delivers by itself; `repo.ci(ci.red_once("a.py"))` is CI by script.
As a process: `python -m tests.fakehub --help`, steered through `/_control/…`.
"""

from __future__ import annotations

from tests.fakehub import ci
from tests.fakehub.accounts import Account, App, Installation
from tests.fakehub.clock import Clock
from tests.fakehub.faults import Fault, Faults
from tests.fakehub.hub import EVENTS, PERMISSIONS, Hub
from tests.fakehub.journal import Asked, Change, Journal
from tests.fakehub.merging import MergeRefused
from tests.fakehub.model import CheckRun, Comment, Issue, Protection, Pull, Review, WorkflowRun
from tests.fakehub.people import Project
from tests.fakehub.posting import Postman
from tests.fakehub.webhooks import Delivery, Webhooks

__all__ = [
    "EVENTS",
    "PERMISSIONS",
    "Account",
    "App",
    "Asked",
    "Change",
    "CheckRun",
    "Clock",
    "Comment",
    "Delivery",
    "Fault",
    "Faults",
    "Hub",
    "Installation",
    "Issue",
    "Journal",
    "MergeRefused",
    "Postman",
    "Project",
    "Protection",
    "Pull",
    "Review",
    "Webhooks",
    "WorkflowRun",
    "ci",
]
