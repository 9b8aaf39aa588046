"""`check_suite`: all checks of one App on a commit began or ended.

https://docs.github.com/en/webhooks/webhook-events-and-payloads#check_suite
"""

from __future__ import annotations

from msgspec import Raw, Struct
from msgspec.json import Decoder

from app.webhooks.payload import NOTHING, Delivered, Hint, Numbered
from app.webhooks.signal import Signal

__all__ = ["check_suite"]


class _Check(Struct, frozen=True):
    pull_requests: tuple[Numbered, ...]


class _Payload(Delivered, frozen=True):
    check_suite: Raw = NOTHING


_payload, _check = Decoder(_Payload), Hint(_Check)


def check_suite(body: bytes) -> tuple[Signal, ...]:
    """The repository, with the first pull request of the commit where GitHub knows one."""
    read = _payload.decode(body)
    check = _check(read.check_suite)
    first = check.pull_requests[0].number if check and check.pull_requests else None
    return (read.signal("check", first),)
