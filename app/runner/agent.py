"""The engine's part of a session: found on the host, set up, run, and asked what it has to say."""

from __future__ import annotations

import os
import secrets
import sys
from contextlib import ExitStack
from pathlib import Path

from app.errors import OperatorError
from app.ports import EngineCall, EngineSetup, Operator, SessionSpec
from app.runner.engines.port import Context, Engine, EngineReport, Heard, Invocation
from app.runner.engines.registry import engine_named
from app.runner.folder import Folder
from app.runner.inside import Inside
from app.runner.installs import Install, find_install
from app.runner.isolation import Command, Io
from app.runner.output import Output
from app.runner.watch import Bounds, End, run
from app.values import dataclass

__all__ = ["Agent", "Ended", "find_agent"]

RELAY_PORT = 4180


@dataclass(frozen=True, slots=True)
class Ended:
    """How the engine's run went."""

    end: End
    exit_code: int
    report: EngineReport


@dataclass(frozen=True, slots=True)
class Agent:
    """An engine that is there and has what it needs. `token` is shown to the gateway instead of a key."""

    call: EngineCall
    setup: EngineSetup
    engine: Engine
    install: Install
    token: str

    @property
    def upstream(self) -> str | None:
        return self.engine.upstream(self.call, self.setup)

    @property
    def visible(self) -> tuple[Install, ...]:
        """Its program, and the files that the operator's command names."""
        named = (Path(each) for each in self.setup.command[1:])
        files = tuple(each for each in named if each.is_absolute() and each.is_file())
        return (self.install, Install(self.install.program, files))

    def run(
        self, spec: SessionSpec, folder: Folder, inside: Inside, *, output: Output, bounds: Bounds
    ) -> Ended:
        """Run the engine to its end under its limits."""
        output.speak_through(self.engine.human)
        with ExitStack() as stack:
            endpoint = self._open_gateway(stack, folder, inside)
            invocation = self.engine.invocation(self.call, self.setup, self._context(spec, inside, endpoint))
            _write_home(folder, invocation)
            # Not in a file: inside, a descriptor's link would tell where on the host the session lies.
            prompt = stack.enter_context(os.fdopen(os.memfd_create("prompt"), "w+b"))
            prompt.write(invocation.stdin.encode("utf-8", "replace"))
            prompt.seek(0)
            command = self._command(inside, invocation, endpoint, writable=not spec.read_only)
            ran = run(inside.sandbox, command, bounds, io=Io(stdin=prompt.fileno()))
        output.flush()
        texts = [each.decode("utf-8", "replace") for each in (ran.stdout, ran.stderr)]
        files = {path: self._read(inside, path) for path in invocation.reads}
        return Ended(
            ran.end, ran.exit_code, self.engine.report(Heard(texts[0], texts[1], ran.exit_code, files))
        )

    def _open_gateway(self, stack: ExitStack, folder: Folder, inside: Inside) -> str:
        if self.upstream is None:
            return ""
        from app.runner.gateway import Gateway

        gateway = Gateway(self.upstream, key=self.setup.key or "", token=self.token, record=folder.calls)
        if inside.sandbox.places.relay is None:
            return stack.enter_context(gateway.on_loopback())
        stack.enter_context(gateway.on_socket(folder.socket))
        return f"http://127.0.0.1:{RELAY_PORT}"

    def _context(self, spec: SessionSpec, inside: Inside, endpoint: str) -> Context:
        places = inside.sandbox.places
        facts = [(f"{name.upper().replace('-', '_')}", value) for name, value in spec.trailers]
        facts += [
            ("BRAT_ROLE", spec.role.value),
            ("BRAT_ATTEMPT", str(spec.attempt)),
            ("BRAT_BRANCH", spec.branch),
        ]
        return Context(
            workspace=places.workspace,
            home=places.home,
            limits=spec.limits,
            session=spec.id,
            read_only=spec.read_only,
            endpoint=endpoint,
            token=self.token,
            facts=tuple(facts),
        )

    def _command(self, inside: Inside, invocation: Invocation, endpoint: str, *, writable: bool) -> Command:
        argv = (self.install.program, *self.setup.command[1:], *invocation.argv)
        places = inside.sandbox.places
        if endpoint and places.relay is not None:
            argv = (
                str(Path(sys.executable).resolve()),
                "-I",
                "-S",
                places.relay,
                str(RELAY_PORT),
                places.socket,
                *argv,
            )
        return Command(argv, invocation.env, writable=writable, gateway=bool(endpoint and places.relay))

    def _read(self, inside: Inside, path: str) -> str:
        return inside.read(f"{inside.sandbox.places.home}/{path}").decode("utf-8", "replace")


def find_agent(call: EngineCall, operator: Operator) -> Agent:
    """The engine with its program and key. Raises `OperatorError` when something is missing."""
    engine, setup = engine_named(call.type), operator.engine(call.type)
    command = setup.command[0] if setup.command else engine.executable
    place = f"engine {call.type}"
    if not command:
        raise OperatorError("no command is set", place=place, remedy=engine.install)
    path = ":".join([*operator.path, os.environ.get("PATH", os.defpath)])
    install = find_install(command, path)
    if install is None:
        raise OperatorError(
            f"the program {command!r} was not found",
            place=place,
            remedy=f"install it ({engine.install}) or set `command` under [engines.{call.type}]",
        )
    agent = Agent(call, setup, engine, install, f"brat-{secrets.token_hex(24)}")
    if agent.upstream is not None and not setup.key:
        raise OperatorError(
            "no key is set for its endpoint",
            place=place,
            remedy=f"name the variable that holds it as `key_env` under [engines.{call.type}], and set it",
        )
    return agent


def _write_home(folder: Folder, invocation: Invocation) -> None:
    # The engine has not run yet, so the home holds nothing that could lead elsewhere.
    for name, text in invocation.files:
        path = folder.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
