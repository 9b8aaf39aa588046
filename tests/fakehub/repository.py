"""One repository: what it holds, and what follows from that. Changes are made elsewhere."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.fakehub.accounts import Account
from tests.fakehub.git import BareGit, FileChange
from tests.fakehub.model import CheckRun, CheckSuite, Data, Protection, Pull, Status

if TYPE_CHECKING:
    from tests.fakehub.hub import Hub

__all__ = ["LEVELS", "Repository"]

LEVELS = ("none", "read", "triage", "write", "maintain", "admin")
_WORST = ("failure", "timed_out", "cancelled", "action_required", "startup_failure", "stale")


@dataclass(slots=True, eq=False)
class Repository:
    """`people` are access levels by account id; `rules` both classic protection and rulesets.

    `free`: of an account that pays nothing. Private, it has no drafts, and rules cannot even be asked for.
    """

    hub: Hub
    id: int
    owner: Account
    name: str
    git: BareGit
    created: int
    private: bool = False
    default_branch: str = "main"
    people: dict[int, str] = field(default_factory=dict)
    rules: list[Protection] = field(default_factory=list)
    methods: tuple[str, ...] = ("merge", "squash", "rebase")
    free: bool = False
    archived: bool = False
    delete_branch_on_merge: bool = False
    parent: Repository | None = None
    pushed: int = 0
    last_number: int = 0
    refs: dict[str, str] = field(default_factory=dict)
    data: Data = field(default_factory=Data)

    @property
    def limited(self) -> bool:
        """Whether the owner's plan leaves features out."""
        return self.free and self.private

    @property
    def full_name(self) -> str:
        return f"{self.owner.login}/{self.name}"

    @property
    def api(self) -> str:
        return f"{self.hub.api}/repos/{self.full_name}"

    @property
    def html(self) -> str:
        return f"{self.hub.base}/{self.full_name}"

    @property
    def clone_url(self) -> str:
        return f"{self.html}.git"

    def as_of(self, data: Data) -> Repository:
        """The same repository with other contents: what a stale read sees."""
        seen = copy.copy(self)
        seen.data = data
        return seen

    def next_number(self) -> int:
        self.last_number += 1
        return self.last_number

    def branch(self, name: str) -> str | None:
        """The commit of a branch."""
        return self.refs.get(f"refs/heads/{name}")

    def commit_of(self, name: str) -> str | None:
        """A branch, a tag, a full ref or a commit id as commit."""
        for ref in (f"refs/heads/{name}", f"refs/tags/{name}", f"refs/{name}", name):
            if ref in self.refs:
                return self.refs[ref]
        return name if len(name) == 40 and self.git.has(name) else None

    def access(self, account: Account) -> str:
        """The account's level now."""
        if account.id == self.owner.id:
            return "admin"
        known = self.people.get(account.id) or self.hub.everywhere.get(account.id)
        return known or ("none" if self.private else "read")

    def allows(self, account: Account, level: str) -> bool:
        return LEVELS.index(self.access(account)) >= LEVELS.index(level)

    def association(self, account: Account) -> str:
        if account.id == self.owner.id:
            return "OWNER"
        return "COLLABORATOR" if LEVELS.index(self.access(account)) > 1 else "NONE"

    def classic(self, branch: str) -> Protection | None:
        return next((each for each in self.rules if each.branch == branch and each.ruleset is None), None)

    def rulesets(self, branch: str) -> list[Protection]:
        return [each for each in self.rules if each.branch == branch and each.ruleset is not None]

    def rules_of(self, branch: str) -> list[Protection]:
        return [each for each in self.rules if each.branch == branch]

    def open_pulls(self) -> list[Pull]:
        return [each for each in self.data.pulls.values() if each.issue.state == "open"]

    def changed_files(self, pull: Pull) -> tuple[FileChange, ...]:
        start = self.git.merge_base(pull.base_sha, pull.head_sha)
        return self.git.changes(start, pull.head_sha) if start else ()

    def commits_of(self, pull: Pull) -> list[str]:
        return self.git.commits_between(pull.base_sha, pull.head_sha)

    def mergeable(self, pull: Pull) -> bool | None:
        """None at the first look at a head and base, as on GitHub; computed at the next."""
        if pull.issue.state != "open":
            return None
        key = (pull.base_sha, pull.head_sha)
        if pull.known and pull.known[:2] == key:
            return pull.known[2]
        if pull.asked != key:
            pull.asked = key
            return None
        fine = self.git.merge_tree(*key) is not None
        pull.known = (*key, fine)
        return fine

    def mergeable_state(self, pull: Pull, mergeable: bool | None) -> str:
        """GitHub's one word for what stands between a pull request and its merge."""
        if mergeable is None:
            return "unknown"
        if not mergeable:
            return "dirty"
        if pull.draft:
            return "draft"
        if self.behind(pull) and any(each.strict for each in self.rules_of(pull.base)):
            return "behind"
        if self.hub.refusals(self, pull):
            return "blocked"
        return "clean" if self.all_pass(pull.head_sha) else "unstable"

    def behind(self, pull: Pull) -> bool:
        return not self.git.holds(pull.head_sha, pull.base_sha)

    def checks_on(self, sha: str) -> list[CheckRun]:
        """Newest first."""
        found = [each for each in self.data.checks.values() if each.suite.head == sha]
        return sorted(found, key=lambda each: -each.id)

    def newest_checks(self, sha: str) -> list[CheckRun]:
        """Of each App and name the newest."""
        return _newest(self.checks_on(sha))

    def checks_of(self, suite: CheckSuite) -> list[CheckRun]:
        return _newest([each for each in self.checks_on(suite.head) if each.suite.id == suite.id])

    def suite_state(self, suite: CheckSuite) -> tuple[str, str | None]:
        """Status and conclusion, from the newest run of each name."""
        checks = self.checks_of(suite)
        if not checks:
            return "queued", None
        if any(each.status != "completed" for each in checks):
            return "in_progress", None
        found = {each.conclusion for each in checks}
        worst = next((each for each in _WORST if each in found), None)
        return "completed", worst or ("success" if "success" in found else "neutral")

    def newest_statuses(self, sha: str) -> list[Status]:
        newest = {each.context: each for each in self.data.statuses if each.sha == sha}
        return list(newest.values())

    def all_pass(self, sha: str) -> bool:
        checks = all(each.conclusion in ("success", "neutral", "skipped") for each in self.newest_checks(sha))
        return checks and all(each.state == "success" for each in self.newest_statuses(sha))


def _newest(checks: Iterable[CheckRun]) -> list[CheckRun]:
    found: dict[tuple[int, str], CheckRun] = {}
    for each in sorted(checks, key=lambda check: check.id):
        found[each.suite.app.id, each.name] = each
    return list(found.values())
