"""A checklist as a plan: each `- [ ] title` is a task, and what is indented below it says how."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field

from app.errors import PlanError
from app.mayor.checkbox import Box, Outline, outline
from app.mayor.checkbox_keys import KEYS, Reading, key_of, read_key
from app.ports import Plan, PlannedTask

__all__ = ["plan_from_checklist"]

REMEDY = "the form of a checklist: `- [ ] title`, and indented below it `kind:`, `paths:`, `after:`, `run:`"
ALL_DONE = "add a task as `- [ ] title`, or take the tick from one that is not done, and ask again"
# A code block in Markdown is indented by four: what looks like a key in there is part of an example.
CODE = 4
SUMMARY = 4_000


@dataclass(slots=True)
class _Item:
    """A box while it is read."""

    number: int
    box: Box
    reading: Reading = field(default_factory=Reading)
    after_lines: list[int] = field(default_factory=list)
    after: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return f"task-{self.number}"

    @property
    def done(self) -> bool:
        return self.box.done


def plan_from_checklist(text: str, *, place: str | None = None, engine: str | None = None) -> Plan:
    """The plan that a checklist describes. Raises PlanError with every problem and its line.

    A task's id is `task-<n>` by its place in the list, ticked boxes counted; those are left out and
    count as merged. Nested boxes are steps inside their task. All other prose becomes the summary.
    `engine` does the tasks that name none.
    """
    found = outline(text)
    items = [_Item(number, box) for number, box in enumerate(found.boxes, 1)]
    problems = _loose(found)
    for item in items:
        problems += _read(item)
    for item in items:
        problems += _link(item, items)
    if items and all(item.done for item in items) and not problems:
        raise PlanError("nothing is left to do: every box is ticked", place=place, remedy=ALL_DONE)
    if not items:
        problems.append("has no open task: write one as `- [ ] title`")
    if problems:
        raise PlanError(*problems, place=place, remedy=REMEDY)
    return _plan(found, items, engine)


def _plan(found: Outline, items: list[_Item], engine: str | None) -> Plan:
    done = {item.id for item in items if item.done}
    tasks = tuple(_task(item, done, engine) for item in items if not item.done)
    prose = "\n".join(line.text for line in found.prose).strip("\n")
    summary = prose if len(prose) <= SUMMARY else prose[: SUMMARY - 2].rstrip() + " …"
    return Plan(
        summary=summary or (tasks[0].title if len(tasks) == 1 else f"{len(tasks)} tasks from a checklist"),
        tasks=tasks,
        notes=tuple(
            f"{item.id} is ticked already and left out: {item.box.title}"[:1_000]
            for item in items
            if item.done
        ),
    )


def _task(item: _Item, done: set[str], engine: str | None) -> PlannedTask:
    reading = item.reading
    return PlannedTask(
        id=item.id,
        title=item.box.title,
        kind=reading.kind or "default",
        instructions="\n".join(reading.instructions),
        commands=tuple(reading.run),
        paths=tuple(reading.paths),
        reads=tuple(reading.reads),
        depends_on=tuple(name for name in item.after if name not in done),
        engine=reading.engine or engine,
        size=reading.size or "M",
        timeout_ms=reading.timeout_ms,
    )


def _loose(found: Outline) -> list[str]:
    """A key at the margin right below a task: surely meant for it, and lost where it stands."""
    keys = ((line, key_of(line.text)) for line in found.loose)
    return [
        f"line {line.number}: `{key[0]}:` must be indented below its task"
        for line, key in keys
        if key and key[0] in KEYS
    ]


def _read(item: _Item) -> list[str]:
    box = item.box
    problems: list[str] = []
    if box.mark not in (" ", "x", "X"):
        problems.append(f"line {box.line}: the box [{box.mark}] is neither open `[ ]` nor done `[x]`")
    if not box.title:
        problems.append(f"line {box.line}: task {item.number} has no title: write it after the box")
    if item.done:
        return problems
    margin = min((line.indent for line in box.body if line.text), default=0)
    kept: list[str] = []
    for line in box.body:
        plain = line.fenced or not line.text or line.indent >= margin + CODE
        key = None if plain else key_of(line.text)
        outcome = read_key(item.reading, key) if key else None
        item.after_lines += [line.number] if key and key[0] == "after" and outcome == "" else []
        if outcome is None:
            kept.append(line.text)
        elif outcome:
            problems.append(f"line {line.number}: {outcome}")
    item.reading.instructions = textwrap.dedent("\n".join(kept)).strip("\n").splitlines()
    return problems


def _link(item: _Item, items: list[_Item]) -> list[str]:
    """Replaces what `after:` says by ids."""
    problems: list[str] = []
    ids: list[str] = []
    for line, text in _wanted(item, items):
        found = _named(text, items)
        if len(found) == 1:
            ids.append(found[0].id)
        elif found:
            problems.append(f"{line}: `after: {text}` fits {len(found)} tasks: name it by number")
        else:
            problems.append(
                f"{line}: `after: {text}` names no task: allowed are 1 to {len(items)}, or a title"
            )
    item.after = tuple(dict.fromkeys(ids))
    return problems


def _wanted(item: _Item, items: list[_Item]) -> list[tuple[str, str]]:
    """The single names in `after:` with their lines; the longest run of parts that is a title stays whole."""
    result: list[tuple[str, str]] = []
    for number, text in zip(item.after_lines, item.reading.after, strict=True):
        parts = [part.strip() for part in text.split(",") if part.strip()]
        while parts:
            whole = (size for size in range(len(parts), 0, -1) if _named(", ".join(parts[:size]), items))
            size = next(whole, 1)
            result.append((f"line {number}", ", ".join(parts[:size])))
            parts = parts[size:]
    return result


def _named(text: str, items: list[_Item]) -> list[_Item]:
    word = text.strip().strip('"`').removeprefix("#").casefold()
    by: tuple[Callable[[_Item], bool], ...] = (
        lambda item: word in (str(item.number), item.id),
        lambda item: item.box.title.casefold() == word,
    )
    return next((found for test in by if (found := [item for item in items if test(item)])), [])
