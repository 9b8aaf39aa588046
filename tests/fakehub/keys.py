"""Private keys of Apps: made once for each process, for signing is not what is tested."""

from __future__ import annotations

from functools import cache

from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

__all__ = ["new_key"]


@cache
def new_key(pem: str | None = None) -> tuple[str, str]:
    """A private key and its public half as PEM; a given one is completed."""
    private = pem or _made()
    loaded = load_pem_private_key(private.encode(), password=None)
    public = loaded.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return private, public.decode()


@cache
def _made() -> str:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption()).decode()
