"""Foreign text inside our Markdown: shown as written; it formats, links, mentions and closes nothing.

Sources: https://github.github.com/gfm/ and what `app.prompts.defused` names.
"""

from __future__ import annotations

import html
import re

from app.prompts import clip, defused, visible

__all__ = [
    "LIMIT",
    "block",
    "code",
    "fits",
    "folded",
    "inline",
    "length",
    "link",
    "marked",
    "quoted",
    "short",
    "whole_lines",
]

LIMIT = 65_000
"""GitHub takes 65,536 characters in a comment or pull request; the rest is room for the marker."""

_ACTIVE = re.compile(r"[\\`*_\[\]|~$]")
_ADDRESS = re.compile(r"(?<=://)(?=\S)|(?<=\bwww\.)(?=\S)", re.IGNORECASE)
_AT = re.compile(r"@(?=\w)")
_BLOCK = re.compile(r"^(?:(?=[-+=#])|(\d{1,9})(?=[.)]))")


def length(text: str) -> int:
    """Characters as the code host may count them: a pair of UTF-16 units counts as two."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def fits(text: str, limit: int = LIMIT) -> bool:
    return length(text) <= limit


def whole_lines(text: str, limit: int = LIMIT) -> str:
    """As many lines as fit. A line cut in two could leave a code span open, and what it quotes would act."""
    if fits(text, limit):
        return text
    units = text.encode("utf-16-le", "surrogatepass")[: 2 * (limit - 4)]
    return f"{units.decode('utf-16-le', 'ignore').rpartition(chr(10))[0]}\n\n…"


def short(text: str, limit: int) -> str:
    """The text on one line of at most `limit` characters, the end cut with `…`."""
    flat = " ".join(visible(text).split())
    return flat if len(flat) <= limit else flat[: limit - 1].rstrip() + "…"


def inline(text: str, limit: int = 2_000) -> str:
    """Foreign text as one run of plain words, for paragraphs, list items and table cells."""
    calm = _AT.sub("@ ", _ADDRESS.sub(" ", defused(short(text, limit))))
    plain = _ACTIVE.sub(lambda found: f"\\{found[0]}", html.escape(calm, quote=False))
    return _BLOCK.sub(lambda found: f"{found[1] or ''}\\", plain)


def code(text: str, limit: int = 400, *, quiet: bool = False) -> str:
    """A code span that no backtick ends; `quiet` where the source may become a commit message too."""
    flat = _unmarked(short(text, limit))
    shown = defused(flat) if quiet else flat
    fence = "`" * (_longest_run(shown) + 1)
    pad = " " if shown.startswith("`") or shown.endswith("`") or not shown else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def block(text: str, language: str = "", *, limit: int = 8_000, quiet: bool = False) -> str:
    """A fenced block that no line inside ends; a gap of what is left out is named."""
    body = _unmarked(clip(visible(text), limit)).strip("\n")
    fence = "`" * max(3, _longest_run(body) + 1)
    return f"{fence}{language}\n{defused(body) if quiet else body}\n{fence}"


def quoted(text: str, limit: int = 8_000) -> str:
    """Foreign text of several lines as a quotation, which wraps on narrow screens."""
    lines = clip(visible(text), limit).strip("\n").split("\n")
    return "\n".join(f"> {inline(line, limit)}".rstrip() for line in lines)


def folded(summary: str, body: str) -> str:
    """A part that opens on demand; `summary` is shown as plain text."""
    title = html.escape(defused(short(summary, 200)), quote=False)
    return f"<details><summary>{title}</summary>\n\n{body.strip()}\n\n</details>"


def link(words: str, url: str) -> str:
    """A link of our own making to the code host's own page; anything but https is only words."""
    if not re.fullmatch(r"https?://[^\s<>()\"'`|\\\[\]]+", url):
        return words
    return f"[{words}]({url})"


def marked(body: str, key: str) -> str:
    """The body with its hidden marker as the last line, put there once.

    Nothing stands behind it: a code host that trims what it is sent would make equal texts differ.
    """
    marker = f"<!-- brat:{key} -->"
    return f"{body.rstrip().removesuffix(marker).rstrip()}\n\n{marker}"


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)


def _unmarked(text: str) -> str:
    return text.replace("<!--", "<! --")
