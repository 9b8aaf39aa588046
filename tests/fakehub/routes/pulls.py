"""Pull requests: open, read, change, merge, bring up to date."""

from __future__ import annotations

from tests.fakehub import issues, merging, pulls
from tests.fakehub.accounts import Account
from tests.fakehub.merging import MergeAsked, MergeRefused
from tests.fakehub.model import Pull
from tests.fakehub.routes.issues import BIGGEST
from tests.fakehub.routes.table import Answer, Call, Listing, Refused, route
from tests.fakehub.views.basic import View, user_view
from tests.fakehub.views.git import commit_view
from tests.fakehub.views.pulls import file_view, pull_view

PULLS = "/repos/{owner}/{repo}/pulls"
ONE = PULLS + "/{pull_number}"

__all__ = ["ONE", "PULLS"]


@route("GET " + PULLS)
def list_pulls(call: Call) -> Listing:
    query, state = call.query, call.query.get("state", "open")
    found = [
        each
        for each in call.repo.data.pulls.values()
        if state in (each.issue.state, "all")
        and query.get("base", each.base) == each.base
        and query.get("head", _label(call, each)) == _label(call, each)
    ]
    newest = (
        query.get("direction", "asc" if "sort" in query and query["sort"] != "created" else "desc") == "desc"
    )
    by_update = query.get("sort") == "updated"
    found.sort(key=lambda e: (e.issue.updated if by_update else e.issue.created, e.number), reverse=newest)
    return Listing(found, lambda each: pull_view(call.repo, each))


def _label(call: Call, pull: Pull) -> str:
    return f"{call.hub.repositories[pull.head_repo].owner.login}:{pull.head}"


@route("POST " + PULLS)
def create(call: Call) -> Answer:
    repo, body = call.repo, call.body
    head = str(body["head"]).removeprefix(f"{repo.owner.login}:")
    base = str(body["base"])
    _may_open(call, head, base)
    title = str(body.get("title") or "")
    if not title.strip():
        raise Refused(
            422, "Validation Failed", {"resource": "PullRequest", "code": "missing_field", "field": "title"}
        )
    new = pulls.NewPull(title, head, base, body.get("body"), bool(body.get("draft")))
    made = pulls.open_pull(repo, new, by=call.actor)
    return Answer(pull_view(repo, made, full=True), 201)


def _may_open(call: Call, head: str, base: str) -> None:
    repo, body = call.repo, call.body
    for name, branch in (("head", head), ("base", base)):
        if repo.branch(branch) is None:
            raise Refused(
                422, "Validation Failed", {"resource": "PullRequest", "field": name, "code": "invalid"}
            )
    if len(body.get("body") or "") > BIGGEST:
        raise Refused(422, "Validation Failed", f"body is too long (maximum is {BIGGEST} characters)")
    if body.get("draft") and repo.limited:
        raise Refused(422, "Draft pull requests are not supported in this repository.")
    label = f"{repo.owner.login}:{head}"
    custom = {"resource": "PullRequest", "code": "custom"}
    if any((each.head, each.base, each.head_repo) == (head, base, repo.id) for each in repo.open_pulls()):
        said = f"A pull request already exists for {label}."
        raise Refused(422, "Validation Failed", {**custom, "message": said})
    old, new = repo.branch(base), repo.branch(head)
    if old and new and repo.git.holds(old, new):
        raise Refused(
            422, "Validation Failed", {**custom, "message": f"No commits between {base} and {head}"}
        )


@route("GET " + ONE)
def get(call: Call) -> Answer:
    return Answer(pull_view(call.repo, call.pull, full=True))


@route("PATCH " + ONE)
def update(call: Call) -> Answer:
    repo, pull, body = call.repo, call.pull, call.body
    issues.edit_issue(repo, pull.issue, by=call.actor, title=body.get("title"), body=body.get("body"))
    if "base" in body:
        base = repo.branch(body["base"])
        if base is None:
            raise Refused(
                422, "Validation Failed", {"resource": "PullRequest", "field": "base", "code": "invalid"}
            )
        pull.base, pull.base_sha = body["base"], base
        issues.note(repo, pull.number, "base_ref_changed", by=call.actor)
    if "state" in body:
        if body["state"] == "open" and (pull.merged or repo.branch(pull.head) is None):
            raise Refused(
                422, "Validation Failed", {"resource": "PullRequest", "code": "invalid", "field": "state"}
            )
        issues.set_state(repo, pull.issue, body["state"], by=call.actor)
    return Answer(pull_view(repo, pull, full=True))


@route("GET " + ONE + "/files")
def list_files(call: Call) -> Listing:
    head = call.pull.head_sha
    return Listing(call.repo.changed_files(call.pull), lambda each: file_view(call.repo, each, head))


@route("GET " + ONE + "/commits")
def list_commits(call: Call) -> Listing:
    return Listing(call.repo.commits_of(call.pull), lambda sha: commit_view(call.repo, sha))


@route("GET " + ONE + "/merge")
def is_merged(call: Call) -> Answer:
    if not call.pull.merged:
        raise Refused(404, "Not Found")
    return Answer(status=204)


@route("PUT " + ONE + "/merge")
def merge(call: Call) -> Answer:
    body = call.body
    if "sha" not in body and call.token and call.token.installation:
        call.hub.journal.problems.append(f"merge of #{call.pull.number} without the `sha` guard")
    title, text = body.get("commit_title"), body.get("commit_message")
    method = body.get("merge_method", "merge")
    asked = MergeAsked(method, body.get("sha"), title, text, call.has("workflows"))
    try:
        sha = merging.merge(call.repo, call.pull, asked, by=call.actor)
    except MergeRefused as refused:
        raise Refused(refused.status, refused.message) from refused
    return Answer({"sha": sha, "merged": True, "message": "Pull Request successfully merged"})


@route("PUT " + ONE + "/update-branch")
def update_branch(call: Call) -> Answer:
    repo, pull, expected = call.repo, call.pull, call.body.get("expected_head_sha")
    if expected and expected != pull.head_sha:
        raise Refused(422, f"expected head sha didn't match current head ref. ({pull.head_sha})")
    if not call.has("contents"):
        raise Refused(403, "Resource not accessible by integration")
    try:
        merging.update_branch(repo, pull, by=call.actor, workflows=call.has("workflows"))
    except MergeRefused as refused:
        raise Refused(refused.status, refused.message) from refused
    return Answer({"message": "Updating pull request branch.", "url": f"{repo.api}/pulls/{pull.number}"}, 202)


@route("GET " + ONE + "/requested_reviewers")
def list_reviewers(call: Call) -> Answer:
    users: list[View] = [user_view(call.hub, each) for each in call.pull.reviewers]
    return Answer({"users": users, "teams": []})


@route("POST " + ONE + "/requested_reviewers")
def request_reviewers(call: Call) -> Answer:
    asked = _reviewers(call)
    for each in asked:
        if each == call.pull.issue.author.account:
            raise Refused(422, "Review cannot be requested from pull request author.")
        if not call.repo.allows(each, "read"):
            raise Refused(422, "Reviews may only be requested from collaborators. One or more of the users "
                               "or teams you specified is not a collaborator of the repository.")  # fmt: skip
    pulls.request_reviewers(call.repo, call.pull, asked, by=call.actor)
    return Answer(pull_view(call.repo, call.pull), 201)


@route("DELETE " + ONE + "/requested_reviewers")
def remove_reviewers(call: Call) -> Answer:
    gone = _reviewers(call)
    call.pull.reviewers[:] = [each for each in call.pull.reviewers if each not in gone]
    return Answer(pull_view(call.repo, call.pull))


def _reviewers(call: Call) -> list[Account]:
    found = [call.hub.account(each) for each in call.body.get("reviewers", [])]
    if None in found:
        raise Refused(422, "Could not resolve to a node with the given login.")
    return [each for each in found if each]
