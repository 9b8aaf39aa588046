"""The status on a screen, once or as it changes."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from app.cli.call import SCHEMA_VERSION, Call
from app.cli.observing import Observation, Observer
from app.cli.status_json import status_json
from app.cli.status_view import Styled, status_lines
from app.cli.tables import columns_of, put

if TYPE_CHECKING:
    from app.wiring import Workshop

__all__ = ["show_status", "watch_status"]

LOOK_EVERY_S = 0.5


def show_status(call: Call, workshop: Workshop) -> None:
    """Once."""
    look = Observer(workshop).look()
    if call.json:
        call.answer(status_json(look, _root(workshop)))
        return
    _print(call, status_lines(look, room=columns_of(call)))


def watch_status(call: Call, workshop: Workshop, *, pause: Callable[[float], None] | None = None) -> None:
    """Again whenever something changes, until Ctrl-C. With `--json` a document per line."""
    wait = pause or _pause
    observer, shown = Observer(workshop), 0
    try:
        while True:
            look = observer.look()
            _again(call, look, _root(workshop), first=shown == 0)
            shown += 1
            while not observer.changed(look):
                wait(LOOK_EVERY_S)
    except KeyboardInterrupt:
        return


def _print(call: Call, lines: Iterable[Styled]) -> None:
    """Without blank lines at the end."""
    held = 0
    for text, style in lines:
        if not text:
            held += 1
            continue
        for _ in range(held):
            put(call)
        held = 0
        put(call, text, style=style)


def _again(call: Call, look: Observation, root: str, *, first: bool) -> None:
    if call.json:
        document = {"schema_version": SCHEMA_VERSION, **status_json(look, root)}
        print(json.dumps(document, ensure_ascii=False), flush=True)
        return
    if not call.plain:
        call.console.clear()
    elif not first:
        put(call, "-" * 40)
    _print(call, status_lines(look, room=columns_of(call)))


def _root(workshop: Workshop) -> str:
    return str(workshop.repository.work_tree or workshop.repository.common_dir)


def _pause(seconds: float) -> None:
    threading.Event().wait(seconds)
