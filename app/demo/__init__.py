"""`make demo`: a whole convoy on a sample service, shown and then held against the log.

The service and its history are patches in `sample/`, with the request. The scripted agents' work is in
`parts/`, played by `agent.py`, which runs in the sandbox as the engine `shell`. Everything a person would
type is the real `brat` in a process of its own; the verdict is made from the log's board and the checkout,
never from what was printed.

Worked example: `Show(Sample(Path(".demo")), Stage()).run()` makes `.demo/repo`, plans, runs and lands six
tasks, and answers 0; without the planned crash in `parts/script.toml` it answers 1 and says what is missing.
"""

from app.demo.proof import Point, points
from app.demo.sample import SCRIPTED, Sample
from app.demo.show import Show
from app.demo.stage import Stage

__all__ = ["SCRIPTED", "Point", "Sample", "Show", "Stage", "points"]
