"""The HTTP side: reads a request, asks for the answer, writes it in the API's own format."""

from __future__ import annotations

import gzip
import json
import re
import socket
import sys
from collections.abc import Mapping
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Protocol

from tests.llm.anthropic import Anthropic
from tests.llm.chat import Chat
from tests.llm.conversation import Call, Conversation, Drop, Garbage, Hang, Refuse, Reply, Say
from tests.llm.record import Request
from tests.llm.responses import Responses
from tests.llm.wire import TOKENS_IN, Json, Wire

__all__ = ["Answer", "Model", "ModelServer"]

_WIRES: Mapping[str, Wire] = {
    "/messages": Anthropic(),
    "/chat/completions": Chat(),
    "/responses": Responses(),
}
_MODELS = ("claude-sonnet-4-5", "gpt-5.5", "gpt-4o")
_AUTHORIZATION = ("Authorization", "X-Api-Key")
_SCENARIO = re.compile(r"/s/(?P<scenario>[^/.]+)(\.(?P<key>[^/]*))?(?P<rest>/.*)")

Answer = Reply | Refuse | Hang | Drop | Garbage


class Model(Protocol):
    """Who answers."""

    def answer(self, asked: Conversation, request: Request) -> Answer:
        """What to say next; the request is recorded."""
        ...

    def record(self, request: Request) -> None:
        """Keep a request that asks for no answer of the model."""
        ...

    def failed(self, error: BaseException) -> None:
        """Keep a mistake of the test's own side."""
        ...


class ModelServer(ThreadingHTTPServer):
    """Remembers its connections, so that closing ends waiting handlers too and leaves no thread."""

    daemon_threads = False
    block_on_close = True
    request_queue_size = 128

    def __init__(self, port: int, model: Model) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.model = model
        self._open: set[object] = set()

    def process_request(self, request: object, client_address: object) -> None:
        self._open.add(request)
        super().process_request(request, client_address)  # type: ignore[arg-type]

    def shutdown_request(self, request: object) -> None:
        self._open.discard(request)
        super().shutdown_request(request)  # type: ignore[arg-type]

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that is gone is no mistake: engines are killed in the middle by tests."""
        error = sys.exc_info()[1]
        if error is not None and not isinstance(error, ConnectionError):
            self.model.failed(error)

    def hang_up(self) -> None:
        """End every connection that is still open."""
        for connection in tuple(self._open):
            assert isinstance(connection, socket.socket)
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                self._open.discard(connection)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ModelServer

    def log_message(self, format: str, *args: object) -> None:
        """Quiet: the records are the log."""

    def do_HEAD(self) -> None:
        self._record()
        self._send(200, b"")

    def do_GET(self) -> None:
        self._record()
        if self.path.partition("?")[0].endswith("/models"):
            models = [{"id": name, "object": "model", "type": "model"} for name in _MODELS]
            self._send_json(200, {"object": "list", "data": models, "has_more": False})
        else:
            self._send_json(404, {"error": {"message": f"no such address: {self.path}"}})

    def do_POST(self) -> None:
        raw = self._body()
        found = _SCENARIO.fullmatch(self.path.partition("?")[0])
        rest = found["rest"] if found else ""
        wire = next((wire for end, wire in _WIRES.items() if rest.endswith(end)), None)
        if found is not None and wire is not None:
            asked = replace(wire.parse(json.loads(raw)), scenario=found["scenario"], key=found["key"] or "")
            request = Request.of(self.path, self._authorization(), asked)
            self._reply(wire, asked, self.server.model.answer(asked, request))
            return
        self._record()
        if rest.endswith("/count_tokens"):
            self._send_json(200, {"input_tokens": TOKENS_IN})
        else:
            self._send_json(404, {"error": {"message": f"no such address: {self.path}"}})

    def _reply(self, wire: Wire, asked: Conversation, answer: Answer) -> None:
        match answer:
            case Refuse(status):
                self._send_json(status, wire.error(status))
            case Hang():
                self.close_connection = True
                self.connection.recv(1)
            case Garbage():
                self._send(200, b"<html>not a model</html>", "text/html")
            case Drop():
                self._begin_stream()
                self._chunk(next(wire.events(asked.model, Say(""))).encode())
                self.close_connection = True
            case Say() | Call():
                self._tell(wire, asked, answer)

    def _tell(self, wire: Wire, asked: Conversation, reply: Reply) -> None:
        if not asked.stream:
            self._send_json(200, wire.whole(asked.model, reply))
            return
        self._begin_stream()
        for event in wire.events(asked.model, reply):
            self._chunk(event.encode())
        self._chunk(b"")

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            raw = b""
            while size := int(self.rfile.readline().partition(b";")[0], 16):
                raw += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        return gzip.decompress(raw) if self.headers.get("Content-Encoding") == "gzip" else raw

    def _authorization(self) -> str:
        return next((value for name in _AUTHORIZATION if (value := self.headers.get(name))), "")

    def _record(self) -> None:
        self.server.model.record(Request.of(self.path, self._authorization()))

    def _send_json(self, status: int, body: Json) -> None:
        self._send(status, json.dumps(body).encode())

    def _send(self, status: int, body: bytes, kind: str = "application/json") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _begin_stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()
