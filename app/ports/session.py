"""One session in, one result out: what the runner is asked and what it answers.

A spec holds no secret and no host setting: keys, endpoints, executables and isolation are the
operator's and reach the runner as `Operator` beside it, over a pipe.
"""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum

from app.values import dataclass

__all__ = [
    "CheckResult",
    "CheckSpec",
    "EngineCall",
    "EngineSetup",
    "Finding",
    "Limits",
    "Operator",
    "Role",
    "SessionResult",
    "SessionSpec",
    "Usage",
]


class Role(StrEnum):
    """Whose session it is: the Mayor plans, the Witness has work done, the Refinery checks."""

    MAYOR = "mayor"
    WITNESS = "witness"
    REFINERY = "refinery"


class Finding(StrEnum):
    """How a session ended, judged by what it left and not by an exit code."""

    DONE = "done"
    NO_CHANGE = "no-change"
    ACCEPTANCE = "acceptance-failed"
    CONFLICT_LEFT = "conflict-markers-left"
    ENGINE_ERROR = "engine-error"
    TIMEOUT = "timeout"
    SILENT = "silent"
    OUTPUT_LIMIT = "output-limit"
    CRASHED = "crashed"
    STOPPED = "stopped"
    SETUP = "setup-failed"
    REFUSED = "work-refused"


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one session; a limit that is reached ends it. `usd` is a cap on spending, None: unmetered."""

    wall_ms: int
    idle_ms: int
    output_bytes: int = 64 * 1024 * 1024
    usd: float | None = None


@dataclass(frozen=True, slots=True)
class CheckSpec:
    """A shell command that must exit 0, run in the sandbox without keys."""

    name: str
    run: str
    timeout_ms: int = 600_000


@dataclass(frozen=True, slots=True)
class CheckResult:
    """`exit_code` is None when the command was ended by a limit; `tail` is redacted output, at most 2 KB."""

    name: str
    run: str
    exit_code: int | None
    tail: str
    duration_ms: int

    @property
    def passed(self) -> bool:
        return self.exit_code == 0


@dataclass(frozen=True, slots=True)
class EngineCall:
    """Which engine shall do what: engine type (`codex`), model (None: the engine's default), whole prompt."""

    type: str
    model: str | None
    prompt: str


@dataclass(frozen=True, slots=True)
class SessionSpec:
    """Everything the runner needs to know of one session.

    `repository` is a bare repository on this machine whose objects are borrowed read-only. The workspace
    starts at `base`; with `carry`, the earlier work at that commit is merged in first, conflicts left
    as markers. `branch` names the branch inside the workspace and the bundle. A session without an `engine`
    only runs its checks. `read_only` is a plan session: no change is expected, the answer is its text.
    """

    id: str
    role: Role
    attempt: int
    repository: str
    base: str
    branch: str
    limits: Limits
    engine: EngineCall | None = None
    carry: str | None = None
    read_only: bool = False
    checks: tuple[CheckSpec, ...] = ()
    subject: str = ""
    trailers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """What the engine says it used; None where it does not say."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    usd: float | None = None


@dataclass(frozen=True, slots=True)
class SessionResult:
    """What a session left. Stored durably before the session counts as ended.

    `answer` is the engine's last text (whole, for plan sessions), `error` one line, `tail` the last output
    (redacted, at most 2 KB), `log_ref` is `sha256:<hex>` of the output log, `head` the commit in the bundle.
    """

    session: str
    finding: Finding
    exit_code: int | None
    started_ts: int
    ended_ts: int
    answer: str = ""
    error: str = ""
    tail: str = ""
    usage: Usage = Usage()
    head: str | None = None
    touched: tuple[str, ...] = ()
    checks: tuple[CheckResult, ...] = ()
    log_ref: str | None = None
    isolation: str = ""


@dataclass(frozen=True, slots=True)
class EngineSetup:
    """The operator's word on one engine:

    Executable and arguments, endpoint, key, prices in USD per million tokens.
    """

    type: str
    command: tuple[str, ...] = ()
    args: tuple[str, ...] = ()
    base_url: str | None = None
    key: str | None = None
    model: str | None = None
    input_usd_per_mtok: float | None = None
    output_usd_per_mtok: float | None = None

    def __repr__(self) -> str:
        return f"EngineSetup(type={self.type!r}, command={self.command!r}, key={'set' if self.key else None})"


@dataclass(frozen=True, slots=True)
class Operator:
    """What the operator lends to sessions on this machine. Never written to disk.

    `isolation` is `bwrap` or `process` (unsafe, asked for), `network` is `none` or `host` for commands,
    `read_only` are extra host paths visible inside, `path` extra entries of PATH, `secrets` are values that
    no output may show, `output_bytes` is the most that a session may say.
    """

    engines: tuple[EngineSetup, ...] = ()
    isolation: str = "bwrap"
    network: str = "none"
    read_only: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    secrets: tuple[str, ...] = field(default=(), repr=False)
    output_bytes: int = 64 * 1024 * 1024

    def engine(self, type: str) -> EngineSetup:
        """The setup of an engine type; an unmentioned one has defaults only."""
        return next((each for each in self.engines if each.type == type), EngineSetup(type))
