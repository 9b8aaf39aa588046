"""A clone of a repository that the App works on tells the whole story, without a look at the host."""

from __future__ import annotations

import json

from tests.cli.hosted import LOG, Cloned
from tests.hosted.world import green


def test_a_finished_run_is_told_from_the_log_alone(cloned: Cloned) -> None:
    world = cloned.world
    world.repo.ci(green)
    issue = world.ask("Two parts", "- [ ] First\n- [ ] Second\n  after: 1\n")
    world.until(lambda: issue.state == "closed")
    cloned.clone()
    asked = len(world.hub.journal.asked)
    url = f"{world.repo.html}/issues/{issue.number}"
    assert url in cloned.brat("status", app=False).out
    shown = cloned.brat("convoy", "show", world.convoy.slug, app=False).out
    assert f"asked for by ada in {url}" in shown
    assert [line.split()[-1] for line in shown.splitlines() if "  merged  " in line] == ["#2", "#3"]
    assert (
        f"#2 {world.repo.html}/pull/2" in cloned.brat("task", "show", f"{world.convoy.slug}/1", app=False).out
    )
    told = cloned.brat("log", app=False).out
    assert "pull request #3 opened" in told
    assert "ada in #1: label brat (done)" in told
    assert "is about to do" not in told
    assert "is about to do: check:" in cloned.brat("log", "--verbose", app=False).out
    (convoy,) = json.loads(cloned.brat("status", "--json", app=False).out)["convoys"]
    assert convoy["request"] == {"number": issue.number, "url": url, "by": "ada"}
    assert [each["pull"]["number"] for each in convoy["tasks"]] == [2, 3]
    assert len(world.hub.journal.asked) == asked


def test_what_waits_is_said_with_what_helps_there_and_not_here(cloned: Cloned) -> None:
    cloned.until_pull()
    cloned.clone()
    shown = cloned.brat("status", app=False).out
    assert "pull request #2 is open; its check `brat` tells what it waits for" in shown
    assert "-> brat policy explain 2" in shown
    assert "brat mayor resume" not in shown


def test_what_a_person_has_to_do_is_a_comment_in_the_issue(cloned: Cloned) -> None:
    cloned.world.plays("witness", "exit 3\n")
    cloned.world.ask("One part", "- [ ] First\n")
    cloned.world.until(lambda: bool(cloned.world.board.convoys) and cloned.world.task(1).blocked is not None)
    cloned.clone()
    shown = cloned.brat("status", app=False).out
    assert "-> /brat retry 1" in shown
    assert "brat task retry" not in shown


def test_a_clone_without_the_log_is_told_how_to_fetch_it(cloned: Cloned) -> None:
    cloned.until_pull()
    cloned.clone(log=False)
    hint = f"-> if this repository is worked on elsewhere: git fetch origin '{LOG}'"
    assert hint in cloned.brat("status", app=False).out
    assert hint in cloned.brat("log", app=False).out
