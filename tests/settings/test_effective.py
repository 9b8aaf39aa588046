from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from app.config import Budget, Config, SwarmPolicy, parse_config
from app.errors import ConfigError
from app.settings import Settings, UpperLimits, effective, load_settings
from tests.settings.conftest import HOME, Load

COUNTS = st.integers(1, 200)
MONEY = st.none() | st.floats(0.01, 100)


def under(limits: UpperLimits) -> Settings:
    return Settings(place="config.toml", limits=limits)


def test_without_limits_the_repository_has_its_way() -> None:
    asked = parse_config("[swarm]\nmax_polecats = 200\n[budget]\nday_usd = 1000\n")
    assert effective(asked, load_settings({}, HOME)) == asked


def test_what_was_lowered_is_told(load: Load) -> None:
    asked = parse_config(
        '[swarm]\nsession_timeout = "2h"\n[mayor]\nmax_tasks = 100\n[budget]\nsession_usd = 3\n'
    )
    limits = '[limits]\nsession_timeout = "90m"\nmax_tasks = 30\nconvoy_usd = 1.5\nattempts = 9\n'
    assert [str(each) for each in effective(asked, load(limits)).lowered] == snapshot(
        [
            "swarm.session_timeout: 2h → 1h30m (the operator's limit)",
            "mayor.max_tasks: 100 → 30 (the operator's limit)",
            "budget.convoy_usd: no limit → 1.5 (the operator's limit)",
            "budget.session_usd: 3 → 1.5 (the operator's limit)",
        ]
    )


def test_engine_that_is_not_allowed_is_refused(load: Load) -> None:
    settings = load('allow_engines = ["codex"]\n')
    codex = '[engine.default]\ntype = "codex"\n'
    for text, key in [
        ("", "`engine.default.type` is not set and then is"),
        (codex + '[engine.tests]\ntype = "aider"\n', "`engine.tests.type` is"),
        (codex + '[mayor]\nengine = "aider"\n', "`mayor.engine` is"),
    ]:
        with pytest.raises(ConfigError, match=key):
            effective(parse_config(text), settings)
    assert effective(parse_config(codex), settings).lowered == ()


def test_refused_engine_names_both_files() -> None:
    settings = Settings(place="operator.toml", allow_engines=("codex", "shell"))
    with pytest.raises(ConfigError) as caught:
        effective(parse_config('[engine.default]\ntype = "aider"\n'), settings)
    assert str(caught.value) == snapshot("""\
.brat/config.toml: `engine.default.type` is "aider", which is not allowed here
  → choose one of codex, shell; allow_engines in operator.toml says which\
""")


@given(COUNTS, COUNTS, st.none() | COUNTS, st.none() | COUNTS)
def test_counts_are_the_smaller_of_the_two(
    asked: int, tries: int, most: int | None, most_tries: int | None
) -> None:
    config = Config(swarm=SwarmPolicy(max_polecats=asked, attempts=tries))
    swarm = effective(config, under(UpperLimits(max_polecats=most, attempts=most_tries))).swarm
    assert swarm.max_polecats == min(asked, most or asked)
    assert swarm.attempts == min(tries, most_tries or tries)


@given(st.builds(Budget, MONEY, MONEY, MONEY), MONEY, MONEY, MONEY)
def test_no_budget_is_ever_looser_than_a_limit(
    asked: Budget, convoy: float | None, session: float | None, day: float | None
) -> None:
    limits = UpperLimits(convoy_usd=convoy, session_usd=session, day_usd=day)
    given_budget = effective(Config(budget=asked), under(limits)).budget
    triples = [
        (given_budget.convoy_usd, asked.convoy_usd, convoy),
        (given_budget.session_usd, asked.session_usd, session),
        (given_budget.day_usd, asked.day_usd, day),
    ]
    for value, wish, limit in triples:
        bounds = [bound for bound in (wish, limit) if bound is not None]
        assert (value is None) == (not bounds)
        assert value is None or value <= min(bounds)
    if given_budget.session_usd is not None:
        assert given_budget.session_usd <= (given_budget.convoy_usd or 1e9)
        assert given_budget.session_usd <= (given_budget.day_usd or 1e9)
