"""The plan's graph as Mermaid, which the code host draws (https://mermaid.js.org/syntax/flowchart.html)."""

from __future__ import annotations

import re

from app.texts.markdown import short
from app.texts.view import StickyTask

__all__ = ["mermaid", "too_large"]

MOST_TEXT, MOST_EDGES = 40_000, 450
"""Mermaid draws nothing above 50,000 characters or 500 edges; this leaves room."""

_CLASS = {
    "merged": "done",
    "dropped": "off",
    "not done": "off",
    "running": "work",
    "rework": "work",
    "sent back": "work",
    "landing": "work",
    "in review": "work",
    "blocked": "stop",
    "held": "stop",
}
_COLOURS = {
    "done": "fill:#dafbe1,stroke:#1a7f37,color:#1f2328",
    "work": "fill:#ddf4ff,stroke:#0969da,color:#1f2328",
    "stop": "fill:#ffebe9,stroke:#cf222e,color:#1f2328",
    "wait": "fill:#f6f8fa,stroke:#818b98,color:#1f2328",
    "off": "fill:#f6f8fa,stroke:#d1d9e0,color:#818b98",
}


def mermaid(tasks: tuple[StickyTask, ...]) -> str:
    """Nodes with number and title, coloured by state; an arrow goes to the task that waits."""
    known = {task.number for task in tasks}
    kinds = {task.number: _kind(task) for task in tasks}
    lines = ["graph TD"]
    lines += [f'  t{task.number}["{task.number}: {_label(task)}"]:::{kinds[task.number]}' for task in tasks]
    lines += [
        f"  t{other} --> t{task.number}" for task in tasks for other in task.depends_on if other in known
    ]
    used = set(kinds.values())
    lines += [f"  classDef {name} {style}" for name, style in _COLOURS.items() if name in used]
    return "\n".join(lines)


def too_large(tasks: tuple[StickyTask, ...]) -> bool:
    """Whether the code host would refuse to draw it."""
    edges = sum(len(task.depends_on) for task in tasks)
    return edges > MOST_EDGES or len(mermaid(tasks)) > MOST_TEXT


def _kind(task: StickyTask) -> str:
    if task.wait is not None and task.wait.person:
        return "stop"
    return _CLASS.get(task.state, "wait")


def _label(task: StickyTask) -> str:
    """The title with everything that Mermaid could read as its own written as a number."""
    return re.sub(r"[^\w ,:()/+-]", lambda found: f"#{ord(found[0])};", short(task.spec.title, 48))
