"""YAML as plain data with line numbers; nothing that YAML can do beyond that.

Taken in by the functions that read or write YAML: most plans come without, and the library takes its time.
"""

from __future__ import annotations

from typing import Any

import yaml

from app.errors import PlanError

__all__ = ["read_yaml", "write_yaml"]

Path = tuple[str | int, ...]

# PyYAML reads about 200 KB a second; the biggest plan a person would edit is far below this.
MAX_BYTES = 512 * 1024
PLAIN = {"str", "int", "float", "bool", "null"}


def read_yaml(text: str, place: str | None = None) -> tuple[Any, dict[Path, int]]:
    """The data and the line (from 1) of each value by its path. Raises PlanError.

    Refused: two documents, a key twice, anchors and aliases, tags. Dates stay text.
    """
    if len(text) > MAX_BYTES:
        raise PlanError(f"has {len(text)} characters; at most {MAX_BYTES} are read", place=place)
    try:
        node = yaml.compose(text, yaml.SafeLoader)
        reader = _Reader(place or "line")
        return (reader.value(node, ()) if node else None), reader.lines
    except RecursionError:
        raise PlanError("is nested too deeply", place=place) from None
    except yaml.YAMLError as error:
        raise PlanError(*_syntax(error, place)) from None


class _Reader:
    """One walk over the node tree; collects lines as it goes."""

    def __init__(self, place: str) -> None:
        self.place = place
        self.lines: dict[Path, int] = {}
        self._seen: set[int] = set()

    def value(self, node: yaml.Node, path: Path) -> Any:
        if id(node) in self._seen:
            raise self._refusal(node, "an alias (*name): write the value out")
        self._seen.add(id(node))
        self.lines[path] = node.start_mark.line + 1
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            return [self.value(each, (*path, index)) for index, each in enumerate(node.value)]
        return self._scalar(node)

    def _mapping(self, node: yaml.MappingNode, path: Path) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise self._refusal(key, "a key that is not a word")
            name = str(key.value)
            if name in result:
                raise self._refusal(key, f"the key {name!r} twice")
            result[name] = self.value(value, (*path, name))
            self.lines[(*path, name)] = key.start_mark.line + 1
        return result

    def _scalar(self, node: yaml.Node) -> Any:
        kind = node.tag.removeprefix("tag:yaml.org,2002:")
        if kind in ("timestamp", "value", "merge"):
            return node.value
        if kind not in PLAIN:
            raise self._refusal(node, f"the tag {node.tag}")
        try:
            return _construct(node)
        except ValueError:
            return node.value

    def _refusal(self, node: yaml.Node, what: str) -> PlanError:
        return PlanError(f"{self.place}:{node.start_mark.line + 1}: holds {what}")


def _construct(node: yaml.Node) -> Any:
    return yaml.SafeLoader("").construct_object(node)


def _syntax(error: yaml.YAMLError, place: str | None) -> tuple[str]:
    mark = getattr(error, "problem_mark", None)
    where = f"{place or 'line'}:{mark.line + 1}: " if mark else f"{place}: " if place else ""
    reason = getattr(error, "problem", None) or getattr(error, "reason", None) or "cannot be read"
    return (f"{where}is not YAML: {reason}",)


class _Dumper(yaml.SafeDumper):
    """Long text as a block, so that a person can edit it."""


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.Node:
    style = "|" if "\n" in value else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


_Dumper.add_representer(str, _text)


def write_yaml(data: Any) -> str:
    """The data as YAML, keys in their order, no aliases."""
    return yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)
