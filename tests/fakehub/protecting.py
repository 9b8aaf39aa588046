"""What stands against a merge: protection, rulesets, drafts, the queue. In GitHub's words."""

from __future__ import annotations

from collections.abc import Iterator

from tests.fakehub.model import Protection, Pull
from tests.fakehub.repository import Repository

__all__ = ["approvers", "check_passes", "refusals"]

_PASSING = ("success", "neutral", "skipped")


def refusals(repo: Repository, pull: Pull, *, queued: bool = False) -> list[str]:
    """Every reason that a merge is refused for; `queued`: the queue itself merges."""
    found: list[str] = []
    for rule in repo.rules_of(pull.base):
        if rule.queue and not queued:
            found.append("Changes must be made through the merge queue")
        found += _checks_missing(repo, rule, pull.head_sha)
        if rule.strict and not queued and repo.behind(pull):
            found.append("Head branch is out of date. Review and try the merge again.")
        found += _reviews_missing(repo, rule, pull)
    return found


def check_passes(repo: Repository, sha: str, *, context: str, app: int | None) -> bool | None:
    """None: nothing reported. Statuses and check runs both count; of each the newest."""
    states: list[bool | None] = []
    for check in repo.newest_checks(sha):
        if check.name == context and app in (None, check.suite.app.id):
            states.append(None if check.conclusion is None else check.conclusion in _PASSING)
    if app is None:
        words = {"success": True, "pending": None}
        states += [words.get(e.state, False) for e in repo.newest_statuses(sha) if e.context == context]
    if not states:
        return None
    return False if False in states else None if None in states else True


def approvers(repo: Repository, pull: Pull) -> tuple[set[int], set[int]]:
    """Accounts with write permission whose newest verdict approves, and whose asks for changes."""
    verdicts: dict[int, str] = {}
    for review in pull.reviews:
        if review.state in ("APPROVED", "CHANGES_REQUESTED", "DISMISSED"):
            verdicts[review.author.account.id] = review.state
    counted = {each for each in verdicts if repo.allows(repo.hub.accounts[each], "write")}
    return (
        {each for each in counted if verdicts[each] == "APPROVED"},
        {each for each in counted if verdicts[each] == "CHANGES_REQUESTED"},
    )


def _checks_missing(repo: Repository, rule: Protection, sha: str) -> Iterator[str]:
    for context, app in rule.checks:
        passes = check_passes(repo, sha, context=context, app=app)
        if passes is None:
            yield f'Required status check "{context}" is expected.'
        elif not passes:
            yield f'Required status check "{context}" is failing.'


def _reviews_missing(repo: Repository, rule: Protection, pull: Pull) -> Iterator[str]:
    approved, against = approvers(repo, pull)
    if rule.approvals is not None:
        if len(approved) < rule.approvals:
            count = rule.approvals
            word = "reviews are" if count > 1 else "review is"
            yield f"At least {count} approving {word} required by reviewers with write access."
        if against:
            yield "Changes have been requested."
    if rule.conversations and any(each.resolved_by is None for each in pull.threads):
        yield "All conversations must be resolved before merging."
