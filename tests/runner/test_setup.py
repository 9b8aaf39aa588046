"""What has to be there before a session can run: an engine, an isolation, and what they need to be seen."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from app.errors import OperatorError
from app.ports import EngineCall, EngineSetup, Finding, Operator
from app.runner import find_agent, probe
from app.runner.installs import find_install
from tests.runner.conftest import Rig


def test_isolation_is_tried_and_named() -> None:
    assert (probe(Operator()).name, probe(Operator()).works) == ("bwrap", True)
    assert probe(Operator(isolation="process")).name == "process (unsafe)"
    assert not probe(Operator(isolation="podman")).works


def test_missing_bubblewrap_is_said_with_the_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    found = probe(Operator())
    assert (found.works, found.remedy) == (False, "install the package bubblewrap")


def test_refused_sandbox_is_said_with_its_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "bwrap").write_text(
        "#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2; exit 1\n"
    )
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    found = probe(Operator())
    assert found.reason.endswith("bwrap: setting up uid map: Permission denied")
    assert "AppArmor" in found.remedy


def test_unknown_isolation_ends_as_a_setup_failure_and_not_unfenced(rig: Rig) -> None:
    rig.operator = Operator(isolation="podman")
    result = rig.run("echo 1 > a")
    assert (result.finding, result.touched) == (Finding.SETUP, ())


@pytest.mark.parametrize(
    ("setup", "reason", "remedy"),
    [
        (
            EngineSetup("codex", ("no-such-codex",)),
            "'no-such-codex' was not found",
            "npm install -g @openai/codex",
        ),
        (
            EngineSetup("codex", ("true",)),
            "no key is set for its endpoint",
            "`key_env` under [engines.codex]",
        ),
        (EngineSetup("shell"), "no command is set", "[engines.shell] command"),
        (EngineSetup("gemini", ("true",)), "comes in another release", "shell, claude-code, codex, aider"),
    ],
)
def test_engine_that_cannot_run_says_what_helps(setup: EngineSetup, reason: str, remedy: str) -> None:
    with pytest.raises(OperatorError) as raised:
        find_agent(EngineCall(setup.type, None, ""), Operator(engines=(setup,)))
    assert reason in raised.value.reason
    assert remedy in str(raised.value.remedy)


def test_program_of_a_virtual_environment_brings_its_python() -> None:
    found = find_install("pytest", str(Path(sys.prefix) / "bin"))
    assert found is not None
    assert found.program == str(Path(sys.prefix) / "bin" / "pytest")
    assert Path(sys.prefix) in found.roots
    assert any(Path(sys.base_prefix).resolve().is_relative_to(root) for root in found.roots)


def test_node_program_brings_its_modules_and_node(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    package = tmp_path / "lib" / "node_modules" / "@openai" / "codex"
    package.mkdir(parents=True)
    for path, text in ((package / "codex.js", "#!/usr/bin/env node\n"), (tmp_path / "bin" / "node", "")):
        path.write_text(text)
        path.chmod(0o755)
    (tmp_path / "bin" / "codex").symlink_to(package / "codex.js")
    found = find_install("codex", str(tmp_path / "bin"))
    assert found is not None
    assert found.program == str(package / "codex.js")
    assert found.roots[0] == tmp_path / "lib" / "node_modules"
    assert (tmp_path / "bin" / "node") in found.roots
    assert found.bins == (str(tmp_path / "bin"),)


def test_single_file_program_shows_no_more_than_itself(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("x")
    (tmp_path / "agent").write_text("#!/bin/sh\n")
    (tmp_path / "agent").chmod(0o755)
    found = find_install(str(tmp_path / "agent"), "")
    assert found is not None
    assert tmp_path not in found.roots
    assert (tmp_path / "agent") in found.roots
