"""Each kind as its payload array: one table of fields, read in both directions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cbor2

from app.grite import kinds
from app.grite.ids import IssueId
from app.grite.kinds import Kind, Symbol, Unknown
from app.values import dataclass

__all__ = ["kind_of", "payload_of"]


class _Misfit(Exception):
    """A payload that is not of the known shape."""


@dataclass(frozen=True, slots=True)
class _Field:
    """One place of a payload array, to the wire and back."""

    name: str
    write: Callable[[Any], object]
    read: Callable[[object], Any]


def _read_text(value: object) -> str:
    if type(value) is not str:
        raise _Misfit
    return value


def _read_number(value: object) -> int:
    if type(value) is not int or value < 0:
        raise _Misfit
    return value


def _read_bytes(value: object, *, length: int) -> str:
    if type(value) is not bytes or len(value) != length:
        raise _Misfit
    return value.hex()


def _read_sorted_texts(value: object) -> tuple[str, ...]:
    if type(value) is not list:
        raise _Misfit
    texts = tuple(_read_text(item) for item in value)
    if list(texts) != sorted(texts):
        raise _Misfit
    return texts


def _read_symbol(value: object) -> Symbol:
    if type(value) is not list or len(value) != 4:
        raise _Misfit
    name, kind, start, end = value
    return Symbol(_read_text(name), _read_text(kind), _read_number(start), _read_number(end))


def _read_symbols(value: object) -> tuple[Symbol, ...]:
    if type(value) is not list:
        raise _Misfit
    symbols = tuple(_read_symbol(item) for item in value)
    names = [(symbol.name, symbol.kind) for symbol in symbols]
    if names != sorted(names):
        raise _Misfit
    return symbols


def _write_symbols(symbols: tuple[Symbol, ...]) -> object:
    return [[symbol.name, symbol.kind, symbol.line_start, symbol.line_end] for symbol in symbols]


def _same(value: object) -> object:
    return value


def _text(name: str) -> _Field:
    return _Field(name, _same, _read_text)


def _optional(name: str) -> _Field:
    return _Field(name, _same, lambda value: None if value is None else _read_text(value))


def _one_of(name: str, *allowed: str) -> _Field:
    def read(value: object) -> str:
        if value not in allowed:
            raise _Misfit
        return _read_text(value)

    return _Field(name, _same, read)


def _hash(name: str) -> _Field:
    return _Field(name, bytes.fromhex, lambda value: _read_bytes(value, length=32))


_TARGET = _Field("target", bytes.fromhex, lambda value: IssueId(_read_bytes(value, length=16)))
_DEPENDENCY = (_TARGET, _one_of("type", "blocks", "depends_on", "related_to"))

_SHAPES: dict[int, tuple[Callable[..., Kind], tuple[_Field, ...]]] = {
    1: (kinds.IssueCreated, (_text("title"), _text("body"), _Field("labels", list, _read_sorted_texts))),
    2: (kinds.IssueUpdated, (_optional("title"), _optional("body"))),
    3: (kinds.CommentAdded, (_text("body"),)),
    4: (kinds.LabelAdded, (_text("label"),)),
    5: (kinds.LabelRemoved, (_text("label"),)),
    6: (kinds.StateChanged, (_one_of("state", "open", "closed"),)),
    7: (kinds.LinkAdded, (_text("url"), _optional("note"))),
    8: (kinds.AssigneeAdded, (_text("user"),)),
    9: (kinds.AssigneeRemoved, (_text("user"),)),
    10: (kinds.AttachmentAdded, (_text("name"), _hash("sha256"), _text("mime"))),
    11: (kinds.DependencyAdded, _DEPENDENCY),
    12: (kinds.DependencyRemoved, _DEPENDENCY),
    13: (
        kinds.ContextUpdated,
        (
            _text("path"),
            _text("language"),
            _Field("symbols", _write_symbols, _read_symbols),
            _text("summary"),
            _hash("content_hash"),
        ),
    ),
    14: (kinds.ProjectContextUpdated, (_text("key"), _text("value"))),
}
_TAGS: dict[object, int] = {shape[0]: tag for tag, shape in _SHAPES.items()}


def payload_of(kind: Kind) -> tuple[int, object]:
    """Tag and payload as they go to the wire."""
    if isinstance(kind, Unknown):
        return kind.tag, cbor2.loads(kind.payload)
    tag = _TAGS[type(kind)]
    return tag, [field.write(getattr(kind, field.name)) for field in _SHAPES[tag][1]]


def kind_of(tag: int, payload: object) -> Kind:
    """The kind that tag and payload mean; what does not fit the table is `Unknown` and carried on."""
    shape = _SHAPES.get(tag)
    try:
        return _known(shape, payload)
    except _Misfit:
        return Unknown(tag, cbor2.dumps(payload, canonical=True))


def _known(shape: tuple[Callable[..., Kind], tuple[_Field, ...]] | None, payload: object) -> Kind:
    if shape is None or type(payload) is not list or len(payload) != len(shape[1]):
        raise _Misfit
    return shape[0](*[field.read(value) for field, value in zip(shape[1], payload, strict=True)])
