"""Engine `codex`: OpenAI's Codex CLI, `codex exec --json`. https://developers.openai.com/codex/noninteractive"""

from __future__ import annotations

import json
from typing import Any

from app.ports import EngineCall, EngineSetup, Usage
from app.runner.engines.lines import count, json_lines, tool_line
from app.runner.engines.port import Context, EngineReport, Heard, Invocation
from app.runner.redact import one_line

__all__ = ["Codex"]

PROVIDER = "brat"


class Codex:
    """Its own sandbox is off, since it cannot nest in ours; its settings come from a file of ours."""

    executable = "codex"
    install = "npm install -g @openai/codex"

    def upstream(self, call: EngineCall, setup: EngineSetup) -> str | None:
        return setup.base_url or "https://api.openai.com"

    def invocation(self, call: EngineCall, setup: EngineSetup, context: Context) -> Invocation:
        argv = ("exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox")
        env = (("CODEX_HOME", f"{context.home}/.codex"), ("OPENAI_API_KEY", context.token))
        return Invocation(
            (*argv, "-C", context.workspace, *setup.args, "-"),
            env,
            stdin=call.prompt,
            files=((".codex/config.toml", self._config(call.model or setup.model, context)),),
        )

    def _config(self, model: str | None, context: Context) -> str:
        """OPENAI_BASE_URL is not honoured, hence a provider; refused connections are retried for ever."""
        named = [f"model = {json.dumps(model)}"] if model else []
        return "\n".join(
            [
                *named,
                f'model_provider = "{PROVIDER}"',
                "check_for_update_on_startup = false",
                "[analytics]",
                "enabled = false",
                "[features]",
                "plugins = false",
                "unbounded_connection_retries = false",
                f"[projects.{json.dumps(context.workspace)}]",
                'trust_level = "untrusted"',
                f"[model_providers.{PROVIDER}]",
                f'name = "{PROVIDER}"',
                f'base_url = "{context.endpoint}/v1"',
                'env_key = "OPENAI_API_KEY"',
                'wire_api = "responses"',
                "request_max_retries = 2",
                "stream_max_retries = 2",
                "stream_idle_timeout_ms = 120000",
                "",
            ]
        )

    def report(self, heard: Heard) -> EngineReport:
        thread, answer, error, usage, complete = None, "", "", Usage(), False
        for each in json_lines(heard.stdout):
            match each.get("type"):
                case "thread.started":
                    thread = str(each.get("thread_id") or "") or None
                case "item.completed":
                    answer = _message(each) or answer
                case "turn.completed":
                    complete, usage = True, _usage(each)
                case "turn.failed":
                    error = str((each.get("error") or {}).get("message") or "the turn failed")
                case "error":
                    error = error or str(each.get("message") or "")
        ok = complete and heard.exit_code == 0
        if not ok and not error:
            error = heard.stderr or f"it ended with exit code {heard.exit_code} and without a result"
        return EngineReport(ok, answer, "" if ok else one_line(error), usage, thread)

    def human(self, line: str) -> str:
        for each in json_lines(line):
            item = each.get("item")
            if not isinstance(item, dict):
                return str((each.get("error") or {}).get("message") or each.get("message") or "")
            if item.get("type") == "command_execution":
                return tool_line("$", str(item.get("command") or "")).replace("$: ", "$ ", 1)
            if item.get("type") == "file_change":
                paths = [
                    str(change.get("path"))
                    for change in item.get("changes") or ()
                    if isinstance(change, dict)
                ]
                return tool_line("edit", " ".join(paths))
            return one_line(str(item.get("text") or item.get("message") or ""))
        return line if not line.lstrip().startswith("{") else ""


def _message(event: dict[str, Any]) -> str:
    item = event.get("item") or {}
    return str(item.get("text") or "") if item.get("type") == "agent_message" else ""


def _usage(event: dict[str, Any]) -> Usage:
    usage = event.get("usage") or {}
    return Usage(count(usage.get("input_tokens")), count(usage.get("output_tokens")))
