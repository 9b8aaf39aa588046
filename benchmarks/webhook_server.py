"""The web process for the benchmark: `python -m benchmarks.webhook_server [REDIS_URL]`; without one nothing is kept."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from pydantic import SecretStr
from starlette.applications import Starlette
from starlette.routing import Route

from app.service import WEBHOOK_PATH, Metrics, Server, ServiceParts, build_app
from app.service.connection import open_redis
from app.settings import ServiceSettings, Settings
from app.webhooks import Receiver, Signal

__all__ = ["SECRET"]

SECRET = "kept secret"


class _Nowhere:
    """An inbox that keeps nothing."""

    async def put(self, delivery: str, signals: tuple[Signal, ...]) -> bool:
        return True


def _settings(url: str) -> ServiceSettings:
    return ServiceSettings(
        app_id=17,
        private_key=None,
        webhook_secrets=(SecretStr(SECRET),),
        api_url="https://api.github.com",
        redis_url=SecretStr(url),
        data_dir=Path(),
        host="127.0.0.1",
        port=0,
        sweep_interval_ms=300_000,
        public_url="https://brat.example.org",
        operator=Settings(place="benchmark"),
        environ={},
    )


async def _run(url: str | None) -> None:
    if url is None:
        receiver = Receiver((SECRET.encode(),), _Nowhere(), Metrics().delivered)
        app = Starlette(routes=[Route(WEBHOOK_PATH, receiver.endpoint, methods=["POST"])])
    else:
        app = build_app(ServiceParts(_settings(url), open_redis(url)))
    server = Server(app, host="127.0.0.1", port=0)
    serving = asyncio.create_task(server.listen())
    await server.ready(serving)
    print(server.address, flush=True)
    await serving


if __name__ == "__main__":
    asyncio.run(_run(sys.argv[1] if len(sys.argv) > 1 else None))
