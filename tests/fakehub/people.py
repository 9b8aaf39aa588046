"""A repository with the verbs of people, CI and administrators."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.fakehub import checking, issues, merging, pulls, pushing, queueing
from tests.fakehub.accounts import Account, Actor, App
from tests.fakehub.model import CheckRun, Comment, Issue, Protection, Pull, Review, WorkflowRun
from tests.fakehub.repository import Repository
from tests.fakehub.views.checks import check_view

__all__ = ["Ci", "Project"]

Files = Mapping[str, str | bytes | None]
Ci = Callable[["Project", str, str], None]


@dataclass(slots=True, eq=False)
class Project(Repository):
    """Every verb takes `by`, a person; without it the owner does it. Issues and pulls by number or object."""

    robots: list[Ci] = field(default_factory=list)
    reruns: list[Callable[[Project, WorkflowRun], None]] = field(default_factory=list)

    @contextmanager
    def changing(self, by: Account | None = None) -> Iterator[Actor]:
        """One change at a time, with what went before kept for stale reads."""
        with self.hub.lock:
            self.hub.remember(self)
            yield Actor(by or self.owner)

    def begin(self, files: Files) -> None:
        """The first commit."""
        if files:
            self.push(self.default_branch, files, message="first")

    def set_access(self, account: Account, level: str) -> None:
        """What the account may do here from now on: none, read, triage, write, maintain, admin."""
        with self.changing():
            self.people[account.id] = level

    def fork(self, *, by: Account) -> Project:
        """A copy under `by`, for pull requests from outside (`pull(head, head_repo=fork.id)`)."""
        made = self.hub.repository(f"{by.login}/{self.name}", private=self.private, files={})
        with self.changing(by) as actor:
            made.parent = self
            made.git.run("fetch", "-q", str(self.git.path), "refs/heads/*:refs/heads/*")
            pushing.refs_changed(made, by=actor)
        return made

    def issue(self, *, title: str, body: str | None = "", by: Account | None = None) -> Issue:
        with self.changing(by) as actor:
            return issues.open_issue(self, actor, title=title, body=body)

    def edit(
        self,
        issue: Issue | int,
        *,
        title: str | None = None,
        body: str | None = None,
        by: Account | None = None,
    ) -> None:
        with self.changing(by) as actor:
            issues.edit_issue(self, self.issue_of(issue), by=actor, title=title, body=body)

    def label(self, issue: Issue | Pull | int, *names: str, by: Account | None = None) -> None:
        with self.changing(by) as actor:
            issues.add_labels(self, self.issue_of(issue), names, by=actor)

    def unlabel(self, issue: Issue | Pull | int, *names: str, by: Account | None = None) -> None:
        with self.changing(by) as actor:
            issues.remove_labels(self, self.issue_of(issue), names, by=actor)

    def close(
        self, issue: Issue | Pull | int, *, by: Account | None = None, reason: str | None = None
    ) -> None:
        with self.changing(by) as actor:
            issues.set_state(self, self.issue_of(issue), "closed", by=actor, reason=reason)

    def reopen(self, issue: Issue | Pull | int, *, by: Account | None = None) -> None:
        with self.changing(by) as actor:
            issues.set_state(self, self.issue_of(issue), "open", by=actor)

    def comment(self, issue: Issue | Pull | int, body: str, *, by: Account | None = None) -> Comment:
        with self.changing(by) as actor:
            return issues.add_comment(self, self.issue_of(issue), body, by=actor)

    def edit_comment(self, comment: Comment, body: str, *, by: Account | None = None) -> None:
        with self.changing(by) as actor:
            issues.edit_comment(self, comment, body, by=actor)

    def push(
        self,
        branch: str,
        files: Files,
        *,
        by: Account | None = None,
        message: str = "a change",
        force: str = "",
    ) -> str:
        """A commit with these files on top of the branch (made from the default one); None removes a file.

        `force`: on top of this commit instead. The new commit's id.
        """
        with self.changing(by) as actor:
            on = force or self.branch(branch) or self.branch(self.default_branch)
            tree = self.git.write_tree(on, files)
            people = pushing.people_of(self, actor)
            new = self.git.write_commit(tree, (on,) if on else (), message, people=people)
            pushing.move(self, f"refs/heads/{branch}", new, by=actor)
            return new

    def set_ref(self, ref: str, sha: str | None, *, by: Account | None = None) -> None:
        """Moves, makes or (None) deletes any ref, as a forced push does."""
        with self.changing(by) as actor:
            pushing.move(self, ref, sha, by=actor)

    def pull(
        self, head: str, *, title: str = "a change", body: str = "", by: Account | None = None, **more: Any
    ) -> Pull:
        """`base`, `draft`, `head_repo` as more."""
        with self.changing(by) as actor:
            base = more.pop("base", self.default_branch)
            return pulls.open_pull(self, pulls.NewPull(title, head, base, body, **more), by=actor)

    def merge(self, pull: Pull | int, *, by: Account | None = None, method: str = "merge") -> str:
        with self.changing(by) as actor:
            return merging.merge(self, self.pull_of(pull), merging.MergeAsked(method), by=actor)

    def review(
        self, pull: Pull | int, state: str, body: str = "", *,
        by: Account, lines: Sequence[tuple[str, int, str]] = (),
    ) -> Review:  # fmt: skip
        """`state` APPROVED, CHANGES_REQUESTED, COMMENTED or PENDING; `lines` (path, line, text)."""
        with self.changing(by) as actor:
            said = pulls.Said(state, body, tuple(lines))
            return pulls.review(self, self.pull_of(pull), said, by=actor)

    def resolve(self, pull: Pull | int, *, by: Account | None = None) -> None:
        """All conversations of a pull request."""
        with self.changing(by) as actor:
            for thread in self.pull_of(pull).threads:
                thread.resolved_by = actor.account

    def check(
        self, head: str, name: str, conclusion: str | None = "success", *, app: App | None = None, **more: Any
    ) -> CheckRun:
        """A check run by an App (GitHub Actions' unless named); None: in progress."""
        with self.changing():
            by = app or self.hub.actions_app
            new = checking.NewCheck(name, head, conclusion, None if conclusion else "in_progress", **more)
            return checking.add_check(self, new, by=Actor(by.bot, by))

    def finish(self, check: CheckRun, conclusion: str) -> None:
        with self.changing():
            by = Actor(check.suite.app.bot, check.suite.app)
            checking.change_check(self, check, {"conclusion": conclusion}, by=by)

    def status(self, head: str, context: str, state: str = "success", *, by: Account | None = None) -> None:
        with self.changing(by) as actor:
            checking.post_status(self, head, by=actor, context=context, state=state)

    def actions(
        self,
        head: str,
        jobs: Mapping[str, tuple[str | None, str] | str | None],
        *,
        event: str = "push",
        workflow: str = "CI",
    ) -> WorkflowRun:
        """A run of GitHub Actions; jobs by name: a conclusion (None: it runs), or that and its log."""
        with self.changing():
            told = {k: (v, f"{k}: {v}\n") if v is None or isinstance(v, str) else v for k, v in jobs.items()}
            return checking.workflow_run(self, head, told, event=event, workflow=workflow)

    def rerequest(self, check: CheckRun, *, by: Account) -> None:
        """Somebody presses "Re-run" on an App's check run."""
        with self.changing(by) as actor:
            shown = {"action": "rerequested", "check_run": check_view(self, check)}
            self.hub.emit(self, "check_run", shown, by=actor)

    def ci(self, robot: Ci) -> None:
        """`robot(repo, branch, sha)` is called for each new head of a branch, and each queued group."""
        self.robots.append(robot)

    def run_again(self, run: WorkflowRun) -> None:
        for robot in self.reruns:
            robot(self, run)

    def new_head(self, branch: str, sha: str) -> None:
        for robot in self.robots:
            robot(self, branch, sha)

    def protect(
        self, branch: str | None = None, *checks: str | tuple[str, int | None], **rule: Any
    ) -> Protection:
        """Required checks and more (see Protection); `ruleset=1` makes it a ruleset."""
        assert not self.limited, "the owner's plan has no protection"
        with self.changing():
            named = tuple((each, None) if isinstance(each, str) else each for each in checks)
            made = Protection(branch or self.default_branch, named, **rule)
            self.rules.append(made)
            return made

    def work_queue(self) -> None:
        """One step of the merge queue: groups are made, tested groups land, red ones go in silence."""
        with self.changing():
            queueing.work(self)

    def issue_of(self, issue: Issue | Pull | int) -> Issue:
        if isinstance(issue, int):
            return self.data.issues[issue]
        return issue.issue if isinstance(issue, Pull) else issue

    def pull_of(self, pull: Pull | int) -> Pull:
        return self.data.pulls[pull] if isinstance(pull, int) else pull
