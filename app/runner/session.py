"""One session from its spec to its result: workspace, engine, commit, checks, bundle."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

from app.errors import BratError, OperatorError
from app.ports import Clock, Finding, Operator, SessionResult, SessionSpec, Step, Usage
from app.runner.agent import Agent, Ended, find_agent
from app.runner.checks import run_checks
from app.runner.finish import Unfinished, Work, bundle, commit
from app.runner.folder import Folder
from app.runner.inside import Inside
from app.runner.judge import Evidence, judge, priced, worth_checking
from app.runner.output import Output
from app.runner.redact import Redactor, last_bytes, one_line, plain_text
from app.runner.sandboxes import open_sandbox
from app.runner.watch import Bounds, End, Stop
from app.runner.workspace import Prepared, prepare
from app.values import dataclass

__all__ = ["Desk", "run_session"]

LONGEST_ANSWER = 16 * 1024


@dataclass(frozen=True, slots=True)
class Desk:
    """What a session is run with."""

    spec: SessionSpec
    operator: Operator
    folder: Folder
    stop: Stop
    step: Step
    clock: Clock

    @property
    def isolation(self) -> str:
        """Its name in results."""
        return "process (unsafe)" if self.operator.isolation == "process" else self.operator.isolation

    def phase(self, name: str) -> None:
        self.folder.note(self.folder.phase, name)


def run_session(desk: Desk) -> SessionResult:
    """Answers in every case; the bundle, if there is one, is durable before."""
    started = desk.clock()
    token = None
    try:
        agent = find_agent(desk.spec.engine, desk.operator) if desk.spec.engine else None
        token = agent.token if agent else None
        redactor = _redactor(desk, token)
        result = _Run(desk, agent, redactor).result()
    except BratError as wrong:
        finding = Finding.SETUP if isinstance(wrong, OperatorError) else Finding.CRASHED
        result = _failed(desk, finding, str(wrong), redactor=_redactor(desk, token))
    except Exception as wrong:
        import traceback

        print(_redactor(desk, token)(traceback.format_exc()), flush=True)
        text = f"the runner failed: {type(wrong).__name__}: {wrong}"
        result = _failed(desk, Finding.CRASHED, text, redactor=_redactor(desk, token))
    return replace(result, started_ts=started, ended_ts=desk.clock())


class _Run:
    def __init__(self, desk: Desk, agent: Agent | None, redactor: Redactor) -> None:
        self.desk = desk
        self.agent = agent
        self.redactor = redactor
        limits = desk.spec.limits
        most = min(limits.output_bytes, desk.operator.output_bytes)
        self.output = Output(desk.folder, redactor, most, clock=desk.clock)
        self.bounds = Bounds(
            deadline=time.monotonic() + limits.wall_ms / 1000,
            idle=limits.idle_ms / 1000,
            stop=desk.stop,
            say=self.output,
        )
        self.work: Work | None = None

    def result(self) -> SessionResult:
        desk = self.desk
        desk.phase("workspace")
        inside = Inside(open_sandbox(desk.spec, desk.operator, desk.folder, agent=self.agent))
        ended, evidence = None, Evidence(read_only=desk.spec.read_only)
        prepared = self._prepare(inside)
        if isinstance(prepared, End):
            return self._result(replace(evidence, end=prepared), ended)
        if self.agent is not None:
            desk.phase("engine")
            ended = self.agent.run(desk.spec, desk.folder, inside, output=self.output, bounds=self.bounds)
            evidence = replace(evidence, end=ended.end, exit_code=ended.exit_code, report=ended.report)
            if not desk.spec.read_only:
                desk.phase("commit")
                evidence = self._commit(inside, evidence, prepared.conflicted)
        evidence = self._check(inside, evidence)
        if self.work is not None and self.work.touched:
            desk.phase("bundle")
            evidence = self._bundle(inside, evidence)
        return self._result(evidence, ended)

    def _prepare(self, inside: Inside) -> Prepared | End:
        """The workspace, or what ended the session while it was made: its time counts from the start."""
        try:
            prepared = prepare(self.desk.spec, self.desk.folder, inside.within(self.bounds))
        except OperatorError:
            end = self._cut()
            if end is None:
                raise
            return end
        return self._cut() or prepared

    def _cut(self) -> End | None:
        if self.desk.stop.asked:
            return End.STOPPED
        return End.TIMEOUT if time.monotonic() >= self.bounds.deadline else None

    def _commit(self, inside: Inside, evidence: Evidence, conflicted: tuple[str, ...]) -> Evidence:
        """Also after a limit: the work so far may be carried into the next attempt."""
        try:
            self.work = commit(self.desk.spec, inside, conflicted)
        except Unfinished as wrong:
            return replace(evidence, unfinished=str(wrong))
        return replace(evidence, touched=self.work.touched, marked=self.work.marked)

    def _check(self, inside: Inside, evidence: Evidence) -> Evidence:
        if not self.desk.spec.checks or not worth_checking(evidence):
            return evidence
        self.desk.phase("checks")
        self.output.speak_through(lambda line: line)
        network = self.desk.operator.network == "host"
        checked = run_checks(
            self.desk.spec.checks, inside.sandbox, self.bounds, output=self.output, network=network
        )
        return replace(evidence, checks=checked.results, end=checked.end)

    def _bundle(self, inside: Inside, evidence: Evidence) -> Evidence:
        try:
            bundle(self.desk.spec, self.desk.folder, inside, step=self.desk.step)
        except Unfinished as wrong:
            self.work = None
            return replace(evidence, unfinished=str(wrong))
        return evidence

    def _answer(self, text: str) -> str:
        """Whole for a plan; else its end, which is what a person looks for."""
        whole = self.redactor(plain_text(text))
        return whole if self.desk.spec.read_only else last_bytes(whole, LONGEST_ANSWER)

    def _result(self, evidence: Evidence, ended: Ended | None) -> SessionResult:
        finding, error = judge(evidence)
        report = ended.report if ended else None
        usage = priced(report.usage, self.agent.setup) if report and self.agent else Usage()
        work = self.work if self.work and self.work.touched else None
        tail, log_ref = self.output.tail(), self.output.close()
        return SessionResult(
            session=self.desk.spec.id,
            finding=finding,
            exit_code=ended.exit_code if ended else None,
            started_ts=0,
            ended_ts=0,
            answer=self._answer(report.answer) if report else "",
            error=self.redactor(one_line(error, 500)),
            tail=tail,
            usage=usage,
            head=work.head if work else None,
            touched=work.touched if work else (),
            checks=evidence.checks,
            log_ref=log_ref,
            isolation=self.desk.isolation,
        )


def _redactor(desk: Desk, token: str | None) -> Redactor:
    keys = [each.key for each in desk.operator.engines if each.key]
    secrets = [*desk.operator.secrets, *keys, *([token] if token else [])]
    paths = {str(desk.folder.path): "<session>", str(desk.folder.path.resolve()): "<session>"}
    paths |= {desk.spec.repository: "<repository>", str(Path(desk.spec.repository).resolve()): "<repository>"}
    paths |= {str(Path.home()): "~"}
    ordered = sorted(paths.items(), key=lambda each: len(each[0]), reverse=True)
    return Redactor(tuple(secrets), tuple(each for each in ordered if len(each[0]) > 1))


def _failed(desk: Desk, finding: Finding, text: str, *, redactor: Redactor) -> SessionResult:
    line = " ".join(redactor(text).split())
    return SessionResult(desk.spec.id, finding, None, 0, 0, error=line[:500], isolation=desk.isolation)
