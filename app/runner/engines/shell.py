"""Engine `shell`: any command of the operator's; the prompt comes on stdin, the answer on stdout."""

from __future__ import annotations

from app.ports import EngineCall, EngineSetup
from app.runner.engines.port import Context, EngineReport, Heard, Invocation
from app.runner.redact import one_line

__all__ = ["Shell"]


class Shell:
    """A command that exits 0 claims success. With `base_url` and a key it is told the gateway and a token."""

    executable = ""
    install = 'name a command for it in the operator\'s settings: [engines.shell] command = ["…"]'

    def upstream(self, call: EngineCall, setup: EngineSetup) -> str | None:
        return setup.base_url

    def invocation(self, call: EngineCall, setup: EngineSetup, context: Context) -> Invocation:
        env = [("BRAT_SESSION", context.session), ("BRAT_WORKSPACE", context.workspace), *context.facts]
        if context.endpoint:
            env += [("BRAT_ENDPOINT", context.endpoint), ("BRAT_TOKEN", context.token)]
        if call.model or setup.model:
            env.append(("BRAT_MODEL", call.model or setup.model or ""))
        return Invocation(setup.args, tuple(env), stdin=call.prompt)

    def report(self, heard: Heard) -> EngineReport:
        if heard.exit_code == 0:
            return EngineReport(ok=True, answer=heard.stdout.strip())
        said = one_line(heard.stderr) or one_line(heard.stdout)
        return EngineReport(ok=False, answer=heard.stdout.strip(), error=said)

    def human(self, line: str) -> str:
        return line
