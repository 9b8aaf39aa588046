"""The few fields of GitHub's payloads that say what is dirty; everything else is ignored.

https://docs.github.com/en/webhooks/webhook-events-and-payloads
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from app.webhooks.signal import Signal

__all__ = ["Delivered", "Hint", "Id", "Model", "Numbered", "Thing"]


def _or_nothing(value: Any, read: ValidatorFunctionWrapHandler) -> Any:
    """A hint that cannot be read is no hint; it is no reason to refuse the rest."""
    try:
        return read(value)
    except ValidationError:
        return None


Hint = WrapValidator(_or_nothing)
Id = Annotated[int, Field(strict=True, gt=0, lt=2**53)]


class Model(BaseModel):
    """Reads what it names; GitHub may add and change the rest."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class Thing(Model):
    """Anything with an id."""

    id: Id


class Numbered(Model):
    """An issue or a pull request."""

    number: Id


class Delivered(Model):
    """What every event of a repository has. Only the repository must be readable."""

    repository: Thing
    installation: Annotated[Thing | None, Hint] = None

    def signal(self, kind: str, about: Numbered | None = None) -> Signal:
        """This repository is dirty, because of that."""
        whose = self.installation.id if self.installation else None
        return Signal(self.repository.id, whose, kind, about.number if about else None)
