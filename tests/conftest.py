"""For all tests: a git that knows only the test, and real engines with a model of our own."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests import engines
from tests.llm import ScriptedModel

# No deadline: the machine's speed is not the rule under test, and shared cores make it jump.
settings.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")

# A shell that starts the tests in the background has them ignore Ctrl-C, and with them all that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)

GIT = {
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A part of a long matrix may take its time; what takes long begins first: nobody waits for it."""
    items.sort(key=lambda item: item.get_closest_marker("timeout") is None)
    for item in items:
        if item.get_closest_marker("full") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(900))


@pytest.fixture(autouse=True)
def only_our_git(monkeypatch: pytest.MonkeyPatch) -> None:
    """Git reads no settings of the machine or the person, has an author, and asks nothing."""
    for name, value in GIT.items():
        monkeypatch.setenv(name, value)
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "BRAT_CONFIG", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def scripted_model() -> Iterator[ScriptedModel]:
    """A model on loopback; a scenario that raised fails the test at its end."""
    with ScriptedModel() as model:
        yield model


@pytest.fixture
def claude_binary() -> Path:
    """The real claude."""
    return engines.claude()


@pytest.fixture
def codex_binary() -> Path:
    """The real codex."""
    return engines.codex()


@pytest.fixture
def aider_binary() -> Path:
    """The real aider; for tests marked `full`."""
    return engines.aider()
