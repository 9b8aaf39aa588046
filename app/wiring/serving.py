"""The service's way to the loop over GitHub."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from app.service import Control
    from app.settings import ServiceSettings

__all__ = ["open_control"]


def open_control(settings: ServiceSettings) -> Control:
    """Passes and sweeps over GitHub; what they need takes a second to import, so not before now."""
    return cast("Control", importlib.import_module("app.wiring.hub").open_control(settings))
