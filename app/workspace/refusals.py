"""What a host says when it refuses a push, and what helps. Pure."""

from __future__ import annotations

from app.ports import Refused
from app.workspace.pushing import rejections

__all__ = ["STALE", "refusal", "said_there"]

STALE = "is not where it was expected"
_RACES = ("stale info", "fetch first", "non-fast-forward", "cannot lock ref", "reference already exists")
_MEANINGS = (
    ("workflow", "a person has to make this change: the App may not edit workflow files"),
    ("gh013", "a ruleset does not let the App push there: allow it, or land by pull request"),
    ("rule violations", "a ruleset does not let the App push there: allow it, or land by pull request"),
    ("protected branch", "the branch is protected: let the App push there, or land by pull request"),
    ("gh006", "the branch is protected: let the App push there, or land by pull request"),
    ("gh001", "the work holds a file that is too large for the host"),
    ("secret", "the work holds a secret: take it out of every commit"),
    ("does not support --atomic", "the host does not move several refs as one: give it a newer server"),
    ("permission to", "give the App `contents: write` for this repository"),
    ("write access", "give the App `contents: write` for this repository"),
)


def refusal(out: str, err: str) -> Refused | None:
    """The first refused ref with the host's words, or None where nothing was refused in words."""
    refused = rejections(out)
    told = [each for each in refused if "atomic" not in each.lower()]
    meant = told or refused
    words = "; ".join((*meant[:3], *said_there(err)))
    low = f"{words} {err}".lower()
    # Where a host refuses all refs as one, its own words alone may tell a race.
    reasons = told or (*refused, *(said_there(err) if refused else ()))
    if any(race in each.lower() for each in reasons for race in _RACES):
        return Refused(f"{meant[0].partition(':')[0]} {STALE}", "the host's refs are read again first")
    remedy = next((helps for sign, helps in _MEANINGS if sign in low), "")
    if not refused and not remedy:
        return None
    return Refused(f"the host refuses the push: {words or err.strip()[:300]}", remedy)


def said_there(err: str, *, most: int = 6) -> tuple[str, ...]:
    """What the host's own programs printed, without their decoration."""
    lines = [line.removeprefix("remote:").strip() for line in err.splitlines() if line.startswith("remote:")]
    return tuple(line for line in lines if line.strip("- ") and "github.com" not in line)[:most]
