"""The workspace: a repository of its own, made inside the sandbox, whose objects are borrowed."""

from __future__ import annotations

from pathlib import Path

from app.errors import OperatorError
from app.ports import SessionSpec
from app.runner.environment import AGENT_EMAIL, AGENT_NAME
from app.runner.folder import Folder
from app.runner.inside import Inside
from app.runner.isolation import Places
from app.values import dataclass

__all__ = ["Prepared", "object_stores", "prepare"]

EXCLUDED = (
    *("__pycache__/", "*.py[co]", ".pytest_cache/", ".mypy_cache/", ".ruff_cache/", ".hypothesis/", ".tox/"),
    *("node_modules/", ".npm/", ".venv/", ".gradle/", ".DS_Store", ".aider*"),
)
_CHECKOUT = """
git init --quiet --template= --initial-branch="$1" && git reset --quiet --hard "$2"
"""


@dataclass(frozen=True, slots=True)
class Prepared:
    """`conflicted` are the paths in which the carried work left conflict markers."""

    conflicted: tuple[str, ...] = ()


def object_stores(repository: Path) -> tuple[Path, ...]:
    """The repository's object store and those that it borrows from itself, in git's order."""
    found: list[Path] = []
    waiting = [
        repository / "objects" if (repository / "objects").is_dir() else repository / ".git" / "objects"
    ]
    while waiting:
        store = waiting.pop(0).resolve()
        if store in found or not store.is_dir():
            continue
        found.append(store)
        lines = _lines(store / "info" / "alternates")
        waiting += [store / line for line in lines if not line.startswith("#")]
    if not found:
        raise OperatorError("the session's repository is not there", place=str(repository))
    return tuple(found)


def prepare(spec: SessionSpec, folder: Folder, inside: Inside) -> Prepared:
    """Check the base out on the session's branch and merge the carried work into the tree, uncommitted."""
    places = inside.sandbox.places
    _settle_in(folder, places, shallow=_lines(_git_folder(Path(spec.repository)) / "shallow"))
    started = inside.script(_CHECKOUT, spec.branch or "work", spec.base)
    if not started.ok:
        reason = started.stderr.decode("utf-8", "replace").strip()
        raise OperatorError(f"cannot check out the base {spec.base[:12]}: {reason}", place="workspace")
    if spec.carry is None:
        return Prepared()
    # Never fails the session: what cannot be merged starts again from the base, conflicts stay as markers.
    inside.git("-c", "merge.conflictStyle=merge", "merge", "--quiet", "--squash", "--no-commit", spec.carry)
    unmerged = inside.git("diff", "--name-only", "--diff-filter=U", "-z").stdout
    return Prepared(tuple(name for name in unmerged.decode("utf-8", "surrogateescape").split("\0") if name))


def _settle_in(folder: Folder, places: Places, *, shallow: list[str]) -> None:
    # Nothing of the agent's has run yet. What stands in `config` before, `git init` completes.
    own = folder.workspace / ".git"
    (own / "objects" / "info").mkdir(parents=True, exist_ok=True)
    (own / "objects" / "info" / "alternates").write_text("".join(f"{each}\n" for each in places.objects))
    (own / "info").mkdir(exist_ok=True)
    (own / "info" / "exclude").write_text("".join(f"{each}\n" for each in EXCLUDED))
    with (own / "config").open("a") as config:
        config.write(f"[user]\n\tname = {AGENT_NAME}\n\temail = {AGENT_EMAIL}\n")
        config.write("[gc]\n\tauto = 0\n[core]\n\tpager = cat\n")
    if shallow:
        (own / "shallow").write_text("".join(f"{each}\n" for each in shallow))


def _git_folder(repository: Path) -> Path:
    return repository if (repository / "objects").is_dir() else repository / ".git"


def _lines(path: Path) -> list[str]:
    try:
        return [line for line in path.read_text("utf-8").splitlines() if line]
    except FileNotFoundError:
        return []
