"""What the App says by itself: why a label did nothing, what waits for a release, how it ended."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from app.board import Convoy, Task, TaskStatus, counted, held_work
from app.ports import Patch
from app.prompts import visible
from app.texts.markdown import LIMIT, block, code, fits, folded, inline, link
from app.texts.sticky import MANY, untold, usd
from app.texts.view import StickyTask, StickyView

__all__ = [
    "closing_summary",
    "edited_after_label_reply",
    "label_removed_note",
    "left_behind_note",
    "merged_early_note",
    "patch_text",
    "pull_closed_note",
    "release_needed_text",
    "settings_note",
    "settings_reply",
    "stranger_label_reply",
    "voided_note",
]

MOST = 40
"""Lines of a list in a notice."""


def stranger_label_reply(login: str, label: str) -> str:
    """Labelled by somebody who may not write."""
    return (
        f"Thank you, {inline(login, 60)}. The label {code(label)} starts work only when somebody who may"
        " write to this repository adds it, so nothing was started. A maintainer can remove it and add it"
        f" again, or comment {code('/brat plan')}."
    )


def edited_after_label_reply(what: str, label: str) -> str:
    """`what` changed after the label: the title, the body. What was agreed to is not what stands there."""
    return (
        f"The {inline(what, 40)} of this issue changed after it was labelled, so nothing was started: what"
        " was asked for may not be what stands here now. Please read it once more, then remove the label"
        f" {code(label)} and add it again, or comment {code('/brat plan')}."
    )


def settings_reply(problem: str) -> str:
    """Nothing begins on settings that their owner did not mean."""
    return (
        "Nothing was started, as the repository's settings on its base branch cannot be used:\n\n"
        f"{block(problem, limit=2_000)}\n\nOnce that is mended there, comment {code('/brat plan')}."
    )


def settings_note(problem: str) -> str:
    """What has begun goes on by the settings that were right last."""
    first = problem.partition("\n")[0]
    return f"The settings on the base branch cannot be used, so those before them count: {first}"


def label_removed_note(label: str, by: str = "") -> str:
    """The label went away: paused."""
    who = f" by {inline(by, 60)}" if by else ""
    return (
        f"The label {code(label)} was removed{who}: paused. Sessions that run go on to their end; nothing"
        f" new starts or lands. {code('/brat resume')} goes on, {code('/brat cancel')} ends it."
    )


def pull_closed_note(number: int, by: str, task: int | None = None) -> str:
    """A person closed a pull request without merging it: a task's, or with none the convoy's own."""
    closed = f"{inline(by, 60) or 'Somebody'} closed #{number} without merging it"
    if task is None:
        return f"{closed}, and with it this ended; what is on its branch stays there."
    again, without = code(f"/brat retry {task}"), code(f"/brat drop {task}")
    return f"{closed}: task {task} waits. {again} makes another attempt, {without} goes on without it."


def left_behind_note(convoy: Convoy, task: Task | None) -> str:
    """Why our own pull request is closed; with no task the convoy's."""
    dropped = task is not None and task.status is TaskStatus.DROPPED
    reason = f" ({inline(convoy.reason, 200).rstrip('.')})" if convoy.reason else ""
    why = f"{code(convoy.slug)} has ended{reason}"
    if task is not None and dropped:
        parts = ", ".join(map(str, task.parts))
        why = f"Task {task.number} was {f'split into tasks {parts}' if parts else 'dropped'}"
    return f"{why}, so this pull request is closed. Its branch stays, and who reopens it is left alone."


def merged_early_note(merged: str, rest: str) -> str:
    """Of a pull request that was merged while a session went on from its head."""
    return (
        f"This was merged at {code(merged[:12])} while a session went on from there. What that added, up to"
        f" {code(rest[:12])}, is not in it and comes in another pull request."
    )


def voided_note(why: str) -> str:
    """An approval that does not hold any more."""
    return (
        f"The approval does not hold any more: {inline(why).rstrip('.')}. Nothing new starts."
        f" {code('/brat approve')} approves it as it stands now, {code('/brat replan <text>')} makes another"
        " plan."
    )


def release_needed_text(task: Task, diff: str = "") -> str:
    """Why finished work is not pushed yet: what CI would lend to it, or which paths it touches. And what it
    changes, for whoever decides: nowhere else can that be seen. Empty: too long, no text, or not known.
    """
    hold = task.hold
    assert hold is not None
    files = "\n".join(f"- {code(path)}" for path in hold.paths[:MOST])
    more = f"\n- … and {len(hold.paths) - MOST} more" if len(hold.paths) > MOST else ""
    lends = "workflows" in hold.reason
    allow = code('[refinery] agent_ci = "allow"')
    always = f" {allow} says that they always may." if lends else ""
    told = [
        f"✋ {_finished(task)} is done and not pushed yet: {inline(hold.reason).rstrip('.')}.",
        f"{files}{more}",
        f"Somebody who may write: {_release(task)} lets commit {code((hold.head or '')[:12])} go on, and"
        f" no other.{always}",
    ]
    whole = "\n\n".join([*told, *_changes(task, diff)])
    return whole if fits(whole) else "\n\n".join([*told, *_changes(task, "")])


def _changes(task: Task, diff: str) -> Iterator[str]:
    """Of held work. What hides characters from a reader is said: they are not shown here either."""
    if not diff:
        held = held_work(task)
        show = f", by {code(f'git diff {held.since[:12]} {held.head[:12]}')}" if held else ""
        where = code("$BRAT_DATA_DIR/repos/NUMBER/repo.git/brat/mirror.git")
        yield f"What it changes cannot be shown in a comment. The operator can show it: in {where}{show}."
        return
    if len(visible(diff)) != len(diff.replace("\r\n", "\n")):
        yield "⚠️ It holds characters that cannot be seen; they are left out below."
    yield folded("What it changes", block(diff, "diff", limit=len(diff)))


def patch_text(task: Task, patch: Patch, *, base: str) -> str:
    """Changed workflow files, handed over: GitHub takes them from no App without that permission."""
    files = "\n".join(f"- {code(path)}" for path in patch.paths[:MOST])
    apply = code("git apply --index workflows.patch")
    where = f"on {code(base)}"
    take = f"save the patch below as {code('workflows.patch')}, run {apply} {where}, commit and push"
    if not patch.text:
        take = f"make these changes {where} by hand (their patch is too long for a comment)"
    steps = (
        f"1. Read what it changes. To take it: {take}.\n"
        f"2. Comment {_release(task)}: the rest of the work is pushed on top of that."
    )
    other = f"To go on without: {code(f'/brat drop {task.number}')}."
    lead = (
        f"✋ {_finished(task)} is done and not pushed yet: it changes workflow files, which this App may not"
        f" push.\n\n{files}\n\n{steps}\n\n{other}"
    )
    if not patch.text:
        return lead
    shown = f"{lead}\n\n{folded('workflows.patch', block(patch.text, 'diff', limit=len(patch.text)))}"
    return shown if fits(shown) else patch_text(task, replace(patch, text=""), base=base)


def _finished(task: Task) -> str:
    return f"**Task {task.number}** ({inline(task.title, 120)})"


def _release(task: Task) -> str:
    return code(f"/brat release {task.number}")


def closing_summary(view: StickyView) -> str:
    """What came of the request, before the issue is closed."""
    lengths = (120, 40, 8) if len(view.tasks) <= MANY else (40, 8)
    tables = (_table(view, length) for length in lengths)
    table = next((each for each in tables if fits(each, LIMIT - 2_000)), "")
    if len(view.tasks) > MANY and table:
        table = folded(f"The {len(view.tasks)} tasks", table)
    return "\n\n".join(filter(None, [*_outcome(view), table, _spent(view)]))


def _table(view: StickyView, title: int) -> str:
    rows = (_landed(task, view.convoy, title=title) for task in view.tasks)
    return "\n".join(["| # | Task | Landed |", "|--:|---|---|", *rows])


def _outcome(view: StickyView) -> Iterator[str]:
    convoy = view.convoy
    merged = sum(task.status is TaskStatus.MERGED for task in convoy.tasks)
    dropped = len(convoy.tasks) - merged
    rest = f", {counted(dropped, 'task')} dropped" if dropped else ""
    yield f"✅ **Done**: {counted(merged, 'task')} landed on {code(convoy.base)}{rest}."
    if view.pull is not None:
        yield f"As one pull request: {link(f'#{view.pull[0]}', view.pull[1])}."


def _landed(task: StickyTask, convoy: Convoy, *, title: int) -> str:
    recorded = convoy.task(task.number)
    commit = recorded.merge_commit if recorded else None
    pull = f"{link(f'#{task.pull[0]}', task.pull[1])} " if task.pull else ""
    where = f"{pull}{commit[:12]}" if commit else f"{pull}{task.state}"
    return f"| {task.number} | {inline(task.spec.title, title)} | {where} |"


def _spent(view: StickyView) -> str:
    sessions = counted(sum(task.attempts for task in view.tasks), "session")
    quiet = untold(view.money)
    told = code(f"brat convoy show {view.convoy.slug}")
    return f"{sessions}, {usd(view.money.spent)}{quiet}. The whole story is in the log: {told}."
