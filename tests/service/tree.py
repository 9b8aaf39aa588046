"""`brat up` for tests: a real web process and redis, and the worker of `tests.service.loop`."""

from __future__ import annotations

import os
from pathlib import Path

from app.service import Commands, log_to, up
from app.settings import load_service
from tests.service.processes import loop_process

if __name__ == "__main__":
    settings = load_service(os.environ, Path.home(), part="up")
    log_to(secrets=settings.secrets)
    up(settings, commands=Commands(worker=loop_process()))
