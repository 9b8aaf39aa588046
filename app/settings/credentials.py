"""The App's own credentials, as the manifest flow left them in the data folder."""

from __future__ import annotations

import json
import os
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError

from app.errors import OperatorError
from app.ports import Step, unnumbered
from app.values import dataclass

__all__ = ["APP_FILE", "AppFile", "load_app", "store_app"]

APP_FILE = "app.json"


@dataclass(frozen=True, slots=True)
class AppFile:
    """What GitHub hands out once, when an App is created."""

    app_id: int
    slug: str
    private_key: SecretStr
    webhook_secret: SecretStr | None
    html_url: str


class _Stored(BaseModel):
    model_config = ConfigDict(extra="ignore")

    app_id: int = Field(gt=0)
    slug: str = ""
    private_key: SecretStr = Field(min_length=1)
    webhook_secret: SecretStr | None = None
    html_url: str = ""


def load_app(data_dir: Path) -> AppFile | None:
    """None where no App was created from here. Raises OperatorError for a file that is not ours any more."""
    path = data_dir / APP_FILE
    try:
        read = _Stored.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as error:
        reason = f"cannot be read: {(error.strerror or 'unknown reason').lower()}"
        raise OperatorError(
            reason, place=str(path), remedy="make it readable for the one who runs brat"
        ) from None
    except ValidationError:
        # The parser's own words would repeat what is in the file.
        raise OperatorError(
            "does not hold an App's credentials",
            place=str(path),
            remedy="take it away, then: brat app create; or set the BRAT_GITHUB_… variables",
        ) from None
    return AppFile(read.app_id, read.slug, read.private_key, read.webhook_secret, read.html_url)


def store_app(data_dir: Path, app: AppFile, *, step: Step = unnumbered) -> Path:
    """All of it or nothing, readable for the owner only. GitHub shows the key no second time."""
    path = data_dir / APP_FILE
    fresh = path.with_name(path.name + ".new")
    told = {
        "app_id": app.app_id,
        "slug": app.slug,
        "html_url": app.html_url,
        "private_key": app.private_key.get_secret_value(),
        "webhook_secret": app.webhook_secret.get_secret_value() if app.webhook_secret else None,
    }
    try:
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        fresh.unlink(missing_ok=True)
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(told, file, indent=2)
            file.flush()
            os.fsync(file.fileno())
        with step("settings.store_app"):
            fresh.replace(path)
            _sync(data_dir)
    except OSError as error:
        raise OperatorError(
            f"cannot write: {(error.strerror or 'unknown reason').lower()}",
            place=str(path),
            remedy="make the folder in BRAT_DATA_DIR writable, with room on its disk",
        ) from error
    return path


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
