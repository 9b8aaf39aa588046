"""The model over HTTP: scenarios by address, records, failures on demand."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import httpx
import pytest

from tests.llm import Bash, Conversation, Hang, ScriptedModel, Step, Text

HEADERS = {"x-api-key": "k1"}
TOOLS = [{"name": "Bash", "input_schema": {"properties": {"command": {}}}}]


def ask(base: str, prompt: str = "hi", *, results: int = 0, stream: bool = False) -> httpx.Response:
    block = {"type": "tool_result", "tool_use_id": "t", "content": "ok"}
    messages = [{"role": "user", "content": prompt}] + [{"role": "user", "content": [block]}] * results
    body = {"model": "m", "messages": messages, "tools": TOOLS, "stream": stream}
    return httpx.post(f"{base}/v1/messages", json=body, headers=HEADERS, timeout=20)


def said(response: httpx.Response) -> str:
    block = response.raise_for_status().json()["content"][0]
    return str(block.get("text") or block["input"]["command"])


def test_function_of_the_conversation_is_a_scenario(scripted_model: ScriptedModel) -> None:
    def shout(conversation: Conversation) -> Step:
        return Text(f"{conversation.prompt.upper()} {conversation.turn} {conversation.key}")

    base = scripted_model.base_url(shout, key="a")
    assert [said(ask(base, "one")), said(ask(base, "two"))] == ["ONE 1 a", "TWO 2 a"]


def test_steps_follow_the_tool_results_and_the_last_one_stays() -> None:
    with ScriptedModel(scripts={"mine": (Bash("a"), Bash("b"), Text("end"))}) as model:
        base = model.base_url("script:mine")
        assert [said(ask(base, results=n)) for n in range(4)] == ["a", "b", "end", "end"]


def test_flaky_counts_apart_by_key(scripted_model: ScriptedModel) -> None:
    first, second = (scripted_model.base_url("flaky1", key=key) for key in ("a", "b"))
    assert [ask(base).status_code for base in (first, first, second, second)] == [500, 200, 500, 200]


def test_status_comes_with_the_error_of_the_api(scripted_model: ScriptedModel) -> None:
    refused = ask(scripted_model.base_url("429"))
    assert (refused.status_code, refused.json()["error"]["type"]) == (429, "rate_limit_error")


def test_obedient_model_does_each_line_once(scripted_model: ScriptedModel) -> None:
    base, prompt = scripted_model.base_url("obey"), "please\n- DO: make a\n  `DO: make b`\n"
    assert [said(ask(base, prompt, results=n)) for n in range(3)] == ["make a", "make b", "Done."]


def test_record_holds_prompt_key_tools_and_answer(scripted_model: ScriptedModel) -> None:
    ask(scripted_model.base_url("loop", key="seen"), "look here")
    (request,) = scripted_model.of("seen")
    assert (request.prompt, request.authorization, request.tools) == ("look here", "k1", ("Bash",))
    assert (request.scenario, request.answer) == ("loop", Bash("true"))
    assert request.answered_at is not None
    assert request.at <= request.answered_at


def test_dropped_stream_breaks_off_in_the_middle(scripted_model: ScriptedModel) -> None:
    with pytest.raises(httpx.RemoteProtocolError):
        ask(scripted_model.base_url("drop"), stream=True)


def test_garbage_is_no_json(scripted_model: ScriptedModel) -> None:
    with pytest.raises(json.JSONDecodeError):
        ask(scripted_model.base_url("garbage")).json()


def test_hanging_request_ends_with_the_model() -> None:
    failures: list[Exception] = []
    asked = threading.Event()

    def hang(conversation: Conversation) -> Step:
        asked.set()
        return Hang()

    def client(base: str) -> None:
        try:
            ask(base)
        except httpx.HTTPError as error:
            failures.append(error)

    with ScriptedModel() as model:
        thread = threading.Thread(target=client, args=(model.base_url(hang),))
        thread.start()
        assert asked.wait(20)
    thread.join()
    assert len(failures) == 1


def test_scenario_that_raises_refuses_and_fails_the_test_at_its_end() -> None:
    def wrong(conversation: Conversation) -> Step:
        raise AssertionError("an unexpected prompt")

    refused = 0
    with pytest.raises(AssertionError, match="an unexpected prompt"), ScriptedModel() as model:
        refused = ask(model.base_url(wrong)).status_code
    assert refused == 400


def test_unknown_scenario_is_no_address(scripted_model: ScriptedModel) -> None:
    with pytest.raises(KeyError, match="okay"):
        scripted_model.base_url("okay")


def test_models_and_token_counts_are_answered(scripted_model: ScriptedModel) -> None:
    base = scripted_model.base_url()
    assert "gpt-5.5" in httpx.get(f"{base}/v1/models").text
    assert httpx.post(f"{base}/v1/messages/count_tokens", json={}).json() == {"input_tokens": 1000}
    assert httpx.get(f"{base}/v1/nothing").status_code == 404
    assert [each.api for each in scripted_model.requests] == ["other"] * 3


def test_program_serves_scripts_from_files_until_it_is_ended(tmp_path: Path) -> None:
    steps = tmp_path / "steps.json"
    steps.write_text('[{"bash": "ls"}, {"text": "end"}]')
    command = [sys.executable, "-m", "tests.llm", "--script", f"mine={steps}"]
    root = Path(__file__).parents[2]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        base = program.stdout.readline().split()[-1].replace("/s/ok", "/s/script:mine")
        assert [said(ask(base)), said(ask(base, results=1))] == ["ls", "end"]
        os.kill(program.pid, signal.SIGTERM)
    assert program.returncode == 0
