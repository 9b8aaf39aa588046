"""Where a request comes from: an option, a file, standard input, an edited plan, a template."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.starting import Asked
from app.config import nearest
from app.errors import UserError

if TYPE_CHECKING:
    from app.wiring import Workshop

__all__ = ["Source", "ask_for", "read_workflow", "workflow_names"]

_FOLDER = ".brat/workflows"
_MOST_BYTES = 8 * 1024 * 1024

Source = tuple[str | None, str | None, str | None, str | None]
"""The options task, task_file, plan and workflow; one of them is given."""


def ask_for(workshop: Workshop, source: Source, inputs: Sequence[str]) -> Asked:
    """Read what was named. Raises UserError when not exactly one source is."""
    task, task_file, plan, workflow = source
    given = [
        name
        for name, value in zip(("--task", "--task-file", "--plan", "--workflow"), source, strict=True)
        if value is not None
    ]
    if len(given) != 1:
        said = "nothing says what shall be done" if not given else f"{' and '.join(given)} exclude each other"
        raise UserError(
            said,
            remedy='one of: --task "...", --task-file FILE (or -), --plan FILE, --workflow NAME',
        )
    if inputs and workflow is None:
        raise UserError("--input fills in a template", remedy="name one with --workflow NAME")
    if plan is not None:
        return Asked(plan=_read(plan, "--plan"), place=plan)
    if workflow is not None:
        place, text = read_workflow(workshop, workflow)
        return Asked(workflow=text, place=place, inputs=_pairs(inputs))
    return Asked(text=task if task is not None else _read(str(task_file), "--task-file"))


def workflow_names(workshop: Workshop) -> tuple[str, ...]:
    """Templates on the base branch and in the working tree, by their file's name without its ending."""
    return tuple(sorted({Path(each).stem for each in _templates(workshop)}))


def read_workflow(workshop: Workshop, name: str) -> tuple[str, str]:
    """`(place, text)`. The base branch counts; a template that it lacks is read from the working tree."""
    found = _templates(workshop)
    chosen = next((each for each in found if Path(each).stem == name or Path(each).name == name), None)
    if chosen is not None:
        return chosen, found[chosen]
    known = workflow_names(workshop)
    near = nearest(name, known)
    raise UserError(
        f"there is no workflow {name!r}" + (f"; did you mean {near}?" if near else ""),
        place=_FOLDER,
        remedy=f"one of: {', '.join(known)}" if known else f"write {_FOLDER}/{name}.yaml",
    )


def _templates(workshop: Workshop) -> dict[str, str]:
    import pygit2

    found: dict[str, str] = {}
    work_tree = workshop.repository.work_tree
    if work_tree is not None:
        for file in sorted((work_tree / _FOLDER).glob("*.y*ml")):
            found[f"{_FOLDER}/{file.name}"] = file.read_text("utf-8", "replace")
    tree = pygit2.Repository(str(workshop.repository.common_dir))[workshop.repository.head].peel(pygit2.Tree)
    try:
        folder = tree[_FOLDER]
    except KeyError:
        return found
    for each in folder if isinstance(folder, pygit2.Tree) else ():
        if isinstance(each, pygit2.Blob) and str(each.name).endswith((".yaml", ".yml")):
            found[f"{_FOLDER}/{each.name}"] = each.data.decode("utf-8", "replace")
    return found


def _pairs(inputs: Sequence[str]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for each in inputs:
        name, sign, value = each.partition("=")
        if not sign or not name:
            raise UserError(f"--input {each!r} has no value", remedy="write it as --input name=value")
        pairs[name] = value
    return pairs


def _read(name: str, option: str) -> str:
    if name == "-":
        return sys.stdin.read(_MOST_BYTES)
    try:
        with Path(name).open(encoding="utf-8") as file:
            return file.read(_MOST_BYTES)
    except OSError as error:
        raise UserError(
            f"cannot be read: {(error.strerror or 'unknown reason').lower()}",
            place=f"{option} {name}",
            remedy="name a file that you can read, or - for standard input",
        ) from None
    except UnicodeDecodeError:
        raise UserError("is not UTF-8 text", place=f"{option} {name}", remedy="save it as UTF-8") from None
