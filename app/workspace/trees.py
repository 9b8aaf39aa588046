"""How many files a tree holds, without listing them: each distinct folder is read once.

A tree can name one folder ten times on each of ten levels. Listing or comparing it would not end, and git
collects a whole comparison in memory before it says anything.
"""

from __future__ import annotations

from app.workspace.git import Git, Overflow

__all__ = ["count_files"]

# Deeper than any path of 1024 bytes that somebody typed; it bounds the number of reads.
_DEEPEST = 128
_BYTES = 256 * 1024 * 1024


def count_files(git: Git, trees: tuple[str, ...]) -> dict[str, int]:
    """Files per tree (or commit). Raises `Overflow` when folders are nested deeper than 128."""
    known: dict[str, tuple[int, tuple[str, ...]]] = {}
    roots = dict(zip(trees, _resolved(git, trees), strict=True))
    frontier = set(roots.values())
    for _ in range(_DEEPEST):
        if not frontier:
            break
        read = _read(git, sorted(frontier))
        known.update(read)
        frontier = {each for _, folders in read.values() for each in folders} - known.keys()
    if frontier:
        raise Overflow(f"folders are nested deeper than {_DEEPEST}")
    sums: dict[str, int] = {}
    return {name: _sum(root, known, sums) for name, root in roots.items()}


def _resolved(git: Git, names: tuple[str, ...]) -> list[str]:
    return git.text("rev-parse", *(f"{each}^{{tree}}" for each in names)).split()


def _sum(tree: str, known: dict[str, tuple[int, tuple[str, ...]]], sums: dict[str, int]) -> int:
    if tree not in sums:
        files, folders = known[tree]
        sums[tree] = files + sum(_sum(each, known, sums) for each in folders)
    return sums[tree]


def _read(git: Git, trees: list[str]) -> dict[str, tuple[int, tuple[str, ...]]]:
    told = "".join(f"{each}\n" for each in trees).encode()
    out = git.run("cat-file", "--batch", stdin=told, limit=_BYTES).out
    found = {}
    at = 0
    for tree in trees:
        line, at = out[at : out.index(b"\n", at)], out.index(b"\n", at) + 1
        size = int(line.split(b" ")[2])
        found[tree] = _entries(out[at : at + size])
        at += size + 1
    return found


def _entries(body: bytes) -> tuple[int, tuple[str, ...]]:
    files, at = 0, 0
    folders: list[str] = []
    while at < len(body):
        end = body.index(b"\0", at)
        if body.startswith(b"40000 ", at):
            folders.append(body[end + 1 : end + 21].hex())
        else:
            files += 1
        at = end + 21
    return files, tuple(folders)
