"""A step becomes a call of the tool that the engine at hand offers."""

from __future__ import annotations

from tests.llm.conversation import Bash, Call, Conversation, Say, Text, Tool, Write
from tests.llm.tools import render

HELLO = Write("src/hello.txt", "hello\n")


def asked(*tools: Tool, text: str = "") -> Conversation:
    return Conversation("any", "m", False, ("do it",), (), tools, text)


def test_path_is_made_absolute_against_the_directory_the_engine_names() -> None:
    tool = Tool("Write", {"properties": {"file_path": {}, "content": {}}})
    reply = render(HELLO, asked(tool, text="Primary working directory: /srv/repo\nmore"))
    assert reply == Call(tool, {"file_path": "/srv/repo/src/hello.txt", "content": "hello\n"})


def test_patch_tool_takes_a_new_file_as_a_patch() -> None:
    tool = Tool("apply_patch", {}, custom=True)
    patch = "*** Begin Patch\n*** Add File: src/hello.txt\n+hello\n*** End Patch\n"
    assert render(HELLO, asked(tool)) == Call(tool, patch)


def test_shell_writes_the_file_where_no_other_tool_is_offered() -> None:
    tool = Tool("exec_command", {"properties": {"cmd": {"type": "string"}}, "required": ["cmd", "login"]})
    reply = render(HELLO, asked(tool, text="<cwd>/srv</cwd>"))
    written = "mkdir -p /srv/src && printf %s 'hello\n' > /srv/src/hello.txt"
    assert reply == Call(tool, {"cmd": written, "login": "a scripted step"})


def test_command_is_a_list_where_the_tool_wants_one() -> None:
    tool = Tool("shell", {"properties": {"command": {"type": "array"}}})
    assert render(Bash("ls"), asked(tool)) == Call(tool, {"command": ["bash", "-lc", "ls"]})


def test_engine_without_tools_gets_a_new_file_as_an_edit_block() -> None:
    reply = render(HELLO, asked())
    assert isinstance(reply, Say)
    assert reply.text.startswith("src/hello.txt\n```text\n<<<<<<< SEARCH\n=======\nhello\n>>>>>>> REPLACE")


def test_missing_tool_is_said_in_words() -> None:
    assert render(Bash("ls"), asked(Tool("Read", {}))) == Say("(no shell tool was offered: ['Read'])")
    assert render(Text("done"), asked()) == Say("done")
