"""`.brat/config.toml` from text to `Config`, with what is said about keys that do not belong in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from app.config.fields import shown
from app.config.freezing import freeze_of, freeze_problems
from app.config.legacy import became, is_legacy_table
from app.config.models import CheckTable, MayorTable, RefineryTable, RepositoryFile
from app.config.names import ENGINES, OPERATOR_KEYS, OPERATOR_TABLES, nearest, nearest_engine
from app.config.places import KeyPath
from app.config.problems import Answer, Problem
from app.config.reading import Document, read
from app.config.schema import file_schema
from app.config.values import (
    Budget,
    Config,
    EngineChoice,
    Interventions,
    LogPolicy,
    MayorPolicy,
    RefineryPolicy,
    SwarmPolicy,
)
from app.ports import CheckSpec

__all__ = ["parse_config", "schema"]

_OPERATOR_ONLY = "is the operator's to say: who may merge here must not steer keys and machine"
_OPERATOR_FILE = "it goes into $XDG_CONFIG_HOME/brat/config.toml or the file in BRAT_CONFIG"


def parse_config(text: str, *, place: str = ".brat/config.toml") -> Config:
    """The repository's wishes; an empty text is all defaults. Raises `ConfigError` with every problem."""
    return _config(read(text, _DOCUMENT, place=place), place)


def schema() -> dict[str, Any]:
    """JSON Schema of `.brat/config.toml`, for editors."""
    return file_schema(RepositoryFile)


def _advice(path: KeyPath, value: object) -> Answer | None:
    names = [str(part) for part in path]
    key = names[-1]
    legacy = None if isinstance(value, dict) else became(path)
    if legacy is not None:
        return Answer(str(legacy))
    if names[0] in OPERATOR_TABLES and len(names) == 1:
        return Answer(_OPERATOR_ONLY, _OPERATOR_FILE)
    if key in OPERATOR_KEYS:
        return Answer(_OPERATOR_ONLY, _operator_home(names))
    if names[0] == "engine" and len(names) == 2 and not isinstance(value, dict):
        return Answer(
            "stands in [engine] itself", "engines are chosen per kind: [engine.default], [engine.tests], …"
        )
    return None


def _operator_home(names: list[str]) -> str:
    """Where the operator writes the key; `[engine.codex]` is where `[engines.codex]` was meant."""
    if names[0] == "engine" and names[-1] not in ("isolation", "network", "read_only", "path"):
        return f"{_OPERATOR_FILE}, as [engines.<engine>] {names[-1]}"
    return _OPERATOR_FILE


def _expands(path: KeyPath) -> bool:
    return is_legacy_table(path)


def _remedy(problems: tuple[Problem, ...]) -> str:
    if any(became(problem.path) for problem in problems):
        return "this is the Rust tool's file: `brat config migrate` rewrites it and keeps the comments"
    return ""


def _checks(file: RepositoryFile) -> Iterator[Problem]:
    named = file.mayor.engine
    if named is not None and named not in (*ENGINES, *file.engine):
        meant = nearest_engine(named) or nearest(named, file.engine)
        hint = f", did you mean `{meant}`?" if meant else ""
        said = f"{shown(named)} is no engine and no kind that has a table{hint}"
        yield Problem(("mayor", "engine"), Answer(said, f"engines: {', '.join(ENGINES)}"))
    yield from _doubled(file.refinery)
    for index, freeze in enumerate(file.refinery.freeze):
        for key, said in freeze_problems(freeze):
            path: KeyPath = ("refinery", "freeze", index)
            yield Problem((*path, key) if key else path, Answer(said))
    session, convoy, day = file.budget.session_usd, file.budget.convoy_usd, file.budget.day_usd
    for name, most in (("convoy_usd", convoy), ("day_usd", day)):
        if session is not None and most is not None and session > most:
            said = f"{session:g} is more than {name} = {most:g}: no session could ever start"
            yield Problem(("budget", "session_usd"), Answer(said))


def _doubled(refinery: RefineryTable) -> Iterator[Problem]:
    seen: set[str] = set()
    for index, check in enumerate(refinery.check):
        if check.name in seen:
            yield Problem(
                ("refinery", "check", index, "name"),
                Answer(f"there is another check named {shown(check.name)}"),
            )
        seen.add(check.name)


_DOCUMENT = Document(RepositoryFile, advice=_advice, checks=_checks, expands=_expands, remedy=_remedy)


def _config(file: RepositoryFile, place: str) -> Config:
    swarm = file.swarm
    return Config(
        engines=tuple((kind, EngineChoice(table.type, table.model)) for kind, table in file.engine.items()),
        mayor=_mayor(file.mayor),
        swarm=SwarmPolicy(swarm.max_polecats, swarm.session_timeout, swarm.idle_timeout, swarm.attempts),
        refinery=_refinery(file.refinery),
        interventions=Interventions(file.interventions.stale_session, file.interventions.blocked_task),
        budget=Budget(file.budget.convoy_usd, file.budget.session_usd, file.budget.day_usd),
        log=LogPolicy(file.log.remote, file.log.detail),
        place=place,
    )


def _mayor(table: MayorTable) -> MayorPolicy:
    return MayorPolicy(
        planner=table.planner,
        approval=table.approval,
        max_tasks=table.max_tasks,
        engine=table.engine,
        label=table.label,
        allow_bots=tuple(table.allow_bots),
    )


def _refinery(table: RefineryTable) -> RefineryPolicy:
    return RefineryPolicy(
        strategy=table.strategy,
        require_ci=table.require_ci,
        target=table.target,
        merge_retry_limit=table.merge_retry_limit,
        checks=tuple(_check(each) for each in table.check),
        protected=tuple(table.protected),
        required_checks=tuple(table.required_checks),
        agent_ci=table.agent_ci,
        land=table.land,
        update=table.update,
        approvals=table.approvals,
        max_lines=table.max_lines,
        blocker_labels=tuple(table.blocker_labels),
        settle_ms=table.settle,
        silent_after_ms=table.silent_after,
        freeze=tuple(freeze_of(each) for each in table.freeze),
    )


def _check(table: CheckTable) -> CheckSpec:
    return CheckSpec(table.name, table.run, table.timeout)
