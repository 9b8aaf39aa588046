"""A text in the person's own editor."""

from __future__ import annotations

import shlex
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from app.errors import OperatorError

__all__ = ["edited"]


def edited(text: str, environ: Mapping[str, str], *, ending: str) -> str | None:
    """What the person made of it; None when they left it as it was.

    The editor is that of VISUAL or EDITOR, else vi. Raises OperatorError when it does not start or fails.
    """
    editor = environ.get("VISUAL") or environ.get("EDITOR") or "vi"
    with tempfile.TemporaryDirectory(prefix="brat-edit-") as folder:
        file = Path(folder) / f"plan{ending}"
        file.write_text(text, "utf-8")
        try:
            ended = subprocess.run([*shlex.split(editor), str(file)], check=False)
        except (OSError, ValueError) as error:
            raise OperatorError(
                f"the editor does not start: {error}", place=editor, remedy="set EDITOR to one that does"
            ) from None
        if ended.returncode != 0:
            raise OperatorError(f"the editor ended with {ended.returncode}", place=editor, remedy="try again")
        made = file.read_text("utf-8", "replace")
    return None if made == text else made
