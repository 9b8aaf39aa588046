"""`brat init` writes settings once, from what the project shows."""

from __future__ import annotations

import json

from inline_snapshot import snapshot

from app.config import parse_config
from tests.cli.desk import Desk, told


def fresh(desk: Desk) -> None:
    (desk.repo / ".brat/config.toml").unlink()


def test_checks_are_proposed_from_the_projects_files(desk: Desk) -> None:
    fresh(desk)
    (desk.repo / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    desk.environ.pop("OPENAI_API_KEY", None)
    answer = desk.brat("init", "--engine", "codex")
    assert (answer.code, told(answer.out, desk)) == snapshot(
        (
            0,
            """\
Wrote .brat/config.toml (engine: codex).
Check before landing, from the project's files: pytest (python3 -m pytest -q)
Next:
  git add .brat/config.toml && git commit -m 'Configure brat'
  export OPENAI_API_KEY=...   (or set key_env under [engines.codex] in HOME/operator.toml)
  brat doctor
  brat mayor start --task "..."\
""",
        )
    )
    config = parse_config((desk.repo / ".brat/config.toml").read_text())
    assert [each.run for each in config.refinery.checks] == ["python3 -m pytest -q"]
    assert config.engine_for("default").type == "codex"


def test_a_file_that_is_there_is_left_as_it_is(desk: Desk) -> None:
    before = (desk.repo / ".brat/config.toml").read_bytes()
    answer = desk.brat("init")
    assert (answer.code, told(answer.err, desk)) == snapshot(
        (
            2,
            """\
brat: REPO/.brat/config.toml: is there already, and is left as it is
  → `brat config check` says whether it is right; remove it to begin anew\
""",
        )
    )
    assert (desk.repo / ".brat/config.toml").read_bytes() == before
    assert [each.name for each in (desk.repo / ".brat").iterdir()] == ["config.toml"]


def test_json_names_file_engine_checks_and_next_steps(desk: Desk) -> None:
    fresh(desk)
    document = json.loads(desk.brat("init", "--json", "--engine", "shell").out)
    assert list(document) == ["schema_version", "file", "engine", "checks", "next"]
    assert document["checks"] == []


def test_an_unknown_engine_is_answered_with_the_nearest(desk: Desk) -> None:
    answer = desk.brat("init", "--engine", "claude")
    assert (answer.code, told(answer.err)) == snapshot(
        (
            2,
            """\
brat: --engine: there is no engine 'claude' here; did you mean claude-code?
  → one of: claude-code, codex, aider, shell\
""",
        )
    )


def test_a_symlink_of_the_project_is_not_followed_for_proposals(desk: Desk) -> None:
    fresh(desk)
    secret = desk.home / "secret"
    secret.write_text("[tool.pytest.ini_options]\n")
    (desk.repo / "pyproject.toml").symlink_to(secret)
    assert json.loads(desk.brat("init", "--json").out)["checks"] == []
