"""The scripted model drives the real engines: each makes an edit in a git repository."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.engines.recipes import KEY, Place, run_aider, run_claude, run_codex
from tests.llm import Bash, Conversation, Drop, ScriptedModel, Step, Text

Run = Callable[[Place, str, str], "subprocess.CompletedProcess[str]"]
with_a_shell = pytest.mark.parametrize("run", [run_claude, run_codex], ids=["claude", "codex"])


@with_a_shell
def test_engine_writes_the_file_with_its_own_tool(
    run: Run, tmp_path: Path, scripted_model: ScriptedModel
) -> None:
    place = Place.make(tmp_path)
    done = run(place, scripted_model.base_url("ok", key="edit"), "Write hello.txt, please.")
    asked = scripted_model.of("edit")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "All done: created hello.txt." in done.stdout
    assert place.changed() == ["hello.txt"]
    assert (place.repository / "hello.txt").read_text() == "hello\n"
    assert [len(each.results) for each in asked] == [0, 1]
    assert {each.prompt for each in asked} == {"Write hello.txt, please."}
    assert all(KEY in each.authorization for each in asked)


@with_a_shell
def test_model_answers_by_what_the_prompt_and_the_results_hold(
    run: Run, tmp_path: Path, scripted_model: ScriptedModel
) -> None:
    def read_then_echo(conversation: Conversation) -> Step:
        assert "seven" in conversation.prompt
        if not conversation.results:
            return Bash("printf 'the number is %s' $((3 + 4))")
        return Text("heard: " + conversation.results[-1].strip())

    place = Place.make(tmp_path)
    done = run(place, scripted_model.base_url(read_then_echo), "Make seven.")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "the number is 7" in done.stdout
    assert place.changed() == []


@with_a_shell
def test_obedient_model_runs_each_do_line_once_in_order(
    run: Run, tmp_path: Path, scripted_model: ScriptedModel
) -> None:
    place = Place.make(tmp_path)
    prompt = "Two steps:\nDO: echo one >> steps.txt\nDO: echo two >> steps.txt\n"
    done = run(place, scripted_model.base_url("obey"), prompt)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (place.repository / "steps.txt").read_text() == "one\ntwo\n"


@with_a_shell
def test_engine_tries_again_after_failures_of_the_model(
    run: Run, tmp_path: Path, scripted_model: ScriptedModel
) -> None:
    place = Place.make(tmp_path)
    done = run(place, scripted_model.base_url("flaky1", key="retry"), "Write hello.txt, please.")
    assert done.returncode == 0, done.stdout + done.stderr
    assert place.changed() == ["hello.txt"]
    assert len(scripted_model.of("retry")) == 3


@with_a_shell
def test_engine_recovers_from_a_stream_that_breaks_off(
    run: Run, tmp_path: Path, scripted_model: ScriptedModel
) -> None:
    def once_broken(conversation: Conversation) -> Step:
        return Drop() if conversation.turn == 1 else Text("Whole again.")

    place = Place.make(tmp_path)
    done = run(place, scripted_model.base_url(once_broken, key="broken"), "Say something.")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Whole again." in done.stdout
    assert len(scripted_model.of("broken")) > 1


@with_a_shell
def test_refused_key_ends_the_engine_with_its_error(
    run: Run, tmp_path: Path, scripted_model: ScriptedModel
) -> None:
    place = Place.make(tmp_path)
    done = run(place, scripted_model.base_url("401"), "Write hello.txt, please.")
    assert done.returncode != 0
    assert "401" in done.stdout
    assert place.changed() == []


@pytest.mark.full
def test_aider_writes_the_file_by_an_edit_block(tmp_path: Path, scripted_model: ScriptedModel) -> None:
    place = Place.make(tmp_path)
    done = run_aider(place, scripted_model.base_url("ok", key="aider"), "Write hello.txt, please.")
    assert done.returncode == 0, done.stdout + done.stderr
    assert place.changed() == ["hello.txt"]
    assert (place.repository / "hello.txt").read_text() == "hello\n"
    assert "Write hello.txt, please." in scripted_model.of("aider")[0].prompt
