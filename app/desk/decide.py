"""The desk's part of a pass: what people did on the code host becomes facts, each exactly once."""

from __future__ import annotations

from collections.abc import Iterator

from app.board import Look
from app.config import ENGINES
from app.desk.alarm import log_set_back
from app.desk.asking import (
    DAY_MS,
    OVERLAP_MS,
    Asked,
    Standing,
    answer,
    ledger_issue,
    may_be_told,
    over_limit,
    standing,
)
from app.desk.case import Case, Outcome
from app.desk.gate import watch_requests
from app.desk.handling import handle
from app.desk.opening import Starter, labelled
from app.desk.places import Spot, spot_of
from app.ports import (
    Answered,
    Comment,
    ConvoyOpened,
    Decision,
    Fact,
    HubSeen,
    LedgerOpened,
    Verdict,
    VerdictState,
)
from app.texts import (
    Command,
    Mistake,
    mistake_reply,
    no_permission_reply,
    read_comment,
)

__all__ = ["PATIENCE_MS", "decide"]

PATIENCE_MS = 3_600_000
"""A command whose author's permission cannot be read for so long is refused: say it again."""


_UNREADABLE = (
    "For an hour it could not be read whether you may write to this repository, so nothing was done."
    " Please say it again."
)


def decide(look: Look, *, start: Starter, before: tuple[Fact, ...] = ()) -> Decision:
    """What issues, labels and comments ask for. Nothing on a plain repository.

    `before` is what other roles decided in this round: a command on what that changes waits for the next one.
    """
    hub = look.seen.hub
    if hub is None:
        return Decision()
    decision = log_set_back(look, hub) + watch_requests(look, hub)
    decision += labelled(look, hub, start)
    if any(_unread(look, each) for each in hub.comments):
        decision += _Inbox(look, hub, start=start, before=(*before, *decision.facts)).read()
    return _with_ledger(look, decision)


def _unread(look: Look, comment: Comment) -> bool:
    return not comment.author.ours and f"comment:{comment.id}" not in look.board.ledger.answered


def _with_ledger(look: Look, decision: Decision) -> Decision:
    """The ledger's issue is opened with the first fact that stands on it."""
    ledger = ledger_issue(look.board)
    if look.board.ledger.issue is not None or all(fact.issue != ledger for fact in decision.facts):
        return decision
    return Decision(facts=(LedgerOpened(ledger),)) + decision


class _Inbox:
    """Comments in order of time. What changes a convoy is decided one at a time, on the board as it then is.

    The inbox is read from the newest answer on (`wanted`), so nothing is answered that would leave an older
    command behind which still waits.
    """

    def __init__(self, look: Look, hub: HubSeen, *, start: Starter, before: tuple[Fact, ...]) -> None:
        self.look, self.hub, self.start = look, hub, start
        self.answered: dict[str, Answered] = dict(look.board.ledger.answered)
        self.changed: set[str] = set()
        self._note(before)

    def read(self) -> Decision:
        decision, oldest = Decision(), None
        for comment in sorted(self.hub.comments, key=lambda each: (each.created_ts, each.id)):
            if oldest is not None and comment.created_ts >= oldest + OVERLAP_MS:
                break
            if comment.author.ours or f"comment:{comment.id}" in self.answered:
                continue
            step, waits = self._comment(comment)
            decision += step
            if waits and oldest is None:
                oldest = comment.created_ts
        return decision

    def _note(self, facts: tuple[Fact, ...]) -> None:
        for fact in facts:
            if isinstance(fact, Answered):
                self.answered[fact.key] = fact
            elif isinstance(fact, ConvoyOpened):
                self.changed.add("opening")
            else:
                self.changed.add(fact.issue)

    def _comment(self, comment: Comment) -> tuple[Decision, bool]:
        """What this comment comes to, and whether something of it still waits."""
        spot = spot_of(self.look.board, comment.number, on_pull=comment.on_pull)
        said = read_comment(
            comment,
            place=spot.place,
            task=spot.task.number if spot.task else None,
            engines=self.look.setting.allow_engines or ENGINES,
        )
        who = standing(self.hub, comment.author, self.look.config)
        if not said:
            return Decision(), False
        if who is Standing.WRITES:
            return self._carry_out(spot, comment, said)
        if who is Standing.UNKNOWN and self.look.now - comment.created_ts < PATIENCE_MS:
            because = f"whether {comment.author.login} may write could not be read; it is asked again"
            return self._waiting(spot, because), True
        polite = {Standing.STRANGER: no_permission_reply(comment.author.login), Standing.UNKNOWN: _UNREADABLE}
        settled = who is not Standing.UNKNOWN and any(isinstance(each, Command) for each in said)
        return self._stranger(comment, polite.get(who, ""), settled=settled), False

    def _stranger(self, comment: Comment, reply: str, *, settled: bool) -> Decision:
        """One polite answer, after that silence. A command of who may not is `settled`: recorded without a
        word of it, or it would be carried out on the day that they may.
        """
        ledger = ledger_issue(self.look.board)
        asked = Asked(f"comment:{comment.id}", comment.number, comment.author, "", comment.created_ts)
        told = bool(reply) and may_be_told(self.answered, asked, ledger, now=self.look.now)
        if not told and not settled:
            return Decision()
        handled = answer(asked, ledger, accepted=False, reply=reply if told else "")
        self._note((handled,))
        return Decision(facts=(handled,))

    def _carry_out(
        self, spot: Spot, comment: Comment, said: tuple[Command | Mistake, ...]
    ) -> tuple[Decision, bool]:
        """Its commands in order, until one changes the board: the next is judged by what that leaves."""
        decision = Decision()
        for key, item in _keyed(comment, said):
            if key in self.answered:
                continue
            if self._busy(spot):
                return decision, True
            asked = Asked(key, comment.number, comment.author, _words(item), comment.created_ts)
            outcome = self._judge(spot, item, asked)
            if outcome.wait:
                return decision + self._waiting(spot, outcome.wait), True
            decision += self._done(spot, asked, outcome)
        return decision, False

    def _busy(self, spot: Spot) -> bool:
        """Whether this pass has changed what the next command would be judged by."""
        if "opening" in self.changed:
            return True
        convoy = spot.convoy
        issues = {convoy.issue, *(task.issue for task in convoy.tasks)} if convoy is not None else set()
        return bool(issues & self.changed)

    def _judge(self, spot: Spot, item: Command | Mistake, asked: Asked) -> Outcome:
        if limit := over_limit(self.answered, asked, now=self.look.now):
            said = any(limit in each.reply for each in self.answered.values() if each.ts > asked.ts - DAY_MS)
            return Outcome(reply="" if said else f"{limit}; say it again tomorrow.", accepted=False)
        if isinstance(item, Mistake):
            return Outcome(reply=mistake_reply(item), accepted=False)
        outcome = handle(Case(self.look, self.hub, spot, item, asked, self.start))
        if outcome.wait and self.look.now - asked.ts >= PATIENCE_MS:
            return Outcome(reply=f"{outcome.wait}; say it again.", accepted=False)
        return outcome

    def _done(self, spot: Spot, asked: Asked, outcome: Outcome) -> Decision:
        """The facts and the answer, for one commit of the log."""
        opened = next((each.issue for each in outcome.facts if isinstance(each, ConvoyOpened)), None)
        issue = opened or (spot.convoy.issue if spot.convoy is not None else ledger_issue(self.look.board))
        told = answer(asked, issue, accepted=outcome.accepted, reply=outcome.reply)
        facts = (*outcome.facts, told)
        self._note(facts)
        return Decision(facts=facts)

    def _waiting(self, spot: Spot, because: str) -> Decision:
        subject = spot.convoy.issue if spot.convoy is not None else ledger_issue(self.look.board)
        about = f"a command in #{spot.number} waits: {because}"
        return Decision(
            verdicts=(Verdict(subject, "command", VerdictState.WAITING, about, who="the code host"),)
        )


def _keyed(comment: Comment, said: tuple[Command | Mistake, ...]) -> Iterator[tuple[str, Command | Mistake]]:
    """The last command has the comment's own key, so that this key says: all of it is answered."""
    for at, item in enumerate(said):
        last = at == len(said) - 1
        yield (f"comment:{comment.id}" if last else f"comment:{comment.id}:{at}"), item


def _words(item: Command | Mistake) -> str:
    return str(item) if isinstance(item, Command) else item.said
