from __future__ import annotations

import pytest
from inline_snapshot import snapshot

from app.errors import OperatorError
from app.settings import EngineSettings, SandboxSettings, Settings, key_variable, lend, secret_values

CODEX = EngineSettings("codex", key_env="TEAM_KEY", base_url="https://llm.example.com", args=("-q",))
SETTINGS = Settings(place="operator.toml", engines=(CODEX,), secrets=("DEPLOY_TOKEN",))
ENVIRON = {
    "TEAM_KEY": "canary-team",
    "ANTHROPIC_API_KEY": "canary-anthropic",
    "DEPLOY_TOKEN": "canary-deploy",
}


def test_key_is_looked_up_by_its_name() -> None:
    operator = lend(SETTINGS, ENVIRON, engines=["codex", "claude-code", "shell", "codex"])
    assert {each.type: each.key for each in operator.engines} == {
        "codex": "canary-team",
        "claude-code": "canary-anthropic",
        "shell": None,
    }
    assert (operator.engine("codex").base_url, operator.engine("codex").args) == (
        "https://llm.example.com",
        ("-q",),
    )


def test_missing_key_names_variable_and_remedy() -> None:
    with pytest.raises(OperatorError) as caught:
        lend(SETTINGS, {}, engines=["codex"])
    assert str(caught.value) == snapshot("""\
engine codex: no key: the environment variable TEAM_KEY is not set
  → export TEAM_KEY=…, or name another variable: [engines.codex] key_env in operator.toml\
""")


def test_endpoint_of_the_operators_own_may_ask_for_no_key() -> None:
    local = Settings(place="x", engines=(EngineSettings("aider", base_url="http://127.0.0.1:1"),))
    assert lend(local, {}, engines=["aider"]).engine("aider").key is None


def test_isolation_is_the_operators_word_and_else_what_the_machine_can() -> None:
    assert lend(SETTINGS, ENVIRON, engines=[], isolation="bwrap").isolation == "bwrap"
    unsafe = Settings(place="x", sandbox=SandboxSettings(isolation="process"))
    assert lend(unsafe, {}, engines=[], isolation="bwrap").isolation == "process"


def test_no_secret_is_in_what_settings_and_lent_things_say_of_themselves() -> None:
    operator = lend(SETTINGS, ENVIRON, engines=["codex", "claude-code"])
    assert "canary" not in repr(operator) + repr(SETTINGS)


def test_all_secrets_are_known_by_value_longest_first() -> None:
    environ = {**ENVIRON, "OPENAI_API_KEY": "abcd"}
    assert secret_values(SETTINGS, environ) == ("canary-anthropic", "canary-deploy", "canary-team")


def test_each_engine_that_calls_a_model_has_a_variable_for_its_key() -> None:
    assert key_variable(CODEX) == "TEAM_KEY"
    assert key_variable(EngineSettings("aider")) == "OPENAI_API_KEY"
    assert key_variable(EngineSettings("shell")) is None
