"""From a published branch to the target: one merge at a time per target, checked as exactly the tree that lands."""

from __future__ import annotations

from app.board import (
    Board,
    Convoy,
    Merge,
    Session,
    Task,
    TaskStatus,
    cap,
    ended_fact,
    lost_fact,
    merge_failures,
    short_id,
)
from app.config import Config
from app.globs import matches
from app.ports import (
    Candidate,
    CandidateKey,
    CheckSpec,
    Decision,
    Fact,
    Finding,
    FollowUpWanted,
    Land,
    Life,
    Limits,
    MergeFailed,
    MergeStarted,
    MergeSucceeded,
    Role,
    Seen,
    SessionSpec,
    SessionStarted,
    Setting,
    StartSession,
    TakeOver,
    TaskBlocked,
)

__all__ = ["candidate_key", "check_wall_ms", "land_next", "next_to_land"]

SETUP_GRACE_MS = 120_000
"""What a session may need beside its own limits: workspace, sandbox, bundle."""


def next_to_land(convoy: Convoy) -> Task | None:
    """The oldest published work that nothing holds back. A merge that is under way goes first."""
    ready = [task for task in convoy.tasks if _ready(convoy, task)]
    running = [task for task in ready if task.merge is not None and task.merge.result == "running"]
    return min(running or ready, key=lambda task: (task.work_ts, task.number), default=None)


def strayed_into(convoy: Convoy, task: Task) -> Task | None:
    """A running task whose paths this work touched outside its own; that one lands first."""
    if task.work is None or not task.work.strayed:
        return None
    return next(
        (
            other
            for other in convoy.tasks
            if other.status is TaskStatus.RUNNING
            and any(matches(other.spec.paths, path) for path in task.work.strayed)
        ),
        None,
    )


def _ready(convoy: Convoy, task: Task) -> bool:
    return (
        task.status is TaskStatus.NEEDS_REVIEW
        and task.work is not None
        and task.hold is None
        and task.follow_up is None
        and strayed_into(convoy, task) is None
    )


def candidate_key(convoy: Convoy, task: Task, target: str) -> CandidateKey:
    """The merge of this task's work onto the target's present head."""
    assert task.work is not None
    trailers = f"Brat-Convoy: {convoy.id}\nBrat-Task: {task.id}\nBrat-Session: {task.work.session}"
    message = f"{task.title}\n\nTask {task.number} of {convoy.slug}: {convoy.title}\n\n{trailers}\n"
    return CandidateKey(target, task.work.head, task.work.base, convoy.strategy, message, task.work_ts)


def check_wall_ms(config: Config) -> int:
    """All checks one after the other."""
    return sum(check.timeout_ms for check in config.refinery.checks) + SETUP_GRACE_MS


def land_next(board: Board, convoy: Convoy, seen: Seen, config: Config, setting: Setting) -> Decision:
    """One step for the task whose turn it is: build, check, land, or send back."""
    task = next_to_land(convoy)
    if task is None:
        return Decision()
    target = seen.refs.get(convoy.target, convoy.base_commit)
    merge = task.merge if task.merge is not None and task.merge.result == "running" else None
    if merge is not None and merge.commit and (convoy.target, merge.commit) in seen.contains:
        return Decision(facts=(_succeeded(task, merge, config),))
    candidate = seen.candidates.get(candidate_key(convoy, task, target))
    if candidate is None:
        return Decision()
    if merge is None or merge.base != target or merge.commit != candidate.commit:
        return Decision(facts=_start(convoy, task, candidate, target, config))
    return _Landing(board, convoy, task, seen, config, setting).step(merge)


def _start(convoy: Convoy, task: Task, candidate: Candidate, target: str, config: Config) -> tuple[Fact, ...]:
    """A new attempt on the present base; an attempt on an older one is closed first."""
    assert task.work is not None
    facts: list[Fact] = []
    attempt = task.merge.attempt if task.merge else 0
    if task.merge is not None and task.merge.result == "running":
        facts.append(MergeFailed(task.issue, attempt, convoy.strategy, "base-moved"))
    attempt += 1
    if candidate.empty:
        return (*facts, MergeSucceeded(task.issue, attempt, convoy.strategy, None, target))
    head, commit = task.work.head, candidate.commit or ""
    facts.append(
        MergeStarted(task.issue, attempt, convoy.strategy, target, head, commit, candidate.tree or "")
    )
    if candidate.commit is None:
        evidence = cap(f"conflicts in {', '.join(candidate.conflicts)}\n{candidate.detail}")
        facts += _failed(convoy, task, (attempt, "conflict"), evidence, config, paths=candidate.conflicts)
    return tuple(facts)


def _failed(
    convoy: Convoy,
    task: Task,
    what: tuple[int, str],
    evidence: str,
    config: Config,
    *,
    paths: tuple[str, ...] = (),
) -> tuple[Fact, ...]:
    """The attempt failed: back to an agent with the evidence, or blocked at the limit."""
    assert task.work is not None
    attempt, reason = what
    failed = MergeFailed(task.issue, attempt, convoy.strategy, reason, evidence)
    if merge_failures(task) >= config.refinery.merge_retry_limit:
        first = evidence.partition("\n")[0]
        why = f"did not land after {merge_failures(task) + 1} tries, the last for a {reason}: {first}"
        return (failed, TaskBlocked(task.issue, cap(why), f"brat task retry {task.id}"))
    return (failed, FollowUpWanted(task.issue, reason, evidence, task.work.head, paths))


def _succeeded(task: Task, merge: Merge, config: Config) -> MergeSucceeded:
    checks = tuple(check.name for check in config.refinery.checks)
    return MergeSucceeded(task.issue, merge.attempt, merge.strategy, merge.commit, merge.base, checks)


class _Landing:
    """The running merge of one task: its checks, then the compare-and-swap."""

    def __init__(
        self, board: Board, convoy: Convoy, task: Task, seen: Seen, config: Config, setting: Setting
    ) -> None:
        self.board, self.convoy, self.task = board, convoy, task
        self.seen, self.config, self.setting = seen, config, setting

    def step(self, merge: Merge) -> Decision:
        checks = self.config.refinery.checks
        session = self._check_session(merge)
        if not checks:
            return self._land(merge)
        if session is None:
            return self._start_check(merge)
        if session.open:
            return self._watch(session)
        assert session.ended is not None
        match session.ended.finding:
            case Finding.DONE:
                return self._land(merge)
            case Finding.ACCEPTANCE | Finding.TIMEOUT:
                evidence = session.ended.evidence
                return Decision(
                    facts=_failed(self.convoy, self.task, (merge.attempt, "check"), evidence, self.config)
                )
            case Finding.SETUP:
                return Decision(facts=(self._blocked(session),))
        tried = sum(each.started.commit == merge.commit for each in self.task.sessions)
        return (
            self._start_check(merge)
            if tried < self.config.swarm.attempts
            else Decision(facts=(self._blocked(session),))
        )

    def _check_session(self, merge: Merge) -> Session | None:
        """The newest check of this very commit since a person last retried the task."""
        return next(
            (
                each
                for each in reversed(self.task.sessions)
                if each.started.purpose == "check"
                and each.started.commit == merge.commit
                and each.started_ts > self.task.since_ts
            ),
            None,
        )

    def _start_check(self, merge: Merge) -> Decision:
        if not self.setting.start:
            return Decision()
        number = len(self.task.sessions) + 1
        seed = f"{self.task.issue}:check:{merge.commit}:{number}"
        session = short_id("s", seed, now=self.setting.now, taken=self.board.taken.__contains__)
        wall = check_wall_ms(self.config)
        started = SessionStarted(
            issue=self.task.issue,
            session=session,
            role=Role.REFINERY,
            purpose="check",
            attempt=merge.attempt,
            base=merge.commit or "",
            deadline_ts=self.setting.now + wall + SETUP_GRACE_MS,
            commit=merge.commit,
            isolation=self.setting.isolation,
        )
        return Decision(facts=(started,))

    def _watch(self, session: Session) -> Decision:
        view = self.seen.sessions.get(session.id)
        mine = session.actor == self.setting.me
        overdue = self.setting.now > session.started.deadline_ts
        if view is not None and view.result is not None:
            return Decision(facts=(ended_fact(session, view.result, minimal=self.setting.minimal),))
        if view is not None and view.life is Life.DEAD or overdue and not mine:
            why = "the check's runner died without a result"
            return Decision(facts=(lost_fact(session, now=self.setting.now, why=why),))
        if view is not None and view.life is Life.ABSENT and mine:
            return Decision(actions=(StartSession(check_spec(session, self.config, self.setting)),))
        return Decision()

    def _land(self, merge: Merge) -> Decision:
        assert merge.commit is not None
        facts = (_succeeded(self.task, merge, self.config),)
        old = self.seen.refs.get(self.convoy.target)
        if self.convoy.target.removeprefix("refs/heads/") in self.seen.checkouts and old is not None:
            branch = self.convoy.target.removeprefix("refs/heads/")
            return Decision(actions=(TakeOver(branch, old, merge.commit, facts),))
        return Decision(actions=(Land(self.convoy.target, old, merge.commit, facts),))

    def _blocked(self, session: Session) -> TaskBlocked:
        evidence = session.ended.evidence if session.ended else ""
        why = cap(f"the checks could not be run: {evidence or 'their runner died'}")
        return TaskBlocked(self.task.issue, why, f"brat task retry {self.task.id}")


def check_spec(session: Session, config: Config, setting: Setting) -> SessionSpec:
    """The configured checks on exactly the tree that would land."""
    checks = tuple(CheckSpec(each.name, each.run, each.timeout_ms) for each in config.refinery.checks)
    wall = check_wall_ms(config)
    return SessionSpec(
        id=session.id,
        role=Role.REFINERY,
        attempt=session.started.attempt,
        repository=setting.repository,
        base=session.started.base,
        branch="brat-check",
        limits=Limits(wall_ms=wall, idle_ms=wall),
        checks=checks,
    )
