"""GitHub behind the `Forge` port: an App's client, one look per pass, one action at a time.

A mutation ends done, refused or unknown and is never tried again by itself; a read that fails leaves its part
unknown; a limit raises `Later` with the time to come back. Nothing here decides and nothing sleeps. Importing
this package loads githubkit, so it is imported where GitHub is used, and never from `app.forge`. Example:

    app = GitHubApp(AppCredentials(12345, pem))
    for place in app.repositories(installation):
        client = app.client(place.installation, place.id)
        around = Surroundings(ReplicaTree(git_dir), redact)
        hub = GitHubHub(client, place.name, app.ourselves(), around=around)
        seen = hub.observe(HubWanted(label="brat"))
        hub.act(PostComment(7, "sticky:auth-jwt", "Planning …"))
"""

from app.forge.github.app import Delivery, GitHubApp, Installation, RepositoryRef
from app.forge.github.budget import Budget, LocalShelf, RedisShelf, Shelf
from app.forge.github.client import Client
from app.forge.github.credentials import PUBLIC_API, AppCredentials
from app.forge.github.forge import GitHubForge, Replicating
from app.forge.github.git_access import GitAccess
from app.forge.github.hub import NEEDED, GitHubHub, Surroundings
from app.forge.github.ledger import Pace, Priority
from app.forge.github.people import Ourselves
from app.forge.github.tree import ReplicaTree, Tree
from app.forge.github.wire import API_VERSION, Reply, Wire

__all__ = [
    "API_VERSION",
    "NEEDED",
    "PUBLIC_API",
    "AppCredentials",
    "Budget",
    "Client",
    "Delivery",
    "GitAccess",
    "GitHubApp",
    "GitHubForge",
    "GitHubHub",
    "Installation",
    "LocalShelf",
    "Ourselves",
    "Pace",
    "Priority",
    "RedisShelf",
    "ReplicaTree",
    "Replicating",
    "Reply",
    "RepositoryRef",
    "Shelf",
    "Surroundings",
    "Tree",
    "Wire",
]
