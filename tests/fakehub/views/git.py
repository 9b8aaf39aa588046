"""Commits, trees, blobs, refs, branches and their protection."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING
from urllib.parse import quote

from tests.fakehub.model import Protection
from tests.fakehub.views.basic import View, node_id
from tests.fakehub.views.pulls import file_view

if TYPE_CHECKING:
    from tests.fakehub.repository import Repository

__all__ = [
    "blob_view",
    "branch_view",
    "commit_view",
    "file_entry_view",
    "git_commit_view",
    "protection_view",
    "ref_view",
    "rules_view",
    "tree_view",
]

_UNSIGNED = {
    "verified": False, "reason": "unsigned", "signature": None, "payload": None, "verified_at": None,
}  # fmt: skip


def _person(seen: tuple[str, str, str]) -> View:
    return {"name": seen[0], "email": seen[1], "date": seen[2]}


def _parents(repo: Repository, parents: tuple[str, ...]) -> list[View]:
    return [
        {"sha": each, "url": f"{repo.api}/commits/{each}", "html_url": f"{repo.html}/commit/{each}"}
        for each in parents
    ]


def commit_view(repo: Repository, sha: str, *, files: bool = False) -> View:
    """`files`: by itself, with what it changed against its first parent."""
    seen, url = repo.git.commit(sha), f"{repo.api}/commits/{sha}"
    made: View = {
        "url": url,
        "sha": sha,
        "node_id": node_id("Commit", int(sha[:12], 16)),
        "html_url": f"{repo.html}/commit/{sha}",
        "comments_url": f"{url}/comments",
        "commit": {
            "url": f"{repo.api}/git/commits/{sha}",
            "author": _person(seen.author),
            "committer": _person(seen.committer),
            "message": seen.message,
            "comment_count": 0,
            "tree": {"sha": seen.tree, "url": f"{repo.api}/git/trees/{seen.tree}"},
            "verification": _UNSIGNED,
        },
        "author": None,
        "committer": None,
        "parents": _parents(repo, seen.parents),
    }
    if files:
        changes = repo.git.changes(seen.parents[0], sha) if seen.parents else ()
        plus, minus = sum(e.additions for e in changes), sum(e.deletions for e in changes)
        made["stats"] = {"additions": plus, "deletions": minus, "total": plus + minus}
        made["files"] = [file_view(repo, each, sha) for each in changes]
    return made


def git_commit_view(repo: Repository, sha: str) -> View:
    seen = repo.git.commit(sha)
    return {
        "sha": sha,
        "node_id": node_id("Commit", int(sha[:12], 16)),
        "url": f"{repo.api}/git/commits/{sha}",
        "html_url": f"{repo.html}/commit/{sha}",
        "author": _person(seen.author),
        "committer": _person(seen.committer),
        "tree": {"sha": seen.tree, "url": f"{repo.api}/git/trees/{seen.tree}"},
        "message": seen.message,
        "parents": _parents(repo, seen.parents),
        "verification": _UNSIGNED,
    }


def ref_view(repo: Repository, ref: str, sha: str) -> View:
    return {
        "ref": ref,
        "node_id": node_id("Ref", int(sha[:12], 16)),
        "url": f"{repo.api}/git/{ref}",
        "object": {"type": "commit", "sha": sha, "url": f"{repo.api}/git/commits/{sha}"},
    }


def tree_view(repo: Repository, tree: str, *, recursive: bool) -> View:
    entries = []
    for mode, kind, sha, size, path in repo.git.entries(tree, recursive=recursive):
        entry: View = {"path": path, "mode": mode, "type": kind, "sha": sha}
        entry["url"] = f"{repo.api}/git/{'trees' if kind == 'tree' else 'blobs'}/{sha}"
        entries.append(entry | ({"size": size} if kind == "blob" else {}))
    return {"sha": tree, "url": f"{repo.api}/git/trees/{tree}", "tree": entries, "truncated": False}


def blob_view(repo: Repository, sha: str) -> View:
    content = repo.git.raw("cat-file", "blob", sha)
    return {
        "sha": sha,
        "node_id": node_id("Blob", int(sha[:12], 16)),
        "size": len(content),
        "url": f"{repo.api}/git/blobs/{sha}",
        "content": base64.encodebytes(content).decode(),
        "encoding": "base64",
    }


def file_entry_view(repo: Repository, entry: tuple[str, str, str, int, str], *, ref: str, full: bool) -> View:
    """One entry of `contents`: a file with its text when asked for by itself."""
    _, kind, sha, size, path = entry
    where = quote(path)
    git = f"{repo.api}/git/{'trees' if kind == 'tree' else 'blobs'}/{sha}"
    page = f"{repo.html}/{'tree' if kind == 'tree' else 'blob'}/{ref}/{where}"
    url = f"{repo.api}/contents/{where}?ref={ref}"
    made: View = {
        "name": path.rsplit("/", 1)[-1],
        "path": path,
        "sha": sha,
        "size": size,
        "url": url,
        "html_url": page,
        "git_url": git,
        "download_url": None if kind == "tree" else f"{repo.html}/raw/{ref}/{where}",
        "type": "dir" if kind == "tree" else "file",
        "_links": {"self": url, "git": git, "html": page},
    }
    if full:
        made["content"] = base64.encodebytes(repo.git.raw("cat-file", "blob", sha)).decode()
        made["encoding"] = "base64"
    return made


def protection_view(rule: Protection | None) -> View:
    """The part of classic protection that needs no administration to read."""
    checks = rule.checks if rule else ()
    return {
        "enabled": rule is not None,
        "required_status_checks": {
            "enforcement_level": "non_admins" if checks else "off",
            "contexts": [context for context, _ in checks],
            "checks": [{"context": context, "app_id": app} for context, app in checks],
        },
    }


def branch_view(repo: Repository, branch: str, sha: str) -> View:
    url = f"{repo.api}/branches/{quote(branch, safe='')}"
    rule = repo.classic(branch)
    return {
        "name": branch,
        "commit": commit_view(repo, sha),
        "_links": {"self": url, "html": f"{repo.html}/tree/{branch}"},
        "protected": rule is not None or bool(repo.rulesets(branch)),
        "protection": protection_view(rule),
        "protection_url": f"{url}/protection",
    }


def rules_view(repo: Repository, rule: Protection) -> list[View]:
    """A ruleset as single rules. https://docs.github.com/en/rest/repos/rules#get-rules-for-a-branch"""
    found: list[tuple[str, View | None]] = []
    if rule.checks:
        named = [{"context": c} | ({"integration_id": a} if a else {}) for c, a in rule.checks]
        wanted = {"required_status_checks": named, "strict_required_status_checks_policy": rule.strict}
        found.append(("required_status_checks", wanted))
    if rule.approvals is not None:
        found.append(("pull_request", _reviews(rule)))
    if rule.linear:
        found.append(("required_linear_history", None))
    if rule.queue:
        found.append(("merge_queue", _queue(rule)))
    origin = {
        "ruleset_source_type": "Repository",
        "ruleset_source": repo.full_name,
        "ruleset_id": rule.ruleset,
    }
    return [{"type": kind, **({"parameters": each} if each else {}), **origin} for kind, each in found]


def _reviews(rule: Protection) -> View:
    return {
        "allowed_merge_methods": list(rule.methods),
        "dismiss_stale_reviews_on_push": False,
        "require_code_owner_review": rule.code_owners,
        "require_last_push_approval": False,
        "required_approving_review_count": rule.approvals,
        "required_review_thread_resolution": rule.conversations,
    }


def _queue(rule: Protection) -> View:
    return {
        "check_response_timeout_minutes": 60,
        "grouping_strategy": "ALLGREEN",
        "max_entries_to_build": 5,
        "max_entries_to_merge": 5,
        "merge_method": rule.methods[0].upper(),
        "min_entries_to_merge": 1,
        "min_entries_to_merge_wait_minutes": 5,
    }
