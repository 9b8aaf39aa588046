"""The ways to GitHub: the service's loop, and a look for a person."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from app.config import Config
    from app.refinery import Explained
    from app.service import Control
    from app.settings import ServiceSettings
    from app.wiring.github import Choose
    from app.wiring.workshop import Workshop

__all__ = ["explain_pulls", "open_control"]


def open_control(settings: ServiceSettings) -> Control:
    """Passes and sweeps over GitHub; what they need takes a second to import, so not before now."""
    return cast("Control", importlib.import_module("app.wiring.github.hub").open_control(settings))


def explain_pulls(
    workshop: Workshop, settings: ServiceSettings, choose: Choose, *, other: Config | None = None
) -> tuple[Explained, ...]:
    """What policy says of the chosen pull requests, and with `other` settings. See `app.wiring.github`."""
    explain = importlib.import_module("app.wiring.github").explain_pulls
    return cast("tuple[Explained, ...]", explain(workshop, settings, choose, other=other))
