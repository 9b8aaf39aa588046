"""The server around the web process's routes, in this process."""

from __future__ import annotations

import asyncio
import logging

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, Router

from app.service import Server


async def breaks(_: Request) -> Response:
    raise RuntimeError("a mistake of ours")


async def works(_: Request) -> Response:
    return PlainTextResponse("still here")


async def answers(*paths: str) -> list[httpx.Response]:
    """What a server with one route that breaks says, asked over one connection."""
    server = Server(Router([Route("/breaks", breaks), Route("/works", works)]), host="127.0.0.1", port=0)
    serving = asyncio.create_task(server.listen())
    await server.ready(serving)
    async with httpx.AsyncClient(base_url=server.address) as client:
        said = [await client.get(path) for path in paths]
    server.stop()
    await serving
    return said


def test_mistake_of_ours_is_500_logged_once_and_ends_nothing(caplog: pytest.LogCaptureFixture) -> None:
    """GitHub records a 500 as failed, so that the sweep has it redelivered."""
    with caplog.at_level(logging.ERROR):
        broken, works = asyncio.run(answers("/breaks", "/works"))
    assert (broken.status_code, "mistake" in broken.text) == (500, False)
    assert (works.status_code, works.text) == (200, "still here")
    [record] = caplog.records
    assert record.exc_info is not None
    assert str(record.exc_info[1]) == "a mistake of ours"
