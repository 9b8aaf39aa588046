"""What GitHub is asked to create: the App with the least rights, and the addresses of the flow. Pure.

https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest
"""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote, urlsplit

from app.service.app import WEBHOOK_PATH
from app.webhooks import EVENTS

__all__ = ["PERMISSIONS", "manifest", "manifest_text", "new_app_url", "web_url"]

PERMISSIONS = {
    "actions": "write",
    "checks": "write",
    "contents": "write",
    "issues": "write",
    "merge_queues": "write",
    "metadata": "read",
    "pull_requests": "write",
    "statuses": "read",
}
"""Re-run failed jobs, post the check, push branches and the log, comment, merge. Neither `administration` nor
`workflows`: what needs those is left to a person."""

_ALWAYS_SENT = ("installation", "installation_repositories")
_NO_ADDRESS = "https://example.com"


def manifest(
    *, public_url: str | None, redirect_url: str | None = None, org: str | None = None
) -> dict[str, Any]:
    """The App's manifest. Without a public address its webhook is there but inactive."""
    asked: dict[str, Any] = {
        "name": f"brat-{org}"[:34] if org else "brat",
        "url": public_url or _NO_ADDRESS,
        "description": "Plans a labelled issue, has coding agents work on it, and lands what was tested.",
        "public": False,
        "hook_attributes": {
            "url": (public_url or _NO_ADDRESS) + WEBHOOK_PATH,
            "active": public_url is not None,
        },
        "default_events": sorted(set(EVENTS) - set(_ALWAYS_SENT)),
        # Teams of an organisation are asked for their members when CODEOWNERS names them.
        "default_permissions": {**PERMISSIONS, **({"members": "read"} if org else {})},
    }
    if redirect_url is not None:
        asked["redirect_url"] = redirect_url
    return asked


def manifest_text() -> str:
    """The file for those who register the App by hand."""
    return json.dumps(manifest(public_url=None), indent=2) + "\n"


def web_url(api_url: str) -> str:
    """Where people look at what this API serves."""
    parts = urlsplit(api_url)
    if parts.hostname == "api.github.com":
        return "https://github.com"
    return f"{parts.scheme}://{parts.netloc}"


def new_app_url(api_url: str, *, state: str, org: str | None) -> str:
    """Where the manifest is posted to."""
    owner = f"organizations/{quote(org, safe='')}/" if org else ""
    return f"{web_url(api_url)}/{owner}settings/apps/new?state={quote(state, safe='')}"
