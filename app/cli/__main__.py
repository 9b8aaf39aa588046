"""`python -m app.cli`: the `brat` command where it is not installed as a program."""

from __future__ import annotations

import sys

from app.cli import main

if __name__ == "__main__":
    sys.exit(main())
