"""What is not REST and not git: GraphQL, job logs, the control interface."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.fakehub import graph
from tests.fakehub.control import steer
from tests.fakehub.dispatch import Reply, Request, charged, noted, refusal, struck
from tests.fakehub.routes.apps import limits
from tests.fakehub.routes.table import Call, Refused
from tests.fakehub.signing import secret_of, token_of

if TYPE_CHECKING:
    from tests.fakehub.hub import Hub

__all__ = ["serve_page"]

_JSON = {"content-type": "application/json; charset=utf-8"}


def serve_page(hub: Hub, request: Request) -> Reply:
    """Everything else is unknown, and said."""
    parts = request.path.strip("/").split("/")
    if request.path == "/api/graphql" and request.method == "POST":
        return _graphql(hub, request)
    if parts[0] == "_control" and request.method == "POST":
        return steer(hub, request, "/".join(parts[1:]))
    if parts[0] == "_logs":
        log = hub.repositories[int(parts[1])].data.jobs[int(parts[2])].log
        return Reply(200, {"content-type": "text/plain; charset=utf-8"}, log.encode())
    hub.journal.problems.append(f"unknown page: {request.method} {request.path}")
    return Reply(404, {"content-type": "text/plain"}, b"Not Found")


def _graphql(hub: Hub, request: Request) -> Reply:
    with hub.lock:
        fault = hub.faults.find("POST", request.path)
        if fault:
            return noted(hub, "POST /graphql", request, reply=struck(fault))
        try:
            token = token_of(hub, secret_of(request.headers.get("authorization")))
        except Refused as refused:
            return noted(hub, "POST /graphql", request, reply=refusal(refused))
        call = Call(hub, {}, {}, {}, token)
        now = limits(call)
        shown = {**now, "cost": 1, "nodeCount": 1, "resetAt": hub.clock.iso}
        back = hub.faults.stale("POST", request.path)
        body = graph.run(hub, token, request.json or {}, limits=shown, back=back)
        reply = charged(call, request, Reply(200, dict(_JSON), json.dumps(body).encode()))
        fault = hub.faults.find("POST", request.path, after=True)
        reply = struck(fault) if fault else reply
        return noted(hub, "POST /graphql", request, reply=reply, by=token.account.login)
