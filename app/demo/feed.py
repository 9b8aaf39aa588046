"""What happens on the code host while the demo runs, a line each."""

from __future__ import annotations

from collections.abc import Callable

from app.board import Session, Task
from app.demo.ci import JOB, last_line
from app.demo.host import Host
from app.ports import Finding

__all__ = ["Feed"]


class Feed:
    """Called after every pass: tells what is new since the last."""

    def __init__(self, host: Host, tell: Callable[[str], None]) -> None:
        self._host, self._tell = host, tell
        self._changes = len(host.hub.journal.changes)
        self._sessions: set[str] = set()

    def __call__(self) -> None:
        """Sessions from the log, the rest from the host."""
        self._agents()
        changes = self._host.hub.journal.changes
        new, self._changes = changes[self._changes :], len(changes)
        for each in new:
            number, _, rest = each.subject.partition(" ")
            if each.what == "pull":
                self._tell(f"#{number:<3} opened from {rest}: {self._title(int(number))}")
            elif each.what == "merge":
                self._tell(f"#{number:<3} merged by {each.by}")
            elif each.what == "check" and number == JOB:
                self._check(rest)

    def _title(self, number: int) -> str:
        return self._host.repo.data.issues[number].title

    def _check(self, head: str) -> None:
        jobs = self._host.repo.data.jobs
        for each in self._host.repo.newest_checks(head):
            if each.name == JOB and each.conclusion == "failure":
                self._tell(f"     CI is red on {each.suite.branch}: {last_line(jobs[each.id].log)}")

    def _agents(self) -> None:
        convoy = self._host.convoy
        for task in convoy.tasks if convoy else ():
            for each in task.sessions:
                if each.id not in self._sessions:
                    self._sessions.add(each.id)
                    self._tell(f"     an agent starts on task {task.number}{_again(task, each)}")


def _again(task: Task, session: Session) -> str:
    """Why it is not the first: how the last one ended, or what its work came to."""
    at = task.sessions.index(session)
    if at == 0:
        return ""
    ended = task.sessions[at - 1].ended
    refused = task.merges[-1].reason if task.merges else ""
    found = ended.finding.value if ended is not None and ended.finding is not Finding.DONE else refused
    return f", attempt {session.started.attempt}, after: {found}"
