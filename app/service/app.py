"""The web process, put together from its parts."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.routing import BaseRoute, Route, Router

from app.service.health import Health
from app.service.metrics import Metrics
from app.service.queue import Queue
from app.service.roll import Roll
from app.service.wire import Wire
from app.settings import ServiceSettings
from app.webhooks import Receipt, Receiver

__all__ = ["WEBHOOK_PATH", "build_app"]

WEBHOOK_PATH = "/webhooks/github"

log = logging.getLogger("brat.webhooks")


def build_app(settings: ServiceSettings, wire: Wire) -> Router:
    """Webhooks where there is a secret to check them with, health and counts. Closes the wire at its end.

    A bare router: an application's own answers to errors cost each delivery, and uvicorn says 500 too.
    """
    metrics = Metrics()
    queue = Queue(wire, app_id=settings.app_id or 0)
    routes: list[BaseRoute] = []
    if settings.webhook_secrets:
        secrets = tuple(each.get_secret_value().encode() for each in settings.webhook_secrets)
        receiver = Receiver(secrets=secrets, inbox=queue, told=lambda receipt: _told(metrics, receipt))
        routes.append(Route(WEBHOOK_PATH, receiver, methods=["POST"]))

    routes += Health(settings, queue, Roll(queue), metrics).routes()

    @asynccontextmanager
    async def lifespan(_: object) -> AsyncIterator[None]:
        yield
        await wire.aclose()

    return Router(routes, lifespan=lifespan)


def _told(metrics: Metrics, receipt: Receipt) -> None:
    metrics.delivered(receipt)
    # A forger may send many: these are counted, and not written down.
    level = logging.INFO if receipt.delivery else logging.DEBUG
    if log.isEnabledFor(level):
        about = {"delivery": receipt.delivery, "event": receipt.event, "outcome": receipt.outcome}
        log.log(level, receipt.said, extra=about)
