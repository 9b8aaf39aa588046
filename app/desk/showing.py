"""A convoy as its issue shows it: from the log, from what the code host shows now, and from the verdicts."""

from __future__ import annotations

from collections.abc import Mapping

from app.board import Convoy, Look
from app.ports import HubSeen, Verdict
from app.texts import (
    StickyView,
    settings_note,
    sticky_view,
)

__all__ = ["view_of"]


def view_of(
    look: Look, hub: HubSeen, convoy: Convoy, *, verdicts: Mapping[str, Verdict], left: tuple[str, ...] = ()
) -> StickyView:
    """Pull requests as they are seen now, what the App may not do here, and what was `left` at the end."""
    pulls = {}
    for task in convoy.tasks:
        pull = hub.pull_of(task.work.branch) if task.work is not None else None
        if pull is not None:
            pulls[task.number] = (pull.number, pull.url)
    notes = tuple(f"the App's installation lacks the permission {name}" for name in sorted(hub.missing))
    notes += (settings_note(look.setting.config_problem),) if look.setting.config_problem else ()
    return sticky_view(convoy, verdicts, pulls=pulls, config=look.config, notes=(*notes, *left))
