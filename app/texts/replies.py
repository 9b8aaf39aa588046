"""Answers to commands: short, polite, and each says what happens now or what to write instead."""

from __future__ import annotations

from collections.abc import Iterable

from app.board import Task, counted
from app.texts.commands import Command, Mistake
from app.texts.manual import help_text
from app.texts.markdown import block, code, fits, folded, inline, quoted, short
from app.texts.sticky import how_to_take_part, status_text
from app.texts.table import Place
from app.texts.view import StickyView

__all__ = [
    "accepted_reply",
    "branch_left_note",
    "help_reply",
    "joined_replies",
    "log_set_back_note",
    "logs_reply",
    "mistake_reply",
    "no_permission_reply",
    "not_split_reply",
    "nothing_here_reply",
    "refused_reply",
    "request_refused_reply",
    "status_reply",
    "unchanged_reply",
]

REPLY = 3_900
"""Characters of one answer: it is kept in the log, where readers of the repository have it for ever."""

_DONE = {
    "plan": "the Mayor reads the code and writes the plan; it will stand in this issue",
    "approve": "the plan is approved; its tasks start as soon as there is room",
    "replan": "the Mayor writes another plan with these words in it",
    "start": "on it",
    "pause": "paused; nothing new starts or lands until `/brat resume`",
    "resume": "going on",
    "cancel": "cancelled; what has landed stays",
    "retry": "a fresh set of attempts",
    "drop": "dropped; what depended on it may start",
    "split": "its work stops and the Mayor cuts it into smaller tasks; the other tasks go on",
    "engine": "the next session uses this engine",
    "strategy": "the next landings are made this way",
    "priority": "the order of work is changed",
    "merge": "looked at again; it lands when all conditions hold, and not before",
    "hold": "held; nothing of it starts or lands until `/brat unhold`",
    "unhold": "no longer held",
    "release": "released, for exactly the commit that was shown",
    "answer": "noted; it goes into the next plan and prompts",
}


def accepted_reply(command: Command, *, by: str, said: str = "") -> str:
    """What was understood and what follows; `said` replaces the usual sentence where more is known."""
    text = inline(said) if said else _DONE.get(command.name, "done")
    return f"{_echo(command)} by {inline(by, 60)}: {text}.{_words(command)}"


def unchanged_reply(command: Command, why: str) -> str:
    """Nothing was to be done."""
    return f"{_echo(command)}: nothing to do, {inline(why)}."


def refused_reply(command: Command, reason: str, remedy: str = "") -> str:
    """It was understood and is not possible now. `remedy` is a command, or words."""
    way = f" {_way_out(remedy)}" if remedy else ""
    return f"{_echo(command)}: this cannot be done now: {inline(reason).rstrip('.')}.{way}"


def request_refused_reply(reason: str, remedy: str = "", *, place: str = "") -> str:
    """The issue's text makes no convoy. `reason` has lines of its own, with words of the issue in them."""
    why = block(f"{place}: {reason}" if place else reason, limit=2_000)
    way = f"\n\n{_way_out(remedy)}" if remedy else ""
    return f"Nothing was started, as this cannot be planned:\n\n{why}{way}"


def not_split_reply(number: int, why: str) -> str:
    """The planner gave no answer that may stand, so the task stays whole."""
    return f"Task {number} was not split and goes on as one task: {inline(why).rstrip('.')}."


def mistake_reply(mistake: Mistake) -> str:
    """What was wrong with the line, the form that is expected, and the nearest right word."""
    near = f" Did you mean {code(mistake.nearest)}?" if mistake.nearest else ""
    command = mistake.form.startswith("/brat")
    form = f" Expected: {code(mistake.form) if command else inline(mistake.form)}." if mistake.form else ""
    return f"{code(mistake.said)}: {inline(mistake.because)}.{near}{form} Nothing was done for this line."


def no_permission_reply(by: str) -> str:
    """For somebody who may not write here; says what they can do."""
    return (
        f"Thank you, {inline(by, 60)}. Commands count from people who may write to this repository, so"
        " nothing was done. Somebody who may can give the same command in a comment of their own."
    )


def nothing_here_reply(command: Command, label: str, place: Place = Place.ISSUE) -> str:
    """The issue has no convoy, or the pull request is none of ours."""
    none = "does nothing in this issue yet. "
    if place is Place.PULL:
        none = "has no part in this pull request. In an issue, "
    return f"{_echo(command)}: brat {none}{code('/brat plan')} or the label {code(label)} starts it."


def help_reply(place: Place, view: StickyView | None = None) -> str:
    """All commands of this place; with a view, those that make sense now come first."""
    now = how_to_take_part(view).replace("<details>", "<details open>", 1) if view else ""
    return f"{now}\n\n{folded('All commands', help_text(place))}" if now else help_text(place)


def branch_left_note(branch: str, why: str) -> str:
    """A branch of a convoy that is over and was not deleted."""
    return f"the work on {branch} has landed, and the branch was left: {why}"


def log_set_back_note(found: str | None, ours: str) -> str:
    """Somebody moved the log's ref on the code host; no rule there can forbid it."""
    stood = f"stood at {code(found[:12])}" if found else "was gone"
    return (
        f"⚠️ brat's log in this repository was set back: {code('refs/grite/wal')} {stood} and lacked what had"
        f" been decided since. It was put back to {code(ours[:12])} from this worker's copy: nothing is lost,"
        " and nobody has to do anything.\n\nWhoever may push to this repository can move that ref: GitHub's"
        " rulesets and branch protection reach branches and tags alone. If it was nobody you know, look at"
        " who has write access, and at the organisation's audit log."
    )


def status_reply(view: StickyView) -> str:
    """Where it stands and what waits for whom; the sticky comment has the rest."""
    return status_text(view, limit=REPLY)


def logs_reply(task: Task, *, session: str, tail: str, why: str = "") -> str:
    """The last lines of a session, folded. `tail` is redacted already; empty: `why` there is nothing."""
    about = f"Task {task.number}, session {code(session)}" if session else f"Task {task.number}"
    if not tail.strip():
        return f"{about}: there is no output to show{f': {inline(why)}' if why else ''}."
    lines = counted(len(tail.strip().splitlines()), "line")
    return f"{about}:\n\n{folded(f'The last {lines}', block(tail, 'text', limit=2_500))}"


def joined_replies(replies: Iterable[str], *, limit: int = REPLY) -> str:
    """One comment for all commands of one comment, in their order; what does not fit is named."""
    parts = [each for each in replies if each]
    kept: list[str] = []
    for part in parts:
        if not fits("\n\n".join([*kept, part]), limit - 80):
            left = counted(len(parts) - len(kept), "answer")
            return "\n\n".join([*kept, f"… {left} more would not fit; ask one by one."])
        kept.append(part)
    return "\n\n".join(kept)


def _way_out(remedy: str) -> str:
    """What to do instead: a command, or a sentence."""
    if remedy.startswith(("/brat ", "brat ", "git ")):
        return f"→ {code(remedy)}"
    return f"{inline(remedy[0].upper() + remedy[1:])}."


def _echo(command: Command) -> str:
    """The command as it was understood, without its text."""
    return code(short(str(Command(command.name, command.numbers, command.word)), 200))


def _words(command: Command) -> str:
    return f"\n\n{quoted(command.text, 1_000)}" if command.text else ""
