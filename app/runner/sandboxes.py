"""Which sandbox a session gets: what the operator's word says, and nothing weaker."""

from __future__ import annotations

from pathlib import Path

from app.errors import OperatorError
from app.ports import Operator, SessionSpec
from app.runner.agent import Agent
from app.runner.bwrap import Bubblewrap, probe_bwrap
from app.runner.folder import Folder
from app.runner.isolation import Isolation, Sandbox
from app.runner.mounts import view
from app.runner.process import PlainProcess
from app.runner.workspace import object_stores

__all__ = ["open_sandbox", "probe"]


def probe(operator: Operator) -> Isolation:
    """Whether sessions can run as the operator wants them, for start-up checks and `doctor`."""
    if operator.isolation == "process":
        return Isolation("process (unsafe)", True)
    if operator.isolation == "bwrap":
        return probe_bwrap()
    return Isolation(operator.isolation, False, "there is no such isolation", "use `bwrap` or `process`")


def open_sandbox(spec: SessionSpec, operator: Operator, folder: Folder, *, agent: Agent | None) -> Sandbox:
    """Make the session's places. Raises `OperatorError` where that isolation does not exist."""
    for each in (folder.workspace, folder.home, folder.temp):
        each.mkdir(mode=0o700, exist_ok=True)
    stores = object_stores(Path(spec.repository))
    seen = view(operator, agent.visible if agent else ())
    if operator.isolation == "bwrap":
        return Bubblewrap(folder, stores, seen, Path(__file__).with_name("relay.py"))
    if operator.isolation == "process":
        return PlainProcess(folder, stores, seen)
    raise OperatorError(f"there is no isolation {operator.isolation!r}", remedy="use `bwrap` or `process`")
