"""What a code host refuses is said in its words, and holds up nobody else."""

from __future__ import annotations

from dataclasses import replace

from app.board import TaskStatus
from app.config import Config, RefineryPolicy
from app.ports import Candidate, Land, MergeFailed, RefusedMove, RestoreRef, Verdict, VerdictState
from app.refinery.updating import update_key
from tests.book import BASE, Book
from tests.refinery.hub import GREEN, PULL, RULES, hub, look, published, settle
from tests.refinery.test_turns import OWN, publish

MAIN = "refs/heads/main"
PUSHED = Config(refinery=RefineryPolicy(land="push"))
NO = RefusedMove("the host refuses the push: protected", "let the App push to it", times=3)


def of(book: Book, verdicts: tuple[Verdict, ...]) -> Verdict:
    """What is said of the first task: the first word counts."""
    issue = book.board().convoys[0].tasks[0].issue
    return next(each for each in verdicts if each.subject == issue)


def test_a_branch_that_cannot_be_brought_up_to_date_says_so_and_gives_its_turn_to_others() -> None:
    book = Book()
    book.open()
    book.open()
    first, other = "1" * 40, "2" * 40
    behind, fresh = replace(publish(book, 0, 1, first), behind=True), publish(book, 1, 1, other)
    refs = {f"refs/heads/{each.head_branch}": each.head for each in (behind, fresh)}
    checks = {each: (GREEN, replace(OWN, key=f"check:{each}")) for each in (first, other)}
    seen = replace(hub(behind, fresh), checks=checks, rules={"main": replace(RULES, strict=True)})
    convoy = book.board().convoys[0]
    built = {update_key(convoy, convoy.tasks[0], {MAIN: BASE}): Candidate("d" * 40, "t")}
    ref = f"refs/heads/{behind.head_branch}"
    settle(book, seen, refs=refs, candidates=built)
    for times, lands in ((2, False), (3, True)):
        no = {ref: replace(NO, times=times)}
        tried = look(book, seen, refs=refs, candidates=built, refused=no).actions
        assert ref in [each.ref for each in tried if isinstance(each, Land)]
        decision = settle(book, seen, refs=refs, candidates=built, refused=no)
        assert (book.board().convoys[1].tasks[0].merge is not None) is lands
    told = of(book, decision.verdicts)
    assert (told.state, told.unblock) == (VerdictState.BLOCKED, "let the App push to it")
    assert "the host refuses the push: protected" in told.because


def test_a_base_that_refuses_the_tested_commit_is_said_and_frees_the_base_after_three_attempts() -> None:
    book = published()
    asked = settle(book, hub(PULL), config=PUSHED, refused={MAIN: replace(NO, times=1)})
    assert "protected; let the App push to it" in of(book, asked.verdicts).because
    for attempt in (1, 2, 3):
        (push,) = [each for each in settle(book, hub(PULL), config=PUSHED).actions if isinstance(each, Land)]
        refused = {MAIN: replace(NO, attempt=push.attempt)}
        facts = look(book, hub(PULL), config=PUSHED, refused=refused).facts
        assert [each.attempt for each in facts if isinstance(each, MergeFailed)] == [attempt]
        book.write(*facts)
    task = book.board().convoys[0].tasks[0]
    assert task.status is TaskStatus.BLOCKED
    assert task.blocked is not None
    assert "protected; let the App push to it" in task.blocked.reason


def test_a_ref_of_the_convoy_that_cannot_be_pushed_is_said() -> None:
    book = published()
    (push,) = [each for each in settle(book, hub(PULL), config=PUSHED).actions if isinstance(each, Land)]
    book.write(*push.facts)
    told = look(book, hub(PULL), config=PUSHED, refused={MAIN: NO}).verdicts[0]
    assert (told.subject, told.state) == (book.board().convoys[0].issue, VerdictState.BLOCKED)
    book = Book()
    book.open(target="convoy")
    target = book.board().convoys[0].target
    asked = look(book, hub(), refused={target: NO})
    assert [each.ref for each in asked.actions if isinstance(each, RestoreRef)] == [target]
    assert "the host refuses the push: protected" in asked.verdicts[0].because
