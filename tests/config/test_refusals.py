from __future__ import annotations

import pytest
from inline_snapshot import snapshot

from app.config import LEGACY, OPERATOR_KEYS, OPERATOR_TABLES, UNAVAILABLE_ENGINES, EngineChoice, parse_config
from tests.config.told import refusal


def test_all_problems_are_told_at_once_in_the_order_of_the_file() -> None:
    text = "[swarm]\nattempts = 0\nmax_polcats = 3\n[refinery]\nrequire_ci = 'yes'\n"
    assert refusal(text) == snapshot("""\
.brat/config.toml: 3 problems
  .brat/config.toml:2:1: `swarm.attempts` wants 1 or more, got 0
  .brat/config.toml:3:1: `swarm.max_polcats`: unknown key, did you mean `max_polecats`?
    → allowed here: attempts, idle_timeout, max_polecats, session_timeout
  .brat/config.toml:5:1: `refinery.require_ci` wants true or false, got "yes"\
""")


@pytest.mark.parametrize("table", OPERATOR_TABLES)
def test_tables_of_the_operator_are_refused_in_a_repository(table: str) -> None:
    assert "must not steer keys and machine\n  → it goes into $XDG_CONFIG_HOME/brat/config.toml" in refusal(
        f"[{table}]\nx = 1\n"
    )


@pytest.mark.parametrize("key", OPERATOR_KEYS)
@pytest.mark.parametrize(
    "table", ["", "[engine.tests]\ntype = 'codex'\n", "[swarm]\n", "[refinery]\n", "[budget]\n"]
)
def test_keys_of_the_operator_are_refused_in_every_table(key: str, table: str) -> None:
    assert "must not steer keys and machine" in refusal(f"{table}{key} = 'x'\n")


def test_engine_that_a_repository_points_elsewhere_is_refused_with_the_reason() -> None:
    assert refusal('[engine.tests]\ntype = "codex"\nbase_url = "https://evil.example"\n') == snapshot("""\
.brat/config.toml:3:1: `engine.tests.base_url` is the operator's to say: who may merge here must not steer \
keys and machine
  → it goes into $XDG_CONFIG_HOME/brat/config.toml or the file in BRAT_CONFIG, as [engines.<engine>] base_url\
""")


def test_engine_of_the_operator_written_as_a_kind_is_noticed() -> None:
    assert refusal('[engine.codex]\nbase_url = "https://llm.example.com"\n') == snapshot("""\
.brat/config.toml:1:1: `engine.codex`: codex is an engine and not a kind of work, did you mean \
`[engines.codex]`?
  → [engines.codex] in the operator's file says how codex is run (base_url, key_env, command); a kind of \
work takes it by type = "codex", as in [engine.tests]\
""")


@pytest.mark.parametrize("engine", UNAVAILABLE_ENGINES)
def test_known_engine_that_does_not_run_names_those_that_do(engine: str) -> None:
    told = refusal(f'[engine.default]\ntype = "{engine}"\n')
    assert told.splitlines() == [
        f".brat/config.toml:2:1: `engine.default.type`: {engine} is not available in this release",
        "  → available are: claude-code, codex, aider, shell",
    ]


def test_rust_tools_name_of_an_engine_is_answered_with_ours() -> None:
    assert refusal('[engine.default]\ntype = "claude"\n') == snapshot(
        """\
.brat/config.toml:2:1: `engine.default.type`: no engine is named "claude", did you mean `claude-code`?
  → allowed: claude-code, codex, aider, shell\
"""
    )


def test_unknown_engine_lists_those_that_run() -> None:
    assert refusal('[engine.default]\ntype = "zzz"\n') == snapshot(
        """\
.brat/config.toml:2:1: `engine.default.type`: no engine is named "zzz"
  → allowed: claude-code, codex, aider, shell\
"""
    )


def test_engine_directly_in_its_table_is_explained() -> None:
    assert refusal('[engine]\ntype = "codex"\n') == snapshot("""\
.brat/config.toml:2:1: `engine.type`: stands in [engine] itself
  → engines are chosen per kind: [engine.default], [engine.tests], …\
""")


def test_kind_one_letter_away_from_a_known_kind_is_a_slip() -> None:
    assert refusal('[engine.test]\ntype = "codex"\n') == snapshot(
        ".brat/config.toml:1:1: `engine.test`: a kind so close to `tests` is taken for a slip: did you "
        "mean `tests`?"
    )
    assert parse_config('[engine.core]\ntype = "codex"\n').engine_for("core") == EngineChoice("codex")


def test_kind_is_one_lower_case_word() -> None:
    assert refusal('[engine."My Kind"]\ntype = "codex"\n') == snapshot(
        '.brat/config.toml:1:1: `engine."My Kind"`: a kind of work is one lower-case word, like tests'
    )


def test_engine_without_a_type_is_incomplete() -> None:
    assert refusal('[engine.tests]\nmodel = "gpt-4o"\n') == snapshot(
        """\
.brat/config.toml:1:1: `engine.tests.type` is missing
  → it takes claude-code, codex, aider, shell\
"""
    )


def test_model_that_could_be_an_option_is_refused() -> None:
    assert refusal('[engine.tests]\ntype = "aider"\nmodel = "--yes"\n') == snapshot(
        '.brat/config.toml:3:1: `engine.tests.model`: "--yes" is no name of a model, like "gpt-4o"'
    )


def test_key_in_the_wrong_table_is_sent_to_its_own() -> None:
    assert refusal('[swarm]\nstrategy = "squash"\n') == snapshot(
        ".brat/config.toml:2:1: `swarm.strategy`: unknown key here: it belongs in [refinery]"
    )


def test_wrong_choice_names_the_allowed_and_the_nearest() -> None:
    assert refusal('[refinery]\nstrategy = "sqash"\n') == snapshot(
        """\
.brat/config.toml:2:1: `refinery.strategy`: "sqash" is not allowed, did you mean `squash`?
  → allowed: rebase, squash, merge\
"""
    )


def test_wrong_type_says_what_is_wanted() -> None:
    assert refusal("[refinery]\nrequire_ci = 1\n") == snapshot(
        ".brat/config.toml:2:1: `refinery.require_ci` wants true or false, got 1"
    )
    assert refusal("[mayor]\nmax_tasks = true\n") == snapshot(
        ".brat/config.toml:2:1: `mayor.max_tasks` wants a whole number, got true"
    )
    assert refusal("[mayor]\nmax_tasks = 1.5\n") == snapshot(
        ".brat/config.toml:2:1: `mayor.max_tasks` wants a whole number, got 1.5"
    )
    assert refusal("swarm = 3\n") == snapshot(".brat/config.toml:1:1: `swarm` wants a table, got 3")
    assert refusal('[refinery]\nprotected = "docs/**"\n') == snapshot(
        '.brat/config.toml:2:1: `refinery.protected` wants a list, got "docs/**"'
    )
    assert refusal("[refinery]\nprotected = [1]\n") == snapshot(
        ".brat/config.toml:2:1: `refinery.protected[1]` wants text in quotes, got 1"
    )


def test_number_out_of_bounds_says_the_bound() -> None:
    assert refusal("[swarm]\nmax_polecats = 0\n") == snapshot(
        ".brat/config.toml:2:1: `swarm.max_polecats` wants 1 or more, got 0"
    )
    assert refusal("[swarm]\nmax_polecats = 1000\n") == snapshot(
        ".brat/config.toml:2:1: `swarm.max_polecats` wants 256 or less, got 1000"
    )
    assert refusal("[budget]\nconvoy_usd = 0\n") == snapshot(
        ".brat/config.toml:2:1: `budget.convoy_usd` wants more than 0, got 0"
    )
    assert refusal("[budget]\nconvoy_usd = inf\n") == snapshot(
        ".brat/config.toml:2:1: `budget.convoy_usd` wants a finite number, got inf"
    )
    assert refusal("[refinery]\nmerge_retry_limit = -1\n") == snapshot(
        ".brat/config.toml:2:1: `refinery.merge_retry_limit` wants 0 or more, got -1"
    )


def test_duration_is_text_with_a_unit() -> None:
    assert refusal("[swarm]\nidle_timeout = 600\n") == snapshot(
        '.brat/config.toml:2:1: `swarm.idle_timeout` wants text like "10m", got 600'
    )
    assert refusal('[swarm]\nidle_timeout = "10"\n') == snapshot(
        '.brat/config.toml:2:1: `swarm.idle_timeout`: "10": a duration is written like "30s", "10m", "2h" '
        'or "1h30m"'
    )
    assert refusal('[swarm]\nidle_timeout = "0s"\n') == snapshot(
        '.brat/config.toml:2:1: `swarm.idle_timeout`: "0s": a duration is more than zero and at most 30d'
    )


def test_session_cap_above_the_convoys_could_never_start() -> None:
    assert refusal("[budget]\nsession_usd = 3\nconvoy_usd = 1\n") == snapshot(
        ".brat/config.toml:2:1: `budget.session_usd`: 3 is more than convoy_usd = 1: no session could "
        "ever start"
    )


def test_checks_have_names_of_their_own() -> None:
    twice = '[[refinery.check]]\nname = "unit"\nrun = "true"\n' * 2
    assert refusal(twice) == snapshot(
        '.brat/config.toml:5:1: `refinery.check[2].name`: there is another check named "unit"'
    )


def test_check_is_located_also_in_the_short_form() -> None:
    assert refusal(
        '[refinery]\ncheck = [\n  {name = "a", run = "true"},\n  {name = "b", rum = "x"},\n]\n'
    ) == snapshot("""\
.brat/config.toml: 2 problems
  .brat/config.toml:4:4: `refinery.check[2].run` is missing
    → it takes text
  .brat/config.toml:4:16: `refinery.check[2].rum`: unknown key, did you mean `run`?
    → allowed here: name, run, timeout\
""")


def test_planner_engine_must_be_known() -> None:
    assert refusal('[mayor]\nengine = "cdex"\n') == snapshot(
        """\
.brat/config.toml:2:1: `mayor.engine`: "cdex" is no engine and no kind that has a table, did you mean `codex`?
  → engines: claude-code, codex, aider, shell\
"""
    )


def test_remote_is_a_name_and_no_address() -> None:
    assert refusal('[log]\nremote = "https://evil.example/x.git"\n') == snapshot("""\
.brat/config.toml:2:1: `log.remote`: "https://evil.example/x.git" is not the name of a git remote
  → a repository must not say to which address its work is sent: `git remote add NAME URL`, then the name \
here\
""")


def test_glob_stays_inside_the_repository() -> None:
    assert refusal('[refinery]\nprotected = ["../x"]\n') == snapshot(
        '.brat/config.toml:2:1: `refinery.protected[1]`: "../x" leaves the repository with `..`'
    )


def test_empty_command_checks_nothing() -> None:
    assert refusal('[[refinery.check]]\nname = "unit"\nrun = " "\n') == snapshot(
        '.brat/config.toml:3:1: `refinery.check[1].run`: " " says nothing'
    )


def test_broken_toml_has_line_column_and_remedy() -> None:
    assert refusal("[engine.default]\ntype = claude\n") == snapshot("""\
.brat/config.toml:2:8: is not TOML: invalid value
  → text is written in quotes, as in strategy = "squash"; see https://toml.io/en/v1.0.0\
""")
    assert refusal("[engine.default\n") == snapshot("""\
.brat/config.toml:1:16: is not TOML: expected ']' at the end of a table declaration
  → text is written in quotes, as in strategy = "squash"; see https://toml.io/en/v1.0.0\
""")


def test_doubled_keys_and_tables_are_named() -> None:
    assert refusal("[swarm]\nattempts = 1\n\nattempts = 2\n") == snapshot("""\
.brat/config.toml:4:1: `swarm.attempts` is there twice, first on line 2
  → keep one of the two\
""")
    assert refusal("[swarm]\nattempts = 1\n[swarm]\nmax_polecats = 2\n") == snapshot("""\
.brat/config.toml:3:1: [swarm] is there twice, first on line 1
  → keep one of the two\
""")


def test_hostile_sizes_and_depths_are_refused_and_not_read() -> None:
    assert refusal("#" * 300_000) == snapshot("""\
.brat/config.toml: is larger than 64 KB
  → keep settings only in it\
""")
    assert refusal("a = " + "[" * 5000) == snapshot("""\
.brat/config.toml: is nested too deeply
  → no setting needs more than two levels\
""")
    assert "is not TOML" in refusal("a = " + "9" * 5000)


def test_control_characters_of_a_file_do_not_reach_the_terminal() -> None:
    told = refusal('"\\u001b[2J" = 1\n[refinery]\nstrategy = "\\u001b]0;x\\u0007"\n')
    assert "\x1b" not in told
    assert "\x07" not in told


def test_rust_tools_keys_are_each_answered_with_what_they_became() -> None:
    for key, what in LEGACY.items():
        table, name = key.rsplit(".", 1)
        told = refusal(f"[{table}]\n{name} = 1\n")
        assert str(what) in told
        assert "`brat config migrate`" in told
