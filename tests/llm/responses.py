"""OpenAI's Responses API, as codex speaks it: https://platform.openai.com/docs/api-reference/responses"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import count

from tests.llm.chat import openai_error
from tests.llm.conversation import Conversation, Reply, Say, Tool, is_prompt, said, text_of
from tests.llm.wire import TOKENS_IN, TOKENS_OUT, Event, Json, fresh_id

__all__ = ["Responses"]

_STREAMED = {
    "message": ("output_text", "text"),
    "custom_tool_call": ("custom_tool_call_input", "input"),
    "function_call": ("function_call_arguments", "arguments"),
}
"""By an output item's type: the name of its events, and of the field they carry."""


class Responses:
    """`POST /v1/responses`."""

    def parse(self, body: Json) -> Conversation:
        """Input is a list of items, or one string. Tool results are items whose type ends in `_output`."""
        given = body.get("input")
        items: list[Json] = given if isinstance(given, list) else [_user_message(str(given or ""))]
        prompts: list[str] = []
        results: list[str] = []
        for item in items:
            kind = item.get("type", "message")
            if kind.endswith("_output"):
                results.append(said(item.get("output")))
            elif kind == "message" and item.get("role") == "user":
                words = said(item.get("content"))
                if is_prompt(words):
                    prompts.append(words)
                    results.clear()
        return Conversation(
            api="responses",
            model=str(body.get("model", "")),
            stream=bool(body.get("stream")),
            prompts=tuple(prompts),
            results=tuple(results),
            tools=tuple(_tools(body.get("tools") or ())),
            text=text_of([body.get("instructions"), items]),
        )

    def whole(self, model: str, reply: Reply) -> Json:
        """A response with one output item."""
        return _response(model, "completed", _item(reply))

    def events(self, model: str, reply: Reply) -> Iterator[Event]:
        """https://platform.openai.com/docs/api-reference/responses-streaming"""
        item = _item(reply)
        finished = _response(model, "completed", item)
        started = _response(model, "in_progress", None) | {"id": finished["id"]}
        steps: list[Json] = [{"type": "response.created", "response": started}]
        steps += _item_steps(item)
        steps += [
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": finished},
        ]
        for number, step in zip(count(1), steps, strict=False):
            yield Event(step | {"sequence_number": number}, step["type"])

    def error(self, status: int) -> Json:
        """https://platform.openai.com/docs/guides/error-codes"""
        return openai_error(status)


def _user_message(text: str) -> Json:
    return {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}


def _tools(given: Iterable[Json]) -> Iterator[Tool]:
    for tool in given:
        if tool.get("type") == "namespace":
            for inner in tool.get("tools") or ():
                yield Tool(inner["name"], inner.get("parameters") or {}, namespace=tool.get("name"))
        else:
            name = tool.get("name") or tool.get("type", "")
            yield Tool(name, tool.get("parameters") or {}, custom=tool.get("type") == "custom")


def _item(reply: Reply) -> Json:
    item: Json
    if isinstance(reply, Say):
        part = {"type": "output_text", "text": reply.text, "annotations": []}
        return {"type": "message", "id": fresh_id("msg_"), "role": "assistant", "content": [part]}
    named = {"call_id": fresh_id("call_"), "name": reply.tool.name}
    if isinstance(reply.arguments, str):
        return {"type": "custom_tool_call", "id": fresh_id("ctc_"), "input": reply.arguments} | named
    item = {"type": "function_call", "id": fresh_id("fc_"), "arguments": json.dumps(reply.arguments)} | named
    return item | ({"namespace": reply.tool.namespace} if reply.tool.namespace else {})


def _item_steps(item: Json) -> list[Json]:
    """What is streamed of one output item, up to its end. The item's kind names the events and the field."""
    events, field = _STREAMED[item["type"]]
    held = "content" if item["type"] == "message" else field
    at: Json = {"item_id": item["id"], "output_index": 0}
    steps: list[Json] = [
        {
            "type": "response.output_item.added",
            "output_index": 0,
            "item": item | {held: type(item[held])(), "status": "in_progress"},
        }
    ]
    if item["type"] == "message":
        at["content_index"] = 0
        value = item["content"][0]["text"]
        steps.append({"type": "response.content_part.added", "part": item["content"][0] | {"text": ""}} | at)
    else:
        value = item[field]
    steps.append({"type": f"response.{events}.delta", "delta": value} | at)
    steps.append({"type": f"response.{events}.done", field: value} | at)
    return steps


def _response(model: str, status: str, item: Json | None) -> Json:
    usage = {
        "input_tokens": TOKENS_IN,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": TOKENS_OUT,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": TOKENS_IN + TOKENS_OUT,
    }
    return {
        "id": fresh_id("resp_"),
        "object": "response",
        "created_at": 1,
        "status": status,
        "model": model,
        "output": [item | {"status": "completed"}] if item else [],
        "error": None,
        "usage": usage if item else None,
    }
