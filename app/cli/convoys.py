"""A convoy from the command line: opened, approved, run to its end, and what came of it."""

from __future__ import annotations

import secrets
import shutil
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from app.board import Board, Convoy
from app.cli.call import Call
from app.cli.editing import edited
from app.cli.entrance import check_in, check_remote, engines_in_work
from app.cli.inputs import ask_for
from app.cli.naming import find_convoy
from app.cli.plan_view import plan_lines, plan_of
from app.cli.progress import one_line
from app.cli.recording import person, record_facts
from app.cli.running import Course, Finished, Runner, exit_code_of
from app.cli.starting import Prepared, engines_of, notices, prepare
from app.cli.summary import summary_document, summary_lines
from app.config import STRATEGIES
from app.errors import UserError
from app.mayor import Request, ValidPlan, open_convoy, plan_from_yaml, plan_to_yaml, rules_of, validate
from app.ports import ConvoyCancelled, ConvoyOpened, Fact, Operator, Plan, PlanApproved

if TYPE_CHECKING:
    from app.cli.mayor_commands import StartOptions
    from app.config import Config
    from app.wiring import Workshop

__all__ = ["conclude", "resume_convoys", "show_plan", "start_convoy"]


def start_convoy(call: Call, options: StartOptions) -> int:
    """`brat mayor start`: the exit code."""
    workshop = call.workshop(base=options.base, needs_branch=True)
    config = workshop.config.at(workshop.repository.base)
    prepared = prepare(
        ask_for(workshop, options.source, options.input), config, workshop.settings.allow_engines
    )
    operator = check_in(workshop, config, engines_of(prepared, config))
    remote = check_remote(workshop, options.remote, config)
    start = _Start(call, workshop, config, options=options)
    start.announce(prepared, operator, remote)
    return start.run(prepared, operator, remote)


def resume_convoys(call: Call, name: str | None, *, remote: str | None, ask: bool) -> int:
    """`brat mayor resume`: the exit code; 0 when nothing is open."""
    workshop = call.workshop()
    board, _ = workshop.view()
    chosen = (find_convoy(board, name),) if name else board.open_convoys
    issues = tuple(each.issue for each in chosen)
    config = workshop.config(board)
    operator = check_in(workshop, config, engines_in_work(workshop, config, issues))
    where = check_remote(workshop, remote, config)
    runner = Runner(call, workshop, operator=operator)
    course = Course(issues, remote=where, ask=ask and call.terminal)
    if not board.open_convoys:
        call.say("No convoy is open here.")
        finished = runner.once(course)
    else:
        for each in chosen:
            call.say(f"{each.slug}: {one_line(each.title)}")
        finished = runner.run(course)
    return conclude(call, workshop, finished, remote=where)


def conclude(call: Call, workshop: Workshop, finished: Finished, *, remote: str | None) -> int:
    """Say what came of it; the exit code."""
    now = workshop.surroundings.clock()
    if call.json:
        call.answer(summary_document(finished, now=now, remote=remote))
    for line in summary_lines(finished, now=now, remote=remote, columns=call.columns):
        call.say(line)
    return exit_code_of(finished)


def show_plan(call: Call, plan: Plan, config: Config) -> None:
    """Table, graph and notes, as wide as the terminal."""
    columns = min(shutil.get_terminal_size((100, 24)).columns, 120)
    plain = "utf" not in (sys.stdout.encoding or "").lower()
    for line in plan_lines(plan, config, columns=columns, ascii_only=plain):
        call.say(line)


class _Start:
    """One `mayor start` after its checks."""

    def __init__(self, call: Call, workshop: Workshop, config: Config, *, options: StartOptions) -> None:
        self._call, self._workshop = call, workshop
        self._config, self._options = config, options
        self._straight = options.headless or options.yes
        """Whether it runs without asking."""

    def announce(self, prepared: Prepared, operator: Operator, remote: str | None) -> None:
        """The plan and what a person should know, before anything is recorded."""
        uncommitted = self._workshop.config.uncommitted
        told = None if uncommitted is None else str(uncommitted)
        for line in notices(self._config, operator, remote=remote, uncommitted=told):
            self._call.say(line)
        self._call.say("")
        if prepared.plan is not None:
            show_plan(self._call, prepared.plan.plan, self._config)
            self._call.say("")

    def run(self, prepared: Prepared, operator: Operator, remote: str | None) -> int:
        issue = self._record(prepared)
        runner = Runner(self._call, self._workshop, operator=operator)
        course = Course((issue,), remote=remote, ask=not self._straight and self._call.terminal)
        if not self._straight:
            if prepared.plan is None:
                planned = runner.run(Course((issue,), roles=frozenset({"mayor"})))
                if self._convoy(issue).plan is None:
                    return conclude(self._call, self._workshop, planned, remote=remote)
            if not self._call.terminal:
                return self._leave(issue)
            agreed = self._ask(issue)
            if agreed is None:
                self._leave(issue)
                return 3
            course = Course((agreed,), remote=remote, ask=True)
        return conclude(self._call, self._workshop, runner.run(course), remote=remote)

    def _record(self, prepared: Prepared, replaces: str | None = None) -> str:
        """The new convoy's issue id, once it stands in the log."""
        request = self._request(prepared)
        by = request.by

        def decide(board: Board) -> tuple[Fact, ...]:
            over = (ConvoyCancelled(replaces, by, "replaced by an edited plan"),) if replaces else ()
            now = self._workshop.surroundings.clock()
            branches = tuple(_branches(self._workshop))
            return (*over, *open_convoy(board, request, prepared.plan, branches=branches, now=now))

        facts = record_facts(self._workshop, decide)
        opened = next(each for each in facts if isinstance(each, ConvoyOpened))
        target = opened.target.removeprefix("refs/heads/")
        lands = f"on {target}" if target == opened.base else f"on {target}, then on {opened.base}"
        self._call.say(f"Convoy {opened.slug} ({opened.convoy}) from {opened.base}; it lands {lands}.")
        return opened.issue

    def _request(self, prepared: Prepared) -> Request:
        options, repository = self._options, self._workshop.repository
        strategy = options.strategy or self._config.refinery.strategy
        if strategy not in STRATEGIES:
            raise UserError(f"--strategy {strategy!r}", remedy=f"one of: {', '.join(STRATEGIES)}")
        publisher = self._workshop.publisher()
        return Request(
            goal=prepared.goal,
            base=repository.base.removeprefix("refs/heads/"),
            base_commit=repository.head,
            strategy=strategy,
            approval=self._approval(),
            planner=prepared.planner,
            by=person(self._workshop),
            seed=secrets.token_hex(8),
            target=self._config.refinery.target,
            base_checked_out=bool(publisher.checkouts((repository.base,))),
            slug=options.slug,
            engine=prepared.engine,
        )

    def _approval(self) -> str:
        """Nothing runs unasked: without --headless a person says so, by option or when asked."""
        if self._options.approve is not None:
            return "auto" if self._options.approve else "required"
        if self._options.yes:
            return "auto"
        return self._config.mayor.approval if self._options.headless else "required"

    def _convoy(self, issue: str) -> Convoy:
        found = self._workshop.view()[0].convoy(issue)
        assert found is not None
        return found

    def _leave(self, issue: str) -> int:
        """Recorded, not run: how it goes on."""
        convoy = self._convoy(issue)
        approve = [] if convoy.approved_by else [f"brat convoy approve {convoy.slug}"]
        commands = [*approve, f"brat mayor resume {convoy.slug}"]
        if self._call.json:
            told = {"convoy_id": convoy.id, "slug": convoy.slug, "status": "recorded", "next": commands}
            self._call.answer({"convoy": told})
        self._call.say("Recorded; nothing runs yet. Next:")
        for each in commands:
            self._call.say(f"  {each}")
        return 0

    def _ask(self, issue: str) -> str | None:
        """The issue of the convoy that shall run (another one after an edit); None: not now."""
        import typer

        while True:
            convoy = self._convoy(issue)
            if convoy.approved_by:
                return issue
            answer = typer.prompt("Run this plan? [y/N/edit]", default="n", show_default=False).lower()
            if answer in ("y", "yes"):
                self._approve(convoy)
                return issue
            if answer not in ("e", "edit"):
                return None
            plan = self._edited(convoy)
            if plan is not None:
                issue = self._record(Prepared(convoy.goal, "plan", plan), replaces=issue)

    def _approve(self, convoy: Convoy) -> None:
        assert convoy.plan is not None
        approval = PlanApproved(convoy.issue, convoy.plan.hash, person(self._workshop))
        record_facts(self._workshop, lambda _: (approval,))

    def _edited(self, convoy: Convoy) -> ValidPlan | None:
        """The plan as it comes back from the person's editor; None: unchanged, or the editor gave up."""
        environ = self._workshop.surroundings.environ
        text = edited(plan_to_yaml(plan_of(convoy)), environ, ending=".yaml")
        if text is None:
            return None
        rules = rules_of(self._config, self._workshop.settings.allow_engines)
        valid = validate(plan_from_yaml(text, place="the edited plan"), rules)
        show_plan(self._call, valid.plan, self._config)
        return valid


def _branches(workshop: Workshop) -> Iterator[str]:
    import pygit2

    prefix = "refs/heads/"
    for name in pygit2.Repository(str(workshop.repository.common_dir)).references:
        if name.startswith(prefix):
            yield name.removeprefix(prefix)
