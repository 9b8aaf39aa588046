"""Effects of the desk that are no comment: reactions, and that all of something was done."""

from __future__ import annotations

from app.board import Effort, Look, step
from app.ports import Decision, EffectIntended, EffectSeen, Fact, React

__all__ = ["marked_done", "reacted"]


def reacted(look: Look, issue: str, *, comment: int, content: str) -> Decision:
    """The next step towards a reaction. Twice is once on the code host, so nobody looks for it."""
    key = f"react:comment:{comment}"
    return step(look, Effort(issue, key, React(comment, content, key)))


def marked_done(look: Look, issue: str, key: str) -> tuple[Fact, ...]:
    """That all of something was seen done, as an effect that needs no act."""
    intent = EffectIntended(issue, key, look.setting.process, look.now)
    return (intent, EffectSeen(issue, key, 1))
