"""One session in, one result out: workspace, sandbox, engine, commit, checks, bundle.

`LocalDispatch` makes a folder per session and starts `python -m app.runner` on it, a process of its own that
outlives whoever started it. That process holds a lock on the file `alive` for its whole life (this is how one
sees that it lives), is handed the operator's keys through a pipe, and writes `result.json` last.

Inside the folder the agent gets a repository of its own (`workspace`, objects borrowed by alternates) and a
fresh home. Once an engine has run, nothing it could have written is opened outside the sandbox: commit,
checks, diff and bundle are commands inside, and what they say comes back through pipes. The one way out is
the gateway, a unix socket behind which the engine's one endpoint answers and the real key is put in.

How a session ended is judged from what it left (`judge.py`): a claim or an exit code of 0 is no success.

Worked example: a spec with engine `shell`, command `agent.sh` and one check `pytest -q`. The dispatch makes
`<root>/<id>` and spawns the runner; `workspace`, `engine`, `commit`, `checks`, `bundle`, `done` follow. The
agent edits a file and exits 0; the edit is committed with the trailers, `pytest -q` fails. The result says
`acceptance-failed` with pytest's last lines, and the bundle holds the commit for the next attempt.
"""

from app.runner.agent import Agent, find_agent
from app.runner.codec import decode, encode
from app.runner.engines.registry import COMING, ENGINES, is_metered
from app.runner.entry import main
from app.runner.folder import Folder
from app.runner.isolation import Isolation
from app.runner.local import LocalDispatch
from app.runner.redact import Redactor
from app.runner.sandboxes import probe

__all__ = [
    "COMING",
    "ENGINES",
    "Agent",
    "Folder",
    "Isolation",
    "LocalDispatch",
    "Redactor",
    "decode",
    "encode",
    "find_agent",
    "is_metered",
    "main",
    "probe",
]
