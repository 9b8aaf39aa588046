"""A look at a repository on GitHub for a person: judged as a pass would, and nothing is written anywhere.

The clone that the person stands in names the repository. Branches and log are fetched beside it, into a
folder that goes away again, for only GitHub's own are the truth.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pygit2

from app.board import Board, Look
from app.config import Config
from app.control import Reconciler
from app.errors import Later, UserError
from app.forge.github import RepositoryRef
from app.grite import WAL
from app.ports import Wanted
from app.refinery import Asked, Explained, asked_refs, asked_wanted, judge_asked
from app.settings import ServiceSettings
from app.wiring.github.hosted import Process, hub_of
from app.wiring.github.hub import process_of
from app.wiring.last_good import LastGood
from app.wiring.workshop import Workshop, open_workshop
from app.workspace import Replica

__all__ = ["Choose", "explain_pulls"]

Choose = Callable[[Board], tuple[Asked, ...]]
"""Which pull requests are asked about; raises UserError where there is no such one."""
_AGAIN_MS = 15_000
_SHORT = re.compile(r"(?:[^@/]+@)?(?P<host>[^:/]+):(?P<path>[^/].*)")
"""`git@github.com:owner/name.git`: https://git-scm.com/docs/git-clone#_git_urls"""


def explain_pulls(
    workshop: Workshop, settings: ServiceSettings, choose: Choose, *, other: Config | None = None
) -> tuple[Explained, ...]:
    """What policy says of the chosen pull requests now. Raises UserError, OperatorError and Later."""
    host, name = _origin(workshop)
    process = process_of(settings, workshop.surroundings)
    try:
        place = _place(process, host, name)
        with tempfile.TemporaryDirectory(prefix="brat-policy-") as folder:
            replica = Path(folder) / "repo.git"
            reconciler = _opened(place, process, workshop, folder=replica)
            asked = choose(reconciler.board())
            look = _look(place, process, reconciler, asked=asked, replica=replica)
            return tuple(_explained(each, look, other) for each in asked)
    finally:
        process.app.close()


def _explained(asked: Asked, look: Look, other: Config | None) -> Explained:
    verdict = judge_asked(asked, look)
    then = None if other is None else judge_asked(asked, replace(look, config=other))
    if verdict is None or look.seen.hub is None:
        raise Later(
            f"pull request #{asked.pull.number} could not be read",
            retry_at=look.now + _AGAIN_MS,
            place="GitHub",
        )
    return Explained(asked, look.seen.hub.pulls[asked.pull.number], verdict, then)


def _look(
    place: RepositoryRef, process: Process, reconciler: Reconciler, *, asked: tuple[Asked, ...], replica: Path
) -> Look:
    board = reconciler.board()
    seen = reconciler.forge.observe(Wanted(refs=asked_refs(asked)))
    setting = replace(reconciler.setting(), hosted=True, base=place.default_branch)
    look = Look(board, seen, reconciler.config(board), setting)
    if not asked:
        return look
    hub = hub_of(place, process, replica).observe(asked_wanted(asked, look))
    return replace(look, seen=replace(seen, hub=hub))


def _opened(place: RepositoryRef, process: Process, workshop: Workshop, *, folder: Path) -> Reconciler:
    """GitHub's branches and log, with the clone's objects lent and the clone's pins; only to look with."""
    around = process.surroundings
    access = process.app.git_access(place, push=False)
    replica = Replica(folder, access, clock=around.clock, step=around.step)
    replica.ensure()
    lent = workshop.repository.common_dir / "objects"
    (folder / "objects" / "info" / "alternates").write_text(f"{lent}\n", "utf-8")
    head = replica.refresh()
    if head is not None:
        pygit2.Repository(str(folder)).references.create(WAL, head)
    shop = open_workshop(folder, around, base=place.default_branch)
    shop.config = LastGood(folder, shop.repository.base, shop.settings)
    reconciler = shop.observer()
    reconciler.trusted, _ = workshop.pins.trust(shop.log().read())
    return reconciler


def _place(process: Process, host: str, name: str) -> RepositoryRef:
    """The repository as the App sees it."""
    for installation in process.app.installations():
        if installation.suspended:
            continue
        for place in process.app.repositories(installation.id):
            named = place.name.casefold() == name.casefold()
            if named and urlsplit(place.clone_url).hostname == host:
                return place
    raise UserError(
        f"the App is not installed on {name}",
        place=f"git remote origin ({host})",
        remedy="add the repository to the App's installation, or go to a clone of one where it is",
    )


def _origin(workshop: Workshop) -> tuple[str, str]:
    """Host and `owner/name` of the clone's `origin`."""
    repository = pygit2.Repository(str(workshop.repository.common_dir))
    url = repository.remotes["origin"].url if "origin" in repository.remotes.names() else None
    if url is None:
        raise UserError(
            "there is no git remote `origin`, so that no repository on GitHub is named",
            place=str(workshop.repository.common_dir),
            remedy="git remote add origin URL",
        )
    short = _SHORT.fullmatch(url) if "://" not in url else None
    host, path = (short["host"], short["path"]) if short else (urlsplit(url).hostname, urlsplit(url).path)
    name = path.strip("/").removesuffix(".git")
    if not host or name.count("/") != 1:
        raise UserError(
            f"{url} names no repository on GitHub", place="git remote origin", remedy="git remote -v"
        )
    return host.lower(), name
