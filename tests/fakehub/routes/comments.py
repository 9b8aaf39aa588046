"""Comments on issues and pull requests, and reactions to them."""

from __future__ import annotations

from tests.fakehub import issues
from tests.fakehub.model import Comment
from tests.fakehub.routes.issues import BIGGEST, ISSUES, ONE, since
from tests.fakehub.routes.table import Answer, Call, Listing, Refused, route
from tests.fakehub.views.basic import reaction_view
from tests.fakehub.views.issues import comment_view

__all__ = ["COMMENT", "MOST"]

COMMENT = ISSUES + "/comments/{comment_id}"
MOST = 2500


def _comment(call: Call) -> Comment:
    found = call.repo.data.comments.get(int(call.params["comment_id"]))
    if found is None:
        raise Refused(404, "Not Found")
    return found


def _text(call: Call) -> str:
    text = str(call.body["body"])
    if len(text) > BIGGEST:
        raise Refused(422, "Validation Failed", f"body is too long (maximum is {BIGGEST} characters)")
    if not text.strip():
        missing = {"resource": "IssueComment", "code": "unprocessable", "field": "data"}
        raise Refused(422, "Validation Failed", missing, "Body cannot be blank")
    return text


def _new(call: Call, number: int | None) -> list[Comment]:
    start = since(call)
    found = call.repo.data.comments.values()
    return [e for e in found if e.updated // 1000 * 1000 >= start and number in (None, e.number)]


@route("GET " + ISSUES + "/comments")
def list_all(call: Call) -> Listing:
    key = "updated" if call.query.get("sort") == "updated" else "created"
    down = call.query.get("direction") == "desc"
    found = sorted(_new(call, None), key=lambda each: (getattr(each, key), each.id), reverse=down)
    return Listing(found, lambda each: comment_view(call.repo, each))


@route("GET " + ONE + "/comments")
def list_of_issue(call: Call) -> Listing:
    return Listing(_new(call, call.issue.number), lambda each: comment_view(call.repo, each))


@route("POST " + ONE + "/comments")
def create(call: Call) -> Answer:
    text = _text(call)
    if call.issue.locked and (call.actor.app or not call.repo.allows(call.actor.account, "write")):
        raise Refused(403, "Unable to create comment because issue is locked.")
    if sum(each.number == call.issue.number for each in call.repo.data.comments.values()) >= MOST:
        raise Refused(403, "Commenting is disabled on issues with more than 2500 comments")
    made = issues.add_comment(call.repo, call.issue, text, by=call.actor)
    return Answer(comment_view(call.repo, made), 201)


@route("GET " + COMMENT)
def get(call: Call) -> Answer:
    return Answer(comment_view(call.repo, _comment(call)))


@route("PATCH " + COMMENT)
def update(call: Call) -> Answer:
    issues.edit_comment(call.repo, _comment(call), _text(call), by=call.actor)
    return Answer(comment_view(call.repo, _comment(call)))


@route("DELETE " + COMMENT)
def delete(call: Call) -> Answer:
    issues.delete_comment(call.repo, _comment(call), by=call.actor)
    return Answer(status=204)


@route("GET " + COMMENT + "/reactions")
def list_reactions(call: Call) -> Listing:
    wanted = call.query.get("content")
    found = [each for each in _comment(call).reactions if wanted in (None, each.content)]
    return Listing(found, lambda each: reaction_view(call.hub, each))


@route("POST " + COMMENT + "/reactions")
def react(call: Call) -> Answer:
    made, fresh = issues.react(call.repo, _comment(call).reactions, call.body["content"], by=call.actor)
    return Answer(reaction_view(call.hub, made), 201 if fresh else 200)


@route("DELETE " + COMMENT + "/reactions/{reaction_id}")
def unreact(call: Call) -> Answer:
    held = _comment(call).reactions
    found = next((each for each in held if each.id == int(call.params["reaction_id"])), None)
    if found is None or found.user != call.actor.account:
        raise Refused(404, "Not Found")
    held.remove(found)
    return Answer(status=204)
