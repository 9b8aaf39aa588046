"""What is published, merged and landed: board and world in, facts, pushes and reasons out."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from app import refinery
from app.config import Config, RefineryPolicy
from app.ports import (
    BaseTakenOver,
    Candidate,
    Checkout,
    CheckSpec,
    ConvoyCompleted,
    ConvoyFailed,
    Decision,
    Finding,
    FollowUpWanted,
    HoldPlaced,
    HoldReleased,
    Inspection,
    Land,
    Life,
    MergeFailed,
    MergeStarted,
    MergeSucceeded,
    PlannedTask,
    Publish,
    RestoreRef,
    Role,
    Seen,
    SessionEnded,
    SessionResult,
    SessionSeen,
    SessionStarted,
    StartSession,
    TakeOver,
    TaskBlocked,
    TaskDropped,
    Wanted,
    WorkPublished,
)
from tests.book import BASE, Book, only

S1, HEAD, MERGED, TREE = "s-20260101-0001", "b" * 40, "c" * 40, "d" * 40
CHECKED = Config(refinery=RefineryPolicy(checks=(CheckSpec("tests", "make test"),)))
BRANCH = "refs/heads/convoy/jwt/task-1"


def finished(book: Book) -> str:
    """The first task with a session whose runner says that it is done."""
    task = book.board().convoys[0].tasks[0]
    book.write(SessionStarted(task.issue, S1, Role.WITNESS, "work", 1, BASE, book.now + 60_000, "shell"))
    return task.issue


def published(book: Book) -> str:
    issue = finished(book)
    end = SessionEnded(issue, S1, Role.WITNESS, "work", Finding.DONE, 0, 9, head=HEAD)
    book.write(end, WorkPublished(issue, S1, BRANCH.removeprefix("refs/heads/"), HEAD, BASE, ("a.py",)))
    return issue


def merging(book: Book, attempt: int = 1) -> str:
    issue = book.board().convoys[0].tasks[0].issue
    book.write(MergeStarted(issue, attempt, "rebase", BASE, HEAD, MERGED, TREE))
    return issue


DONE = SessionSeen(Life.ENDED, result=SessionResult(S1, Finding.DONE, 0, 1, 2, head=HEAD))


def look_for(book: Book, sessions: dict[str, SessionSeen] | None = None) -> Wanted:
    return refinery.wanted(book.board(), sessions or {}, {"refs/heads/main": BASE})


def seen(book: Book, **world: object) -> Seen:
    """The world with `main` at the base; candidates and works given for what is asked."""
    sessions = world.pop("sessions", {})
    wanted = look_for(book, sessions)  # type: ignore[arg-type]
    refs = {"refs/heads/main": BASE} | world.pop("refs", {})  # type: ignore[operator]
    inspection, candidate = world.pop("inspection", None), world.pop("candidate", None)
    assert inspection is None or isinstance(inspection, Inspection)
    assert candidate is None or isinstance(candidate, Candidate)
    return Seen(
        refs=MappingProxyType({name: head for name, head in refs.items() if head}),
        sessions=MappingProxyType(sessions),  # type: ignore[arg-type]
        works=MappingProxyType({key: inspection for key in wanted.works} if inspection else {}),
        candidates=MappingProxyType({key: candidate for key in wanted.candidates} if candidate else {}),
        **world,  # type: ignore[arg-type]
    )


def decide(book: Book, world: Seen, config: Config | None = None, **setting: object) -> Decision:
    return refinery.decide(book.look(world, config=config, **setting))


def test_finished_work_is_published_together_with_its_record() -> None:
    book = Book()
    book.open(PlannedTask("one", "First", paths=("src/**",)))
    issue = finished(book)
    world = seen(book, sessions={S1: DONE}, inspection=Inspection(HEAD, ("src/a", "other")))
    (action,) = decide(book, world).actions
    assert isinstance(action, Publish)
    assert (action.branch, action.old, action.work.head) == (BRANCH, None, HEAD)
    ended, record = action.facts
    assert isinstance(ended, SessionEnded)
    assert isinstance(record, WorkPublished)
    assert (record.issue, record.strayed) == (issue, ("other",))


def test_work_that_the_publisher_refuses_ends_its_session_with_the_reason() -> None:
    book = Book()
    book.open()
    finished(book)
    world = seen(book, sessions={S1: DONE}, inspection=Inspection(HEAD, problems=("a path is .git/config",)))
    end = only(decide(book, world).facts, SessionEnded)
    assert isinstance(end, SessionEnded)
    assert (end.finding, end.evidence) == (Finding.REFUSED, "the work was refused: a path is .git/config")


def test_protected_paths_are_held_until_exactly_that_head_is_released() -> None:
    book = Book()
    book.open()
    issue = finished(book)
    found = Inspection(HEAD, (".github/ci.yml",), protected=(".github/ci.yml",))
    decision = decide(book, seen(book, sessions={S1: DONE}, inspection=found))
    assert decision.actions == ()
    book.write(*decision.facts)
    task = book.board().convoys[0].tasks[0]
    held = decide(book, seen(book, inspection=found))
    assert (held.facts, held.actions) == ((), ())
    assert held.verdicts[0].unblock == f"brat task release {task.id} --head {HEAD[:12]}"
    book.write(HoldReleased(issue, "f" * 40, "ada"))
    assert decide(book, seen(book, inspection=found)).actions == ()
    book.write(HoldReleased(issue, HEAD, "ada"))
    (action,) = decide(book, seen(book, inspection=found)).actions
    assert isinstance(action, Publish)


def test_a_hold_by_a_person_keeps_finished_work_from_its_branch() -> None:
    book = Book()
    book.open()
    issue = finished(book)
    book.write(HoldPlaced(issue, None, None, "wait for ada", by="ada"))
    world = seen(book, sessions={S1: DONE}, inspection=Inspection(HEAD, ("a",)))
    assert decide(book, world).actions == ()


def test_a_recorded_branch_that_is_missing_is_pushed_again() -> None:
    book = Book()
    book.open()
    published(book)
    assert decide(book, seen(book)).actions == (RestoreRef(BRANCH, None, HEAD),)
    assert decide(book, seen(book, refs={BRANCH: HEAD})).actions == ()


def test_a_merge_is_recorded_before_it_is_checked_and_checked_before_it_lands() -> None:
    book = Book()
    book.open()
    issue = published(book)
    world = seen(book, refs={BRANCH: HEAD}, candidate=Candidate(MERGED, TREE))
    (start,) = decide(book, world, CHECKED).facts
    assert start == MergeStarted(issue, 1, "rebase", BASE, HEAD, MERGED, TREE)
    book.write(start)
    (check,) = decide(book, world, CHECKED).facts
    assert isinstance(check, SessionStarted)
    assert (check.role, check.commit, check.base) == (Role.REFINERY, MERGED, MERGED)
    book.write(check)
    absent = replace(world, sessions=MappingProxyType({check.session: SessionSeen(Life.ABSENT)}))
    (action,) = decide(book, absent, CHECKED).actions
    assert isinstance(action, StartSession)
    assert [each.run for each in action.spec.checks] == ["make test"]
    book.write(SessionEnded(issue, check.session, Role.REFINERY, "check", Finding.DONE, 0, 9))
    (land,) = decide(book, world, CHECKED).actions
    assert land == Land(
        "refs/heads/main",
        BASE,
        MERGED,
        (MergeSucceeded(issue, 1, "rebase", MERGED, BASE, ("tests",)),),
    )


def test_without_checks_the_record_says_that_nothing_verified_it() -> None:
    book = Book()
    book.open()
    published(book)
    merging(book)
    (land,) = decide(book, seen(book, refs={BRANCH: HEAD}, candidate=Candidate(MERGED, TREE))).actions
    assert isinstance(land, Land)
    (fact,) = land.facts
    assert isinstance(fact, MergeSucceeded)
    assert fact.checked == ()


def test_a_conflict_goes_back_to_an_agent_and_is_blocked_at_the_limit() -> None:
    book = Book()
    book.open()
    issue = published(book)
    world = seen(book, refs={BRANCH: HEAD}, candidate=Candidate(None, conflicts=("a.py",), detail="CONFLICT"))
    facts = decide(book, world).facts
    wanted = only(facts, FollowUpWanted)
    assert isinstance(wanted, FollowUpWanted)
    assert (wanted.paths, wanted.evidence) == (("a.py",), "conflicts in a.py\nCONFLICT")
    book.write(*facts)
    for attempt in (2, 3):
        assert decide(book, world).facts == (), "one conflict is told once"
        book.write(WorkPublished(issue, f"s-{attempt}", "b", HEAD, BASE, ("a.py",)))
        world = seen(book, refs={BRANCH: HEAD}, candidate=Candidate(None, conflicts=("a.py",)))
        facts = decide(book, world).facts
        book.write(*facts)
    blocked = only(facts, TaskBlocked)
    assert isinstance(blocked, TaskBlocked)
    assert blocked.reason == "did not land after 3 tries, the last for a conflict: conflicts in a.py"


def test_red_checks_go_back_with_their_output() -> None:
    book = Book()
    book.open()
    issue = published(book)
    merging(book)
    world = seen(book, refs={BRANCH: HEAD}, candidate=Candidate(MERGED, TREE))
    (check,) = decide(book, world, CHECKED).facts
    assert isinstance(check, SessionStarted)
    end = SessionEnded(
        issue, check.session, Role.REFINERY, "check", Finding.ACCEPTANCE, 1, 9, evidence="2 failed"
    )
    book.write(check, end)
    failed, follow_up = decide(book, world, CHECKED).facts
    assert failed == MergeFailed(issue, 1, "rebase", "check", "2 failed")
    assert follow_up == FollowUpWanted(issue, "check", "2 failed", HEAD)


def test_a_base_that_moved_means_a_new_merge_and_costs_no_try() -> None:
    book = Book()
    book.open()
    issue = published(book)
    merging(book)
    moved = {"refs/heads/main": "e" * 40, BRANCH: HEAD}
    key = refinery.wanted(book.board(), {}, moved).candidates
    world = Seen(
        refs=MappingProxyType(moved),
        candidates=MappingProxyType({key[0]: Candidate("9" * 40, TREE)}),
    )
    assert decide(book, world).facts == (
        MergeFailed(issue, 1, "rebase", "base-moved"),
        MergeStarted(issue, 2, "rebase", "e" * 40, HEAD, "9" * 40, TREE),
    )


def test_a_landing_whose_record_was_lost_is_recorded_and_not_done_again() -> None:
    book = Book()
    book.open()
    issue = published(book)
    merging(book)
    there = frozenset({("refs/heads/main", MERGED)})
    decision = decide(book, seen(book, refs={"refs/heads/main": MERGED, BRANCH: HEAD}, contains=there))
    assert decision == Decision(
        facts=(MergeSucceeded(issue, 1, "rebase", MERGED, BASE),), verdicts=decision.verdicts
    )


def test_a_recorded_landing_whose_ref_did_not_move_is_pushed_again() -> None:
    book = Book()
    book.open(PlannedTask("one", "First"), PlannedTask("two", "Second"))
    issue = published(book)
    merging(book)
    book.write(MergeSucceeded(issue, 1, "rebase", MERGED, BASE))
    assert decide(book, seen(book)).actions == (RestoreRef("refs/heads/main", BASE, MERGED),)
    rewound = decide(book, seen(book, refs={"refs/heads/main": "e" * 40}))
    assert rewound.actions == ()
    assert rewound.verdicts[0].rule == "landed-commit-missing"


def test_only_one_merge_at_a_time_goes_to_a_target_the_oldest_work_first() -> None:
    book = Book()
    book.open(PlannedTask("one", "First"), PlannedTask("two", "Second"))
    first, second = (task.issue for task in book.board().convoys[0].tasks)
    book.write(WorkPublished(second, "s-2", "b2", "2" * 40, BASE, ("b",)))
    book.write(WorkPublished(first, "s-1", "b1", "1" * 40, BASE, ("a",)))
    (key,) = look_for(book).candidates
    assert key.head == "2" * 40
    verdicts = {each.subject: each.because for each in decide(book, seen(book)).verdicts}
    assert verdicts[first] == "task 2 is landing; one merge at a time"


def test_work_that_strayed_into_a_running_task_lands_after_it() -> None:
    book = Book()
    book.open(PlannedTask("one", "First", paths=("a/**",)), PlannedTask("two", "Second", paths=("b/**",)))
    first, second = (task.issue for task in book.board().convoys[0].tasks)
    book.write(SessionStarted(second, "s-2", Role.WITNESS, "work", 1, BASE, 10**15, "shell"))
    book.write(WorkPublished(first, S1, "b1", HEAD, BASE, ("a/x", "b/y"), ("b/y",)))
    assert look_for(book).candidates == ()
    verdicts = {each.subject: each.because for each in decide(book, seen(book)).verdicts}
    assert verdicts[first] == "it touched paths of task 2, which is still running and lands first"


def done_convoy(**request: object) -> Book:
    book = Book()
    book.open(**request)  # type: ignore[arg-type]
    issue = published(book)
    merging(book)
    book.write(MergeSucceeded(issue, 1, "rebase", MERGED, BASE))
    return book


def test_a_convoy_is_complete_when_its_base_has_all_of_it() -> None:
    book = done_convoy()
    there = frozenset({("refs/heads/main", MERGED)})
    issue = book.board().convoys[0].issue
    decision = decide(book, seen(book, refs={"refs/heads/main": MERGED}, contains=there))
    assert decision.facts == (ConvoyCompleted(issue, MERGED),)


def test_a_checked_out_base_is_taken_over_once_when_it_is_clean() -> None:
    book = done_convoy(base_checked_out=True)
    convoy = book.board().convoys[0]
    assert convoy.target == "refs/heads/convoy/jwt/main"
    contains = frozenset({(convoy.target, MERGED), (convoy.target, BASE)})
    clean = MappingProxyType({"main": Checkout("/src", "main", True)})
    world = seen(book, refs={convoy.target: MERGED}, contains=contains, checkouts=clean)
    taken = BaseTakenOver(convoy.issue, "main", BASE, MERGED)
    assert decide(book, world).actions == (TakeOver("main", BASE, MERGED, (taken,)),)
    asked = decide(book, world, take_over=False)
    assert (asked.actions, asked.verdicts[0].unblock) == ((), "git merge --ff-only convoy/jwt/main")
    dirty = MappingProxyType({"main": Checkout("/src", "main", False, "a.py is changed")})
    refused = decide(book, replace(world, checkouts=dirty))
    assert refused.actions == ()
    assert refused.verdicts[0].because == "main is checked out and not clean: a.py is changed"


def test_a_base_with_commits_of_its_own_is_left_to_the_person() -> None:
    book = done_convoy(base_checked_out=True)
    convoy = book.board().convoys[0]
    world = seen(
        book,
        refs={convoy.target: MERGED, "refs/heads/main": "e" * 40},
        contains=frozenset({(convoy.target, MERGED)}),
    )
    decision = decide(book, world)
    assert decision.actions == ()
    assert decision.verdicts[0].unblock == "git merge convoy/jwt/main"


def test_a_convoy_of_dropped_tasks_has_failed() -> None:
    book = Book()
    convoy = book.open().convoys[0]
    book.write(TaskDropped(convoy.tasks[0].issue, "ada"))
    assert decide(book, seen(book)).facts == (
        ConvoyFailed(convoy.issue, "every task was dropped: nothing landed"),
    )
