"""The few fields of GitHub's payloads that say what is dirty; everything else is passed over, not built.

https://docs.github.com/en/webhooks/webhook-events-and-payloads
"""

from __future__ import annotations

from typing import Annotated, Any, Generic, TypeVar

from msgspec import DecodeError, Meta, Raw, Struct
from msgspec.json import Decoder

from app.webhooks.signal import Signal

__all__ = ["NOTHING", "Delivered", "Hint", "Id", "Numbered", "Thing", "number_in"]

Read = TypeVar("Read")
Id = Annotated[int, Meta(gt=0, lt=2**53)]
NOTHING = Raw(b"null")


class Thing(Struct, frozen=True):
    """Anything with an id."""

    id: Id


class Numbered(Struct, frozen=True):
    """An issue or a pull request."""

    number: Id


class Hint(Generic[Read]):
    """Reads a part that may be missing or odd: a hint that cannot be read is no reason to refuse the rest."""

    def __init__(self, kind: type[Read]) -> None:
        optional: Any = kind | None
        self._decoder: Decoder[Read | None] = Decoder(optional)

    def __call__(self, part: Raw) -> Read | None:
        try:
            return self._decoder.decode(part)
        except DecodeError:
            return None


_thing, _numbered = Hint(Thing), Hint(Numbered)


def number_in(part: Raw) -> int | None:
    """Of an issue or a pull request, where it can be read."""
    read = _numbered(part)
    return read.number if read else None


class Delivered(Struct, frozen=True):
    """What every event of a repository has. Only the repository must be readable."""

    repository: Thing
    installation: Raw = NOTHING

    def signal(self, kind: str, number: int | None = None) -> Signal:
        """This repository is dirty, because of that."""
        whose = _thing(self.installation)
        return Signal(self.repository.id, whose.id if whose else None, kind, number)
