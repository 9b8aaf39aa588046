"""The errors a newcomer meets first: each says what is wrong and what to do."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from tests.cli.desk import CONFIG, Desk, told

START = ("mayor", "start", "--headless", "--task", "- [ ] Only one")


def refused(desk: Desk, *args: str) -> tuple[int, str]:
    answer = desk.brat(*(args or START))
    return answer.code, told(answer.err, desk)


def test_not_a_repository(desk: Desk) -> None:
    (desk.repo / ".git").rename(desk.home / "away")
    assert refused(desk) == snapshot(
        (
            2,
            """\
brat: REPO: this is not a git repository
  → git init\
""",
        )
    )


def test_no_commits(desk: Desk) -> None:
    (desk.repo / ".git").rename(desk.home / "away")
    desk.git("init", "--quiet", "-b", "main")
    assert refused(desk) == snapshot(
        (
            2,
            """\
brat: REPO: the repository has no commits, so there is nothing to start from
  → git commit --allow-empty -m "Start"\
""",
        )
    )


def test_engine_not_installed(desk: Desk) -> None:
    desk.agent("", '[engines.codex]\ncommand = ["/nowhere/codex"]\nbase_url = "http://127.0.0.1:9"\n')
    desk.commit({".brat/config.toml": '[engine.default]\ntype = "codex"\n'})
    assert refused(desk) == snapshot(
        (
            4,
            """\
brat: engine codex: the program '/nowhere/codex' was not found
  → install it (npm install -g @openai/codex) or set `command` under [engines.codex]\
""",
        )
    )


def test_no_key(desk: Desk) -> None:
    desk.environ.pop("OPENAI_API_KEY", None)
    desk.commit({".brat/config.toml": '[engine.default]\ntype = "codex"\n'})
    assert refused(desk) == snapshot(
        (
            4,
            """\
brat: engine codex: no key: the environment variable OPENAI_API_KEY is not set
  → export OPENAI_API_KEY=…, or name another variable: [engines.codex] key_env in
\\ HOME/operator.toml\
""",
        )
    )


def test_bad_config(desk: Desk) -> None:
    desk.commit({".brat/config.toml": CONFIG + "\n[swarm]\nmax_polecat = 3\n"})
    assert refused(desk) == snapshot(
        (
            2,
            """\
brat: .brat/config.toml:9:1: `swarm.max_polecat`: unknown key, did you mean
\\ `max_polecats`?
  → allowed here: attempts, idle_timeout, max_polecats, session_timeout\
""",
        )
    )


def test_cyclic_plan(desk: Desk) -> None:
    cyclic = "- [ ] One\n  after: 2\n- [ ] Two\n  after: 1\n"
    assert refused(desk, "mayor", "start", "--headless", "--task", cyclic) == snapshot(
        (
            2,
            """\
brat: tasks wait for each other in a circle: task-1 → task-2 → task-1 (each waits for the
\\ next)
  → change the plan: `brat mayor plan --yaml` prints it, `brat mayor start --plan FILE`
\\ runs the edited one\
""",
        )
    )


def test_nothing_is_said(desk: Desk) -> None:
    assert refused(desk, "mayor", "start", "--headless") == snapshot(
        (
            2,
            """\
brat: nothing says what shall be done
  → one of: --task "...", --task-file FILE (or -), --plan FILE, --workflow NAME\
""",
        )
    )


def test_a_budget_that_nothing_counts_against(desk: Desk) -> None:
    desk.commit({".brat/config.toml": CONFIG + "\n[budget]\nconvoy_usd = 5\n"})
    assert refused(desk) == snapshot(
        (
            4,
            """\
brat: engine shell: [budget] convoy_usd is set, but what shell spends cannot be metered
  → choose another engine, or remove [budget] convoy_usd\
""",
        )
    )


def test_an_unknown_remote(desk: Desk) -> None:
    assert refused(desk, *START, "--remote", "origin") == snapshot(
        (
            2,
            """\
brat: --remote: there is no git remote 'origin'
  → git remote add origin URL\
""",
        )
    )


def test_a_detached_head(desk: Desk) -> None:
    desk.git("checkout", "--quiet", "--detach")
    assert refused(desk) == snapshot(
        (
            2,
            """\
brat: REPO: HEAD is detached, so it is not known which branch the work shall land on
  → say it with --base BRANCH\
""",
        )
    )


@pytest.mark.parametrize("words", ["status", "log", "convoy list", "config show", "mayor resume"])
def test_looking_and_carrying_on_need_no_branch(desk: Desk, words: str) -> None:
    desk.git("checkout", "--quiet", "--detach")
    assert desk.brat(*words.split()).code == 0


def test_old_git(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = desk.home / "bin"
    fake.mkdir()
    (fake / "git").write_text("#!/bin/sh\necho git version 2.30.1\n")
    (fake / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake}:{os.environ['PATH']}")
    assert refused(desk) == snapshot(
        (
            4,
            """\
brat: git is 2.30.1, and 2.38 or newer is needed (merges without a checkout)
  → install a newer git\
""",
        )
    )


def test_no_sandbox(desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    only_git = tmp_path / "bin"
    only_git.mkdir()
    found = next(
        Path(each) / "git" for each in os.environ["PATH"].split(":") if (Path(each) / "git").exists()
    )
    (only_git / "git").symlink_to(found)
    monkeypatch.setenv("PATH", str(only_git))
    assert refused(desk) == snapshot(
        (
            4,
            """\
brat: isolation bwrap: no sandbox: bubblewrap is not installed
  → install the package bubblewrap; or, unsafe, [sandbox] isolation = "process" in
\\ HOME/operator.toml\
""",
        )
    )


def unsandboxed(desk: Desk) -> None:
    """One sandbox inside another one is not everywhere allowed, and these tests need the outer one."""
    file = desk.home / "agent.sh"
    desk.agent(file.read_text(), '[sandbox]\nisolation = "process"\n')


def test_no_permission(desk: Desk) -> None:
    unsandboxed(desk)
    locked = ("bwrap", "--dev-bind", "/", "/", "--ro-bind", *(str(desk.repo / ".git"),) * 2)
    answer = desk.run_apart(*START, wrap=locked)
    assert answer.code == 4
    assert told(answer.out, desk)[-400:].splitlines()[-2:] == snapshot(
        [
            "brat: REPO/.git/brat: cannot be made: read-only file system",
            "  → make the repository writable for you",
        ]
    )


def test_disk_full(desk: Desk) -> None:
    unsandboxed(desk)
    (desk.repo / ".git/brat").mkdir()
    tiny = ("--size", "16384", "--tmpfs", str(desk.repo / ".git/brat"))
    answer = desk.run_apart(*START, wrap=("bwrap", "--dev-bind", "/", "/", *tiny))
    assert answer.code == 4
    assert told(answer.out, desk).splitlines()[-2:] == snapshot(
        [
            "\\ 'core.repositoryformatversion' to '0'",
            "  → the disk is full (0 KB free at REPO/.git/brat): make room, then run again",
        ]
    )
    assert desk.git("for-each-ref", "refs/heads", "--format=%(refname)") == "refs/heads/main"


@pytest.mark.parametrize("words", ["foo", "task", "task show", "status --nonsense"])
def test_a_wrong_use_is_a_document_where_one_was_asked_for(desk: Desk, words: str) -> None:
    answer = desk.brat("--json", *words.split())
    told = json.loads(answer.out)["error"]
    assert (answer.code, answer.err) == (2, "")
    assert told["reason"]
    assert told["remedy"].endswith(" -h")


def test_letters_beyond_ascii_are_no_defect_in_the_c_locale(desk: Desk) -> None:
    locale = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    desk.environ |= locale
    (desk.home / "request.md").write_text("- [ ] Größe\n", "utf-8")
    ran = desk.process("mayor", "plan", "--task-file", str(desk.home / "request.md"))
    said, _ = ran.communicate()
    assert (ran.returncode, "Gr??e" in said) == (0, True), said
