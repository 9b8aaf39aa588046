"""Taking secrets and host paths out of text before it is kept or shown. Pure."""

from __future__ import annotations

import base64
import re
from functools import cache
from urllib.parse import quote

from app.values import dataclass

__all__ = ["Redactor", "last_bytes", "one_line", "plain_text"]

HIDDEN = "<redacted>"
# Shapes of keys that are secret whoever they belong to.
SHAPES = re.compile(
    r"(?<![\w-])sk-(?=[\w-]*\d)[\w-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}"
    r"|A(?:KIA|SIA)[A-Z0-9]{16}|AIza[A-Za-z0-9_-]{35}|xox[abprs]-[A-Za-z0-9-]{10,}"
    r"|eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"
)
HEADERS = re.compile(
    r"(authorization[\"']?\s*[:=]\s*[\"']?(?:bearer|basic|token)\s+)[^\s\"',]{8,}"
    r"|((?:x-api-key|x-goog-api-key|api-key)[\"']?\s*[:=]\s*[\"']?)(?=[^\s\"',]*\d)[^\s\"',]{12,}",
    re.IGNORECASE,
)
IN_URL = re.compile(r"(?<=://)[^/\s:@]+:[^/\s@]+(?=@)")
PEM = re.compile(r"-----BEGIN ([A-Z ]*PRIVATE KEY)-----.*?(?:-----END \1-----|\Z)", re.DOTALL)
CONTROL = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b.?|[\x00-\x08\x0b-\x1f\x7f-\x9f]"
)


@dataclass(frozen=True, slots=True)
class Redactor:
    """`secrets` are known values, hidden in their usual encodings too; `paths` are `(host path, name)`."""

    secrets: tuple[str, ...] = ()
    paths: tuple[tuple[str, str], ...] = ()

    def __call__(self, text: str) -> str:
        """The text without secrets. Idempotent."""
        for form in _forms(self.secrets):
            text = text.replace(form, HIDDEN)
        text = PEM.sub(HIDDEN, text)
        text = SHAPES.sub(HIDDEN, text)
        text = HEADERS.sub(lambda found: f"{found[1] or found[2]}{HIDDEN}", text)
        text = IN_URL.sub(HIDDEN, text)
        for path, name in self.paths:
            text = re.sub(rf"(?<![\w.-]){re.escape(path)}(?![\w.-])", name.replace("\\", ""), text)
        return text


@cache
def _forms(secrets: tuple[str, ...]) -> list[str]:
    """Each secret as it is, for urls, in hex, and in base64 at each of the three offsets; longest first."""
    forms: set[str] = set()
    for secret in secrets:
        if len(secret) < 4:
            continue
        raw = secret.encode()
        forms |= {secret, quote(secret, safe=""), raw.hex(), raw.hex().upper()}
        for offset in range(3):
            # The characters at both ends depend on the neighbours, so only the middle can be known.
            coded = base64.b64encode(b"\0" * offset + raw).decode().rstrip("=")
            middle = coded[(0, 2, 3)[offset] : len(coded) - (1 if (offset + len(raw)) % 3 else 0)]
            if len(middle) >= 8:
                forms |= {middle, middle.replace("+", "-").replace("/", "_")}
    return sorted(forms, key=len, reverse=True)


def plain_text(text: str) -> str:
    """Without terminal sequences and control characters; lines and tabs stay."""
    return CONTROL.sub("", text.replace("\r\n", "\n"))


def one_line(text: str, limit: int = 200) -> str:
    """The last non-empty line, at most `limit` characters."""
    lines = [each.strip() for each in plain_text(text).splitlines() if each.strip()]
    line = lines[-1] if lines else ""
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def last_bytes(text: str, limit: int = 2048) -> str:
    """The end of a text, at most `limit` bytes of UTF-8, cut at a line where that is possible."""
    raw = text.encode("utf-8", "replace")
    if len(raw) <= limit:
        return text
    cut = raw[-limit:].decode("utf-8", "ignore")
    head, newline, rest = cut.partition("\n")
    return rest if newline and len(head) < limit // 2 else cut
