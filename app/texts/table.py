"""The one table of commands in comments: it makes the parser, the help, docs/commands.md and suggestions."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from app.config import nearest
from app.values import dataclass

__all__ = ["COMMANDS", "PRIORITIES", "Argument", "Place", "Row", "nearest_command", "row_of"]


class Place(StrEnum):
    """Where a comment stands: an issue, or a pull request of ours."""

    ISSUE = "issue"
    PULL = "pull request"


class Argument(StrEnum):
    """What a command takes; the value is how the form shows it."""

    TASKS = "n"
    TASK = "one n"
    ENGINE = "engine"
    STRATEGY = "name"
    LEVEL = "level"
    TEXT = "text"


PRIORITIES: Mapping[str, int] = MappingProxyType({"low": -1, "normal": 0, "high": 1, "urgent": 2})
"""Words for `PriorityChanged.level`; no word is `high`."""


@dataclass(frozen=True, slots=True)
class Row:
    """One command. `needs` are arguments it cannot do without, `takes` those it may have, in this order.

    `about_task`: in a task's own pull request it means that task. `twin` is the command line's word for it.
    """

    name: str
    meaning: str
    example: str
    needs: tuple[Argument, ...] = ()
    takes: tuple[Argument, ...] = ()
    issue_only: bool = False
    about_task: bool = False
    twin: str = ""

    @property
    def form(self) -> str:
        """`/brat retry [n] [engine]`."""
        shown = [_FORMS[each] for each in self.needs] + [f"[{_FORMS[each]}]" for each in self.takes]
        return " ".join(["/brat", self.name, *shown])

    def fits(self, place: Place) -> bool:
        return place is Place.ISSUE or not self.issue_only


_FORMS = {
    Argument.TASKS: "n",
    Argument.TASK: "n",
    Argument.ENGINE: "engine",
    Argument.STRATEGY: "name",
    Argument.LEVEL: "level",
    Argument.TEXT: "<text>",
}

COMMANDS: tuple[Row, ...] = (
    Row("help", "This list.", "/brat help", twin="brat --help"),
    Row("status", "Where everything stands, and what waits for whom.", "/brat status", twin="brat status"),
    Row(
        "plan",
        "Plan this issue, as the start label does; where there is a plan, show it.",
        "/brat plan",
        issue_only=True,
        twin="brat mayor plan",
    ),
    Row(
        "approve",
        "Let the plan run: all of it, or only these tasks.",
        "/brat approve 1-3",
        takes=(Argument.TASKS,),
        issue_only=True,
        twin="brat convoy approve",
    ),
    Row(
        "replan",
        "Write another plan with your words in it; only while no task has begun.",
        "/brat replan keep the old tokens valid for a day",
        needs=(Argument.TEXT,),
        issue_only=True,
        twin="brat convoy replan --text TEXT",
    ),
    Row(
        "start",
        "The next step: plan the issue, approve the plan that waits, or resume what is paused.",
        "/brat start",
        issue_only=True,
        twin="brat mayor start",
    ),
    Row(
        "pause",
        "Start and land nothing new; sessions that run go on to their end.",
        "/brat pause",
        twin="brat convoy pause",
    ),
    Row("resume", "Let a paused convoy go on.", "/brat resume", twin="brat convoy resume"),
    Row(
        "cancel",
        "End it all: sessions are stopped, what has landed stays.",
        "/brat cancel",
        issue_only=True,
        twin="brat convoy cancel",
    ),
    Row(
        "retry",
        "Give blocked tasks a fresh set of attempts, maybe with another engine.",
        "/brat retry 3 codex",
        takes=(Argument.TASKS, Argument.ENGINE),
        about_task=True,
        twin="brat task retry",
    ),
    Row(
        "drop",
        "Go on without a task; what depends on it may start.",
        "/brat drop 4",
        needs=(Argument.TASKS,),
        about_task=True,
        twin="brat task drop",
    ),
    Row(
        "split",
        "Have the Mayor cut a task that has not landed into 2 to 4 smaller ones; the others go on.",
        "/brat split 2",
        needs=(Argument.TASK,),
        about_task=True,
        twin="brat task split",
    ),
    Row(
        "engine",
        "Let another engine do the task from its next session on.",
        "/brat engine 2 aider",
        needs=(Argument.TASKS, Argument.ENGINE),
        about_task=True,
        twin="brat task retry TASK --engine NAME",
    ),
    Row(
        "strategy",
        "How finished work lands: rebase, squash or merge.",
        "/brat strategy squash",
        needs=(Argument.STRATEGY,),
        twin="brat convoy strategy NAME",
    ),
    Row(
        "priority",
        "Who goes first: low, normal, high or urgent; without a word, high.",
        "/brat priority urgent",
        takes=(Argument.LEVEL,),
        twin="brat convoy priority LEVEL",
    ),
    Row(
        "merge",
        "Look now whether it can land. It lands by the same rules as ever; nothing is bypassed.",
        "/brat merge",
        about_task=True,
        twin="brat refinery run --once",
    ),
    Row(
        "hold",
        "Keep tasks from starting and landing; without a number, every open one.",
        "/brat hold 2",
        takes=(Argument.TASKS,),
        about_task=True,
        twin="brat task hold",
    ),
    Row(
        "unhold",
        "End the hold; without a number, of every task held by a person.",
        "/brat unhold 2",
        takes=(Argument.TASKS,),
        about_task=True,
        twin="brat task release",
    ),
    Row(
        "release",
        "Let held work go on, for exactly the commit that was shown to you.",
        "/brat release 3",
        needs=(Argument.TASKS,),
        about_task=True,
        twin="brat task release TASK --head COMMIT",
    ),
    Row(
        "logs",
        "The last lines of a task's newest session; without a number, of the newest of all.",
        "/brat logs 3",
        takes=(Argument.TASK,),
        about_task=True,
        twin="brat session tail",
    ),
    Row(
        "answer",
        "Answer the Mayor's questions; your words go into the next plan and prompts.",
        "/brat answer RS256, keys from the environment",
        needs=(Argument.TEXT,),
        issue_only=True,
        twin="brat convoy answer --text TEXT",
    ),
)

_MEANT = {
    "abort": "cancel",
    "again": "retry",
    "continue": "resume",
    "go": "start",
    "land": "merge",
    "lgtm": "approve",
    "reply": "answer",
    "rerun": "retry",
    "run": "start",
    "skip": "drop",
    "stop": "pause",
    "tail": "logs",
    "unpause": "resume",
    "yes": "approve",
}
"""What people say for it; suggested, never taken."""


def row_of(name: str) -> Row | None:
    """The row of a command, in any case."""
    return next((row for row in COMMANDS if row.name == name.lower()), None)


def nearest_command(word: str) -> str:
    """The command that was probably meant; empty: none is near."""
    return _MEANT.get(word.lower()) or nearest(word, (row.name for row in COMMANDS)) or ""
