"""A workflow file as plain data: text, lists and tables, nothing that YAML can do beyond that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

import yaml

from app.ports import WorkflowFile
from app.values import dataclass

__all__ = ["Unreadable", "Workflow", "as_list", "read_workflow"]

_LARGEST = 512 * 1024
_NODES = 20_000
"""GitHub takes 500 KB; what aliases unfold to is bounded here."""


class Unreadable(ValueError):
    """The file cannot be judged; the text says why."""


@dataclass(frozen=True, slots=True)
class Workflow:
    """`on` by event name, `jobs` by id; `rest` is the whole file."""

    path: str
    name: str
    on: Mapping[str, Any]
    jobs: Mapping[str, Mapping[str, Any]]
    rest: Mapping[str, Any] = field(default_factory=dict)


def read_workflow(file: WorkflowFile) -> Workflow:
    """The file read; every scalar stays text, so that `on` is no truth value. Raises `Unreadable`."""
    if len(file.text) > _LARGEST:
        raise Unreadable("it is too large")
    try:
        node = yaml.compose(file.text, yaml.BaseLoader)
    except (yaml.YAMLError, RecursionError):
        raise Unreadable("it is not YAML") from None
    data = _Plain().value(node, 0) if node else None
    if not isinstance(data, dict):
        raise Unreadable("it is not a table")
    jobs = data.get("jobs")
    if not isinstance(jobs, dict) or not all(isinstance(each, dict) for each in jobs.values()):
        raise Unreadable("its jobs are not a table of jobs")
    name = data.get("name")
    return Workflow(file.path, name if isinstance(name, str) else "", _events(data.get("on")), jobs, data)


def as_list(value: Any) -> list[str]:
    """One text or a list of texts. Raises `Unreadable` for anything else, and for an expression."""
    items = [value] if isinstance(value, str) else value
    if not isinstance(items, list) or not items or not all(isinstance(each, str) for each in items):
        raise Unreadable("it has something else where names are wanted")
    if any("${{" in each for each in items):
        raise Unreadable("it has an expression where names are wanted")
    return items


def _events(on: Any) -> dict[str, Any]:
    if isinstance(on, dict):
        return on
    if on is None or on == "":
        raise Unreadable("it does not say when it runs")
    return dict.fromkeys(as_list(on), "")


class _Plain:
    """One walk that unfolds aliases, counts what it makes, and refuses what has two readings."""

    def __init__(self) -> None:
        self.made = 0

    def value(self, node: yaml.Node, depth: int) -> Any:
        self.made += 1
        if self.made > _NODES or depth > 50:
            raise Unreadable("it is too large or too deep")
        if isinstance(node, yaml.SequenceNode):
            return [self.value(each, depth + 1) for each in node.value]
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, depth)
        return str(node.value)

    def _mapping(self, node: yaml.MappingNode, depth: int) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for key, value in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else None
            if not isinstance(name, str) or name == "<<":
                raise Unreadable("it has a key that is not a word")
            if name in result:
                raise Unreadable(f"it has the key {name!r} twice")
            result[name] = self.value(value, depth + 1)
        return result
