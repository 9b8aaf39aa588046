"""The web process, put together from its parts."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import field

from starlette.routing import BaseRoute, Route, Router

from app.service.health import Health
from app.service.metrics import Metrics
from app.service.queue import Queue
from app.service.roll import Roll
from app.service.wire import Wire
from app.settings import ServiceSettings
from app.values import dataclass
from app.webhooks import Receipt, Receiver

__all__ = ["WEBHOOK_PATH", "ServiceParts", "build_app"]

WEBHOOK_PATH = "/webhooks/github"

log = logging.getLogger("brat.webhooks")


@dataclass(frozen=True, slots=True)
class ServiceParts:
    """What the web process is made of. `routes` come after our own: none of these can be taken over."""

    settings: ServiceSettings
    wire: Wire
    routes: tuple[BaseRoute, ...] = ()
    metrics: Metrics = field(default_factory=Metrics)


def build_app(parts: ServiceParts) -> Router:
    """Webhooks where there is a secret to check them with, health, counts, and what else is given.

    A bare router: an application's own answers to errors cost each delivery, and uvicorn says 500 too.
    """
    settings = parts.settings
    queue = Queue(parts.wire, app_id=settings.app_id or 0)
    routes: list[BaseRoute] = []
    if settings.webhook_secrets:
        secrets = tuple(each.get_secret_value().encode() for each in settings.webhook_secrets)
        receiver = Receiver(secrets=secrets, inbox=queue, told=lambda receipt: _told(parts.metrics, receipt))
        routes.append(Route(WEBHOOK_PATH, receiver, methods=["POST"]))

    routes += Health(settings, queue, Roll(queue), parts.metrics).routes()

    @asynccontextmanager
    async def lifespan(_: object) -> AsyncIterator[None]:
        yield
        await parts.wire.aclose()

    return Router([*routes, *parts.routes], lifespan=lifespan)


def _told(metrics: Metrics, receipt: Receipt) -> None:
    metrics.delivered(receipt)
    # A forger may send many: these are counted, and not written down.
    level = logging.INFO if receipt.delivery else logging.DEBUG
    if log.isEnabledFor(level):
        about = {"delivery": receipt.delivery, "event": receipt.event, "outcome": receipt.outcome}
        log.log(level, receipt.said, extra=about)
