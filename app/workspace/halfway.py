"""A working tree between two commits: what would be overwritten, what is half written, and the way back."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from app.errors import RepositoryError
from app.workspace.changes import Change, parse_raw
from app.workspace.git import failure
from app.workspace.journal import Journal

__all__ = ["in_the_way", "restore"]

_SUBMODULE = "160000"


def in_the_way(journal: Journal) -> list[str]:
    """Untracked and ignored files where `new` has something. git itself would overwrite the ignored ones."""
    root = Path(journal.tree)
    changes = _changes(journal)
    leaving = {os.fsdecode(each.path) for each in changes if each.deleted}
    found: set[str] = set()
    for change in changes:
        if change.added:
            found.update(each for each in _occupied(root, os.fsdecode(change.path)) if each not in leaving)
    return sorted(found)


def _occupied(root: Path, path: str) -> Iterator[str]:
    """What is on disk on the way to `path` that is no folder, at `path`, or below it."""
    parts = path.split("/")
    for n in range(1, len(parts)):
        step = "/".join(parts[:n])
        mode = _mode(root / step)
        if mode is None:
            return
        if not stat.S_ISDIR(mode):
            yield step
            return
    mode = _mode(root / path)
    if mode is not None and stat.S_ISDIR(mode):
        for folder, folders, files in os.walk(root / path):
            links = [each for each in folders if (Path(folder) / each).is_symlink()]
            yield from (str((Path(folder) / each).relative_to(root)) for each in (*files, *links))
    elif mode is not None:
        yield path


def restore(journal: Journal, index: Path) -> None:
    """Bring every path that `new` changes back to `old`; `index` is a copy of theirs, at `old`.

    A path is ours when it is as in `old`, as in `new`, missing, or the beginning of what is in `new`.
    Anything else a person wrote since: then nothing is touched and `RepositoryError` names the paths.
    """
    root = Path(journal.tree)
    changes = [each for each in _changes(journal) if _SUBMODULE not in (each.mode, each.old_mode)]
    now = _contents(journal, changes)
    ours = [each for each in changes if now[each.path] != _expected(each)]
    edited = [each.name for each in ours if not _is_ours(journal, each, now[each.path])]
    if edited:
        listed = ", ".join(edited[:5])
        raise RepositoryError(
            f"a take-over was interrupted, and these files were edited since: {listed}",
            place=journal.tree,
            remedy=f"mv {edited[0]} {edited[0]}.mine, for each of them, then run again",
        )
    for change in ours:
        if change.added:
            _remove(root, os.fsdecode(change.path))
    back = [each.path for each in ours if not each.added]
    for path in back:
        _expect_no_folder(journal, root / os.fsdecode(path))
    told = b"".join(path + b"\0" for path in back)
    answer = journal.git(index).run("checkout-index", "-f", "-q", "-z", "--stdin", stdin=told)
    if not answer.ok:
        raise failure(answer, place=journal.tree, doing="checkout-index")


def _changes(journal: Journal) -> tuple[Change, ...]:
    flags = ("-r", "-z", "--raw", "--no-renames", "--no-abbrev")
    answer = journal.git().run("diff-tree", *flags, journal.old, journal.new)
    if not answer.ok:
        raise failure(answer, place=journal.tree, doing="diff-tree")
    return parse_raw(answer.out)


def _expected(change: Change) -> str | None:
    return None if change.added else change.old


def _contents(journal: Journal, changes: list[Change]) -> dict[bytes, str | None]:
    """The blob that each path would be if it were added now; None where there is no file."""
    root = Path(journal.tree)
    found: dict[bytes, str | None] = {}
    files = []
    for change in changes:
        path = root / os.fsdecode(change.path)
        mode = _mode(path)
        if mode is not None and stat.S_ISREG(mode):
            files.append(change.path)
        elif mode is not None and stat.S_ISLNK(mode):
            target = os.fsencode(path.readlink())
            found[change.path] = hashlib.sha1(b"blob %d\0" % len(target) + target).hexdigest()
        else:
            found[change.path] = None
    plain = [each for each in files if b"\n" not in each]
    git = journal.git()
    told = git.text("hash-object", "--stdin-paths", stdin=b"".join(each + b"\n" for each in plain)).split()
    found.update(zip(plain, told, strict=True))
    for each in files:
        if b"\n" in each:
            found[each] = git.text("hash-object", "--", os.fsdecode(each))
    return found


def _is_ours(journal: Journal, change: Change, blob: str | None) -> bool:
    if blob is None or blob == change.new:
        return True
    path = Path(journal.tree) / os.fsdecode(change.path)
    if change.deleted or path.is_symlink():
        return False
    whole = journal.git().run("cat-file", "--filters", f"--path={os.fsdecode(change.path)}", change.new)
    return whole.ok and whole.out.startswith(path.read_bytes())


def _remove(root: Path, path: str) -> None:
    """The file, and the folders that were made for it."""
    with suppress(FileNotFoundError, NotADirectoryError, IsADirectoryError):
        (root / path).unlink()
    for parent in (root / path).parents:
        if parent == root:
            return
        try:
            parent.rmdir()
        except FileNotFoundError:
            continue
        except OSError:
            return


def _expect_no_folder(journal: Journal, path: Path) -> None:
    # `checkout-index -f` would remove the folder with all that is in it.
    mode = _mode(path)
    if mode is None or not stat.S_ISDIR(mode):
        return
    with suppress(OSError):
        path.rmdir()
        return
    raise RepositoryError(
        f"a take-over was interrupted, and there is a folder where a file was: {path}",
        place=journal.tree,
        remedy="move its contents away, then run again",
    )


def _mode(path: Path) -> int | None:
    try:
        return path.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
