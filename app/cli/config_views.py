"""The settings in force: each value, and whose word it is."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from app.cli.call import Call
from app.cli.tables import Column, columns_of, put, table
from app.config import Config, format_duration, format_size, known_keys, schema
from app.settings import Settings, key_variable
from app.settings import schema as operator_schema
from app.values import dataclass

__all__ = ["Value", "operator_values", "print_schema", "repository_values", "show_settings"]

_DEFAULT = "default"
_COLUMNS = (Column("key"), Column("value", shrinks=True), Column("from"))


@dataclass(frozen=True, slots=True)
class Value:
    """One key. `origin` is a file, `default`, or the operator's limit; `asked` is what that limit lowered."""

    key: str
    value: object
    origin: str
    asked: str | None = None


def show_settings(call: Call) -> None:
    """`brat config show`."""
    workshop = call.workshop()
    base = workshop.repository.base
    config = workshop.config.at(base)
    place, text = workshop.config.text(base)
    repository = list(repository_values(config, text, place=place))
    operator = list(operator_values(workshop.settings, workshop.surroundings.environ))
    branch = base.removeprefix("refs/heads/")
    if call.json:
        call.answer(
            {
                "base": branch,
                "repository": {"place": place or None, "values": [_document(each) for each in repository]},
                "operator": {
                    "place": workshop.settings.place,
                    "values": [_document(each) for each in operator],
                },
            }
        )
        return
    put(call, f"Repository: {place or 'no .brat/config.toml'}, for the base {branch}", style="bold")
    _print(call, repository, place)
    put(call)
    put(call, f"Operator: {workshop.settings.place}", style="bold")
    _print(call, operator, workshop.settings.place)


def print_schema(*, operator: bool) -> None:
    """`brat config schema`: always the document itself."""
    print(json.dumps(operator_schema() if operator else schema(), indent=2, ensure_ascii=False))


def repository_values(config: Config, text: str, *, place: str) -> Iterator[Value]:
    """Every key of `.brat/config.toml` as it is in force."""
    said = tomllib.loads(text)
    lowered = {each.key: each.asked for each in config.lowered}
    for kind, choice in config.engines:
        yield Value(f"engine.{kind}.type", choice.type, place)
        if choice.model is not None:
            yield Value(f"engine.{kind}.model", choice.model, place)
    if "default" not in dict(config.engines):
        yield Value("engine.default.type", config.engine_for("default").type, _DEFAULT)
    for name, keys in known_keys(schema()).items():
        if not name or "<" in name or name in ("refinery.check", "refinery.freeze"):
            continue
        for key in keys:
            dotted = f"{name}.{key}"
            if key == "check":
                yield from _checks(config, place)
            elif key == "freeze":
                yield from _freezes(config, place)
            elif dotted in lowered:
                yield Value(dotted, _value(config, name, key), "the operator's limit", lowered[dotted])
            else:
                origin = place if key in said.get(name, {}) else _DEFAULT
                yield Value(dotted, _value(config, name, key), origin)


def operator_values(settings: Settings, environ: Mapping[str, str]) -> Iterator[Value]:
    """The operator's word: how engines are run, the sandbox, the limits. A key is only said to be set."""
    place, plain = settings.place, Settings("")

    def origin(*, same: bool) -> str:
        return _DEFAULT if same else place

    allowed = settings.allow_engines
    yield Value("allow_engines", list(allowed), origin(same=allowed == plain.allow_engines))
    for engine in settings.engines:
        name = f"engines.{engine.type}"
        if engine.command:
            yield Value(f"{name}.command", list(engine.command), place)
        for key in ("args", "base_url", "model", "input_usd_per_mtok", "output_usd_per_mtok"):
            value = getattr(engine, key)
            if value not in (None, ()):
                yield Value(f"{name}.{key}", list(value) if isinstance(value, tuple) else value, place)
        variable = key_variable(engine)
        if variable:
            state = "set" if environ.get(variable) else "not set"
            yield Value(f"{name}.key_env", f"{variable} ({state})", origin(same=engine.key_env is None))
    for key in ("isolation", "network", "read_only", "path"):
        value, usual = getattr(settings.sandbox, key), getattr(plain.sandbox, key)
        shown = list(value) if isinstance(value, tuple) else value
        yield Value(f"sandbox.{key}", shown, origin(same=value == usual))
    for key in known_keys(operator_schema())["limits"]:
        value = _limit(settings, key)
        if value is not None:
            yield Value(f"limits.{key}", value, origin(same=value == _limit(plain, key)))


def _limit(settings: Settings, key: str) -> object:
    if key == "output":
        return format_size(settings.limits.output_bytes)
    value = getattr(settings.limits, f"{key}_ms" if key.endswith("timeout") else key)
    return format_duration(value) if value is not None and key.endswith("timeout") else value


def _checks(config: Config, place: str) -> Iterator[Value]:
    for number, check in enumerate(config.refinery.checks, 1):
        yield Value(f"refinery.check[{number}]", f"{check.name}: {check.run}", place)
    if not config.refinery.checks:
        yield Value("refinery.check", [], _DEFAULT)


def _freezes(config: Config, place: str) -> Iterator[Value]:
    for number, freeze in enumerate(config.refinery.freeze, 1):
        yield Value(f"refinery.freeze[{number}]", str(freeze), place)
    if not config.refinery.freeze:
        yield Value("refinery.freeze", [], _DEFAULT)


def _value(config: Config, name: str, key: str) -> object:
    policy = getattr(config, name)
    if hasattr(policy, f"{key}_ms"):
        return format_duration(getattr(policy, f"{key}_ms"))
    value = getattr(policy, key)
    return list(value) if isinstance(value, tuple) else value


def _print(call: Call, values: list[Value], place: str) -> None:
    rows = [(each.key, _written(each.value), _origin(each, place)) for each in values]
    for line in table(_COLUMNS, rows, room=columns_of(call)):
        put(call, line)


def _origin(value: Value, place: str) -> str:
    if value.asked is not None:
        return f"{value.origin} (asked: {value.asked})"
    return "this file" if value.origin == place and place else value.origin


def _written(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "true" if value else "false"
    return ", ".join(map(str, value)) or "none" if isinstance(value, list) else str(value)


def _document(value: Value) -> dict[str, Any]:
    return {"key": value.key, "value": value.value, "from": value.origin, "asked": value.asked}
