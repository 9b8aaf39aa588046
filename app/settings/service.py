"""What a service is started with, read once from the environment, a `.env` file and the data folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Literal

from pydantic import SecretStr

from app.config import nearest
from app.errors import ConfigError, OperatorError
from app.settings.credentials import AppFile, load_app
from app.settings.dotenv import with_dotenv
from app.settings.load import VARIABLES, load_settings
from app.settings.service_fields import Reading
from app.settings.service_table import SERVICE_VARIABLES, secret_names
from app.settings.values import Settings
from app.values import dataclass

__all__ = ["Part", "ServiceSettings", "load_service", "service_environment"]

Part = Literal["serve", "worker", "up", "setup", "policy"]
"""What is started: the web, a worker, both, the creation of the App, or a look at its pull requests."""

_NEEDED: Mapping[Part, tuple[str, ...]] = {
    "serve": ("app_id", "redis_url"),
    "worker": ("app_id", "private_key", "redis_url"),
    "up": ("app_id", "private_key"),
    "setup": (),
    "policy": ("app_id", "private_key"),
}


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """The service's environment. Secrets show in no `repr`; `environ` is what it was read from."""

    app_id: int | None
    private_key: SecretStr | None
    webhook_secrets: tuple[SecretStr, ...]
    api_url: str
    redis_url: SecretStr | None
    data_dir: Path
    host: str
    port: int
    sweep_interval_ms: int
    public_url: str | None
    operator: Settings
    environ: Mapping[str, str] = field(repr=False)

    @property
    def polling(self) -> bool:
        """Without a public address no webhook comes, and GitHub is asked."""
        return self.public_url is None

    @property
    def secrets(self) -> tuple[str, ...]:
        """Values that no log may hold."""
        held = (self.private_key, self.redis_url, *self.webhook_secrets)
        return tuple(each.get_secret_value() for each in held if each is not None)


def service_environment(environ: Mapping[str, str], folder: Path) -> dict[str, str]:
    """The environment with the settings of `folder/.env` below it. Raises as `with_dotenv` does."""
    return with_dotenv(environ, folder / ".env", secret=secret_names())


def load_service(environ: Mapping[str, str], home: Path, *, part: Part) -> ServiceSettings:
    """Everything `part` needs. Raises OperatorError with one list of all that is missing or wrong."""
    _refuse_slips(environ)
    operator = load_settings(environ, home)
    reading = Reading(environ, home)
    data_dir = reading.data_dir()
    app = _of_file(load_app(data_dir), environ.get("BRAT_GITHUB_APP_ID", ""))
    settings = ServiceSettings(
        app_id=reading.app_id() or (app.app_id if app else None),
        private_key=reading.private_key() or (app.private_key if app else None),
        webhook_secrets=reading.webhook_secrets()
        or ((app.webhook_secret,) if app and app.webhook_secret else ()),
        api_url=reading.api_url(),
        redis_url=reading.redis_url(),
        data_dir=data_dir,
        host=environ.get("BRAT_HOST") or "127.0.0.1",
        port=reading.port(),
        sweep_interval_ms=reading.sweep_interval_ms(),
        public_url=reading.public_url(),
        operator=operator,
        environ=environ,
    )
    wrong = tuple(reading.problems)
    problems = [*wrong, *(each for each in _missing(settings, part) if not _told(each, wrong))]
    if problems:
        listed = "\n".join(f"  - {each}" for each in problems)
        raise OperatorError(
            f"{len(problems)} {'setting' if len(problems) == 1 else 'settings'} missing or wrong\n{listed}",
            place=f"brat {part}",
            remedy="set them in the environment or in .env; docs/operation.md lists them all",
        )
    _refuse_process(settings, part)
    return settings


def _of_file(app: AppFile | None, named: str) -> AppFile | None:
    """The stored App, unless the environment names another one: two Apps' credentials are never mixed."""
    return app if app and named.strip() in ("", str(app.app_id)) else None


def _missing(settings: ServiceSettings, part: Part) -> list[str]:
    needed = [
        f"BRAT_{'' if each == 'redis_url' else 'GITHUB_'}{each.upper()}"
        for each in _NEEDED[part]
        if getattr(settings, each) is None
    ]
    if part in ("serve", "up") and settings.public_url and not settings.webhook_secrets:
        needed.append("BRAT_GITHUB_WEBHOOK_SECRET")
    told = {each.name: each for each in SERVICE_VARIABLES}
    return [f"{name} is not set. {told[name].meaning} From: {told[name].get}" for name in needed]


def _told(missing: str, wrong: tuple[str, ...]) -> bool:
    """What is wrong has no value either; saying so too would mislead."""
    return any(each.startswith(missing.partition(" ")[0]) for each in wrong)


def _refuse_process(settings: ServiceSettings, part: Part) -> None:
    if part in ("worker", "up") and settings.operator.sandbox.isolation == "process":
        raise OperatorError(
            'isolation "process" is no sandbox, and a service works on what strangers write',
            place=f"[sandbox] isolation in {settings.operator.place}",
            remedy='set it to "auto" or "bwrap" and install bubblewrap; docs/security.md says why',
        )


def _refuse_slips(environ: Mapping[str, str]) -> None:
    """A misspelt setting would silently be its default."""
    ours = {each.name for each in SERVICE_VARIABLES} | {
        name for name in VARIABLES if name.startswith("BRAT_")
    }
    rests = {each.removeprefix("BRAT_") for each in ours}
    for name in environ:
        if name.startswith("BRAT_") and name not in ours:
            meant = nearest(name.removeprefix("BRAT_"), rests)
            if meant:
                raise ConfigError(
                    f"no such setting, did you mean BRAT_{meant}?",
                    place=f"environment variable {name}",
                    remedy=f"unset {name}",
                )
