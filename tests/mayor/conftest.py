"""Plans by chance, and the rules of an ordinary repository."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import strategies as st

from app.mayor import PlanRules
from app.ports import Plan, PlannedTask

GLOBS = ("src/**", "src/a/**", "src/a/x.py", "docs/**", "*.md", "README.md", "lib/*.c", "lib/[a-m]*")

lines = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp", "Zs")), min_size=1, max_size=30
)
prose = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"), include_characters="\n\t"), max_size=80
)
timeouts = st.none() | st.integers(1_000, 86_400_000)


def folded(text: str) -> str:
    """A message in lines that fit this file's width."""
    return "\n".join(textwrap.fill(line, 90, subsequent_indent="    ") for line in text.split("\n"))


@st.composite
def plans(draw: st.DrawFn, *, most: int = 7) -> Plan:
    """Plans that keep the schema; dependencies are known ids, maybe in a circle."""
    names = [f"t{number}" for number in range(draw(st.integers(1, most)))]
    tasks = tuple(
        PlannedTask(
            id=name,
            title=draw(lines),
            instructions=draw(prose),
            criteria=tuple(draw(st.lists(lines, max_size=2))),
            commands=tuple(draw(st.lists(lines, max_size=2))),
            paths=tuple(draw(st.lists(st.sampled_from(GLOBS), max_size=2))),
            depends_on=tuple(draw(st.lists(st.sampled_from(names), max_size=2, unique=True))),
            size=draw(st.sampled_from("SML")),
            timeout_ms=draw(timeouts),
        )
        for name in names
    )
    return Plan(draw(prose), tasks, assumptions=tuple(draw(st.lists(lines, max_size=2))))


@pytest.fixture
def rules() -> PlanRules:
    return PlanRules(
        engines=("aider", "claude-code", "codex", "shell"),
        allowed=("claude-code", "codex"),
        kinds=("default", "tests"),
        checks=("pytest -q",),
        max_timeout_ms=86_400_000,
    )
