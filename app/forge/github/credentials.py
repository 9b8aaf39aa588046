"""Who the App is: its id, its private key, and the short-lived proof made of them."""

from __future__ import annotations

from dataclasses import field
from functools import lru_cache
from urllib.parse import urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from app.errors import OperatorError
from app.values import dataclass

__all__ = ["PUBLIC_API", "AppCredentials"]

PUBLIC_API = "https://api.github.com"
_LOOPBACK = ("127.0.0.1", "::1", "localhost")
_LIFE_S = 540
"""Under the ten minutes that GitHub allows, with room for clocks that differ."""
_BACK_S = 60


@dataclass(frozen=True, slots=True)
class AppCredentials:
    """`app_id` is the number or the client id; `api_url` that of GitHub or of an Enterprise server."""

    app_id: int | str
    private_key: str = field(repr=False)
    api_url: str = PUBLIC_API

    @property
    def plain_http(self) -> bool:
        """Whether the host may be spoken to without TLS: on this very machine only."""
        parts = urlsplit(self.api_url)
        return parts.scheme == "http" and parts.hostname in _LOOPBACK

    def check(self) -> None:
        """Raises OperatorError where the address or the key cannot work."""
        if urlsplit(self.api_url).scheme != "https" and not self.plain_http:
            raise OperatorError(
                f"{self.api_url!r} is no https address", place="BRAT_GITHUB_API_URL", remedy="use https://"
            )
        self.proof(0)

    def proof(self, now: int) -> str:
        """The App's own token, for a few minutes from `now` (ms):
        https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app
        """
        seconds = now // 1000
        claims = {"iat": seconds - _BACK_S, "exp": seconds + _LIFE_S, "iss": str(self.app_id)}
        try:
            return jwt.encode(claims, _loaded(self.private_key), algorithm="RS256")
        except (ValueError, TypeError, jwt.PyJWTError):
            # The reason of the library may quote the key.
            raise OperatorError(
                "the App's private key cannot be read",
                place="BRAT_GITHUB_PRIVATE_KEY",
                remedy="give the whole PEM file as GitHub made it",
            ) from None


@lru_cache(maxsize=4)
def _loaded(pem: str) -> RSAPrivateKey:
    """Checking the primes of a key takes 0.1 s, and each proof would."""
    key = load_pem_private_key(pem.encode(), None)
    if not isinstance(key, RSAPrivateKey):
        raise TypeError("no RSA key")
    return key
