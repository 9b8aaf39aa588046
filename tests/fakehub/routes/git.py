"""Commits, trees, files and refs."""

from __future__ import annotations

from tests.fakehub import pushing
from tests.fakehub.git import GitFailed
from tests.fakehub.routes.table import Answer, Call, Listing, Refused, route
from tests.fakehub.views.git import (
    blob_view,
    commit_view,
    file_entry_view,
    git_commit_view,
    ref_view,
    tree_view,
)
from tests.fakehub.views.pulls import file_view

REPO = "/repos/{owner}/{repo}"

__all__ = ["REPO"]


def _resolved(call: Call, name: str) -> str:
    found = call.repo.commit_of(name)
    if found is None:
        raise Refused(422 if len(name) == 40 else 404, f"No commit found for SHA: {name}")
    return found


@route("GET " + REPO + "/commits")
def list_commits(call: Call) -> Listing:
    start = _resolved(call, call.query.get("sha", call.repo.default_branch))
    path = ["--", call.query["path"]] if "path" in call.query else []
    return Listing(
        call.repo.git.run("rev-list", start, *path).split(), lambda sha: commit_view(call.repo, sha)
    )


@route("GET " + REPO + "/commits/{ref}")
def get_commit(call: Call) -> Answer:
    return Answer(commit_view(call.repo, _resolved(call, call.params["ref"]), files=True))


@route("GET " + REPO + "/compare/{basehead}")
def compare(call: Call) -> Answer:
    repo = call.repo
    first, _, second = call.params["basehead"].partition("...")
    base, head = _resolved(call, first), _resolved(call, second)
    middle = repo.git.merge_base(base, head)
    if middle is None:
        raise Refused(404, f"No common ancestor between {first} and {second}.")
    ahead, behind = repo.git.commits_between(base, head), repo.git.commits_between(head, base)
    word = {(True, True): "diverged", (True, False): "ahead", (False, True): "behind"}
    page = f"{repo.html}/compare/{first}...{second}"
    return Answer({
        "url": f"{repo.api}/compare/{first}...{second}",
        "html_url": page,
        "permalink_url": page,
        "diff_url": page + ".diff",
        "patch_url": page + ".patch",
        "base_commit": commit_view(repo, base),
        "merge_base_commit": commit_view(repo, middle),
        "status": word.get((bool(ahead), bool(behind)), "identical"),
        "ahead_by": len(ahead),
        "behind_by": len(behind),
        "total_commits": len(ahead),
        "commits": [commit_view(repo, each) for each in ahead[:250]],
        "files": [file_view(repo, each, head) for each in repo.git.changes(middle, head)],
    })  # fmt: skip


@route("GET " + REPO + "/contents/{path}")
def contents(call: Call) -> Answer:
    """A file with its text, or what a folder holds."""
    repo, path = call.repo, call.params["path"].strip("/")
    ref = call.query.get("ref", repo.default_branch)
    commit = _resolved(call, ref)
    entries = {e[4]: e for e in repo.git.entries(repo.git.commit(commit).tree, recursive=True)}
    found = entries.get(path)
    if found is None and path:
        raise Refused(404, "Not Found")
    if found and found[1] != "tree":
        return Answer(file_entry_view(repo, found, ref=ref, full=True))
    inside = [e for name, e in entries.items() if name.rpartition("/")[0] == path]
    return Answer([file_entry_view(repo, each, ref=ref, full=False) for each in inside])


@route("GET " + REPO + "/git/trees/{tree_sha}")
def get_tree(call: Call) -> Answer:
    name = call.params["tree_sha"]
    commit = call.repo.commit_of(name)
    tree = call.repo.git.commit(commit).tree if commit else name
    try:
        return Answer(tree_view(call.repo, tree, recursive="recursive" in call.query))
    except GitFailed as missing:
        raise Refused(404, "Not Found") from missing


@route("GET " + REPO + "/git/commits/{commit_sha}")
def get_git_commit(call: Call) -> Answer:
    if not call.repo.git.has(call.params["commit_sha"]):
        raise Refused(404, "Not Found")
    return Answer(git_commit_view(call.repo, call.params["commit_sha"]))


@route("GET " + REPO + "/git/blobs/{file_sha}")
def get_blob(call: Call) -> Answer:
    try:
        return Answer(blob_view(call.repo, call.params["file_sha"]))
    except GitFailed as missing:
        raise Refused(404, "Not Found") from missing


@route("GET " + REPO + "/git/ref/{ref}")
def get_ref(call: Call) -> Answer:
    ref = f"refs/{call.params['ref']}"
    if ref not in call.repo.refs:
        raise Refused(404, "Not Found")
    return Answer(ref_view(call.repo, ref, call.repo.refs[ref]))


@route("GET " + REPO + "/git/matching-refs/{ref}")
def matching_refs(call: Call) -> Listing:
    found = sorted(each for each in call.repo.refs if each.startswith(f"refs/{call.params['ref']}"))
    return Listing(found, lambda ref: ref_view(call.repo, ref, call.repo.refs[ref]))


@route("POST " + REPO + "/git/refs")
def create_ref(call: Call) -> Answer:
    ref, sha = str(call.body["ref"]), str(call.body["sha"])
    if not ref.startswith("refs/") or ref.count("/") < 2:
        raise Refused(422, "Reference name must start with 'refs/' and have at least two slashes.")
    if ref in call.repo.refs:
        raise Refused(422, "Reference already exists")
    if not call.repo.git.has(sha):
        raise Refused(422, "Object does not exist")
    _move(call, ref, sha)
    return Answer(ref_view(call.repo, ref, sha), 201)


@route("PATCH " + REPO + "/git/refs/{ref}")
def update_ref(call: Call) -> Answer:
    ref, sha = f"refs/{call.params['ref']}", str(call.body["sha"])
    if ref not in call.repo.refs:
        raise Refused(422, "Reference does not exist")
    if not call.repo.git.has(sha):
        raise Refused(422, "Object does not exist")
    if not call.body.get("force") and not call.repo.git.holds(sha, call.repo.refs[ref]):
        raise Refused(422, "Update is not a fast forward")
    _move(call, ref, sha)
    return Answer(ref_view(call.repo, ref, sha))


@route("DELETE " + REPO + "/git/refs/{ref}")
def delete_ref(call: Call) -> Answer:
    ref = f"refs/{call.params['ref']}"
    if ref not in call.repo.refs:
        raise Refused(422, "Reference does not exist")
    _move(call, ref, None)
    return Answer(status=204)


def _move(call: Call, ref: str, sha: str | None) -> None:
    try:
        pushing.move(call.repo, ref, sha, by=call.actor)
    except GitFailed as failed:
        raise Refused(422, "Reference update failed") from failed
