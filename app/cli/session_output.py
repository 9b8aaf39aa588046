"""A session's output as it is written, and the word that ends a session."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.call import Call
from app.cli.naming import FoundSession, find_session
from app.cli.tables import put
from app.errors import OperatorError, UserError
from app.ports import Done, Life, Refused

if TYPE_CHECKING:
    from app.runner import LocalDispatch

__all__ = ["stop_session", "tail_session"]

LOOK_EVERY_S = 0.2
_LAST_BYTES = 256 * 1024
# Whatever an agent prints must not steer the terminal that shows it.
_STEERING = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|[\x00-\x08\x0b-\x1f\x7f-\x9f]"
)


def tail_session(
    call: Call,
    name: str,
    *,
    follow: bool,
    lines: int,
    pause: Callable[[float], None] | None = None,
) -> None:
    """The end of the output; with `follow` what comes until the session ends."""
    workshop = call.workshop()
    found = find_session(workshop.view()[0], name)
    dispatch = workshop.dispatch()
    log = dispatch.folder(found.session.id).log
    if not log.exists() and not (follow and _alive(dispatch, found)):
        raise _nothing_here(found)
    if call.json:
        told = {"session_id": found.session.id, "path": str(log), "lines": _last(log, lines)[0]}
        call.answer({"output": told})
        return
    shown, at = _last(log, lines) if log.exists() else ([], 0)
    for line in shown:
        put(call, line)
    if follow:
        _follow(dispatch, found, at, pause=pause or _pause)


def stop_session(call: Call, name: str) -> None:
    """`brat session stop`."""
    workshop = call.workshop()
    found = find_session(workshop.view()[0], name)
    session = found.session
    if not session.open:
        assert session.ended is not None
        raise UserError(
            f"session {session.id} has ended: {session.ended.finding.value}",
            remedy=f"brat session show {session.id}",
        )
    match workshop.dispatch().stop(session.id):
        case Done():
            then = "A running brat records it." if workshop.attended else "-> brat mayor resume records it"
        case Refused() as refused:
            raise UserError(refused.reason, remedy="stop it on the machine that runs it")
        case unknown:
            raise OperatorError(unknown.reason, remedy=f"look again: brat session show {session.id}")
    if call.json:
        call.answer({"session": {"session_id": session.id, "asked_to_end": True}})
        return
    call.say(f"Session {session.id} is asked to end.")
    call.say(then)


def _follow(dispatch: LocalDispatch, found: FoundSession, at: int, *, pause: Callable[[float], None]) -> None:
    """Bytes as they come; what is there when the session has ended is the end."""
    log = dispatch.folder(found.session.id).log
    try:
        while True:
            alive = _alive(dispatch, found)
            at = _pass_on(log, at)
            if not alive:
                return
            pause(LOOK_EVERY_S)
    except KeyboardInterrupt:
        return


def _pass_on(log: Path, at: int) -> int:
    if not log.exists():
        return at
    with log.open("rb") as file:
        file.seek(at)
        fresh = file.read()
    sys.stdout.write(_plain(fresh))
    sys.stdout.flush()
    return at + len(fresh)


def _alive(dispatch: LocalDispatch, found: FoundSession) -> bool:
    return dispatch.look((found.session.id,))[found.session.id].life is Life.ALIVE


def _last(log: Path, lines: int) -> tuple[list[str], int]:
    """The last lines, and where the file ended when they were read."""
    with log.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - _LAST_BYTES))
        text = _plain(file.read(size))
    return text.splitlines()[-lines:], size


def _plain(raw: bytes) -> str:
    text = _STEERING.sub("", raw.decode("utf-8", "replace"))
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, "replace").decode(encoding)


def _nothing_here(found: FoundSession) -> UserError:
    session = found.session
    said = f"the output of {session.id} is not on this machine"
    if session.open:
        return UserError(f"{said} (yet)", remedy="brat status")
    evidence = session.ended.evidence if session.ended else ""
    kept = f"; the log keeps: {evidence.partition(chr(10))[0]}" if evidence else ""
    return UserError(said + kept, remedy=f"brat session show {session.id}")


def _pause(seconds: float) -> None:
    threading.Event().wait(seconds)
