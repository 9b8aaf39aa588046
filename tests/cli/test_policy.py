"""`brat policy` against the stand-in: what keeps a pull request, read anew and changing nothing."""

from __future__ import annotations

import json

from tests.cli.hosted import Cloned


def test_a_pull_request_is_explained_rule_by_rule(cloned: Cloned) -> None:
    cloned.until_pull()
    cloned.clone(log=False)
    before = cloned.refs(), len(cloned.world.hub.journal.changes)
    answer = cloned.brat("policy", "explain", "2")
    assert answer.code == 0, answer.err
    assert answer.out.startswith("#2  First\n    convoy/part/task-1 at ")
    assert "waiting  policy: required checks: build: has not reported yet" in answer.out
    assert "  done     open: " in answer.out
    assert (cloned.refs(), len(cloned.world.hub.journal.changes)) == before
    assert cloned.brat("policy", "explain").out == answer.out
    assert cloned.brat("policy", "explain", "part/1").out == answer.out


def test_other_settings_are_tried_without_being_committed(cloned: Cloned) -> None:
    cloned.until_pull()
    cloned.clone()
    file = cloned.folder / "new.toml"
    file.write_text('[refinery]\napprovals = 2\nblocker_labels = ["brat:task"]\n')
    answer = cloned.brat("policy", "simulate", "--config", str(file), "--json")
    (pull,) = json.loads(answer.out)["pulls"]
    changed = {each["rule"]: each["then"]["state"] for each in pull["changed"]}
    assert changed == {"approvals": "blocked", "labels": "blocked"}
    assert pull["now"]["state"] == "waiting"
    assert pull["then"]["state"] == "blocked"
    shown = cloned.brat("policy", "simulate", "--config", str(file), "#2").out
    assert "then     blocked: " in shown
    file.write_text("")
    assert "Nothing would differ" in cloned.brat("policy", "simulate", "--config", str(file)).out


def test_what_is_missing_is_named_with_its_remedy(cloned: Cloned) -> None:
    cloned.until_pull()
    cloned.clone()
    bare = cloned.brat("policy", "explain", app=False)
    assert bare.code == 4
    assert "BRAT_GITHUB_APP_ID is not set" in bare.err
    other = cloned.brat("policy", "explain", "77")
    assert other.code == 2
    assert "no convoy has the pull request #77" in other.err
    assert "open ones: #2" in other.err
    file = cloned.folder / "wrong.toml"
    file.write_text("[refinery]\napprovals = -1\n")
    assert "wrong.toml" in cloned.brat("policy", "simulate", "--config", str(file)).err


def test_a_clone_of_another_repository_is_told_so(cloned: Cloned) -> None:
    cloned.clone()
    cloned.world.hub.repository("ada-corp/other", private=True)
    assert "No pull request of a convoy is open." in cloned.brat("policy", "explain").out
    config = cloned.folder / ".git" / "config"
    config.write_text(config.read_text().replace("ada-corp/demo", "ada-corp/other"))
    answer = cloned.brat("policy", "explain")
    assert "the App is not installed on ada-corp/other" in answer.err


def test_who_only_looks_asks_for_no_right_to_push(cloned: Cloned) -> None:
    cloned.world.hub.grant(cloned.world.installation, workflows="write")
    cloned.until_pull()
    cloned.clone()
    before = set(cloned.world.hub.tokens)
    assert cloned.brat("policy", "explain").code == 0
    made = [each for value, each in cloned.world.hub.tokens.items() if value not in before]
    for_git = [dict(each.permissions) for each in made if len(each.permissions) in (2, 3)]
    assert for_git == [{"contents": "read", "metadata": "read"}]
