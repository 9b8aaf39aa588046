"""The one list of the service's environment: reading, refusals and docs/operation.md come from it."""

from __future__ import annotations

from collections.abc import Iterator

from app.values import dataclass

__all__ = ["SERVICE_VARIABLES", "Variable", "environment_table", "secret_names"]


@dataclass(frozen=True, slots=True)
class Variable:
    """One variable. `get` says how to come by a value; `secret` ones stay out of readable files and logs."""

    name: str
    meaning: str
    default: str = ""
    get: str = ""
    secret: bool = False


SERVICE_VARIABLES = (
    Variable(
        "BRAT_GITHUB_APP_ID",
        "The App's id, a number.",
        get="`brat app create`, or the App's page on GitHub under General",
    ),
    Variable(
        "BRAT_GITHUB_PRIVATE_KEY",
        "The App's private key (PEM); line breaks may be written as `\\n`.",
        get="`brat app create`, or Generate a private key on the App's page",
        secret=True,
    ),
    Variable("BRAT_GITHUB_PRIVATE_KEY_FILE", "A file with that key, instead of the key itself."),
    Variable(
        "BRAT_GITHUB_WEBHOOK_SECRET",
        "What deliveries are signed with; two with a comma between them while it is rotated.",
        get="`brat app create`, or what was typed as Webhook secret on the App's page",
        secret=True,
    ),
    Variable(
        "BRAT_GITHUB_API_URL",
        "The API; for GitHub Enterprise Server `https://HOST/api/v3`.",
        default="https://api.github.com",
    ),
    Variable(
        "BRAT_REDIS_URL",
        "redis 6.2 or newer, or valkey: `redis://`, `rediss://` or `unix://`. "
        "Without it `brat up` starts a private server.",
        get="the address of a redis that `brat serve` and all `brat worker` share; `brat up` needs none",
        secret=True,
    ),
    Variable(
        "BRAT_DATA_DIR",
        "Where replicas, sessions and the App's credentials are kept.",
        default="~/.local/share/brat",
    ),
    Variable("BRAT_HOST", "The address to listen on; `0.0.0.0` in a container.", default="127.0.0.1"),
    Variable("BRAT_PORT", "The port to listen on.", default="8470"),
    Variable("BRAT_SWEEP_INTERVAL", "How often all is looked at, whether told of or not.", default="5m"),
    Variable(
        "BRAT_CONFIG",
        "The operator's file; see [configuration.md](configuration.md).",
        default="~/.config/brat/config.toml",
    ),
    Variable(
        "BRAT_PUBLIC_URL",
        "Where GitHub reaches this service, like `https://brat.example.org`. "
        "Without it GitHub is asked every 15 s.",
    ),
)


def secret_names() -> frozenset[str]:
    """Variables whose value is a secret."""
    return frozenset(each.name for each in SERVICE_VARIABLES if each.secret)


def environment_table() -> str:
    """The table in docs/operation.md."""
    return "\n".join(["| variable | default | meaning |", "|---|---|---|", *_rows()]) + "\n"


def _rows() -> Iterator[str]:
    for each in SERVICE_VARIABLES:
        default = f"`{each.default}`" if each.default else ""
        yield f"| `{each.name}` | {default} | {each.meaning} |"
