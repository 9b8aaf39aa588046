"""The `brat` command: words in, one use of the wiring, words (or JSON) out. No rule lives here.

Every command takes its `Call` from the context: where the repository is, how to print, how to stop. Imports
of anything heavy stay inside the commands, so that `brat --version` and `--help` answer at once.
"""

from app.cli.failures import machine_error
from app.cli.main import main, program

__all__ = ["machine_error", "main", "program"]
