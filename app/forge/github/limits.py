"""What GitHub's refusals say about time: pure, from status, headers and words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

__all__ = ["limited_until"]

_MINUTE_MS = 60_000
_LONGEST_MS = 15 * _MINUTE_MS
_WORDS = ("rate limit", "abuse detection", "rate_limited", "was submitted too quickly")
_ABUSE = re.compile(r": (\w+ )?abuse(: |$)")
"""The code among a 422's details, beside its field at most; names of branches hold the word too."""


def limited_until(
    status: int, headers: Mapping[str, str], message: str, *, now: int, strikes: int = 0
) -> int | None:
    """When to come back (ms), or None where the answer is no rate limit.

    `retry-after`, then `x-ratelimit-reset`, else a minute that doubles with each strike:
    https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api
    """
    told = _after(headers.get("retry-after", ""), now)
    spent = headers.get("x-ratelimit-remaining") == "0"
    low = message.lower()
    words = any(each in low for each in _WORDS) or (status == 422 and _ABUSE.search(low) is not None)
    limited = status == 429 or words or (status == 403 and (told or spent))
    if status not in (200, 403, 422, 429) or not limited:
        return None
    if told is not None:
        return told
    reset = headers.get("x-ratelimit-reset", "")
    if spent and reset.isdigit():
        return max(int(reset) * 1000, now + 1000)
    return now + min(_MINUTE_MS << min(strikes, 8), _LONGEST_MS)


def _after(text: str, now: int) -> int | None:
    if text.strip().isdigit():
        return now + max(int(text), 1) * 1000
    try:
        return max(int(parsedate_to_datetime(text).timestamp() * 1000), now + 1000)
    except (ValueError, TypeError, IndexError):
        return None
