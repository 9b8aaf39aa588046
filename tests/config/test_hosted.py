"""Keys that act on GitHub."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from inline_snapshot import snapshot

from app.config import FreezeCron, FreezeSpan, parse_config
from tests.config.told import refusal

WHOLE = """
mayor = {label = "robot", allow_bots = [41898282]}
[refinery]
require_ci = true
required_checks = ["ci / test", "lint"]
agent_ci = "allow"
land = "push"
update = "never"
approvals = 2
max_lines = 400
blocker_labels = ["do not merge"]
settle = "90s"
silent_after = "20m"
[[refinery.freeze]]
from = 2026-12-20T18:00:00+01:00
to = "2027-01-04T08:00"
timezone = "Europe/Berlin"
[[refinery.freeze]]
cron = "0  17 * * FRI"
duration = "2d15h"
"""


def at(moment: str) -> int:
    return int(datetime.fromisoformat(moment).replace(tzinfo=UTC).timestamp() * 1000)


def test_keys_of_github_are_no_error_and_reach_the_config() -> None:
    config = parse_config(WHOLE)
    assert (config.mayor.label, config.mayor.allow_bots) == ("robot", (41898282,))
    refinery = config.refinery
    assert refinery.required_checks == ("ci / test", "lint")
    assert (refinery.agent_ci, refinery.land, refinery.update) == ("allow", "push", "never")
    assert (refinery.approvals, refinery.max_lines, refinery.blocker_labels) == (2, 400, ("do not merge",))
    assert (refinery.settle_ms, refinery.silent_after_ms) == (90_000, 1_200_000)


def test_freezes_are_read_in_their_time_zone() -> None:
    span, weekend = parse_config(WHOLE).refinery.freeze
    assert span == FreezeSpan(at("2026-12-20T17:00"), at("2027-01-04T07:00"), "Europe/Berlin")
    assert weekend == FreezeCron("0 17 * * FRI", 226_800_000)
    assert [str(each) for each in (span, weekend)] == snapshot(
        ["2026-12-20 18:00 to 2027-01-04 08:00 Europe/Berlin", "0 17 * * FRI for 2d15h UTC"]
    )


def test_a_careful_repository_needs_to_say_nothing() -> None:
    config = parse_config("")
    assert (config.mayor.label, config.mayor.approval, config.mayor.allow_bots) == ("brat", "auto", ())
    refinery = config.refinery
    assert (refinery.agent_ci, refinery.land, refinery.update) == ("ask", "api", "auto")
    assert (refinery.approvals, refinery.max_lines, refinery.freeze) == ("rules", None, ())


@pytest.mark.parametrize(
    "wrong",
    [
        'from = "2026-12-20T18:00"',
        'cron = "0 17 * * FRI"',
        'cron = "0 17 * * FRI"\nduration = "1d"\nfrom = "2026-12-20T18:00"\nto = "2026-12-21T18:00"',
        'timezone = "UTC"',
        'from = "2026-12-20T18:00"\nto = "2026-12-20T18:00"',
        'from = "christmas"\nto = 2026-12-20',
        'cron = "@weekly"\nduration = "1d"',
        'cron = "0 25 * * *"\nduration = "1d"',
        'cron = "0 0 30 2 *"\nduration = "1d"',
        'cron = "0 17 * * FRI"\nduration = "1d"\ntimezone = "Mars/Olympus"',
        'cron = "0 17 * * FRI"\nduration = "1d"\ntimezone = "../../etc/passwd"',
    ],
)
def test_half_a_freeze_or_a_wrong_one_is_refused(wrong: str) -> None:
    assert "`refinery.freeze[1]" in refusal(f"[[refinery.freeze]]\n{wrong}\n")


def test_a_wrong_freeze_says_what_it_wants() -> None:
    assert refusal('[[refinery.freeze]]\ncron = "@weekly"\nto = "x"\ntimezone = "Berlin"\n') == snapshot("""\
.brat/config.toml: 3 problems
  .brat/config.toml:2:1: `refinery.freeze[1].cron` wants five fields like "0 17 * * FRI", got "@weekly"
  .brat/config.toml:3:1: `refinery.freeze[1].to` wants a day and a time like "2026-12-20T18:00"
  .brat/config.toml:4:1: `refinery.freeze[1].timezone`: no time zone is named "Berlin"
    → names are like "Europe/Berlin" or "UTC"\
""")
    assert refusal('[[refinery.freeze]]\nfrom = "2026-12-20T18:00"\n') == snapshot(
        ".brat/config.toml:1:1: `refinery.freeze[1]` is half a freeze: from goes with to, cron with duration"
    )


@pytest.mark.parametrize(
    "wrong",
    [
        "approvals = -1",
        'approvals = "two"',
        "approvals = 99",
        "max_lines = 0",
        'land = "merge"',
        "agent_ci = true",
    ],
)
def test_wrong_values_of_landing_are_refused(wrong: str) -> None:
    assert f"`refinery.{wrong.partition(' ')[0]}" in refusal(f"[refinery]\n{wrong}\n")


def test_a_bot_is_allowed_by_its_number_and_not_by_a_name() -> None:
    assert refusal('[mayor]\nallow_bots = ["renovate[bot]"]\n') == snapshot(
        '.brat/config.toml:2:1: `mayor.allow_bots[1]` wants a whole number, got "renovate[bot]"'
    )
    assert "allow_bots" in refusal("[mayor]\nallow_bots = [0]\n")
