"""From words on the command line to a request that may run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.cli.starting import Asked, budget_refusal, engines_of, notices, prepare
from app.config import Budget, Config, EngineChoice, Lowered, RefineryPolicy
from app.errors import PlanError, UserError
from app.ports import CheckSpec, Operator

CONFIG = Config(engines=(("default", EngineChoice("codex")), ("tests", EngineChoice("aider"))))


def test_a_list_is_a_plan_and_prose_is_for_an_engine() -> None:
    assert prepare(Asked(text="- [ ] One"), CONFIG, ()).planner == "checklist"
    asked = prepare(Asked(text="Make it better"), CONFIG, ())
    assert (asked.planner, asked.plan) == ("engine", None)


def test_a_plan_in_json_and_in_yaml_is_read() -> None:
    yaml = "schema_version: 1\nsummary: s\ntasks: [{id: a, title: A}]\n"
    json = '{"schema_version": 1, "summary": "s", "tasks": [{"id": "a", "title": "A"}]}'
    for text in (yaml, json):
        plan = prepare(Asked(plan=text), CONFIG, ()).plan
        assert plan is not None
        assert plan.plan.tasks[0].title == "A"


def test_an_empty_request_and_a_planner_without_its_template_are_refused() -> None:
    with pytest.raises(UserError, match="empty"):
        prepare(Asked(text=" \n"), CONFIG, ())
    with pytest.raises(UserError, match="no template"):
        prepare(Asked(text="x", planner="workflow"), CONFIG, ())
    with pytest.raises(PlanError, match="no planner"):
        prepare(Asked(text="x", planner="oracle"), CONFIG, ())


def test_the_planning_engine_is_known_and_allowed() -> None:
    assert prepare(Asked(text="x", engine="tests"), CONFIG, ()).engine == "aider"
    with pytest.raises(UserError, match="did you mean codex"):
        prepare(Asked(text="x", engine="codx"), CONFIG, ())
    with pytest.raises(UserError, match="not allowed"):
        prepare(Asked(text="x", engine="aider"), CONFIG, ("codex",))


def test_the_engine_of_the_command_line_does_what_a_checklist_leaves_open() -> None:
    listed = prepare(Asked(text="- [ ] One\n- [ ] Two\n  engine: aider", engine="claude-code"), CONFIG, ())
    assert engines_of(listed, CONFIG) == ("claude-code", "aider")
    with pytest.raises(UserError, match="no engine"):
        prepare(Asked(text="- [ ] One", engine="codx"), CONFIG, ())


def test_only_engines_that_will_be_used_are_asked_for() -> None:
    listed = prepare(Asked(text="- [ ] One\n  kind: tests"), CONFIG, ())
    assert engines_of(listed, CONFIG) == ("aider",)
    prose = prepare(Asked(text="Make it better", engine="claude-code"), CONFIG, ())
    assert engines_of(prose, CONFIG) == ("claude-code", "codex", "aider")


@pytest.mark.parametrize("key", ["convoy_usd", "session_usd", "day_usd"])
def test_a_cap_that_nothing_counts_against_is_refused(key: str) -> None:
    capped = replace(CONFIG, budget=replace(Budget(), **{key: 1.0}))
    refused = budget_refusal(capped, ["codex", "aider"], {"codex": True})
    assert refused is not None
    assert key in str(refused)
    assert "input_usd_per_mtok" in str(refused)
    assert budget_refusal(capped, ["codex"], {"codex": True}) is None
    assert budget_refusal(CONFIG, ["shell"], {}) is None


def said(config: Config, operator: Operator, remote: str | None = None, file: str | None = None) -> str:
    return "\n".join(notices(config, operator, remote=remote, uncommitted=file))


def test_what_a_person_should_know_is_said_before_it_begins() -> None:
    assert "Results stay in this repository" in said(CONFIG, Operator())
    assert "Results stay" not in said(CONFIG, Operator(), remote="origin")
    assert "UNSAFE" in said(CONFIG, Operator(isolation="process"))
    assert "config.toml is not committed" in said(CONFIG, Operator(), file="config.toml")
    lowered = replace(CONFIG, lowered=(Lowered("swarm.attempts", "9", "3"),))
    assert "Lowered swarm.attempts: 9" in said(lowered, Operator())


def test_require_ci_without_a_check_is_said_plainly() -> None:
    strict = replace(CONFIG, refinery=RefineryPolicy(require_ci=True))
    assert "nothing is checked before it lands" in said(strict, Operator())
    checked = replace(strict, refinery=RefineryPolicy(require_ci=True, checks=(CheckSpec("t", "true"),)))
    assert "nothing is checked" not in said(checked, Operator())
