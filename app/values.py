"""`@dataclass(frozen=True, slots=True)` as the standard library means it, in a twentieth of the time.

The library writes and compiles six methods for each class, about a millisecond. A command takes in three
hundred classes and makes values of some of them, so here five of the six are closures over the fields'
names, and `__init__` is compiled when it is first asked for. Fields, defaults and slots are the library's
own work; to type checkers this is its decorator. Any other kind of dataclass is passed on to it.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable
from operator import attrgetter
from types import MethodType
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

_MISSING = dataclasses.MISSING


def _value(cls: type[Any]) -> type[Any]:
    """The class with slots and with the methods that it does not define itself."""
    # Without words of its own the library would spell out the signature, which takes longer than all else.
    cls.__doc__ = cls.__doc__ or cls.__name__
    made: type[Any] = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    fields = dataclasses.fields(made)
    methods = {
        **_compared(tuple(each.name for each in fields if each.compare)),
        "__repr__": _shown(tuple(each.name for each in fields if each.repr)),
        "__init__": _Init(made),
        "__setattr__": _no_assignment,
        "__delattr__": _no_deletion,
        # What copies and pickles do by itself is to assign.
        "__getstate__": _state,
        "__setstate__": _restore,
    }
    for name, method in methods.items():
        if name not in vars(cls):
            setattr(made, name, method)
    return made


if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(**asked: bool) -> Callable[[type[Any]], type[Any]]:
        """A frozen class with slots is made here; what else is asked for is the library's."""
        if asked == {"frozen": True, "slots": True}:
            return _value
        return dataclasses.dataclass(**asked)


class _Init:
    """Stands for `__init__` until somebody looks at it, as a call does."""

    def __init__(self, cls: type[Any]) -> None:
        self._cls = cls

    def __get__(self, value: object | None, owner: type[Any]) -> Callable[..., None]:
        if self._cls.__dict__.get("__init__") is self:
            self._cls.__init__ = _compiled(self._cls)
        built: Callable[..., None] = self._cls.__dict__["__init__"]
        return built if value is None else MethodType(built, value)


def _compiled(cls: type[Any]) -> Callable[..., None]:
    """The method as the library writes it: parameters in the order of fields, `__post_init__` at the end."""
    given: dict[str, Any] = {"_set": object.__setattr__, "_unset": _MISSING}
    parameters, lines = ["self"], []
    for each in dataclasses.fields(cls):
        name, value = each.name, each.name
        if each.default_factory is not _MISSING:
            given[f"_make_{name}"] = each.default_factory
            value = f"_make_{name}() if {name} is _unset else {name}" if each.init else f"_make_{name}()"
        elif each.default is not _MISSING:
            given[f"_default_{name}"] = each.default
            value = name if each.init else f"_default_{name}"
        elif not each.init:
            continue
        if each.init:
            parameters.append(name + _default(each))
        lines.append(f"  _set(self, {name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        lines.append("  self.__post_init__()")
    written = f" def __init__({', '.join(parameters)}):\n" + ("\n".join(lines) or "  pass")
    made: dict[str, Any] = {}
    source = f"def make({', '.join(given)}):\n{written}\n return __init__"
    exec(source, sys.modules[cls.__module__].__dict__, made)
    method: Callable[..., None] = made["make"](**given)
    method.__annotations__ = {each.name: each.type for each in dataclasses.fields(cls) if each.init}
    method.__annotations__["return"] = None
    method.__qualname__ = f"{cls.__qualname__}.__init__"
    return method


def _default(field: dataclasses.Field[Any]) -> str:
    if field.default_factory is not _MISSING:
        return "=_unset"
    return "" if field.default is _MISSING else f"=_default_{field.name}"


def _compared(names: tuple[str, ...]) -> dict[str, Callable[..., Any]]:
    key: Callable[[Any], Any] = attrgetter(*names) if names else lambda _: ()

    def __eq__(self: Any, other: object) -> Any:
        return key(self) == key(other) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self: Any) -> int:
        return hash(key(self))

    return {"__eq__": __eq__, "__hash__": __hash__}


def _shown(names: tuple[str, ...]) -> Callable[[Any], str]:
    def __repr__(self: Any) -> str:
        told = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__qualname__}({told})"

    return __repr__


def _no_assignment(self: Any, name: str, value: object) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _no_deletion(self: Any, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, each.name) for each in dataclasses.fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for each, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)
