"""Deliveries: made by changes, signed, sent over HTTP when told to, and remembered for three days."""

from __future__ import annotations

import hashlib
import hmac
import json
import uuid
from dataclasses import dataclass, field
from typing import Any

import httpx

from tests.fakehub.accounts import App

__all__ = ["Delivery", "Webhooks"]


@dataclass(slots=True)
class Delivery:
    """One attempt to deliver. `code` None: not tried yet; 0 never comes: a lost one has 504 on record."""

    id: int
    guid: str
    app: App
    event: str
    action: str | None
    body: bytes
    installation: int | None
    repository: int | None
    made: int
    code: int | None = None
    redelivery: bool = False
    answer: str = ""

    @property
    def signature(self) -> str:
        return "sha256=" + hmac.new(self.app.webhook_secret.encode(), self.body, hashlib.sha256).hexdigest()

    @property
    def headers(self) -> dict[str, str]:
        return {
            "Accept": "*/*",
            "Content-Type": "application/json",
            "User-Agent": f"GitHub-Hookshot/{self.guid[:7]}",
            "X-GitHub-Delivery": self.guid,
            "X-GitHub-Event": self.event,
            "X-GitHub-Hook-ID": str(self.app.id),
            "X-GitHub-Hook-Installation-Target-ID": str(self.app.id),
            "X-GitHub-Hook-Installation-Target-Type": "integration",
            "X-Hub-Signature-256": self.signature,
        }


@dataclass(slots=True)
class Webhooks:
    """`pending` wait to be sent; `past` are on record. The plans strike the next ones to be sent."""

    pending: list[Delivery] = field(default_factory=list)
    past: list[Delivery] = field(default_factory=list)
    lost: int = 0
    forgotten: int = 0
    doubled: int = 0
    late: int = 0
    shuffled: bool = False
    every_third_lost: bool = False
    last_id: int = 7_000_000

    def make(self, app: App, event: str, payload: dict[str, Any], *, now: int) -> Delivery:
        """A delivery that waits; `forgotten` ones are never heard of again."""
        self.last_id += 1
        body = json.dumps(payload, separators=(",", ":")).encode()
        guid = str(uuid.uuid5(uuid.NAMESPACE_URL, f"{app.id}/{self.last_id}"))
        made = Delivery(
            self.last_id, guid, app, event, payload.get("action"), body,
            payload.get("installation", {}).get("id"), payload.get("repository", {}).get("id"), now,
        )  # fmt: skip
        if self.forgotten:
            self.forgotten -= 1
        else:
            self.pending.append(made)
        return made

    def take(self) -> list[Delivery]:
        """What is to be sent now: late ones stay, doubled ones come twice, lost ones only go on record.

        `shuffled` sends newest first; `every_third_lost` spares redeliveries.
        """
        kept, self.pending = self.pending[: self.late], self.pending[self.late :]
        self.late = 0
        if self.shuffled:
            self.pending.reverse()
        sent: list[Delivery] = []
        for each in self.pending:
            if self.lost or (self.every_third_lost and each.id % 3 == 0 and not each.redelivery):
                self.lost -= bool(self.lost)
                each.code, each.answer = 504, ""
                self.past.append(each)
                continue
            sent += [each, each] if self.doubled else [each]
            self.doubled -= bool(self.doubled)
        self.pending = kept
        return sent

    def again(self, delivery: Delivery, now: int) -> Delivery:
        """The same payload and GUID under a new id."""
        self.last_id += 1
        made = Delivery(
            self.last_id, delivery.guid, delivery.app, delivery.event, delivery.action, delivery.body,
            delivery.installation, delivery.repository, now, redelivery=True,
        )  # fmt: skip
        self.pending.append(made)
        return made

    def send(self, delivery: Delivery, *, signature: str | None = None) -> int:
        """Over HTTP to the App's address; the answer goes on record unless `signature` forges."""
        headers = delivery.headers | ({"X-Hub-Signature-256": signature} if signature else {})
        try:
            answer = httpx.post(
                delivery.app.webhook_url, content=delivery.body, headers=headers, timeout=10, trust_env=False
            )
            code, text = answer.status_code, answer.text
        except httpx.HTTPError:
            code, text = 502, ""
        if delivery.code is None and signature is None:
            delivery.code, delivery.answer = code, text
            self.past.append(delivery)
        return code
