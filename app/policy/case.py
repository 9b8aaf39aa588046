"""Everything a verdict over a pull request is made from, and the four ways a rule can answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from types import MappingProxyType

from app.config import RefineryPolicy
from app.ports import Access, BranchRules, CheckSeen, HoldPlaced, PullSeen, Verdict, VerdictState
from app.values import dataclass

__all__ = ["AGAIN_MS", "SOON_MS", "PolicyCase", "listed"]

SOON_MS = 15_000
"""When something that the code host is just computing is looked at again."""

AGAIN_MS = 60_000
"""When something that could not be read is looked at again."""

_GRAVITY = (VerdictState.DONE, VerdictState.WORKING, VerdictState.WAITING, VerdictState.BLOCKED)


@dataclass(frozen=True, slots=True)
class PolicyCase:
    """One look at one pull request. None means "could not be read" and never lets anything pass.

    `subject` is the grite issue id, `task` its number for commands (0: the convoy's own pull request: its
    tasks that nobody released are `unreleased`, and `paths` are theirs).
    `checks` are those of `pull.head`, which stands there since `head_since_ts`; `rules` are of `target`, the
    branch where it is to land.
    `paths` are the files changed, `labels` the issue's, `released` the heads that a person released.
    `access` is by account id, `app` our own App's id. `ci_runs` False: no workflow runs for this branch, so
    that `require_ci` asks nothing of it. Times are in ms since the epoch.
    """

    subject: str
    pull: PullSeen
    policy: RefineryPolicy
    now: int
    head_since_ts: int
    target: str
    checks: tuple[CheckSeen, ...] | None = None
    rules: BranchRules | None = None
    paths: tuple[str, ...] | None = None
    labels: frozenset[str] | None = None
    access: Mapping[int, Access] = field(default_factory=lambda: MappingProxyType({}))
    allow_bots: frozenset[int] = frozenset()
    holds: tuple[HoldPlaced, ...] = ()
    released: frozenset[str] = frozenset()
    app: int = 0
    task: int = 0
    unreleased: tuple[int, ...] = ()
    ci_runs: bool = True

    def command(self, verb: str) -> str:
        """`/brat <verb> <task>`; in the convoy's own pull request for all tasks that nobody released."""
        return f"/brat {verb} {self.task or ','.join(map(str, self.unreleased))}"

    @property
    def mend(self) -> str:
        """What helps work that cannot land as it is. The tasks in a convoy's own pull request are over."""
        return self.command("retry") if self.task else f"push what mends it to {self.pull.head_branch}"

    def passed(self, rule: str, because: str) -> Verdict:
        return Verdict(self.subject, rule, VerdictState.DONE, because)

    def waiting(self, rule: str, because: str, *, who: str, next_look_ts: int | None = None) -> Verdict:
        """Time or a machine changes it."""
        return Verdict(self.subject, rule, VerdictState.WAITING, because, who, next_look_ts=next_look_ts)

    def blocked(self, rule: str, because: str, *, who: str, unblock: str) -> Verdict:
        """A person or an agent has to do something."""
        return Verdict(self.subject, rule, VerdictState.BLOCKED, because, who=who, unblock=unblock)

    def unknown(self, rule: str, what: str, *, unblock: str = "/brat merge") -> Verdict:
        """Not read is not a yes: waits, with that as its reason."""
        because = f"unknown: {what} could not be read"
        again = self.now + AGAIN_MS
        return Verdict(self.subject, rule, VerdictState.WAITING, because, "brat", unblock, again)

    def summed(self, rule: str, parts: Sequence[Verdict], *, fine: str, noun: str) -> Verdict:
        """The parts as one: done only if each is, else the gravest leads and the earliest look counts."""
        missing = [each for each in parts if each.state is not VerdictState.DONE]
        if not missing:
            return Verdict(self.subject, rule, VerdictState.DONE, fine, parts=tuple(parts))
        lead = max(missing, key=lambda each: _GRAVITY.index(each.state))
        looks = [each.next_look_ts for each in missing if each.next_look_ts is not None]
        rest = len(missing) - 1
        more = f" (and {rest} more {noun}{'s' if rest > 1 else ''})" if rest else ""
        return Verdict(
            self.subject,
            rule,
            lead.state,
            f"{lead.rule}: {lead.because}{more}",
            who=lead.who,
            unblock=lead.unblock,
            next_look_ts=min(looks, default=None),
            parts=tuple(parts),
        )


def listed(names: Sequence[str], *, most: int = 5) -> str:
    """A few names for one line."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
