"""What plans are held against in one repository: its settings and the operator's, as `PlanRules`."""

from __future__ import annotations

from app.board import Convoy
from app.config import ENGINES, Config
from app.mayor.prompts import RepositoryFacts
from app.mayor.rules import PlanRules

__all__ = ["repository_facts", "rules_of"]

WIDTH = 64
"""Tasks that may wait side by side; how many run at once is `[swarm] max_polecats`."""


def rules_of(config: Config, allow_engines: tuple[str, ...]) -> PlanRules:
    """The rules for a plan under these settings."""
    return PlanRules(
        engines=ENGINES,
        allowed=allow_engines or ENGINES,
        kinds=tuple(dict.fromkeys(("default", *(kind for kind, _ in config.engines)))),
        checks=tuple(check.run for check in config.refinery.checks),
        protected=config.refinery.protected,
        max_tasks=config.mayor.max_tasks,
        max_width=WIDTH,
    )


def repository_facts(convoy: Convoy, config: Config, allow_engines: tuple[str, ...]) -> RepositoryFacts:
    """What a planning session is told about the repository, which it has before its eyes anyway."""
    rules = rules_of(config, allow_engines)
    return RepositoryFacts(
        base=f"{convoy.base} at {convoy.base_commit[:12]}",
        checks=rules.checks,
        engines=rules.allowed,
        kinds=rules.kinds,
        max_tasks=rules.max_tasks,
        max_depth=rules.max_depth,
        wishes=convoy.wishes,
    )
