"""The runner's process with numbered steps: `python -m tests.crash.runner FOLDER LOCK`."""

from __future__ import annotations

import sys

from app.runner import main
from tests.crash.surroundings import numbered

__all__: list[str] = []

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], step=numbered()))
