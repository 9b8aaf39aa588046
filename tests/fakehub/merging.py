"""The merge button: three methods by real objects, refusals in GitHub's words, closing words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tests.fakehub.accounts import Actor
from tests.fakehub.issues import set_state
from tests.fakehub.model import Pull
from tests.fakehub.protecting import refusals
from tests.fakehub.pulls import landed
from tests.fakehub.pushing import move, people_of
from tests.fakehub.repository import Repository

__all__ = ["MergeAsked", "MergeRefused", "close_named", "merge", "update_branch", "workflow_touched"]

_CLOSING = re.compile(r"(?i)\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+#(\d+)\b")
_WORKFLOWS = ".github/workflows/"


class MergeRefused(Exception):
    """With GitHub's status and message."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


@dataclass(frozen=True, slots=True)
class MergeAsked:
    """`sha`: the head must still be this one. `workflows`: may change workflow files."""

    method: str = "merge"
    sha: str | None = None
    title: str | None = None
    message: str | None = None
    workflows: bool = True


def merge(repo: Repository, pull: Pull, asked: MergeAsked, *, by: Actor) -> str:
    """The new commit on the base. Raises MergeRefused."""
    _may_merge(repo, pull, asked)
    base, head = pull.base_sha, pull.head_sha
    tree = repo.git.merge_tree(base, head)
    if tree is None:
        raise MergeRefused(405, "Pull Request is not mergeable")
    commit = _commit(repo, pull, asked, tree=tree, by=by)
    land(repo, pull, commit, by=by)
    return commit


def land(repo: Repository, pull: Pull, commit: str, *, by: Actor) -> None:
    """Puts the base onto a commit that contains the pull request."""
    landed(repo, pull, commit, by=by)
    move(repo, f"refs/heads/{pull.base}", commit, by=by)
    if pull.base == repo.default_branch:
        close_named(repo, pull, by=by)
    if repo.delete_branch_on_merge and repo.branch(pull.head):
        move(repo, f"refs/heads/{pull.head}", None, by=by)


def close_named(repo: Repository, pull: Pull, *, by: Actor) -> None:
    """`Closes #n` in the pull request's body or its commits closes issue n."""
    texts = [pull.issue.body or "", *(repo.git.commit(each).message for each in repo.commits_of(pull))]
    for number in {int(each) for text in texts for each in _CLOSING.findall(text)}:
        issue = repo.data.issues.get(number)
        if issue and number not in repo.data.pulls:
            set_state(repo, issue, "closed", by=by, commit=pull.merge_commit)


def update_branch(repo: Repository, pull: Pull, *, by: Actor, workflows: bool) -> None:
    """Merges the base into the head. Raises MergeRefused."""
    source = repo.hub.repositories[pull.head_repo]
    if not repo.behind(pull):
        raise MergeRefused(422, "There are no new commits on the base branch.")
    tree = repo.git.merge_tree(pull.head_sha, pull.base_sha)
    if tree is None:
        raise MergeRefused(422, "merge conflict between base and head")
    touched = workflow_touched(repo, pull.head_sha, tree)
    if touched and not workflows:
        raise MergeRefused(403, refused_workflow(touched))
    text = f"Merge branch '{pull.base}' into {pull.head}"
    people = people_of(repo, by, committer="GitHub")
    commit = repo.git.write_commit(tree, (pull.head_sha, pull.base_sha), text, people=people)
    repo.hub.record("update-branch", repo, pull.number, by=by)
    if source.id != repo.id:
        source.git.run("fetch", "-q", str(repo.git.path), commit)
    move(source, f"refs/heads/{pull.head}", commit, by=by)


def workflow_touched(repo: Repository, old: str, new: str) -> str | None:
    """The first workflow file that differs."""
    found = (
        e.path for e in repo.git.changes(old, new) if e.path.startswith(_WORKFLOWS) and e.status != "removed"
    )
    return next(found, None)


def refused_workflow(path: str) -> str:
    app = "refusing to allow a GitHub App to create or update workflow"
    return f"{app} `{path}` without `workflows` permission"


def _may_merge(repo: Repository, pull: Pull, asked: MergeAsked) -> None:
    if pull.merged or pull.issue.state != "open":
        raise MergeRefused(405, "Pull Request is not mergeable")
    if asked.sha and asked.sha != pull.head_sha:
        raise MergeRefused(409, "Head branch was modified. Review and try the merge again.")
    if pull.draft:
        raise MergeRefused(405, "Pull Request is still a draft")
    if asked.method not in repo.methods:
        word = {"merge": "Merge commits", "squash": "Squash merges", "rebase": "Rebase merges"}[asked.method]
        raise MergeRefused(405, f"{word} are not allowed on this repository.")
    for rule in repo.rules_of(pull.base):
        if asked.method not in rule.methods or (rule.linear and asked.method == "merge"):
            raise MergeRefused(
                405, f"Repository rule violations found\n\nThis branch must not contain {asked.method}"
            )
    if found := refusals(repo, pull):
        ruled = any(each.ruleset for each in repo.rules_of(pull.base))
        text = "\n\n".join(found) if ruled else found[0]
        raise MergeRefused(405, f"Repository rule violations found\n\n{text}\n\n" if ruled else text)
    touched = workflow_touched(
        repo, pull.base_sha, repo.git.merge_tree(pull.base_sha, pull.head_sha) or pull.base_sha
    )
    if touched and not asked.workflows:
        raise MergeRefused(403, refused_workflow(touched))


def _commit(repo: Repository, pull: Pull, asked: MergeAsked, *, tree: str, by: Actor) -> str:
    base, head, number = pull.base_sha, pull.head_sha, pull.number
    people = people_of(repo, by, committer="GitHub")
    source = repo.hub.repositories[pull.head_repo]
    if asked.method == "rebase":
        return rebased(repo, base, head, by=by)
    if asked.method == "squash":
        listed = [repo.git.commit(each).message for each in repo.commits_of(pull)]
        title = asked.title or f"{pull.issue.title} (#{number})"
        said = "\n\n".join(f"* {each}" for each in listed) if asked.message is None else asked.message
        return repo.git.write_commit(tree, (base,), _text(title, said), people=people)
    title = asked.title or f"Merge pull request #{number} from {source.owner.login}/{pull.head}"
    said = pull.issue.title if asked.message is None else asked.message
    return repo.git.write_commit(tree, (base, head), _text(title, said), people=people)


def rebased(repo: Repository, base: str, head: str, *, by: Actor) -> str:
    """Each commit but merges again on the base, one after the other. Raises MergeRefused.

    Refused where the outcome would not be the merge's:
    https://docs.github.com/en/pull-requests/collaborating-with-pull-requests/incorporating-changes-from-a-pull-request/about-pull-request-merges
    """
    git, onto = repo.git, base
    people = dict(people_of(repo, by, committer="GitHub"))
    for sha in git.commits_between(base, head):
        seen = git.commit(sha)
        if len(seen.parents) > 1:
            continue
        stand_in = git.write_commit(git.commit(onto).tree, seen.parents, "", people=people)
        tree = git.merge_tree(stand_in, sha)
        if tree is None:
            raise MergeRefused(405, "This branch can't be rebased due to conflicts")
        name, mail, date = seen.author
        author = {"GIT_AUTHOR_NAME": name, "GIT_AUTHOR_EMAIL": mail, "GIT_AUTHOR_DATE": date}
        onto = git.write_commit(tree, (onto,), seen.message, people={**people, **author})
    if git.commit(onto).tree != git.merge_tree(base, head):
        raise MergeRefused(405, "This branch can't be rebased")
    return onto


def _text(title: str, said: str) -> str:
    return f"{title}\n\n{said}".rstrip() + "\n"
