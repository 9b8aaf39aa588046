"""What must be the same at every end, however it was reached, and nothing of it twice."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from app.board import ConvoyStatus, TaskStatus
from tests.fakehub import Issue, Pull
from tests.hosted.world import HostedWorld
from tests.runs.summary import Summary, summary

__all__ = ["End", "end_of", "expect_no_doubles", "expect_once"]

_MARK = re.compile(r"<!-- brat:([a-z]+):")
_ONCE = ("pull", "merge", "comment", "enqueue", "rerun", "reaction")


@dataclass(frozen=True, slots=True)
class End:
    """A convoy's end as people see it, without numbers and times that may differ.

    Of each pull request: its branch, whether it was merged, its labels, who was asked to review it, and what
    our check run says on its head.
    """

    board: Summary
    files: tuple[tuple[str, str], ...]
    said: tuple[tuple[str, int], ...]
    labels: tuple[str, ...]
    pulls: tuple[tuple[str, bool, tuple[str, ...], tuple[str, ...], tuple[str, ...]], ...]
    did: tuple[tuple[str, int], ...]


def end_of(hosted: HostedWorld, issue: Issue) -> End:
    """`did` counts what our App did on GitHub in all, also what somebody removed again."""
    repo = hosted.repo
    marks = [mark for each in repo.data.issues for body in hosted.said(each) for mark in _MARK.findall(body)]
    made = Counter(each.what for each in hosted.hub.journal.changes if each.by == "brat[bot]")
    head = repo.branch("main")
    assert head is not None
    paths = repo.git.run("ls-tree", "-r", "--name-only", head).splitlines()
    return End(
        summary(hosted.board),
        tuple((path, repo.git.text(head, path) or "") for path in sorted(paths)),
        tuple(sorted(Counter(marks).items())),
        tuple(sorted(issue.labels)),
        tuple(sorted(_pull(hosted, each) for each in repo.data.pulls.values())),
        tuple((what, made[what]) for what in _ONCE),
    )


def _pull(
    hosted: HostedWorld, pull: Pull
) -> tuple[str, bool, tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    asked = tuple(sorted(each.login for each in pull.reviewers))
    runs = (each for each in hosted.repo.data.checks.values() if each.suite.head == pull.head_sha)
    said = tuple(str(each.conclusion) for each in runs if each.name == "brat")
    return pull.head, bool(pull.merged), tuple(sorted(pull.issue.labels)), asked, said


def expect_once(hosted: HostedWorld, issue: Issue, *, homes: int = 0) -> None:
    """One pull request and one merge per landed task, one sticky comment, one farewell, one answer to each
    command, one check run of ours per head; and the board of a fresh look is the live one (P2, P3).
    `homes`: pull requests of convoys.
    """
    hosted.settle()
    repo, convoy = hosted.repo, hosted.convoy
    assert convoy.status is ConvoyStatus.COMPLETE, hosted.told()
    assert issue.state == "closed"
    landed = [task for task in convoy.tasks if task.status is TaskStatus.MERGED]
    heads = Counter(each.head for each in repo.data.pulls.values() if each.head_repo == repo.id)
    assert all(count == 1 for count in heads.values()), heads
    merges = Counter(each.subject for each in hosted.hub.journal.changes_of("merge"))
    assert all(count == 1 for count in merges.values()), merges
    assert len(merges) == len(landed) + homes
    expect_no_doubles(hosted)
    live = hosted.board
    hosted.close()
    hosted.run_pass()
    assert hosted.board == live


def expect_no_doubles(hosted: HostedWorld) -> None:
    """What our App posted, each under its key once."""
    repo = hosted.repo
    for number in repo.data.issues:
        marks = Counter(body.rstrip().rpartition("\n")[2] for body in hosted.said(number))
        assert all(count == 1 for count in marks.values()), marks
    own = Counter(each.suite.head for each in repo.data.checks.values() if each.name == "brat")
    assert all(count == 1 for count in own.values()), own
