"""Words that act on a code host are only words afterwards."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.prompts import defused


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("fixes #9", "fixes # 9"),
        ("Closes: org/x#7, GH-3", "Closes: org/x# 7, GH- 3"),
        ("resolves https://github.com/o/r/issues/12", "resolves https://github.com/o/r/issues/ 12"),
        ("Done [skip ci]", "Done (skip, ci)"),
        ("[CI-Skip] [no ci] [skip actions]", "(CI, Skip) (no, ci) (skip, actions)"),
        ("***NO_CI***", "(NO, CI)"),
        ("skip-checks: true", "(skip, checks): true"),
        ("ask @org/team", "ask @ org/team"),
        ("a\x1b[2Jb\u202ec", "abc"),
    ],
)
def test_t23_what_acts_becomes_words(text: str, plain: str) -> None:
    assert defused(text) == plain


@pytest.mark.parametrize(
    "text", ["Ada <ada@example.org>", "C# 9", "a # comment", "[ci] all", "Brat-Task: t-1\n"]
)
def test_ordinary_messages_stay(text: str) -> None:
    assert defused(text) == text


@given(st.text(alphabet="#@[]-* \n/aciknopsCI_OS9GH", max_size=60))
def test_t23_twice_is_once_and_nothing_acts(text: str) -> None:
    once = defused(text)
    assert defused(once) == once
    assert not re.search(r"#\d|\[(skip ci|ci skip)\]|(?<![\w.+-])@\w", once)
