"""What became of a delivery."""

from __future__ import annotations

from typing import Literal

from app.values import dataclass

__all__ = ["STATUS", "Outcome", "Receipt"]

Outcome = Literal[
    "accepted",
    "away",
    "duplicate",
    "forged",
    "headers",
    "ignored",
    "large",
    "slow",
    "type",
    "unreadable",
    "unsigned",
]

STATUS: dict[Outcome, tuple[int, str]] = {
    "accepted": (202, "taken"),
    "duplicate": (202, "taken before"),
    "ignored": (202, "not an event that is used"),
    "unsigned": (401, "X-Hub-Signature-256 is missing"),
    "forged": (401, "the signature is not of this body and secret"),
    "slow": (408, "the body took too long"),
    "large": (413, "the body is too large"),
    "headers": (400, "X-GitHub-Event or X-GitHub-Delivery is missing or malformed"),
    "type": (415, "the App's webhook wants content type application/json"),
    "unreadable": (400, "the body is not a JSON object that names what it is about"),
    "away": (503, "cannot be kept now: redeliver"),
}
"""How each outcome is answered."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """For counts and logs. `event` and `delivery` are empty until the signature was right."""

    outcome: Outcome
    event: str = ""
    delivery: str = ""
    signals: int = 0

    @property
    def status(self) -> int:
        return STATUS[self.outcome][0]

    @property
    def said(self) -> str:
        return STATUS[self.outcome][1]
