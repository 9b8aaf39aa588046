"""A code host as plain state, and processes that look at it, write the log and act."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from app.board import Board, Convoy, Look
from app.config import Config
from app.desk import Starter, approval_of, decide, tell, wanted
from app.mayor import Request, open_convoy, validate
from app.ports import (
    Access,
    CloseIssue,
    Comment,
    ConvoyOpened,
    Decision,
    EditComment,
    Fact,
    HubSeen,
    HubWanted,
    IssueSeen,
    Label,
    Person,
    Plan,
    PlannedTask,
    PostComment,
    PullSeen,
    PullState,
    React,
    RequestSource,
    Seen,
    Setting,
    Trigger,
)
from tests.book import BASE, ME, RULES, Book

ADA = Person(1, "ada")
EVE = Person(2, "eve")
TRI = Person(3, "tri")
ROBOT = Person(4, "robot[bot]", bot=True)
US = Person(99, "brat[bot]", bot=True, ours=True)
ACCESS = {ADA.id: Access.WRITE, EVE.id: Access.READ, TRI.id: Access.TRIAGE}
TASKS = (PlannedTask("one", "Do one thing"), PlannedTask("two", "Do another", depends_on=("one",)))
LAG_MS = 30_000
"""For so long a list of the code host does not show what was just written."""


def starter(*tasks: PlannedTask) -> Starter:
    """Opens a convoy with this plan."""
    plan = validate(Plan("Use JWT", tasks or TASKS), RULES)

    def start(look: Look, request: RequestSource, *, goal: str, title: str) -> tuple[Fact, ...]:
        text = f"{title}\n\n{goal}".strip()
        asked = Request(
            text, "main", BASE, "rebase", approval_of(look), "checklist", request.by, seed=request.trigger
        )
        facts = open_convoy(look.board, asked, plan, now=look.now)
        return tuple(
            replace(each, request=request) if isinstance(each, ConvoyOpened) else each for each in facts
        )

    return start


@dataclass
class Process:
    """What one process knows beside the log: what its own actions left."""

    name: str
    done: dict[str, int] = field(default_factory=dict)
    tried: set[str] = field(default_factory=set)


@dataclass
class World:
    """One repository: its log, its issues, its comments, the clock."""

    book: Book = field(default_factory=Book)
    issues: dict[int, IssueSeen] = field(default_factory=dict)
    comments: dict[int, Comment] = field(default_factory=dict)
    pulls: dict[int, PullSeen] = field(default_factory=dict)
    reactions: list[tuple[int, str]] = field(default_factory=list)
    access: dict[int, Access] = field(default_factory=lambda: dict(ACCESS))
    config: Config = field(default_factory=Config)
    start: Starter = field(default_factory=starter)
    main: Process = field(default_factory=lambda: Process("p-1"))
    private: bool = False
    edits: int = 0
    ids: int = 100

    @property
    def now(self) -> int:
        return self.book.now

    def id(self) -> int:
        self.ids += 1
        return self.ids

    def later(self, ms: int) -> None:
        self.book.now += ms

    # what people do

    def issue(self, number: int = 7, *, title: str = "Use JWT", body: str = "Please.") -> int:
        self.issues[number] = IssueSeen(number, f"https://hub/{number}", title, body, EVE, open=True)
        return number

    def pull(self, number: int = 12) -> int:
        """A pull request that has nothing to do with us."""
        head = (f"https://hub/{number}", "Mine", "", PullState.OPEN, False, "b" * 40, "feature", "main")
        self.pulls[number] = PullSeen(number, *head)
        return number

    def label(self, number: int = 7, by: Person = ADA) -> None:
        self.later(1000)
        issue = self.issues[number]
        self.issues[number] = replace(
            issue, labels=issue.labels | {"brat"}, trigger=Trigger(self.id(), by, self.now)
        )

    def unlabel(self, number: int = 7) -> None:
        issue = self.issues[number]
        self.issues[number] = replace(issue, labels=issue.labels - {"brat"}, trigger=None)

    def edit(self, body: str, number: int = 7) -> None:
        self.later(1000)
        self.issues[number] = replace(self.issues[number], body=body, edited_ts=self.now)

    def close(self, number: int = 7, by: Person = ADA) -> None:
        self.issues[number] = replace(self.issues[number], open=False, closed_by=by, closed_ts=self.now)

    def say(self, body: str, by: Person = ADA, number: int = 7, *, edited: bool = False) -> int:
        self.later(1000)
        on_pull = number in self.pulls
        comment = Comment(self.id(), number, by, body, self.now, edited=edited, on_pull=on_pull)
        self.comments[comment.id] = comment
        return comment.id

    # what a process does

    def see(self, asked: HubWanted, process: Process) -> HubSeen:
        """What `asked` shows; issues of comments and everybody's access come with them."""
        inbox = [
            each
            for each in self.comments.values()
            if not each.author.ours
            and each.created_ts >= asked.since_ts
            and f"comment:{each.id}" not in asked.handled
        ]
        numbers = {
            *asked.issues,
            *(n for n, each in self.issues.items() if "brat" in each.labels and each.open),
        }
        numbers |= {each.number for each in inbox}
        ours = [
            each
            for each in self.comments.values()
            if each.author.ours and each.number in asked.issues and self._listed(each)
        ]
        return HubSeen(
            private=self.private,
            issues={n: self.issues[n] for n in sorted(numbers) if n in self.issues},
            triggered=tuple(
                n for n in sorted(numbers) if n in self.issues and self._waits(self.issues[n], asked)
            ),
            comments=(*inbox, *ours),
            pulls={n: self.pulls[n] for n in asked.pulls if n in self.pulls},
            access=self.access,
            done=dict(process.done),
            tried=frozenset(process.tried),
        )

    def _listed(self, comment: Comment) -> bool:
        return self.now >= comment.created_ts + LAG_MS

    def _waits(self, issue: IssueSeen, asked: HubWanted) -> bool:
        return issue.trigger is not None and f"label:{issue.trigger.event}" not in asked.handled

    def look(self, process: Process | None = None) -> Look:
        process = process or self.main
        setting = Setting(me=str(ME), repository="/mirror", now=self.now, process=process.name, hosted=True)
        asked = wanted(self.board, setting, self.config)
        return Look(self.board, Seen(hub=self.see(asked, process)), self.config, setting)

    def decided(self, process: Process | None = None) -> Decision:
        look = self.look(process)
        first = decide(look, start=self.start)
        return first + tell(look, first.verdicts)

    def step(self, process: Process | None = None) -> bool:
        """One round: facts into the log, or actions where there are none. Whether anything was done."""
        decision = self.decided(process)
        return self.carry_out(decision, self.board, process)

    def carry_out(self, decision: Decision, on: Board, process: Process | None = None) -> bool:
        if decision.facts:
            if on.head == self.board.head:
                self.book.write(*decision.facts)
            return True
        for action in decision.actions:
            self.act(action, process or self.main)
        return bool(decision.actions)

    def settle(self, process: Process | None = None) -> None:
        """Rounds of a second until nothing is left to do; lists catch up after each act."""
        for _ in range(90):
            acted = not self.decided(process).facts
            if not self.step(process):
                return
            self.later(LAG_MS if acted else 1_000)
        raise AssertionError("never at rest")

    def act(self, action: object, process: Process, *, known: bool = True) -> None:
        """The effect; without `known` its outcome is not told."""
        match action:
            case PostComment():
                comment = Comment(self.id(), action.number, US, action.body, self.now, key=action.key)
                self.comments[comment.id] = comment
                self._left(process, action.key, comment.id, known=known)
            case EditComment():
                self.edits += 1
                self.comments[action.comment] = replace(self.comments[action.comment], body=action.body)
            case React():
                self.reactions.append((action.comment, action.content))
                self._left(process, action.key, 1, known=known)
            case Label():
                issue = self.issues[action.number]
                labels = (issue.labels | set(action.add)) - set(action.remove)
                self.issues[action.number] = replace(issue, labels=labels)
            case CloseIssue():
                self.close(action.number, by=US)
                self._left(process, action.key, 1, known=known)
            case _:
                raise AssertionError(f"not of the desk: {action}")

    def _left(self, process: Process, key: str, ref: int, *, known: bool) -> None:
        if known:
            process.done[key] = ref
        else:
            process.tried.add(key)

    # what is there

    def status(self) -> str:
        return self.convoy.status.value

    @property
    def board(self) -> Board:
        return self.book.board()

    @property
    def convoy(self) -> Convoy:
        (found,) = self.board.convoys
        return found

    def ours(self, prefix: str = "") -> list[Comment]:
        return [each for each in self.comments.values() if each.author.ours and each.key.startswith(prefix)]

    def replies(self) -> list[str]:
        return [each.body for each in self.ours("reply:")]


def labelled(**over: object) -> World:
    """A world in which ada labelled issue 7 and brat has answered."""
    world = World(**over)  # type: ignore[arg-type]
    world.issue()
    world.label()
    world.settle()
    return world
