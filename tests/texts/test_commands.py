"""Commands in comments: what gives one, what does not, and what is said about a wrong one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from app.ports import Comment, Person
from app.texts import (
    COMMANDS,
    Command,
    Mistake,
    Place,
    parse,
    read_comment,
)

ADA = Person(7, "ada")


def said(body: str, **where: object) -> list[str]:
    """The commands of a body, as text; mistakes are told by their line with a question mark."""
    found = parse(body, **where)  # type: ignore[arg-type]
    return [str(each) if isinstance(each, Command) else f"? {each.said}" for each in found]


def mistake(body: str, **where: object) -> Mistake:
    (found,) = parse(body, **where)  # type: ignore[arg-type]
    assert isinstance(found, Mistake)
    return found


@pytest.mark.parametrize(
    ("body", "commands"),
    [
        ("/brat approve", ["/brat approve"]),
        ("Looks good.\n/BRAT Approve.", ["/brat approve"]),
        ("   /brat status", ["/brat status"]),
        ("/brat", ["/brat help"]),
        ("/brat pause\r\n/brat resume\r\n", ["/brat pause", "/brat resume"]),
        ("/brat approve\n--\nsent from a phone", ["/brat approve"]),
        ("- done this\n/brat retry 3", ["/brat retry 3"]),
        ("| a |\n|---|\n| 1 |\n/brat pause", ["/brat pause"]),
        ("<!-- note -->\n\n/brat pause", ["/brat pause"]),
        ("/brat retry 3 codex", ["/brat retry 3 codex"]),
        ("/brat retry codex", ["/brat retry codex"]),
        ("/brat retry all", ["/brat retry"]),
        ("/brat drop #3, task-4 and 6-8", ["/brat drop 3-4,6-8"]),
        ("/brat drop task 3", ["/brat drop 3"]),
        ("/brat hold 1,2,5-7", ["/brat hold 1-2,5-7"]),
        ("/brat priority", ["/brat priority"]),
        ("/brat strategy squash", ["/brat strategy squash"]),
        ("/brat answer RS256\nfrom the environment\n\nThanks!", ["/brat answer RS256\nfrom the environment"]),
        ("/brat replan two tasks\n/brat pause", ["/brat replan two tasks", "/brat pause"]),
    ],
)
def test_line_of_ones_own_gives_a_command(body: str, commands: list[str]) -> None:
    assert said(body) == commands


@pytest.mark.parametrize(
    "body",
    [
        "please say /brat approve",
        "`/brat approve`",
        "/bratwurst approve",
        "/brat-approve",
        r"\/brat approve",
        "> /brat approve",
        "> ada said\n/brat approve",
        "- > - deep\n/brat approve",
        "- /brat approve",
        "- to go on:\n  /brat approve",
        "1. first\n   - nested\n   /brat approve",
        "```\n/brat approve\n```",
        "~~~sh\n/brat approve",
        "````\n```\n/brat approve\n````",
        "- list\n  ```\n/brat approve\n  ```".replace("\n/", "\n  /"),
        "    /brat approve",
        "\t/brat approve",
        "`span\n/brat approve\nend`",
        "<!--\n/brat approve\n-->",
        "<!--\n\n/brat approve\n\n",
        "text <!-- begins\n/brat approve\n-->",
        "<pre>\n\n/brat approve\n\n</pre>",
        "<blockquote>\n\n/brat approve\n\n</blockquote>",
        "<details><summary>log</summary>\n\n/brat approve\n\n</details>",
        "<code>\n\n/brat approve\n</code>",
        "say <code>\n/brat approve\n</code>",
        "~~never mind\n/brat approve\nat all~~",
        "![alt\n/brat approve](x.png)",
        "",
    ],
)
def test_t16_quoted_or_shown_text_gives_no_command(body: str) -> None:
    assert said(body) == []


def test_quotation_ends_at_an_empty_line() -> None:
    assert said("> /brat cancel\n\n/brat approve") == ["/brat approve"]


def test_closed_fold_hides_only_what_is_in_it() -> None:
    assert said("<details>\n\n/brat cancel\n\n</details>\n\n/brat approve") == ["/brat approve"]


def test_t16_edited_comment_gives_no_command_and_says_so() -> None:
    comment = Comment(1, 7, ADA, "/brat cancel", 0, edited=True)
    assert read_comment(comment) == snapshot(
        (
            Mistake(
                said="/brat cancel",
                because="the comment was edited; commands count as they were first written",
                form="the command in a new comment",
                nearest="",
                line=1,
            ),
        )
    )
    assert read_comment(replace(comment, body="just words")) == ()


def test_own_comments_give_no_command() -> None:
    assert read_comment(Comment(1, 7, replace(ADA, ours=True), "/brat cancel", 0)) == ()
    assert read_comment(Comment(1, 7, ADA, "/brat cancel", 0)) == (Command("cancel"),)


def test_pull_request_of_a_task_means_that_task() -> None:
    where = {"place": Place.PULL, "task": 4}
    assert said("/brat retry\n/brat drop\n/brat engine codex\n/brat hold 2\n/brat logs", **where) == [
        "/brat retry 4",
        "/brat drop 4",
        "/brat engine 4 codex",
        "/brat hold 2",
        "/brat logs 4",
    ]
    assert said("/brat pause", **where) == ["/brat pause"]


def test_command_for_the_whole_convoy_belongs_in_the_issue() -> None:
    assert mistake("/brat cancel", place=Place.PULL, task=4).because == snapshot(
        "cancel is about a whole convoy, and this is a pull request: write it in the issue"
    )


@pytest.mark.parametrize(
    ("body", "nearest"),
    [
        ("/brat aprove", "approve"),
        ("/brat stop", "pause"),
        ("/brat re-plan less", "replan"),
        ("/brat retry 3 claude", "claude-code"),
        ("/brat strategy sqash", "squash"),
        ("/brat xyzzyx", ""),
    ],
)
def test_wrong_word_is_answered_with_the_nearest_right_one(body: str, nearest: str) -> None:
    assert mistake(body).nearest == nearest


@pytest.mark.parametrize(
    ("body", "because"),
    [
        ("/brat approve when CI is green", "it does not take “when CI is green”"),
        ("/brat drop", "it needs the number of a task"),
        ("/brat drop 0", "0 names no tasks: they are counted from 1, ranges go upwards"),
        ("/brat drop 7-5", "7-5 names no tasks: they are counted from 1, ranges go upwards"),
        ("/brat drop 1-99999", "1-99999 names no tasks: they are counted from 1, ranges go upwards"),
        ("/brat split 2,3", "it takes one task at a time"),
        ("/brat hold task", "it names no task by its number"),
        ("/brat replan", "it needs a text"),
        ("/brat engine 2", "it needs an engine"),
        ("/brat priority 3", "3 is not a level (low, normal, high, urgent)"),
        ("/brat merge now", "it does not take “now”"),
    ],
)
def test_wrong_arguments_are_answered_with_reason_and_form(body: str, because: str) -> None:
    found = mistake(body)
    assert found.because == because
    assert found.form.startswith(f"/brat {body.split()[1]}")


def test_flood_of_commands_is_cut_and_said() -> None:
    *first, last = parse("/brat status\n" * 30)
    assert len(first) == 20
    assert isinstance(last, Mistake)
    assert last.because == "only the first 20 commands of a comment are carried out; 10 more are not"


def test_every_example_of_the_table_is_its_own_command() -> None:
    for row in COMMANDS:
        (found,) = parse(row.example)
        assert isinstance(found, Command)
        assert found.name == row.name


SIGNS = ["/brat ", "/brat approve", "> ", "```", "~~~", "`", "- ", "    ", "\t", "\n", "\n\n", "<!--", "-->"]
TAGS = ["<details>", "</details>", "<pre>", "|", "---", "1. ", "[", "](", "~~", "*", "3,5-7", "\r", "\ue000"]
NOISE = st.lists(st.sampled_from(SIGNS + TAGS) | st.text(max_size=4), max_size=30).map("".join)


@given(NOISE)
def test_any_comment_is_read_without_a_crash(body: str) -> None:
    for found in parse(body):
        assert found.line >= 1


@given(NOISE, st.text(max_size=20), st.sampled_from(["`", "~"]))
def test_text_inside_a_fence_never_gives_a_command(inside: str, info: str, sign: str) -> None:
    kept = inside.replace(sign, "")
    label = "".join(char for char in info if char.isalnum())
    assert parse(f"before\n\n{sign * 3}{label}\n{kept}\n/brat cancel\n{sign * 3}\n") == ()


@given(NOISE)
def test_text_after_quotation_marks_never_gives_a_command(body: str) -> None:
    lines = (f"> {line}" for line in body.replace("\r", "\n").split("\n"))
    assert parse("\n".join([*lines, "> /brat cancel"])) == ()
