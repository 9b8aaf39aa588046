"""A person's repository, an operator's file and agents by script; the user's verbs on top."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.board import Board, Convoy, Session, Task, TaskStatus, record, retry_task
from app.control import ROLES, End, Loop, Pass, Reconciler, Stop
from app.grite import CommentAdded
from app.mayor import Request, open_convoy, plan_from_checklist, rules_of, validate
from app.ports import SessionSpec, Step, unnumbered
from app.runner import Folder, decode
from app.wiring import Surroundings, Workshop, open_workshop
from tests.processes import all_end, processes_with, shown

__all__ = ["CHAIN_AND_ONE", "SEED", "World"]

SEED = "a request"
CHAIN_AND_ONE = "Three parts\n- [ ] First\n- [ ] Second\n  after: 1\n- [ ] Third\n"
SHELL = '[engine.default]\ntype = "shell"\n'
CHECKED = '[[refinery.check]]\nname = "sane"\nrun = "test -f README.md"\n'
WORKS = 'cat > /dev/null\necho "working on $task"\necho "$task" > "$task.txt"\n'


@dataclass
class World:
    """`root` holds everything: `repo` (main is checked out), `lent` (what agents see), `operator.toml`."""

    root: Path
    isolation: str = "bwrap"
    base: str = "main"
    step: Step = unnumbered
    runner: tuple[str, ...] | None = None
    engines: tuple[str, ...] = ("shell",)
    environ: dict[str, str] = field(default_factory=dict)
    last: Pass | None = None
    opened: list[Workshop] = field(default_factory=list)

    @classmethod
    def make(cls, root: Path, *, config: str = CHECKED, **more: Any) -> World:
        """A repository with one commit that holds README.md and the configuration."""
        world = cls(root, **more)
        (world.lent / "plays").mkdir(parents=True)
        shutil.copy2(Path(__file__).with_name("agent.sh"), world.lent / "agent.sh")
        world.plays("witness", WORKS)
        world.operator()
        subprocess.run(["git", "init", "-q", "-b", world.base, str(world.repo)], check=True)
        world.commit({"README.md": "A project.\n", ".brat/config.toml": f"{SHELL}{config}"})
        return world

    @property
    def repo(self) -> Path:
        return self.root / "repo"

    @property
    def lent(self) -> Path:
        return self.root / "lent"

    @property
    def state(self) -> Path:
        return self.repo / ".git" / "brat"

    def operator(self, text: str = "") -> None:
        """Write the operator's file; the shell agent and the isolation are always in it."""
        agent = f'[engines.shell]\ncommand = ["{self.lent}/agent.sh"]\n'
        sandbox = f'[sandbox]\nread_only = ["{self.lent}"]\nisolation = "{self.isolation}"\n'
        (self.root / "operator.toml").write_text(agent + sandbox + text)

    def plays(self, who: str, script: str, *, attempt: int | None = None) -> None:
        """What the agent of `task-<n>`, in this attempt or in any, does; also by role."""
        (self.lent / "plays" / (f"{who}.{attempt}" if attempt else who)).write_text(script)

    def git(self, *args: str) -> str:
        """Git as the person runs it."""
        ran = subprocess.run(["git", "-C", self.repo, *args], check=True, capture_output=True, text=True)
        return ran.stdout.strip()

    def commit(self, files: Mapping[str, str], message: str = "By hand") -> str:
        """The person commits."""
        for name, text in files.items():
            path = self.repo / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.git("add", "--all")
        self.git("commit", "-q", "-m", message)
        return self.git("rev-parse", "HEAD")

    def surroundings(self) -> Surroundings:
        told = {**os.environ, "BRAT_CONFIG": str(self.root / "operator.toml"), **self.environ}
        return Surroundings(told, self.root, step=self.step, runner=self.runner)

    def workshop(self) -> Workshop:
        """As a fresh process would open it."""
        return open_workshop(self.repo, self.surroundings(), base=self.base)

    def start(self, checklist: str = CHAIN_AND_ONE, **changed: Any) -> str:
        """A convoy is asked for and recorded; its issue id."""
        shop = self.workshop()
        config = shop.config.at(shop.repository.base)
        wanted: dict[str, Any] = {
            "goal": checklist,
            "base": self.base,
            "base_commit": shop.repository.head,
            "strategy": config.refinery.strategy,
            "approval": "auto",
            "planner": "checklist",
            "by": "Ada",
            "seed": SEED,
            "base_checked_out": shop.repository.branch == f"refs/heads/{self.base}",
        }
        request = Request(**{**wanted, **changed})
        plan = None
        if request.planner == "checklist":
            plan = validate(plan_from_checklist(checklist), rules_of(config, shop.settings.allow_engines))
        log = shop.log(write=True)
        board = shop.view()[0]
        facts = open_convoy(board, request, plan, now=shop.surroundings.clock())
        log.append(record(board, facts, now=shop.surroundings.clock()), expected=board.head)
        return facts[0].issue

    def reconciler(self, *, roles: frozenset[str] = ROLES) -> Reconciler:
        """The loop's body, as a fresh process makes it."""
        shop = self.workshop()
        self.opened.append(shop)
        config = shop.config.at(shop.repository.base)
        engines = sorted({choice.type for _, choice in config.engines} | set(self.engines))
        return shop.reconciler(roles=roles, operator=shop.operator(engines))

    def run(
        self,
        *,
        stop: Stop | None = None,
        on_look: Callable[[Pass], None] = lambda _: None,
        roles: frozenset[str] = ROLES,
    ) -> End:
        """The loop to its end, in this process. One role alone waits for the others, as the command does."""
        reconciler = self.reconciler(roles=roles)
        loop = Loop(reconciler, stop=stop or Stop(), on_look=on_look, look_again_s=0.3)
        issues = tuple(each.issue for each in reconciler.board().convoys)
        end, self.last = loop.run(lambda board: issues, forever=roles != ROLES)
        self.leave()
        return end

    def retry_blocked(self) -> int:
        """What `brat task retry` records, for each blocked task; their number."""
        log, board = self.workshop().log(write=True), self.board()
        convoy = board.convoys[-1]
        blocked = [each for each in convoy.tasks if each.status is TaskStatus.BLOCKED]
        facts = [fact for each in blocked for fact in retry_task(convoy, each, by="Ada")]
        if facts:
            log.append(record(board, facts, now=self.surroundings().clock()), expected=board.head)
        return len(blocked)

    def leave(self) -> None:
        """The process is over: nobody drives the repository from here."""
        while self.opened:
            self.opened.pop().close()

    def board(self) -> Board:
        """Folded anew from the log."""
        return self.workshop().view()[0]

    @property
    def convoy(self) -> Convoy:
        """The newest."""
        return self.board().convoys[-1]

    def task(self, number: int) -> Task:
        found = self.convoy.task(number)
        assert found is not None
        return found

    def works(self, number: int) -> tuple[Session, ...]:
        """The work sessions of a task."""
        return tuple(each for each in self.task(number).sessions if each.started.purpose == "work")

    def folder(self, session: str) -> Folder:
        return Folder(self.state / "sessions" / session)

    def prompt(self, number: int, attempt: int = 1) -> str:
        """What the agent of this attempt was told."""
        spec = decode(SessionSpec, self.folder(self.works(number)[attempt - 1].id).spec.read_bytes())
        assert spec.engine is not None
        return spec.engine.prompt

    def landed(self, ref: str = "") -> tuple[str, ...]:
        """Titles of the commits on the base since the convoy began, oldest first."""
        told = self.git("log", "--reverse", "--format=%s", f"{self.convoy.base_commit}..{ref or self.base}")
        return tuple(told.splitlines())

    def landed_tasks(self, ref: str = "") -> tuple[str, ...]:
        """Task ids in the trailers of those commits."""
        form = "%(trailers:key=Brat-Task,valueonly,separator=%x2C)"
        told = self.git(
            "log", "--reverse", f"--format={form}", f"{self.convoy.base_commit}..{ref or self.base}"
        )
        return tuple(told.splitlines())

    def files(self, ref: str = "") -> dict[str, str]:
        """Paths and blobs of a commit's tree."""
        lines = self.git("ls-tree", "-r", ref or self.base).splitlines()
        return {line.split("\t")[1]: line.split()[2] for line in lines}

    def refs(self) -> dict[str, str]:
        lines = self.git("for-each-ref", "--format=%(refname) %(objectname)").splitlines()
        return dict(line.split() for line in lines)

    def events(self, text: str) -> int:
        """How many comments of the log hold this text."""
        events = self.workshop().log().read().events
        return sum(isinstance(each.kind, CommentAdded) and text in each.kind.body for each in events)

    def expect_landed(self, *titles: str) -> None:
        """The convoy is complete, the base holds each task's work once, and the log says so once."""
        assert self.convoy.status.value == "complete", self.told()
        assert sorted(self.landed()) == sorted(titles), self.git("log", "--graph", "--oneline", "--all")
        tasks = self.landed_tasks()
        assert sorted(tasks) == sorted(task.id for task in self.convoy.tasks)
        assert self.events('result = "succeeded"') == len(self.convoy.tasks)
        self.expect_clean_checkout()

    def expect_clean_checkout(self) -> None:
        """The person's tree is what HEAD says."""
        assert self.git("status", "--porcelain") == ""

    def expect_in_order(self) -> None:
        """Nothing is left that a later run would have to mend: processes, locks, journals, a broken log."""
        self.leave()
        ended = all_end(processes_with(str(self.state)))
        assert ended, f"processes are left behind:\n{shown(str(self.state))}"
        common = self.repo / ".git"
        left = [*common.glob("*.lock"), *common.glob("refs/**/*.lock"), *self.state.glob("push.json")]
        left += [*self.state.glob("takeover/journal.json"), *self.state.glob("inspect/*")]
        assert left == []
        for name in ("mirror.lock", "push.lock", "log.lock", "takeover.lock"):
            if (self.state / name).exists():
                with (self.state / name).open() as file:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if self.state.exists():
            assert [str(each) for each in self.workshop().log().verify()] == []
            assert self.board().problems == ()

    def told(self) -> str:
        """What the last pass said, for a person who reads a failed test."""
        if self.last is None:
            return "no pass in this process"
        parts = (*self.last.refusals, *self.last.verdicts)
        tasks = [f"{each.number} {each.status}: {each.blocked}" for each in self.convoy.tasks]
        return "\n".join([*map(str, parts), *tasks])
