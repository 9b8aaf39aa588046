"""What loads GitHub's client, which takes a second: imported where GitHub is used, never from `app.wiring`.

A `Process` is what all repositories of one worker share; `HubControl` drives them for the service, pass by
pass. `explain_pulls` looks at one for a person and leaves nothing behind.

Worked example: `HubControl(Process(app, data_dir, surroundings, redact, "one"))` opens a repository when
`pass_over(repository, installation)` first names it; `opened(repository)` has its loop's body and board.
"""

from app.wiring.github.hosted import HostedRepository, Process
from app.wiring.github.hub import HubControl, open_control
from app.wiring.github.view import Choose, explain_pulls

__all__ = ["Choose", "HostedRepository", "HubControl", "Process", "explain_pulls", "open_control"]
