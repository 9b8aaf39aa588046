"""Takes GitHub's deliveries in: a delivery is only a hint that something changed.

A body is read up to a cap and its signature is checked, so nothing unsigned is ever parsed. One module per
event reads the few fields that name what is dirty and answers `Signal`s; no field decides anything. They are
written to the inbox before 202 is answered, so a refused write is a delivery that GitHub knows to have
failed. The inbox knows delivery ids: the same id is taken once, and one that failed may come again.

    receiver = Receiver(secrets=(b"s3cret",), inbox=inbox, told=count)
    app = Router([Route("/webhooks/github", receiver, methods=["POST"])])
    # `issues` for issue 7 of repository 42 → Signal(repository=42, installation=3, kind="issue", number=7)
"""

from app.webhooks.body import Cap
from app.webhooks.inbox import Inbox
from app.webhooks.receipt import Outcome, Receipt
from app.webhooks.receive import Receiver
from app.webhooks.signal import Signal
from app.webhooks.signature import sign
from app.webhooks.table import EVENTS, read_signals

__all__ = [
    "EVENTS",
    "Cap",
    "Inbox",
    "Outcome",
    "Receipt",
    "Receiver",
    "Signal",
    "read_signals",
    "sign",
]
