"""What `brat status --json` says in a clone, as a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

__all__ = ["status_of"]


def status_of(clone: Path) -> dict[str, Any]:
    """The document."""
    environ = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-m", "app.cli", "status", "--json"]
    ran = subprocess.run(command, cwd=clone, env=environ, capture_output=True, text=True, check=False)
    found: dict[str, Any] = json.loads(ran.stdout)
    return found
