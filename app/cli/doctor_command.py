"""`brat doctor`: is everything here that a run needs, and is what is recorded sound."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

import typer

from app.cli.call import Call, call_of

if TYPE_CHECKING:
    from app.cli.checkup import Check

__all__ = ["doctor"]


def doctor(context: typer.Context) -> None:
    """Check git, sandbox, engines, keys, settings and the log; mend what is only a cache."""
    from app.cli.checkup import BAD

    call = call_of(context)
    checks = list(_all(call))
    healthy = all(each.state != BAD for each in checks)
    if call.json:
        told = [
            {"name": each.name, "state": each.state, "says": each.says, "remedy": each.remedy or None}
            for each in checks
        ]
        call.answer({"healthy": healthy, "checks": told})
    for line in _lines(checks, columns=min(call.columns, 110)):
        call.say(line)
    raise typer.Exit(0 if healthy else 4)


def _all(call: Call) -> Iterator[Check]:
    """Caches first: what they break must not be taken for damage of the log."""
    from app.cli.checkup import BAD, Check, check_machine, check_records
    from app.cli.mending import mend_caches
    from app.errors import BratError

    try:
        workshop = call.workshop(needs_branch=True)
    except BratError as error:
        yield Check("repository", BAD, f"{error.place}: {error.reason}", error.remedy or "")
        return
    mended = list(mend_caches(workshop))
    yield from check_machine(workshop)
    yield from mended
    yield from check_records(workshop)


def _lines(checks: list[Check], *, columns: int) -> Iterator[str]:
    wide = max(len(each.name) for each in checks)
    indent = " " * (wide + 10)
    for each in checks:
        yield from _folded(
            f"{each.state:<6}  {each.name:<{wide}}  ", each.says, indent=indent, columns=columns
        )
        if each.remedy:
            yield from _folded(f"{indent}-> ", each.remedy, indent=f"{indent}   ", columns=columns)


def _folded(head: str, text: str, *, indent: str, columns: int) -> list[str]:
    """Names and paths stay whole, so that they can be copied."""
    return textwrap.wrap(
        text,
        max(40, columns),
        initial_indent=head,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
