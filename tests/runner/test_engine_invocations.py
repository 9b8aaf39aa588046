"""How each engine is called, word for word."""

from __future__ import annotations

import pytest
from inline_snapshot import snapshot

from app.errors import OperatorError
from app.ports import EngineCall, EngineSetup, Limits
from app.runner import COMING, ENGINES, is_metered
from app.runner.engines.port import Context, Invocation
from app.runner.engines.registry import engine_named

PROMPT = "Write a greeting."
CONTEXT = Context(
    workspace="/workspace",
    home="/home/agent",
    limits=Limits(60_000, 60_000, usd=2.5),
    session="s1",
    endpoint="http://127.0.0.1:4180",
    token="brat-token",
    facts=(("BRAT_TASK", "task-1"),),
)


def spoken(argv: tuple[str, ...]) -> list[str]:
    """One line per option with its value."""
    lines: list[str] = []
    for part in argv:
        if lines and not part.startswith("-") and lines[-1].startswith("-") and " " not in lines[-1]:
            lines[-1] += f" {part}"
        else:
            lines.append(part)
    return lines


def invocation(type: str, model: str | None = None) -> Invocation:
    return ENGINES[type].invocation(EngineCall(type, model, PROMPT), EngineSetup(type), CONTEXT)


def test_shell_gets_the_prompt_on_stdin() -> None:
    called = invocation("shell")
    assert (called.argv, called.stdin) == ((), PROMPT)
    assert dict(called.env) == snapshot(
        {
            "BRAT_SESSION": "s1",
            "BRAT_WORKSPACE": "/workspace",
            "BRAT_TASK": "task-1",
            "BRAT_ENDPOINT": "http://127.0.0.1:4180",
            "BRAT_TOKEN": "brat-token",
        }
    )


def test_claude_code_is_fenced_in_and_capped() -> None:
    called = invocation("claude-code", "claude-sonnet-4-5")
    assert called.stdin == PROMPT
    assert spoken(called.argv) == snapshot(
        [
            "-p",
            "--output-format stream-json",
            "--verbose",
            "--permission-mode bypassPermissions",
            "--setting-sources user",
            "--strict-mcp-config",
            "--model claude-sonnet-4-5",
            "--max-budget-usd 2.5000",
            "--session-id 8b70f57d-59a0-51e7-9998-6cbba8e915d7",
        ]
    )
    assert dict(called.env) == snapshot(
        {
            "ANTHROPIC_BASE_URL": "http://127.0.0.1:4180",
            "ANTHROPIC_API_KEY": "brat-token",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_TELEMETRY": "1",
            "CLAUDE_CODE_MAX_RETRIES": "2",
            "API_TIMEOUT_MS": "120000",
            "IS_SANDBOX": "1",
        }
    )


def test_codex_gets_a_config_of_ours() -> None:
    called = invocation("codex", "gpt-5")
    assert called.stdin == PROMPT
    assert spoken(called.argv) == snapshot(
        [
            "exec",
            "--json",
            "--skip-git-repo-check",
            "--dangerously-bypass-approvals-and-sandbox",
            "-C /workspace",
            "-",
        ]
    )
    assert dict(called.env) == snapshot({"CODEX_HOME": "/home/agent/.codex", "OPENAI_API_KEY": "brat-token"})
    assert called.files[0][0] == ".codex/config.toml"
    assert called.files[0][1].splitlines() == snapshot(
        [
            'model = "gpt-5"',
            'model_provider = "brat"',
            "check_for_update_on_startup = false",
            "[analytics]",
            "enabled = false",
            "[features]",
            "plugins = false",
            "unbounded_connection_retries = false",
            '[projects."/workspace"]',
            'trust_level = "untrusted"',
            "[model_providers.brat]",
            'name = "brat"',
            'base_url = "http://127.0.0.1:4180/v1"',
            'env_key = "OPENAI_API_KEY"',
            'wire_api = "responses"',
            "request_max_retries = 2",
            "stream_max_retries = 2",
            "stream_idle_timeout_ms = 120000",
        ]
    )


def test_aider_reads_no_file_of_the_repository() -> None:
    called = invocation("aider", "openai/gpt-5")
    assert spoken(called.argv) == snapshot(
        [
            "--model openai/gpt-5",
            "--message-file /home/agent/.brat/prompt.txt",
            "--edit-format diff",
            "--yes-always",
            "--no-stream",
            "--no-pretty",
            "--no-fancy-input",
            "--no-check-update",
            "--no-show-release-notes",
            "--no-analytics",
            "--no-show-model-warnings",
            "--no-detect-urls",
            "--disable-playwright",
            "--no-suggest-shell-commands",
            "--no-gitignore",
            "--no-auto-lint",
            "--no-auto-commits",
            "--map-tokens 0",
            "--config /home/agent/.brat/config.yml",
            "--env-file /home/agent/.brat/nothing",
            "--model-settings-file /home/agent/.brat/models.yml",
            "--aiderignore /home/agent/.brat/nothing",
            "--model-metadata-file /home/agent/.brat/models.json",
            "--analytics-log /home/agent/.brat/analytics.jsonl",
            "--chat-history-file /home/agent/.brat/chat.md",
            "--input-history-file /home/agent/.brat/input",
        ]
    )
    assert dict(called.env) == snapshot(
        {
            "OPENAI_API_BASE": "http://127.0.0.1:4180/v1",
            "OPENAI_API_KEY": "brat-token",
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        }
    )
    assert {name: text[:20] for name, text in called.files} == snapshot(
        {
            ".brat/prompt.txt": "Write a greeting.",
            ".brat/models.json": '{"openai/gpt-5": {"m',
            ".aider/caches/model_prices_and_context_window.json": '{"openai/gpt-5": {"m',
            ".brat/config.yml": "{}\n",
            ".brat/models.yml": "[]\n",
            ".brat/nothing": "",
        }
    )


def test_aider_speaks_to_anthropic_where_the_model_says_so() -> None:
    assert dict(invocation("aider", "anthropic/claude-sonnet-4-5").env) == snapshot(
        {
            "ANTHROPIC_API_BASE": "http://127.0.0.1:4180",
            "ANTHROPIC_BASE_URL": "http://127.0.0.1:4180",
            "ANTHROPIC_API_KEY": "brat-token",
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        }
    )


@pytest.mark.parametrize(
    ("type", "model", "upstream"),
    [
        ("shell", None, None),
        ("claude-code", None, "https://api.anthropic.com"),
        ("codex", None, "https://api.openai.com"),
        ("aider", None, "https://api.openai.com"),
        ("aider", "anthropic/claude-sonnet-4-5", "https://api.anthropic.com"),
    ],
)
def test_endpoint_is_the_makers_own_unless_the_operator_names_one(
    type: str, model: str | None, upstream: str | None
) -> None:
    call = EngineCall(type, model, PROMPT)
    assert ENGINES[type].upstream(call, EngineSetup(type)) == upstream
    assert ENGINES[type].upstream(call, EngineSetup(type, base_url="http://mine")) == "http://mine"


@pytest.mark.parametrize("type", COMING)
def test_engine_of_another_release_is_named_so(type: str) -> None:
    with pytest.raises(OperatorError, match=f"{type}' comes in another release") as raised:
        engine_named(type)
    assert raised.value.remedy == "use one of: shell, claude-code, codex, aider"


def test_unknown_engine_is_refused() -> None:
    with pytest.raises(OperatorError, match="there is no engine 'gpt'"):
        engine_named("gpt")


def test_money_is_metered_where_somebody_says_what_was_spent() -> None:
    assert is_metered(EngineSetup("claude-code"))
    assert not is_metered(EngineSetup("codex"))
    assert is_metered(EngineSetup("codex", input_usd_per_mtok=3.0, output_usd_per_mtok=15.0))
    assert not is_metered(EngineSetup("shell", input_usd_per_mtok=3.0, output_usd_per_mtok=15.0))
