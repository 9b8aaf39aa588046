"""What goes back to the agent: red checks, flaky ones first re-run, and the words of people who may write."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from app.config import RefineryPolicy
from app.policy.checks import latest, required_of
from app.policy.reviews import may_write
from app.ports import Access, BranchRules, CheckSeen, CheckState, ReviewSeen, ReviewState
from app.values import dataclass

__all__ = ["Unheard", "red_checks", "review_evidence", "unheard_checks", "worth_rerun"]

_MACHINE = re.compile(
    r"connection (reset|refused|timed out)|could not resolve host|temporary failure in name resolution"
    r"|lost communication with the server|runner has received a shutdown signal|no space left on device"
    r"|\b(429 too many requests|50[234] (bad gateway|service unavailable|gateway time-?out))\b"
    r"|tls handshake timeout|network is unreachable|received the signal to terminate|rate limit exceeded",
    re.IGNORECASE,
)
"""What a machine or a network says when it fails, and not a program under test."""


@dataclass(frozen=True, slots=True)
class Unheard:
    """Names of checks that run, and of those that are expected and of which nothing was heard."""

    running: tuple[str, ...]
    silent: tuple[str, ...]


def red_checks(
    checks: Iterable[CheckSeen], rules: BranchRules | None, policy: RefineryPolicy, *, app: int = 0
) -> tuple[CheckSeen, ...]:
    """Checks of a head that count and that an agent can mend; empty while one that counts still runs.

    So a session gets all of them at once. A run that waits for a person's approval is nothing for an agent.
    """
    runs = _that_count(checks, rules, policy, app=app)
    if any(run.state is CheckState.PENDING for run in runs):
        return ()
    return tuple(run for run in runs if run.state.fails and run.state is not CheckState.ACTION_REQUIRED)


def unheard_checks(
    checks: Iterable[CheckSeen], rules: BranchRules | None, policy: RefineryPolicy, *, app: int = 0
) -> Unheard:
    """Checks that count and have not ended on a landed commit."""
    runs = _that_count(checks, rules, policy, app=app)
    names = {each.name for each in required_of(rules, policy) if each.app is None or each.app != app}
    if rules is None or (policy.require_ci and not names and rules.usual is None):
        # Not read: whatever reports may count.
        names = names or ({run.name for run in runs} or {"any check"})
    elif policy.require_ci and not names:
        names = {*(rules.usual or ())}
    running = sorted({run.name for run in runs if run.state is CheckState.PENDING})
    return Unheard(tuple(running), tuple(sorted(names - {run.name for run in runs})))


def _that_count(
    checks: Iterable[CheckSeen], rules: BranchRules | None, policy: RefineryPolicy, *, app: int
) -> tuple[CheckSeen, ...]:
    """The required ones; where none is, all with `require_ci` and none without."""
    required = required_of(rules, policy)
    runs = latest(checks, app=app)
    if required:
        return tuple(run for run in runs if any(_meant(run, each.name, each.app) for each in required))
    return runs if policy.require_ci else ()


def _meant(run: CheckSeen, name: str, app: int | None) -> bool:
    return run.name == name and (app is None or run.app == app)


def worth_rerun(
    red: Iterable[CheckSeen],
    checks: Iterable[CheckSeen],
    logs: Mapping[int, str],
    *,
    rerun: bool,
) -> tuple[CheckSeen, ...]:
    """Red check runs that rather tell of the machine than of the code; none once the head was `rerun`.

    Signs: cancelled or timed out, green before on this very head, or the words of a broken network in the
    log tail (`logs`, by check run). A status cannot be re-run.
    """
    if rerun:
        return ()
    green = {_job(each) for each in checks if each.state is CheckState.SUCCESS and not each.ours}
    stopped = (CheckState.CANCELLED, CheckState.TIMED_OUT)
    return tuple(
        each
        for each in red
        if each.id > 0
        and (
            each.state in stopped or _job(each) in green or _MACHINE.search(logs.get(each.id, "")) is not None
        )
    )


def _job(check: CheckSeen) -> tuple[str, int | None, str]:
    return check.name, check.app, check.workflow


def review_evidence(
    reviews: Iterable[ReviewSeen],
    access: Mapping[int, Access],
    since: int,
    *,
    allow_bots: frozenset[int] = frozenset(),
) -> tuple[ReviewSeen, ...]:
    """Published reviews after `since` (ms) that wake an agent (T21), oldest first.

    By people who may write now or bots in the allow-list, never ours; an account that could not be asked
    about wakes nobody. Changes requested, or a comment with words, its own or on lines; an approval asks for
    nothing. A comment in the conversation is no review: people talk to each other there.
    """
    return tuple(
        sorted(
            (
                each
                for each in reviews
                if each.submitted_ts > since
                and may_write(each.author, access, allow_bots)
                and (each.state is ReviewState.CHANGES_REQUESTED or _remarks(each))
            ),
            key=lambda each: (each.submitted_ts, each.id),
        )
    )


def _remarks(review: ReviewSeen) -> bool:
    words = review.body.strip() or any(line.strip() for line in review.lines)
    return review.state is ReviewState.COMMENTED and bool(words)
