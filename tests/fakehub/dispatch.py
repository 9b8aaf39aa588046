"""From a request to an answer: who, whether allowed, well formed, and within limits; then the handler."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from tests.fakehub.contract import answer_problem, request_problems
from tests.fakehub.faults import Fault
from tests.fakehub.journal import Asked
from tests.fakehub.operations import OPERATIONS
from tests.fakehub.routes import ROUTES, Answer, Call, Listing, Refused
from tests.fakehub.routes.apps import HOUR, limits
from tests.fakehub.routes.table import find
from tests.fakehub.signing import app_of, secret_of, token_of

if TYPE_CHECKING:
    from tests.fakehub.hub import Hub

__all__ = ["Reply", "Request", "charged", "dispatch", "noted", "refusal", "struck"]


_VERSIONS = (None, "2022-11-28", "2026-03-10")


@dataclass(frozen=True, slots=True)
class Request:
    """`path` without the API's root; `headers` in lower case."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes = b""

    @property
    def json(self) -> dict[str, Any] | None:
        return json.loads(self.body) if self.body else None


@dataclass(frozen=True, slots=True)
class Reply:
    """`status` 0: the connection is cut instead."""

    status: int
    headers: dict[str, str]
    body: bytes = b""


def dispatch(hub: Hub, request: Request) -> Reply:
    """The whole way of one REST request."""
    with hub.lock:
        found = find(request.method, request.path)
        if found is None:
            return _unknown(hub, request)
        operation, params = found
        template = operation.split(" ")[1]
        fault = hub.faults.find(request.method, template, request.path)
        if fault:
            return noted(hub, operation, request, reply=struck(fault))
        call = Call(hub, params, request.query, {})
        try:
            call = _allowed(call, request, operation)
            reply = charged(call, request, _handled(call, operation, request))
        except Refused as refused:
            reply = charged(call, request, refusal(refused))
        fault = hub.faults.find(request.method, template, request.path, after=True)
        by = call.token.account.login if call.token else call.app.slug if call.app else "-"
        return noted(hub, operation, request, reply=struck(fault) if fault else reply, by=by)


def struck(fault: Fault) -> Reply:
    """A fault's own answer."""
    body = json.dumps({"message": fault.message, "documentation_url": "https://docs.github.com/rest"})
    return Reply(
        fault.status, {"content-type": "application/json; charset=utf-8", **fault.headers}, body.encode()
    )


def refusal(refused: Refused) -> Reply:
    body = json.dumps(refused.body).encode()
    return Reply(refused.status, {"content-type": "application/json; charset=utf-8"}, body)


def _unknown(hub: Hub, request: Request) -> Reply:
    hub.journal.problems.append(f"unknown route: {request.method} {request.path}")
    return noted(hub, "unknown", request, reply=refusal(Refused(404, "Not Found")))


def noted(hub: Hub, operation: str, request: Request, *, reply: Reply, by: str = "-") -> Reply:
    asked = Asked(operation, request.path, reply.status, by, free=reply.status == 304)
    hub.journal.asked.append(asked)
    return reply


def _allowed(call: Call, request: Request, operation: str) -> Call:
    """With who calls and what is meant. Raises Refused."""
    version = request.headers.get("x-github-api-version")
    if version not in _VERSIONS:
        raise Refused(400, f"{version} is not a supported version of the API")
    if not request.headers.get("user-agent"):
        raise Refused(403, "Request forbidden by administrative rules. Please make sure your request has a "
                           "User-Agent header.")  # fmt: skip
    need, secret = OPERATIONS[operation], secret_of(request.headers.get("authorization"))
    if need == "jwt":
        return replace(call, app=app_of(call.hub, secret))
    if need == "open":
        return call
    call = replace(call, token=token_of(call.hub, secret))
    if "{repo}" not in operation:
        return call
    call = _in_repository(call, need, request)
    return _as_of(call, request, operation.split(" ")[1])


def _in_repository(call: Call, need: str, request: Request) -> Call:
    """Unseen is 404, seen but not permitted 403, as GitHub keeps them apart."""
    token, repo = call.token, call.hub.find(f"{call.params['owner']}/{call.params['repo']}")
    assert token
    if repo is None:
        raise Refused(404, "Not Found")
    name, level = need.split(":")
    if token.installation is None:
        wanted = "read" if request.method == "GET" or name == "issues" else "write"
        if not repo.allows(token.account, "read"):
            raise Refused(404, "Not Found")
        if not repo.allows(token.account, wanted):
            raise Refused(403, "Must have write access to the repository.")
    else:
        held = token.repositories if token.repositories is not None else token.installation.repositories
        if repo.id not in held:
            raise Refused(404, "Not Found")
        call = replace(call, target=repo)
        if not _permitted(call, name, level):
            raise Refused(403, "Resource not accessible by integration")
    return replace(call, target=repo)


def _as_of(call: Call, request: Request, template: str) -> Call:
    """With the past in place of the present, where a stale read is armed."""
    back = call.hub.faults.stale(request.method, template, request.path) if request.method == "GET" else 0
    past = call.hub.pasts.get(call.repo.id)
    return replace(call, target=call.repo.as_of(past[-min(back, len(past))])) if back and past else call


def _permitted(call: Call, name: str, level: str) -> bool:
    """A pull request's issue side may be used with either permission."""
    if call.has(name, level):
        return True
    number = call.params.get("issue_number")
    comment = call.repo.data.comments.get(int(call.params.get("comment_id", 0)))
    number = str(comment.number) if comment else number
    return (
        name == "issues"
        and bool(number)
        and int(number or 0) in call.repo.data.pulls
        and call.has("pull_requests", level)
    )


def _handled(call: Call, operation: str, request: Request) -> Reply:
    hub = call.hub
    try:
        body = request.json
    except ValueError as wrong:
        raise Refused(400, "Problems parsing JSON") from wrong
    problems = request_problems(operation, request.query, body)
    if problems:
        hub.journal.problems += [f"{operation}: {each}" for each in problems]
        raise Refused(422, "Invalid request.\n\n" + problems[0])
    plain = body if isinstance(body, dict) else {"labels": body}
    call = replace(call, body=plain if body is not None else {})
    if request.method != "GET" and call.target:
        hub.remember(call.repo)
    answer = ROUTES[operation](call)
    if isinstance(answer, Listing):
        answer = _page(call, request, answer)
    if problem := answer_problem(operation, answer.status, answer.body):
        hub.journal.problems.append(f"{operation}: the stand-in's own answer: {problem}")
    return _reply(request, answer)


def _page(call: Call, request: Request, listing: Listing) -> Answer:
    size = min(int(request.query.get("per_page", 30)), 100)
    page = int(request.query.get("page", 1))
    shown: Any = [listing.show(each) for each in listing.items[(page - 1) * size : page * size]]
    if listing.key:
        shown = {"total_count": len(listing.items), **listing.extra, listing.key: shown}
    last = max(-(-len(listing.items) // size), 1)
    ends = {"prev": page - 1, "next": page + 1, "last": last, "first": 1}
    if page >= last:
        del ends["next"], ends["last"]
    if page == 1:
        del ends["prev"], ends["first"]
    links = [
        f'<{call.hub.api}{request.path}?{urlencode({**request.query, "page": number})}>; rel="{name}"'
        for name, number in ends.items()
    ]
    return Answer(shown, headers={"link": ", ".join(links)} if links else {})


def _reply(request: Request, answer: Answer) -> Reply:
    headers = {"content-type": "application/json; charset=utf-8", **answer.headers}
    if answer.body is None:
        return Reply(answer.status, headers)
    body = json.dumps(answer.body).encode()
    if request.method == "GET":
        # GitHub's tags belong to the token that got them.
        mixed = body + request.headers.get("authorization", "").encode()
        headers["etag"] = f'W/"{hashlib.sha256(mixed).hexdigest()}"'
        if request.headers.get("if-none-match") == headers["etag"]:
            return Reply(304, headers)
    return Reply(answer.status, headers, body)


def charged(call: Call, request: Request, reply: Reply) -> Reply:
    """With the rate limit's headers; 304 is free."""
    if call.token is None:
        return reply
    holder = str(call.token.installation.id if call.token.installation else call.token.value)
    key = (holder, call.hub.clock.now // HOUR)
    free = reply.status == 304 or request.path == "/rate_limit"
    if not free and call.hub.used.get(key, 0) >= call.hub.limit:
        said = f"API rate limit exceeded for installation ID {holder}."
        reply = refusal(Refused(403, said))
        free = True
    call.hub.used[key] = call.hub.used.get(key, 0) + (not free)
    now = {f"x-ratelimit-{name}": str(value) for name, value in limits(call).items()}
    return replace(reply, headers={**reply.headers, **now, "x-ratelimit-resource": "core"})
