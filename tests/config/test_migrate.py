from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from app.config import LEGACY, EngineChoice, migrate, parse_config
from app.errors import ConfigError

RUST_FILE = """\
# written by brat init
[roles]
mayor_enabled = true # all of them
deacon_enabled = false

[swarm]
max_polecats = 6 # six at once
worktree_root = ".worktrees"
engine = "claude"

[engine]
spawn_timeout_ms = 60000

[refinery]
max_parallel_merges = 2
rebase_strategy = "squash" # one commit each
required_checks = [
    "tests", # the suite
]
merge_retry_limit = 2

[locks]
policy = "warn"

[interventions]
heartbeat_interval_ms = 30000
stale_session_ms = 300000
blocked_task_ms = 86400000
"""


def test_rust_tools_file_is_rewritten_and_keeps_its_comments() -> None:
    assert migrate(RUST_FILE).text == snapshot("""\
# written by brat init
# [roles]
# mayor_enabled = true # all of them
# deacon_enabled = false

[swarm]
max_polecats = 6 # six at once
# worktree_root = ".worktrees"
# engine = "claude"

[engine]
# spawn_timeout_ms = 60000

[refinery]
# max_parallel_merges = 2
strategy = "squash" # one commit each
required_checks = [
    "tests", # the suite
]
merge_retry_limit = 2

# [locks]
# policy = "warn"

[interventions]
# heartbeat_interval_ms = 30000
stale_session = "5m"
blocked_task = "1d"

[engine.default]
type = "claude-code"
""")


def test_migration_tells_of_every_key_that_changed() -> None:
    assert migrate(RUST_FILE).notes == snapshot(
        (
            "`roles.mayor_enabled` has nothing to set any more: the roles run together; one alone is "
            "`brat witness run` or `brat refinery run`",
            "`roles.deacon_enabled` has nothing to set any more: the roles run together; one alone is "
            "`brat witness run` or `brat refinery run`",
            "`swarm.worktree_root` has nothing to set any more: workspaces live in the git directory, "
            "under brat/sessions",
            "`swarm.engine` is now `engine.default.type`: engines are chosen per kind of work",
            "`engine.spawn_timeout_ms` has nothing to set any more: a whole session is bounded by "
            "`swarm.session_timeout` and `swarm.idle_timeout`",
            "`refinery.max_parallel_merges` has nothing to set any more: each merge is built on the one "
            "before, so that only tested code lands",
            "`refinery.rebase_strategy` is now `refinery.strategy`: the same values",
            "`locks.policy` has nothing to set any more: tasks that may write the same paths never run at "
            "the same time",
            "`interventions.heartbeat_interval_ms` has nothing to set any more: liveness is a file lock "
            "that ends with its process",
            "`interventions.stale_session_ms` is now `interventions.stale_session`: a duration",
            "`interventions.blocked_task_ms` is now `interventions.blocked_task`: a duration",
        )
    )


def test_migrated_file_wishes_the_same() -> None:
    config = parse_config(migrate(RUST_FILE).text)
    assert config.engine_for("code") == EngineChoice("claude-code")
    assert (config.swarm.max_polecats, config.refinery.merge_retry_limit) == (6, 2)
    assert (config.refinery.strategy, config.refinery.required_checks) == ("squash", ("tests",))
    assert (config.interventions.stale_session_ms, config.interventions.blocked_task_ms) == (
        300_000,
        86_400_000,
    )


def test_rust_tools_file_is_recognised_as_such() -> None:
    with pytest.raises(ConfigError, match="this is the Rust tool's file: `brat config migrate` rewrites it"):
        parse_config(RUST_FILE)


@given(st.sets(st.sampled_from(sorted(LEGACY))), st.booleans())
def test_any_of_its_keys_migrate_to_a_file_that_parses(keys: set[str], dotted: bool) -> None:
    values = {
        "swarm.engine": '"codex"',
        "refinery.rebase_strategy": '"merge"',
    }
    lines = []
    for key in sorted(keys):
        table, name = key.rsplit(".", 1)
        if not dotted and f"[{table}]" not in lines:
            lines.append(f"[{table}]")
        lines.append(f"{key if dotted else name} = {values.get(key, 5000)}")
    result = migrate("\n".join(lines) + "\n")
    parse_config(result.text)
    assert len(result.notes) == len(keys)


def test_migrating_twice_changes_nothing_more() -> None:
    once = migrate(RUST_FILE).text
    assert migrate(once).text == once
    assert migrate(once).notes == ()


def test_our_own_tables_in_the_same_file_win() -> None:
    mixed = """\
[swarm]
engine = "codex"
[engine.default]
type = "aider"
[refinery]
strategy = "merge"
rebase_strategy = "squash"
"""
    config = parse_config(migrate(mixed).text)
    assert config.engine_for("default") == EngineChoice("aider")
    assert config.refinery.strategy == "merge"


def test_engine_that_does_not_run_is_left_to_the_owner() -> None:
    result = migrate('[swarm]\nengine = "gemini"\n')
    assert tomllib.loads(result.text) == {"swarm": {}}
    assert result.notes == snapshot(
        (
            '`swarm.engine` is now `engine.default.type`: engines are chosen per kind of work; "gemini" '
            "does not run in this release, so [engine.default] is left to you",
        )
    )


def test_windows_line_ends_survive() -> None:
    assert migrate('[refinery]\r\nrebase_strategy = "merge" # x\r\n').text == snapshot("""\
[refinery]\r
strategy = "merge" # x\r
""")


def test_inline_table_is_refused_with_the_remedy() -> None:
    with pytest.raises(ConfigError) as caught:
        migrate("engine = { spawn_timeout_ms = 1 }\n")
    assert str(caught.value) == snapshot("""\
.brat/config.toml:1:12: `engine.spawn_timeout_ms` stands in an inline table, which cannot be rewritten
  → write it as a table, [engine], and migrate again\
""")


def test_what_else_is_wrong_is_told_and_not_hidden() -> None:
    with pytest.raises(ConfigError) as caught:
        migrate("[swarm]\nworktree_root = 'x'\nmax_polcats = 3\n")
    assert str(caught.value) == snapshot(
        """\
.brat/config.toml:3:1: `swarm.max_polcats`: unknown key, did you mean `max_polecats`?
  → allowed here: attempts, idle_timeout, max_polecats, session_timeout\
"""
    )
    with pytest.raises(ConfigError, match="is not TOML"):
        migrate("[swarm\n")
