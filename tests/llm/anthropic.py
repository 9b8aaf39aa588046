"""Anthropic's Messages API, as Claude Code speaks it: https://docs.claude.com/en/api/messages"""

from __future__ import annotations

import json
from collections.abc import Iterator

from tests.llm.conversation import Call, Conversation, Reply, Say, Tool, is_prompt, said, text_of
from tests.llm.wire import TOKENS_IN, TOKENS_OUT, Event, Json, fresh_id

__all__ = ["Anthropic"]

_ERROR_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    429: "rate_limit_error",
    529: "overloaded_error",
}


class Anthropic:
    """`POST /v1/messages`."""

    def parse(self, body: Json) -> Conversation:
        """Tool results are blocks inside user messages; reminders of the engine stand beside the prompt."""
        prompts: list[str] = []
        results: list[str] = []
        for message in body.get("messages") or ():
            if message.get("role") != "user":
                continue
            blocks = _blocks(message.get("content"))
            answers = [said(block.get("content")) for block in blocks if block.get("type") == "tool_result"]
            texts = [str(block["text"]) for block in blocks if block.get("type") == "text"]
            prompt = "\n".join(text for text in texts if is_prompt(text))
            if answers:
                results += answers
            elif prompt:
                prompts.append(prompt)
                results.clear()
        return Conversation(
            api="anthropic",
            model=str(body.get("model", "")),
            stream=bool(body.get("stream")),
            prompts=tuple(prompts),
            results=tuple(results),
            tools=tuple(
                Tool(tool["name"], tool.get("input_schema") or {}) for tool in body.get("tools") or ()
            ),
            text=text_of([body.get("system"), body.get("messages")]),
        )

    def whole(self, model: str, reply: Reply) -> Json:
        """A message with one block."""
        return _message(model) | {
            "content": [_block(reply)],
            "stop_reason": _stop_reason(reply),
            "usage": {"input_tokens": TOKENS_IN, "output_tokens": TOKENS_OUT},
        }

    def events(self, model: str, reply: Reply) -> Iterator[Event]:
        """The message piece by piece: https://docs.claude.com/en/docs/build-with-claude/streaming"""
        usage = {"input_tokens": TOKENS_IN, "output_tokens": 1}
        yield _event("message_start", message=_message(model) | {"content": [], "usage": usage})
        empty: Json = {"text": ""} if isinstance(reply, Say) else {"input": {}}
        yield _event("content_block_start", index=0, content_block=_block(reply) | empty)
        yield _event("content_block_delta", index=0, delta=_delta(reply))
        yield _event("content_block_stop", index=0)
        stop = {"stop_reason": _stop_reason(reply), "stop_sequence": None}
        yield _event("message_delta", delta=stop, usage={"output_tokens": TOKENS_OUT})
        yield _event("message_stop")

    def error(self, status: int) -> Json:
        """https://docs.claude.com/en/api/errors"""
        kind = _ERROR_TYPES.get(status, "api_error")
        return {"type": "error", "error": {"type": kind, "message": f"scripted {status}"}}


def _blocks(content: object) -> list[Json]:
    if isinstance(content, list):
        return [block for block in content if isinstance(block, dict)]
    return [{"type": "text", "text": str(content or "")}]


def _message(model: str) -> Json:
    return {
        "id": fresh_id("msg_"),
        "type": "message",
        "role": "assistant",
        "model": model,
        "stop_reason": None,
        "stop_sequence": None,
    }


def _block(reply: Reply) -> Json:
    if isinstance(reply, Say):
        return {"type": "text", "text": reply.text}
    return {"type": "tool_use", "id": fresh_id("toolu_"), "name": reply.tool.name, "input": reply.arguments}


def _delta(reply: Reply) -> Json:
    if isinstance(reply, Say):
        return {"type": "text_delta", "text": reply.text}
    return {"type": "input_json_delta", "partial_json": json.dumps(reply.arguments)}


def _stop_reason(reply: Reply) -> str:
    return "tool_use" if isinstance(reply, Call) else "end_turn"


def _event(kind: str, **data: object) -> Event:
    return Event({"type": kind} | data, kind)
