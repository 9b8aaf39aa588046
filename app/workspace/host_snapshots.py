"""The log's snapshots on a host: a cache for whoever clones, as small there as here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from app.grite import SNAPSHOTS
from app.ports import Done, Outcome, Refused, Step, Unknown
from app.workspace.git import Overflow, quoted_words
from app.workspace.refusals import STALE, refusal
from app.workspace.upstream import UpstreamGit

__all__ = ["changes", "push_snapshots"]

_KEPT = 2
_FLAGS = ("--porcelain", "--no-verify", "--no-follow-tags", "--no-signed")


def changes(here: Mapping[str, str], there: Mapping[str, str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Refs to give to the host, and refs to remove there: the newest two of both stay."""
    newest = sorted(_named({*here, *there}), key=_time)[-_KEPT:]
    give = tuple(ref for ref in newest if ref not in there)
    return give, tuple(ref for ref in sorted(_named(there), key=_time) if ref not in newest)


def push_snapshots(
    upstream: UpstreamGit, here: Mapping[str, str], there: Mapping[str, str], *, step: Step
) -> Outcome:
    """Asks nothing of the host where nothing is due. That another process was faster is no refusal."""
    give, gone = changes(here, there)
    if not give and not gone:
        return Done()
    leases = (f"--force-with-lease={ref}:{there.get(ref, '')}" for ref in (*give, *gone))
    specs = (*(f"{here[ref]}:{ref}" for ref in give), *(f":{ref}" for ref in gone))
    try:
        with step("host.snapshots"):
            answer = upstream.run("push", *_FLAGS, *leases, "--", upstream.address, *specs)
    except Overflow as over:
        return Unknown(str(over))
    refused = None if answer.ok else refusal(answer.text, answer.err)
    if answer.ok or (refused is not None and STALE in refused.reason):
        return Done()
    return refused or Refused(quoted_words(answer.err))


def _named(refs: Iterable[str]) -> list[str]:
    """What somebody else put beside them is left alone."""
    return [ref for ref in refs if ref.removeprefix(SNAPSHOTS).isdecimal()]


def _time(ref: str) -> int:
    return int(ref.removeprefix(SNAPSHOTS))
