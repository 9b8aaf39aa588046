"""The table of commands as people read it: in a reply to `/brat help`, and as docs/commands.md."""

from __future__ import annotations

from app.texts.table import COMMANDS, Place

__all__ = ["commands_page", "help_text"]

_RULES = """\
## How a command is read

* At the start of a line, in a comment's own words: not in quotations, code, HTML that folds or strikes out,
  or behind a list's dash. `/brat` may be written in any case.
* Several commands in one comment are carried out in order, each exactly once; at most 20.
* A comment that was edited gives no command: write a new one.
* It counts from people who may write to the repository at that moment. Everybody else gets a polite answer.
* `n` is a task's number: `3`, `#3`, `task-3`, several as `1,2,5-7`. In the pull request of a task it may be
  left out and means that task. What stands in brackets may be left out.
* `<text>` goes on to the end of its paragraph, or to the next command. The answer shows what was taken.
* A reaction says that it was seen (👀) and done (🚀). 😕 comes with a reply: what was wrong, and the nearest
  right command.
"""


def help_text(place: Place) -> str:
    """What may be said in this place, as a list that fits a phone."""
    rows = [f"- `{row.form}`: {row.meaning}" for row in COMMANDS if row.fits(place)]
    more = "" if place is Place.ISSUE else "\n\nIn the issue there are more: `/brat help` there lists them."
    task = "`n` is a task's number: `3`, or several as `1,2,5-7`."
    own = " Without it, the task of this pull request is meant." if place is Place.PULL else ""
    return (
        "\n".join(rows) + f"\n\n{task}{own} Write a command at the start of a line, in a new comment.{more}"
    )


def commands_page() -> str:
    """The page of documentation, whole."""
    lines = [
        "# Commands in comments",
        "",
        "Write them in the issue, or in a pull request that brat opened. This page is made from the table"
        " that reads them.",
        "",
        "| command | meaning | where | example | on the command line |",
        "|---|---|---|---|---|",
    ]
    for row in COMMANDS:
        where = "issue" if row.issue_only else "issue, pull request"
        twin = f"`{row.twin}`" if row.twin else ""
        lines.append(f"| `{row.form}` | {row.meaning} | {where} | `{row.example}` | {twin} |")
    return "\n".join(lines) + f"\n\n{_RULES}"
