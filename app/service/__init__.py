"""The service around the loop: web process, workers, timers, health, and the tree that runs them all.

A delivery or a timer makes a repository dirty: one arq job for each repository and generation. A pass raises
the generation before it reads and holds a lease while it runs, so a thousand hints are a few passes, a hint
during a pass is one more, and two workers seldom look at the same repository at once. Correctness hangs on
none of it: redis may be emptied at any time, and the next sweep finds what is open.

    # a web process, and a worker over a `Control` that is made when it is wanted
    serve(load_service(os.environ, Path.home(), part="serve"))
    work(load_service(os.environ, Path.home(), part="worker"), open_control)
"""

from app.service.app import WEBHOOK_PATH, build_app
from app.service.control import Control, Counted, Next, Repository
from app.service.logs import FIELDS, context, log_to
from app.service.manifest import manifest, manifest_text
from app.service.metrics import Metrics
from app.service.private_redis import PrivateRedis
from app.service.queue import Queue, Wake
from app.service.roll import Roll, alive_file
from app.service.server import Server, serve
from app.service.setup import Setup, install_url, run_setup
from app.service.stopping import HARD_EXIT
from app.service.tree import Commands, up
from app.service.wire import Wire
from app.service.worker import AtOnce, work

__all__ = [
    "FIELDS",
    "HARD_EXIT",
    "WEBHOOK_PATH",
    "AtOnce",
    "Commands",
    "Control",
    "Counted",
    "Metrics",
    "Next",
    "PrivateRedis",
    "Queue",
    "Repository",
    "Roll",
    "Server",
    "Setup",
    "Wake",
    "Wire",
    "alive_file",
    "build_app",
    "context",
    "install_url",
    "log_to",
    "manifest",
    "manifest_text",
    "run_setup",
    "serve",
    "up",
    "work",
]
