"""The check run `brat` on a head: the policy's tree in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from app.board import Convoy
from app.ports import Verdict, VerdictState
from app.texts.markdown import code, fits, inline, short
from app.texts.twins import as_comment

__all__ = ["CheckText", "check_text", "verdict_lines"]

CheckText = tuple[str, str, str | None]
"""Title, summary in Markdown, and conclusion; no conclusion: in progress."""

_SIGNS = {
    VerdictState.DONE: "✔",
    VerdictState.BLOCKED: "✖",
    VerdictState.WAITING: "⏳",
    VerdictState.WORKING: "🔵",
}
_CONCLUSIONS = {VerdictState.DONE: "success", VerdictState.BLOCKED: "action_required"}


def check_text(verdict: Verdict, *, convoy: Convoy | None = None) -> CheckText:
    """`neutral` is never said: a required check passes by it.

    With the `convoy`, commands of the command line are said as comments.
    """
    verdict = _as_comments(verdict, convoy) if convoy else verdict
    leaves = list(_leaves(verdict))
    held = sum(each.state is VerdictState.DONE for each in leaves)
    lead = {
        VerdictState.DONE: "May land",
        VerdictState.BLOCKED: "Needs a person",
        VerdictState.WAITING: "Waiting",
        VerdictState.WORKING: "Working",
    }[verdict.state]
    counts = f"{held} of {len(leaves)} conditions hold" if verdict.parts else verdict.because
    title = f"{lead}: {short(counts, 100)}"
    return title, _summary(verdict), _CONCLUSIONS.get(verdict.state)


def _summary(verdict: Verdict) -> str:
    """The whole tree; where it is too long, what holds is left out first, and that is said."""
    lead = f"{inline(verdict.because)}{_remedy(verdict)}"
    whole = "\n".join([lead, "", *verdict_lines(verdict.parts)])
    if fits(whole):
        return whole.rstrip()
    open_parts = [each for each in _leaves(verdict) if each.state is not VerdictState.DONE]
    said = f"What holds is left out; {code('brat policy explain')} shows all."
    kept = [lead, "", *verdict_lines(tuple(open_parts), limit=160), "", said]
    while not fits("\n".join(kept)):
        kept = [*kept[: len(kept) // 2], "", f"… and more. {said}"]
    return "\n".join(kept)


def verdict_lines(parts: tuple[Verdict, ...], *, limit: int = 600, depth: int = 0) -> Iterator[str]:
    """A nested list: sign, rule, what was seen and wanted, and who can change it with which command."""
    for part in parts:
        name = f"**{inline(part.rule.replace('-', ' '), 80)}**"
        yield f"{'  ' * depth}- {_SIGNS[part.state]} {name}: {inline(part.because, limit)}{_remedy(part)}"
        yield from verdict_lines(part.parts, limit=limit, depth=min(depth + 1, 6))


def _remedy(verdict: Verdict) -> str:
    if verdict.state is VerdictState.DONE or not verdict.unblock:
        return ""
    who = f"{inline(verdict.who, 200)}: " if verdict.who else ""
    return f" → {who}{code(verdict.unblock)}"


def _as_comments(verdict: Verdict, convoy: Convoy) -> Verdict:
    parts = tuple(_as_comments(each, convoy) for each in verdict.parts)
    return replace(verdict, unblock=as_comment(verdict.unblock, convoy), parts=parts)


def _leaves(verdict: Verdict) -> Iterator[Verdict]:
    if not verdict.parts:
        yield verdict
    for part in verdict.parts:
        yield from _leaves(part)
