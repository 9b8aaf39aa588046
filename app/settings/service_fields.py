"""Each variable of the service from text to value; what is wrong is collected, not raised."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import SecretStr

from app.config import parse_duration

__all__ = ["Reading"]

_API = "https://api.github.com"


class Reading:
    """One look at the environment. A method answers None or the default where its value is wrong."""

    def __init__(self, environ: Mapping[str, str], home: Path) -> None:
        self._environ = environ
        self._home = home
        self.problems: list[str] = []

    def app_id(self) -> int | None:
        text = self._get("BRAT_GITHUB_APP_ID")
        if text and not (text.isascii() and text.isdigit() and 0 < len(text) < 16 and int(text)):
            self._wrong("BRAT_GITHUB_APP_ID", "is no App id, a number like 123456")
            return None
        return int(text) if text else None

    def private_key(self) -> SecretStr | None:
        text = self._get("BRAT_GITHUB_PRIVATE_KEY").replace("\\n", "\n")
        file = self._get("BRAT_GITHUB_PRIVATE_KEY_FILE")
        if text and file:
            self._wrong("BRAT_GITHUB_PRIVATE_KEY", "is set, and BRAT_GITHUB_PRIVATE_KEY_FILE too: keep one")
            return None
        name = "BRAT_GITHUB_PRIVATE_KEY_FILE" if file else "BRAT_GITHUB_PRIVATE_KEY"
        if file:
            try:
                text = Path(file).expanduser().read_text("utf-8").strip()
            except (OSError, UnicodeDecodeError):
                self._wrong(name, "names a file that cannot be read as text")
                return None
        if not text and not file:
            return None
        if not text.startswith("-----BEGIN ") or "PRIVATE KEY-----" not in text:
            self._wrong(name, "does not hold a private key in PEM form (-----BEGIN …)")
            return None
        return SecretStr(text + "\n")

    def webhook_secrets(self) -> tuple[SecretStr, ...]:
        text = self._get("BRAT_GITHUB_WEBHOOK_SECRET")
        found = tuple(SecretStr(each.strip()) for each in text.split(",") if each.strip())
        if len(found) > 2:
            self._wrong("BRAT_GITHUB_WEBHOOK_SECRET", "holds more than two secrets: the new and the old one")
        return found

    def api_url(self) -> str:
        return self._url("BRAT_GITHUB_API_URL", f"like {_API}") or _API

    def public_url(self) -> str | None:
        return self._url("BRAT_PUBLIC_URL", "like https://brat.example.org")

    def redis_url(self) -> SecretStr | None:
        text = self._get("BRAT_REDIS_URL")
        if text and urlsplit(text).scheme not in ("redis", "rediss", "unix"):
            self._wrong("BRAT_REDIS_URL", "is no redis://, rediss:// or unix:// address")
            return None
        return SecretStr(text) if text else None

    def data_dir(self) -> Path:
        named = self._get("BRAT_DATA_DIR")
        if named:
            return Path(named).expanduser().absolute()
        base = Path(self._environ.get("XDG_DATA_HOME", ""))
        return (base if base.is_absolute() else self._home / ".local/share") / "brat"

    def port(self) -> int:
        text = self._get("BRAT_PORT") or "8470"
        if not (text.isascii() and text.isdigit() and len(text) < 6 and int(text) < 65536):
            self._wrong("BRAT_PORT", "is no port, a number up to 65535")
            return 0
        return int(text)

    def sweep_interval_ms(self) -> int:
        try:
            return max(parse_duration(self._get("BRAT_SWEEP_INTERVAL") or "5m"), 1000)
        except ValueError as error:
            self._wrong("BRAT_SWEEP_INTERVAL", f"cannot be read: {error}")
            return 300_000

    def _get(self, name: str) -> str:
        return self._environ.get(name, "").strip()

    def _wrong(self, name: str, reason: str) -> None:
        """The value itself is not repeated: it may be a secret in the wrong place."""
        self.problems.append(f"{name} {reason}")

    def _url(self, name: str, example: str) -> str | None:
        text = self._get(name)
        try:
            parts = urlsplit(text)
            sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:
            sound = False
        if text and (not sound or parts.username or parts.query or parts.fragment):
            self._wrong(name, f"is no address {example}")
            return None
        return text.rstrip("/") or None
