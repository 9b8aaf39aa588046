"""What happens to the issue of an open convoy: edited, closed, its label taken away."""

from __future__ import annotations

from app.board import Convoy, ConvoyStatus, Look, cancel_convoy
from app.desk.asking import NOBODY, Asked, answer
from app.desk.opening import LABEL_AWAY, digest_of
from app.ports import (
    ConvoyPaused,
    Decision,
    Fact,
    HubSeen,
    IssueSeen,
    RequestVoided,
    Verdict,
    VerdictState,
)
from app.texts import (
    code,
    inline,
    label_removed_note,
)

__all__ = ["watch_requests"]


def watch_requests(look: Look, hub: HubSeen) -> Decision:
    """Level-triggered: what the issue shows now decides, whichever news of it got lost."""
    decision = Decision()
    for convoy in look.board.open_convoys:
        issue = hub.issues.get(convoy.request.number) if convoy.request is not None else None
        if issue is not None:
            decision += _watch(look, convoy, issue)
    return decision


def _watch(look: Look, convoy: Convoy, issue: IssueSeen) -> Decision:
    if not issue.open:
        return _closed(look, convoy, issue)
    return Decision(facts=(*_voided(convoy, issue), *_label_away(look, convoy, issue)))


def _closed(look: Look, convoy: Convoy, issue: IssueSeen) -> Decision:
    """Closed by a person is an order; closed by ourselves, or by nobody knows whom, is none."""
    closer = issue.closed_by
    if closer is None:
        because = f"issue #{issue.number} is closed, and by whom could not be read"
        verdict = Verdict(convoy.issue, "closed", VerdictState.WAITING, because, who="the code host")
        return Decision(verdicts=(verdict,))
    if closer.ours:
        return Decision()
    reply = (
        f"This issue was closed by {inline(closer.login, 60)}, so {code(convoy.slug)} is cancelled; what has"
        f" landed stays. To begin again, reopen it and comment {code('/brat plan')}."
    )
    asked = Asked(f"closed:{convoy.id}", issue.number, closer, "closed the issue", look.now)
    cancelled = cancel_convoy(convoy, by=closer.login, reason=f"issue #{issue.number} was closed")
    return Decision(facts=(*cancelled, answer(asked, convoy.issue, accepted=True, reply=reply)))


def _voided(convoy: Convoy, issue: IssueSeen) -> tuple[Fact, ...]:
    """Once: what changes after that is bound by the next approval, which is still to come."""
    digest = digest_of(issue)
    waits_already = bool(convoy.voided) and convoy.approved_by is None
    if not convoy.approved_digest or digest == convoy.approved_digest or waits_already:
        return ()
    done = "approved" if convoy.approved_by else "asked for"
    why = f"title or text of issue #{issue.number} changed after it was {done}; the plan knows the old one"
    return (RequestVoided(convoy.issue, why, digest),)


def _label_away(look: Look, convoy: Convoy, issue: IssueSeen) -> tuple[Fact, ...]:
    """The label that was put on last is gone: a pause, once for each time it was put on."""
    label = look.config.mayor.label
    if label in issue.labels:
        return ()
    event = look.board.ledger.labelled.get(convoy.issue, 0)
    key = f"unlabel:{event}"
    if not event or key in look.board.ledger.answered:
        return ()
    asked = Asked(key, issue.number, NOBODY, f"label {label} taken away", look.now)
    if convoy.status is not ConvoyStatus.ACTIVE:
        return (answer(asked, convoy.issue, accepted=True),)
    reply = label_removed_note(label)
    paused = ConvoyPaused(convoy.issue, NOBODY.login, LABEL_AWAY)
    return (paused, answer(asked, convoy.issue, accepted=True, reply=reply))
