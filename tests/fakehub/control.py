"""`POST /_control/VERB` with JSON: people, CI, time and faults from other processes.

person {login, access}            repository {full_name, private, files}    install {repository}
do {repository, verb, by, args}   ci {repository, rule, again, …}           state {repository}
fault {route, …}  limited {route, form, count}  calm {}                     webhooks {lost, doubled, …}
clock {advance}   suspend {on}    grant {issues: "read" | null, …}          revoke {}   journal {}
forge {event, payload}            manifest {code, manifest}                 deliver {}
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tests.fakehub import ci
from tests.fakehub.accounts import Account, App, Installation
from tests.fakehub.dispatch import Reply, Request
from tests.fakehub.git import GitFailed
from tests.fakehub.merging import MergeRefused
from tests.fakehub.model import CheckRun, Comment, Issue, Pull, Review, WorkflowRun
from tests.fakehub.people import Project
from tests.fakehub.views.checks import check_view
from tests.fakehub.views.issues import comment_view, issue_view
from tests.fakehub.views.pulls import pull_view, review_view

if TYPE_CHECKING:
    from tests.fakehub.hub import Hub

__all__ = ["VERBS", "steer"]

VERBS = (
    "issue", "edit", "label", "unlabel", "close", "reopen", "comment", "push", "set_ref", "pull", "merge",
    "review", "resolve", "check", "status", "actions", "protect", "work_queue",
)  # fmt: skip
Args = dict[str, Any]


def steer(hub: Hub, request: Request, verb: str) -> Reply:
    """An unknown verb or a wrong argument answers 400 with the reason."""
    try:
        made = _STEPS[verb](hub, request.json or {})
    except (KeyError, TypeError, ValueError, AssertionError, GitFailed, MergeRefused) as wrong:
        return Reply(400, {"content-type": "text/plain"}, f"{verb}: {wrong!r}".encode())
    return Reply(200, {"content-type": "application/json"}, json.dumps(made).encode())


def _repo(hub: Hub, args: Args) -> Project:
    found = hub.find(str(args["repository"]))
    assert found, f"no repository {args['repository']}"
    return found


def _the_app(hub: Hub) -> App:
    return next(each for each in hub.apps.values() if each is not hub.actions_app)


def _installation(hub: Hub) -> Installation:
    return next(each for each in hub.installations.values())


def _person(hub: Hub, args: Args) -> Args:
    made = hub.person(str(args["login"]), access=args.get("access"))
    return {"id": made.id, "login": made.login, "token": hub.token(made)}


def _repository(hub: Hub, args: Args) -> Args:
    name, private = str(args["full_name"]), bool(args.get("private"))
    made = hub.repository(name, private=private, files=args.get("files"))
    return {"id": made.id, "clone_url": made.clone_url, "html_url": made.html, "path": str(made.git.path)}


def _do(hub: Hub, args: Args) -> Any:
    """Any verb of people; `args` are its arguments by name (`list`: by position), `by` a login."""
    repo, verb = _repo(hub, args), str(args["verb"])
    assert verb in VERBS, f"{verb} is none of {', '.join(VERBS)}"
    given = dict(args.get("args", {}))
    if "by" in args:
        given["by"] = hub.account(str(args["by"]))
    call: Callable[..., Any] = getattr(repo, verb)
    return _plain(call(*given.pop("list", []), **given))


def _plain(made: Any) -> Any:
    if isinstance(made, Issue | Pull):
        return {"number": made.number, "id": made.id}
    if isinstance(made, Comment | CheckRun | Review | WorkflowRun):
        return {"id": made.id}
    return made if isinstance(made, str) else None


def _ci(hub: Hub, args: Args) -> None:
    repo = _repo(hub, args)
    how = {key: str(args[key]) for key in ("path", "name", "log") if key in args}
    ci.script(repo, str(args["rule"]), **how)
    repo.reruns[:] = [{"mended": ci.mended, "broken": ci.broken}[args.get("again", "mended")]]


def _state(hub: Hub, args: Args) -> Args:
    """Everything a test asserts on, as REST shows it."""
    repo = _repo(hub, args)
    with hub.lock:
        pulls = repo.data.pulls.values()
        return {
            "refs": repo.refs,
            "issues": [issue_view(repo, each) for each in repo.data.issues.values()],
            "comments": [comment_view(repo, each) for each in repo.data.comments.values()],
            "pulls": [pull_view(repo, each) for each in pulls],
            "reviews": [review_view(repo, pull, each) for pull in pulls for each in pull.reviews],
            "checks": [check_view(repo, each) for each in repo.data.checks.values()],
        }


def _journal(hub: Hub, args: Args) -> Args:
    book = hub.journal
    changes = [asdict(each) for each in book.changes]
    shown = {"problems": list(book.problems), "changes": changes, "routes": dict(book.routes)}
    if args.get("clear"):
        book.clear()
    return {**shown, "waiting": len(hub.webhooks.pending), "sent": len(hub.webhooks.past)}


def _fault(hub: Hub, args: Args) -> None:
    hub.faults.add(args.pop("route"), **args)


def _limited(hub: Hub, args: Args) -> None:
    route, form = args["route"], args["form"]
    hub.faults.limited(route, form=form, now=hub.clock.now, count=args.get("count", 1))


def _webhooks(hub: Hub, args: Args) -> None:
    for name, value in args.items():
        assert name in ("lost", "forgotten", "doubled", "late", "shuffled", "every_third_lost"), name
        setattr(hub.webhooks, name, value)


def _install(hub: Hub, args: Args) -> Args:
    made = hub.install(_the_app(hub), _repo(hub, args))
    return {"id": made.id}


def _clock(hub: Hub, args: Args) -> Args:
    hub.clock.advance(args.get("advance", 0))
    return {"now": hub.clock.now}


def _access(hub: Hub, args: Args) -> None:
    account: Account = hub.person(str(args["login"]))
    _repo(hub, args).people[account.id] = str(args["access"])


_STEPS: dict[str, Callable[[Hub, Args], Any]] = {
    "person": _person,
    "repository": _repository,
    "access": _access,
    "install": _install,
    "do": _do,
    "ci": _ci,
    "state": _state,
    "journal": _journal,
    "fault": _fault,
    "limited": _limited,
    "calm": lambda hub, args: hub.faults.clear(),
    "webhooks": _webhooks,
    "forge": lambda hub, args: hub.forge(_the_app(hub), args["event"], args["payload"]),
    "clock": _clock,
    "deliver": lambda hub, args: hub.deliver(),
    "suspend": lambda hub, args: hub.suspend(_installation(hub), on=args.get("on", True)),
    "grant": lambda hub, args: hub.grant(_installation(hub), **args),
    "revoke": lambda hub, args: hub.revoke(_installation(hub)),
    "manifest": lambda hub, args: hub.manifests.update({args["code"]: args["manifest"]}),
}
