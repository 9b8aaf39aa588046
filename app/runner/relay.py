"""Runs inside the sandbox: `relay.py PORT SOCKET COMMAND…`: loopback TCP to the gateway's socket.

A file of its own, without the rest of the program. The command is in the relay's process group, which is
signalled as a whole; the relay waits for it and passes its exit code on.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from types import FrameType

__all__ = ["carry", "main", "pump", "serve"]

CHUNK = 65536


def pump(source: socket.socket, target: socket.socket) -> None:
    """Copy one direction until it ends, and say so to the other side."""
    with suppress(OSError):
        while piece := source.recv(CHUNK):
            target.sendall(piece)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)


def carry(client: socket.socket, path: str) -> None:
    """One connection, both directions."""
    with client, socket.socket(socket.AF_UNIX) as gateway, suppress(OSError):
        gateway.connect(path)
        back = threading.Thread(target=pump, args=(gateway, client), daemon=True)
        back.start()
        pump(client, gateway)
        back.join()


def serve(listener: socket.socket, path: str) -> None:
    while True:
        client, _ = listener.accept()
        threading.Thread(target=carry, args=(client, path), daemon=True).start()


def main(port: int, path: str, command: list[str]) -> int:
    """Answers the command's exit code, 128+n for signal n."""
    listener = socket.create_server(("127.0.0.1", port), backlog=64)
    threading.Thread(target=serve, args=(listener, path), daemon=True).start()

    def leave_it_to_the_command(number: int, frame: FrameType | None) -> None:
        return None

    # A handler and not SIG_IGN, which the command would inherit.
    signal.signal(signal.SIGTERM, leave_it_to_the_command)
    signal.signal(signal.SIGINT, leave_it_to_the_command)
    try:
        code = subprocess.Popen(command).wait()
    except OSError as wrong:
        print(f"cannot start {command[0]}: {wrong.strerror}", file=sys.stderr)
        return 127
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    # Threads may hang in a copy to a client that stopped reading.
    status = main(int(sys.argv[1]), sys.argv[2], sys.argv[3:])
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
