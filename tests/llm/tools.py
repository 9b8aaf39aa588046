"""A step in the words of the engine at hand: its tool names, its argument names, its edit format."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any

from tests.llm.conversation import Bash, Call, Conversation, Reply, Say, Text, Tool, Write

__all__ = ["render"]

_WRITE_TOOLS = ("Write", "write_file", "create_file")
_PATCH_TOOLS = ("apply_patch",)
_SHELL_TOOLS = ("Bash", "exec_command", "shell_command", "shell")
_PATH_ARGUMENTS = ("file_path", "path")
_CONTENT_ARGUMENTS = ("content", "file_text")
_COMMAND_ARGUMENTS = ("command", "cmd")
_PATCH_ARGUMENTS = ("input", "patch")

_WORKING_DIRECTORY = (
    re.compile(r"<cwd>\s*(/[^<\s]*)"),
    re.compile(r"[Ww]orking directory:\s*`?(/[^\s`\"'<>]*)"),
)
_FILLERS: Mapping[str, Any] = {"boolean": False, "integer": 1, "number": 1, "array": [], "object": {}}


def render(step: Write | Bash | Text, conversation: Conversation) -> Reply:
    """The reply that makes this engine do the step. Without a fitting tool the reply says so in words."""
    if isinstance(step, Text):
        return Say(step.text)
    if not conversation.tools:
        return Say(_edit_block(step) if isinstance(step, Write) else "(no shell tool was offered)")
    if isinstance(step, Write):
        return _write(step, conversation)
    return _shell(step.command, conversation)


def _write(step: Write, conversation: Conversation) -> Reply:
    path = _absolute(step.path, conversation.text)
    if tool := _offered(conversation, _WRITE_TOOLS):
        return _call(tool, {_PATH_ARGUMENTS: path, _CONTENT_ARGUMENTS: step.content})
    if tool := _offered(conversation, _PATCH_TOOLS):
        patch = _patch(step)
        return Call(tool, patch) if tool.custom else _call(tool, {_PATCH_ARGUMENTS: patch})
    parent, target = shlex.quote(str(PurePosixPath(path).parent)), shlex.quote(path)
    return _shell(f"mkdir -p {parent} && printf %s {shlex.quote(step.content)} > {target}", conversation)


def _shell(command: str, conversation: Conversation) -> Reply:
    tool = _offered(conversation, _SHELL_TOOLS)
    if tool is None:
        return Say(f"(no shell tool was offered: {[each.name for each in conversation.tools]})")
    return _call(tool, {_COMMAND_ARGUMENTS: command})


def _offered(conversation: Conversation, names: Iterable[str]) -> Tool | None:
    by_name = {tool.name: tool for tool in conversation.tools}
    return next((by_name[name] for name in names if name in by_name), None)


def _call(tool: Tool, wanted: Mapping[tuple[str, ...], str]) -> Call:
    """`wanted` maps the names an argument may have to its value; other required arguments get a filler."""
    properties: Mapping[str, Any] = tool.schema.get("properties") or {}
    arguments: dict[str, Any] = {}
    for names, value in wanted.items():
        name = next((each for each in names if each in properties), names[0])
        is_list = properties.get(name, {}).get("type") == "array"
        arguments[name] = ["bash", "-lc", value] if is_list else value
    for name in tool.schema.get("required") or ():
        arguments.setdefault(name, _filler(properties.get(name, {})))
    return Call(tool, arguments)


def _filler(schema: Mapping[str, Any]) -> Any:
    choices = schema.get("enum")
    return choices[0] if choices else _FILLERS.get(str(schema.get("type")), "a scripted step")


def _absolute(path: str, text: str) -> str:
    if path.startswith("/"):
        return path
    for pattern in _WORKING_DIRECTORY:
        if found := pattern.search(text):
            return f"{found[1].rstrip('.,;/')}/{path}"
    return path


def _patch(step: Write) -> str:
    lines = "".join(f"+{line}\n" for line in step.content.splitlines())
    return f"*** Begin Patch\n*** Add File: {step.path}\n{lines}*** End Patch\n"


def _edit_block(step: Write) -> str:
    """A new file in aider's `diff` edit format: https://aider.chat/docs/more/edit-formats.html"""
    content = step.content if step.content.endswith("\n") else step.content + "\n"
    return f"{step.path}\n```text\n<<<<<<< SEARCH\n=======\n{content}>>>>>>> REPLACE\n```\n"
