"""Comments of our own: each wanted once, found again by its key on what our own App made."""

from __future__ import annotations

from app.board.effects import Effort, step
from app.board.look import Look
from app.ports import Comment, Decision, HubSeen, PostComment

__all__ = ["commented", "same_text", "without_marker"]


def without_marker(body: str) -> str:
    """What people read of a comment of ours; the code host's side writes the hidden marker."""
    text = body.replace("\r\n", "\n").rstrip()
    head, mark, rest = text.rpartition("<!-- brat:")
    return head.rstrip() if mark and rest.endswith("-->") and "\n" not in rest else text


def same_text(one: str, other: str) -> bool:
    """Whether people read the same in both."""
    return without_marker(one) == without_marker(other)


def commented(look: Look, hub: HubSeen, issue: str, *, number: int, said: tuple[str, str]) -> Decision:
    """The next step towards a comment; `said` is its key and its text. None where nobody looked."""
    key, text = said
    if number not in hub.issues and number not in hub.pulls:
        return Decision()
    there = _found(hub, key)
    action = PostComment(number, key, without_marker(text))
    return step(look, Effort(issue, key, action, found=there.id if there is not None else None))


def _found(hub: HubSeen, key: str) -> Comment | None:
    """Our comment with this key; of two, the older one counts. A stranger's copy of the key is none (T19)."""
    mine = (each for each in hub.comments if each.key == key and each.author.ours)
    return min(mine, key=lambda each: each.id, default=None)
