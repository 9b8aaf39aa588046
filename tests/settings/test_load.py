from __future__ import annotations

from pathlib import Path

import pytest
from inline_snapshot import snapshot

from app.config import ENGINES
from app.errors import BratError, ConfigError, OperatorError
from app.settings import EngineSettings, Settings, load_settings
from tests.settings.conftest import HOME, Load

OPERATOR = """\
allow_engines = ["codex", "shell"]
secrets = ["DEPLOY_TOKEN"]
[engines.codex]
base_url = "https://llm.example.com/"
key_env = "TEAM_KEY"
command = "npx 'my codex'"
args = ["--quiet"]
model = "gpt-5.5"
input_usd_per_mtok = 1.25
output_usd_per_mtok = 10
[sandbox]
isolation = "process"
network = "host"
read_only = ["~/.cargo", "/opt/tools"]
path = ["/opt/tools/bin"]
[limits]
max_polecats = 2
session_timeout = "20m"
idle_timeout = "5m"
attempts = 2
max_tasks = 10
convoy_usd = 5
session_usd = 1
day_usd = 20
output = "8MB"
"""


def refusal(load: Load, text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        load(text)
    return str(caught.value).split("/brat/")[-1]


def refused(environ: dict[str, str]) -> str:
    with pytest.raises(BratError) as caught:
        load_settings(environ, HOME)
    return str(caught.value)


def test_nothing_set_is_all_defaults(tmp_path: Path) -> None:
    settings = load_settings({}, tmp_path)
    place = str(tmp_path / ".config/brat/config.toml")
    assert settings == Settings(place=place)
    assert (settings.allow_engines, settings.sandbox.isolation, settings.sandbox.network) == (
        ENGINES,
        "auto",
        "none",
    )


def test_every_key_reaches_the_settings(load: Load) -> None:
    settings = load(OPERATOR)
    assert settings.engine("codex") == EngineSettings(
        type="codex",
        base_url="https://llm.example.com",
        key_env="TEAM_KEY",
        command=("npx", "my codex"),
        args=("--quiet",),
        model="gpt-5.5",
        input_usd_per_mtok=1.25,
        output_usd_per_mtok=10,
    )
    assert settings.engine("aider") == EngineSettings("aider")
    assert (settings.allow_engines, settings.secrets) == (("codex", "shell"), ("DEPLOY_TOKEN",))
    assert (settings.sandbox.isolation, settings.sandbox.network) == ("process", "host")
    assert settings.sandbox.read_only == ("/home/ada/.cargo", "/opt/tools")
    assert settings.sandbox.path == ("/opt/tools/bin",)


def test_every_limit_reaches_the_settings(load: Load) -> None:
    limits = load(OPERATOR).limits
    assert (limits.max_polecats, limits.attempts, limits.max_tasks) == (2, 2, 10)
    assert (limits.session_timeout_ms, limits.idle_timeout_ms) == (1_200_000, 300_000)
    assert (limits.convoy_usd, limits.session_usd, limits.day_usd) == (5, 1, 20)
    assert limits.output_bytes == 8 * 1024 * 1024


def test_file_named_by_the_environment_wins(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('[sandbox]\nnetwork = "host"\n')
    environ = {"BRAT_CONFIG": str(tmp_path / "mine.toml"), "XDG_CONFIG_HOME": "/nowhere"}
    assert load_settings(environ, HOME).sandbox.network == "host"


def test_no_color_counts_when_it_holds_anything() -> None:
    assert load_settings({"NO_COLOR": ""}, HOME).color
    assert not load_settings({"NO_COLOR": "0"}, HOME).color


def test_slip_in_a_variable_is_noticed() -> None:
    assert refused({"BRAT_CONFG": "x"}) == snapshot("""\
environment variable BRAT_CONFG: no such setting, did you mean BRAT_CONFIG?
  → unset BRAT_CONFG\
""")
    assert load_settings({"BRAT_SESSION": "of somebody else"}, HOME).engines == ()


def test_named_file_must_be_there_and_readable(tmp_path: Path) -> None:
    assert refused({"BRAT_CONFIG": "/no/such.toml"}) == snapshot("""\
/no/such.toml: there is no such file
  → set BRAT_CONFIG right, or unset it\
""")
    assert refused({"BRAT_CONFIG": "/"}) == snapshot("""\
/: cannot be read: is a directory
  → make it a file that you can read\
""")
    (tmp_path / "latin").write_bytes(b"# \xe9\n")
    assert refused({"BRAT_CONFIG": str(tmp_path / "latin")}).removeprefix(str(tmp_path)) == snapshot("""\
/latin: is not UTF-8 text
  → save it as UTF-8\
""")
    with pytest.raises(OperatorError):
        load_settings({"BRAT_CONFIG": str(tmp_path)}, HOME)


def test_secret_in_place_of_its_name_is_refused_and_not_repeated(load: Load) -> None:
    told = refusal(load, '[engines.codex]\nkey_env = "sk-canary"\n')
    assert told == snapshot("""\
config.toml:2:1: `engines.codex.key_env` wants the name of an environment variable, like OPENAI_API_KEY
  → the secret itself stays out of files: export it under a name, and write the name here\
""")
    assert "canary" not in refusal(load, '[engines.codex]\napi_key = "sk-canary"\n')
    assert "canary" not in refusal(load, '[engines.codex]\nbase_url = "https://ada:canary@llm.example.com"\n')


def test_key_for_a_secret_names_the_right_way(load: Load) -> None:
    assert refusal(load, '[engines.codex]\napi_key = "x"\n') == snapshot("""\
config.toml:2:1: `engines.codex.api_key`: would put a secret into a file
  → key_env = "NAME" names the environment variable that holds it\
""")


def test_address_is_http_without_credentials(load: Load) -> None:
    assert refusal(load, '[engines.codex]\nbase_url = "llm.example.com"\n') == snapshot(
        'config.toml:2:1: `engines.codex.base_url` wants an address like "https://api.openai.com"'
    )
    assert refusal(load, '[engines.codex]\nbase_url = "https://ada:x@llm.example.com"\n') == snapshot("""\
config.toml:2:1: `engines.codex.base_url` wants an address without user, password, query or fragment
  → a key goes into key_env, by name\
""")


def test_repositorys_table_written_for_an_engine_is_noticed(load: Load) -> None:
    assert refusal(load, '[engine.codex]\nbase_url = "https://llm.example.com"\n') == snapshot(
        "config.toml:1:1: `engine` is the repository's table; how codex is run is said by [engines.codex] "
        "here"
    )


def test_repositorys_table_is_sent_to_the_repository(load: Load) -> None:
    assert refusal(load, '[refinery]\nstrategy = "merge"\n') == snapshot("""\
config.toml:1:1: `refinery` is a table of the repository's file
  → it goes into .brat/config.toml on the base branch\
""")


def test_top_key_below_a_table_is_sent_to_the_top(load: Load) -> None:
    assert refusal(load, '[sandbox]\nallow_engines = ["codex"]\n') == snapshot(
        "config.toml:2:1: `sandbox.allow_engines`: unknown key here: it belongs at the top of the file, "
        "above the first [table]"
    )


def test_engine_names_are_checked_everywhere(load: Load) -> None:
    assert refusal(load, "[engines.claude]\n") == snapshot(
        """\
config.toml:1:1: `engines.claude`: no engine is named "claude", did you mean `claude-code`?
  → allowed: claude-code, codex, aider, shell\
"""
    )
    assert refusal(load, 'allow_engines = ["gemini"]\n') == snapshot(
        """\
config.toml:1:1: `allow_engines[1]`: gemini is not available in this release
  → available are: claude-code, codex, aider, shell\
"""
    )
    assert refusal(load, "allow_engines = []\n") == snapshot(
        "config.toml:1:1: `allow_engines` wants at least 1 in the list, got a list"
    )


def test_command_must_be_a_command(load: Load) -> None:
    assert refusal(load, '[engines.shell]\ncommand = "sh \'x"\n') == snapshot(
        "config.toml:2:1: `engines.shell.command` is no command line: no closing quotation"
    )
    assert refusal(load, "[engines.shell]\ncommand = []\n") == snapshot(
        'config.toml:2:1: `engines.shell.command` wants a command, like "/opt/bin/codex" or ["npx", "codex"]'
    )


def test_price_of_one_direction_meters_nothing(load: Load) -> None:
    assert refusal(load, "[engines.codex]\ninput_usd_per_mtok = 1\n") == snapshot(
        "config.toml:2:1: `engines.codex.input_usd_per_mtok`: meters nothing without `output_usd_per_mtok`"
    )


def test_key_without_effect_on_the_shell_engine_says_so(load: Load) -> None:
    assert refusal(load, '[engines.shell]\nbase_url = "http://127.0.0.1:1"\n') == snapshot(
        "config.toml:2:1: `engines.shell.base_url` has no effect: shell calls no model"
    )


def test_isolation_lists_what_there_is(load: Load) -> None:
    assert refusal(load, '[sandbox]\nisolation = "none"\n') == snapshot(
        """\
config.toml:2:1: `sandbox.isolation`: "none" is not allowed
  → allowed: auto, bwrap, process\
"""
    )


def test_paths_are_absolute(load: Load) -> None:
    assert refusal(load, '[sandbox]\npath = ["bin"]\n') == snapshot(
        'config.toml:2:1: `sandbox.path[1]`: "bin" is no absolute path, like /opt/tools or ~/.cargo'
    )


@pytest.mark.parametrize("path", ["/", "/home", "~", "/home/ada/", "~/x/..", "/opt/../home/ada"])
def test_home_directory_is_never_shown_inside(load: Load, path: str) -> None:
    assert "would show the home directory" in refusal(load, f'[sandbox]\nread_only = ["{path}"]\n')


def test_limit_is_checked_like_the_repositorys_value(load: Load) -> None:
    assert refusal(load, '[limits]\nmax_polecats = 0\noutput = "64"\nsession_timeot = "1h"\n') == snapshot(
        """\
config.toml:4:1: `limits.session_timeot`: unknown key, did you mean `session_timeout`?
    → allowed here: attempts, convoy_usd, day_usd, idle_timeout, max_polecats, max_tasks, output, \
session_timeout, session_usd\
"""
    )
