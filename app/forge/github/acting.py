"""Each action on GitHub, once: done, refused in words, or unknown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.forge.github import outcomes
from app.forge.github.client import Client, Unsure
from app.forge.github.inbox import marked
from app.forge.github.labels import Labels
from app.forge.github.landing import Lander
from app.forge.github.ledger import Priority
from app.forge.github.opening import Opener
from app.forge.github.wire import Reply
from app.ports import (
    Clock,
    CloseIssue,
    ClosePull,
    Dequeue,
    Done,
    EditComment,
    EditPull,
    Enqueue,
    HubAction,
    Introduce,
    Label,
    MergePull,
    OpenPull,
    Outcome,
    PostCheck,
    PostComment,
    React,
    Refused,
    RerunCheck,
    Unknown,
    wall_clock,
)

__all__ = ["CHECK_NAME", "Hands"]

CHECK_NAME = "brat"
_KEPT = 1000
_OPEN_MS = 115_000
"""Less than an intent lasts (`app.board.EFFECT_MS`), so that a renewed one is acted on."""
_TRIES = 5
"""Of what may pass, one with each intent: ten minutes."""
_LANDING = (MergePull, Enqueue, Dequeue)
_TALKING = (PostComment, EditComment, EditPull, React, Label)


class Hands:
    """Acts on one repository. `done` holds what keyed actions of this process left, `tried` the keys whose
    outcome is open or whose refusal may pass, `opened` its new pull requests: GitHub's lists may not show
    them yet."""

    def __init__(self, client: Client, repository: str, *, clock: Clock = wall_clock) -> None:
        self._clock = clock
        self.done: dict[str, int] = {}
        self._tried: dict[str, int] = {}
        self._refused: dict[str, int] = {}
        self._reach(client, repository)

    def move(self, client: Client, repository: str) -> None:
        """The repository has another name now. What was done in it stays done."""
        opened, ids = self._opener.opened, self._lander.ids
        self._reach(client, repository)
        self._opener.opened, self._lander.ids = opened, ids

    def _reach(self, client: Client, repository: str) -> None:
        self._client, self._root = client, f"/repos/{repository}"
        self._labels = Labels(client, self._root)
        self._opener = Opener(client, self._root, self._labels)
        self._lander = Lander(client, self._root)

    @property
    def tried(self) -> frozenset[str]:
        """Lately: what is nowhere to be found after that was not done, and its intent may be renewed."""
        since = self._clock() - _OPEN_MS
        self._tried = {key: at for key, at in self._tried.items() if at > since}
        return frozenset(self._tried)

    @property
    def opened(self) -> tuple[int, ...]:
        return self._opener.opened

    def know(self, ids: Mapping[int, str]) -> None:
        """GraphQL's names of pull requests, which a look has brought."""
        self._lander.ids.update(ids)
        self._opener.seen(ids)

    def act(self, action: HubAction) -> Outcome:
        """Raises Later before anything is done, or where GitHub's limit refused it."""
        made = self._labels.missing(_labels(action))
        self._client.reserve(_mutations(action) + made, priority=_priority(action))
        key = getattr(action, "key", "")
        try:
            outcome = self._act(action)
        except Unsure as unsure:
            outcome = Unknown(str(unsure))
        if key:
            self._note(key, outcome)
        return outcome

    def _note(self, key: str, outcome: Outcome) -> None:
        """A refusal is final where it says so, or after some tries: then the action has left nothing."""
        refused = self._refused.pop(key, 0)
        self._tried.pop(key, None)
        if isinstance(outcome, Done):
            return
        if isinstance(outcome, Refused):
            refused += 1
            if outcome.for_good or refused == _TRIES:
                self._remember(key, 0)
                return
        self._tried[key] = self._clock()
        self._refused[key] = refused
        _shorten(self._refused)

    def _act(self, action: HubAction) -> Outcome:
        match action:
            case OpenPull():
                return self._opener.open(action)
            case MergePull() | Enqueue() | Dequeue():
                return self._lander.act(action)
            case Label():
                return self._labels.change(action)
            case PostComment() | PostCheck() | React() | Introduce() | ClosePull():
                return self._keyed(action)
            case RerunCheck():
                return self._rerun(action)
            case _:
                return self._plain(action)

    def _plain(self, action: EditComment | CloseIssue | EditPull) -> Outcome:
        outcome = outcomes.of(self._simple(action))
        if isinstance(action, CloseIssue) and action.key and isinstance(outcome, Done):
            return self._remember(action.key, 1)
        return outcome

    def _simple(self, action: EditComment | CloseIssue | EditPull) -> Reply:
        change, root = self._client.change, self._root
        match action:
            case EditComment():
                body = {"body": marked(action.body, action.key)}
                return change("PATCH", f"{root}/issues/comments/{action.comment}", body)
            case CloseIssue():
                body = {"state": "closed", "state_reason": action.reason}
                return change("PATCH", f"{root}/issues/{action.number}", body)
            case EditPull():
                return change("PATCH", f"{root}/pulls/{action.number}", {"body": action.body})

    def _keyed(self, action: PostComment | PostCheck | React | Introduce | ClosePull) -> Outcome:
        if isinstance(action, React | Introduce | ClosePull):
            return self._marked(action)
        if isinstance(action, PostComment):
            path = f"{self._root}/issues/{action.number}/comments"
            reply = self._client.change("POST", path, {"body": marked(action.body, action.key)})
        else:
            reply = self._check(action)
        if not reply.ok:
            return outcomes.of(reply)
        told = reply.json()
        if not isinstance(told, dict) or not isinstance(told.get("id"), int):
            return Unknown("done, but the answer names no number")
        return self._remember(action.key, told["id"])

    def _marked(self, action: React | Introduce | ClosePull) -> Outcome:
        """What leaves no number. The same reaction again is answered with 200."""
        if isinstance(action, Introduce):
            outcome = self._opener.introduce(action)
        elif isinstance(action, ClosePull):
            path = f"{self._root}/pulls/{action.number}"
            outcome = outcomes.of(self._client.change("PATCH", path, {"state": "closed"}))
        else:
            path = f"{self._root}/issues/comments/{action.comment}/reactions"
            outcome = outcomes.of(self._client.change("POST", path, {"content": action.content}))
        return self._remember(action.key, 1) if isinstance(outcome, Done) and action.key else outcome

    def _remember(self, key: str, number: int) -> Done:
        self.done[key] = number
        _shorten(self.done)
        return Done()

    def _check(self, action: PostCheck) -> Reply:
        state: dict[str, Any] = {"status": "in_progress"}
        if action.conclusion is not None:
            state = {"status": "completed", "conclusion": action.conclusion}
        body = {**state, "output": {"title": action.title, "summary": action.summary}}
        if action.check:
            return self._client.change("PATCH", f"{self._root}/check-runs/{action.check}", body)
        new = {**body, "name": CHECK_NAME, "head_sha": action.head, "external_id": action.key}
        return self._client.change("POST", f"{self._root}/check-runs", new)

    def _rerun(self, action: RerunCheck) -> Outcome:
        """A job of GitHub's own CI has its check run's number; other Apps are asked to run theirs again."""
        job = self._client.get(f"{self._root}/actions/jobs/{action.check}").json()
        run = job.get("run_id") if isinstance(job, dict) else None
        path = f"/actions/runs/{run}/rerun-failed-jobs" if run else f"/check-runs/{action.check}/rerequest"
        return outcomes.of(self._client.change("POST", f"{self._root}{path}"))


def _shorten(book: dict[str, int]) -> None:
    """What was noted last stays."""
    while len(book) > _KEPT:
        del book[next(iter(book))]


def _priority(action: HubAction) -> Priority:
    if isinstance(action, _LANDING):
        return Priority.LAND
    return Priority.COMMENT if isinstance(action, _TALKING) else Priority.STATUS


def _labels(action: HubAction) -> tuple[str, ...]:
    """Those that it adds."""
    match action:
        case Label():
            return action.add
        case Introduce():
            return action.labels
        case _:
            return ()


def _mutations(action: HubAction) -> int:
    """How many requests follow each other at most, beside those that make labels."""
    match action:
        case Label():
            return max(1, bool(action.add) + len(action.remove))
        case Introduce():
            return max(1, bool(action.labels) + bool(action.reviewers))
        case _:
            return 1
