"""OpenAI's Chat Completions API, as aider speaks it: https://platform.openai.com/docs/api-reference/chat"""

from __future__ import annotations

import json
from collections.abc import Iterator

from tests.llm.conversation import Call, Conversation, Reply, Say, Tool, is_prompt, said, text_of
from tests.llm.wire import TOKENS_IN, TOKENS_OUT, Event, Json, fresh_id

__all__ = ["Chat", "openai_error"]

_USAGE = {
    "prompt_tokens": TOKENS_IN,
    "completion_tokens": TOKENS_OUT,
    "total_tokens": TOKENS_IN + TOKENS_OUT,
}


class Chat:
    """`POST /v1/chat/completions`."""

    def parse(self, body: Json) -> Conversation:
        """Tool results are messages of role `tool`."""
        prompts: list[str] = []
        results: list[str] = []
        for message in body.get("messages") or ():
            words = said(message.get("content"))
            if message.get("role") == "tool":
                results.append(words)
            elif message.get("role") == "user" and is_prompt(words):
                prompts.append(words)
                results.clear()
        return Conversation(
            api="chat",
            model=str(body.get("model", "")),
            stream=bool(body.get("stream")),
            prompts=tuple(prompts),
            results=tuple(results),
            tools=tuple(
                Tool(tool["function"]["name"], tool["function"].get("parameters") or {})
                for tool in body.get("tools") or ()
            ),
            text=text_of(body.get("messages")),
        )

    def whole(self, model: str, reply: Reply) -> Json:
        """One choice with one message."""
        message: Json = {"role": "assistant", "content": reply.text if isinstance(reply, Say) else None}
        if isinstance(reply, Call):
            message["tool_calls"] = [_tool_call(reply)]
        choice = {"index": 0, "message": message, "finish_reason": _finish_reason(reply)}
        return _base(model, "chat.completion") | {"choices": [choice], "usage": _USAGE}

    def events(self, model: str, reply: Reply) -> Iterator[Event]:
        """Deltas, the usage, and the word that ends the stream."""
        base = _base(model, "chat.completion.chunk")
        first: Json = (
            {"content": reply.text} if isinstance(reply, Say) else {"tool_calls": [_tool_call(reply)]}
        )
        deltas: tuple[tuple[Json, str | None], ...] = (
            ({"role": "assistant", "content": ""}, None),
            (first, None),
            ({}, _finish_reason(reply)),
        )
        for delta, finish in deltas:
            yield Event(base | {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
        yield Event(base | {"choices": [], "usage": _USAGE})
        yield Event("[DONE]")

    def error(self, status: int) -> Json:
        """https://platform.openai.com/docs/guides/error-codes"""
        return openai_error(status)


def openai_error(status: int) -> Json:
    """The error body that both of OpenAI's APIs use."""
    kind = "invalid_request_error" if status < 500 else "server_error"
    code = "invalid_api_key" if status == 401 else None
    return {"error": {"message": f"scripted {status}", "type": kind, "param": None, "code": code}}


def _base(model: str, kind: str) -> Json:
    return {"id": fresh_id("chatcmpl-"), "object": kind, "created": 1, "model": model}


def _tool_call(reply: Call) -> Json:
    function = {"name": reply.tool.name, "arguments": json.dumps(reply.arguments)}
    return {"index": 0, "id": fresh_id("call_"), "type": "function", "function": function}


def _finish_reason(reply: Reply) -> str:
    return "tool_calls" if isinstance(reply, Call) else "stop"
