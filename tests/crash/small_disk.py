"""A run on a disk that is too small: `unshare -rm python -m tests.crash.small_disk FOLDER`.

In a mount namespace of its own, so that it needs no privilege and leaves no mount behind.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from app.cli import machine_error
from app.control import End
from app.errors import BratError
from tests.runs.world import World

__all__ = ["main"]


def main(folder: Path, left: int) -> int:
    """Fill the disk up to `left` bytes, run into its end, make room, land."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=32m", "none", str(folder)], check=True)
    world = World.make(folder / "world")
    world.start()
    ballast = folder / "ballast"
    with ballast.open("wb") as file:
        file.write(bytes(shutil.disk_usage(folder).free - left))
    print(f"full: {_ended(world)}")
    ballast.unlink()
    print(f"room: {_ended(world)}")
    if world.retry_blocked():
        # A session that met the full disk says so and waits for a person; this one has made room.
        print(f"again: {_ended(world)}")
    if world.convoy.status.value != "complete":
        print(world.told())
        return 1
    world.expect_landed("First", "Second", "Third")
    world.expect_in_order()
    return 0


def _ended(world: World) -> str:
    try:
        end = world.run()
    except BratError as error:
        return f"error {error}"
    except OSError as error:
        return f"error {machine_error(error) or error}"
    return "landed" if end is End.LANDED else f"{end.value}: {world.told()}"


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2])))
