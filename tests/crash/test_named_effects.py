"""The list of steps is complete: strace sees no other rename, link or push of ours."""

from __future__ import annotations

import re
from pathlib import Path

from tests.crash.run import PROJECT, Run
from tests.crash.trace import COMMAND, effects_outside
from tests.runs.world import World

NOT_RELIED_ON = (
    *(r"\.git/brat/log\.seen", r"\.git/brat/mirror\.new/", r"\.git/brat/mirror\.git/objects/"),
    *(r"\.git/brat/inspect/", r"\.git/brat/takeover/index$"),
    *(r"\.git/brat/sessions/[^/]+/(phase|last)$", r"\.git/brat/sessions/[^/]+/(workspace|home|tmp)/"),
)
"""A hint that may say anything, a half-made mirror, objects (named by content), notes for people, scratch,
and the copy of an index, which counts only once it is renamed over the index."""

DURABLE = re.compile(
    rf"^(?!.*({'|'.join(NOT_RELIED_ON)})).*\.git/(brat/|refs/|packed-refs|index$|HEAD$|config$)"
)


def test_every_rename_and_push_belongs_to_a_step(tmp_path: Path) -> None:
    run = Run(World.make(tmp_path / "world"), traced=True)
    told = tmp_path / "trace"
    assert run.go(prefix=(*COMMAND, str(told))).end == "landed"
    trace = effects_outside(told, start=PROJECT, durable=DURABLE)
    assert trace.outside == []
    assert {"push.refs", "takeover.refs", "takeover.index", "log.ref", "runner.result"} <= trace.inside
    run.outcome()
