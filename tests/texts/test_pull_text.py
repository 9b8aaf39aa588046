"""What pull requests and landed commits say."""

from __future__ import annotations

import re

import pytest
from inline_snapshot import snapshot

from app.board import Task
from app.texts import (
    PullView,
    convoy_pull_body,
    convoy_pull_title,
    fits,
    merge_message,
    pull_body,
    pull_title,
)
from tests.texts.samples import HUB, MERGED, REVIEW, convoy, published, session, spec, task, wrapped
from tests.texts.test_markdown import HOSTILE, shown

CLOSES = re.compile(r"#\d|\bGH-\d|/(issues|pull)/\d|\[skip ci\]|(?<!\w)@\w", re.IGNORECASE)
"""What acts in plain text, as titles and commits are."""


def made(title: str = "Sign tokens", **over: object) -> Task:
    """Task 1, worked on and published."""
    work = {"work": published(1), "sessions": (session(1, usd=0.42),)}
    return task(1, REVIEW, title=title, **{**work, **over})


def test_pull_request_tells_what_why_evidence_and_cost() -> None:
    view = PullView(convoy(made()), made(), (7, f"{HUB}/issues/7"))
    assert pull_title(view) == "Sign tokens"
    assert wrapped(pull_body(view)) == snapshot("""\
**What**

> Change thing 1.

**Why**: task 1 of `use-jwt`, Use JWT

**Done when**

- Thing 1 works
- `pytest tests/test_1.py` exits 0

<details><summary>Evidence: 1 acceptance command passed in the sandbox</summary>

- ✔ acceptance 1

</details>

<details><summary>How it was made</summary>

- Engine codex, model `gpt-5.1-codex`
- 1 attempt; sessions `s-1-1`
- Cost 0.42 USD
- 1 file touched, on top of `aaaaaaaaaaaa`

</details>

Part of #7, where the plan stands and `/brat help` works. Comments here that begin with `/brat`
steer this task.\
""")


@pytest.mark.parametrize("text", HOSTILE)
def test_t23_nothing_foreign_acts_in_a_pull_request_or_its_commit(text: str) -> None:
    hostile = made(spec=spec(1, text, instructions=text, criteria=(text,), commands=(text,)))
    whole = convoy(hostile, title=text)
    body = pull_body(PullView(whole, hostile))
    kinds, words = shown(body)
    assert kinds <= {"text", "softbreak", "strong_open", "strong_close", "code_inline"}
    subject, message = merge_message(whole, hostile)
    for acting in (words, pull_title(PullView(whole, hostile)), subject, message, convoy_pull_title(whole)):
        assert not CLOSES.search(acting), acting


def test_landed_commit_names_convoy_task_and_session() -> None:
    assert merge_message(convoy(made()), made(), pull=12) == snapshot(
        (
            "Sign tokens (#12)",
            """\
Task 1 of use-jwt: Use JWT

Brat-Convoy: c-20261121-a2f9
Brat-Task: t-20261121-0001
Brat-Session: s-1-1\
""",
        )
    )


def test_subject_of_a_commit_stays_short_and_keeps_its_number() -> None:
    subject, _ = merge_message(convoy(made("word " * 90)), made("word " * 90), pull=12)
    assert len(subject) <= 100
    assert subject.endswith("… (#12)")


def test_endless_task_still_fits() -> None:
    endless = made(spec=spec(1, "t" * 900, instructions="`|<" * 90_000, criteria=("`|<" * 300,) * 90))
    view = PullView(convoy(endless), endless, (7, HUB))
    assert fits(pull_body(view))
    assert "Part of #7" in pull_body(view)
    assert len(pull_title(view)) <= 256


def test_t23_a_pull_request_that_is_cut_leaves_nothing_open() -> None:
    command = "x" * 20 + "![x](https://evil.example/p.png) " * 11
    endless = made(spec=spec(1, criteria=("&" * 400,) * 26, commands=(command,) * 40))
    assert "image" not in shown(pull_body(PullView(convoy(endless), endless)))[0]
    many = convoy_pull_body(convoy(*(task(number, title="😀&" * 60) for number in range(1, 400))))
    assert fits(many)
    assert many.endswith("\n\n…")


def test_pull_request_of_a_whole_convoy_lists_its_tasks() -> None:
    gathered = convoy(made("One"), task(2, MERGED, title="Two"), target="refs/heads/convoy/use-jwt/main")
    assert wrapped(convoy_pull_body(gathered)) == snapshot("""\
**What**: Use JWT

- 1. One: needs-review
- 2. Two: merged

Gathered on `convoy/use-jwt/main`, each task tested before it landed there.

Comments here that begin with `/brat` steer this task.\
""")
