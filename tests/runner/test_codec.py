"""Values survive the process border."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import Defect
from app.ports import EngineSetup, Operator, SessionResult, SessionSpec, Usage
from app.runner import decode, encode

numbers = st.floats(allow_nan=False, allow_infinity=False)
st.register_type_strategy(
    Usage, st.builds(Usage, st.none() | st.integers(), st.none() | st.integers(), st.none() | numbers)
)


@given(st.from_type(SessionSpec).filter(lambda spec: spec.limits.usd == spec.limits.usd))
def test_spec_comes_back_as_it_was(spec: SessionSpec) -> None:
    if spec.limits.usd not in (float("inf"), float("-inf")):
        assert decode(SessionSpec, encode(spec)) == spec


@given(st.from_type(SessionResult))
def test_result_comes_back_as_it_was(result: SessionResult) -> None:
    assert decode(SessionResult, encode(result)) == result


@given(st.builds(Operator, engines=st.tuples(st.builds(EngineSetup, input_usd_per_mtok=numbers))))
def test_operator_comes_back_as_it_was(operator: Operator) -> None:
    finite = json.dumps([each.output_usd_per_mtok for each in operator.engines])
    if "NaN" not in finite and "Infinity" not in finite:
        assert decode(Operator, encode(operator)) == operator


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"engines": 3}', '{"path": [1]}', '{"network": null}'])
def test_anything_else_is_a_defect(text: str) -> None:
    with pytest.raises(Defect, match="not a "):
        decode(SessionSpec, text) if text == "{}" else decode(Operator, text)


def test_whole_number_is_a_float_where_one_is_wanted() -> None:
    assert decode(EngineSetup, '{"type": "codex", "input_usd_per_mtok": 2}').input_usd_per_mtok == 2.0
