"""Who calls: an App by its own signature, an installation or a person by a token."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import jwt

from tests.fakehub.accounts import App, Token
from tests.fakehub.routes.table import Refused

if TYPE_CHECKING:
    from tests.fakehub.hub import Hub

__all__ = ["app_of", "secret_of", "token_of"]

_LONGEST = 600
_SKEW = 60


def secret_of(header: str | None) -> str | None:
    """The token or signature in an Authorization header."""
    if not header:
        return None
    scheme, _, rest = header.partition(" ")
    if scheme.lower() in ("bearer", "token"):
        return rest.strip()
    if scheme.lower() == "basic":
        return base64.b64decode(rest).decode().partition(":")[2]
    return ""


def app_of(hub: Hub, secret: str | None) -> App:
    """RS256, `iss` the App's id or client id, `exp` at most ten minutes away, `iat` not ahead.

    https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app
    """
    if not secret:
        raise Refused(401, "A JSON web token could not be decoded")
    try:
        claims = jwt.decode(secret, options={"verify_signature": False})
        issuer = str(claims.get("iss"))
        app = next(e for e in hub.apps.values() if issuer in (str(e.id), e.client_id))
        jwt.decode(
            secret,
            app.public,
            algorithms=["RS256"],
            options=jwt.types.Options(verify_exp=False, verify_iat=False, verify_nbf=False),
        )
    except StopIteration as unknown:
        raise Refused(404, "Integration not found") from unknown
    except jwt.InvalidTokenError as wrong:
        raise Refused(401, "A JSON web token could not be decoded") from wrong
    now, issued, ends = hub.clock.now / 1000, claims.get("iat"), claims.get("exp")
    if not isinstance(ends, int) or ends <= now:
        said = "must be a numeric value representing the future time at which the assertion expires"
        raise Refused(401, f"'Expiration time' claim ('exp') {said}")
    if ends > now + _LONGEST + _SKEW:
        raise Refused(401, "'Expiration time' claim ('exp') is too far in the future")
    if not isinstance(issued, int) or issued > now + _SKEW:
        said = "must be an Integer representing the time that the assertion was issued"
        raise Refused(401, f"'Issued at' claim ('iat') {said}")
    return app


def token_of(hub: Hub, secret: str | None) -> Token:
    """A token that lives. An installation that is suspended or gone ends it."""
    if not secret:
        raise Refused(401, "Requires authentication")
    token = hub.tokens.get(secret)
    if token is None or (token.expires and token.expires <= hub.clock.now):
        raise Refused(401, "Bad credentials")
    if token.installation and token.installation.suspended:
        raise Refused(403, "This installation has been suspended")
    return token
