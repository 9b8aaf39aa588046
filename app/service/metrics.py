"""Counts for Prometheus, in a registry of our own: what was counted twice in one process would be a mistake.

Each worker leaves its counts in redis, and the web process shows them all at one address.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.exposition import generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.parser import text_string_to_metric_families

from app.service.control import Counted
from app.webhooks import EVENTS, Receipt

__all__ = ["Metrics", "united"]


class Metrics:
    """The counts of one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.deliveries = self._counter(
            "deliveries", "Webhook deliveries, by event and what became of them.", "event", "outcome"
        )
        self._delivered: dict[tuple[str, str], Counter] = {}
        self.passes = self._counter("passes", "Passes over repositories and sweeps, by end.", "outcome")
        self.pass_seconds = Histogram(
            "brat_pass_seconds", "How long passes and sweeps take.", registry=self.registry
        )
        self._counted = {
            "actions": self._counter("actions", "What passes did, by kind and end.", "kind", "end"),
            "github_requests": self._counter(
                "github_requests", "Requests to GitHub's API, by the answer's status.", "status"
            ),
            "sessions": self._counter("sessions", "Sessions that ended, by kind and end.", "kind", "end"),
        }

    def _counter(self, name: str, documentation: str, *labels: str) -> Counter:
        return Counter(f"brat_{name}", documentation, labels, registry=self.registry)

    def delivered(self, receipt: Receipt) -> None:
        """One delivery. Events that are not used share a label: anybody can make names up."""
        key = (receipt.event if receipt.event in EVENTS else "other", receipt.outcome)
        found = self._delivered.get(key)
        if found is None:
            found = self._delivered[key] = self.deliveries.labels(*key)
        found.inc()

    def count(self, counted: Counted) -> None:
        self._counted[counted.what].labels(*counted.labels).inc(counted.amount)

    def text(self) -> str:
        """Prometheus's text format."""
        return generate_latest(self.registry).decode()


def united(texts: Iterable[tuple[str, str]]) -> bytes:
    """Counts of several processes as one text; every sample tells its process. A torn text is left out."""
    families: dict[str, Metric] = {}
    for process, text in texts:
        for family in _families(text):
            into = families.setdefault(family.name, Metric(family.name, family.documentation, family.type))
            for each in family.samples:
                if not each.name.endswith("_created"):
                    into.add_sample(each.name, {**each.labels, "process": process}, each.value)
    return generate_latest(_Told(tuple(families.values())))


class _Told(CollectorRegistry):
    def __init__(self, families: tuple[Metric, ...]) -> None:
        super().__init__()
        self._families = families

    def collect(self) -> Iterator[Metric]:
        yield from self._families


def _families(text: str) -> list[Metric]:
    try:
        return list(text_string_to_metric_families(text))
    except ValueError:
        return []
