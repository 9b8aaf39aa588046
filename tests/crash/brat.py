"""A process that does what `brat mayor start` and `resume` do: `python -m tests.crash.brat WORLD [ROLES]`.

It records the convoy unless there is one, runs the loop to its end, and says how it ended as one JSON line.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from app.control import ROLES
from app.errors import BratError
from tests.crash.surroundings import numbered
from tests.runs.world import World

__all__ = ["main"]

RUNNER = (sys.executable, "-m", "tests.crash.runner")


def main(root: Path, roles: frozenset[str]) -> int:
    """0: it went as it should; 1: an error with words for a person, or the machine's own."""
    told = json.loads((root / "run.json").read_text())
    world = World(root, isolation=told["isolation"], step=numbered(), runner=RUNNER)
    try:
        if not world.board().convoys:
            world.start(told["checklist"])
        end = world.run(roles=roles)
    except (BratError, OSError) as error:
        print(json.dumps({"error": str(error)}))
        return 1
    print(json.dumps({"end": end.value, "told": world.told()}))
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), frozenset(sys.argv[2].split(",")) if len(sys.argv) > 2 else ROLES))
