"""Beginnings that many stories share, and what they look at."""

from __future__ import annotations

from app.board import ConvoyStatus, TaskStatus
from tests.fakehub import Comment, Issue, Project, Pull
from tests.hosted.world import HostedWorld

__all__ = [
    "GATED",
    "ONE",
    "TWO",
    "all_said",
    "approver",
    "builds",
    "done",
    "in_review",
    "planned",
    "pull_of",
    "pulls",
    "reactions",
    "replies",
    "states",
    "status",
]

GATED = '[mayor]\napproval = "required"\n'
ONE = "- [ ] First\n"
TWO = "- [ ] First\n- [ ] Second\n"


def builds(repo: Project, conclusion: str | None = "success", *, task: int = 1) -> None:
    """CI says this of a task's branch as it is now; None: it runs."""
    (head,) = (sha for name, sha in repo.refs.items() if name.endswith(f"/task-{task}"))
    repo.check(head, "build", conclusion)


def planned(hosted: HostedWorld, body: str = ONE, title: str = "The work") -> Issue:
    """A labelled issue whose plan waits for a word."""
    issue = hosted.ask(title, body)
    hosted.settle()
    assert hosted.convoy.plan is not None
    return issue


def in_review(hosted: HostedWorld, body: str = ONE, title: str = "The work") -> Issue:
    """Every task is published and waits for the required check `build`, of which nothing is heard."""
    hosted.repo.protect("main", "build")
    issue = hosted.ask(title, body)

    def opened() -> bool:
        tasks = hosted.convoy.tasks if hosted.board.convoys else ()
        return bool(tasks) and all(each.pull is not None for each in tasks)

    hosted.until(opened)
    hosted.settle()
    return issue


def done(hosted: HostedWorld) -> bool:
    """The newest convoy is complete."""
    return bool(hosted.board.convoys) and hosted.convoy.status is ConvoyStatus.COMPLETE


def status(hosted: HostedWorld) -> ConvoyStatus:
    """Of the newest convoy."""
    return hosted.convoy.status


def approver(hosted: HostedWorld) -> str | None:
    """Who approved the newest convoy's plan."""
    return hosted.convoy.approved_by


def pull_of(hosted: HostedWorld, task: int) -> Pull:
    """The newest one of a task."""
    return next(each for each in reversed(pulls(hosted)) if each.head.endswith(f"/task-{task}"))


def pulls(hosted: HostedWorld) -> list[Pull]:
    """Those that we opened, oldest first."""
    found = hosted.repo.data.pulls.values()
    return [each for each in found if each.issue.author.account.login == "brat[bot]"]


def states(hosted: HostedWorld) -> list[TaskStatus]:
    """Of the newest convoy's tasks, in order."""
    return [each.status for each in hosted.convoy.tasks]


def reactions(comment: Comment) -> set[str]:
    """What we put under somebody's comment."""
    return {each.content for each in comment.reactions if each.user.login == "brat[bot]"}


def replies(hosted: HostedWorld, place: Issue | Pull) -> list[str]:
    """What we said there beside the sticky comment."""
    return [each for each in hosted.said(place.number) if "<!-- brat:sticky:" not in each]


def all_said(hosted: HostedWorld) -> str:
    """Every word of ours that people can read on the code host: comments, pull requests, check runs."""
    data = hosted.repo.data
    said = [each.body for each in data.comments.values() if each.author.account.login == "brat[bot]"]
    said += [f"{each.issue.title}\n{each.issue.body}" for each in pulls(hosted)]
    said += [str(each.output) for each in data.checks.values() if each.name == "brat"]
    return "\n".join(said)
