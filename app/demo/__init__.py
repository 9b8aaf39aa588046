"""`make demo`: a whole convoy on a sample service, shown and then held against the log; in two acts.

The service and its history are patches in `sample/`, with the request. The scripted agents' work is in
`parts/`, played by `agent.py`, which runs in the sandbox as the engine `shell`. Everything a person would
type is the real `brat` in a process of its own; the verdict is made from the log's board and the checkout,
never from what was printed.

In the second act the request is an issue on a stand-in of GitHub: `host.py` has it and one worker of the App,
`ci.py` its checks, `second.py` the story. The stand-in is test code, so this needs a source checkout.

Worked example: `Show(Sample(Path(".demo")), Stage()).run()` makes `.demo/repo`, plans, runs and lands six
tasks, and answers 0; without the planned crash in `parts/script.toml` it answers 1 and says what is missing.
"""

from app.demo.hosted_proof import HostSeen, hosted_points
from app.demo.proof import Point, points
from app.demo.sample import SCRIPTED, Sample
from app.demo.second import SecondAct
from app.demo.show import Show
from app.demo.stage import Stage

__all__ = [
    "SCRIPTED",
    "HostSeen",
    "Point",
    "Sample",
    "SecondAct",
    "Show",
    "Stage",
    "hosted_points",
    "points",
]
