"""Every kind of fact has its words."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_args

import pytest

from app.cli.hub_words import BOOKKEEPING, HUB_WORDS
from app.ports import Answered, EffectSeen, FeedbackGiven, HubFact

SAMPLE: dict[str, Any] = {"str": "a word", "int": 3, "bool": True}


@pytest.mark.parametrize("kind", get_args(HubFact), ids=lambda kind: str(kind.__name__))
def test_what_happens_on_a_code_host_is_told_in_a_line(kind: type[Any]) -> None:
    fact = kind(**{each.name: SAMPLE[str(each.type)] for each in fields(kind)})
    said = HUB_WORDS[kind](fact)
    assert said
    assert "\n" not in said


def test_words_tell_what_came_of_it() -> None:
    answered = Answered("i", "comment:1", 7, "/brat merge\nplease", "eve", 2, accepted=False)
    assert HUB_WORDS[Answered](answered) == "eve in #7: /brat merge (refused)"
    assert HUB_WORDS[EffectSeen](EffectSeen("i", "reply:1", 0, "gone")) == "refused for good: reply:1: gone"
    told = HUB_WORDS[FeedbackGiven](FeedbackGiven("i", "checks", "a" * 40))
    assert told == f"its red checks went back to an agent ({'a' * 12})"


def test_agreements_between_processes_are_kept_back() -> None:
    assert {kind.__name__ for kind in get_args(HubFact)} >= BOOKKEEPING
