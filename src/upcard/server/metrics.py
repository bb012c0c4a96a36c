"""The metrics of a server, for Prometheus."""

from __future__ import annotations

from collections.abc import Callable
from wsgiref.simple_server import WSGIServer

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, start_http_server

from upcard.engine.errors import UpcardError

LATENCIES = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)
"""Bounds of the histogram's buckets, in seconds."""


class Metrics:
    """The metrics of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self.moves = Counter("upcard_moves", "Events of matches written to the journal.", registry=self.registry)
        self.failures = Counter("upcard_failed_writes", "Writes that failed.", registry=self.registry)
        self.failed_reads = Counter("upcard_failed_reads", "Reads that failed.", registry=self.registry)
        self.latency = Histogram(
            "upcard_write_seconds",
            "From the request for a write until it is on disk, in seconds.",
            buckets=LATENCIES,
            registry=self.registry,
        )

    def follow(self, name: str, help_text: str, number: Callable[[], float]) -> None:
        """Add a gauge whose value is `number()` at the time of reading."""
        Gauge(name, help_text, registry=self.registry).set_function(number)


def serve_metrics(metrics: Metrics, address: str, port: int) -> WSGIServer:
    """Serve metrics in Prometheus' text format at an address and port of their own, in a thread; `shutdown` ends it.

    Raises UpcardError if nothing can listen there.
    """
    try:
        server, _ = start_http_server(port, address, metrics.registry)
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or error
        raise UpcardError(f"the metrics cannot be served on {address}, port {port}: {why}") from None
    return server
