"""What people are told: the one comment per convoy, answers, reactions, labels, the end. Level-triggered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from app.board import (
    Convoy,
    ConvoyStatus,
    Effort,
    Look,
    commented,
    same_text,
    step,
    told_key,
    without_marker,
)
from app.desk.answers import Conversation, conversations, reply_text
from app.desk.effects import marked_done, reacted
from app.desk.notices import notices
from app.desk.places import latest_convoy
from app.desk.showing import view_of
from app.desk.sweeping import swept
from app.desk.untold import to_be_told
from app.ports import CloseIssue, Decision, EditComment, HubAction, HubSeen, IssueSeen, Label, Verdict
from app.texts import closing_summary, sticky

__all__ = ["STATES", "tell"]

STATES = tuple(f"brat:{word}" for word in ("planning", "waiting", "running", "blocked", "done"))


_OF_THE_END = ("closing:", "closed-by-us:", "left:", "close:")
"""Beginnings of the keys of what is done for an end."""


def tell(look: Look, verdicts: Iterable[Verdict]) -> Decision:
    """After all rooms have decided: what their verdicts and the board say goes to the issues."""
    hub = look.seen.hub
    if hub is None:
        return Decision()
    first: dict[str, Verdict] = {}
    for verdict in verdicts:
        first.setdefault(verdict.subject, verdict)
    decision = Decision()
    for convoy in to_be_told(look.board, now=look.now):
        issue = hub.issues.get(convoy.request.number) if convoy.request is not None else None
        if issue is not None:
            decision += _Telling(look, hub, convoy, issue=issue, verdicts=first).step()
            decision += notices(look, hub, convoy, number=issue.number)
    return decision + _answers(look, hub, first)


def _answers(look: Look, hub: HubSeen, verdicts: Mapping[str, Verdict]) -> Decision:
    """One comment for all commands of a comment, and one reaction."""
    decision = Decision()
    for talk in conversations(look.board.ledger, now=look.now):
        issue = talk.last.issue
        if talk.wants_reaction:
            decision += reacted(look, issue, comment=talk.comment, content=talk.reaction)
        if talk.wants_reply:
            decision += _replied(look, hub, talk, text=reply_text(look, hub, talk, verdicts=verdicts))
    return decision


def _replied(look: Look, hub: HubSeen, talk: Conversation, *, text: str) -> Decision:
    """Where a reaction is enough, that is said in the log: later there might be more to show."""
    if not text:
        return Decision(facts=marked_done(look, talk.last.issue, talk.reply_key))
    said = (talk.reply_key, text)
    return commented(look, hub, talk.last.issue, number=talk.last.number, said=said)


class _Telling:
    """One convoy and its issue."""

    def __init__(
        self, look: Look, hub: HubSeen, convoy: Convoy, *, issue: IssueSeen, verdicts: Mapping[str, Verdict]
    ) -> None:
        self.look, self.hub, self.convoy, self.issue = look, hub, convoy, issue
        self.swept = swept(look, hub, convoy)
        self.view = view_of(look, hub, convoy, verdicts=verdicts, left=self.swept.left)
        self.newest = latest_convoy(look.board, issue.number) == convoy

    def step(self) -> Decision:
        decision = self._sticky() + Decision(actions=self._labels())
        if not self.convoy.status.final:
            return decision
        ended = self._ending() if self.convoy.status is ConvoyStatus.COMPLETE else Decision()
        decision += ended + Decision(actions=(self.swept.drop,) if self.swept.drop is not None else ())
        quiet = not decision.facts and not decision.actions and self.swept.known and not self._awaited()
        if quiet and self._sticky_is_right():
            return Decision(facts=marked_done(self.look, self.convoy.issue, told_key(self.convoy)))
        return decision

    @property
    def _key(self) -> str:
        return f"sticky:{self.convoy.id}"

    def _sticky(self) -> Decision:
        text = without_marker(sticky(self.view))
        ref = self.look.board.ledger.ref(self._key)
        if ref is None:
            said = (self._key, text)
            return commented(self.look, self.hub, self.convoy.issue, number=self.issue.number, said=said)
        there = next((each for each in self.hub.comments if each.id == ref and each.author.ours), None)
        if there is None or same_text(there.body, text):
            return Decision()
        return Decision(actions=(EditComment(self.issue.number, ref, self._key, text),))

    def _awaited(self) -> bool:
        """Whether something of the end was begun and it is not known yet what became of it."""
        issues = {self.convoy.issue, *(task.issue for task in self.convoy.tasks)}
        return any(
            effect.intended.issue in issues and key.startswith(_OF_THE_END)
            for key, effect in self.look.board.ledger.begun.items()
        )

    def _sticky_is_right(self) -> bool:
        """Whether the comment was seen as it should be, or can never be there."""
        ref = self.look.board.ledger.ref(self._key)
        there = next((each for each in self.hub.comments if each.id == ref and each.author.ours), None)
        return ref == 0 or (there is not None and same_text(there.body, sticky(self.view)))

    def _labels(self) -> tuple[HubAction, ...]:
        """The state as a label; of an issue's convoys the newest one speaks."""
        wanted = f"brat:{self.view.state}"
        wrong = tuple(sorted(self.issue.labels & set(STATES) - {wanted}))
        if not self.newest or (wanted in self.issue.labels and not wrong):
            return ()
        return (Label(self.issue.number, add=(wanted,), remove=wrong),)

    def _ending(self) -> Decision:
        """The summary first, then the issue is closed, once: a person who opens it again is not fought."""
        key = f"closing:{self.convoy.id}"
        if self.look.board.ledger.ref(key) is None:
            said = (key, closing_summary(self.view))
            return commented(self.look, self.hub, self.convoy.issue, number=self.issue.number, said=said)
        return self._closed() if self.newest else Decision()

    def _closed(self) -> Decision:
        """Open, it looks the same before we close it and after a person opened it again; its events tell."""
        key = f"closed-by-us:{self.convoy.id}"
        action = CloseIssue(self.issue.number, key=key)
        ours = self.issue.our_close_ts
        there = 1 if not self.issue.open or (ours is not None and ours > self.convoy.opened_ts) else None
        return step(self.look, Effort(self.convoy.issue, key, action, found=there))
