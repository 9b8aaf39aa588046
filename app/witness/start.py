"""Which tasks get a session now, and why the others do not."""

from __future__ import annotations

from app.board import (
    Convoy,
    ConvoyStatus,
    Look,
    Purse,
    Task,
    TaskStatus,
    claim_on,
    dependents,
    finished_work,
    in_turn,
    overlaps,
    paused_because,
    settled,
    short_id,
)
from app.ports import Decision, Role, SessionStarted, Verdict, VerdictState
from app.values import dataclass
from app.witness.specs import engine_of, wall_ms

__all__ = ["contains_wanted", "start_sessions"]

SETUP_GRACE_MS = 120_000
"""What a session may need beside its own limits: workspace, sandbox, bundle."""


@dataclass(frozen=True, slots=True)
class _Wait:
    """Why a task does not start. `blocked`: only a person helps."""

    rule: str
    because: str
    unblock: str = ""
    blocked: bool = False


def contains_wanted(convoy: Convoy) -> tuple[tuple[str, str], ...]:
    """Pairs to look at: every landed dependency must be in the target before its dependents start."""
    return tuple(
        (convoy.target, needed.merge_commit)
        for task in convoy.tasks
        if not task.status.final
        for number in task.depends_on
        if (needed := convoy.task(number)) is not None and needed.merge_commit
    )


def start_sessions(look: Look) -> Decision:
    """Sessions for ready tasks, convoys in their turn and in each the task most others wait for."""
    starting = _Starting(look)
    for convoy in in_turn(look.board):
        if convoy.approved_by is None:
            continue
        for task in sorted(convoy.tasks, key=lambda each: (-dependents(convoy, each.number), each.number)):
            starting.consider(convoy, task)
    return Decision(tuple(starting.facts), (), tuple(starting.verdicts))


class _Starting:
    """Slots, paths and money as they are given away in this pass."""

    def __init__(self, look: Look) -> None:
        self.seen, self.config, self.setting = look.seen, look.config, look.setting
        self.facts: list[SessionStarted] = []
        self.verdicts: list[Verdict] = []
        self._begun(look)
        self._busy = [
            (convoy, task)
            for convoy in look.board.open_convoys
            for task in convoy.tasks
            if task.status is TaskStatus.RUNNING
        ]

    def _begun(self, look: Look) -> None:
        """What is left as this look has it."""
        self._look, self._used, self._purse = look, look.occupied_slots, Purse(look)

    def consider(self, convoy: Convoy, task: Task) -> None:
        if not _wanted(task):
            return
        wait = self._why_not(convoy, task)
        if wait is None:
            self._start(convoy, task)
        else:
            state = VerdictState.BLOCKED if wait.blocked else VerdictState.WAITING
            who = "a maintainer" if wait.blocked else "the Witness"
            self.verdicts.append(
                Verdict(task.issue, wait.rule, state, wait.because, who=who, unblock=wait.unblock)
            )

    def _why_not(self, convoy: Convoy, task: Task) -> _Wait | None:
        if convoy.status is ConvoyStatus.PAUSED:
            return _Wait("paused", paused_because(convoy), f"brat convoy resume {convoy.slug}", blocked=True)
        if task.hold is not None:
            return _Wait("hold", task.hold.reason, f"brat task release {task.id}", blocked=True)
        return (
            self._branch(convoy, task)
            or self._dependency(convoy, task)
            or self._paths(convoy, task)
            or self._key(task)
            or self._budget(convoy)
            or self._slot()
            or (
                None
                if self.setting.start
                else _Wait("stopping", "brat is shutting down", "brat mayor resume")
            )
        )

    def _slot(self) -> _Wait | None:
        most = self.config.swarm.max_polecats
        if self._used < most:
            return None
        return _Wait("slots", f"{self._used} of {most} sessions run ([swarm] max_polecats)")

    def _branch(self, convoy: Convoy, task: Task) -> _Wait | None:
        """Nothing is spent on work that has no place to go."""
        claim = claim_on(convoy, task, self.seen.refs)
        return _Wait("branch", claim.because, claim.unblock, blocked=True) if claim else None

    def _dependency(self, convoy: Convoy, task: Task) -> _Wait | None:
        """Dependencies are merged (or dropped), and the base that the session starts from holds them."""
        for number in task.depends_on:
            needed = convoy.task(number)
            if not settled(needed):
                assert needed is not None
                return _Wait("dependency", f"waits for task {number}, which is {needed.status}")
            commit = needed.merge_commit if needed else None
            if commit and (convoy.target, commit) not in self.seen.contains:
                return _Wait(
                    "dependency", f"task {number} has landed, but {convoy.target} does not show it yet"
                )
        return None

    def _paths(self, convoy: Convoy, task: Task) -> _Wait | None:
        for other_convoy, other in self._busy:
            if other.issue != task.issue and overlaps(task.spec.paths, other.spec.paths):
                where = "" if other_convoy.issue == convoy.issue else f" of {other_convoy.slug}"
                return _Wait("paths", f"task {other.number}{where} may write the same paths")
        return None

    def _key(self, task: Task) -> _Wait | None:
        """A session that cannot work is not started to find that out."""
        because = self.setting.without_key(engine_of(task, self.config).type)
        if not because:
            return None
        other = f"/brat engine {task.number} NAME" if task.status is TaskStatus.QUEUED else ""
        return _Wait("key", because, other, blocked=True)

    def _budget(self, convoy: Convoy) -> _Wait | None:
        short = self._purse.short(convoy.issue)
        if short is None:
            return None
        if short.settles:
            return _Wait("budget", f"{short.because}; running sessions give back what they do not spend")
        return _Wait(
            "budget", short.because, f"raise [budget] {short.key} in .brat/config.toml", blocked=True
        )

    def _start(self, convoy: Convoy, task: Task) -> None:
        engine = engine_of(task, self.config)
        attempt = task.attempts + 1
        seed = f"{task.issue}:work:{attempt}"
        wall = wall_ms(task, self.config) + SETUP_GRACE_MS
        started = SessionStarted(
            issue=task.issue,
            session=short_id("s", seed, now=self.setting.now, taken=self._look.taken),
            role=Role.WITNESS,
            purpose="work",
            attempt=attempt,
            base=self.seen.refs.get(convoy.target, convoy.base_commit),
            deadline_ts=self.setting.now + wall,
            engine=engine.type,
            model=engine.model,
            carry=task.follow_up.head if task.follow_up else None,
            reserved_usd=self._purse.cap(convoy.issue),
            isolation=self.setting.isolation,
        )
        self.facts.append(started)
        self._busy.append((convoy, task))
        self._begun(self._look.after(Decision(facts=(started,))))


def _wanted(task: Task) -> bool:
    """Not where the follow-up's own work waits to be pushed: it was held, and a person released it."""
    if task.status is not TaskStatus.NEEDS_REVIEW:
        return task.status is TaskStatus.QUEUED
    return task.follow_up is not None and finished_work(task) is None
