"""The commands as somebody types them."""

from __future__ import annotations

import signal
from pathlib import Path

import httpx
import pytest

from tests.service.conftest import Start
from tests.service.processes import BRAT, loop_process

NAMED = ("BRAT_GITHUB_APP_ID", "BRAT_GITHUB_PRIVATE_KEY", "BRAT_GITHUB_WEBHOOK_SECRET")


@pytest.mark.parametrize("command", ["serve", "worker", "up"])
def test_start_without_settings_is_refused_with_one_list(start: Start, command: str) -> None:
    process = start((*BRAT, command), **dict.fromkeys([*NAMED, "BRAT_REDIS_URL"], ""))
    assert process.ended() == 4
    said = "\n".join(process.lines)
    assert "BRAT_GITHUB_APP_ID is not set" in said
    assert ("BRAT_REDIS_URL is not set" in said) == (command != "up")


def test_settings_come_from_a_dotenv_in_the_folder(start: Start, tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.touch(mode=0o600)
    file.write_text("BRAT_GITHUB_WEBHOOK_SECRET='from the file'\nBRAT_GITHUB_APP_ID=18\n")
    web = start((*BRAT, "serve"), BRAT_GITHUB_WEBHOOK_SECRET="")
    assert httpx.get(f"{web.address()}/readyz").json()["missing"] == []


def test_address_in_use_is_said_and_ends_the_start(start: Start) -> None:
    port = start((*BRAT, "serve")).address().rpartition(":")[2]
    second = start((*BRAT, "serve"), BRAT_PORT=port)
    assert second.ended() == 4
    assert any("cannot listen there" in line for line in second.lines)


def test_probe_tells_a_living_worker_from_none(start: Start) -> None:
    assert start((*BRAT, "worker", "--probe")).ended() == 4
    start(loop_process()).wait_for("sweeps")
    assert start((*BRAT, "worker", "--probe")).ended() == 0


def test_app_create_prints_a_page_and_can_be_stopped(start: Start) -> None:
    create = start((*BRAT, "app", "create", "--org", "acme"), **dict.fromkeys(NAMED, ""), BRAT_PUBLIC_URL="")
    address = create.wait_for("/setup?key=").strip()
    assert "organizations/acme/settings/apps/new" in httpx.get(address).text
    assert httpx.get(address.partition("?")[0]).status_code == 403
    create.signal(signal.SIGINT)
    assert create.ended() == 4
    assert any("stopped before the App was created" in line for line in create.lines)
