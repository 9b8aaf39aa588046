"""One measured value beside its own best case, and the table of all of them."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

__all__ = ["Figure", "median_s", "table", "timed"]


@dataclass(frozen=True, slots=True)
class Figure:
    """`value` and `best` in `unit`; `wanted` is the largest good ratio, or largest value if `absolute`."""

    name: str
    value: float
    best: float
    unit: str
    against: str
    wanted: float | None = None
    absolute: bool = False

    @property
    def ratio(self) -> float:
        return self.value / self.best if self.best else float("inf")

    @property
    def met(self) -> bool | None:
        """None: nothing is promised."""
        if self.wanted is None:
            return None
        return (self.value if self.absolute else self.ratio) <= self.wanted


def timed(action: Callable[[], object]) -> float:
    """Seconds of one call."""
    begun = time.perf_counter()
    action()
    return time.perf_counter() - begun


def median_s(action: Callable[[], object], times: int) -> float:
    """Median seconds of some calls; noise of a shared machine only ever adds."""
    return statistics.median(timed(action) for _ in range(times))


def table(figures: Iterable[Figure]) -> str:
    """For people, 100 columns wide."""
    rows = [("what", "value", "best", "ratio", "wanted", "against")]
    for each in figures:
        wanted = "-" if each.wanted is None else f"{each.wanted:g}{' ' + each.unit if each.absolute else 'x'}"
        mark = {True: " ok", False: " MISSED", None: ""}[each.met]
        value, best = (f"{number:.4g} {each.unit}" for number in (each.value, each.best))
        rows.append((each.name, value, best, f"{each.ratio:.2f}x", wanted + mark, each.against))
    widths = [max(len(row[column]) for row in rows) for column in range(6)]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "\n".join(line.rstrip() for line in lines)
