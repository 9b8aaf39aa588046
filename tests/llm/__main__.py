"""The scripted model as a program, for engines that a person starts by hand."""

from __future__ import annotations

import argparse
import signal
import threading
from pathlib import Path

from tests.llm.script import read_steps
from tests.llm.server import ScriptedModel


def main() -> None:
    """Serve until SIGTERM or Ctrl-C. The port file appears once it listens."""
    parser = argparse.ArgumentParser(prog="python -m tests.llm", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 picks a free one")
    parser.add_argument("--port-file", type=Path, help="the port is written here once it listens")
    parser.add_argument(
        "--script", action="append", default=[], help="NAME=FILE: steps of scenario script:NAME"
    )
    given = parser.parse_args()
    named = (each.partition("=") for each in given.script)
    scripts = {name: read_steps(Path(file)) for name, _, file in named}
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    with ScriptedModel(port=given.port, scripts=scripts) as model:
        print(f"scripted model: {model.base_url()}", flush=True)
        if given.port_file:
            part = given.port_file.with_suffix(".part")
            part.write_text(str(model.port))
            part.replace(given.port_file)
        stop.wait()


if __name__ == "__main__":
    main()
