"""One connection to redis for a whole process: commands of all tasks go out at once, answers come in order.

The usual client takes a connection for each command, and as much time as all the rest of a delivery; what it
imports for every kind of login is a quarter of the web process's memory. arq keeps using it in workers.
https://redis.io/docs/latest/develop/reference/protocol-spec/
"""

from __future__ import annotations

import asyncio
import ssl
from collections import deque
from collections.abc import Sequence
from typing import Any, cast

import hiredis

from app.errors import OperatorError
from app.service.redis_address import Address, parse_address
from app.service.scripts import Script

__all__ = ["Wire", "Word"]

Word = str | bytes | int

_TIMEOUT_S = 3.0
"""GitHub waits ten seconds for an answer; a redis that is away is said within them."""


class _Connection(asyncio.Protocol):
    """Answers go to whoever asked, first to first."""

    def __init__(self, timeout_s: float) -> None:
        self._timeout_s = timeout_s
        self._waiting: list[bytes] = []
        self._heard = 0.0
        self._reader = hiredis.Reader(notEnoughData=_Connection)
        self._asked: deque[asyncio.Future[Any]] = deque()
        self._loop = asyncio.get_running_loop()
        self.closed = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._heard = self._loop.time()
        self._reader.feed(data)
        while (answer := self._reader.gets()) is not _Connection:
            asked = self._asked.popleft()
            if not asked.done():
                asked.set_result(answer)

    def connection_lost(self, exc: Exception | None) -> None:
        self._fail(ConnectionError("the connection was lost"))

    def _fail(self, error: Exception) -> None:
        self.closed = True
        for each in self._asked:
            if not each.done():
                each.set_exception(error)
        self._asked.clear()

    def end(self) -> None:
        """At once; the answers of others may already be out of their order."""
        self.closed = True
        self.transport.abort()

    def send(self, commands: Sequence[tuple[Word, ...]]) -> list[asyncio.Future[Any]]:
        """The commands follow each other without anybody's in between."""
        futures: list[asyncio.Future[Any]] = [self._loop.create_future() for _ in commands]
        if not self._asked:
            self._heard = self._loop.time()
            self._loop.call_later(self._timeout_s, self._watch)
        if not self._waiting:
            self._loop.call_soon(self._flush)
        self._asked.extend(futures)
        self._waiting.extend(_packed(each) for each in commands)
        return futures

    def _flush(self) -> None:
        """What all tasks of this turn of the loop have to say, in one write."""
        if not self.closed:
            self.transport.write(b"".join(self._waiting))
        self._waiting.clear()

    def _watch(self) -> None:
        """One timer for all that wait: cheaper than one for each."""
        if self.closed or not self._asked:
            return
        quiet = self._loop.time() - self._heard
        if quiet >= self._timeout_s:
            self._fail(TimeoutError())
            self.end()
        else:
            self._loop.call_later(self._timeout_s - quiet, self._watch)


class Wire:
    """Connects when it is first used, and again after the connection was lost.

    Nothing is sent twice: a command whose answer is missing has failed, and may yet have been done. Every
    method raises OperatorError when redis does not answer or refuses.
    """

    def __init__(self, url: str, *, timeout_s: float = _TIMEOUT_S) -> None:
        self._address = parse_address(url)
        self._timeout_s = timeout_s
        self._connection: _Connection | None = None
        self._connecting = asyncio.Lock()

    async def run(self, *command: Word) -> Any:
        """The answer to one command."""
        [answer] = await self._answers((command,))
        return answer

    async def run_all(self, *commands: tuple[Word, ...]) -> list[Any]:
        """The answers to commands that are done together."""
        answers = await self._answers((("MULTI",), *commands, ("EXEC",)))
        found = answers[-1]
        assert isinstance(found, list)
        return found

    async def script(self, script: Script, keys: Sequence[str], args: Sequence[Word]) -> Any:
        """What a script answers; it is sent whole only to a server that does not know it."""
        rest = (len(keys), *keys, *args)
        try:
            return await self.run("EVALSHA", script.sha, *rest)
        except _Unknown:
            return await self.run("EVAL", script.text, *rest)

    async def aclose(self) -> None:
        """Whoever still waits is told that the connection was lost."""
        if self._connection is not None:
            self._connection.end()
            self._connection = None
            # The transport closes its socket when the loop turns.
            await asyncio.sleep(0)

    async def _answers(self, commands: Sequence[tuple[Word, ...]]) -> list[Any]:
        connection = self._connection
        try:
            if connection is None or connection.closed:
                connection = await self._connected()
            return [_accepted(await each) for each in connection.send(commands)]
        except (OSError, TimeoutError, hiredis.HiredisError) as error:
            if connection is not None:
                connection.end()
            raise _away(type(error).__name__) from error

    async def _connected(self) -> _Connection:
        async with self._connecting:
            if self._connection is None or self._connection.closed:
                async with asyncio.timeout(self._timeout_s):
                    connection = await _open(self._address, self._timeout_s)
                try:
                    for each in connection.send(self._address.greeting()):
                        _accepted(await each)
                except BaseException:
                    connection.end()
                    raise
                self._connection = connection
            return self._connection


class _Unknown(OperatorError):
    """The server does not know the script."""


def _packed(command: tuple[Any, ...]) -> bytes:
    packed: bytes = hiredis.pack_command(command)
    return packed


async def _open(address: Address, timeout_s: float) -> _Connection:
    loop = asyncio.get_running_loop()

    def made() -> _Connection:
        return _Connection(timeout_s)

    if address.path is not None:
        return (await loop.create_unix_connection(made, address.path))[1]
    context = ssl.create_default_context() if address.tls else None
    return (await loop.create_connection(made, address.host, address.port, ssl=context))[1]


def _accepted(answer: Any) -> Any:
    if isinstance(answer, hiredis.ReplyError):
        words = str(answer)
        if words.startswith("NOSCRIPT"):
            raise _Unknown(words)
        raise _away(words.partition(" ")[0])
    return answer


def _away(reason: str) -> OperatorError:
    return OperatorError(
        f"redis does not answer ({reason})",
        place="BRAT_REDIS_URL",
        remedy="see that the server runs and can be reached; brat goes on by itself when it does",
    )
