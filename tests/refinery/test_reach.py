"""T18: what CI would lend to an agent's code, on every branch that the code comes to."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

import pytest

from app.ports import (
    Finding,
    HoldPlaced,
    Inspection,
    Role,
    SessionEnded,
    SessionStarted,
    WorkflowFile,
    WorkKey,
)
from tests.book import BASE, Book
from tests.refinery.hub import BRANCH, HEAD, S1, hub, look

LENDS = """\
on:
  pull_request:
    branches: ["{}"]
permissions: {{}}
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - run: make test
        env:
          KEY: ${{{{ secrets.DEPLOY_KEY }}}}
"""


@pytest.mark.parametrize(
    ("target", "bases"),
    [("base", {"main"}), ("convoy", {"main", "convoy/jwt/main"})],
)
def test_t18_work_is_held_for_a_workflow_of_any_branch_it_will_be_proposed_to(
    target: str, bases: set[str]
) -> None:
    for base in ("main", "convoy/jwt/main", "release"):
        book = Book()
        book.open(target=target)
        issue = book.board().convoys[0].tasks[0].issue
        book.write(SessionStarted(issue, S1, Role.WITNESS, "work", 1, BASE, book.now + 60_000, "shell"))
        book.write(SessionEnded(issue, S1, Role.WITNESS, "work", Finding.DONE, 0, 9, head=HEAD))
        works = MappingProxyType({WorkKey(S1, BASE, HEAD, BRANCH): Inspection(HEAD, ("a",), (), commits=1)})
        ci = (WorkflowFile(".github/workflows/ci.yml", LENDS.format(base)),)
        seen = replace(hub(), workflows={BASE: ci})
        decision = look(book, seen, refs={"refs/heads/main": BASE}, works=works)
        held = [each for each in decision.facts if isinstance(each, HoldPlaced)]
        assert bool(held) is (base in bases)
