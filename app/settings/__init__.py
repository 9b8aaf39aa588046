"""The operator's settings: with what, and how far, repositories are worked on from this machine.

`load_settings` reads environment and file once, in the entry point; nothing is read at import. `effective`
puts a repository's wishes under the operator's limits, `lend` looks keys up for the sessions that are about
to start. A file only ever names the environment variable of a secret.

    settings = load_settings(os.environ, Path.home())
    config = effective(parse_config(text), settings)     # config.lowered: what the limits made smaller
    operator = lend(settings, os.environ, engines=["codex"], isolation="bwrap")

A service reads more: `load_service(service_environment(os.environ, folder), home, part="worker")` answers
`ServiceSettings`, or one error that lists all that is missing and how to come by it.
"""

from app.settings.credentials import AppFile, load_app, store_app
from app.settings.effective import effective
from app.settings.lend import DEFAULT_KEYS, key_variable, lend, secret_values
from app.settings.load import VARIABLES, load_settings
from app.settings.parse import schema
from app.settings.service import Part, ServiceSettings, load_service, service_environment
from app.settings.service_table import SERVICE_VARIABLES, Variable, environment_table
from app.settings.values import EngineSettings, Isolation, Network, SandboxSettings, Settings, UpperLimits

__all__ = [
    "DEFAULT_KEYS",
    "SERVICE_VARIABLES",
    "VARIABLES",
    "AppFile",
    "EngineSettings",
    "Isolation",
    "Network",
    "Part",
    "SandboxSettings",
    "ServiceSettings",
    "Settings",
    "UpperLimits",
    "Variable",
    "effective",
    "environment_table",
    "key_variable",
    "lend",
    "load_app",
    "load_service",
    "load_settings",
    "schema",
    "secret_values",
    "service_environment",
    "store_app",
]
