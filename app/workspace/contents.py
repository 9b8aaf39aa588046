"""What the commits between a base and a head do to the tree, held against the rules."""

from __future__ import annotations

from app.values import dataclass
from app.workspace.changes import Change, parse_raw, shown
from app.workspace.git import Answer, Git, Overflow, quoted_words
from app.workspace.names import bad_link, bad_mode, bad_name, case_twins
from app.workspace.rules import Rules
from app.workspace.trees import count_files

__all__ = ["Look", "examine_work", "meaningful_blobs"]

_DIFF = ("diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", "--no-commit-id")
_MOST_PROBLEMS = 20
# 2000 long paths in 200 commits, twice over.
_LIST_BYTES = 16 * 1024 * 1024
_TREE_BYTES = 128 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Look:
    """`touched` differs between base and head; `ever_touched` also holds what a later commit took back."""

    touched: tuple[str, ...] = ()
    ever_touched: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    commits: int = 0


def examine_work(git: Git, base: str, head: str, *, rules: Rules) -> Look:
    """Every problem of the work, at most 20. Raises `Overflow` when git takes too long."""
    commits = git.run("rev-list", f"--max-count={rules.commits + 1}", head, f"^{base}").text.split()
    problems = (
        _unrelated(git, base, head)
        or _too_many(commits, rules)
        or _objects(git, base, head, rules=rules)
        or _too_wide(git, base, commits, rules=rules)
    )
    if problems:
        return Look(problems=problems, commits=len(commits))
    net, every = _changes(git, base, head, commits=commits)
    touched = tuple(sorted({each.name for each in net}))
    ever = tuple(sorted({each.name for each in (*net, *every)}))
    if len(ever) > rules.files:
        return Look(problems=(f"{len(ever)} files, {rules.files} are allowed",), commits=len(commits))
    found = (*_rules_broken(git, (*net, *every)), *_twins(git, head, net))
    return Look(touched, ever, _capped(found), len(commits))


def meaningful_blobs(git: Git, commit: str) -> tuple[str, ...]:
    """The blobs of a commit that git itself obeys: `.gitmodules` and `.gitattributes`, in any folder."""
    listed = git.run("ls-tree", "-r", "-z", "--full-tree", commit, limit=_TREE_BYTES)
    entries = (entry.partition(b"\t") for entry in _answered(listed).out.split(b"\0") if entry)
    found = (told.split()[2].decode() for told, _, path in entries if _is_meaningful(path))
    return tuple(dict.fromkeys(found))


def _is_meaningful(path: bytes) -> bool:
    return path.rpartition(b"/")[2].lower() in (b".gitmodules", b".gitattributes")


def _unrelated(git: Git, base: str, head: str) -> tuple[str, ...]:
    if git.holds("merge-base", "--is-ancestor", base, head):
        return ()
    if not git.holds("cat-file", "-e", f"{head}^{{commit}}"):
        return (f"the bundle does not hold its head {head[:12]}",)
    return (f"{head[:12]} does not descend from the base {base[:12]}",)


def _too_many(commits: list[str], rules: Rules) -> tuple[str, ...]:
    return (f"more than {rules.commits} commits",) if len(commits) > rules.commits else ()


def _too_wide(git: Git, base: str, commits: list[str], *, rules: Rules) -> tuple[str, ...]:
    try:
        counts = count_files(git, (base, *commits))
    except Overflow as over:
        return (f"too much to look at: {over}",)
    most = max(counts.values()) - counts[base]
    return (f"adds {most} files, {rules.files} are allowed",) if most > rules.files else ()


def _objects(git: Git, base: str, head: str, *, rules: Rules) -> tuple[str, ...]:
    """Everything the head reaches is here, and no new object is too large."""
    listed = git.run("rev-list", "--objects", "--no-object-names", head, f"^{base}", limit=_LIST_BYTES)
    if not listed.ok:
        return (f"objects are missing: {quoted_words(listed.err)}",)
    sizes = git.run("cat-file", "--batch-check=%(objectsize) %(objectname)", stdin=listed.out)
    if not sizes.ok:
        return (f"objects are missing: {quoted_words(sizes.err)}",)
    problems = []
    for line in sizes.text.splitlines():
        size, _, name = line.partition(" ")
        if not size.isdigit():
            problems.append(f"the object {size[:12]} is missing")
        elif int(size) > rules.blob_bytes:
            problems.append(f"the object {name[:12]} has {size} bytes, {rules.blob_bytes} are allowed")
    return _capped(problems)


def _changes(
    git: Git, base: str, head: str, *, commits: list[str]
) -> tuple[tuple[Change, ...], tuple[Change, ...]]:
    """The net difference, and what each commit does; of a merge, what differs from all its parents."""
    net = _answered(git.run(*_DIFF, base, head, limit=_LIST_BYTES))
    told = "".join(f"{each}\n" for each in commits).encode()
    each = _answered(git.run(*_DIFF, "-c", "--root", "--stdin", stdin=told, limit=_LIST_BYTES))
    return parse_raw(net.out), parse_raw(each.out)


def _answered(answer: Answer) -> Answer:
    if not answer.ok:
        raise Overflow(quoted_words(answer.err))
    return answer


def _rules_broken(git: Git, changes: tuple[Change, ...]) -> list[str]:
    found: dict[str, None] = {}
    links: dict[str, list[Change]] = {}
    for change in changes:
        if change.deleted:
            continue
        named = bad_name(change.path) if change.added else None
        for reason in filter(None, (named, bad_mode(change.mode))):
            found[f"{change.name!r} {reason}"] = None
        if change.mode == "120000":
            links.setdefault(change.new, []).append(change)
    for blob, users in links.items():
        size = git.run("cat-file", "-s", blob).text
        target = git.run("cat-file", "blob", blob).out if size.isdigit() and int(size) < 4096 else b"/"
        for change in users:
            if leads := bad_link(change.name, target):
                found[f"{change.name!r} {leads}"] = None
    return list(found)


def _twins(git: Git, head: str, net: tuple[Change, ...]) -> list[str]:
    added = [each.name for each in net if each.added]
    if not added:
        return []
    tree = _answered(git.run("ls-tree", "-r", "-z", "--name-only", head, limit=_TREE_BYTES))
    everything = [shown(path) for path in tree.out.split(b"\0") if path]
    return [f"{path!r} differs from {other!r} only in case" for path, other in case_twins(added, everything)]


def _capped(problems: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    rest = len(problems) - _MOST_PROBLEMS
    return (*problems[:_MOST_PROBLEMS], *((f"and {rest} more",) if rest > 0 else ()))
