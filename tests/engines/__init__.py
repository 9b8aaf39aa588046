"""Real engine command lines, as `make test` installs them into `.engines/` (aider: `make test-all`).

A missing program is a failure with its remedy, never a skipped test. Worked example:

    subprocess.run([claude(), "--version"], check=True)
"""

from tests.engines.programs import aider, claude, codex

__all__ = ["aider", "claude", "codex"]
