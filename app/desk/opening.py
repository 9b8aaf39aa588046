"""How an issue becomes a convoy: by the start label, or by `/brat plan` from somebody who may write."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from typing import Protocol

from app.board import Convoy, Look
from app.config import Approval
from app.desk.asking import Asked, Standing, answer, ledger_issue, may_be_told, over_limit, standing
from app.desk.places import latest_convoy
from app.errors import UserError
from app.ports import (
    Answered,
    ConvoyOpened,
    ConvoyResumed,
    Decision,
    Fact,
    HubSeen,
    IssueSeen,
    RequestSource,
    Trigger,
    Verdict,
    VerdictState,
)
from app.texts import (
    edited_after_label_reply,
    request_refused_reply,
    settings_reply,
    stranger_label_reply,
)

__all__ = [
    "LABEL_AWAY",
    "Starter",
    "approval_of",
    "changed_since",
    "digest_of",
    "goal_of",
    "label_key",
    "labelled",
    "open_here",
]

LABEL_AWAY = "the start label was taken away"
"""Why a convoy paused; only such a pause ends when the label comes back."""

_HIDDEN = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)


class Starter(Protocol):
    """Opens a convoy for an issue; the plan may come with it. `goal` is the text below the title.

    Raises PlanError or UserError, whose words the person reads.
    """

    def __call__(self, look: Look, request: RequestSource, *, goal: str, title: str) -> tuple[Fact, ...]: ...


def digest_of(issue: IssueSeen) -> str:
    """What an approval binds to: title and body, byte for byte."""
    return hashlib.sha256(f"{issue.title}\0{issue.body}".encode(errors="surrogatepass")).hexdigest()


def goal_of(issue: IssueSeen) -> str:
    """The body as a reader of the issue sees it: HTML comments, which nobody sees, stay out."""
    return _HIDDEN.sub("", issue.body).strip()


def approval_of(look: Look) -> Approval:
    """A person approves where others than writers can open issues, or where that is not known."""
    private = look.seen.hub.private if look.seen.hub is not None else None
    return look.config.mayor.approval if private is True else "required"


def changed_since(issue: IssueSeen, ts: int) -> bool:
    """Whether title or body changed after that. The host counts whole seconds: the same one is too late."""
    return any(changed is not None and changed >= ts for changed in (issue.edited_ts, issue.renamed_ts))


def label_key(trigger: Trigger) -> str:
    return f"label:{trigger.event}"


def labelled(look: Look, hub: HubSeen, start: Starter) -> Decision:
    """Every label put on and not answered yet; one convoy is opened at a time, as names depend on the log."""
    decision = Decision()
    numbers = {*hub.triggered, *(each.request.number for each in look.board.open_convoys if each.request)}
    for number in sorted(numbers):
        issue = hub.issues.get(number)
        if issue is None or issue.trigger is None or not issue.open:
            continue
        key = label_key(issue.trigger)
        if key in look.board.ledger.answered or look.config.mayor.label not in issue.labels:
            continue
        asked = Asked(key, number, issue.trigger.by, f"label {look.config.mayor.label}", look.now)
        step = _label(look, hub, issue, asked=asked, start=start)
        decision += step
        if any(isinstance(fact, ConvoyOpened) for fact in step.facts):
            break
    return decision


def _label(look: Look, hub: HubSeen, issue: IssueSeen, *, asked: Asked, start: Starter) -> Decision:
    assert issue.trigger is not None
    who = standing(hub, asked.by, look.config)
    ledger = ledger_issue(look.board)
    if who is Standing.UNKNOWN:
        return Decision(verdicts=(_unknown(ledger, asked),))
    if who is not Standing.WRITES:
        return Decision(facts=(_passed_over(look, asked, polite=who is Standing.STRANGER),))
    convoy = latest_convoy(look.board, issue.number)
    if convoy is not None and not convoy.status.final:
        return Decision(facts=_put_back(convoy, asked))
    if changed_since(issue, issue.trigger.ts):
        reply = edited_after_label_reply("title or text", look.config.mayor.label)
        return Decision(facts=(answer(asked, ledger, accepted=False, reply=reply),))
    return Decision(facts=open_here(look, issue, asked=asked, asked_ts=issue.trigger.ts, start=start))


def _passed_over(look: Look, asked: Asked, *, polite: bool) -> Fact:
    """Handled, with an answer or without: it starts nothing on the day that they may write either."""
    ledger, asked = ledger_issue(look.board), replace(asked, text="")
    told = polite and may_be_told(look.board.ledger.answered, asked, ledger, now=look.now)
    reply = stranger_label_reply(asked.by.login, look.config.mayor.label) if told else ""
    return answer(asked, ledger, accepted=False, reply=reply)


def _put_back(convoy: Convoy, asked: Asked) -> tuple[Fact, ...]:
    """The label came back while the convoy is open: a pause that its absence made ends."""
    ours = convoy.paused is not None and convoy.paused.why == LABEL_AWAY
    resumed: tuple[Fact, ...] = (ConvoyResumed(convoy.issue, asked.by.login),) if ours else ()
    return (*resumed, answer(asked, convoy.issue, accepted=True))


def open_here(
    look: Look, issue: IssueSeen, *, asked: Asked, asked_ts: int, start: Starter
) -> tuple[Fact, ...]:
    """The facts of a new convoy and the answer, or the answer that refuses in the planner's words."""
    ledger = ledger_issue(look.board)
    limit = over_limit(look.board.ledger.answered, asked, now=look.now, starts=True)
    if limit:
        return (answer(asked, ledger, accepted=False, reply=f"{limit}; ask again tomorrow."),)
    if look.setting.config_problem:
        return (answer(asked, ledger, accepted=False, reply=settings_reply(look.setting.config_problem)),)
    source = RequestSource(
        number=issue.number,
        url=issue.url,
        digest=digest_of(issue),
        by=asked.by.login,
        by_id=asked.by.id,
        trigger=asked.key,
        ts=asked_ts,
    )
    try:
        facts = start(look, source, goal=goal_of(issue), title=issue.title.strip())
    except UserError as error:
        reply = request_refused_reply(error.reason, error.remedy or "", place=error.place or "")
        return (answer(asked, ledger, accepted=False, reply=reply),)
    opened = next((fact.issue for fact in facts if isinstance(fact, ConvoyOpened)), ledger)
    accepted: Answered = answer(asked, opened, accepted=True)
    return (*facts, accepted)


def _unknown(subject: str, asked: Asked) -> Verdict:
    because = f"#{asked.number}: whether {asked.by.login} may write could not be read; it is asked again"
    return Verdict(subject, "permission", VerdictState.WAITING, because, who="the code host")
