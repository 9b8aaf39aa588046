"""Repositories, branches with their rules, who may do what."""

from __future__ import annotations

from tests.fakehub.routes.table import Answer, Call, Listing, Refused, route
from tests.fakehub.views.basic import public_user_view, repository_view, user_view
from tests.fakehub.views.git import branch_view, protection_view, rules_view

REPO = "/repos/{owner}/{repo}"

__all__ = ["REPO"]

_OLD_LEVELS = {"maintain": "write", "triage": "read"}


@route("GET " + REPO)
def get(call: Call) -> Answer:
    return Answer(repository_view(call.repo, size="full"))


@route("GET " + REPO + "/branches")
def list_branches(call: Call) -> Listing:
    names = sorted(e.removeprefix("refs/heads/") for e in call.repo.refs if e.startswith("refs/heads/"))
    wanted = call.query.get("protected")
    if wanted:
        names = [each for each in names if bool(call.repo.rules_of(each)) is (wanted == "true")]
    return Listing(names, lambda name: _short(call, name))


def _short(call: Call, name: str) -> dict[str, object]:
    sha = call.repo.branch(name)
    shown: dict[str, object] = {
        "name": name,
        "commit": {"sha": sha, "url": f"{call.repo.api}/commits/{sha}"},
        "protected": bool(call.repo.rules_of(name)),
    }
    return shown | {"protection": protection_view(call.repo.classic(name))}


@route("GET " + REPO + "/branches/{branch}")
def get_branch(call: Call) -> Answer:
    sha = call.repo.branch(call.params["branch"])
    if sha is None:
        raise Refused(404, "Branch not found")
    return Answer(branch_view(call.repo, call.params["branch"], sha))


@route("GET " + REPO + "/rules/branches/{branch}")
def list_rules(call: Call) -> Listing:
    if call.repo.limited:
        raise Refused(403, "Upgrade to GitHub Pro or make this repository public to enable this feature.")
    found = [
        each for rule in call.repo.rulesets(call.params["branch"]) for each in rules_view(call.repo, rule)
    ]
    return Listing(found, lambda each: each)


@route("GET " + REPO + "/collaborators/{username}/permission")
def get_permission(call: Call) -> Answer:
    account = call.hub.account(call.params["username"])
    if account is None:
        raise Refused(404, f"{call.params['username']} is not a user")
    level = call.repo.access(account)
    shown = {
        **user_view(call.hub, account),
        "role_name": level,
        "permissions": {
            "pull": call.repo.allows(account, "read"),
            "triage": call.repo.allows(account, "triage"),
            "push": call.repo.allows(account, "write"),
            "maintain": call.repo.allows(account, "maintain"),
            "admin": level == "admin",
        },
    }
    return Answer({"permission": _OLD_LEVELS.get(level, level), "role_name": level, "user": shown})


@route("GET /users/{username}")
def get_user(call: Call) -> Answer:
    account = call.hub.account(call.params["username"])
    if account is None:
        raise Refused(404, "Not Found")
    return Answer(public_user_view(call.hub, account))


@route("GET /user/{account_id}")
def get_user_by_id(call: Call) -> Answer:
    account = call.hub.accounts.get(int(call.params["account_id"]))
    if account is None:
        raise Refused(404, "Not Found")
    return Answer(public_user_view(call.hub, account))
