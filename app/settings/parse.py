"""The operator's file from text to `Settings`, with what is said about keys that do not belong in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from app.config import ENGINES, Answer, Document, KeyPath, Problem, file_schema, known_keys, nearest, read
from app.config import schema as repository_schema
from app.settings.models import LimitsTable, OperatorFile
from app.settings.values import EngineSettings, SandboxSettings, Settings, UpperLimits
from app.values import dataclass

__all__ = ["Surroundings", "parse_settings", "schema"]

_SECRETS = ("api_key", "apikey", "key", "password", "secret", "token")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the file's text does not say."""

    home: Path
    color: bool


def parse_settings(text: str, around: Surroundings, *, place: str) -> Settings:
    """The operator's word; an empty text is all defaults. Raises `ConfigError` with every problem in it."""
    document = Document(OperatorFile, advice=_advice, checks=lambda file: _checks(file, around.home))
    file = read(text, document, place=place)
    return Settings(
        place=place,
        color=around.color,
        engines=tuple(
            EngineSettings(
                type=name,
                base_url=table.base_url,
                key_env=table.key_env,
                command=tuple(table.command or ()),
                args=tuple(table.args),
                model=table.model,
                input_usd_per_mtok=table.input_usd_per_mtok,
                output_usd_per_mtok=table.output_usd_per_mtok,
            )
            for name, table in file.engines.items()
        ),
        sandbox=SandboxSettings(
            isolation=file.sandbox.isolation,
            network=file.sandbox.network,
            read_only=tuple(str(_absolute(each, around.home)) for each in file.sandbox.read_only),
            path=tuple(str(_absolute(each, around.home)) for each in file.sandbox.path),
        ),
        limits=_limits(file.limits),
        allow_engines=tuple(file.allow_engines or ENGINES),
        secrets=tuple(file.secrets),
    )


def schema() -> dict[str, Any]:
    """JSON Schema of the operator's file, for editors."""
    return file_schema(OperatorFile)


def _limits(table: LimitsTable) -> UpperLimits:
    return UpperLimits(
        max_polecats=table.max_polecats,
        session_timeout_ms=table.session_timeout,
        idle_timeout_ms=table.idle_timeout,
        attempts=table.attempts,
        max_tasks=table.max_tasks,
        convoy_usd=table.convoy_usd,
        session_usd=table.session_usd,
        day_usd=table.day_usd,
        output_bytes=table.output,
    )


def _advice(path: KeyPath, value: object) -> Answer | None:
    """For keys only where they are unknown; a known key never gets here with one of these names."""
    key = str(path[-1])
    if len(path) == 1 and key == "engine" and isinstance(value, dict):
        how = set(known_keys(schema())["engines.<engine>"]) - {"model"}
        meant = [
            name
            for name, table in value.items()
            if name in ENGINES or (isinstance(table, dict) and how & set(table))
        ]
        if meant:
            name = nearest(meant[0], ENGINES) or "<engine>"
            return Answer(f"is the repository's table; how {name} is run is said by [engines.{name}] here")
    if len(path) == 1 and key in known_keys(repository_schema())[""]:
        return Answer(
            "is a table of the repository's file", "it goes into .brat/config.toml on the base branch"
        )
    if len(path) > 1 and key.lower() in _SECRETS:
        return Answer(
            "would put a secret into a file", 'key_env = "NAME" names the environment variable that holds it'
        )
    return None


def _checks(file: OperatorFile, home: Path) -> Iterator[Problem]:
    for name, table in file.engines.items():
        prices = {
            "input_usd_per_mtok": table.input_usd_per_mtok,
            "output_usd_per_mtok": table.output_usd_per_mtok,
        }
        if len([price for price in prices.values() if price is not None]) == 1:
            there = next(key for key, price in prices.items() if price is not None)
            other = next(key for key, price in prices.items() if price is None)
            yield Problem(("engines", name, there), Answer(f"meters nothing without `{other}`"))
        if name == "shell" and table.base_url is not None:
            yield Problem(("engines", name, "base_url"), Answer("has no effect: shell calls no model"))
    for index, path in enumerate(file.sandbox.read_only):
        if home.is_relative_to(_absolute(path, home)):
            said = "would show the home directory, which stays invisible inside"
            yield Problem(("sandbox", "read_only", index), Answer(said, "name the folders that are needed"))


def _absolute(path: str, home: Path) -> Path:
    """`~` is the given home; `..` is taken out without looking at the disk."""
    parts: list[str] = []
    for part in (home / path[2:] if path.startswith("~") else Path(path)).parts[1:]:
        parts = parts[:-1] if part == ".." else [*parts, part]
    return Path("/", *parts)
