"""Deliveries, one by one: what is refused, and before what."""

from __future__ import annotations

import hashlib
import hmac
import json

import pytest

from app.webhooks import EVENTS, Signal
from tests.webhooks.desk import SECRET, Desk, headers

PUSH = {"repository": {"id": 42}, "installation": {"id": 3}}
BODY = json.dumps(PUSH).encode()


def without(heads: dict[str, str], *names: str) -> dict[str, str]:
    return {name: value for name, value in heads.items() if name not in names}


def test_delivery_becomes_a_signal_before_it_is_answered(desk: Desk) -> None:
    issue = {**PUSH, "issue": {"number": 7, "title": "x"}, "sender": {"login": "mallory"}}
    assert desk.deliver("issues", issue).status == 202
    assert desk.signals == [Signal(repository=42, installation=3, kind="issue", number=7)]


def test_own_app_and_bots_are_hints_like_all_others(desk: Desk) -> None:
    assert desk.deliver("push", {**PUSH, "sender": {"login": "brat[bot]", "type": "Bot"}}).status == 202
    assert len(desk.signals) == 1


def test_missing_signature_is_401_and_nothing_is_read(desk: Desk) -> None:
    answer = desk.post(
        [b"{" * 10, b"x" * 10_000_000], without(headers(BODY, event="push"), "x-hub-signature-256")
    )
    assert (answer.status, desk.receipts[0].outcome) == (401, "unsigned")


@pytest.mark.parametrize(
    "signature", ["sha256=", "sha256=" + "0" * 64, "é", "sha256=" + "0" * 10_000, "sha1=1"]
)
def test_wrong_signature_is_401_and_nothing_is_parsed(desk: Desk, signature: str) -> None:
    heads = {**headers(b"not json", event="push"), "x-hub-signature-256": signature}
    answer = desk.post(b"not json", heads)
    assert (answer.status, desk.receipts[0].outcome, desk.receipts[0].event) == (401, "forged", "")


def test_sha1_alone_is_refused_even_when_it_is_right(desk: Desk) -> None:
    sha1 = "sha1=" + hmac.new(SECRET, BODY, hashlib.sha1).hexdigest()
    heads = without(headers(BODY, event="push"), "x-hub-signature-256")
    assert desk.post(BODY, {**heads, "x-hub-signature": sha1}).status == 401
    assert desk.post(BODY, {**heads, "x-hub-signature-256": sha1}).status == 401


def test_t12_both_secrets_count_while_they_are_rotated_and_no_third() -> None:
    desk = Desk(secrets=(b"new", b"old"))
    answers = [
        desk.post(BODY, headers(BODY, event="push", id=secret.decode(), secret=secret)).status
        for secret in (b"new", b"old", b"older")
    ]
    assert answers == [202, 202, 401]


def test_signature_is_over_the_bytes_and_not_over_what_they_mean(desk: Desk) -> None:
    spaced = json.dumps(PUSH, indent=1).encode()
    assert desk.post(spaced, headers(BODY, event="push")).status == 401


def test_t12_replayed_delivery_is_taken_once(desk: Desk) -> None:
    answers = [desk.deliver("push", PUSH, id="same") for _ in range(3)]
    assert [each.said for each in answers] == ["taken", "taken before", "taken before"]
    assert [each.status for each in answers] == [202, 202, 202]


def test_delivery_that_could_not_be_kept_is_503_and_taken_when_it_comes_again(desk: Desk) -> None:
    desk.away = True
    assert desk.deliver("push", PUSH).status == 503
    desk.away = False
    assert desk.deliver("push", PUSH).said == "taken"


def test_announced_body_over_the_cap_is_413_before_any_of_it_is_read(desk: Desk) -> None:
    desk.most = 10
    heads = {**headers(BODY, event="push"), "content-length": "11"}
    assert desk.post([b"x"], heads).status == 413


def test_unannounced_body_over_the_cap_is_413_while_it_is_read(desk: Desk) -> None:
    desk.most = 100
    read: list[int] = []

    class Counting(list[bytes]):
        def __iter__(self):  # type: ignore[no-untyped-def]
            for number in range(1000):
                read.append(number)
                yield b"x" * 10

    assert desk.post(Counting(), headers(BODY, event="push")).status == 413
    assert len(read) < 1000


def test_body_of_exactly_the_cap_is_taken() -> None:
    assert Desk(most=len(BODY)).deliver("push", PUSH).status == 202


@pytest.mark.parametrize(
    "kind", ["application/x-www-form-urlencoded", "text/plain", "", "application/json-seq"]
)
def test_content_type_other_than_json_is_415(desk: Desk, kind: str) -> None:
    assert desk.post(BODY, {**headers(BODY, event="push"), "content-type": kind}).status == 415


def test_content_type_may_have_a_charset(desk: Desk) -> None:
    heads = {**headers(BODY, event="push"), "content-type": "Application/JSON; charset=utf-8"}
    assert desk.post(BODY, heads).status == 202


@pytest.mark.parametrize(
    "wrong",
    [
        {"x-github-event": ""},
        {"x-github-event": "Push!"},
        {"x-github-delivery": ""},
        {"x-github-delivery": "a" * 65},
    ],
)
def test_headers_that_github_would_not_send_are_400(desk: Desk, wrong: dict[str, str]) -> None:
    assert desk.post(BODY, {**headers(BODY, event="push"), **wrong}).status == 400
    assert not desk.taken


def test_unknown_event_is_202_and_counted_and_not_parsed(desk: Desk) -> None:
    assert desk.post(b"not json", headers(b"not json", event="star")).status == 202
    assert [(each.outcome, each.event) for each in desk.receipts] == [("ignored", "star")]
    assert not desk.taken


@pytest.mark.parametrize("event", sorted(EVENTS))
@pytest.mark.parametrize("body", [b"", b"not json", b"[]", b"{}", b"\xff\xfe", b'{"repository":{"id":true}}'])
def test_body_that_does_not_say_what_it_is_about_is_400(desk: Desk, event: str, body: bytes) -> None:
    assert desk.post(body, headers(body, event=event)).status == 400
    assert not desk.taken
