"""The one GraphQL read of a look: pull requests, checks of commits, edits of issues, habits of branches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from app.forge.github.answers import Answer, Ms, PullListed, read, read_all
from app.forge.github.checks import checks_of, usual_names
from app.forge.github.client import Client, Unreadable
from app.forge.github.documents import document
from app.forge.github.people import Ourselves
from app.forge.github.pulls import pull_of
from app.ports import CheckSeen, PullSeen
from app.values import dataclass

__all__ = ["Overview", "Questions", "open_pulls", "overview"]

_OURS = "convoy/"
_AT_ONCE = 20
"""Pull requests in one document: GitHub counts 500,000 nodes at most, and gives up after 10 s."""


@dataclass(frozen=True, slots=True)
class Questions:
    """What the document asks for."""

    pulls: tuple[int, ...] = ()
    issues: tuple[int, ...] = ()
    heads: tuple[str, ...] = ()
    branches: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.pulls or self.issues or self.heads or self.branches)


@dataclass(slots=True)
class Overview:
    """What could be read. `edits` are by issue, `usual` and `queues` by branch; `ids` of pull requests and
    `talked` are the numbers of those that have comments."""

    pulls: dict[int, PullSeen] = field(default_factory=dict)
    edits: dict[int, int | None] = field(default_factory=dict)
    checks: dict[str, tuple[CheckSeen, ...]] = field(default_factory=dict)
    usual: dict[str, tuple[str, ...] | None] = field(default_factory=dict)
    queues: dict[str, bool] = field(default_factory=dict)
    methods: tuple[str, ...] = ("merge", "squash", "rebase")
    ids: dict[int, str] = field(default_factory=dict)
    talked: tuple[int, ...] = ()


def open_pulls(client: Client, repository: str) -> tuple[PullListed, ...]:
    """The open pull requests from branches `convoy/*` of this very repository, and those into them."""
    listed = read_all(PullListed, client.pages(f"/repos/{repository}/pulls", {"state": "open"}))
    return tuple(
        each
        for each in listed
        if (each.from_here and each.head.ref.startswith(_OURS)) or each.base.ref.startswith(_OURS)
    )


def overview(client: Client, repository: str, us: Ourselves, *, questions: Questions) -> Overview:
    """Asks all at once, pull requests twenty at a time. What was refused is absent."""
    found = Overview()
    parts = _parts(questions)
    for part in parts:
        text, variables = document(
            repository, pulls=part.pulls, issues=part.issues, heads=part.heads, branches=part.branches
        )
        try:
            data, _ = client.query(text, variables)
        except Unreadable:
            continue
        answer = data.get("repository")
        if isinstance(answer, dict):
            _Reader(client, us, found).read(answer, part)
    return found


def _parts(questions: Questions) -> list[Questions]:
    pulls = questions.pulls
    first = Questions(pulls[:_AT_ONCE], questions.issues, questions.heads, questions.branches)
    more = [Questions(pulls[start : start + _AT_ONCE]) for start in range(_AT_ONCE, len(pulls), _AT_ONCE)]
    return [each for each in (first, *more) if each]


class _Issue(Answer):
    lastEditedAt: Ms = 0


@dataclass(frozen=True, slots=True)
class _Reader:
    client: Client
    us: Ourselves
    found: Overview

    def read(self, answer: Mapping[str, Any], asked: Questions) -> None:
        for number in asked.pulls:
            self._pull(number, answer.get(f"p{number}"))
        for number in asked.issues:
            if isinstance(issue := answer.get(f"i{number}"), dict):
                self.found.edits[number] = _edited(issue)
        for index, head in enumerate(asked.heads):
            self._checks(head, answer.get(f"h{index}"))
        for index, branch in enumerate(asked.branches):
            self.found.usual[branch] = usual_names(answer.get(f"b{index}"), self.us)
            if f"q{index}" in answer:
                self.found.queues[branch] = answer[f"q{index}"] is not None
        self.found.methods = _methods(answer)

    def _pull(self, number: int, node: Any) -> None:
        try:
            pull = self.found.pulls[number] = pull_of(self.client, node, self.us)
        except Unreadable:
            return
        self.found.ids[number] = str(node["id"])
        if (node.get("comments") or {}).get("totalCount"):
            self.found.talked = (*self.found.talked, number)
        commits = (node.get("commits") or {}).get("nodes") or [{}]
        commit = commits[-1].get("commit") or {}
        # A push between two parts of the answer: the checks belong to the older commit.
        if commit.get("oid") == pull.head:
            self._checks(pull.head, commit)

    def _checks(self, head: str, commit: Any) -> None:
        try:
            self.found.checks[head] = checks_of(self.client, commit, self.us)
        except Unreadable:
            return


def _edited(issue: dict[str, Any]) -> int | None:
    answer = read(_Issue, issue)
    return (answer.lastEditedAt or None) if answer else None


def _methods(answer: Mapping[str, Any]) -> tuple[str, ...]:
    flags = {"merge": "mergeCommitAllowed", "squash": "squashMergeAllowed", "rebase": "rebaseMergeAllowed"}
    return tuple(method for method, flag in flags.items() if answer.get(flag) is not False)
