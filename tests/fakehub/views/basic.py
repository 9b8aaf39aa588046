"""Accounts, Apps, installations, repositories, labels, reactions."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from tests.fakehub.accounts import Account, Actor, App, Installation, Token
from tests.fakehub.clock import iso
from tests.fakehub.model import Reaction

if TYPE_CHECKING:
    from tests.fakehub.hub import Hub
    from tests.fakehub.repository import Repository

__all__ = [
    "View",
    "app_view",
    "installation_view",
    "label_view",
    "node_id",
    "public_user_view",
    "reaction_view",
    "repository_view",
    "rollup_view",
    "token_view",
    "user_view",
    "via_app",
]

View = dict[str, Any]

_REPO_URLS = """archive_url /{archive_format}{/ref}
assignees_url /assignees{/user}
blobs_url /git/blobs{/sha}
branches_url /branches{/branch}
collaborators_url /collaborators{/collaborator}
comments_url /comments{/number}
commits_url /commits{/sha}
compare_url /compare/{base}...{head}
contents_url /contents/{+path}
contributors_url /contributors
deployments_url /deployments
downloads_url /downloads
events_url /events
forks_url /forks
git_commits_url /git/commits{/sha}
git_refs_url /git/refs{/sha}
git_tags_url /git/tags{/sha}
hooks_url /hooks
issue_comment_url /issues/comments{/number}
issue_events_url /issues/events{/number}
issues_url /issues{/number}
keys_url /keys{/key_id}
labels_url /labels{/name}
languages_url /languages
merges_url /merges
milestones_url /milestones{/number}
notifications_url /notifications{?since,all,participating}
pulls_url /pulls{/number}
releases_url /releases{/id}
stargazers_url /stargazers
statuses_url /statuses/{sha}
subscribers_url /subscribers
subscription_url /subscription
tags_url /tags
teams_url /teams
trees_url /git/trees{/sha}"""
_USER_URLS = """followers_url /followers
following_url /following{/other_user}
gists_url /gists{/gist_id}
starred_url /starred{/owner}{/repo}
subscriptions_url /subscriptions
organizations_url /orgs
repos_url /repos
events_url /events{/privacy}
received_events_url /received_events"""
_CONTENTS = ("+1", "-1", "laugh", "confused", "heart", "hooray", "eyes", "rocket")


def _urls(table: str, base: str) -> View:
    return {name: base + end for name, end in (line.split(" ", 1) for line in table.splitlines())}


def node_id(kind: str, number: int) -> str:
    """Opaque to clients; here `Kind:number`, so that GraphQL finds it again."""
    return base64.urlsafe_b64encode(f"{kind}:{number}".encode()).decode()


def user_view(hub: Hub, account: Account) -> View:
    return {
        "login": account.login,
        "id": account.id,
        "node_id": node_id(account.type, account.id),
        "avatar_url": f"{hub.base}/avatars/u/{account.id}",
        "gravatar_id": "",
        "url": f"{hub.api}/users/{account.login}",
        "html_url": f"{hub.base}/{account.login}",
        **_urls(_USER_URLS, f"{hub.api}/users/{account.login}"),
        "type": account.type,
        "user_view_type": "public",
        "site_admin": False,
    }


def public_user_view(hub: Hub, account: Account) -> View:
    counts = dict.fromkeys(("public_repos", "public_gists", "followers", "following"), 0)
    absent = dict.fromkeys(("name", "company", "blog", "location", "email", "hireable", "bio"))
    times = {"created_at": hub.clock.iso, "updated_at": hub.clock.iso}
    return {**user_view(hub, account), **counts, **absent, **times}


def app_view(hub: Hub, app: App) -> View:
    return {
        "id": app.id,
        "slug": app.slug,
        "client_id": app.client_id,
        "node_id": node_id("App", app.id),
        "owner": user_view(hub, app.owner),
        "name": app.slug,
        "description": "",
        "external_url": f"{hub.base}/apps/{app.slug}",
        "html_url": f"{hub.base}/apps/{app.slug}",
        "created_at": iso(app.created),
        "updated_at": iso(app.created),
        "permissions": app.permissions,
        "events": list(app.events),
    }


def via_app(hub: Hub, actor: Actor) -> View | None:
    return app_view(hub, actor.app) if actor.app else None


def installation_view(hub: Hub, made: Installation) -> View:
    return {
        "id": made.id,
        "client_id": made.app.client_id,
        "app_id": made.app.id,
        "app_slug": made.app.slug,
        "account": user_view(hub, made.account),
        "target_id": made.account.id,
        "target_type": made.account.type,
        "repository_selection": "selected",
        "access_tokens_url": f"{hub.api}/app/installations/{made.id}/access_tokens",
        "repositories_url": f"{hub.api}/installation/repositories",
        "html_url": f"{hub.base}/settings/installations/{made.id}",
        "permissions": made.permissions,
        "events": list(made.app.events),
        "created_at": iso(made.created),
        "updated_at": iso(made.created),
        "single_file_name": None,
        "suspended_by": user_view(hub, made.account) if made.suspended else None,
        "suspended_at": iso(made.suspended) if made.suspended else None,
    }


def token_view(hub: Hub, token: Token) -> View:
    made: View = {
        "token": token.value,
        "expires_at": iso(token.expires or 0),
        "permissions": dict(token.permissions),
        "repository_selection": "selected",
    }
    if token.repositories is not None:
        chosen = sorted(token.repositories)
        made["repositories"] = [repository_view(hub.repositories[each]) for each in chosen]
    return made


def repository_view(repo: Repository, *, size: str = "plain") -> View:
    """`minimal` in lists, `plain` inside other objects, `full` by itself."""
    hub, url = repo.hub, repo.api
    made: View = {
        "id": repo.id,
        "node_id": node_id("Repository", repo.id),
        "name": repo.name,
        "full_name": repo.full_name,
        "owner": user_view(hub, repo.owner),
        "private": repo.private,
        "html_url": repo.html,
        "description": None,
        "fork": repo.parent is not None,
        "url": url,
        **_urls(_REPO_URLS, url),
    }
    if size == "minimal":
        return made
    made |= _repository_more(repo)
    return made | ({"network_count": 0, "subscribers_count": 0} if size == "full" else {})


def _repository_more(repo: Repository) -> View:
    zero = ("forks", "forks_count", "stargazers_count", "watchers", "watchers_count", "size")
    absent = ("mirror_url", "homepage", "language", "license")
    issues = sum(each.state == "open" for each in repo.data.issues.values())
    return {
        "clone_url": f"{repo.html}.git",
        "git_url": f"{repo.html}.git".replace("http:", "git:"),
        "ssh_url": f"git@127.0.0.1:{repo.full_name}.git",
        "svn_url": repo.html,
        "default_branch": repo.default_branch,
        **dict.fromkeys(zero, 0),
        **dict.fromkeys(absent),
        **dict.fromkeys(("has_projects", "has_wiki", "has_pages", "has_discussions"), False),
        "has_issues": True,
        "has_downloads": False,
        "archived": repo.archived,
        "disabled": False,
        "visibility": "private" if repo.private else "public",
        "open_issues": issues,
        "open_issues_count": issues,
        "pushed_at": iso(repo.pushed),
        "created_at": iso(repo.created),
        "updated_at": iso(repo.created),
        "allow_merge_commit": "merge" in repo.methods,
        "allow_squash_merge": "squash" in repo.methods,
        "allow_rebase_merge": "rebase" in repo.methods,
        "delete_branch_on_merge": repo.delete_branch_on_merge,
        "allow_auto_merge": False,
    }


def label_view(repo: Repository, name: str) -> View:
    return {**repo.data.labels[name.casefold()], "url": f"{repo.api}/labels/{name}"}


def reaction_view(hub: Hub, made: Reaction) -> View:
    return {
        "id": made.id,
        "node_id": node_id("Reaction", made.id),
        "user": user_view(hub, made.user),
        "content": made.content,
        "created_at": iso(made.created),
    }


def rollup_view(url: str, reactions: Iterable[Reaction]) -> View:
    given = [each.content for each in reactions]
    counts = {content: given.count(content) for content in _CONTENTS}
    return {"url": f"{url}/reactions", "total_count": len(given), **counts}
