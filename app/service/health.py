"""`/healthz`, `/readyz` and `/metrics`."""

from __future__ import annotations

import asyncio

from prometheus_client.exposition import CONTENT_TYPE_LATEST
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from app.errors import OperatorError
from app.service.metrics import Metrics, united
from app.service.queue import Queue
from app.service.roll import Roll
from app.settings import ServiceSettings
from app.values import dataclass

__all__ = ["Health"]

_PATIENCE_S = 2.0


@dataclass(frozen=True, slots=True)
class Health:
    """Whether this process lives, whether the service can work, and what it counted."""

    settings: ServiceSettings
    queue: Queue
    roll: Roll
    metrics: Metrics

    def routes(self) -> list[Route]:
        """Only for reading, and without any secret in it."""
        return [
            Route("/healthz", self.live, methods=["GET"]),
            Route("/readyz", self.ready, methods=["GET"]),
            Route("/metrics", self.counts, methods=["GET"]),
        ]

    async def live(self, _: Request) -> Response:
        """The process answers; nothing else is asked, for a restart would mend nothing else."""
        return PlainTextResponse("ok\n")

    async def ready(self, _: Request) -> Response:
        """200, or 503 with what is missing. A missing worker is told of, and deliveries are still taken."""
        missing = [*self._credentials(), *await self._redis()]
        worker = await self._worker() if not missing else "unknown"
        told = {"ready": not missing, "missing": missing, "worker": worker}
        return JSONResponse(told, 503 if missing else 200)

    async def counts(self, _: Request) -> Response:
        """This process's counts, and those of the workers that are alive."""
        texts = [("serve", self.metrics.text())]
        waiting = ""
        try:
            async with asyncio.timeout(_PATIENCE_S):
                texts += await self.roll.counts()
                waiting = f"brat_wakes_waiting {await self.queue.waiting()}\n"
        except (OperatorError, TimeoutError):
            waiting = ""
        up = f"brat_redis_up {int(bool(waiting))}\n"
        gauges = (
            "# TYPE brat_redis_up gauge\n" + up + ("# TYPE brat_wakes_waiting gauge\n" if waiting else "")
        )
        body = united(texts) + (gauges + waiting).encode()
        return Response(body, media_type=CONTENT_TYPE_LATEST)

    def _credentials(self) -> list[str]:
        missing = [] if self.settings.app_id else ["app credentials: BRAT_GITHUB_APP_ID"]
        if self.settings.public_url and not self.settings.webhook_secrets:
            missing.append("app credentials: BRAT_GITHUB_WEBHOOK_SECRET")
        return missing

    async def _redis(self) -> list[str]:
        try:
            async with asyncio.timeout(_PATIENCE_S):
                await self.queue.waiting()
        except (OperatorError, TimeoutError):
            return ["redis: does not answer"]
        return []

    async def _worker(self) -> str:
        try:
            async with asyncio.timeout(_PATIENCE_S):
                return "alive" if await self.roll.alive() else "no worker has been seen: start brat worker"
        except (OperatorError, TimeoutError):
            return "unknown"
