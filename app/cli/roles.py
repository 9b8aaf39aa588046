"""One role's part of the loop in the foreground. Any number of these on one repository are safe."""

from __future__ import annotations

from dataclasses import replace

from app.cli.call import Call
from app.config import parse_duration
from app.errors import UserError

__all__ = ["run_role"]


def run_role(call: Call, role: str, *, once: bool, remote: str | None = None, poll_interval: str = "") -> int:
    """Attach to what is open and work on it until it has ended; the exit code. Says so when nothing is open.

    It goes on waiting where another role or a person moves first: those act in another window.
    """
    from app.cli.convoys import conclude
    from app.cli.entrance import check_in, check_remote, engines_in_work
    from app.cli.running import Course, Runner

    workshop = call.workshop()
    board, _ = workshop.view()
    issues = tuple(each.issue for each in board.open_convoys)
    if not issues:
        if call.json:
            call.answer({"role": role, "end": "nothing-open", "exit_code": 0, "convoys": []})
        call.say(f"No convoy is open here, so the {role.title()} has nothing to do.")
        return 0
    config = workshop.config(board)
    engines = engines_in_work(workshop, config, issues) if role == "witness" else ()
    operator = check_in(workshop, config, engines)
    where = check_remote(workshop, remote, config)
    runner = Runner(call, workshop, operator=operator)
    call.say(f"The {role.title()} works on {', '.join(each.slug for each in board.open_convoys)}.")
    course = Course(issues, remote=where, roles=frozenset({role}), forever=True)
    if poll_interval:
        course = replace(course, look_again_s=_seconds(poll_interval))
    finished = runner.once(course) if once else runner.run(course)
    return conclude(call, workshop, finished, remote=where)


def _seconds(text: str) -> float:
    try:
        return parse_duration(text) / 1000
    except ValueError as wrong:
        raise UserError(str(wrong), place="--poll-interval", remedy="write it as 5s or 500ms") from None
