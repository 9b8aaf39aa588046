"""The App itself: who it is, where it is installed, tokens, deliveries, the manifest."""

from __future__ import annotations

import json
import secrets
from typing import Any

from tests.fakehub.accounts import App, Installation, Token
from tests.fakehub.clock import iso
from tests.fakehub.routes.table import Answer, Call, Listing, Refused, route
from tests.fakehub.views.basic import View, app_view, installation_view, repository_view, token_view
from tests.fakehub.webhooks import Delivery

__all__ = ["HOUR", "limits"]

HOUR = 3_600_000
_THREE_DAYS = 3 * 24 * HOUR


@route("GET /app")
def get_app(call: Call) -> Answer:
    count = sum(each.app is call.app for each in call.hub.installations.values())
    return Answer({**app_view(call.hub, call.own_app), "installations_count": count})


@route("GET /app/installations")
def list_installations(call: Call) -> Listing:
    found = [each for each in call.hub.installations.values() if each.app is call.app]
    return Listing(found, lambda each: installation_view(call.hub, each))


@route("GET /app/installations/{installation_id}")
def get_installation(call: Call) -> Answer:
    return Answer(installation_view(call.hub, _installation(call)))


@route("GET /repos/{owner}/{repo}/installation")
def get_of_repository(call: Call) -> Answer:
    repo = call.hub.find(f"{call.params['owner']}/{call.params['repo']}")
    for each in call.hub.installations.values():
        if each.app is call.app and repo and repo.id in each.repositories:
            return Answer(installation_view(call.hub, each))
    raise Refused(404, "Not Found")


def _installation(call: Call) -> Installation:
    found = call.hub.installations.get(int(call.params["installation_id"]))
    if found is None or found.app is not call.app:
        raise Refused(404, "Not Found")
    return found


@route("POST /app/installations/{installation_id}/access_tokens")
def create_token(call: Call) -> Answer:
    """Narrowed by `repositories`, `repository_ids` and `permissions`; good for an hour."""
    made, hub = _installation(call), call.hub
    if made.suspended:
        raise Refused(403, "This installation has been suspended")
    wanted = dict(call.body.get("permissions") or made.permissions)
    for name, level in wanted.items():
        held = made.permissions.get(name)
        if held is None or (level == "write" and held == "read"):
            raise Refused(422, "The permissions requested are not granted to this installation.")
    granted = tuple(sorted({"metadata": "read", **wanted}.items()))
    value, ends = "ghs_" + secrets.token_hex(18), hub.clock.now // 1000 * 1000 + HOUR
    token = Token(value, made.app.bot, made, granted, _chosen(call, made), ends)
    hub.tokens[token.value] = token
    return Answer(token_view(hub, token), 201)


def _chosen(call: Call, made: Installation) -> frozenset[int] | None:
    names, ids = call.body.get("repositories"), call.body.get("repository_ids")
    if names is None and ids is None:
        return None
    held = {each: call.hub.repositories[each] for each in made.repositories}
    named = {e.id for e in held.values() if e.name in (names or ())} | (set(ids or ()) & held.keys())
    if len(named) < len(names or ()) + len(ids or ()):
        raise Refused(422, "There is at least one repository that does not exist or is not accessible to the "
                           "parent installation.")  # fmt: skip
    return frozenset(named)


@route("GET /installation/repositories")
def list_repositories(call: Call) -> Listing:
    if not call.token or not call.token.installation:
        said = "You must authenticate with an installation access token in order to list repositories for it."
        raise Refused(403, said)
    named = call.token.repositories
    held = call.token.installation.repositories if named is None else named
    found = [call.hub.repositories[each] for each in sorted(held)]
    return Listing(found, repository_view, "repositories", {"repository_selection": "selected"})


@route("DELETE /installation/token")
def revoke(call: Call) -> Answer:
    assert call.token
    del call.hub.tokens[call.token.value]
    return Answer(status=204)


def limits(call: Call) -> View:
    """Where the caller stands in this hour."""
    assert call.token
    holder, now = (
        str(call.token.installation.id if call.token.installation else call.token.value),
        call.hub.clock.now,
    )
    used = call.hub.used.get((holder, now // HOUR), 0)
    reset = (now // HOUR + 1) * HOUR // 1000
    return {"limit": call.hub.limit, "used": used, "remaining": max(call.hub.limit - used, 0), "reset": reset}


@route("GET /rate_limit")
def rate_limit(call: Call) -> Answer:
    now = limits(call)
    return Answer({"resources": {"core": now, "search": now, "graphql": now}, "rate": now})


def _delivery_view(each: Delivery) -> View:
    code = each.code or 0
    return {
        "id": each.id,
        "guid": each.guid,
        "delivered_at": iso(each.made),
        "redelivery": each.redelivery,
        "duration": 0.1,
        "status": "OK" if 200 <= code < 300 else f"Invalid HTTP Response: {code}",
        "status_code": code,
        "event": each.event,
        "action": each.action,
        "installation_id": each.installation,
        "repository_id": each.repository,
        "throttled_at": None,
    }


@route("GET /app/hook/deliveries")
def list_deliveries(call: Call) -> Answer:
    """Newest first, of three days. Paged by cursor: `next` is an id to go on behind."""
    start = call.hub.clock.now - _THREE_DAYS
    found = [e for e in reversed(call.hub.webhooks.past) if e.app is call.app and e.made >= start]
    if call.query.get("status") in ("success", "failure"):
        good = call.query["status"] == "success"
        found = [each for each in found if (200 <= (each.code or 0) < 300) is good]
    found.sort(key=lambda each: -each.id)
    if "cursor" in call.query:
        found = [each for each in found if each.id < int(call.query["cursor"])]
    size = int(call.query.get("per_page", 30))
    headers = {}
    if len(found) > size:
        place = f"{call.hub.api}/app/hook/deliveries?per_page={size}&cursor={found[size - 1].id}"
        headers["link"] = f'<{place}>; rel="next"'
    return Answer([_delivery_view(each) for each in found[:size]], headers=headers)


def _delivery(call: Call) -> Delivery:
    wanted = int(call.params["delivery_id"])
    for each in call.hub.webhooks.past:
        if each.id == wanted and each.app is call.app:
            return each
    raise Refused(404, "Not Found")


@route("GET /app/hook/deliveries/{delivery_id}")
def get_delivery(call: Call) -> Answer:
    each = _delivery(call)
    request: dict[str, Any] = {"headers": each.headers, "payload": json.loads(each.body)}
    answer = {"headers": {}, "payload": each.answer}
    return Answer(
        {**_delivery_view(each), "url": each.app.webhook_url, "request": request, "response": answer}
    )


@route("POST /app/hook/deliveries/{delivery_id}/attempts")
def redeliver(call: Call) -> Answer:
    call.hub.webhooks.again(_delivery(call), call.hub.clock.now)
    call.hub.changed.notify_all()
    return Answer({}, 202)


def _hook(app: App) -> View:
    shown = {"content_type": "json", "insecure_ssl": "0", "url": app.webhook_url or "http://127.0.0.1/none"}
    return {**shown, **({"secret": "********"} if app.webhook_secret else {})}


@route("GET /app/hook/config")
def get_hook(call: Call) -> Answer:
    return Answer(_hook(call.own_app))


@route("PATCH /app/hook/config")
def update_hook(call: Call) -> Answer:
    app = call.own_app
    app.webhook_url = call.body.get("url", app.webhook_url)
    app.webhook_secret = call.body.get("secret", app.webhook_secret)
    return Answer(_hook(app))


@route("POST /app-manifests/{code}/conversions")
def convert(call: Call) -> Answer:
    """A code is good once."""
    manifest = call.hub.manifests.pop(call.params["code"], None)
    if manifest is None:
        raise Refused(404, "Not Found")
    slug = str(manifest.get("name", "brat")).lower().replace(" ", "-")
    made = call.hub.app(slug, permissions=manifest.get("default_permissions", {}))
    made.events = tuple(manifest.get("default_events", ()))
    hook = manifest.get("hook_attributes", {})
    made.webhook_url = hook.get("url", "") if hook.get("active", True) else ""
    made.webhook_secret = secrets.token_hex(20)
    private = {
        "client_id": made.client_id,
        "client_secret": secrets.token_hex(20),
        "pem": call.hub.keys[made.id],
    }
    return Answer({**app_view(call.hub, made), **private, "webhook_secret": made.webhook_secret}, 201)
