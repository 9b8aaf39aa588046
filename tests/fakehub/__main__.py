"""The stand-in as a process: prints one line of JSON when it listens, ends on SIGTERM."""

from __future__ import annotations

import argparse
import json
import signal
from pathlib import Path

from tests.fakehub import Clock, Hub
from tests.fakehub.posting import Postman


def main() -> None:
    asked = _arguments().parse_args()
    signals = {signal.SIGTERM, signal.SIGINT}
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    with Hub(asked.root, clock=Clock.at_start(live=True), port=asked.port) as hub:
        known = asked.key.read_text() if asked.key.exists() else None
        app = hub.app(asked.slug, id=asked.app_id, key=known)
        if known is None:
            asked.key.touch(mode=0o600)
            asked.key.write_text(hub.keys[app.id])
        app.webhook_url, app.webhook_secret = asked.webhook_url, asked.webhook_secret
        with Postman(hub):
            print(
                json.dumps({"url": hub.base, "api": hub.api, "graphql": hub.graphql, "app": app.id}),
                flush=True,
            )
            signal.sigwait(signals)


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.fakehub", description=__doc__)
    parser.add_argument("--root", type=Path, required=True, help="folder of the bare repositories")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--app-id", type=int, default=4242)
    parser.add_argument("--slug", default="brat")
    parser.add_argument(
        "--key", type=Path, required=True, help="the App's private key; made where it is missing"
    )
    parser.add_argument("--webhook-url", default="", help="empty: no deliveries")
    parser.add_argument("--webhook-secret", default="")
    return parser


if __name__ == "__main__":
    main()
