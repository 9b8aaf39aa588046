"""Published reviews and what they say on lines."""

from __future__ import annotations

from tests.fakehub import pulls
from tests.fakehub.routes.pulls import ONE
from tests.fakehub.routes.table import Answer, Call, Listing, Refused, route
from tests.fakehub.views.pulls import review_comment_view, review_view

__all__ = ["EVENTS"]

EVENTS = {"APPROVE": "APPROVED", "REQUEST_CHANGES": "CHANGES_REQUESTED", "COMMENT": "COMMENTED"}


@route("GET " + ONE + "/reviews")
def list_reviews(call: Call) -> Listing:
    """A pending review is seen by its author only."""
    me = call.actor.account
    found = [each for each in call.pull.reviews if each.state != "PENDING" or each.author.account == me]
    return Listing(found, lambda each: review_view(call.repo, call.pull, each))


@route("POST " + ONE + "/reviews")
def create(call: Call) -> Answer:
    state = EVENTS.get(call.body.get("event", ""), "PENDING")
    if state in ("APPROVED", "CHANGES_REQUESTED") and call.actor.account == call.pull.issue.author.account:
        word = "approve" if state == "APPROVED" else "request changes on"
        raise Refused(422, "Unprocessable Entity", f"Can not {word} your own pull request")
    lines = tuple((each["path"], each.get("line", 1), each["body"]) for each in call.body.get("comments", []))
    said = pulls.Said(state, call.body.get("body", ""), lines)
    made = pulls.review(call.repo, call.pull, said, by=call.actor)
    return Answer(review_view(call.repo, call.pull, made))


@route("GET " + ONE + "/reviews/{review_id}/comments")
def list_of_review(call: Call) -> Listing:
    wanted = int(call.params["review_id"])
    said = [e for thread in call.pull.threads for e in thread.comments if e.review == wanted]
    return Listing(said, lambda each: review_comment_view(call.repo, call.pull, each))


@route("GET " + ONE + "/comments")
def list_comments(call: Call) -> Listing:
    hidden = {each.id for each in call.pull.reviews if each.state == "PENDING"}
    said = [e for thread in call.pull.threads for e in thread.comments if e.review not in hidden]
    return Listing(said, lambda each: review_comment_view(call.repo, call.pull, each))
