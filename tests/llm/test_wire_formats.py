"""Each wire format reads the same conversation and says the same reply, whole and streamed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from tests.llm.anthropic import Anthropic
from tests.llm.chat import Chat
from tests.llm.conversation import Call, Conversation, Say, Tool
from tests.llm.responses import Responses
from tests.llm.wire import Json, Wire

SCHEMA = {"properties": {"command": {"type": "string"}}, "required": ["command"]}
SHELL = Tool("Bash", SCHEMA)
CALL = Call(SHELL, {"command": "echo 'a \"b\" c'"})

ANTHROPIC: Json = {
    "model": "m",
    "stream": True,
    "tools": [{"name": "Bash", "input_schema": SCHEMA}],
    "messages": [
        {"role": "user", "content": "earlier"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t0", "name": "Bash", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t0", "content": "old"}]},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "<system-reminder>be kind</system-reminder>"},
                {"type": "text", "text": "now"},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "new"}]}
            ],
        },
    ],
}
CHAT: Json = {
    "model": "m",
    "stream": True,
    "tools": [{"type": "function", "function": {"name": "Bash", "parameters": SCHEMA}}],
    "messages": [
        {"role": "system", "content": "be kind"},
        {"role": "user", "content": "earlier"},
        {"role": "tool", "tool_call_id": "t0", "content": "old"},
        {"role": "user", "content": "now"},
        {"role": "tool", "tool_call_id": "t1", "content": "new"},
    ],
}
RESPONSES: Json = {
    "model": "m",
    "stream": True,
    "tools": [{"type": "function", "name": "Bash", "parameters": SCHEMA}],
    "input": [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "earlier"}]},
        {"type": "function_call_output", "call_id": "t0", "output": "old"},
        {
            "type": "message",
            "role": "user",
            "content": [{"type": "input_text", "text": "<environment_context>"}],
        },
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "now"}]},
        {"type": "custom_tool_call_output", "call_id": "t1", "output": "new"},
    ],
}

each_format = pytest.mark.parametrize(
    ("wire", "body"),
    [(Anthropic(), ANTHROPIC), (Chat(), CHAT), (Responses(), RESPONSES)],
    ids=["anthropic", "chat", "responses"],
)


@each_format
def test_results_are_counted_since_the_last_prompt_of_the_user(wire: Wire, body: Json) -> None:
    asked: Conversation = wire.parse(body)
    assert asked.prompts == ("earlier", "now")
    assert asked.prompt == "now"
    assert asked.results == ("new",)
    assert asked.tools == (SHELL,)
    assert (asked.model, asked.stream) == ("m", True)


@each_format
@pytest.mark.parametrize("reply", [Say("well, then"), CALL], ids=["words", "call"])
def test_stream_says_the_same_as_the_whole_answer(wire: Wire, body: Json, reply: Say | Call) -> None:
    whole = said_whole(wire.whole("m", reply))
    expected = reply.text if isinstance(reply, Say) else ("Bash", reply.arguments)
    assert whole == expected
    assert said_streamed([event.data for event in wire.events("m", reply)]) == expected


@each_format
def test_event_is_one_json_line_after_data(wire: Wire, body: Json) -> None:
    for event in wire.events("m", CALL):
        lines = event.encode().decode().splitlines()
        assert lines[-1] == ""
        data = lines[-2].removeprefix("data: ")
        assert data == "[DONE]" or isinstance(json.loads(data), dict)


def test_custom_tool_of_codex_gets_its_input_as_it_is() -> None:
    patch = Call(Tool("apply_patch", {}, custom=True), "*** Begin Patch\n")
    item = Responses().whole("m", patch)["output"][0]
    assert (item["type"], item["input"]) == ("custom_tool_call", "*** Begin Patch\n")
    deltas = [
        e.data for e in Responses().events("m", patch) if e.name == "response.custom_tool_call_input.delta"
    ]
    assert [each["delta"] for each in deltas if isinstance(each, Mapping)] == ["*** Begin Patch\n"]


def test_tool_in_a_namespace_is_called_in_its_namespace() -> None:
    inner = {"type": "function", "name": "shell", "parameters": {}}
    asked = Responses().parse(
        {"tools": [{"type": "namespace", "name": "box", "tools": [inner]}], "input": "hi"}
    )
    assert asked.prompts == ("hi",)
    assert Responses().whole("m", Call(asked.tools[0], {}))["output"][0]["namespace"] == "box"


def said_whole(answer: Json) -> object:
    """The text, or the tool's name with its arguments, of a whole answer in any format."""
    if "choices" in answer:
        message = answer["choices"][0]["message"]
        calls = message.get("tool_calls")
        return called(calls[0]["function"]) if calls else message["content"]
    if "output" in answer:
        item = answer["output"][0]
        return called(item) if item["type"] == "function_call" else item["content"][0]["text"]
    block = answer["content"][0]
    return (block["name"], block["input"]) if block["type"] == "tool_use" else block["text"]


def called(call: Mapping[str, Any]) -> object:
    return call["name"], json.loads(call["arguments"])


def said_streamed(events: list[Mapping[str, Any] | str]) -> object:
    """The same of a stream, from its deltas alone."""
    text, arguments, name = "", "", ""
    for event in events:
        if isinstance(event, str):
            continue
        for choice in event.get("choices", ()):
            text += choice["delta"].get("content") or ""
            for call in choice["delta"].get("tool_calls", ()):
                name, arguments = call["function"]["name"], arguments + call["function"]["arguments"]
        name = event.get("content_block", {}).get("name", "") or event.get("item", {}).get("name", "") or name
        delta = event.get("delta", "")
        if isinstance(delta, dict):
            text += delta.get("text", "")
            arguments += delta.get("partial_json", "")
        elif event.get("type") == "response.function_call_arguments.delta":
            arguments += delta
        else:
            text += delta
    return (name, json.loads(arguments)) if name else text
