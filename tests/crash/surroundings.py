"""How the processes of a struck run find their count: by the environment, which they inherit."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from app.ports import Step, unnumbered
from tests.crash.points import Numbered

__all__ = ["environment", "numbered"]

_FOLDER, _MARKER, _TRACED = "BRAT_TEST_STEPS", "BRAT_TEST_MARKER", "BRAT_TEST_TRACED"


def environment(step: Numbered) -> Mapping[str, str]:
    """What a process needs to count with `step`."""
    traced = {_TRACED: "1"} if step.traced else {}
    return {_FOLDER: str(step.folder), _MARKER: step.marker, **traced}


def numbered() -> Step:
    """The step that this process was told to count with."""
    folder = os.environ.get(_FOLDER)
    if folder is None:
        return unnumbered
    return Numbered(Path(folder), os.environ[_MARKER], _TRACED in os.environ)
