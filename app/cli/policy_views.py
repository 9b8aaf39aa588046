"""What policy says of pull requests, as lines and for programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.board import Board
from app.cli.call import Call
from app.cli.naming import find_task
from app.cli.progress import one_line
from app.cli.tables import columns_of, indented, put
from app.config import Config, parse_config
from app.errors import UserError
from app.policy import explain
from app.ports import PullSeen, Verdict
from app.refinery import Asked, Explained, open_asked, with_pull
from app.settings import effective, load_service, service_environment
from app.wiring import explain_pulls

if TYPE_CHECKING:
    from app.wiring import Workshop

__all__ = ["chosen", "explain_policy", "simulate_policy"]


def explain_policy(call: Call, what: str | None) -> None:
    """`brat policy explain`."""
    found = _explained(call, call.workshop(), what)
    if call.json:
        call.answer({"pulls": [_document(each) | {"policy": _tree(each.verdict)} for each in found]})
        return
    _show(call, [(each, explain(each.verdict)) for each in found])


def simulate_policy(call: Call, file: Path, what: str | None) -> None:
    """`brat policy simulate`."""
    workshop = call.workshop()
    other = effective(parse_config(_text(file), place=str(file)), workshop.settings)
    found = _explained(call, workshop, what, other=other)
    if call.json:
        call.answer({"config": str(file), "pulls": [_compared(each) for each in found]})
        return
    _show(call, [(each, _difference(each, str(file))) for each in found])


def chosen(board: Board, what: str | None) -> tuple[Asked, ...]:
    """The pull requests that are meant: by number, by task, or all open ones. Raises UserError."""
    if what is None:
        return open_asked(board)
    number = what.removeprefix("#")
    if not number.isdecimal():
        return (_of_task(board, what),)
    found = with_pull(board, int(number))
    if found is not None:
        return (found,)
    known = ", ".join(f"#{each.pull.number}" for each in open_asked(board))
    raise UserError(
        f"no convoy has the pull request #{number}",
        remedy=f"open ones: {known}; or name a task" if known else "brat convoy list",
    )


def _explained(
    call: Call, workshop: Workshop, what: str | None, *, other: Config | None = None
) -> tuple[Explained, ...]:
    around = workshop.surroundings
    settings = load_service(service_environment(around.environ, Path.cwd()), around.home, part="policy")
    return explain_pulls(workshop, settings, lambda board: chosen(board, what), other=other)


def _of_task(board: Board, name: str) -> Asked:
    found = find_task(board, name)
    if found.task.pull is None:
        raise UserError(
            f"task {found.name} has no pull request yet: it is {found.task.status}",
            remedy=f"brat task show {found.name}",
        )
    return Asked(found.convoy, found.task, found.task.pull)


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as reason:
        raise UserError(
            f"cannot be read: {reason}", place=str(file), remedy="name a file of settings"
        ) from None


def _show(call: Call, told: Sequence[tuple[Explained, Iterable[str]]]) -> None:
    """Each pull request with its lines, and an empty line between two."""
    for at, (each, lines) in enumerate(told):
        if at:
            put(call)
        _heading(call, each.pull)
        for line in lines:
            _line(call, line)
    if not told:
        put(call, "No pull request of a convoy is open.")


def _heading(call: Call, pull: PullSeen) -> None:
    put(call, f"#{pull.number}  {one_line(pull.title)}", style="bold")
    put(call, f"    {pull.head_branch} at {pull.head[:12]} -> {pull.base_branch}  {pull.url}")


def _line(call: Call, line: str) -> None:
    depth = len(line) - len(line.lstrip())
    room = max(columns_of(call), depth + 40)
    first, *rest = list(indented(line.strip(), by=depth + 4, room=room)) or [""]
    put(call, f"{' ' * depth}{first[depth + 4 :]}")
    for each in rest:
        put(call, each)


def _difference(each: Explained, file: str) -> Iterator[str]:
    assert each.then is not None
    yield f"{'now':<8} {each.verdict.state.value}: {each.verdict.because}"
    yield f"{'then':<8} {each.then.state.value}: {each.then.because}"
    changed = list(_changed(each.verdict, each.then))
    for now, then in changed:
        yield f"  {now.rule}: {now.state.value} ({now.because}) -> {then.state.value} ({then.because})"
    if not changed:
        yield f"Nothing would differ with {file}."


def _changed(now: Verdict, then: Verdict) -> Iterator[tuple[Verdict, Verdict]]:
    """Rules that answer otherwise; both trees have the same ones."""
    for one, other in zip(now.parts, then.parts, strict=True):
        if (one.state, one.because) != (other.state, other.because):
            yield one, other


def _document(each: Explained) -> dict[str, Any]:
    return {
        "number": each.pull.number,
        "url": each.pull.url,
        "title": each.pull.title,
        "head": each.pull.head,
        "convoy": each.asked.convoy.slug,
        "task": each.asked.task.number if each.asked.task else None,
    }


def _compared(each: Explained) -> dict[str, Any]:
    assert each.then is not None
    changed = [
        {"rule": now.rule, "now": _short(now), "then": _short(then)}
        for now, then in _changed(each.verdict, each.then)
    ]
    trees = {"now": _tree(each.verdict), "then": _tree(each.then)}
    return _document(each) | trees | {"changed": changed}


def _short(verdict: Verdict) -> dict[str, str]:
    return {"state": verdict.state.value, "because": verdict.because}


def _tree(verdict: Verdict) -> dict[str, Any]:
    return {
        "rule": verdict.rule,
        **_short(verdict),
        "who": verdict.who or None,
        "unblock": verdict.unblock or None,
        "next_look_ts": verdict.next_look_ts,
        "parts": [_tree(part) for part in verdict.parts],
    }
