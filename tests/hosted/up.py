"""The stand-in and `brat up` as processes of their own, steered over HTTP like a person and CI would."""

from __future__ import annotations

import base64
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import redis

from tests.hosted.world import GREEN_ONLY
from tests.processes import kill_all
from tests.runs.world import SHELL, WORKS

__all__ = ["Running", "with_codex"]

PROJECT = Path(__file__).parents[2]
REPOSITORY = "ada-corp/demo"
APPROVED = '[mayor]\napproval = "required"\n'
SECRET = "canary-of-the-webhooks-0123456789"
CODEX_KEY = "canary-of-the-engine-0123456789"
CODEX = '[engine.default]\ntype = "codex"\n[mayor]\napproval = "required"\n'
CODEX_OPERATOR = (
    '[engines.codex]\ncommand = ["{binary}"]\nbase_url = "{url}"\nkey_env = "TEAM_KEY"\nmodel = "gpt-5.5"\n'
)
_LOOKS = 3000


def with_codex(binary: Path, url: str) -> dict[str, Any]:
    """What `Running.begin` takes for agents that are the real codex, with a model at that address."""
    operator = CODEX_OPERATOR.format(binary=binary, url=url)
    return {"config": CODEX, "operator": operator, "environ": {"TEAM_KEY": CODEX_KEY}}


@dataclass
class Running:
    """One stand-in with one repository, and the service over it. `webhooks` False: it polls."""

    root: Path
    port: int
    webhooks: bool = True
    config: str = SHELL + APPROVED
    operator: str = ""
    api: str = ""
    token: str = ""
    """ada's."""
    hub: subprocess.Popen[str] | None = None
    services: list[subprocess.Popen[bytes]] = field(default_factory=list)
    between: Callable[[dict[str, Any]], object] = lambda state: None
    """What people do after each look."""
    environ: dict[str, str] = field(default_factory=dict)

    @classmethod
    def begin(cls, root: Path, port: int, **more: Any) -> Self:
        """The stand-in listens, with ada who may write, eve who may not, and CI that is green."""
        made = cls(root, port, **more)
        made._serve_hub()
        made.token = made.steer("person", login="ada", access="write")["token"]
        made.steer("person", login="eve")
        files = {
            "README.md": "A project.\n",
            ".brat/config.toml": made.config,
            ".github/workflows/ci.yml": GREEN_ONLY,
        }
        made.steer("repository", full_name=REPOSITORY, private=True, files=files)
        made.steer("install", repository=REPOSITORY)
        made.steer("ci", repository=REPOSITORY, rule="green")
        lent = root / "lent"
        (lent / "plays").mkdir(parents=True)
        shutil.copy2(PROJECT / "tests" / "runs" / "agent.sh", lent / "agent.sh")
        (lent / "plays" / "witness").write_text(WORKS)
        shell = f'[engines.shell]\ncommand = ["{lent}/agent.sh"]\n'
        (root / "operator.toml").write_text(f'{shell}[sandbox]\nread_only = ["{lent}"]\n{made.operator}')
        return made

    def _serve_hub(self) -> None:
        command = [sys.executable, "-m", "tests.fakehub", "--root", str(self.root / "hub")]
        command += ["--key", str(self.root / "app.pem"), "--app-id", "42"]
        if self.webhooks:
            url = f"http://127.0.0.1:{self.port}/webhooks/github"
            command += ["--webhook-url", url, "--webhook-secret", SECRET]
        self.hub = subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True)
        assert self.hub.stdout is not None
        self.api = json.loads(self.hub.stdout.readline())["api"]

    def steer(self, order: str, /, **args: Any) -> Any:
        """One order to the stand-in."""
        url = f"{self.api.removesuffix('/api/v3')}/_control/{order}"
        asked = urllib.request.Request(url, json.dumps(args).encode(), {"content-type": "application/json"})
        try:
            with urllib.request.urlopen(asked, timeout=30) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as refused:
            raise AssertionError(f"{order}: {refused.read().decode()}") from None

    def do(self, verb: str, *args: Any, by: str | None = "ada", **more: Any) -> Any:
        """What a person does; None: the repository's owner."""
        who = {"by": by} if by else {}
        return self.steer("do", repository=REPOSITORY, verb=verb, args={"list": list(args), **more}, **who)

    def plays(self, who: str, script: str) -> None:
        """What the agent of `task-<n>`, or `task-<n>.<attempt>`, does."""
        (self.root / "lent" / "plays" / who).write_text(script)

    def up(self) -> None:
        """`brat up`, in a session of its own."""
        self._start("up")

    def apart(self, redis_url: str, *, workers: int) -> None:
        """`brat serve` and so many `brat worker`, which share a redis."""
        self.environ["BRAT_REDIS_URL"] = redis_url
        for part in ("serve", *["worker"] * workers):
            self._start(part)

    def mortal(self, part: str, *, dies: str = "") -> subprocess.Popen[bytes]:
        """`brat serve` or `brat worker` that dies where it is ordered; see `tests.service.mortal`."""
        told = {"DIES": dies, "SAID": str(self.root / f"{part}.said")}
        return self._start(part, program="tests.service.mortal", **told)

    def bury(self, mortal: subprocess.Popen[bytes]) -> None:
        """Once it is dead, by its own hand."""
        self.until(lambda _: mortal.poll() is not None)
        assert mortal.returncode == -signal.SIGKILL
        self.services.remove(mortal)

    def listens(self) -> bool:
        """Whether `brat serve` takes deliveries."""
        with socket.socket() as asked:
            return asked.connect_ex(("127.0.0.1", self.port)) == 0

    def _start(self, part: str, *, program: str = "app.cli", **environ: str) -> subprocess.Popen[bytes]:
        told = {
            **os.environ,
            "PYTHONPATH": str(PROJECT),
            "BRAT_CONFIG": str(self.root / "operator.toml"),
            "BRAT_GITHUB_APP_ID": "42",
            "BRAT_GITHUB_PRIVATE_KEY_FILE": str(self.root / "app.pem"),
            "BRAT_GITHUB_API_URL": self.api,
            "BRAT_DATA_DIR": str(self.root / "data"),
            "BRAT_PORT": str(self.port),
            **self.environ,
            **environ,
        }
        if self.webhooks:
            told |= {
                "BRAT_GITHUB_WEBHOOK_SECRET": SECRET,
                "BRAT_PUBLIC_URL": f"http://127.0.0.1:{self.port}",
                "BRAT_SWEEP_INTERVAL": "10s",
            }
        with (self.root / "up.log").open("ab") as log:
            command = [sys.executable, "-m", program, part]
            started = subprocess.Popen(
                command, cwd=self.root, env=told, stdout=log, stderr=log, start_new_session=True
            )
        self.services.append(started)
        return started

    def kill(self) -> None:
        """`kill -9` to everything of ours that runs, redis and sessions too."""
        while self.services:
            service = self.services.pop()
            service.kill()
            service.wait()
        for process in self._ours():
            with suppress(OSError):
                os.kill(int(process.name), signal.SIGKILL)
        kill_all(str(self.root / "data"))

    def _ours(self) -> Iterator[Path]:
        """Folders in /proc of the processes over our data."""
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if f"BRAT_DATA_DIR={self.root}".encode() in (process / "environ").read_bytes():
                    yield process

    def redis_url(self) -> str:
        """Of the server that `brat up` started: its children are told."""
        pause = threading.Event()
        for _ in range(_LOOKS):
            for process in self._ours():
                with suppress(OSError):
                    for each in (process / "environ").read_bytes().split(b"\0"):
                        if each.startswith(b"BRAT_REDIS_URL="):
                            return each.partition(b"=")[2].decode()
            pause.wait(0.1)
        raise AssertionError("no redis was started")

    def flush(self) -> None:
        """Everything in redis is gone."""
        with redis.Redis.from_url(self.redis_url()) as client:
            client.flushall()

    def kill_redis(self) -> None:
        """`kill -9` to the server that `brat up` started."""
        (up,) = self.services
        children = Path(f"/proc/{up.pid}/task/{up.pid}/children").read_text().split()
        (server,) = (each for each in children if "valkey" in str(Path(f"/proc/{each}/exe").readlink()))
        os.kill(int(server), signal.SIGKILL)

    def state(self) -> dict[str, Any]:
        """Issues, comments, pulls, checks and refs, as REST shows them."""
        found: dict[str, Any] = self.steer("state", repository=REPOSITORY)
        return found

    def until(self, reached: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """Looks until it is so."""
        pause = threading.Event()
        for _ in range(_LOOKS):
            state = self.state()
            self.between(state)
            if reached(state):
                return state
            pause.wait(0.1)
        raise AssertionError((self.root / "up.log").read_text()[-4000:])

    def ended(self, issue: int) -> dict[str, Any]:
        """The state once the issue is closed."""
        return self.until(lambda state: _issue(state, issue)["state"] == "closed")

    def stop(self) -> list[int]:
        """A graceful end of the service; the exit codes of its parts."""
        for each in self.services:
            each.terminate()
        return [self.services.pop(0).wait(60) for _ in tuple(self.services)]

    def clone(self, folder: Path) -> None:
        """As a person does it over HTTP, with the log."""
        address = f"{self.api.removesuffix('/api/v3')}/{REPOSITORY}.git"
        code = base64.b64encode(f"x:{self.token}".encode()).decode()
        told = {**os.environ, "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "http.extraHeader"}
        told["GIT_CONFIG_VALUE_0"] = f"Authorization: Basic {code}"
        for words in (
            ("clone", "-q", address, str(folder)),
            ("-C", str(folder), "fetch", "-q", "origin", "refs/grite/*:refs/grite/*"),
        ):
            subprocess.run(["git", *words], check=True, env=told)

    def close(self) -> None:
        """Whatever is left ends."""
        self.kill()
        if self.hub is not None:
            self.hub.kill()
            self.hub.communicate()
            self.hub = None


def _issue(state: dict[str, Any], number: int) -> dict[str, Any]:
    found: dict[str, Any] = next(each for each in state["issues"] if each["number"] == number)
    return found
