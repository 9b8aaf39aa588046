"""`python -m app.runner`: started by `LocalDispatch`, one process per session."""

from __future__ import annotations

import sys

from app.runner import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
