"""What people's reviews say: approvals, changes requested, conversations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from app.policy.case import PolicyCase, listed
from app.ports import Access, Person, ReviewSeen, ReviewState, Verdict

__all__ = ["approvals_rule", "changes_rule", "conversations_rule", "may_write", "reviews_rule", "standing"]

_SAY = "[refinery] approvals = N says how many are wanted"


def may_write(person: Person, access: Mapping[int, Access], bots: frozenset[int]) -> bool | None:
    """Whether this account's word counts (T21); None when it could not be asked. Ours never does.

    A bot counts by its id in the allow-list and by nothing else.
    """
    if person.ours:
        return False
    if person.bot:
        return person.id in bots
    now = access.get(person.id, Access.UNKNOWN)
    return None if now is Access.UNKNOWN else now.writes


def standing(reviews: Iterable[ReviewSeen]) -> tuple[ReviewSeen, ...]:
    """The review that stands of each person: a comment changes no verdict, a newer verdict does."""
    newest: dict[int, ReviewSeen] = {}
    for review in sorted(reviews, key=lambda each: (each.submitted_ts, each.id)):
        if review.state is not ReviewState.COMMENTED:
            newest[review.author.id] = review
    return tuple(newest[key] for key in sorted(newest))


def _split(case: PolicyCase, state: ReviewState) -> tuple[list[str], list[str]]:
    """Logins whose review stands so: those who may write, and those that could not be asked about."""
    writers: list[str] = []
    unasked: list[str] = []
    for review in standing(case.pull.reviews):
        counts = may_write(review.author, case.access, case.allow_bots)
        if review.state is state and counts is not False:
            (writers if counts else unasked).append(review.author.login)
    return writers, unasked


def approvals_rule(case: PolicyCase) -> Verdict:
    """Enough people who may write approve; the larger of the branch's and the file's number counts."""
    rule, said = "approvals", case.policy.approvals
    by_rules = case.rules.approvals if case.rules else None
    unread = said == "rules" and by_rules is None and case.pull.review_missing is None
    if case.rules is None or unread:
        return case.unknown(rule, f"how many {case.pull.base_branch} requires", unblock=_SAY)
    wanted = max(0 if said == "rules" else said, by_rules or 0)
    writers, unasked = _split(case, ReviewState.APPROVED)
    if len(writers) >= wanted:
        return case.passed(rule, f"{len(writers)} of {wanted}" if wanted else "none is wanted")
    seen = f"{len(writers)} of {wanted}" + (f" ({listed(writers)})" if writers else "")
    if len(writers) + len(unasked) >= wanted:
        return case.unknown(rule, f"whether {listed(unasked)} may write ({seen})")
    return case.blocked(
        rule, f"{seen}, wanted {wanted}", who="who may write", unblock="approve the pull request"
    )


def reviews_rule(case: PolicyCase) -> Verdict:
    """GitHub's own answer, which knows code owners and teams; a number in the file settles an unread one."""
    rule, rules = "reviews", case.rules
    if case.pull.review_missing is not None:
        if not case.pull.review_missing:
            return case.passed(rule, "the branch's rules want no more")
        return case.blocked(
            rule, "the branch's rules want one more", who="a reviewer", unblock="approve the pull request"
        )
    if rules is not None and rules.code_owners is False:
        return case.passed(rule, "no code owner is asked for")
    if rules is not None and rules.code_owners is None and case.policy.approvals != "rules":
        return case.passed(rule, "[refinery] approvals says what is wanted, GitHub refuses what is less")
    return case.unknown(rule, "whether code owners still have to approve", unblock=_SAY)


def changes_rule(case: PolicyCase) -> Verdict:
    """Nobody who may write asks for changes."""
    rule = "changes requested"
    writers, unasked = _split(case, ReviewState.CHANGES_REQUESTED)
    if writers:
        return case.blocked(
            rule,
            f"by {listed(writers)}, wanted: by nobody",
            who=listed(writers),
            unblock="approve, or dismiss the review",
        )
    if unasked:
        return case.unknown(rule, f"whether {listed(unasked)}, who asks for changes, may write")
    return case.passed(rule, "by nobody who may write")


def conversations_rule(case: PolicyCase) -> Verdict:
    """No conversation is open where the branch's rules want them resolved."""
    rule, count = "conversations", case.pull.conversations
    wanted = case.rules.conversations if case.rules else None
    if count == 0:
        return case.passed(rule, "all are resolved")
    if wanted is False:
        return case.passed(rule, "need not be resolved")
    if count is None:
        return case.unknown(rule, "how many are unresolved")
    if wanted is None:
        return case.unknown(
            rule, f"whether {count} must be resolved", unblock="resolve them on the pull request"
        )
    return case.blocked(rule, f"{count} unresolved, wanted 0", who="who takes part", unblock="resolve them")
