"""Pull requests on a code host: opened once, merged when policy allows, and people's word respected."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from app.board import Task, TaskStatus
from app.config import Config, RefineryPolicy
from app.ports import (
    BranchRules,
    Candidate,
    CheckSeen,
    CheckState,
    ConvoyCompleted,
    ConvoyPaused,
    EditPull,
    Enqueue,
    Fact,
    FollowUpWanted,
    HoldPlaced,
    HoldReleased,
    HubSeen,
    Introduce,
    Land,
    MergePull,
    MergeStarted,
    MergeSucceeded,
    OpenPull,
    PlannedTask,
    PostCheck,
    PullEnded,
    PullOpened,
    PullState,
    QueueSeen,
    RefusedMove,
    RerunCheck,
    RestoreRef,
    TaskBlocked,
    TaskRetried,
    VerdictState,
)
from app.refinery import hub_wanted
from app.refinery.updating import update_key
from app.refinery.watching import updates_wanted
from app.texts import sealed
from tests.book import BASE, Book, only
from tests.refinery.hub import (
    ADA,
    BRANCH,
    GREEN,
    HEAD,
    LANDED,
    MERGED,
    PULL,
    RULES,
    SAID,
    hub,
    look,
    published,
    settle,
)

RED = replace(GREEN, state=CheckState.FAILURE)


def landing_book(tasks: int = 1) -> Book:
    """The first task's merge is under way."""
    book = published(*(PlannedTask(f"n{each}", f"Task {each}") for each in range(tasks)))
    settle(book, hub(PULL))
    return book


def test_published_work_gets_one_pull_request() -> None:
    book = published()
    (action,) = look(book, hub()).actions
    assert isinstance(action, OpenPull)
    assert (action.head, action.base, action.title) == (BRANCH, "main", "Do one thing")
    opened = only(look(book, hub(PULL)).facts, PullOpened)
    assert isinstance(opened, PullOpened)
    assert (opened.number, opened.head) == (3, HEAD)
    book.write(opened)
    assert not [each for each in look(book, hub(PULL)).actions if isinstance(each, OpenPull)]


def test_a_description_tells_of_the_work_that_is_there_now_unless_a_person_wrote_in_it() -> None:
    book = published()
    (opened,) = look(book, hub()).actions
    assert isinstance(opened, OpenPull)
    book.write(*look(book, hub(PULL)).facts)
    old = replace(PULL, body=sealed("**What** it was before\n"))
    for body, edited in (
        (opened.body, False),
        (old.body, True),
        (old.body.replace("\n", "\r\n"), True),
        (old.body.replace("before", "before, says ada"), False),
        ("all mine", False),
    ):
        actions = settle(book, hub(replace(PULL, body=body), checks=())).actions
        found = [each for each in actions if isinstance(each, EditPull)]
        assert found == ([EditPull(3, opened.body)] if edited else []), body


def test_a_green_pull_request_is_merged_with_its_head_as_guard_after_the_intent_is_in_the_log() -> None:
    book = published()
    book.write(*look(book, hub(PULL)).facts)
    first = look(book, hub(PULL))
    only(first.facts, MergeStarted)
    assert not [each for each in first.actions if isinstance(each, MergePull)]
    merge = next(each for each in settle(book, hub(PULL)).actions if isinstance(each, MergePull))
    assert (merge.number, merge.head, merge.method) == (3, HEAD, "rebase")


def test_nothing_is_merged_while_a_required_check_is_red_pending_or_missing() -> None:
    for checks in ((RED,), (replace(GREEN, state=CheckState.PENDING),), (), (replace(GREEN, app=666),)):
        book = published()
        decision = settle(book, hub(PULL, checks=checks, failures={11: "boom"}))
        assert not [each for each in decision.actions if isinstance(each, MergePull)]
        assert not [each for each in book.board().convoys[0].tasks[0].merges if each.result == "running"]


def test_every_head_gets_one_check_run_that_says_why_it_waits() -> None:
    book = published()
    waiting = hub(PULL, checks=(), done={})
    decision = settle(book, waiting)
    post = next(each for each in decision.actions if isinstance(each, PostCheck))
    assert (post.head, post.key, post.conclusion) == (HEAD, f"check:{HEAD}", None)
    assert "build" in post.summary
    done = replace(GREEN, name="brat", ours=True, app=42, id=77, key=post.key, summary=post.summary)
    settled = settle(book, hub(PULL, checks=(done,)))
    assert not [each for each in settled.actions if isinstance(each, PostCheck)]
    assert book.board().ledger.ref(post.key) == 77


def test_a_pull_request_gets_its_label_and_reviewers_once_whoever_opened_it() -> None:
    book = published()
    owned = hub(PULL, checks=(), owners={BASE: "* @ada @org/team\n"}, done={})
    (action,) = [each for each in settle(book, owned).actions if isinstance(each, Introduce)]
    assert action == Introduce(3, "pull:3", ("brat:task",), ("ada", "@org/team"))
    settle(book, replace(owned, done=SAID))
    assert not [each for each in settle(book, owned).actions if isinstance(each, Introduce)]
    shown = hub(replace(PULL, labels=frozenset({"brat:task"})), checks=(), done={})
    assert not [each for each in settle(published(), shown).actions if isinstance(each, Introduce)]
    unread = hub(PULL, checks=(), owners={}, done={})
    assert not [each for each in settle(published(), unread).actions if isinstance(each, Introduce)]


def test_nothing_lands_before_label_reviewers_and_check_run_are_known_to_be_there() -> None:
    for missing in SAID:
        book = published()
        rest = {key: left for key, left in SAID.items() if key != missing}
        for done, lands in ((rest, 0), (SAID, 1)):
            actions = settle(book, hub(PULL, done=done)).actions
            assert sum(isinstance(each, MergePull) for each in actions) == lands


def test_p5_a_landing_of_the_tested_tree_is_a_success() -> None:
    book = landing_book()
    success = only(look(book, hub(MERGED), landing=("t1", "t1", "t1")).facts, MergeSucceeded)
    assert isinstance(success, MergeSucceeded)
    assert (success.commit, success.checked) == (LANDED, ("build",))


def test_p5_a_base_that_moved_is_watched_and_pauses_the_convoy_when_its_own_checks_turn_red() -> None:
    for state, pauses in ((CheckState.SUCCESS, False), (CheckState.FAILURE, True)):
        book = landing_book(tasks=2)
        book.write(*look(book, hub(MERGED), landing=("t2", "t1", "t2")).facts)
        convoy = book.board().convoys[0]
        assert ("watch", LANDED) in convoy.feedback
        after = replace(hub(), checks={LANDED: (replace(GREEN, state=state),)})
        settle(book, after)
        assert (book.board().convoys[0].paused is not None) is pauses


def test_p5_any_other_tree_freezes_the_queue_and_says_so() -> None:
    book = landing_book(tasks=2)
    paused = only(look(book, hub(MERGED), landing=("t3", "t1", "t2")).facts, ConvoyPaused)
    assert isinstance(paused, ConvoyPaused)
    assert "#3" in paused.why


def test_a_pull_request_that_a_person_closed_is_left_alone_and_said() -> None:
    book = published()
    book.write(*look(book, hub(PULL)).facts)
    closed = hub(replace(PULL, state=PullState.CLOSED, ended_by=ADA))
    facts = look(book, closed).facts
    only(facts, PullEnded)
    blocked = only(facts, TaskBlocked)
    assert isinstance(blocked, TaskBlocked)
    assert (blocked.reason, blocked.unblock) == ("its pull request was closed by ada", "/brat retry 1")
    book.write(*facts)
    assert not look(book, closed).actions


def test_a_pull_request_that_a_person_points_at_another_base_is_not_merged_there() -> None:
    book = landing_book()
    decision = settle(book, hub(replace(PULL, base_branch="production")))
    assert not [each for each in decision.actions if isinstance(each, MergePull)]
    assert "goes to production, wanted main" in decision.verdicts[0].because
    landing = settle(book, hub(PULL)).actions
    assert [each.head for each in landing if isinstance(each, MergePull)] == [HEAD]


def test_a_branch_that_a_person_moved_or_deleted_is_respected() -> None:
    for there, word in (("e" * 40, "moved"), ("", "deleted")):
        book = published()
        book.write(*look(book, hub(PULL)).facts)
        decision = look(book, hub(PULL), refs={f"refs/heads/{BRANCH}": there})
        blocked = only(decision.facts, TaskBlocked)
        assert isinstance(blocked, TaskBlocked)
        assert word in blocked.reason
        assert not decision.actions


def test_a_person_may_merge_by_hand() -> None:
    book = published()
    book.write(*look(book, hub(PULL)).facts)
    settle(book, hub(replace(MERGED, ended_by=ADA)))
    assert book.board().convoys[0].tasks[0].status is TaskStatus.MERGED


def test_what_a_person_merges_by_hand_is_landed_whatever_kept_it_from_landing() -> None:
    moved = "somebody else moved its branch"
    kept: tuple[Callable[[Task], tuple[Fact, ...]], ...] = (
        lambda task: (TaskBlocked(task.issue, moved, "/brat retry 1"),),
        lambda task: (TaskBlocked(task.issue, moved, "/brat retry 1"), TaskRetried(task.issue, "ada")),
        lambda task: (PullEnded(task.issue, 3, "ada"), TaskBlocked(task.issue, "closed", "/brat retry 1")),
        lambda task: (HoldPlaced(task.issue, None, None, "held by ada", by="ada"),),
        lambda task: (FollowUpWanted(task.issue, "review", "Rename it", HEAD),),
        lambda task: (ConvoyPaused(task.convoy, "ada"),),
    )
    for facts in kept:
        book = published()
        book.write(*look(book, hub(PULL)).facts)
        book.write(*facts(book.board().convoys[0].tasks[0]))
        assert hub_wanted(book.board(), {}).pulls == (3,)
        settle(book, hub(replace(MERGED, head="e" * 40, ended_by=ADA)))
        (task,) = book.board().convoys[0].tasks
        assert (task.status, task.merge and task.merge.strategy) == (TaskStatus.MERGED, "by-hand")


def test_a_red_check_goes_back_to_an_agent_once_with_the_tail_of_its_log() -> None:
    book = published()
    red = hub(PULL, checks=(RED,), failures={11: "assert 1 == 2"})
    book.write(*look(book, red).facts)
    follow = only(look(book, red).facts, FollowUpWanted)
    assert isinstance(follow, FollowUpWanted)
    assert (follow.reason, follow.head) == ("check", HEAD)
    assert "assert 1 == 2" in follow.evidence
    settle(book, red)
    assert ("checks", HEAD) in book.board().convoys[0].tasks[0].feedback


def test_a_flaky_job_is_run_again_once_before_an_agent_is_woken() -> None:
    book = published()
    late = replace(GREEN, state=CheckState.TIMED_OUT)
    flaky = hub(PULL, checks=(late,), failures={11: "the runner has received a shutdown signal"})
    decision = settle(book, flaky)
    assert [each for each in decision.actions if isinstance(each, RerunCheck)] == [RerunCheck(11)]
    settle(book, replace(flaky, done={**SAID, "rerun:11": 1}))
    book.now += 300_000
    again = replace(flaky, checks={HEAD: (late, replace(late, id=12))}, failures={11: "x", 12: "y"})
    settle(book, again)
    assert book.board().convoys[0].tasks[0].follow_up is not None


def test_a_merge_that_is_refused_for_good_ends_with_the_reason() -> None:
    book = published()
    settle(book, hub(PULL))
    told = RefusedMove("2 of 2 required statuses are expected", times=3)
    for _ in range(3):
        asked = settle(book, hub(PULL), refused={"pull:3": told}).actions
        (again,) = [each.attempt for each in asked if isinstance(each, MergePull)]
        told = replace(told, attempt=again)
        book.write(*look(book, hub(PULL), refused={"pull:3": told}).facts)
    assert not look(book, hub(PULL), refused={"pull:3": told}).actions
    task = book.board().convoys[0].tasks[0]
    assert task.status is TaskStatus.BLOCKED
    assert task.blocked is not None
    assert "required statuses" in task.blocked.reason


def test_a_merge_whose_answer_tells_nothing_for_sure_is_tried_again_and_says_so() -> None:
    book = published()
    settle(book, hub(PULL))
    unsure = {"pull:3": "not merged now, to be tried again: Base branch was modified"}
    decision = settle(book, hub(PULL), unsure=unsure)
    assert [each.head for each in decision.actions if isinstance(each, MergePull)] == [HEAD]
    (told,) = decision.verdicts
    assert (told.state, told.who) == (VerdictState.WAITING, "GitHub")
    assert "Base branch was modified" in told.because
    assert told.next_look_ts is not None


def test_github_s_own_queue_is_entered_once_and_an_ejection_in_silence_is_noticed() -> None:
    """camunda/camunda-platform-helm#6411: ejected, and stranded for days."""
    queued = BranchRules("main", RULES.required, 0, False, False, False, True, False)
    book = published()
    open_ = hub(PULL, rules={"main": queued})
    decision = settle(book, open_)
    (enter,) = [each for each in decision.actions if isinstance(each, Enqueue)]
    assert (enter.number, enter.head) == (3, HEAD)
    settle(book, hub(replace(PULL, queue=QueueSeen("QUEUED")), rules={"main": queued}))
    book.now += 300_000
    settle(book, open_)
    failed = [each for each in book.board().convoys[0].tasks[0].merges if each.reason == "ejected"]
    assert len(failed) == 1


def test_a_branch_behind_a_strict_base_is_brought_up_and_tested_again() -> None:
    strict = replace(RULES, strict=True)
    book = published()
    behind = hub(replace(PULL, behind=True), rules={"main": strict})
    book.write(*look(book, behind).facts)
    convoy = book.board().convoys[0]
    refs = {"refs/heads/main": "f" * 40}
    key = update_key(convoy, convoy.tasks[0], refs)
    world = {"refs": refs, "candidates": {key: Candidate("d" * 40, "t")}}
    decision = settle(book, behind, **world)
    (push,) = [each for each in decision.actions if isinstance(each, Land)]
    assert (push.ref, push.old, push.new) == (f"refs/heads/{BRANCH}", HEAD, "d" * 40)


def test_what_a_person_released_stays_released_when_the_base_is_merged_into_it() -> None:
    book = published()
    issue = book.board().convoys[0].tasks[0].issue
    book.write(HoldReleased(issue, HEAD, "ada"))
    behind = hub(replace(PULL, behind=True), rules={"main": replace(RULES, strict=True)})
    book.write(*look(book, behind).facts)
    convoy = book.board().convoys[0]
    key = update_key(convoy, convoy.tasks[0], {"refs/heads/main": BASE})
    (push,) = [
        each
        for each in settle(book, behind, candidates={key: Candidate("d" * 40, "t")}).actions
        if isinstance(each, Land)
    ]
    book.write(*push.facts)
    assert book.board().convoys[0].tasks[0].released == {HEAD, "d" * 40}


def test_a_base_that_must_be_in_the_head_by_a_rule_nobody_may_read_is_learnt_from_the_refusal() -> None:
    book = published()
    behind = hub(replace(PULL, behind=True), rules={"main": replace(RULES, strict=None)})
    settle(book, behind)
    convoy = book.board().convoys[0]
    key = update_key(convoy, convoy.tasks[0], {"refs/heads/main": BASE})
    world = {"candidates": {key: Candidate("d" * 40, "t")}}
    other = {"pull:3": RefusedMove("Head branch is out of date, as somebody says", times=1)}
    assert [
        each for each in settle(book, behind, refused=other, **world).actions if isinstance(each, MergePull)
    ]
    told = {"pull:3": RefusedMove("in other words", times=1, behind=True)}
    decision = settle(book, behind, refused=told, **world)
    assert [each.new for each in decision.actions if isinstance(each, Land)] == ["d" * 40]


def home(head: str = LANDED, *, behind: bool = True) -> tuple[Book, HubSeen, dict[str, str]]:
    """All of a convoy is on its own branch, whose pull request lacks commits of a strict base."""
    book = published(target="convoy")
    (convoy,) = book.board().convoys
    issue = convoy.tasks[0].issue
    book.write(MergeStarted(issue, 1, "rebase", BASE, HEAD, HEAD, ""))
    book.write(MergeSucceeded(issue, 1, "rebase", LANDED, BASE))
    pull = replace(PULL, number=9, head=head, head_branch="convoy/jwt/main", behind=behind)
    pull = replace(pull, labels=frozenset({"brat:task"}))
    own = CheckSeen("brat", CheckState.PENDING, id=9, ours=True, key=f"check:{head}")
    seen = hub(pull, rules={"main": replace(RULES, strict=True)})
    return book, replace(seen, checks={head: (own, GREEN)}), {convoy.target: head}


def test_a_convoys_own_branch_behind_a_strict_base_is_brought_up_and_tested_again() -> None:
    book, behind, refs = home()
    refs["refs/heads/main"] = "f" * 40
    (key,) = updates_wanted(book.board(), behind, refs)
    assert (key.base, key.head, key.strategy) == (LANDED, "f" * 40, "update")
    world = {"refs": refs, "candidates": {key: Candidate("d" * 40, "t")}}
    (push,) = [each for each in settle(book, behind, **world).actions if isinstance(each, Land)]
    assert (push.ref, push.old, push.new) == ("refs/heads/convoy/jwt/main", LANDED, "d" * 40)
    no = {push.ref: RefusedMove("the ref is locked")}
    told = settle(book, behind, refused=no, **world).verdicts
    assert ["the ref is locked" in each.because for each in told] == [True]
    book.write(*push.facts)
    refs[push.ref] = push.new
    assert not [each for each in settle(book, behind, **world).actions if isinstance(each, Land)]


def test_who_may_write_brings_a_convoys_own_branch_up_where_that_is_left_to_people() -> None:
    book, behind, refs = home()
    config = Config(refinery=RefineryPolicy(update="never"))
    (key,) = updates_wanted(book.board(), behind, refs)
    world = {"config": config, "candidates": {key: Candidate("d" * 40, "t")}}
    decision = settle(book, behind, refs=refs, **world)
    assert not [each for each in decision.actions if isinstance(each, Land)]
    (told,) = decision.verdicts
    assert (told.state, told.who) == (VerdictState.BLOCKED, "who may write")
    _, updated, refs = home("e" * 40, behind=False)
    after = settle(book, updated, refs=refs, **world)
    assert [each.head for each in after.actions if isinstance(each, MergePull)] == ["e" * 40]


def test_land_by_push_moves_the_base_to_exactly_the_tested_commit() -> None:
    book = published()
    config = Config(refinery=RefineryPolicy(land="push"))
    decision = settle(book, hub(PULL), config=config)
    (push,) = [each for each in decision.actions if isinstance(each, Land)]
    assert (push.ref, push.old, push.new) == ("refs/heads/main", BASE, HEAD)
    success = only(push.facts, MergeSucceeded)
    assert isinstance(success, MergeSucceeded)
    assert (success.strategy, success.checked) == ("push", ("build",))


def test_a_push_that_reached_the_log_alone_is_made_again_and_nothing_ends_before_it_arrived() -> None:
    book = published()
    config = Config(refinery=RefineryPolicy(land="push"))
    (push,) = [each for each in settle(book, hub(PULL), config=config).actions if isinstance(each, Land)]
    book.write(*push.facts)
    half = look(book, hub(PULL), config=config)
    assert (half.facts, half.actions) == ((), (RestoreRef("refs/heads/main", BASE, HEAD),))
    moved = look(book, hub(PULL), config=config, refs={"refs/heads/main": LANDED})
    assert (moved.facts, moved.actions) == ((), ())
    assert [(each.rule, each.state) for each in moved.verdicts] == [
        ("landed-commit-missing", VerdictState.BLOCKED)
    ]
    set_back = look(book, hub(replace(PULL, state=PullState.MERGED)), config=config)
    assert not [each for each in set_back.actions if isinstance(each, RestoreRef)]
    contains = frozenset({("refs/heads/main", HEAD)})
    arrived = look(book, hub(PULL), config=config, refs={"refs/heads/main": HEAD}, contains=contains)
    only(arrived.facts, ConvoyCompleted)


def test_what_cannot_be_read_lands_nothing_and_is_said() -> None:
    book = published()
    decision = settle(book, hub(PULL, rules={}))
    assert not [each for each in decision.actions if isinstance(each, MergePull)]
    task = book.board().convoys[0].tasks[0]
    verdict = next(each for each in decision.verdicts if each.subject == task.issue)
    assert verdict.state is not VerdictState.DONE


def test_feedback_is_never_handed_on_twice() -> None:
    book = published()
    red = hub(PULL, checks=(RED,), failures={11: "boom"})
    settle(book, red)
    given = [each for each in book.events if "FeedbackGiven" in str(each.kind)]
    settle(book, red)
    assert [each for each in book.events if "FeedbackGiven" in str(each.kind)] == given
