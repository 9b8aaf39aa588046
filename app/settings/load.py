"""Reads environment and operator's file, once, for the entry point."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from app.config import nearest
from app.errors import ConfigError, OperatorError
from app.settings.parse import Surroundings, parse_settings
from app.settings.values import Settings

__all__ = ["VARIABLES", "load_settings"]

VARIABLES: Mapping[str, str] = {
    "BRAT_CONFIG": "The operator's file; without it `$XDG_CONFIG_HOME/brat/config.toml`.",
    "NO_COLOR": "Anything in it: no color. See https://no-color.org",
    "XDG_CONFIG_HOME": "Where settings live; without it `~/.config`.",
}
"""Every environment variable that is read, beside those that the operator's file names."""

_PREFIX = "BRAT_"


def load_settings(environ: Mapping[str, str], home: Path) -> Settings:
    """Raises `ConfigError` for a wrong value, `OperatorError` for a file that cannot be read."""
    _refuse_slips(environ)
    around = Surroundings(home=home, color=not environ.get("NO_COLOR"))
    named = environ.get("BRAT_CONFIG")
    file = (
        Path(named).expanduser()
        if named
        else _xdg(environ, "XDG_CONFIG_HOME", home / ".config") / "brat/config.toml"
    )
    return parse_settings(_text(file, named=bool(named)), around, place=str(file))


def _refuse_slips(environ: Mapping[str, str]) -> None:
    """Other programs may have variables of this prefix; only a near miss of ours is wrong."""
    ours = {name.removeprefix(_PREFIX) for name in VARIABLES if name.startswith(_PREFIX)}
    for name in environ:
        rest = name.removeprefix(_PREFIX)
        meant = nearest(rest, ours) if name != rest and rest not in ours else None
        if meant:
            raise ConfigError(
                f"no such setting, did you mean {_PREFIX}{meant}?",
                place=f"environment variable {name}",
                remedy=f"unset {name}",
            )


def _xdg(environ: Mapping[str, str], name: str, default: Path) -> Path:
    """A relative path is ignored. https://specifications.freedesktop.org/basedir-spec/latest/"""
    named = Path(environ.get(name, ""))
    return named if named.is_absolute() else default


def _text(file: Path, *, named: bool) -> str:
    try:
        return file.read_text("utf-8")
    except FileNotFoundError:
        if named:
            raise ConfigError(
                "there is no such file", place=str(file), remedy="set BRAT_CONFIG right, or unset it"
            ) from None
        return ""
    except UnicodeDecodeError:
        raise ConfigError("is not UTF-8 text", place=str(file), remedy="save it as UTF-8") from None
    except OSError as error:
        reason = f"cannot be read: {(error.strerror or 'unknown reason').lower()}"
        raise OperatorError(reason, place=str(file), remedy="make it a file that you can read") from None
