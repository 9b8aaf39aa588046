"""Templates as shown by `brat workflow list` and `show`."""

from __future__ import annotations

from typing import Any

from app.cli.call import Call
from app.cli.inputs import read_workflow, workflow_names
from app.cli.tables import Column, columns_of, indented, put, table
from app.errors import PlanError
from app.mayor import InputDescription, WorkflowDescription, describe_workflow

__all__ = ["list_workflows", "show_workflow"]

_LIST = (Column("workflow"), Column("steps", right=True), Column("inputs"), Column("what", shrinks=True))


def list_workflows(call: Call) -> None:
    """`brat workflow list`; one that cannot be read is listed with the reason."""
    workshop = call.workshop()
    rows, told = [], []
    for name in workflow_names(workshop):
        place, text = read_workflow(workshop, name)
        try:
            found = describe_workflow(text, place)
        except PlanError as error:
            rows.append((name, "-", "-", f"cannot be used: {error.problems[0]}"))
            told.append({"name": name, "place": place, "error": list(error.problems)})
            continue
        inputs = ", ".join(each.name + ("*" if each.required else "") for each in found.inputs)
        rows.append((name, str(len(found.steps)), inputs or "-", found.description or found.name))
        told.append({"name": name, "place": place, **_document(found)})
    if call.json:
        call.answer({"workflows": told})
        return
    if not rows:
        put(call, "No template yet: write one as .brat/workflows/NAME.yaml.")
        return
    for line in table(_LIST, rows, room=columns_of(call)):
        put(call, line)
    if any("*" in row[2] for row in rows):
        put(call, "* must be given: brat workflow run NAME --input name=value")


def show_workflow(call: Call, name: str) -> None:
    """`brat workflow show`."""
    place, text = read_workflow(call.workshop(), name)
    found = describe_workflow(text, place)
    if call.json:
        call.answer({"workflow": {"place": place, **_document(found)}})
        return
    room = columns_of(call)
    put(call, f"{found.name} ({found.type}, {place})", style="bold")
    for line in indented(found.description, by=2, room=room) if found.description else ():
        put(call, line)
    put(call, "inputs")
    for each in found.inputs:
        for line in indented(_input(each), by=2, room=room):
            put(call, line)
    if not found.inputs:
        put(call, "  none")
    put(call, "steps")
    for number, (id, title) in enumerate(found.steps, 1):
        for line in indented(f"{number}  {id}: {title}", by=2, room=room):
            put(call, line)
    given = "".join(f" --input {each.name}=…" for each in found.inputs if each.required)
    put(call, f"-> brat workflow run {name}{given}")


def _input(each: InputDescription) -> str:
    default = f", else {each.default!r}" if each.default is not None else ""
    must = "required" if each.required and each.default is None else f"optional{default}"
    return f"{each.name} ({must}){f': {each.description}' if each.description else ''}"


def _document(found: WorkflowDescription) -> dict[str, Any]:
    return {
        "title": found.name,
        "description": found.description,
        "type": found.type,
        "inputs": [
            {
                "name": each.name,
                "description": each.description,
                "required": each.required,
                "default": each.default,
            }
            for each in found.inputs
        ],
        "steps": [{"id": id, "title": title} for id, title in found.steps],
    }
