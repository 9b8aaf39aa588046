"""GitHub's own examples, as they are and mangled."""

from __future__ import annotations

import copy
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from app.webhooks import EVENTS, Signal, read_signals
from tests.webhooks.desk import Desk, headers
from tests.webhooks.examples import Payload, examples, known_examples

WHOLE = ("installation", "installation_repositories")
ABOUT = ("issue", "pull_request")
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=20),
    st.just("\ud800"),
    st.lists(st.integers(), max_size=2),
    st.builds(dict),
    st.builds(lambda: {"id": "42"}),
    st.builds(lambda: {"id": {"id": 42}}),
)
HUGE = st.just("x" * 1_000_000)
GONE = object()


def sound(value: object) -> bool:
    return isinstance(value, dict) and type(value.get("id")) is int and 0 < value["id"] < 2**53


def expected(event: str, payload: Payload) -> bool:
    """Whether the payload says what is dirty."""
    return sound(payload.get("installation" if event in WHOLE else "repository"))


@st.composite
def mangled(draw: st.DrawFn) -> tuple[str, Payload]:
    """An example with one or two fields that matter, or any others, gone or replaced."""
    event, example = draw(st.sampled_from(known_examples()))
    payload = copy.deepcopy(example)
    for _ in range(draw(st.integers(1, 2))):
        place: Any = payload
        key = draw(st.sampled_from(sorted(payload) + ["repository", "installation", *ABOUT] * 3))
        if isinstance(payload.get(key), dict) and draw(st.booleans()) and payload[key]:
            place, key = payload[key], draw(st.sampled_from(["id", "number", *sorted(payload[key])]))
        value = draw(st.just(GONE) | HUGE | ODD)
        if value is GONE:
            place.pop(key, None)
        else:
            place[key] = value
    return event, payload


def test_all_329_examples_are_accepted() -> None:
    desk = Desk(most=25 * 1024 * 1024)
    for number, (event, payload) in enumerate(examples()):
        assert desk.deliver(event, payload, id=f"d-{number}").status == 202, event
    outcomes = [each.outcome for each in desk.receipts]
    assert (len(outcomes), outcomes.count("accepted"), outcomes.count("ignored")) == (329, 112, 217)


def test_examples_name_the_repository_and_the_number_they_are_about() -> None:
    for event, payload in known_examples():
        signals = read_signals(event, json.dumps(payload).encode())
        assert signals is not None
        [signal] = signals
        assert signal.repository == (None if event in WHOLE else payload["repository"]["id"])
        assert signal.installation == payload.get("installation", {}).get("id")
        about = [payload[each]["number"] for each in ABOUT if each in payload]
        assert event in ("check_run", "check_suite") or signal.number == (about[0] if about else None)


def test_check_names_the_pull_request_where_github_knows_one() -> None:
    payload = {"repository": {"id": 4}, "check_run": {"pull_requests": [{"number": 9}, {"number": 8}]}}
    assert read_signals("check_run", json.dumps(payload).encode()) == (Signal(4, None, "check", 9),)


@given(mangled())
def test_mangled_examples_are_answered_rightly_and_crash_nothing(case: tuple[str, Payload]) -> None:
    event, payload = case
    desk = Desk(most=25 * 1024 * 1024)
    answer = desk.deliver(event, payload)
    if expected(event, payload) and "\\ud800" not in json.dumps(payload):
        assert answer.status == 202
        assert desk.signals[0].repository == (None if event in WHOLE else payload["repository"]["id"])
    elif not expected(event, payload):
        assert answer.status == 400
        assert not desk.taken
    else:
        assert answer.status in (202, 400)


@given(st.sampled_from(sorted(EVENTS)), st.recursive(ODD, lambda inner: st.dictionaries(st.text(), inner)))
def test_any_json_is_answered_with_what_it_is(event: str, payload: object) -> None:
    desk = Desk()
    sure = isinstance(payload, dict) and expected(event, payload)
    assert desk.deliver(event, payload).status == (202 if sure else 400)


@given(st.sampled_from(sorted(EVENTS)), st.binary(max_size=200))
def test_any_bytes_are_answered(event: str, body: bytes) -> None:
    assert Desk().post(body, headers(body, event=event)).status == 400


def test_endless_nesting_is_refused_like_any_other_nonsense() -> None:
    body = b'{"repository":' * 50_000
    assert Desk().post(body, headers(body, event="push")).status == 400


@given(st.sampled_from(known_examples()), st.data())
def test_example_with_one_byte_changed_is_forged(case: tuple[str, Payload], data: st.DataObject) -> None:
    event, payload = case
    body = bytearray(json.dumps(payload).encode())
    signed = headers(bytes(body), event=event)
    at = data.draw(st.integers(0, len(body) - 1))
    body[at] ^= data.draw(st.integers(1, 255))
    desk = Desk()
    assert desk.post(bytes(body), signed).status == 401
    assert not desk.taken
