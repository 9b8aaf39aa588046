"""Engine `claude-code`: Claude Code, headless, JSON lines. https://code.claude.com/docs/en/headless"""

from __future__ import annotations

import json
import uuid
from typing import Any

from app.ports import EngineCall, EngineSetup, Usage
from app.runner.engines.lines import count, json_lines, number, tool_line
from app.runner.engines.port import Context, EngineReport, Heard, Invocation
from app.runner.redact import one_line

__all__ = ["ClaudeCode"]


class ClaudeCode:
    """Its permission questions are off, since the sandbox is the fence; project settings are not read."""

    executable = "claude"
    install = "npm install -g @anthropic-ai/claude-code"

    def upstream(self, call: EngineCall, setup: EngineSetup) -> str | None:
        return setup.base_url or "https://api.anthropic.com"

    def invocation(self, call: EngineCall, setup: EngineSetup, context: Context) -> Invocation:
        argv = ["-p", "--output-format", "stream-json", "--verbose"]
        argv += ["--permission-mode", "bypassPermissions", "--setting-sources", "user", "--strict-mcp-config"]
        if call.model or setup.model:
            argv += ["--model", call.model or setup.model or ""]
        if context.limits.usd is not None:
            argv += ["--max-budget-usd", f"{context.limits.usd:.4f}"]
        if context.read_only:
            argv += ["--disallowedTools", "Write", "Edit", "NotebookEdit"]
        argv += ["--session-id", str(uuid.uuid5(uuid.NAMESPACE_URL, f"brat:{context.session}")), *setup.args]
        return Invocation(tuple(argv), self._environment(context), stdin=call.prompt)

    def _environment(self, context: Context) -> tuple[tuple[str, str], ...]:
        return (
            ("ANTHROPIC_BASE_URL", context.endpoint),
            ("ANTHROPIC_API_KEY", context.token),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
            ("DISABLE_AUTOUPDATER", "1"),
            ("DISABLE_TELEMETRY", "1"),
            # With its default it retries a wrong key for three minutes.
            ("CLAUDE_CODE_MAX_RETRIES", "2"),
            ("API_TIMEOUT_MS", "120000"),
            # It refuses to work unasked as root unless it is told that it is fenced in.
            ("IS_SANDBOX", "1"),
        )

    def report(self, heard: Heard) -> EngineReport:
        result: dict[str, Any] | None = None
        session = None
        for each in json_lines(heard.stdout):
            session = each.get("session_id") or session
            if each.get("type") == "result":
                result = each
        if result is None:
            said = one_line(heard.stderr) or f"it ended with exit code {heard.exit_code} and without a result"
            return EngineReport(ok=False, error=said, session_id=session)
        answer = str(result.get("result") or "")
        # `subtype` is "success" on API errors too.
        failed = bool(result.get("is_error")) or str(result.get("subtype", "")).startswith("error")
        error = self._error(result, answer) if failed else ""
        return EngineReport(not failed, answer, error, self._usage(result), session)

    def _error(self, result: dict[str, Any], answer: str) -> str:
        errors = [str(each) for each in result.get("errors") or ()]
        return one_line(answer) or one_line("\n".join(errors)) or str(result.get("subtype") or "failed")

    def _usage(self, result: dict[str, Any]) -> Usage:
        usage = result.get("usage") or {}
        read = [count(usage.get(f"{kind}input_tokens")) for kind in ("", "cache_creation_", "cache_read_")]
        known = [each for each in read if each is not None]
        return Usage(
            sum(known) if known else None,
            count(usage.get("output_tokens")),
            number(result.get("total_cost_usd")),
        )

    def human(self, line: str) -> str:
        for each in json_lines(line):
            if each.get("type") == "result":
                return one_line(str(each.get("result") or each.get("subtype") or ""))
            if each.get("type") != "assistant":
                return ""
            parts = [
                part for part in (each.get("message") or {}).get("content") or () if isinstance(part, dict)
            ]
            return next((told for told in map(_told, reversed(parts)) if told), "")
        return line if not line.lstrip().startswith("{") else ""


def _told(part: dict[str, Any]) -> str:
    if part.get("type") == "text":
        return one_line(str(part.get("text") or ""))
    if part.get("type") != "tool_use":
        return ""
    given = part.get("input") or {}
    what = given.get("command") or given.get("file_path") or given.get("pattern") or json.dumps(given)
    return tool_line(str(part.get("name") or "tool"), str(what))
