"""Canaries: what is private on this machine is nowhere that others read, however a run fails."""

from __future__ import annotations

import base64
import json
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import pytest

from app.control import End, Pass
from tests.hostile.conftest import Make
from tests.llm import Bash, ScriptedModel, Text, Write, in_order
from tests.runs.world import World

NAMED = "canary+named/operator=0123456789"
KEY = "canary-engine-key-abcdefghij"
SECRETS = (NAMED, KEY)


def forms(secret: str) -> tuple[str, ...]:
    """How a secret may be written by whoever wants it to get through."""
    raw = secret.encode()
    coded = tuple(base64.b64encode(b"x" * n + raw).decode() for n in range(3))
    return (
        secret,
        quote(secret, safe=""),
        raw.hex(),
        raw.hex().upper(),
        *coded,
        f"{secret[:9]}\x1b[1m{secret[9:]}",
    )


def told(secret: str) -> Iterator[str]:
    """What would give it away: the whole, or the middle of an encoded form."""
    yield from (secret, quote(secret, safe=""), secret.encode().hex(), secret.encode().hex().upper())
    for coded in forms(secret)[4:7]:
        yield coded[4 : len(secret) + 2]


def logged(world: World) -> str:
    """Every object of the log; most of it is binary."""
    named = world.git("rev-list", "--objects", "--no-object-names", "--glob=refs/grite/*")
    return subprocess.run(
        ["git", "-C", world.repo, "cat-file", "--batch"],
        input=named.encode(),
        capture_output=True,
        check=True,
    ).stdout.decode("utf-8", "replace")


def shown(world: World) -> str:
    """Every message on convoy branches and in the log, and what the command prints."""
    refs = ("--glob=refs/grite/*", "--glob=refs/heads/convoy/*")
    commits = world.git("log", "--format=%B%an%ae", *refs, "main")
    status = json.loads(command(world, "status", "--json"))
    # The one key that is meant to say where the repository is; it is printed here and stored nowhere.
    assert status.pop("repo_root") == str(world.repo)
    return commits + command(world, "log") + json.dumps(status, ensure_ascii=False)


def command(world: World, *arguments: str) -> str:
    """What the command prints of this repository."""
    argv = [sys.executable, "-m", "app.cli", "--repo", str(world.repo), *arguments]
    environ = dict(world.surroundings().environ)
    return subprocess.run(argv, env=environ, check=True, capture_output=True, text=True).stdout


def expect_nothing_of(world: World, *private: str) -> None:
    words = shown(world)
    text = logged(world) + words
    found = [form for secret in SECRETS for form in told(secret) if form in text]
    for each in private:
        # A short name (a host called `vm`) turns up in binary by chance, so it is looked for as a word.
        place = text if len(each) > 8 else words
        found += [place[max(0, at.start() - 60) : at.end() + 90] for at in whole(each).finditer(place)]
    assert found == []


def whole(name: str) -> re.Pattern[str]:
    """The name, where it is not a part of a longer word."""
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")


class Onlooker:
    """Another user of this machine: sees every command line while the run goes on."""

    def __init__(self) -> None:
        self.lines: set[bytes] = set()

    def __call__(self, seen: Pass) -> None:
        for entry in Path("/proc").glob("[0-9]*/cmdline"):
            with suppress(OSError):
                self.lines.add(entry.read_bytes())


def places(world: World) -> tuple[str, ...]:
    """How this machine's folders and the machine itself are called; what agents are lent is told to them."""
    names = (world.repo, world.state, world.root / "operator.toml", Path.home())
    return (*(str(each) for each in names if len(each.parts) > 1), socket.gethostname())


FAILURES = {
    "engine-error": "exit 3\n",
    "no-change": "true\n",
    "output-limit": "yes\n",
}


@pytest.fixture
def private(make_world: Make, monkeypatch: pytest.MonkeyPatch) -> World:
    """A world whose operator has two secrets, with an agent that knows them and tells."""
    monkeypatch.setenv("DEPLOY_KEY", NAMED)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    world = make_world(config="")
    rest = (world.root / "operator.toml").read_text()
    (world.root / "operator.toml").write_text(f'secrets = ["DEPLOY_KEY"]\n{rest}[limits]\noutput = "64KB"\n')
    (world.lent / "shout").write_text(
        "".join(f"{form}\n" for each in SECRETS for form in forms(each)), "utf-8"
    )
    return world


SEARCH = "if cat /proc/*/environ | grep -qa canary; then echo 1 > leaked; fi\n"
SHOUT = """
cat > /dev/null
ls -l /proc/self/fd; cat /proc/self/mountinfo; env; hostname
cat LENT/shout; cat LENT/shout >&2
"""


LONG = pytest.mark.full
KINDS = ["engine-error", pytest.param("no-change", marks=LONG), pytest.param("output-limit", marks=LONG)]


@pytest.mark.parametrize("failure", KINDS)
def test_t24_no_secret_and_no_place_is_published_after_a_failure(private: World, failure: str) -> None:
    shout = SHOUT.replace("LENT", str(private.lent))
    onlooker = Onlooker()
    private.plays("task-1", shout + FAILURES[failure], attempt=1)
    private.plays("task-1", f"{shout}echo 1 > a.txt\n", attempt=2)
    private.plays("task-1", f"{shout}echo 1 > b.txt\n{SEARCH}")
    check = f"cat /proc/self/mountinfo; cat {private.lent}/shout; test -f b.txt"
    private.start(f"Greet\n- [ ] First\n  run: {check}\n")
    assert private.run(on_look=onlooker) is End.LANDED, private.told()
    ends = [each.ended.finding.value for each in private.works(1) if each.ended]
    assert ends == [failure, "acceptance-failed", "done"]
    assert "<redacted>" in private.prompt(1, attempt=2) + private.prompt(1, attempt=3)
    assert "leaked" not in private.files()
    expect_nothing_of(private, *places(private), "-----BEGIN DATA")
    spoken = b"\n".join(onlooker.lines)
    assert [each for each in SECRETS if each.encode() in spoken] == []


def test_t24_minimal_detail_leaves_output_out(private: World) -> None:
    config = '[engine.default]\ntype = "shell"\n[log]\ndetail = "minimal"\n'
    private.commit({".brat/config.toml": config})
    loud = "cat > /dev/null\necho private-output-line\n"
    private.plays("task-1", f"{loud}exit 3\n", attempt=1)
    private.plays("task-1", f"{loud}echo 1 > a.txt\n")
    private.start("Greet\n- [ ] First\n  run: echo private-check-output; test $PPID -lt 0\n")
    assert private.run() is End.WAITING
    text = logged(private) + shown(private)
    assert "private-output-line" not in text
    assert "private-check-output\n" not in text.replace("\\n", "\n").replace("echo private-check-output", "")
    assert "output stays with the operator" in text


def test_p9_real_codex_works_with_a_token_and_the_model_sees_the_key(
    private: World, codex_binary: Path, scripted_model: ScriptedModel
) -> None:
    world = private
    world.engines = ("codex",)
    look = "env; cat /proc/*/environ; find ~ -type f -exec cat {} +; cat /run/brat/*"
    play = in_order(
        Bash(f"({look}) 2>&1 | tr -cd '[:print:]\\n' > seen.txt"),
        Write("hello.txt", "hello\n"),
        Text("Done."),
    )
    url = scripted_model.base_url(play, key="work")
    with (world.root / "operator.toml").open("a") as operator:
        operator.write(f'[engines.codex]\ncommand = ["{codex_binary}"]\nbase_url = "{url}"\n')
    run = "touch /workspace/ran"
    hostile = f'notify = ["sh", "-c", "{run}"]\n[mcp_servers.x]\ncommand = "sh"\nargs = ["-c", "{run}"]\n'
    config = '[engine.default]\ntype = "codex"\nmodel = "gpt-5"\n'
    world.commit({".brat/config.toml": config, ".codex/config.toml": hostile})
    world.start("Greet\n- [ ] First\n")
    assert world.run() is End.LANDED, world.told()
    requests = scripted_model.of("work")
    assert {each.authorization for each in requests} == {f"Bearer {KEY}"}
    seen = world.git("show", "main:seen.txt")
    assert "CODEX_HOME=" in seen
    assert KEY not in seen
    assert "ran" not in world.files()
    assert KEY not in "".join(path.read_text("utf-8", "replace") for path in world.state.rglob("*.json*"))
    expect_nothing_of(world)
