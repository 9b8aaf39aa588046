"""Keys of the file that the Rust tool's `brat init` writes, and what each became."""

from __future__ import annotations

from collections.abc import Mapping

from app.config.places import KeyPath
from app.values import dataclass

__all__ = ["LEGACY", "Became", "became", "is_legacy_table"]


@dataclass(frozen=True, slots=True)
class Became:
    """`key` is where the value lives now (dotted), None: nothing is left to set; `why` is one clause."""

    why: str
    key: str | None = None

    def __str__(self) -> str:
        return f"is now `{self.key}`: {self.why}" if self.key else f"has nothing to set any more: {self.why}"


_ROLES = Became("the roles run together; one alone is `brat witness run` or `brat refinery run`")
_DAEMON = Became("no daemon is needed, all state is in refs/grite")
_SESSION = Became("a whole session is bounded by `swarm.session_timeout` and `swarm.idle_timeout`")
_TMUX = Became("sessions have no terminal; `brat session tail` shows one")

LEGACY: Mapping[str, Became] = {
    "roles.mayor_enabled": _ROLES,
    "roles.witness_enabled": _ROLES,
    "roles.refinery_enabled": _ROLES,
    "roles.deacon_enabled": _ROLES,
    "bratd.enabled": _DAEMON,
    "bratd.start_grite_daemon": _DAEMON,
    "swarm.worktree_root": Became("workspaces live in the git directory, under brat/sessions"),
    "swarm.engine": Became("engines are chosen per kind of work", "engine.default.type"),
    "engine.spawn_timeout_ms": _SESSION,
    "engine.send_timeout_ms": _SESSION,
    "engine.tail_timeout_ms": _SESSION,
    "engine.stop_timeout_ms": _SESSION,
    "engine.health_timeout_ms": _SESSION,
    "engine.spawn_retry": Became("`swarm.attempts` counts the sessions of a task, however they end"),
    "refinery.max_parallel_merges": Became(
        "each merge is built on the one before, so that only tested code lands"
    ),
    "refinery.rebase_strategy": Became("the same values", "refinery.strategy"),
    "locks.policy": Became("tasks that may write the same paths never run at the same time"),
    "tmux.session": _TMUX,
    "tmux.windows": _TMUX,
    "repos.roots": Became("one run works on one repository; run brat in each"),
    "logs.retention_days": Became("the log in refs/grite is append-only"),
    "interventions.heartbeat_interval_ms": Became("liveness is a file lock that ends with its process"),
    "interventions.stale_session_ms": Became("a duration", "interventions.stale_session"),
    "interventions.blocked_task_ms": Became("a duration", "interventions.blocked_task"),
}
"""Keys that mean the same in both tools (`swarm.max_polecats`, `refinery.required_checks`) are not here."""


def became(path: KeyPath) -> Became | None:
    """What a key of the Rust tool's file became; None for every other key."""
    return LEGACY.get(".".join(str(part) for part in path))


def is_legacy_table(path: KeyPath) -> bool:
    """A table that only the Rust tool has."""
    return path in {("roles",), ("bratd",), ("locks",), ("tmux",), ("repos",), ("logs",)}
