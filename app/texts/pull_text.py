"""What a task's pull request says, and the commit it becomes. Nothing in it closes, mentions or skips."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from app.board import Convoy, Session, Task, counted
from app.prompts import defused
from app.texts.markdown import block, code, fits, folded, inline, link, quoted, short, whole_lines
from app.values import dataclass

__all__ = [
    "PullView",
    "convoy_pull_body",
    "convoy_pull_title",
    "merge_message",
    "pull_body",
    "pull_title",
    "pull_view",
    "sealed",
    "unchanged_since",
]

TITLE = 200
"""GitHub takes 256; ten percent of titles grow when they are defused."""

SUBJECT = 100


@dataclass(frozen=True, slots=True)
class PullView:
    """One task's finished work. `issue` is number and address of the issue that asked for it."""

    convoy: Convoy
    task: Task
    issue: tuple[int, str] | None = None

    @property
    def session(self) -> Session | None:
        """The session whose work is on the branch."""
        name = self.task.work.session if self.task.work else ""
        return next((each for each in self.task.sessions if each.id == name), None)


def pull_view(convoy: Convoy, task: Task) -> PullView:
    """The view with the issue that the log knows."""
    asked = convoy.request
    return PullView(convoy, task, (asked.number, asked.url) if asked else None)


def pull_title(view: PullView) -> str:
    """The task's title on one line."""
    return defused(short(view.task.title, TITLE))


def pull_body(view: PullView) -> str:
    """What, why, how it is judged, how it was made, what it cost, and where it belongs."""
    whole = "\n\n".join(_parts(view, evidence=6_000, text=8_000))
    return whole if fits(whole) else whole_lines("\n\n".join(_parts(view, evidence=1_000, text=1_500)))


def sealed(body: str) -> str:
    """The body with a hidden last line that tells whether somebody changed it since."""
    plain = _plain(body)
    return f"{plain}\n\n<!-- brat:body:{_digest(plain)} -->"


def unchanged_since(body: str) -> bool:
    """Whether a sealed body stands as we wrote it: a person's words are theirs and stay."""
    head, _, seal = _plain(body).rpartition("\n\n")
    return seal == f"<!-- brat:body:{_digest(head)} -->"


def _plain(body: str) -> str:
    return body.replace("\r\n", "\n").rstrip()


def _digest(plain: str) -> str:
    return hashlib.sha256(plain.encode(errors="surrogatepass")).hexdigest()[:16]


def _parts(view: PullView, *, evidence: int, text: int) -> Iterator[str]:
    convoy, task = view.convoy, view.task
    if task.spec.instructions.strip():
        yield f"**What**\n\n{quoted(task.spec.instructions, text)}"
    yield f"**Why**: task {task.number} of {code(convoy.slug)}, {inline(convoy.title, 200)}"
    yield from _acceptance(view, evidence)
    if task.work is not None and task.work.strayed:
        strayed = ", ".join(code(path, quiet=True) for path in task.work.strayed[:20])
        yield f"⚠️ **Outside the paths of its task**: {strayed}"
    yield folded("How it was made", "\n".join(_making(view)))
    yield _belongs(view.issue)


def _acceptance(view: PullView, limit: int) -> Iterator[str]:
    spec = view.task.spec
    lines = [f"- {inline(text, 400)}" for text in spec.criteria[:40]]
    lines += [f"- {code(command, quiet=True)} exits 0" for command in spec.commands[:40]]
    if lines:
        yield "**Done when**\n\n" + "\n".join(lines)
    ended = view.session.ended if view.session else None
    if ended is None:
        return
    passed = "\n".join(f"- ✔ {inline(name, 200)}" for name in ended.checks[:40])
    said = block(ended.evidence, "text", limit=limit, quiet=True) if ended.evidence.strip() else ""
    if passed or said:
        count = counted(len(ended.checks), "acceptance command")
        yield folded(f"Evidence: {count} passed in the sandbox", "\n\n".join(filter(None, (passed, said))))


def _making(view: PullView) -> Iterator[str]:
    task = view.task
    works = [each for each in task.sessions if each.started.purpose == "work"]
    made = view.session.started if view.session else None
    if made is not None:
        model = f", model {code(made.model)}" if made.model else ""
        yield f"- Engine {inline(made.engine or 'unknown')}{model}"
    yield f"- {counted(len(works), 'attempt')}; sessions {', '.join(code(each.id) for each in works[-20:])}"
    spent = sum(each.cost_usd for each in works if not each.open)
    quiet = any(each.ended and each.ended.usage.usd is None for each in works)
    unsaid = " (not every session said what it cost)" if quiet else ""
    yield f"- Cost {spent:.2f} USD{unsaid}"
    if task.work is not None:
        yield f"- {counted(len(task.work.touched), 'file')} touched, on top of {code(task.work.base[:12])}"


def _belongs(issue: tuple[int, str] | None) -> str:
    asked = f"Part of #{issue[0]}, where the plan stands and {code('/brat help')} works." if issue else ""
    how = f"Comments here that begin with {code('/brat')} steer this task."
    return f"{asked} {how}".strip()


def convoy_pull_title(convoy: Convoy) -> str:
    """The convoy's title on one line."""
    return defused(short(convoy.title, TITLE))


def convoy_pull_body(convoy: Convoy) -> str:
    """One pull request for a convoy that was gathered on a branch of its own."""
    asked, gathered = convoy.request, convoy.target.removeprefix("refs/heads/")
    lines = []
    for task in convoy.tasks:
        pull = f" {link(f'#{task.pull.number}', task.pull.url)}" if task.pull else ""
        lines.append(f"- {task.number}. {inline(task.title, 120)}: {task.status.value}{pull}")
    parts = [
        f"**What**: {inline(convoy.title, 200)}",
        folded(counted(len(lines), "task"), "\n".join(lines)) if len(lines) > 12 else "\n".join(lines),
        f"Gathered on {code(gathered)}, each task tested before it landed there.",
        _belongs((asked.number, asked.url) if asked else None),
    ]
    return whole_lines("\n\n".join(parts))


def merge_message(convoy: Convoy, task: Task, *, pull: int | None = None) -> tuple[str, str]:
    """Subject and body of the commit that lands, with trailers. The pull request's number stands behind."""
    behind = f" (#{pull})" if pull else ""
    subject = defused(short(task.title, SUBJECT - len(behind))) + behind
    session = task.work.session if task.work else ""
    trailers = [f"Brat-Convoy: {convoy.id}", f"Brat-Task: {task.id}"]
    trailers += [f"Brat-Session: {session}"] if session else []
    words = defused(f"Task {task.number} of {convoy.slug}: {short(convoy.title, 200)}")
    return subject, f"{words}\n\n" + "\n".join(trailers)
