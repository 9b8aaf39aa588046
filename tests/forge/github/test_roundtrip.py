"""The whole forge against a stand-in over real repositories: look, push, act, look again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.errors import Moved
from app.forge import LocalForge
from app.forge.github import (
    AppCredentials,
    GitHubApp,
    GitHubForge,
    GitHubHub,
    Pace,
    ReplicaTree,
    RepositoryRef,
    Surroundings,
)
from app.grite import CommentAdded, Draft, Identity, IssueId, Log
from app.policy import latest
from app.ports import (
    Access,
    CheckState,
    CloseIssue,
    Done,
    EditComment,
    Forge,
    HubSeen,
    HubWanted,
    Introduce,
    Label,
    MergePull,
    OpenPull,
    PostCheck,
    PostComment,
    PullState,
    React,
    RefMove,
    Refused,
    RequiredCheck,
    RerunCheck,
    ReviewState,
    Unknown,
    Wanted,
    WorkflowFile,
)
from app.workspace import Place, Publisher, Replica
from tests.fakehub import App, Hub, Project
from tests.fakehub.fixture import hub
from tests.workspace.world import Repo

__all__ = ["hub"]

BRANCH = "convoy/jwt/task-1"
TASK = f"refs/heads/{BRANCH}"
WAL = "refs/grite/wal"
ISSUE = IssueId("000102030405060708090a0b0c0d0e0f")
WORKFLOW = ".github/workflows/ci.yml"


@dataclass
class Story:
    """One repository on the stand-in, and the forge over it."""

    hub: Hub
    project: Project
    ours: App
    app: GitHubApp
    place: RepositoryRef
    root: Path
    identity: Identity

    def open(self) -> tuple[GitHubForge, Log, Replica]:
        """As a process that has just started."""
        git_dir = self.root / "repo.git"
        replica = Replica(git_dir, self.app.git_access(self.place), clock=self.now)
        replica.refresh()
        log = Log(git_dir, identity=self.identity, state_dir=git_dir / "brat", clock=self.now)
        log.publish_through(lambda prepared: replica.publish(prepared.new))
        publisher = Publisher(Place(git_dir, git_dir / "brat", lambda session: git_dir / session))
        client = self.app.client(self.place.installation, self.place.id)
        around = Surroundings(ReplicaTree(git_dir), lambda text: text.replace("hunter2", "***"), self.now)
        github = GitHubHub(client, self.place.name, self.app.ourselves(), around=around)
        forge = GitHubForge(LocalForge(git_dir, publisher), replica, github, log=log)
        forge.refresh()
        return forge, log, replica

    def now(self) -> int:
        return self.hub.clock.now

    def charged(self) -> int:
        return sum(not each.free and not each.route.startswith("GIT") for each in self.hub.journal.asked)


@pytest.fixture
def story(hub: Hub, tmp_path: Path) -> Iterator[Story]:
    hub.person("ada", access="admin")
    project = hub.repository(
        "ada/auth", files={"a.txt": "one\n", WORKFLOW: "on: push\n", "CODEOWNERS": "* @ada\n"}
    )
    ours = hub.app("brat")
    installation = hub.install(ours, project)
    credentials = AppCredentials(ours.id, hub.keys[ours.id], hub.api)
    app = GitHubApp(credentials, clock=lambda: hub.clock.now, pace=Pace(gap_ms=0))
    (tmp_path / "data").mkdir()
    (place,) = app.repositories(installation.id)
    made = Story(hub, project, ours, app, place, tmp_path / "data", Identity.create())
    yield made
    made.app.close()


def look(forge: Forge, **wanted: object) -> HubSeen:
    seen = forge.observe(Wanted(hub=HubWanted(**wanted))).hub  # type: ignore[arg-type]
    assert seen is not None
    return seen


def work(story: Story) -> str:
    """A commit on top of the base that only the replica has."""
    here = Repo(story.root / "repo.git")
    base = here.git("rev-parse", "refs/heads/main")
    blob = here.blob(b"two\n")
    listed = here.git("ls-tree", base) + f"\n100644 blob {blob}\tb.txt\n"
    return here.raw_commit(here.git("mktree", stdin=listed.encode()), base)


def opened(story: Story, forge: GitHubForge) -> int:
    """Our pull request of a pushed branch."""
    assert forge.push((RefMove(TASK, None, work(story)),)) == Done()
    assert forge.act(OpenPull(BRANCH, "main", "Add JWT", "Part of #1")) == Done()
    (number,) = look(forge).pulls
    assert forge.act(Introduce(number, f"pull:{number}", ("brat",))) == Done()
    return number


def test_github_forge_is_a_forge(story: Story) -> None:
    forge: Forge = story.open()[0]
    assert forge.push(()) == Done()


def test_a_labelled_issue_is_seen_with_who_asked_and_may(story: Story) -> None:
    forge, _, _ = story.open()
    issue = story.project.issue(title="JWT", body="please")
    story.project.label(issue, "brat")
    story.project.comment(issue, "/brat plan")
    stranger = story.hub.person("eve")
    story.project.comment(issue, "/brat merge", by=stranger)
    seen = look(forge)
    assert seen.triggered == (issue.number,)
    trigger = seen.issues[issue.number].trigger
    assert trigger is not None
    assert trigger.by.login == "ada"
    assert [each.body for each in seen.comments] == ["/brat plan", "/brat merge"]
    assert seen.access == {story.project.owner.id: Access.ADMIN, stranger.id: Access.READ}
    handled = frozenset({f"label:{trigger.event}", *(f"comment:{each.id}" for each in seen.comments)})
    again = look(forge, handled=handled)
    assert (again.triggered, again.comments) == ((), ())


def test_an_edit_of_body_and_title_after_the_label_shows(story: Story) -> None:
    forge, _, _ = story.open()
    issue = story.project.issue(title="JWT", body="please")
    story.project.label(issue, "brat")
    before = look(forge).issues[issue.number]
    story.hub.clock.advance(5)
    story.project.edit(issue, title="JWT now", body="or else")
    after = look(forge).issues[issue.number]
    assert (before.edited_ts, before.renamed_ts) == (None, None)
    assert after.edited_ts == after.renamed_ts == story.now() // 1000 * 1000


def test_branch_and_log_reach_the_host_and_the_replica_together(story: Story) -> None:
    forge, log, _ = story.open()
    log.append([Draft(ISSUE, CommentAdded("started"))])
    commit = work(story)
    with log.writing() as turn:
        prepared = turn.prepare([Draft(ISSUE, CommentAdded("published"))])
        moves = (RefMove(TASK, None, commit), RefMove(WAL, prepared.old, prepared.new))
        assert forge.push(moves) == Done()
        assert turn.landed(prepared)
    refs = story.project.git.refs()
    assert (refs[TASK], refs[WAL]) == (commit, log.read().head)
    assert forge.observe(Wanted(refs=(TASK,))).refs == {TASK: commit}


def test_two_processes_write_one_log(story: Story, tmp_path: Path) -> None:
    _, one, _ = story.open()
    story.root = tmp_path / "other"
    story.root.mkdir()
    forge, two, _ = story.open()
    one.append([Draft(ISSUE, CommentAdded("a"))])
    with pytest.raises(Moved):
        two.append([Draft(ISSUE, CommentAdded("b"))], expected=two.read().head)
    forge.refresh()
    two.append([Draft(ISSUE, CommentAdded("b"))])
    bodies = [each.kind.body for each in two.read().events if isinstance(each.kind, CommentAdded)]
    assert bodies == ["a", "b"]
    assert story.project.git.refs()[WAL] == two.read().head


def test_from_branch_to_merged_pull_request(story: Story) -> None:
    forge, _, _ = story.open()
    story.project.protect("main", "ci")
    number = opened(story, forge)
    pull = look(forge).pulls[number]
    assert (pull.ours, pull.state, pull.head_branch) == (True, PullState.OPEN, BRANCH)
    assert pull.behind is False
    merge = MergePull(number, pull.head, "squash", "Add JWT (#1)", "")
    assert isinstance(forge.act(merge), Refused)
    story.project.check(pull.head, "ci", "failure", app=story.hub.actions_app)
    story.project.check(pull.head, "ci")
    assert forge.act(PostCheck(pull.head, "check:1", "brat", "lands", "success")) == Done()
    checks = look(forge).checks[pull.head]
    assert {each.name: each.key for each in checks if each.ours} == {"brat": "check:1"}
    assert CheckState.SUCCESS in {each.state for each in checks if each.name == "ci"}
    assert isinstance(forge.act(MergePull(number, "1" * 40, "squash", "x", "")), Refused)
    assert forge.act(merge) == Done()
    seen = look(forge, pulls=(number,)).pulls[number]
    assert (seen.state, seen.merge_commit) == (PullState.MERGED, story.project.branch("main"))
    assert seen.ended_by is not None
    assert seen.ended_by.ours


def test_a_second_pull_request_is_the_first_one(story: Story) -> None:
    forge, _, _ = story.open()
    number = opened(story, forge)
    assert isinstance(forge.act(OpenPull(BRANCH, "main", "Add JWT", "again")), Refused)
    assert list(look(forge).pulls) == [number]


@pytest.mark.parametrize("after", [False, True])
def test_an_open_that_broke_off_is_unknown_and_found_in_the_next_look(story: Story, after: bool) -> None:
    forge, _, _ = story.open()
    forge.push((RefMove(TASK, None, work(story)),))
    story.hub.faults.add("POST */pulls", status=502, after=after)
    assert isinstance(forge.act(OpenPull(BRANCH, "main", "Add JWT", "")), Unknown)
    seen = look(forge).pull_of(BRANCH)
    assert (seen is not None) is after


def test_reviews_and_conversations_of_people_show(story: Story) -> None:
    forge, _, _ = story.open()
    number = opened(story, forge)
    bob = story.hub.person("bob", access="write")
    story.project.review(number, "CHANGES_REQUESTED", "tests?", by=bob, lines=[("b.txt", 1, "why two?")])
    story.project.review(number, "PENDING", "not yet said", by=bob)
    seen = look(forge)
    (review,) = seen.pulls[number].reviews
    assert (review.state, review.body) == (ReviewState.CHANGES_REQUESTED, "tests?")
    assert review.lines == ("b.txt:1: why two?",)
    assert seen.pulls[number].conversations == 1
    assert seen.access[bob.id] is Access.WRITE
    story.project.resolve(number)
    assert look(forge).pulls[number].conversations == 0


def test_the_sticky_comment_is_written_once_and_edited(story: Story) -> None:
    forge, _, _ = story.open()
    issue = story.project.issue(title="JWT")
    assert forge.act(PostComment(issue.number, "sticky:jwt", "Planning")) == Done()
    done = look(forge, issues=(issue.number,))
    (sticky,) = [each for each in done.comments if each.key == "sticky:jwt"]
    assert done.done == {"sticky:jwt": sticky.id}
    assert forge.act(EditComment(issue.number, sticky.id, "sticky:jwt", "Running")) == Done()
    fresh, _, _ = story.open()
    (found,) = look(fresh, issues=(issue.number,), since_ts=story.now() + 60_000).comments
    assert (found.id, found.body.splitlines()[0], found.key) == (sticky.id, "Running", "sticky:jwt")


def test_t19_a_copied_marker_is_no_key(story: Story) -> None:
    forge, _, _ = story.open()
    issue = story.project.issue(title="JWT")
    story.project.comment(issue, "forged\n\n<!-- brat:sticky:jwt -->", by=story.hub.person("eve"))
    (comment,) = look(forge, issues=(issue.number,)).comments
    assert (comment.key, comment.author.ours) == ("", False)


def test_labels_reactions_and_the_end_of_an_issue(story: Story) -> None:
    forge, _, _ = story.open()
    issue = story.project.issue(title="JWT")
    comment = story.project.comment(issue, "/brat plan")
    for _ in range(2):
        assert forge.act(Label(issue.number, ("brat:running",), ("brat:planning",))) == Done()
        assert forge.act(React(comment.id, "eyes", "seen:1")) == Done()
        assert forge.act(CloseIssue(issue.number)) == Done()
    seen = look(forge, issues=(issue.number,)).issues[issue.number]
    assert (sorted(seen.labels), seen.open) == (["brat:running"], False)
    assert seen.closed_by is not None
    assert seen.closed_by.ours


def test_a_head_that_lacks_commits_of_its_base_is_behind(story: Story) -> None:
    forge, _, _ = story.open()
    number = opened(story, forge)
    assert look(forge).pulls[number].behind is False
    story.project.push("main", {"c.txt": "base moved"})
    forge.refresh()
    assert look(forge).pulls[number].behind


def test_rules_habits_and_files_of_the_base(story: Story) -> None:
    forge, _, _ = story.open()
    base = str(story.project.branch("main"))
    story.project.check(base, "ci")
    story.project.status(base, "deploy/preview")
    story.project.protect("main", ("ci", story.hub.actions_app.id), ruleset=1, approvals=1)
    seen = look(forge, rules=("main",), workflows=(base, "1" * 40), owners=(base,))
    rules = seen.rules["main"]
    assert rules.required == (RequiredCheck("ci", story.hub.actions_app.id),)
    assert (rules.approvals, rules.usual) == (1, ("ci", "deploy/preview"))
    assert seen.workflows == {base: (WorkflowFile(WORKFLOW, "on: push\n"),)}
    assert seen.owners == {base: "* @ada\n"}


def test_a_private_repository_of_a_free_account_has_no_rules(story: Story) -> None:
    story.project.private = story.project.free = True
    forge, _, _ = story.open()
    rules = look(forge, rules=("main",)).rules["main"]
    assert (rules.required, rules.approvals, rules.queue) == ((), 0, False)


def test_a_failed_jobs_last_words_come_without_secrets_and_it_runs_again(story: Story) -> None:
    forge, _, _ = story.open()
    base = str(story.project.branch("main"))
    story.project.actions(base, {"test": ("failure", "start\nkey hunter2\nAssertionError: 1\n")})
    seen = look(forge, heads=(base,))
    (check,) = seen.checks[base]
    assert check.state is CheckState.FAILURE
    assert seen.failures == {check.id: "start\nkey ***\nAssertionError: 1"}
    assert forge.act(RerunCheck(check.id)) == Done()


def test_jobs_of_one_name_are_told_apart_by_workflow_and_event(story: Story) -> None:
    forge, _, _ = story.open()
    base = str(story.project.branch("main"))
    story.project.actions(base, {"test": "failure"})
    story.project.actions(base, {"test": "success"}, workflow="Nightly")
    story.project.actions(base, {"test": "success"}, event="pull_request")
    story.project.actions(base, {"test": "success"}, event="pull_request")
    found = look(forge, heads=(base,)).checks[base]
    states = {run.workflow: run.state for run in latest(found)}
    assert sorted(state.value for state in states.values()) == ["failure", "success", "success"]
    assert len(found) == 4


def test_permissions_that_are_missing_are_named(story: Story) -> None:
    installation = next(iter(story.hub.installations.values()))
    story.hub.grant(installation, checks="read", merge_queues=None)
    story.app.close()
    credentials = AppCredentials(story.ours.id, story.hub.keys[story.ours.id], story.hub.api)
    story.app = GitHubApp(credentials, clock=story.now, pace=Pace(gap_ms=0))
    forge, _, _ = story.open()
    assert look(forge).missing == ("checks: write", "merge_queues: write")


def test_an_idle_repository_costs_nothing_after_the_first_looks(story: Story) -> None:
    forge, _, _ = story.open()
    number = opened(story, forge)
    issue = story.project.issue(title="JWT")
    story.project.label(issue, "brat")
    story.hub.clock.advance(120)
    wanted = {"issues": (issue.number,), "rules": ("main",), "pulls": (number,)}
    for _ in range(3):
        story.hub.clock.advance(301)
        look(forge, **wanted)
    before = story.charged()
    for _ in range(20):
        story.hub.clock.advance(15)
        assert look(forge, **wanted).pulls[number].state is PullState.OPEN
    assert story.charged() == before
    story.project.check(look(forge, **wanted).pulls[number].head, "ci", "failure")
    assert [each.name for each in next(iter(look(forge, **wanted).checks.values()))] == ["ci"]
