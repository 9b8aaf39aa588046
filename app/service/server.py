"""`brat serve`: the web process."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
import uvloop
from starlette.types import ASGIApp

from app.errors import OperatorError
from app.service.app import build_app
from app.service.stopping import on_signals
from app.service.wire import Wire
from app.settings import ServiceSettings

__all__ = ["Server", "serve"]

_CONCURRENT = 1000
"""More requests at once are answered 503; a body may take 25 MB."""

log = logging.getLogger("brat.serve")


class Server(uvicorn.Server):
    """uvicorn, with signals left to whoever runs it."""

    def __init__(self, app: ASGIApp, *, host: str, port: int) -> None:
        config = uvicorn.Config(
            app,
            host=host,
            port=port,
            http="httptools",
            lifespan="on",
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            limit_concurrency=_CONCURRENT,
            timeout_graceful_shutdown=15,
        )
        super().__init__(config)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    def stop(self) -> None:
        """Answer what was begun, take nothing new."""
        self.should_exit = True

    async def listen(self) -> None:
        """Until it is stopped. Raises OperatorError where it cannot listen."""
        try:
            await self.serve()
        except SystemExit as error:
            # uvicorn leaves the process when it cannot listen, and says why only in its log.
            raise OperatorError(
                "cannot listen there",
                place=f"{self.config.host}:{self.config.port}",
                remedy="stop what listens there, or set BRAT_HOST and BRAT_PORT",
            ) from error

    async def ready(self, serving: asyncio.Task[None]) -> None:
        """Until it listens, or has failed to."""
        while not self.started and not serving.done():
            await asyncio.wait({serving}, timeout=0.01)

    @property
    def address(self) -> str:
        """Where it listens; the port is the real one where 0 was asked for."""
        host, port = self.servers[0].sockets[0].getsockname()[:2]
        return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def serve(settings: ServiceSettings) -> None:
    """Until a signal comes. Raises OperatorError when the address cannot be listened on."""
    if settings.redis_url is None:
        raise OperatorError("BRAT_REDIS_URL is not set", place="brat serve", remedy="set it, or use brat up")
    url = settings.redis_url.get_secret_value()
    uvloop.run(_serve(settings, url))


async def _serve(settings: ServiceSettings, url: str) -> None:
    server = Server(build_app(settings, Wire(url)), host=settings.host, port=settings.port)
    on_signals(server.stop)
    serving = asyncio.create_task(server.listen())
    await server.ready(serving)
    if server.started:
        log.info("listens on %s", server.address)
        # What was imported stays; to look through it for garbage costs a tenth of a delivery.
        gc.collect()
        gc.freeze()
    await serving
    log.info("ended")
