"""Settings of a repository that nobody sits in front of: a mistake in them stops no work and is said."""

from __future__ import annotations

from pathlib import Path

from app.config import Config, parse_config
from app.errors import ConfigError
from app.settings import Settings, effective
from app.wiring.source import CONFIG_FILE, ConfigSource

__all__ = ["LastGood"]

FARTHEST = 1000
"""Commits of the base that are looked back through for settings that can be used."""


class LastGood(ConfigSource):
    """Where the file at the base's head is wrong, the newest version before it that was right counts.

    It depends on git alone, so that every process goes by the same settings.
    """

    def __init__(self, git_dir: Path, base: str, settings: Settings) -> None:
        super().__init__(git_dir, base, settings)
        self._problems: dict[str, str] = {}

    def at(self, ref: str) -> Config:
        """The settings that count on this branch; never raises ConfigError for what was committed."""
        try:
            found = super().at(ref)
        except ConfigError as error:
            self._problems[ref] = str(error)
            return self._before(ref)
        self._problems.pop(ref, None)
        return found

    @property
    def problem(self) -> str:
        """What is wrong with the newest settings; empty: nothing."""
        return "; ".join(self._problems.values())

    def _before(self, ref: str) -> Config:
        import pygit2

        repository = pygit2.Repository(str(self._git_dir))
        head = repository.references[ref].peel(pygit2.Commit)
        key = (f"before {ref}", str(head.id))
        if key not in self._known:
            walk = repository.walk(head.id, pygit2.enums.SortMode.TOPOLOGICAL)
            walk.simplify_first_parent()
            texts = (_text(commit) for _, commit in zip(range(FARTHEST), walk, strict=False))
            good = (self._usable(text) for text in dict.fromkeys(texts))
            self._known[key] = next((each for each in good if each is not None), None) or self._plain()
        return self._known[key]

    def _usable(self, text: str) -> Config | None:
        try:
            return effective(parse_config(text, place=CONFIG_FILE), self._settings)
        except ConfigError:
            return None

    def _plain(self) -> Config:
        """What counts where there is no file."""
        return effective(parse_config("", place=CONFIG_FILE), self._settings)


def _text(commit: object) -> str:
    """The file at a commit; where there is none, nothing is set."""
    import pygit2

    assert isinstance(commit, pygit2.Commit)
    try:
        blob = commit.tree[CONFIG_FILE]
    except KeyError:
        return ""
    return blob.data.decode("utf-8", "replace") if isinstance(blob, pygit2.Blob) else ""
