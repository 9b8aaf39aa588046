"""The one comment of an issue: where its convoy stands. Equal views give equal bytes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from app.board import Convoy, ConvoyStatus, counted
from app.texts.graph import mermaid, too_large
from app.texts.markdown import LIMIT, code, fits, folded, inline, link, marked, quoted
from app.texts.plan_text import Detail, plan_details
from app.texts.table import row_of
from app.texts.view import Money, StickyTask, StickyView, Wait

__all__ = ["MANY", "how_to_take_part", "status_text", "sticky", "untold", "usd"]

MANY = 12
"""More tasks than this, and graph and plan are folded."""

_SIGNS = {
    "merged": "✅",
    "dropped": "⚫",
    "split": "⚫",
    "not done": "⚫",
    "running": "🔵",
    "rework": "🔵",
    "sent back": "🔵",
    "landing": "🔵",
    "being split": "🔵",
    "in review": "🔵",
    "blocked": "⛔",
    "held": "✋",
}
_HEADLINES = {
    "planning": "📝 **Planning**",
    "waiting": "✋ **Waiting for approval**",
    "running": "🔵 **Working**",
    "blocked": "⛔ **Needs a person**",
}


def sticky(view: StickyView) -> str:
    """The comment with its hidden marker. Where it would be too long, details shrink and it says so."""
    key = f"sticky:{view.convoy.id}"
    for detail in Detail:
        body = "\n\n".join(part for part in _parts(view, detail) if part)
        if fits(body, LIMIT):
            return marked(body, key)
    return marked("\n\n".join([_head(view), _cut_note(view, Detail.COUNTS)]), key)


def status_text(view: StickyView, *, limit: int) -> str:
    """The short form: state, what waits for whom, the table where there is room, the budget."""
    for detail in (Detail.TITLES, Detail.STATES, Detail.COUNTS):
        parts = [_head(view), _persons(view, detail), _table(view, detail), _waiting(view, detail)]
        text = "\n\n".join(filter(None, [*parts, _budget(view.money)]))
        if fits(text, limit):
            return text
    return f"{_head(view)}\n\n{_budget(view.money)}\n\nThe comment at the top has the rest."


def _parts(view: StickyView, detail: Detail) -> Iterator[str]:
    yield _head(view)
    yield from (f"> ⚠️ {inline(note)}" for note in view.notes)
    yield _persons(view, detail)
    yield _summary(view)
    yield _questions(view, detail)
    yield _plan(view, detail)
    yield _waiting(view, detail)
    yield _cut_note(view, detail)
    yield _budget(view.money)
    yield how_to_take_part(view)
    yield plan_details(view, detail)


def _head(view: StickyView) -> str:
    convoy = view.convoy
    own = f" · {link(f'#{view.pull[0]}', view.pull[1])}" if view.pull else ""
    return f"### brat · {code(convoy.slug)}{own}\n\n{_headline(view)}{_counts(view)}{_refusals(convoy)}"


def _headline(view: StickyView) -> str:
    convoy = view.convoy
    if convoy.status is ConvoyStatus.COMPLETE:
        return f"✅ **Done**, landed on {code(convoy.base)}"
    if convoy.status is ConvoyStatus.FAILED:
        return f"⛔ **Ended**: {inline(convoy.reason) or 'not everything landed'}"
    if convoy.status is ConvoyStatus.PAUSED:
        return "⏸️ **Paused**"
    if convoy.voided:
        return "✋ **The approval does not hold any more**"
    doing = f" · {inline(view.doing, 200)}" if view.doing and not view.tasks else ""
    return f"{_HEADLINES[view.state]}{doing}"


def _refusals(convoy: Convoy) -> str:
    """What was wrong with the answer that the planner corrects now."""
    if convoy.plan is not None or not convoy.refusals:
        return ""
    last = "; ".join(convoy.refusals[-1].errors[:3])
    times = counted(len(convoy.refusals), "plan was", "plans were")
    return f"\n\n> {times} refused, the last for: {inline(last, 600)}"


def _counts(view: StickyView) -> str:
    if not view.tasks:
        return ""
    states = Counter(task.state for task in view.tasks)
    if set(states) == {"planned"}:
        return f" · {counted(len(view.tasks), 'task')} planned"
    merged = states.pop("merged", 0)
    rest = [f"{count} {state}" for state, count in states.items()]
    return " · " + " · ".join([f"{merged} of {counted(len(view.tasks), 'task')} merged", *rest])


def _persons(view: StickyView, detail: Detail) -> str:
    """What only a person can move, with who and how."""
    lines = []
    if view.convoy.voided and not view.convoy.status.final:
        lines.append(_line("", Wait(view.convoy.voided, "a maintainer", "/brat approve", True)))
    elif view.wait is not None:
        lines.append(_line("", view.wait))
    lines += _grouped(view, detail, person=True)
    return "\n".join(lines)


def _waiting(view: StickyView, detail: Detail) -> str:
    return "\n".join(_grouped(view, detail, person=False))


def _grouped(view: StickyView, detail: Detail, *, person: bool) -> list[str]:
    """One line for all tasks that wait for the same; what the whole convoy waits for is not said again."""
    groups: dict[Wait, list[int]] = {}
    for task in view.tasks:
        wait = task.wait
        if wait is not None and wait.person is person and wait != view.wait:
            groups.setdefault(wait, []).append(task.number)
    limit = 400 if detail is Detail.FULL else 160
    lines = [_line(_tasks(numbers), wait, limit) for wait, numbers in groups.items()]
    most = len(lines) if detail < Detail.STATES else 60
    more = [f"- … and {counted(len(lines) - most, 'more reason')}: {code('brat status')}"]
    return lines[:most] + (more if len(lines) > most else [])


def _tasks(numbers: list[int]) -> str:
    word = "Task" if len(numbers) == 1 else "Tasks"
    return f"**{word} {', '.join(map(str, numbers))}**: "


def _line(about: str, wait: Wait, limit: int = 400) -> str:
    sign = "✋" if wait.person else "⏳"
    who = f"{inline(wait.who, 200)}: " if wait.who else ""
    remedy = f" → {who}{code(wait.command)}" if wait.command else ""
    return f"- {sign} {about}{inline(wait.because, limit)}{remedy}"


def _questions(view: StickyView, detail: Detail) -> str:
    plan = view.convoy.plan.plan if view.convoy.plan else None
    if plan is None or view.convoy.status.final:
        return ""
    parts = []
    if plan.open_questions:
        asked = _numbered(plan.open_questions, detail)
        parts.append(f"**The Mayor asks** ({code('/brat answer <text>')})\n\n{asked}")
    if plan.assumptions:
        taken = _numbered(plan.assumptions, detail)
        heading = "**The plan takes for granted**"
        parts.append(f"{heading}\n\n{taken}" if len(plan.assumptions) < 6 else folded("Assumptions", taken))
    return "\n\n".join(parts)


def _numbered(texts: tuple[str, ...], detail: Detail) -> str:
    limit, most = (2_000, len(texts)) if detail < Detail.STATES else (200, 12)
    lines = [f"{at}. {inline(text, limit)}" for at, text in enumerate(texts[:most], 1)]
    return "\n".join(
        [*lines, *([f"{most + 1}. … and {len(texts) - most} more"] if len(texts) > most else [])]
    )


def _summary(view: StickyView) -> str:
    """What is to be approved, in the planner's words; later it is folded."""
    plan = view.convoy.plan.plan if view.convoy.plan else None
    return "" if plan is None or view.convoy.approved_by else quoted(plan.summary, 2_000)


def _plan(view: StickyView, detail: Detail) -> str:
    if not view.tasks or detail is Detail.COUNTS:
        return ""
    table = _table(view, detail)
    drawn = f"```mermaid\n{mermaid(view.tasks)}\n```"
    if too_large(view.tasks):
        drawn = f"_{len(view.tasks)} tasks are too many to draw here; {code('brat convoy show')} draws them._"
    elif len(view.tasks) == 1 or detail >= Detail.TITLES:
        drawn = ""
    elif len(view.tasks) > MANY or view.convoy.status.final:
        drawn = folded("Graph", drawn)
    if len(view.tasks) > MANY:
        table = folded(f"The {len(view.tasks)} tasks", table)
    return f"{table}\n\n{drawn}".rstrip()


def _table(view: StickyView, detail: Detail) -> str:
    if not view.tasks or detail is Detail.COUNTS:
        return ""
    return "\n".join(["| # | Task | State |", "|--:|---|---|", *(_row(task, detail) for task in view.tasks)])


def _row(task: StickyTask, detail: Detail) -> str:
    title = inline(task.spec.title, 120 if detail < Detail.TITLES else 40)
    sign = "✋" if task.wait and task.wait.person else _SIGNS.get(task.state, "⏳" if task.wait else "⚪")
    pull = f" {link(f'#{task.pull[0]}', task.pull[1])}" if task.pull else ""
    into = f" into {', '.join(map(str, task.parts))}" if task.parts else ""
    return f"| {task.number} | {title} | {sign} {task.state}{into}{pull} |"


def _cut_note(view: StickyView, detail: Detail) -> str:
    said = {
        Detail.FULL: "",
        Detail.ACCEPTANCE: "What each task is told is left out here",
        Detail.TITLES: "Each task's instructions and checks, and the graph, are left out here",
        Detail.STATES: "Details of tasks are left out here and reasons are shortened",
        Detail.COUNTS: f"The {counted(len(view.tasks), 'task')} and their details are left out here",
    }[detail]
    shown = code(f"brat convoy show {view.convoy.slug}")
    return f"> {said}, as a comment has a limit: {shown} and {code('brat status')} show all." if said else ""


def _budget(money: Money) -> str:
    limit = f" of {money.limit:.2f}" if money.limit is not None else ""
    held = f", {money.reserved:.2f} reserved for running sessions" if money.reserved else ""
    open_end = "" if money.limit is not None else ", no limit is set"
    quiet = untold(money)
    return f"**Budget**: {money.spent:.2f}{limit} USD spent{held}{open_end}{quiet}"


def untold(money: Money) -> str:
    """How much of the sum is not known."""
    whose = "its" if money.unmetered == 1 else "their"
    return f" ({counted(money.unmetered, 'session')} did not tell {whose} cost)" if money.unmetered else ""


def usd(amount: float) -> str:
    return f"{amount:.2f} USD"


def how_to_take_part(view: StickyView) -> str:
    """The commands that make sense as things stand."""
    names = _sensible(view)
    if not names:
        return ""
    rows = [row for name in names if (row := row_of(name))]
    lines = "\n".join(f"- {code(row.form)}: {row.meaning}" for row in rows)
    who = "Commands count from people who may write here, in a new comment, at the start of a line."
    return folded("How to take part", f"{lines}\n- {code('/brat help')}: all commands.\n\n{who}")


def _sensible(view: StickyView) -> tuple[str, ...]:
    convoy = view.convoy
    if convoy.status.final:
        return ()
    if convoy.status is ConvoyStatus.PAUSED:
        return ("resume", "cancel")
    if convoy.plan is None:
        return ("pause", "cancel")
    asked = ("answer",) if convoy.plan.plan.open_questions else ()
    if not convoy.approved_by or convoy.voided:
        return ("approve", "replan", *asked, "drop", "engine", "cancel")
    waits = {task.wait.command.split()[1] for task in view.tasks if task.wait and _ours(task.wait.command)}
    own = tuple(name for name in ("release", "unhold", "retry", "split") if name in waits)
    return (*own, "hold", "drop", "logs", "pause", "cancel")


def _ours(command: str) -> bool:
    return command.startswith("/brat ")
