from __future__ import annotations

from app.config import PROTECTED, Config, EngineChoice, parse_config
from app.ports import CheckSpec

QUICK_START = """\
# .brat/config.toml
[engine.default]
type = "claude-code"
[engine.tests]
type = "aider"
model = "gpt-4o"
[engine.docs]
type = "codex"
[refinery]
strategy = "squash" # rebase | squash | merge
require_ci = true
"""


def test_quick_start_is_accepted_word_for_word() -> None:
    config = parse_config(QUICK_START)
    assert config.engine_for("tests") == EngineChoice("aider", "gpt-4o")
    assert config.engine_for("docs") == EngineChoice("codex")
    assert config.engine_for("refactor") == EngineChoice("claude-code")
    assert (config.refinery.strategy, config.refinery.require_ci) == ("squash", True)


def test_empty_file_is_all_defaults() -> None:
    assert parse_config("") == Config()
    assert parse_config("\ufeff# only a comment\r\n") == Config()
    assert parse_config("").engine_for("anything") == EngineChoice("claude-code")


def test_every_key_reaches_the_config() -> None:
    config = parse_config("""
engine.mine = {type = "shell"}
mayor = {planner = "checklist", approval = "required", max_tasks = 7, engine = "mine"}
swarm = {max_polecats = 2, session_timeout = "1h30m", idle_timeout = "45s", attempts = 1}
interventions = {stale_session = "2m", blocked_task = "2d"}
budget = {convoy_usd = 5, session_usd = 0.5, day_usd = 20}
log = {remote = "origin", detail = "minimal"}
[refinery]
strategy = "merge"
target = "convoy"
merge_retry_limit = 0
protected = ["secret/**"]
[[refinery.check]]
name = "unit"
run = "make test"
timeout = "90s"
""")
    assert config.planner_engine() == EngineChoice("shell")
    assert (config.mayor.planner, config.mayor.approval, config.mayor.max_tasks) == (
        "checklist",
        "required",
        7,
    )
    assert (config.swarm.session_timeout_ms, config.swarm.idle_timeout_ms) == (5_400_000, 45_000)
    assert (config.swarm.max_polecats, config.swarm.attempts) == (2, 1)
    assert (config.interventions.stale_session_ms, config.interventions.blocked_task_ms) == (
        120_000,
        172_800_000,
    )
    assert (config.budget.convoy_usd, config.budget.session_usd, config.budget.day_usd) == (5, 0.5, 20)
    assert (config.log.remote, config.log.detail) == ("origin", "minimal")
    assert config.refinery.checks == (CheckSpec("unit", "make test", 90_000),)
    assert (config.refinery.target, config.refinery.merge_retry_limit) == ("convoy", 0)
    assert config.refinery.protected == ("secret/**",)


def test_engine_named_by_a_task_keeps_the_model_that_the_file_gives_it() -> None:
    config = parse_config(QUICK_START)
    assert config.engine_named("aider") == EngineChoice("aider", "gpt-4o")
    assert config.engine_named("docs") == EngineChoice("codex")
    assert config.engine_named("shell") == EngineChoice("shell")
    assert config.engine_named("nobody") is None


def test_own_settings_of_agents_and_of_the_code_host_are_protected() -> None:
    assert {
        ".github/**",
        ".brat/**",
        "**/CODEOWNERS",
        "**/AGENTS.md",
        "**/.claude/**",
        "**/.gitattributes",
    } <= {*PROTECTED}
