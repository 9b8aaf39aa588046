"""Times in which nothing lands: `[[refinery.freeze]]` as values, and what is wrong with one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, tzinfo
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from cronsim import CronSim, CronSimError
from pydantic import BeforeValidator, Field, WithJsonSchema

from app.config.fields import Duration, Table, Text, refuse, shown
from app.config.quantity import format_duration
from app.values import dataclass

__all__ = ["Freeze", "FreezeCron", "FreezeSpan", "FreezeTable", "freeze_of", "freeze_problems", "zone_of"]

_EXAMPLE = "2026-12-20T18:00"


@dataclass(frozen=True, slots=True)
class FreezeSpan:
    """Frozen from `start_ts` up to `end_ts`, in ms since the epoch; `timezone` is for showing them."""

    start_ts: int
    end_ts: int
    timezone: str = "UTC"

    def __str__(self) -> str:
        zone = zone_of(self.timezone)
        start, end = (datetime.fromtimestamp(each / 1000, zone) for each in (self.start_ts, self.end_ts))
        return f"{start:%Y-%m-%d %H:%M} to {end:%Y-%m-%d %H:%M} {self.timezone}"


@dataclass(frozen=True, slots=True)
class FreezeCron:
    """Frozen for `duration_ms` from each moment that `cron` (five fields) names in `timezone`."""

    cron: str
    duration_ms: int
    timezone: str = "UTC"

    def __str__(self) -> str:
        return f"{self.cron} for {format_duration(self.duration_ms)} {self.timezone}"


Freeze = FreezeSpan | FreezeCron


def zone_of(name: str) -> tzinfo:
    """The time zone; UTC needs no zone data on the machine. Raises `ValueError` for a name nobody knows."""
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, KeyError):
        raise ValueError(f"no time zone {name}") from None


def _zone(name: Any) -> str:
    if not isinstance(name, str):
        raise refuse(f"wants text in quotes, got {shown(name)}")
    try:
        zone_of(name)
    except ValueError:
        raise refuse(
            f"no time zone is named {shown(name)}", 'names are like "Europe/Berlin" or "UTC"'
        ) from None
    return name


def _cron(text: Any) -> str:
    if not isinstance(text, str) or len(text) > 100 or len(text.split()) != 5:
        raise refuse(f"wants five fields like {shown('0 17 * * FRI')}, got {shown(text)}")
    try:
        next(CronSim(text, datetime(2024, 1, 1, tzinfo=UTC)))
    except (CronSimError, StopIteration) as error:
        reason = str(error).lower() or "it never comes"
        raise refuse(
            f"{shown(text)}: {reason}", "minute, hour, day of month, month, day of week; see man 5 crontab"
        ) from None
    return " ".join(text.split())


def _moment(value: Any) -> datetime:
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value) if "T" in value else None
        except ValueError:
            value = None
    if not isinstance(value, datetime) or not 2000 <= value.year < 3000:
        raise refuse(f"wants a day and a time like {shown(_EXAMPLE)}")
    return value


Moment = Annotated[
    datetime,
    BeforeValidator(_moment),
    WithJsonSchema({"type": "string", "format": "date-time", "examples": [_EXAMPLE]}),
]


class FreezeTable(Table):
    """`[[refinery.freeze]]`: nothing lands on GitHub meanwhile. `from` and `to`, or `cron` and `duration`."""

    start: Moment | None = Field(
        default=None, alias="from", description="On GitHub: nothing lands from then on."
    )
    to: Moment | None = Field(default=None, description="The end of `from`, itself not frozen.")
    cron: Annotated[str, BeforeValidator(_cron)] | None = Field(
        default=None,
        description="On GitHub: when a freeze starts again and again; five fields as in a crontab.",
    )
    duration: Duration | None = Field(default=None, description="How long a freeze by `cron` lasts.")
    timezone: Annotated[Text, BeforeValidator(_zone)] = Field(
        default="UTC", description="Time zone of `cron`, and of `from` and `to` where they name none."
    )


def freeze_problems(table: FreezeTable) -> Iterator[tuple[str, str]]:
    """Key and reason of what does not go together."""
    spans, crons = (table.start, table.to), (table.cron, table.duration)
    if any(each is not None for each in spans) == any(each is not None for each in crons):
        yield "", "wants either from and to, or cron and duration"
    elif None in (crons if table.cron or table.duration else spans):
        yield "", "is half a freeze: from goes with to, cron with duration"
    elif table.start and table.to and not _ts(table.start, table) < _ts(table.to, table):
        yield "to", "is not after `from`"


def freeze_of(table: FreezeTable) -> Freeze:
    """The checked table as a value."""
    if table.cron is not None and table.duration is not None:
        return FreezeCron(table.cron, table.duration, table.timezone)
    assert table.start is not None
    assert table.to is not None
    return FreezeSpan(_ts(table.start, table), _ts(table.to, table), table.timezone)


def _ts(moment: datetime, table: FreezeTable) -> int:
    aware = moment if moment.tzinfo else moment.replace(tzinfo=zone_of(table.timezone))
    return int(aware.timestamp() * 1000)
