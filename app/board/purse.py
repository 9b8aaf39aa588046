"""Money: what a session may reserve, so that spent and reserved never pass a limit (P10)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from app.board.look import Look
from app.board.views import spent_usd
from app.values import dataclass

__all__ = ["Purse", "Short"]

LEAST_USD = 0.01
"""Less than a cent buys no answer of any model."""


@dataclass(frozen=True, slots=True)
class Short:
    """Why no session may start now. `settles`: open sessions hold money that comes back when they end."""

    because: str
    key: str
    settles: bool


class Purse:
    """The budget of one repository as a look leaves it.

    A session reserves its cap when it starts and is settled at what it spent; an engine that does not say
    what it spent has spent its cap. Without `[budget] session_usd` a session may spend all that is left.
    """

    def __init__(self, look: Look) -> None:
        self._board, self._budget, self._starting = look.board, look.config.budget, look.starting
        now = datetime.fromtimestamp(look.now / 1000, UTC)
        midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
        self._today = int(midnight.timestamp() * 1000)

    def cap(self, convoy: str) -> float | None:
        """What a session of this convoy (its issue) reserves; None where nothing is limited."""
        left = [limit - used for _, limit, used in self._limits(convoy)]
        own = self._budget.session_usd
        return min(left, default=None) if own is None else own

    def short(self, convoy: str) -> Short | None:
        """None when a session may start."""
        own = self._budget.session_usd
        needed = LEAST_USD if own is None else own
        for name, limit, used in self._limits(convoy):
            if used + needed > limit + 1e-9:
                told = f"{used:.2f} USD of {limit:.2f} spent or reserved, {needed:.2f} needed"
                return Short(f"{told} ([budget] {name})", name, self._held(convoy, name))
        return None

    def _limits(self, convoy: str) -> Iterator[tuple[str, float, float]]:
        """Name, limit and what is spent or reserved of it."""
        if self._budget.convoy_usd is not None:
            used = spent_usd(self._board, convoy=convoy) + self._given(convoy)
            yield "convoy_usd", self._budget.convoy_usd, used
        if self._budget.day_usd is not None:
            used = spent_usd(self._board, since_ts=self._today) + self._given()
            yield "day_usd", self._budget.day_usd, used

    def _given(self, convoy: str | None = None) -> float:
        """What sessions that start now reserve, of one convoy (its issue) or all."""
        known = self._board.convoy(convoy) if convoy is not None else None
        issues = {convoy, *(task.issue for task in known.tasks)} if known is not None else {convoy}
        return sum(
            each.reserved_usd or 0.0 for each in self._starting if convoy is None or each.issue in issues
        )

    def _held(self, convoy: str, name: str) -> bool:
        """Whether open sessions hold some of it."""
        everywhere = name == "day_usd"
        return self._given(None if everywhere else convoy) > 0 or any(
            session.open and session.cost_usd > 0
            for each in self._board.moving
            if everywhere or each.issue == convoy
            for session in each.all_sessions
        )
