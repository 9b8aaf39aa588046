"""The real command lines in the sandbox, with a model of our own behind the gateway."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.ports import EngineCall, EngineSetup, Finding, Limits, SessionResult
from tests.llm import Bash, ScriptedModel, Text, Write, in_order
from tests.runner.conftest import Rig

KEY = "sk-real-0123456789abcdef"
MODELS = {"claude-code": "claude-sonnet-4-5", "codex": "gpt-5", "aider": "openai/gpt-5"}


@pytest.fixture(params=["claude-code", "codex"])
def engine(request: pytest.FixtureRequest, claude_binary: Path, codex_binary: Path) -> EngineSetup:
    """Each of the quick engines; the key is the operator's."""
    binary = {"claude-code": claude_binary, "codex": codex_binary}[request.param]
    return EngineSetup(request.param, command=(str(binary),), key=KEY)


def run(rig: Rig, engine: EngineSetup, url: str, *, read_only: bool = False) -> SessionResult:
    lent = EngineSetup(engine.type, engine.command, base_url=url, key=engine.key)
    dispatch = rig.dispatch(engines=(lent,))
    call = EngineCall(engine.type, MODELS[engine.type], "Write hello.txt, please.")
    spec = rig.spec(engine=call, read_only=read_only, limits=Limits(120_000, 60_000, usd=5.0))
    dispatch.start(spec)
    return rig.result(dispatch, spec.id)


def test_real_engine_does_its_work_through_the_gateway(
    rig: Rig, engine: EngineSetup, scripted_model: ScriptedModel
) -> None:
    play = in_order(Write("hello.txt", "hello\n"), Text("All done."))
    result = run(rig, engine, scripted_model.base_url(play, key="work"))
    assert (result.finding, result.error, result.answer) == (Finding.DONE, "", "All done.")
    assert (result.touched, result.usage.output_tokens) == (("hello.txt",), 100)
    assert ["Write hello.txt, please." in asked.prompt for asked in scripted_model.of("work")] == [True, True]
    calls = (rig.root / result.session / "gateway.jsonl").read_text().splitlines()
    assert {json.loads(line)["status"] for line in calls} == {200}


def test_real_engine_that_only_talks_has_not_succeeded(
    rig: Rig, engine: EngineSetup, scripted_model: ScriptedModel
) -> None:
    result = run(rig, engine, scripted_model.base_url(in_order(Text("All done!")), key="talk"))
    assert (result.finding, result.exit_code) == (Finding.NO_CHANGE, 0)


def test_real_engine_refused_by_its_endpoint_is_an_error(
    rig: Rig, engine: EngineSetup, scripted_model: ScriptedModel
) -> None:
    result = run(rig, engine, scripted_model.base_url("401"))
    assert result.finding is Finding.ENGINE_ERROR
    assert "401" in result.error


def test_real_engine_plans_on_a_tree_that_it_cannot_change(
    rig: Rig, engine: EngineSetup, scripted_model: ScriptedModel
) -> None:
    play = in_order(Bash("echo x > README; cat README"), Text("The plan."))
    result = run(rig, engine, scripted_model.base_url(play, key="plan"), read_only=True)
    assert (result.finding, result.answer, result.head) == (Finding.DONE, "The plan.", None)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (
            ".claude/settings.json",
            '{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "touch ran"}]}]}}',
        ),
        (".mcp.json", '{"mcpServers": {"x": {"command": "sh", "args": ["-c", "touch /workspace/ran"]}}}'),
        (".codex/config.toml", '[mcp_servers.x]\ncommand = "sh"\nargs = ["-c", "touch /workspace/ran"]\n'),
    ],
)
def test_agent_settings_of_the_repository_run_nothing(
    rig: Rig, engine: EngineSetup, scripted_model: ScriptedModel, *, path: str, text: str
) -> None:
    rig.base = rig.repository.commit({path: text}, onto=rig.base)
    play = in_order(Write("hello.txt", "hello\n"), Text("All done."))
    result = run(rig, engine, scripted_model.base_url(play, key="hostile"))
    assert (result.finding, result.touched) == (Finding.DONE, ("hello.txt",))


@pytest.mark.full
@pytest.mark.parametrize(("scenario", "finding"), [("ok", Finding.DONE), ("401", Finding.ENGINE_ERROR)])
def test_aider_is_judged_by_what_it_did(
    rig: Rig, scripted_model: ScriptedModel, aider_binary: Path, *, scenario: str, finding: Finding
) -> None:
    setup = EngineSetup("aider", command=(str(aider_binary),), key=KEY)
    result = run(rig, setup, scripted_model.base_url(scenario, key="aider"))
    assert (result.finding, result.exit_code) == (finding, 0), result
