"""`brat`, killed at a word to redis: `DIES="after END 2" SAID=file python -m tests.service.mortal worker`.

Words are named as redis has them, scripts as in `app.service.scripts`, what is said together by its first.
The file gets each name, in order. The kill is a real one.
"""

from __future__ import annotations

import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from app.cli import main
from app.service.scripts import ACCEPT, BEGIN, END, RENEW, Script
from app.service.wire import Wire, Word
from tests.hosted.points import Strike

__all__ = ["said_in"]

_SCRIPTS = {ACCEPT: "ACCEPT", BEGIN: "BEGIN", END: "END", RENEW: "RENEW"}

Say = Callable[..., Coroutine[Any, Any, Any]]


class _Mortal:
    """Counts words; at the ordered one the process is gone."""

    def __init__(self, dies: str, said: Path) -> None:
        self._dies, self._said = dies, said
        self._counts: Counter[str] = Counter()

    def counted(self, name: str) -> int:
        self._counts[name] += 1
        with self._said.open("a") as file:
            file.write(f"{name}\n")
        return self._counts[name]

    def at(self, side: str, name: str, occurrence: int) -> None:
        if str(Strike(name, occurrence, side)) == self._dies:
            os.kill(os.getpid(), signal.SIGKILL)

    def saying(self, say: Say, name_of: Callable[..., str]) -> Say:
        """In place of a method of the connection. A script is one word, however it is brought to redis."""

        async def said(wire: Wire, *words: Any) -> Any:
            name = name_of(*words)
            if name.startswith("EVAL"):
                return await say(wire, *words)
            occurrence = self.counted(name)
            self.at("before", name, occurrence)
            answer = await say(wire, *words)
            self.at("after", name, occurrence)
            return answer

        return said


def said_in(file: Path) -> list[str]:
    """What was said to redis, in order."""
    return file.read_text().splitlines() if file.exists() else []


def _several(*words: tuple[Word, ...]) -> str:
    return str(words[0][0])


def _script(script: Script, *given: Any) -> str:
    return _SCRIPTS[script]


if __name__ == "__main__":
    mortal = _Mortal(os.environ["DIES"], Path(os.environ["SAID"]))
    Wire.run = mortal.saying(Wire.run, lambda *word: str(word[0]))  # type: ignore[method-assign]
    Wire.script = mortal.saying(Wire.script, _script)  # type: ignore[method-assign]
    Wire.run_all = mortal.saying(Wire.run_all, _several)  # type: ignore[method-assign]
    sys.exit(main())
