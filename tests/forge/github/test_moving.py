"""A repository under another name is the same one: nothing of it is done a second time."""

from __future__ import annotations

import httpx

from app.forge.github import Client, GitHubApp
from app.forge.github.acting import Hands
from app.ports import Done, OpenPull, PostComment, React, Unknown
from tests.forge.github.conftest import GitHub, Turned


def test_what_was_done_and_tried_before_is_known_under_the_new_name(
    github: GitHub, app: GitHubApp, client: Client, clock: Turned
) -> None:
    hands = Hands(client, "ada/auth", clock=clock)
    github.on("POST", "/repos/ada/auth/issues/7/comments", {"id": 5}, httpx.ReadTimeout("late"))
    assert hands.act(PostComment(7, "sticky:c-1", "Hello")) == Done()
    assert isinstance(hands.act(PostComment(7, "reply:9", "Yes")), Unknown)
    github.on("POST", "/repos/ada/auth/pulls", {"number": 9, "node_id": "PR_9"})
    assert hands.act(OpenPull("convoy/x/task-1", "main", "One", "")) == Done()
    hands.move(app.client(6, 42), "ada/other")
    assert hands.done == {"sticky:c-1": 5}
    assert hands.tried == {"reply:9"}
    assert hands.opened == (9,)
    route = github.on("POST", "/repos/ada/other/issues/comments/5/reactions", {"id": 1})
    assert hands.act(React(5, "eyes", "react:5")) == Done()
    assert route.called
