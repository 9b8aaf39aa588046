"""The receiver alone, with an inbox that keeps nothing: `python -m benchmarks.webhook_server`."""

from __future__ import annotations

import asyncio

import uvloop
from starlette.routing import Route, Router

from app.service import WEBHOOK_PATH, Metrics, Server
from app.webhooks import Receiver, Signal

__all__ = ["SECRET"]

SECRET = "kept secret"


class _Nowhere:
    """An inbox that keeps nothing."""

    async def put(self, delivery: str, signals: tuple[Signal, ...]) -> bool:
        return True


async def _run() -> None:
    receiver = Receiver((SECRET.encode(),), _Nowhere(), Metrics().delivered)
    app = Router([Route(WEBHOOK_PATH, receiver, methods=["POST"])])
    server = Server(app, host="127.0.0.1", port=0)
    serving = asyncio.create_task(server.listen())
    await server.ready(serving)
    print(f"listens on {server.address}", flush=True)
    await serving


if __name__ == "__main__":
    uvloop.run(_run())
