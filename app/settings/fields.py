"""Field types of the operator's file: addresses, names of environment variables, paths, commands."""

from __future__ import annotations

import re
import shlex
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator

from app.config import refuse, shown

__all__ = ["AbsolutePath", "BaseUrl", "Command", "VariableName"]


def _variable(name: str) -> str:
    """The value is not repeated: it may be the secret itself."""
    if re.fullmatch(r"[A-Z_][A-Z0-9_]{0,99}", name, re.ASCII) is None:
        raise refuse(
            "wants the name of an environment variable, like OPENAI_API_KEY",
            "the secret itself stays out of files: export it under a name, and write the name here",
        )
    return name


def _url(url: str) -> str:
    try:
        parts = urlsplit(url)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        sound = False
    if not sound or not url.isprintable() or " " in url:
        raise refuse('wants an address like "https://api.openai.com"')
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise refuse(
            "wants an address without user, password, query or fragment", "a key goes into key_env, by name"
        )
    return url.rstrip("/")


def _path(path: str) -> str:
    if "\0" in path or not (path.startswith("/") or path == "~" or path.startswith("~/")):
        raise refuse(f"{shown(path)} is no absolute path, like /opt/tools or ~/.cargo")
    return path


def _command(command: str | list[str]) -> list[str]:
    try:
        words = shlex.split(command) if isinstance(command, str) else command
    except ValueError as error:
        raise refuse(f"is no command line: {str(error).lower()}") from None
    if not words or not words[0].strip() or any("\0" in word for word in words):
        raise refuse('wants a command, like "/opt/bin/codex" or ["npx", "codex"]')
    return words


VariableName = Annotated[str, AfterValidator(_variable)]
BaseUrl = Annotated[str, AfterValidator(_url)]
AbsolutePath = Annotated[str, AfterValidator(_path)]
Command = Annotated[str | list[str], AfterValidator(_command)]
