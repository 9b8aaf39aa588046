"""A class made here does what one of the standard library's does."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from dataclasses import field
from typing import Any

import pytest

from app.values import dataclass


def value(make: Callable[..., Callable[[type[Any]], type[Any]]]) -> type[Any]:
    @make(frozen=True, slots=True)
    class Value:
        """With every kind of field that the program uses."""

        name: str
        size: int = 1
        tags: list[str] = field(default_factory=list)
        secret: str = field(default="x", repr=False, compare=False)
        total: int = field(default=0, init=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "total", self.size + len(self.tags))

    return Value


Ours, Theirs = value(dataclass), value(dataclasses.dataclass)


@dataclass(frozen=True, slots=True)
class Point:
    """A value of this module, so that it can be pickled."""

    x: int
    y: int = 0


@pytest.mark.parametrize(
    ("given", "named"),
    [(("a",), {}), (("a", 2), {"tags": ["b"]}), ((), {"name": "a", "secret": "s"}), (("a", 1, [], "s"), {})],
)
def test_value_holds_and_shows_what_the_librarys_does(given: tuple[Any, ...], named: dict[str, Any]) -> None:
    ours, theirs = Ours(*given, **named), Theirs(*given, **named)
    assert dataclasses.asdict(ours) == dataclasses.asdict(theirs)
    assert repr(ours) == repr(theirs)
    assert dataclasses.asdict(dataclasses.replace(ours, size=7)) == dataclasses.asdict(
        dataclasses.replace(theirs, size=7)
    )


@pytest.mark.parametrize(("given", "named"), [((), {}), (("a", 1, [], "s", 0), {}), (("a",), {"total": 1})])
def test_wrong_arguments_are_refused(given: tuple[Any, ...], named: dict[str, Any]) -> None:
    for kind in (Ours, Theirs):
        with pytest.raises(TypeError):
            kind(*given, **named)


def test_equal_values_are_equal_and_hash_alike() -> None:
    assert (Point(1, 2), hash(Point(1, 2))) == (Point(1, 2), hash(Point(1, 2)))
    assert Point(1, 2) != Point(1, 3)
    assert Point(1, 2).__eq__((1, 2)) is NotImplemented
    assert Ours("a", secret="s") == Ours("a", secret="t")


def test_value_cannot_be_changed() -> None:
    point = Point(1)
    for name in ("x", "z"):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(point, name, 2)
        with pytest.raises(dataclasses.FrozenInstanceError):
            delattr(point, name)
    assert not hasattr(point, "__dict__")


def test_signature_and_match_are_the_librarys() -> None:
    ours, theirs = inspect.signature(Ours).parameters, inspect.signature(Theirs).parameters
    assert list(ours) == list(theirs)
    assert [each.annotation for each in ours.values()] == [each.annotation for each in theirs.values()]
    assert Ours.__match_args__ == Theirs.__match_args__
    assert [each.name for each in dataclasses.fields(Ours)] == [
        each.name for each in dataclasses.fields(Theirs)
    ]


def test_value_is_copied_and_pickled() -> None:
    point = Point(1, 2)
    assert copy.deepcopy(point) == copy.copy(point) == pickle.loads(pickle.dumps(point)) == point


def test_method_of_the_class_itself_stays() -> None:
    @dataclass(frozen=True, slots=True)
    class Loud:
        word: str

        def __repr__(self) -> str:
            return self.word.upper()

    assert repr(Loud("hello")) == "HELLO"


def test_other_kinds_are_the_librarys_own() -> None:
    @dataclass(slots=True)
    class Growing:
        count: int = 0

    growing = Growing()
    growing.count = 3
    assert growing == Growing(3)
