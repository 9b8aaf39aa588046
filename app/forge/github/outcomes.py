"""What GitHub's answer to a mutation means: pure."""

from __future__ import annotations

from app.forge.github.wire import Reply
from app.ports import Done, Outcome, Refused, Unknown

__all__ = ["MERGE_AGAIN", "merged", "of", "plain"]

MERGE_AGAIN = ("base branch was modified", "merge already in progress")
"""Only its words tell a 405 that passes from one that stays, as that of a head that is out of date does."""
_BEHIND = "out of date"
"""Stays until the base is merged into the head, whatever the rest of the sentence says."""

_LOCKED = "issue is locked"
"""Of pull requests too: https://docs.github.com/en/communities/moderating-comments-and-conversations/locking-conversations"""


def of(reply: Reply) -> Outcome:
    """The usual reading: everything but a success is a refusal, in GitHub's words with a remedy of ours."""
    if reply.ok:
        return Done()
    return plain(reply.status, reply.message)


def plain(status: int, message: str) -> Refused:
    """A refusal."""
    low = message.lower()
    if "not accessible by integration" in low:
        return Refused(message, "give the App the permission, and accept it in the installation")
    if "archived" in low:
        return Refused(message, "the repository is archived: it takes no changes")
    if status in (404, 410):
        return Refused(f"it is not there any more: {message}", for_good=True)
    if _LOCKED in low:
        return Refused(message, for_good=True)
    return Refused(message)


def merged(reply: Reply) -> Outcome:
    """Of `PUT …/merge`: https://docs.github.com/en/rest/pulls/pulls#merge-a-pull-request"""
    low = reply.message.lower()
    if reply.status == 405 and _BEHIND in low:
        return Refused(reply.message, "the base is merged into its branch first", behind=True)
    if reply.status == 405 and any(each in low for each in MERGE_AGAIN):
        return Unknown(f"not merged now, to be tried again: {reply.message}")
    if reply.status == 409:
        return Refused(f"the head has moved: {reply.message}", "its new head is looked at first")
    return of(reply)
