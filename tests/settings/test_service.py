from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import SecretStr

from app.errors import ConfigError, OperatorError
from app.settings import (
    SERVICE_VARIABLES,
    AppFile,
    Part,
    ServiceSettings,
    load_app,
    load_service,
    service_environment,
    store_app,
)
from tests.settings.conftest import HOME

KEY = "-----BEGIN PRIVATE KEY-----\\nc2VjcmV0\\n-----END PRIVATE KEY-----"
FULL = {
    "BRAT_GITHUB_APP_ID": "17",
    "BRAT_GITHUB_PRIVATE_KEY": KEY,
    "BRAT_GITHUB_WEBHOOK_SECRET": "new, old",
    "BRAT_REDIS_URL": "redis://:hunter2@redis:6379/0",
    "BRAT_PUBLIC_URL": "https://brat.example.org/",
}


def load(part: Part = "up", /, *, data: str = "/nowhere", **environ: str) -> ServiceSettings:
    given = {**FULL, "BRAT_DATA_DIR": data, **environ}
    return load_service({name: value for name, value in given.items() if value}, HOME, part=part)


def refusal(part: Part = "up", /, **environ: str) -> str:
    with pytest.raises(OperatorError) as caught:
        load(part, **environ)
    return str(caught.value)


def test_environment_becomes_values() -> None:
    settings = load(BRAT_SWEEP_INTERVAL="90s", BRAT_PORT="80", BRAT_HOST="0.0.0.0")
    assert (settings.app_id, settings.port, settings.host, settings.sweep_interval_ms) == (
        17,
        80,
        "0.0.0.0",
        90_000,
    )
    assert [each.get_secret_value() for each in settings.webhook_secrets] == ["new", "old"]
    assert (settings.public_url, settings.polling) == ("https://brat.example.org", False)
    assert settings.private_key is not None
    assert settings.private_key.get_secret_value().splitlines()[1] == "c2VjcmV0"


def test_defaults_are_those_of_the_table() -> None:
    settings = load(BRAT_DATA_DIR="")
    default = {each.name: each.default for each in SERVICE_VARIABLES}
    assert settings.api_url == default["BRAT_GITHUB_API_URL"]
    assert str(settings.data_dir) == default["BRAT_DATA_DIR"].replace("~", str(HOME))
    assert (settings.host, str(settings.port)) == (default["BRAT_HOST"], default["BRAT_PORT"])
    assert default["BRAT_SWEEP_INTERVAL"] == f"{settings.sweep_interval_ms // 60_000}m"


def test_all_that_is_missing_is_said_at_once_with_how_to_come_by_it() -> None:
    said = refusal("worker", **dict.fromkeys(FULL, ""))
    for name in ("APP_ID", "PRIVATE_KEY"):
        assert f"BRAT_GITHUB_{name} is not set" in said
    assert "3 settings" in said
    assert "brat app create" in said


@pytest.mark.parametrize(
    ("part", "unneeded"),
    [
        ("serve", ["BRAT_GITHUB_PRIVATE_KEY"]),
        ("worker", ["BRAT_GITHUB_WEBHOOK_SECRET"]),
        ("up", ["BRAT_REDIS_URL"]),
        ("up", ["BRAT_GITHUB_WEBHOOK_SECRET", "BRAT_PUBLIC_URL"]),
        ("setup", list(FULL)),
    ],
)
def test_part_starts_without_what_it_does_not_need(part: Part, unneeded: list[str]) -> None:
    load(part, **dict.fromkeys(unneeded, ""))


def test_public_address_without_a_secret_is_refused_for_there_is_no_default_one() -> None:
    assert "BRAT_GITHUB_WEBHOOK_SECRET is not set" in refusal("serve", BRAT_GITHUB_WEBHOOK_SECRET="")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("BRAT_GITHUB_APP_ID", "brat"),
        ("BRAT_GITHUB_APP_ID", "-1"),
        ("BRAT_GITHUB_PRIVATE_KEY", "hunter2"),
        ("BRAT_GITHUB_PRIVATE_KEY_FILE", "/nowhere/key.pem"),
        ("BRAT_GITHUB_WEBHOOK_SECRET", "hunter2,b,c"),
        ("BRAT_GITHUB_API_URL", "api.github.com"),
        ("BRAT_GITHUB_API_URL", "https://me:hunter2@ghe/api/v3"),
        ("BRAT_REDIS_URL", "http://hunter2"),
        ("BRAT_PORT", "99999"),
        ("BRAT_SWEEP_INTERVAL", "often"),
        ("BRAT_PUBLIC_URL", "brat.example.org"),
    ],
)
def test_wrong_value_is_refused_by_name_and_not_repeated(name: str, value: str) -> None:
    said = refusal(**{name: value})
    assert f"1 setting missing or wrong\n  - {name.removesuffix('_FILE')}" in said
    assert "hunter2" not in said


def test_misspelt_setting_is_refused() -> None:
    with pytest.raises(ConfigError, match="did you mean BRAT_REDIS_URL"):
        load(BRAT_REDIS_URI="redis://x")


def test_key_may_be_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "key.pem").write_text(KEY.replace("\\n", "\n"))
    settings = load(BRAT_GITHUB_PRIVATE_KEY="", BRAT_GITHUB_PRIVATE_KEY_FILE=str(tmp_path / "key.pem"))
    assert settings.private_key == load().private_key


def test_no_secret_is_in_repr() -> None:
    shown = repr(load())
    for secret in ("c2VjcmV0", "new", "hunter2"):
        assert secret not in shown


def test_service_refuses_to_run_without_a_sandbox(tmp_path: Path) -> None:
    (tmp_path / "operator.toml").write_text('[sandbox]\nisolation = "process"\n')
    for part in ("worker", "up"):
        said = refusal(part, BRAT_CONFIG=str(tmp_path / "operator.toml"))
        assert 'isolation "process" is no sandbox' in said
    load("serve", BRAT_CONFIG=str(tmp_path / "operator.toml"))


APP = AppFile(18, "brat", SecretStr(KEY), SecretStr("made"), "https://github.com/apps/brat")


def test_created_app_is_used_where_the_environment_names_none(tmp_path: Path) -> None:
    store_app(tmp_path, APP)
    unset = {"BRAT_GITHUB_APP_ID": "", "BRAT_GITHUB_PRIVATE_KEY": "", "BRAT_GITHUB_WEBHOOK_SECRET": ""}
    settings = load(data=str(tmp_path), **unset)
    assert (settings.app_id, settings.private_key, settings.webhook_secrets) == (
        18,
        APP.private_key,
        (SecretStr("made"),),
    )


def test_credentials_of_two_apps_are_never_mixed(tmp_path: Path) -> None:
    store_app(tmp_path, APP)
    with pytest.raises(OperatorError, match="BRAT_GITHUB_PRIVATE_KEY is not set"):
        load(data=str(tmp_path), BRAT_GITHUB_PRIVATE_KEY="")


def test_app_file_that_is_not_ours_any_more_is_refused_without_repeating_it(tmp_path: Path) -> None:
    (tmp_path / "app.json").write_text('{"private_key": ["hunter2"]}')
    with pytest.raises(OperatorError) as caught:
        load_app(tmp_path)
    assert "hunter2" not in str(caught.value)


def test_dotenv_fills_in_and_never_overrides(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("BRAT_HOST=from-file\nexport BRAT_PORT = 1 # remark\n\n# remark\n")
    found = service_environment({"BRAT_HOST": "from-environment"}, tmp_path)
    assert found == {"BRAT_HOST": "from-environment", "BRAT_PORT": "1"}


def test_dotenv_may_quote_a_key_over_lines(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.touch(mode=0o600)
    file.write_text("A='x # y'\nBRAT_GITHUB_PRIVATE_KEY=\"-----BEGIN\nkey\\n-----END\"\nB=1\n")
    found = service_environment({}, tmp_path)
    assert found == {"A": "x # y", "BRAT_GITHUB_PRIVATE_KEY": "-----BEGIN\nkey\n-----END", "B": "1"}


@pytest.mark.parametrize("mode", [0o604, 0o644, 0o602])
def test_dotenv_that_all_can_read_may_hold_no_secret(tmp_path: Path, mode: int) -> None:
    file = tmp_path / ".env"
    file.write_text("BRAT_GITHUB_WEBHOOK_SECRET=hunter2\n")
    file.chmod(mode)
    with pytest.raises(OperatorError, match="chmod 600") as caught:
        service_environment({}, tmp_path)
    assert "hunter2" not in str(caught.value)
    file.chmod(0o640)
    assert service_environment({}, tmp_path)


def test_dotenv_line_that_is_none_is_named_by_number_and_not_repeated(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("A=1\nhunter2\n")
    with pytest.raises(ConfigError, match=r"\.env:2") as caught:
        service_environment({}, tmp_path)
    assert "hunter2" not in str(caught.value)
