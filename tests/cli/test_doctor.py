"""`brat doctor`: what is wrong is said, what is only a cache is mended, no ref is written."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from tests.cli.desk import CONFIG, Answer, Desk


@pytest.fixture
def landed(desk: Desk) -> Desk:
    """A repository in which a convoy of one task has landed."""
    assert desk.brat("mayor", "start", "--headless", "--task", "- [ ] Only one").code == 0
    return desk


def states(answer: Answer) -> dict[str, str]:
    """The worst state of each check."""
    order = ["ok", "note", "mended", "bad"]
    found: dict[str, str] = {}
    for each in json.loads(answer.out)["checks"]:
        found[each["name"]] = max(found.get(each["name"], "ok"), each["state"], key=order.index)
    return found


def refs(desk: Desk) -> str:
    return desk.git("for-each-ref", "--format=%(refname) %(objectname)")


def test_a_sound_repository_is_healthy(landed: Desk) -> None:
    answer = landed.brat("doctor", "--json")
    assert answer.code == 0
    assert json.loads(answer.out)["healthy"] is True
    assert states(answer) == snapshot(
        {
            "git": "ok",
            "repository": "ok",
            "isolation": "ok",
            "settings": "ok",
            "engine shell": "ok",
            "engine claude-code": "note",
            "engine codex": "note",
            "engine aider": "note",
            "disk": "ok",
            "caches": "ok",
            "log": "ok",
            "pins": "ok",
            "board": "ok",
            "locks": "ok",
        }
    )


def cut_mirror(state: Path) -> None:
    for each in (state / "mirror.git/objects").rglob("*"):
        if each.is_file():
            each.chmod(0o600)
            each.write_bytes(b"")


def no_mirror(state: Path) -> None:
    shutil.rmtree(state / "mirror.git")


def strange_seen(state: Path) -> None:
    (state / "log.seen").write_bytes(b"\xff\x00 not a commit")


def broken_sessions(state: Path) -> None:
    for each in (state / "sessions").iterdir():
        (each / "result.json").write_text("{")
    (state / "sessions/.new-halfmade").mkdir()
    (state / "sessions/s-20250101-beef").mkdir()


def all_caches(state: Path) -> None:
    for each in state.iterdir():
        if each.name not in ("identity.json", "pins.json"):
            shutil.rmtree(each) if each.is_dir() else each.unlink()


@pytest.mark.parametrize("damage", [cut_mirror, no_mirror, strange_seen, broken_sessions, all_caches])
def test_damage_the_local_cache_and_doctor_restores_the_state_and_rewrites_no_ref(
    landed: Desk, damage: Callable[[Path], None]
) -> None:
    before, shown = refs(landed), convoys(landed)
    damage(landed.repo / ".git/brat")
    assert landed.brat("doctor").code == 0
    assert "mended" not in states(landed.brat("doctor", "--json")).values()
    assert (refs(landed), convoys(landed)) == (before, shown)


def test_after_mending_the_next_convoy_runs(landed: Desk) -> None:
    for damage in (cut_mirror, strange_seen, broken_sessions):
        damage(landed.repo / ".git/brat")
    assert landed.brat("doctor").code == 0
    assert landed.brat("mayor", "start", "--headless", "--task", "- [ ] One more").code == 0


def convoys(desk: Desk) -> object:
    return json.loads(desk.brat("status", "--json").out)["convoys"]


def test_what_was_mended_is_said(landed: Desk) -> None:
    cut_mirror(landed.repo / ".git/brat")
    answer = landed.brat("doctor", "--json")
    assert answer.code == 0
    assert states(answer)["mirror"] == "mended"


def test_an_engine_in_use_without_its_key_is_bad_and_others_are_notes(desk: Desk) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        desk.environ.pop(name, None)
    desk.commit({".brat/config.toml": CONFIG.replace("shell", "codex")})
    answer = desk.brat("doctor", "--json")
    assert answer.code == 4
    found = states(answer)
    assert (found["engine codex"], found["engine aider"]) == ("bad", "note")


def test_a_key_is_named_and_never_shown(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = desk.home / "codex"
    fake.write_text("#!/bin/sh\necho codex-cli 9.9\n")
    fake.chmod(0o755)
    desk.agent("", f'[engines.codex]\ncommand = ["{fake}"]\n')
    desk.environ["OPENAI_API_KEY"] = "sk-canary-0123456789"
    out = desk.brat("doctor").out
    assert "codex-cli 9.9, key in OPENAI_API_KEY" in " ".join(out.split())
    assert "canary" not in out


def test_bad_settings_are_a_finding_and_the_rest_is_still_looked_at(desk: Desk) -> None:
    desk.commit({".brat/config.toml": "[swarm]\nnonsense = 1\n"})
    answer = desk.brat("doctor", "--json")
    assert answer.code == 4
    assert states(answer)["settings"] == "bad"
    assert states(answer)["log"] == "ok"


def test_a_left_over_git_lock_is_named(landed: Desk) -> None:
    lock = landed.repo / ".git/refs/heads/convoy/only-one/main.lock"
    lock.touch()
    answer = landed.brat("doctor")
    assert answer.code == 4
    assert "main.lock is there" in " ".join(answer.out.split())
    assert lock.exists()


def test_a_log_that_was_set_back_is_told_and_not_rewritten(landed: Desk) -> None:
    landed.git("update-ref", "refs/grite/wal", landed.git("rev-parse", "refs/grite/wal~3"))
    for name in landed.git("for-each-ref", "--format=%(refname)", "refs/grite/snapshots").split():
        landed.git("update-ref", "-d", name)
    before = refs(landed)
    answer = landed.brat("doctor", "--json")
    assert answer.code == 4
    assert states(answer)["log"] == "bad"
    assert refs(landed) == before


def test_outside_a_repository_doctor_says_that_first(desk: Desk) -> None:
    (desk.repo / ".git").rename(desk.home / "away")
    answer = desk.brat("doctor", "--json")
    assert answer.code == 4
    (check,) = json.loads(answer.out)["checks"]
    assert check["says"] == f"{desk.repo}: this is not a git repository"
    assert check["remedy"] == "git init"
