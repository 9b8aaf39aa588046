"""The operator's word as it goes to the runner: keys are looked up last and kept in memory only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from app.errors import OperatorError
from app.ports import EngineSetup, Operator
from app.settings.values import EngineSettings, Settings

__all__ = ["DEFAULT_KEYS", "key_variable", "lend", "secret_values"]

DEFAULT_KEYS: Mapping[str, str] = {
    "claude-code": "ANTHROPIC_API_KEY",
    "codex": "OPENAI_API_KEY",
    "aider": "OPENAI_API_KEY",
}
"""Where a key is looked for when `key_env` does not say; `shell` has none."""

_LONGEST_PLAIN = 4
"""Shorter values are no secrets, and masking them would mask ordinary words."""


def lend(
    settings: Settings, environ: Mapping[str, str], *, engines: Iterable[str], isolation: str = "bwrap"
) -> Operator:
    """What sessions of these engines get. `isolation` is what `auto` came to on this machine.

    Raises `OperatorError` when an engine has no key. An engine with a `base_url` of the operator's and no
    `key_env` may be one that asks for no key.
    """
    chosen = settings.sandbox.isolation
    return Operator(
        engines=tuple(
            _setup(settings.engine(type), environ, settings.place) for type in sorted(set(engines))
        ),
        isolation=isolation if chosen == "auto" else chosen,
        network=settings.sandbox.network,
        read_only=settings.sandbox.read_only,
        path=settings.sandbox.path,
        secrets=secret_values(settings, environ),
        output_bytes=settings.limits.output_bytes,
    )


def key_variable(engine: EngineSettings) -> str | None:
    """The environment variable with the engine's key; None: it needs none."""
    return engine.key_env or DEFAULT_KEYS.get(engine.type)


def secret_values(settings: Settings, environ: Mapping[str, str]) -> tuple[str, ...]:
    """Every value that must not be seen in output, logs and events, longest first."""
    names = {*settings.secrets, *DEFAULT_KEYS.values()}
    names |= {each.key_env for each in settings.engines if each.key_env}
    values = {environ.get(name, "") for name in names}
    return tuple(
        sorted((each for each in values if len(each) > _LONGEST_PLAIN), key=lambda each: (-len(each), each))
    )


def _setup(engine: EngineSettings, environ: Mapping[str, str], place: str) -> EngineSetup:
    name = key_variable(engine)
    key = environ.get(name) if name else None
    if name and not key and (engine.key_env or not engine.base_url):
        raise OperatorError(
            f"no key: the environment variable {name} is not set",
            place=f"engine {engine.type}",
            remedy=f"export {name}=…, or name another variable: [engines.{engine.type}] key_env in {place}",
        )
    return EngineSetup(
        type=engine.type,
        command=engine.command,
        args=engine.args,
        base_url=engine.base_url,
        key=key or None,
        model=engine.model,
        input_usd_per_mtok=engine.input_usd_per_mtok,
        output_usd_per_mtok=engine.output_usd_per_mtok,
    )
