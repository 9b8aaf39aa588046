"""The header of a git bundle, read by us and not by git: bounded, and before anything is unpacked.

Format: https://git-scm.com/docs/gitformat-bundle
"""

from __future__ import annotations

import re
from typing import BinaryIO

from app.values import dataclass

__all__ = ["BadBundle", "BundleHeader", "read_header"]

_SIGNATURES = {b"# v2 git bundle\n": 2, b"# v3 git bundle\n": 3}
_LINE = re.compile(rb"(-?)([0-9a-f]{40})(?: (.*))?\n", re.DOTALL)
# One ref and a few prerequisites need less than 1 KB; 64 KB leaves room for long commit titles.
_HEADER_BYTES = 64 * 1024


class BadBundle(Exception):
    """Why the file is no bundle that we take, in words."""


@dataclass(frozen=True, slots=True)
class BundleHeader:
    """What a bundle says of itself. The pack starts at `offset` and says it holds `objects`."""

    prerequisites: tuple[str, ...]
    refs: tuple[tuple[str, str], ...]
    offset: int
    objects: int


def read_header(file: BinaryIO) -> BundleHeader:
    """Read up to the pack. Raises `BadBundle`."""
    head = file.read(_HEADER_BYTES)
    if not head:
        raise BadBundle("the bundle is empty")
    version = next((v for signature, v in _SIGNATURES.items() if head.startswith(signature)), None)
    if version is None:
        raise BadBundle("the file is not a git bundle")
    end = head.find(b"\n\n")
    if end < 0:
        raise BadBundle("the bundle's header has no end within 64 KB")
    lines = head[: end + 1].splitlines(keepends=True)[1:]
    prerequisites, refs = _lines(lines)
    return BundleHeader(prerequisites, refs, end + 2, _count(head[end + 2 : end + 14]))


def _lines(lines: list[bytes]) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    prerequisites: list[str] = []
    refs: list[tuple[str, str]] = []
    for line in lines:
        if line.startswith(b"@"):
            if line != b"@object-format=sha1\n":
                raise BadBundle(f"the bundle wants {line[1:60].decode('ascii', 'replace').strip()}")
            continue
        found = _LINE.fullmatch(line)
        if found is None:
            raise BadBundle("the bundle's header has a line that means nothing")
        if found[1]:
            prerequisites.append(found[2].decode())
        else:
            refs.append(((found[3] or b"").decode("utf-8", "replace"), found[2].decode()))
    return tuple(prerequisites), tuple(refs)


def _count(pack: bytes) -> int:
    if len(pack) < 12 or not pack.startswith(b"PACK"):
        raise BadBundle("the bundle has no pack, or only its beginning")
    return int.from_bytes(pack[8:12], "big")
