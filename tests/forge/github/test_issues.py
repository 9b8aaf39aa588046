"""Issues with who labelled when, and comments with whose they are."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest

from app.forge.github import Client
from app.forge.github.client import Unreadable
from app.forge.github.inbox import Inbox, marked
from app.forge.github.issues import Issues, with_edits
from app.ports import Comment, HubWanted, Person, Trigger
from tests.forge.github.conftest import ADA, API, BOT, REPO, US, GitHub, Turned

LONG_AGO = "2027-01-15T07:00:00Z"
LONG_AGO_MS = 1_799_996_400_000


def issue(number: int = 7, **more: Any) -> dict[str, Any]:
    plain = {"number": number, "title": "JWT", "body": None, "state": "open", "user": ADA, "labels": []}
    return {**plain, "updated_at": LONG_AGO, "labels": [{"name": "brat"}], **more}


def labelled(id: int, name: str = "brat", kind: str = "labeled", by: Any = ADA) -> dict[str, Any]:
    return {"id": id, "event": kind, "actor": by, "created_at": LONG_AGO, "label": {"name": name}}


def comment(id: int, body: str, user: Any = ADA, *, number: int = 7, **more: Any) -> dict[str, Any]:
    times = {"created_at": LONG_AGO, "updated_at": LONG_AGO}
    return {
        "id": id,
        "body": body,
        "user": user,
        "issue_url": f"{API}{REPO}/issues/{number}",
        **times,
        **more,
    }


@pytest.fixture
def issues(client: Client, clock: Turned) -> Issues:
    return Issues(client, "ada/auth", US, clock=clock)


@pytest.fixture
def inbox(client: Client) -> Inbox:
    return Inbox(client, "ada/auth", US)


def test_the_newest_label_counts_with_who_put_it(github: GitHub, issues: Issues) -> None:
    github.on("GET", f"{REPO}/issues", [issue()])
    events = [labelled(1), labelled(2, kind="unlabeled"), labelled(3), labelled(4, "other", by=BOT)]
    github.on("GET", f"{REPO}/issues/7/events", events)
    found, open_ones = issues.look("brat", ())
    assert found[7].trigger == Trigger(3, Person(1, "ada"), LONG_AGO_MS)
    assert open_ones == frozenset({7})


def test_pull_requests_are_no_issues(github: GitHub, issues: Issues) -> None:
    github.on("GET", f"{REPO}/issues", [issue(pull_request={"url": "x"})])
    assert issues.look("brat", ()) == ({}, frozenset())


def test_a_list_that_cannot_be_read_is_unknown_and_wanted_ones_are_still_looked_at(
    github: GitHub, issues: Issues
) -> None:
    github.on("GET", f"{REPO}/issues", 502)
    github.on("GET", f"{REPO}/issues/7", issue(labels=[], state="closed", closed_at=LONG_AGO, closed_by=ADA))
    github.on("GET", f"{REPO}/issues/8", 404)
    github.on("GET", f"{REPO}/issues/7/events", [])
    found, open_ones = issues.look("brat", (7, 8))
    assert open_ones is None
    assert (found[7].open, found[7].closed_by, found[7].closed_ts) == (False, Person(1, "ada"), LONG_AGO_MS)
    assert 8 not in found


def test_a_new_title_is_told_with_its_time(github: GitHub, issues: Issues) -> None:
    github.on("GET", f"{REPO}/issues", [issue()])
    renamed = {"id": 9, "event": "renamed", "actor": ADA, "created_at": LONG_AGO, "rename": {"to": "x"}}
    github.on("GET", f"{REPO}/issues/7/events", [labelled(1), renamed])
    assert issues.look("brat", ())[0][7].renamed_ts == LONG_AGO_MS


def test_events_of_an_issue_that_was_left_alone_are_not_asked_for_again(
    github: GitHub, issues: Issues
) -> None:
    github.on("GET", f"{REPO}/issues", [issue()])
    route = github.on("GET", f"{REPO}/issues/7/events", [labelled(1)])
    for _ in range(3):
        issues.look("brat", ())
    assert route.call_count == 1


def test_events_of_an_issue_that_was_just_touched_are_asked_for_each_time(
    github: GitHub, issues: Issues
) -> None:
    github.on("GET", f"{REPO}/issues", [issue(updated_at="2027-01-15T07:59:58Z")])
    route = github.on("GET", f"{REPO}/issues/7/events", [labelled(1)])
    for _ in range(2):
        issues.look("brat", ())
    assert route.call_count == 2


def test_an_issue_whose_events_or_edits_are_unknown_is_unknown(github: GitHub, issues: Issues) -> None:
    github.on("GET", f"{REPO}/issues", [issue(7), issue(8)])
    github.on("GET", f"{REPO}/issues/7/events", [labelled(1)])
    github.on("GET", f"{REPO}/issues/8/events", 500)
    found, _ = issues.look("brat", ())
    assert list(found) == [7]
    assert with_edits(found, {}) == {}
    assert with_edits(found, {7: 5})[7].edited_ts == 5


def test_the_inbox_is_what_people_wrote_since_and_is_not_handled(github: GitHub, inbox: Inbox) -> None:
    listed = [comment(1, "/brat plan"), comment(2, "/brat go"), comment(3, "ours", BOT)]
    route = github.on("GET", f"{REPO}/issues/comments", listed)
    found = inbox.look(HubWanted(since_ts=LONG_AGO_MS, handled=frozenset({"comment:2"})), ())
    assert [each.id for each in found] == [1]
    assert route.calls[0].request.url.params["since"] == "2027-01-15T07:00:00Z"


def test_t19_a_key_counts_on_what_our_own_app_wrote(github: GitHub, inbox: Inbox) -> None:
    body = marked("Planning", "sticky:jwt")
    listed = [
        comment(1, body, performed_via_github_app={"id": 99}),
        comment(2, body, {**BOT, "id": 4}, performed_via_github_app={"id": 4}),
        comment(3, body, BOT, performed_via_github_app={"id": 98}),
        comment(4, body, BOT, performed_via_github_app={"id": 99}),
        comment(5, f"{body}\nmore", BOT),
        comment(6, marked(body, "reply:comment:1"), BOT),
    ]
    github.on("GET", f"{REPO}/issues/comments", listed)
    found = inbox.look(HubWanted(issues=(7,)), ())
    assert {each.id: each.key for each in found if each.key} == {4: "sticky:jwt", 6: "reply:comment:1"}


def test_our_old_comments_are_found_on_the_issues_that_are_wanted(github: GitHub, inbox: Inbox) -> None:
    github.on("GET", f"{REPO}/issues/comments", [])
    old = [comment(1, "old words of a person"), comment(2, marked("Plan", "sticky:jwt"), BOT)]
    github.on("GET", f"{REPO}/issues/7/comments", old)
    found = inbox.look(HubWanted(issues=(7,)), (7,))
    assert [(each.id, each.number, each.key) for each in found] == [(2, 7, "sticky:jwt")]


def test_an_inbox_that_cannot_be_read_to_its_end_is_not_read(github: GitHub, inbox: Inbox) -> None:
    github.on("GET", f"{REPO}/issues/comments", [comment(1, "a"), {"id": "what"}], 500)
    for _ in range(2):
        with pytest.raises(Unreadable):
            inbox.look(HubWanted(), ())


@pytest.mark.parametrize(("kind", "pull"), [("pull", True), ("issues", False)])
def test_a_comment_tells_whether_it_stands_in_a_pull_request(
    github: GitHub, inbox: Inbox, kind: str, pull: bool
) -> None:
    said = comment(1, "a", html_url=f"https://hub/pull/1/{kind}/7#issuecomment-1")
    github.on("GET", f"{REPO}/issues/comments", httpx.Response(200, json=[said]))
    (found,) = inbox.look(HubWanted(), ())
    assert (found.number, found.on_pull) == (7, pull)


def talk(github: GitHub, bodies: list[str]) -> None:
    """A comment in every second minute, each a page by itself."""
    start = datetime.fromisoformat(LONG_AGO)
    times = [f"{start + timedelta(minutes=2 * each):%Y-%m-%dT%H:%M:%SZ}" for each in range(len(bodies))]
    said = [
        comment(at, body, created_at=when, updated_at=when)
        for at, (body, when) in enumerate(zip(bodies, times, strict=True))
    ]

    def page(request: httpx.Request) -> httpx.Response:
        asked = request.url.params
        listed = [each for each in said if each["updated_at"] >= asked["since"]]
        at = int(asked.get("page", 0))
        following = f"{API}{REPO}/issues/comments?since={asked['since']}&page={at + 1}"
        link = {"link": f'<{following}>; rel="next"'} if at + 1 < len(listed) else {}
        return httpx.Response(200, json=listed[at : at + 1], headers=link)

    github.on("GET", f"{REPO}/issues/comments").side_effect = page


def test_an_inbox_that_is_too_long_for_one_look_is_read_on_in_the_next(github: GitHub, inbox: Inbox) -> None:
    talk(github, [*["/brat plan", "words"], *["words"] * 97, "/brat go"])
    wanted = HubWanted(since_ts=LONG_AGO_MS)
    looks = [[each.id for each in inbox.look(wanted, ())] for _ in range(3)]
    assert looks[0] == list(range(50))
    assert looks[1] == [0, *range(44, 94)], "what waits for an answer is not lost from sight"
    assert looks[2] == [0, *range(88, 100)]


def test_what_was_answered_meanwhile_is_let_go(github: GitHub, inbox: Inbox) -> None:
    talk(github, ["/brat plan", *["words"] * 60])
    inbox.look(HubWanted(since_ts=LONG_AGO_MS), ())
    found = inbox.look(HubWanted(since_ts=LONG_AGO_MS, handled=frozenset({"comment:0"})), ())
    assert [each.id for each in found] == list(range(44, 61))
    later = LONG_AGO_MS + 118 * 60_000
    assert [each.id for each in inbox.look(HubWanted(since_ts=later), ())] == [59, 60]


def test_an_edited_comment_says_so(github: GitHub, inbox: Inbox) -> None:
    edited = comment(1, "a", updated_at="2027-01-15T07:30:00Z")
    github.on("GET", f"{REPO}/issues/comments", httpx.Response(200, json=[edited]))
    (found,) = inbox.look(HubWanted(), ())
    assert found == Comment(1, 7, Person(1, "ada"), "a", LONG_AGO_MS, edited=True)


def test_a_body_keeps_one_blank_line_before_its_marker() -> None:
    assert marked("a\n\n\n", "k:1") == "a\n\n<!-- brat:k:1 -->"
