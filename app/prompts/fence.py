"""Foreign text as data: visible, bounded, and between markers that it cannot write itself."""

from __future__ import annotations

import hashlib
import re
from itertools import count

__all__ = ["clip", "fenced", "visible"]

# Directions and tags change or hide what a person sees while an engine reads them.
HIDDEN = re.compile("[\u200b\u200e\u200f\u2060-\u2064\u202a-\u202e\u2066-\u2069\ufeff\U000e0000-\U000e007f]")
LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
# What Unicode calls controls and surrogates, both fixed for ever, but for new lines and tabs.
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
COLOURS = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")


def visible(text: str) -> str:
    """The text as a person sees it: plain line ends, no control, colour, direction or tag characters."""
    if text.isascii() and text.isprintable():
        return text
    return CONTROLS.sub("", HIDDEN.sub("", COLOURS.sub("", LINE_ENDS.sub("\n", text))))


def clip(text: str, limit: int) -> str:
    """At most about `limit` characters: a third from the start, the rest from the end, the gap named."""
    if len(text) <= limit:
        return text
    head, tail = text[: limit // 3], text[len(text) - (limit - limit // 3) :]
    return f"{head}\n[… {len(text) - limit} characters left out …]\n{tail}"


def fenced(label: str, text: str, *, limit: int = 32_000) -> str:
    """`text` between marker lines whose number is nowhere in it; equal input gives equal output.

    `label` is ours (a word or two), never foreign.
    """
    body = clip(visible(text), limit).strip("\n")
    number = _number(label, body)
    return f"-----BEGIN DATA {label} {number}-----\n{body}\n-----END DATA {label} {number}-----"


def _number(label: str, body: str) -> str:
    digests = (hashlib.sha256(f"{label}\0{turn}\0{body}".encode()).hexdigest() for turn in count())
    return next(digest[:8] for digest in digests if digest[:8] not in body)
