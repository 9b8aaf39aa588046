"""`python -m benchmarks [NAME...]`: see `make bench`."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path

from benchmarks import burst, commands, fleet, graph, hosted, idle, label, log, start, supervisor, webhooks
from benchmarks.figure import Figure, table

ALL: Mapping[str, Callable[[Path], Iterator[Figure]]] = {
    "commands": commands.measure,
    "log": log.measure,
    "start": start.measure,
    "supervisor": supervisor.measure,
    "graph": graph.measure,
    "hosted": hosted.measure,
    "idle": idle.measure,
    "label": label.measure,
    "burst": burst.measure,
    "fleet": fleet.measure,
    "webhooks": webhooks.measure,
}
OUT = Path(__file__).parent / "out"


def main(argv: list[str]) -> int:
    """Measure, print, write; 0 whatever the figures say."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="measure brat, as ratios")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(ALL)}; without it all")
    names = parser.parse_args(argv).names or list(ALL)
    unknown = [each for each in names if each not in ALL]
    if unknown:
        parser.error(f"no benchmark {unknown[0]!r}: one of {', '.join(ALL)}")
    load = os.getloadavg()[0]
    figures: list[Figure] = []
    for name in names:
        print(f"measuring {name} ...", file=sys.stderr)
        with tempfile.TemporaryDirectory(prefix="brat-bench-") as folder:
            figures += ALL[name](Path(folder))
    print(table(figures))
    print(f"written to {_write(figures, load).relative_to(Path.cwd())}")
    return 0


def _write(figures: list[Figure], load: float) -> Path:
    OUT.mkdir(exist_ok=True)
    machine = {"python": platform.python_version(), "cores": os.cpu_count(), "load_before": load}
    told = [{**asdict(each), "ratio": each.ratio, "met": each.met} for each in figures]
    path = OUT / f"{time.strftime('%Y%m%dT%H%M%S')}.json"
    path.write_text(json.dumps({"machine": machine, "figures": told}, indent=2) + "\n")
    return path


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
