"""`brat config`: are the files right, what do they come to, and the Rust tool's file rewritten."""

from __future__ import annotations

import json

from inline_snapshot import snapshot

from app.config import schema
from tests.cli.desk import Desk
from tests.cli.scene import words

RUST = '# ours\n[swarm]\nmax_polecats = 2 # two\nengine = "codex"\n\n[refinery]\nrebase_strategy = "squash"\n'


def said(desk: Desk, *args: str) -> str:
    answer = desk.brat(*args)
    return f"{words(answer, desk)}\n[{answer.code}]"


def test_good_files_are_called_good(desk: Desk) -> None:
    assert said(desk, "config", "check") == snapshot("""\
ok      HOME/operator.toml
ok      .brat/config.toml on main
[0]\
""")


def test_every_wrong_file_is_told_with_place_and_remedy(desk: Desk) -> None:
    desk.commit({".brat/config.toml": '[swarm]\nmax_polecat = 2\n[refinery]\nstrategy = "rebas"\n'})
    (desk.home / "operator.toml").write_text('[engines.codex]\napi_key = "sk-123"\n')
    assert said(desk, "config", "check") == snapshot("""\
wrong   the operator's file
        HOME/operator.toml:2:1: `engines.codex.api_key`: would put a secret into a file
          → key_env = "NAME" names the environment variable that holds it
wrong   .brat/config.toml on main
        .brat/config.toml: 2 problems
          .brat/config.toml:2:1: `swarm.max_polecat`: unknown key, did you mean
\\ `max_polecats`?
            → allowed here: attempts, idle_timeout, max_polecats, session_timeout
          .brat/config.toml:4:1: `refinery.strategy`: "rebas" is not allowed, did you mean
\\ `rebase`?
            → allowed: rebase, squash, merge
[2]\
""")
    document = json.loads(desk.brat("config", "check", "--json").out)
    assert [each["state"] for each in document["files"]] == ["wrong", "wrong"]


def test_an_edited_file_is_checked_beside_the_one_that_counts(desk: Desk) -> None:
    (desk.repo / ".brat/config.toml").write_text("[swarm]\nattempts = 0\n")
    assert said(desk, "config", "check") == snapshot("""\
ok      HOME/operator.toml
ok      .brat/config.toml on main
wrong   .brat/config.toml in the working tree (not committed)
        .brat/config.toml:2:1: `swarm.attempts` wants 1 or more, got 0
[2]\
""")


def test_a_repository_without_settings_has_defaults(desk: Desk) -> None:
    desk.git("rm", "--quiet", "-r", ".brat")
    desk.git("commit", "--quiet", "-m", "None")
    assert said(desk, "config", "check").splitlines()[1:] == snapshot(
        ["absent  .brat/config.toml on main: all defaults", "[0]"]
    )


def test_each_value_is_shown_with_its_origin(desk: Desk) -> None:
    desk.agent("#!/bin/sh\n", '[limits]\nattempts = 2\n[engines.codex]\nkey_env = "MY_KEY"\n')
    desk.environ["MY_KEY"] = "sk-do-not-show"
    shown = said(desk, "config", "show")
    assert shown.partition("\n\n")[0] == snapshot("""\
Repository: .brat/config.toml, for the base main
key                          value               from
engine.default.type          shell               this file
mayor.planner                auto                default
mayor.approval               auto                default
mayor.max_tasks              24                  default
mayor.engine                 -                   default
mayor.label                  brat                default
mayor.allow_bots             none                default
swarm.max_polecats           4                   default
swarm.session_timeout        30m                 default
swarm.idle_timeout           10m                 default
swarm.attempts               2                   the operator's limit (asked: 3)
refinery.strategy            rebase              default
refinery.require_ci          false               default
refinery.target              base                default
refinery.merge_retry_limit   2                   default
refinery.check[1]            readme: test -f...  this file
refinery.protected           .github/**, .gi...  default
refinery.required_checks     none                default
refinery.agent_ci            ask                 default
refinery.land                api                 default
refinery.update              auto                default
refinery.approvals           rules               default
refinery.max_lines           -                   default
refinery.blocker_labels      none                default
refinery.settle              1m                  default
refinery.silent_after        10m                 default
refinery.freeze              none                default
interventions.stale_session  5m                  default
interventions.blocked_task   1d                  default
budget.convoy_usd            -                   default
budget.session_usd           -                   default
budget.day_usd               -                   default
log.remote                   -                   default
log.detail                   auto                default\
""")
    assert "engines.codex.key_env  MY_KEY (set)" in shown
    assert "do-not-show" not in shown
    values = json.loads(desk.brat("config", "show", "--json").out)["repository"]["values"]
    (attempts,) = (each for each in values if each["key"] == "swarm.attempts")
    assert attempts == snapshot(
        {"key": "swarm.attempts", "value": 2, "from": "the operator's limit", "asked": "3"}
    )


def test_the_schema_is_the_models(desk: Desk) -> None:
    assert json.loads(desk.brat("config", "schema").out) == schema()
    assert "engines" in json.loads(desk.brat("config", "schema", "--operator").out)["properties"]


def test_the_rust_tools_file_is_printed_rewritten(desk: Desk) -> None:
    desk.commit({".brat/config.toml": RUST})
    assert said(desk, "config", "migrate") == snapshot("""\
# ours
[swarm]
max_polecats = 2 # two
# engine = "codex"

[refinery]
strategy = "squash"

[engine.default]
type = "codex"
`swarm.engine` is now `engine.default.type`: engines are chosen per kind of work
`refinery.rebase_strategy` is now `refinery.strategy`: the same values
-> brat config migrate --write replaces .brat/config.toml
[0]\
""")
    assert (desk.repo / ".brat/config.toml").read_text() == RUST


def test_the_rust_tools_file_is_replaced_and_kept_beside(desk: Desk) -> None:
    desk.commit({".brat/config.toml": RUST})
    assert said(desk, "config", "migrate", "--write") == snapshot("""\
Wrote .brat/config.toml, the old one is beside it as .bak. Commit it: only then it counts.
`swarm.engine` is now `engine.default.type`: engines are chosen per kind of work
`refinery.rebase_strategy` is now `refinery.strategy`: the same values
[0]\
""")
    assert (desk.repo / ".brat/config.toml.bak").read_text() == RUST
    assert said(desk, "config", "migrate") == snapshot("""\
.brat/config.toml has nothing to migrate.
[0]\
""")


def test_there_must_be_a_file_to_migrate(desk: Desk) -> None:
    (desk.repo / ".brat/config.toml").unlink()
    assert said(desk, "config", "migrate") == snapshot("""\
brat: REPO/.brat/config.toml: there is no file to migrate
  → brat init writes one
[2]\
""")
