"""Both settings files held against their rules, each for itself, so that one wrong file hides nothing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from app.cli.call import Call
from app.cli.tables import put
from app.config import parse_config
from app.errors import BratError
from app.settings import Settings, effective, load_settings
from app.values import dataclass
from app.wiring import CONFIG_FILE, ConfigSource, Surroundings
from app.workspace import examine

__all__ = ["check_files"]


@dataclass(frozen=True, slots=True)
class _Checked:
    """One file: what it is called, and what is wrong with it. `there`: it exists."""

    name: str
    there: bool = True
    error: BratError | None = None
    lowered: tuple[str, ...] = ()


def check_files(call: Call) -> int:
    """0, or the exit code of the first problem."""
    around = call.surroundings or Surroundings(os.environ, Path.home())
    settings, operator = _operator(around)
    checked = [operator, *_repository(call.repo, settings)]
    if call.json:
        call.answer({"files": [_document(each) for each in checked]})
    else:
        for each in checked:
            _say(call, each)
    wrong = [each.error for each in checked if each.error is not None]
    return wrong[0].exit_code if wrong else 0


def _operator(around: Surroundings) -> tuple[Settings | None, _Checked]:
    try:
        settings = load_settings(around.environ, around.home)
    except BratError as error:
        return None, _Checked("the operator's file", error=error)
    return settings, _Checked(settings.place, there=Path(settings.place).exists())


def _repository(path: Path, settings: Settings | None) -> Iterator[_Checked]:
    """The file that counts, then the one in the working tree where it says something else."""
    try:
        here = examine(path, needs_branch=False)
    except BratError as error:
        yield _Checked("the repository", error=error)
        return
    stand_in = settings or Settings("the operator's file")
    source = ConfigSource(here.common_dir, here.base, stand_in, work_tree=here.work_tree)
    place, text = source.text(here.base)
    branch = here.base.removeprefix("refs/heads/")
    name = f"{CONFIG_FILE} on {branch}" if place in ("", CONFIG_FILE) else place
    yield _parsed(name, text, settings, there=bool(place))
    edited = here.work_tree / CONFIG_FILE if here.work_tree else None
    if edited is not None and edited.is_file() and place == CONFIG_FILE:
        own = edited.read_text("utf-8", "replace")
        if own != text:
            yield _parsed(f"{CONFIG_FILE} in the working tree (not committed)", own, settings, there=True)


def _parsed(name: str, text: str, settings: Settings | None, *, there: bool) -> _Checked:
    try:
        return _Checked(name, there, lowered=_lowered(text, settings))
    except BratError as error:
        return _Checked(name, there, error=error)


def _lowered(text: str, settings: Settings | None) -> tuple[str, ...]:
    config = parse_config(text)
    return tuple(map(str, effective(config, settings).lowered)) if settings else ()


def _say(call: Call, checked: _Checked) -> None:
    if checked.error is not None:
        put(call, f"wrong   {checked.name}", style="red")
        for line in str(checked.error).splitlines():
            put(call, f"        {line}")
        return
    put(
        call,
        f"{'ok' if checked.there else 'absent':<8}{checked.name}{'' if checked.there else ': all defaults'}",
    )
    for line in checked.lowered:
        put(call, f"        {line}")


def _document(checked: _Checked) -> dict[str, Any]:
    error = checked.error
    told = None if error is None else {"reason": error.reason, "place": error.place, "remedy": error.remedy}
    state = "wrong" if error else "ok" if checked.there else "absent"
    return {"file": checked.name, "state": state, "error": told, "lowered": list(checked.lowered)}
