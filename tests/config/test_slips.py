from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.config import (
    ENGINES,
    KINDS,
    OPERATOR_KEYS,
    OPERATOR_TABLES,
    UNAVAILABLE_ENGINES,
    Config,
    known_keys,
    parse_config,
    schema,
)
from app.errors import ConfigError
from app.settings import schema as operator_schema
from tests.config.told import refusal

PLACES = [
    (table, key)
    for table, keys in known_keys(schema()).items()
    for key in keys
    if table != "engine" and "<" not in key
]


@st.composite
def slips(draw: st.DrawFn) -> tuple[str, str, str]:
    """A known key, and the same with one letter replaced, left out, added, or swapped with its neighbour."""
    table, key = draw(st.sampled_from(PLACES))
    at = draw(st.integers(0, len(key) - 1))
    letter = draw(st.sampled_from("abcdefghijklmnopqrstuvwxyz_"))
    slip = draw(
        st.sampled_from(
            [
                key[:at] + letter + key[at + 1 :],
                key[:at] + key[at + 1 :],
                key[:at] + letter + key[at:],
                key[:at] + key[at : at + 2][::-1] + key[at + 2 :],
            ]
        )
    )
    return table, key, slip


@given(slips())
def test_any_slip_of_one_letter_is_answered_with_the_right_key(drawn: tuple[str, str, str]) -> None:
    table, key, slip = drawn
    elsewhere = {name for keys in known_keys(schema()).values() for name in keys}
    if slip in elsewhere or slip in (*OPERATOR_KEYS, *OPERATOR_TABLES) or not slip or slip == "logs":
        return
    header = f"[{table.replace('<kind>', 'tests')}]\n" if table else ""
    header = f"[[{table}]]\n" if table in ("refinery.check", "refinery.freeze") else header
    assert f"`{slip}`" in (told := refusal(f"{header}{slip} = 1\n")) or f".{slip}`" in told
    alike = {"from": "cron", "cron": "from"}.get(key, key)
    assert f"did you mean `{key}`?" in told or f"did you mean `{alike}`?" in told


@given(st.text(alphabet="[]{}=.,\"'#\n\\ ab1ué\x1b\t", max_size=60))
def test_any_text_is_a_config_or_a_config_error(text: str) -> None:
    assert outcome(text)


def outcome(text: str) -> Config | str:
    try:
        return parse_config(text)
    except ConfigError as error:
        return str(error)


def test_operators_keys_are_those_no_repository_has() -> None:
    tables = known_keys(operator_schema())
    ours = {key for keys in known_keys(schema()).values() for key in keys}
    assert {key for keys in tables.values() for key in keys} - ours - {*OPERATOR_TABLES} == {*OPERATOR_KEYS}
    assert {name for name in tables[""] if name in tables or f"{name}.<engine>" in tables} == {
        *OPERATOR_TABLES
    }


def test_no_engine_is_a_kind() -> None:
    assert not {*KINDS} & {*ENGINES, *UNAVAILABLE_ENGINES}


def test_broken_file_of_any_depth_is_refused() -> None:
    assert "`a` is there twice" in refusal("a = 1\na = 2\nb = " + "[" * 5000)
    assert "`c`: unknown key" in refusal("c = " + "[" * 90 + "]" * 90)


def test_file_full_of_slips_costs_no_more_than_the_first_ones() -> None:
    told = refusal("\n".join(f"k{number} = 1" for number in range(5000)))
    assert told.startswith(".brat/config.toml: more than 40 problems\n")
    assert len(told.splitlines()) == 1 + 2 * 40
