"""`python -m app.demo [--engine NAME]`: see `make demo`."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace
from pathlib import Path

from app.demo import SCRIPTED, Sample, SecondAct, Show, Stage
from app.errors import BratError
from app.ports import EngineCall, Operator
from app.runner import find_agent, probe
from app.settings import lend, load_settings

ENGINES = (SCRIPTED, "claude-code", "codex")


def main(argv: list[str]) -> int:
    """The exit code of the demo; 4 when the machine lacks what was asked for."""
    parser = argparse.ArgumentParser(
        prog="python -m app.demo", description="run a convoy on a sample project"
    )
    parser.add_argument("--engine", choices=ENGINES, default=SCRIPTED, help="who plays the agents")
    parser.add_argument("--folder", type=Path, default=Path(".demo"), help="where the sample is made")
    options = parser.parse_args(argv)
    try:
        sample = Sample(options.folder.absolute(), options.engine, isolation_for(options.engine))
        if not sample.scripted:
            check_engine(options.engine)
        stage = Stage()
        return Show(sample, stage).run() or _second(sample, stage)
    except BratError as error:
        print(f"demo: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return 130


def _second(sample: Sample, stage: Stage) -> int:
    """On a code host; real agents would be paid for the same work twice."""
    if not sample.scripted:
        stage.explain("The second act, on a stand-in of GitHub, is for scripted agents: `make demo`.")
        return 0
    return SecondAct(replace(sample, folder=sample.folder / "hosted"), stage).run()


def isolation_for(engine: str) -> str:
    """Scripted agents may go without a sandbox where none works; real ones only on the operator's word."""
    if engine == SCRIPTED:
        return "bwrap" if probe(Operator(isolation="bwrap")).works else "process"
    asked = load_settings(os.environ, Path.home()).sandbox.isolation
    return "process" if asked == "process" else "bwrap"


def check_engine(engine: str) -> None:
    """Before anything is made: its program is there and its key is set. Raises OperatorError."""
    operator = lend(load_settings(os.environ, Path.home()), os.environ, engines=(engine,))
    find_agent(EngineCall(engine, None, ""), operator)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
