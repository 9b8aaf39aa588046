"""What a place for branches and the log can do, behind the `Forge` port.

`LocalForge` is a plain repository on this machine. It reads refs in this process and leaves everything that
needs the git binary to a `Publishing` value that is handed in. Worked example:

    forge = LocalForge(here.common_dir, publisher)
    seen = forge.observe(Wanted(refs=("refs/heads/main",), contains=(("refs/heads/main", commit),)))
    forge.push((RefMove("refs/heads/main", seen.refs["refs/heads/main"], candidate.commit),))
"""

from app.forge.local import LocalForge
from app.forge.publisher import Publishing

__all__ = ["LocalForge", "Publishing"]
