"""Issues, their labels, events and timeline."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from tests.fakehub import issues
from tests.fakehub.model import Issue
from tests.fakehub.routes.table import Answer, Call, Listing, Refused, route
from tests.fakehub.views.basic import label_view, reaction_view
from tests.fakehub.views.issues import comment_view, event_view, issue_view

__all__ = ["since"]

ISSUES = "/repos/{owner}/{repo}/issues"
ONE = ISSUES + "/{issue_number}"
BIGGEST = 65_536


def since(call: Call) -> int:
    """The `since` of a listing in ms; whole seconds count as GitHub's times do."""
    text = call.query.get("since")
    return int(datetime.fromisoformat(text).timestamp() * 1000) if text else 0


@route("GET " + ISSUES)
def list_issues(call: Call) -> Listing:
    repo, query = call.repo, call.query
    state, labels = query.get("state", "open"), [e for e in query.get("labels", "").split(",") if e]
    found = [
        each
        for each in repo.data.issues.values()
        if state in (each.state, "all")
        and each.updated // 1000 * 1000 >= since(call)
        and all(any(name.casefold() == e.casefold() for e in each.labels) for name in labels)
        and query.get("creator", each.author.account.login) == each.author.account.login
    ]
    return Listing(_sorted(found, query), lambda each: issue_view(repo, each))


def _sorted(found: list[Issue], query: dict[str, str]) -> list[Issue]:
    by, down = query.get("sort", "created"), query.get("direction", "desc") == "desc"
    return sorted(found, key=lambda e: (e.updated if by == "updated" else e.created, e.number), reverse=down)


@route("POST " + ISSUES)
def create_issue(call: Call) -> Answer:
    made = issues.open_issue(call.repo, call.actor, title=str(call.body["title"]), body=call.body.get("body"))
    issues.add_labels(call.repo, made, _names(call.body.get("labels", [])), by=call.actor)
    return Answer(issue_view(call.repo, made), 201)


@route("GET " + ONE)
def get_issue(call: Call) -> Answer:
    return Answer(issue_view(call.repo, call.issue))


@route("PATCH " + ONE)
def update_issue(call: Call) -> Answer:
    issue, body = call.issue, call.body
    text = body.get("body")
    if text is not None and len(text) > BIGGEST:
        raise Refused(422, "Validation Failed", f"body is too long (maximum is {BIGGEST} characters)")
    issues.edit_issue(call.repo, issue, by=call.actor, title=body.get("title"), body=text)
    if "labels" in body:
        _set_labels(call, _names(body["labels"]))
    if "state" in body:
        reason = body.get("state_reason")
        issues.set_state(call.repo, issue, body["state"], by=call.actor, reason=reason)
    return Answer(issue_view(call.repo, issue))


@route("GET " + ONE + "/labels")
def list_labels(call: Call) -> Listing:
    return Listing(call.issue.labels, lambda name: label_view(call.repo, name))


@route("POST " + ONE + "/labels")
def add_labels(call: Call) -> Listing:
    issues.add_labels(call.repo, call.issue, _names(call.body["labels"]), by=call.actor)
    return Listing(call.issue.labels, lambda name: label_view(call.repo, name))


@route("PUT " + ONE + "/labels")
def set_labels(call: Call) -> Listing:
    _set_labels(call, _names(call.body["labels"]))
    return Listing(call.issue.labels, lambda name: label_view(call.repo, name))


@route("DELETE " + ONE + "/labels/{name}")
def remove_label(call: Call) -> Listing:
    held = {each.casefold() for each in call.issue.labels}
    if call.params["name"].casefold() not in held:
        raise Refused(404, "Label does not exist")
    issues.remove_labels(call.repo, call.issue, [call.params["name"]], by=call.actor)
    return Listing(call.issue.labels, lambda name: label_view(call.repo, name))


def _set_labels(call: Call, names: Iterable[str]) -> None:
    wanted = {each.casefold(): each for each in names}
    gone = [each for each in call.issue.labels if each.casefold() not in wanted]
    issues.remove_labels(call.repo, call.issue, gone, by=call.actor)
    issues.add_labels(call.repo, call.issue, wanted.values(), by=call.actor)


def _names(given: list[Any]) -> list[str]:
    return [str(each["name"]) if isinstance(each, dict) else str(each) for each in given]


@route("GET /repos/{owner}/{repo}/labels")
def list_repository_labels(call: Call) -> Listing:
    return Listing(list(call.repo.data.labels), lambda name: _label(call, name))


@route("POST /repos/{owner}/{repo}/labels")
def create_label(call: Call) -> Answer:
    name = str(call.body["name"])
    if name.casefold() in call.repo.data.labels:
        raise Refused(
            422, "Validation Failed", {"resource": "Label", "code": "already_exists", "field": "name"}
        )
    color, description = call.body.get("color", "ededed"), call.body.get("description")
    issues.make_label(call.repo, name, color=color, description=description)
    call.hub.record("label", call.repo, name, by=call.actor)
    return Answer(_label(call, name), 201)


@route("GET /repos/{owner}/{repo}/labels/{name}")
def get_label(call: Call) -> Answer:
    if call.params["name"].casefold() not in call.repo.data.labels:
        raise Refused(404, "Not Found")
    return Answer(_label(call, call.params["name"]))


def _label(call: Call, name: str) -> dict[str, Any]:
    return label_view(call.repo, call.repo.data.labels[name.casefold()]["name"])


@route("GET " + ISSUES + "/events")
def list_all_events(call: Call) -> Listing:
    newest = sorted(call.repo.data.events, key=lambda each: -each.id)
    return Listing(newest, lambda each: event_view(call.repo, each, inside=True))


@route("GET " + ONE + "/events")
def list_events(call: Call) -> Listing:
    found = [each for each in call.repo.data.events if each.number == call.issue.number]
    return Listing(found, lambda each: event_view(call.repo, each))


@route("GET " + ONE + "/timeline")
def list_timeline(call: Call) -> Listing:
    """Events and comments, oldest first."""
    repo, number = call.repo, call.issue.number
    events = [
        (each.created, each.id, event_view(repo, each)) for each in repo.data.events if each.number == number
    ]
    for each in repo.data.comments.values():
        if each.number == number:
            shown = comment_view(repo, each)
            said = {**shown, "event": "commented", "actor": shown["user"]}
            events.append((each.created, each.id, said))
    return Listing([each[2] for each in sorted(events, key=lambda e: e[:2])], lambda each: each)


@route("POST " + ONE + "/reactions")
def react(call: Call) -> Answer:
    made, fresh = issues.react(call.repo, call.issue.reactions, call.body["content"], by=call.actor)
    return Answer(reaction_view(call.hub, made), 201 if fresh else 200)
