"""The only place that constructs things: from a path and an environment to the parts of a run.

Worked example: `open_workshop(Path.cwd(), Surroundings(os.environ, Path.home()))` looks at the repository and
reads the settings; `view()` is the board to show; `reconciler(operator=…)` is the loop's body.
"""

from app.wiring.serving import explain_pulls, open_control
from app.wiring.source import CONFIG_FILE, ConfigSource
from app.wiring.workshop import Surroundings, Workshop, open_workshop

__all__ = [
    "CONFIG_FILE",
    "ConfigSource",
    "Surroundings",
    "Workshop",
    "explain_pulls",
    "open_control",
    "open_workshop",
]
