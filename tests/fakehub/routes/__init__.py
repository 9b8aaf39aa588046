"""The REST operations. Importing this package registers all of them.

A handler takes a `Call` and gives an `Answer`, a `Listing` (paged by the server) or raises `Refused`.
"""

from __future__ import annotations

from tests.fakehub.routes import actions, apps, checks, comments, git, issues, pulls, repositories, reviews
from tests.fakehub.routes.table import ROUTES, Answer, Call, Listing, Refused

__all__ = [
    "ROUTES",
    "Answer",
    "Call",
    "Listing",
    "Refused",
    "actions",
    "apps",
    "checks",
    "comments",
    "git",
    "issues",
    "pulls",
    "repositories",
    "reviews",
]
