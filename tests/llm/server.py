"""One model for any number of engines at once, the scenario in the address."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import TracebackType

from tests.llm.conversation import Bash, Conversation, Play, Refuse, Step, Text, Write
from tests.llm.handler import Answer, ModelServer
from tests.llm.record import Request, Requests
from tests.llm.script import play_named
from tests.llm.tools import render

__all__ = ["ScriptedModel"]


class ScriptedModel:
    """A model that follows scripts; a context manager. `port` 0 picks a free one.

    A scenario is a name of `play_named`, or a function of the conversation. A function that raises
    refuses the request with 400, and its error is raised again where the `with` block ends.
    """

    def __init__(self, *, port: int = 0, scripts: Mapping[str, Iterable[Step]] | None = None) -> None:
        self._scripts = dict(scripts or {})
        self._plays: dict[str, Play] = {}
        self._turns: Counter[tuple[str, str]] = Counter()
        self._requests = Requests()
        self._failures: list[BaseException] = []
        self._lock = threading.Lock()
        self._server = ModelServer(port, self)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})

    @property
    def port(self) -> int:
        """The port on 127.0.0.1 it listens on."""
        return int(self._server.server_address[1])

    @property
    def requests(self) -> tuple[Request, ...]:
        """Everything that was asked, in the order of arrival."""
        return self._requests.all()

    def of(self, key: str) -> tuple[Request, ...]:
        """The conversations' requests that came by the address with this key."""
        return tuple(each for each in self.requests if each.key == key and each.api != "other")

    def base_url(self, scenario: str | Play = "ok", *, key: str = "") -> str:
        """The address for one client, without `/v1`. Turns and records are counted apart by scenario and key.

        An unknown name of a scenario is a KeyError.
        """
        if isinstance(scenario, str):
            name = scenario
            play_named(name, self._scripts)
        else:
            with self._lock:
                name = f"play{len(self._plays)}"
                self._plays[name] = scenario
        return f"http://127.0.0.1:{self.port}/s/{name}{'.' if key else ''}{key}"

    def answer(self, asked: Conversation, request: Request) -> Answer:
        """The next step of the conversation's play, in the words of the engine, and recorded."""
        with self._lock:
            self._turns[asked.scenario, asked.key] += 1
            asked = replace(asked, turn=self._turns[asked.scenario, asked.key])
        place = self._requests.add(request)
        try:
            step = self._play(asked.scenario)(asked)
        except Exception as error:
            self.failed(error)
            return Refuse(400)
        self._requests.answered(place, step)
        return render(step, asked) if isinstance(step, Write | Bash | Text) else step

    def record(self, request: Request) -> None:
        """Keep a request that asks for no answer of the model."""
        self._requests.add(request)

    def failed(self, error: BaseException) -> None:
        """Keep a mistake of the test's own side, to be raised at the end."""
        self._failures.append(error)

    def _play(self, name: str) -> Play:
        return self._plays.get(name) or play_named(name, self._scripts)

    def __enter__(self) -> ScriptedModel:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.hang_up()
        self._server.server_close()
        self._thread.join()
        if error is None and self._failures:
            raise self._failures[0]
