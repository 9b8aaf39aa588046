"""A plan's dependency graph for people: a drawing for terminals, and Mermaid for pages."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from app.mayor.order import Waits, layers, longest_chain, waits_of, width
from app.ports import Plan
from app.values import dataclass

__all__ = ["mermaid", "render_graph"]

# Two columns are kept free for the longest chain's mark and its space.
DEEPEST = 36


@dataclass(frozen=True, slots=True)
class _Pen:
    """What lines are drawn with."""

    on: str
    off: str
    branch: str
    last: str
    down: str
    arrow: str
    cut: str


UNICODE = _Pen("●", "○", "├─", "└─", "│ ", "→", "…")
ASCII = _Pen("*", "o", "|-", "`-", "| ", "->", "...")


def render_graph(plan: Plan, *, columns: int = 80, ascii_only: bool = False) -> str:
    """The graph as an outline: each task below the last one it waits for, further ones named beside it.

    Marked tasks are the longest chain. No line is wider than `columns`. Needs a plan without cycles.
    """
    pen = ASCII if ascii_only else UNICODE
    waits = waits_of(plan)
    children = _outline(waits)
    step = 3 if len(layers(waits)) * 3 <= DEEPEST else 1
    drawing = _Drawing(plan, pen, columns, step)
    lines = [line for name in children[""] for line in drawing.lines(name, children, ())]
    return "\n".join([*lines, *_legend(plan, pen, columns)]) + "\n"


def mermaid(plan: Plan) -> str:
    """The graph as a Mermaid flowchart (https://mermaid.js.org/syntax/flowchart.html), safe for any title."""
    number = {task.id: f"t{index}" for index, task in enumerate(plan.tasks, 1)}
    nodes = [f'  {number[task.id]}["{_entities(f"{task.id}: {task.title}")}"]' for task in plan.tasks]
    edges = [
        f"  {number[other]} --> {number[name]}" for name, others in waits_of(plan).items() for other in others
    ]
    return "\n".join(["flowchart TD", *nodes, *edges]) + "\n"


@dataclass(frozen=True, slots=True)
class _Drawing:
    plan: Plan
    pen: _Pen
    columns: int
    step: int

    def lines(self, name: str, children: dict[str, list[str]], open_at: tuple[bool, ...]) -> Iterator[str]:
        """The task's line and those of all below it; `open_at`: per level, whether a sister follows."""
        yield self._line(name, children, open_at)
        below = children[name]
        for child in below:
            yield from self.lines(child, children, (*open_at, child != below[-1]))

    def _line(self, name: str, children: dict[str, list[str]], open_at: tuple[bool, ...]) -> str:
        task = next(each for each in self.plan.tasks if each.id == name)
        parent = next((other for other, names in children.items() if name in names), "")
        mark = self.pen.on if name in longest_chain(self.plan) else self.pen.off
        more = [other for other in task.depends_on if other != parent]
        also = f"  (also after {', '.join(more)})" if more else ""
        head = f"{self._rails(open_at)}{mark} {name}  "
        room = self.columns - _wide(head)
        also = _cut(also, max(room - 12, 0), self.pen.cut)
        return _cut(
            head + _cut(task.title, max(room - _wide(also), 0), self.pen.cut) + also,
            self.columns,
            self.pen.cut,
        )

    def _rails(self, open_at: tuple[bool, ...]) -> str:
        if not open_at:
            return ""
        pen, gap = self.pen, " " * (self.step - 2)
        shown = open_at[-DEEPEST:]
        if self.step == 1:
            return (
                "".join(pen.down[0] if each else " " for each in shown[:-1])
                + (pen.branch if shown[-1] else pen.last)[0]
            )
        over = "".join((pen.down if each else "  ") + gap for each in shown[:-1])
        return over + (pen.branch if shown[-1] else pen.last) + gap


def _outline(waits: Waits) -> dict[str, list[str]]:
    """Children by parent, in plan order; a task's parent is the deepest task it waits for, "" for none."""
    level = {name: depth for depth, names in enumerate(layers(waits)) for name in names}
    children: dict[str, list[str]] = {"": [], **{name: [] for name in waits}}
    for name in waits:
        children[max(waits[name], key=lambda other: level[other], default="")].append(name)
    return children


def _legend(plan: Plan, pen: _Pen, columns: int) -> Iterator[str]:
    if len(plan.tasks) < 2:
        return
    chain = longest_chain(plan)
    most = width(waits_of(plan))
    yield ""
    yield _cut(f"{pen.on} longest chain ({len(chain)}): {f' {pen.arrow} '.join(chain)}", columns, pen.cut)
    yield f"{len(plan.tasks)} tasks, at most {most} at the same time"


def _wide(text: str) -> int:
    """Columns on a terminal: wide and full-width characters take two, combining ones none."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
    )


def _cut(text: str, columns: int, sign: str) -> str:
    if _wide(text) <= columns:
        return text.rstrip()
    kept = ""
    for char in text:
        if _wide(kept + char) > columns - len(sign):
            break
        kept += char
    return kept.rstrip() + sign


def _entities(text: str) -> str:
    return re.sub(r"[^\w .,:()/+-]", lambda found: f"#{ord(found[0])};", text)
