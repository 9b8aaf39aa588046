"""The engines of this release, by the type that plans and settings name."""

from __future__ import annotations

from app.errors import OperatorError
from app.ports import EngineSetup
from app.runner.engines.aider import Aider
from app.runner.engines.claude import ClaudeCode
from app.runner.engines.codex import Codex
from app.runner.engines.port import Engine
from app.runner.engines.shell import Shell

__all__ = ["COMING", "ENGINES", "engine_named", "is_metered"]

ENGINES: dict[str, Engine] = {
    "shell": Shell(),
    "claude-code": ClaudeCode(),
    "codex": Codex(),
    "aider": Aider(),
}
COMING = ("opencode", "continue", "gemini", "copilot")


def engine_named(type: str) -> Engine:
    """The adapter. Raises `OperatorError` for an engine of another release and for an unknown one."""
    if type in ENGINES:
        return ENGINES[type]
    known = ", ".join(ENGINES)
    if type in COMING:
        raise OperatorError(
            f"the engine {type!r} comes in another release", place="engine", remedy=f"use one of: {known}"
        )
    raise OperatorError(f"there is no engine {type!r}", place="engine", remedy=f"use one of: {known}")


def is_metered(setup: EngineSetup) -> bool:
    """Whether money spent by this engine can be told: it says so itself, or prices for its tokens are set."""
    priced = setup.input_usd_per_mtok is not None and setup.output_usd_per_mtok is not None
    return setup.type == "claude-code" or (setup.type in ("codex", "aider") and priced)
