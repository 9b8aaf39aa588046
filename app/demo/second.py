"""The second act: the same request as an issue on a code host, from its label to merged pull requests."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from app.demo.ci import WORKFLOW, last_line
from app.demo.feed import Feed
from app.demo.host import Host, opened, stand_in
from app.demo.hosted_proof import HostSeen, hosted_points
from app.demo.sample import Sample
from app.demo.stage import Stage

if TYPE_CHECKING:
    from tests.fakehub import Issue

__all__ = ["SecondAct"]

SETTINGS = """\
[engine.default]
type = "shell"        # the scripted agents

[mayor]
approval = "required" # nothing runs before a person who may write has said so

[refinery]
strategy = "merge"
"""


class SecondAct:
    """One run over one sample folder. `run` answers the exit code: 0 when all that had to happen did."""

    def __init__(self, sample: Sample, stage: Stage) -> None:
        self._sample, self._stage = sample, stage
        self._began = time.monotonic()
        self._early = 0

    def run(self) -> int:
        """All of it; where the stand-in is missing, it says so and nothing else."""
        missing = stand_in()
        if missing:
            self._stage.heading("Second act: left out")
            self._stage.explain(f"{missing}.")
            return 0
        self._prepare()
        with opened(self._sample) as host:
            issue = self._asked(host)
            self._approved(host, issue)
            self._worked(host, issue)
            self._landed(host)
            return self._verdict(host, issue)

    def _prepare(self) -> None:
        sample, stage = self._sample, self._stage
        stage.heading("Second act: the same request, as an issue on a code host")
        stage.explain(
            "The host is a STAND-IN of GitHub on this machine: it speaks GitHub's REST, GraphQL and git over"
            " HTTP, and is checked against GitHub's own description. No network, no key. The App is the"
            " real program, as `brat worker` runs it; the agents are the first act's. To spare waiting,"
            " the host's clock is put forward where only a later look helps."
        )
        shutil.rmtree(sample.folder, ignore_errors=True)
        sample.make()
        _write(sample.repo / ".brat" / "config.toml", SETTINGS)
        _write(sample.repo / ".github" / "workflows" / "ci.yml", WORKFLOW.read_text("utf-8"))
        sample.git("add", ".brat", ".github")
        sample.git("commit", "--quiet", "--message=Configure brat, and CI")
        stage.explain("The repository's settings, and CI that really runs on every pushed head:")
        stage.show(SETTINGS)

    def _asked(self, host: Host) -> Issue:
        stage = self._stage
        title, _, body = self._sample.request.read_text("utf-8").partition("\n")
        stage.heading("ada, who may write, labels an issue `brat`")
        issue = host.repo.issue(title=title, body=body.strip(), by=host.writer)
        host.repo.label(issue, "brat", by=host.writer)
        host.until(lambda: bool(host.convoy and host.convoy.plan) and len(host.said(issue)) == 1)
        stage.explain(f"The plan is in the issue (#{issue.number}), and waits:")
        stage.page(f"#{issue.number} {title[:40]}... - brat[bot]", _readable(host.said(issue)[0]))
        return issue

    def _approved(self, host: Host, issue: Issue) -> None:
        stage = self._stage
        stage.heading("A stranger's word does nothing; a permitted person's does")
        host.repo.comment(issue, "/brat approve", by=host.stranger)
        host.until(lambda: len(host.said(issue)) == 2)
        stage.explain("eve, who may only read:  /brat approve")
        stage.page("brat[bot]", _readable(host.said(issue)[-1]))
        self._early = len(host.convoy.all_sessions) if host.convoy else 0
        host.repo.comment(issue, "Looks right.\n\n/brat approve", by=host.writer)
        stage.console.print()
        stage.explain("ada, who may write:  /brat approve")

    def _worked(self, host: Host, issue: Issue) -> None:
        stage = self._stage
        stage.heading("Agents at work, pull requests, CI, landings")
        feed = Feed(host, stage.show)
        host.watch = feed
        host.until(lambda: host.at_work > 1 and " running" in host.said(issue)[0])
        stage.page("the same comment, meanwhile", _readable(host.said(issue)[0]))
        host.until(lambda: issue.state == "closed")
        host.until(lambda: "**Done**" in host.said(issue)[0])
        stage.heading("The issue is closed")
        stage.page(f"#{issue.number}, at the end", _readable(host.said(issue)[0]))
        stage.page("and the farewell", _readable(host.said(issue)[-1]))

    def _landed(self, host: Host) -> None:
        sample, stage = self._sample, self._stage
        stage.heading("What landed, and a fresh clone that knows all of it")
        environ = host.environ
        clone = sample.folder / "clone"
        address = f"{host.hub.base}/{host.repo.full_name}.git"
        stage.git("clone", "--quiet", address, "clone", cwd=sample.folder, environ=environ)
        stage.git("log", "--graph", "--oneline", "main", cwd=clone, environ=environ)
        refs = "refs/grite/*:refs/grite/*"
        stage.git("fetch", "--quiet", "origin", refs, cwd=clone, environ=environ)
        stage.explain("From here on without the host: everything is in refs/grite/*.")
        stage.brat("status", cwd=clone, environ=sample.environ)
        stage.brat("log", cwd=clone, environ=sample.environ)

    def _verdict(self, host: Host, issue: Issue) -> int:
        stage = self._stage
        stage.heading("The second act, held against what had to happen")
        assert host.convoy is not None
        seen = _seen(host, issue, early=self._early)
        found = hosted_points(host.convoy, seen, writer=host.writer.login, isolation=self._sample.isolation)
        return stage.verdict(found, what="The second act", began=self._began)


def _seen(host: Host, issue: Issue, *, early: int) -> HostSeen:
    data = host.repo.data
    pulls = sorted(data.pulls.values(), key=lambda each: each.number)
    landed = [each for each in pulls if each.merged]
    green = {each.suite.head for each in data.checks.values() if each.conclusion == "success"}
    order = [int(each.subject) for each in host.hub.journal.changes_of("merge")]
    return HostSeen(
        closed=issue.state == "closed",
        pulls=tuple(each.number for each in pulls),
        merged=tuple(order),
        red=tuple(_red(host)),
        unchecked=tuple(each.number for each in landed if each.head_sha not in green),
        comments=tuple(host.said(issue)),
        problems=tuple(host.hub.journal.problems),
        together=host.together,
        early=early,
    )


def _red(host: Host) -> Iterator[str]:
    """The last line of each red job's log."""
    for job in host.repo.data.jobs.values():
        if job.check.conclusion == "failure":
            yield last_line(job.log)


def _readable(comment: str) -> str:
    """As a person sees it: what is folded stays folded, what is hidden is not there."""
    comment = re.sub(r"(?s)<details>\s*<summary>(.*?)</summary>.*?</details>", r"▸ \1", comment)
    comment = re.sub(r"(?s)```mermaid\n.*?```", "▸ (the plan drawn as a graph)", comment)
    return re.sub(r"(?s)<!--.*?-->", "", comment).strip()


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
