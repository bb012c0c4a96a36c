"""The metrics of a server, for Prometheus."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest

LATENCIES = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)
"""Bounds of the histogram's buckets, in seconds."""


class Metrics:
    """The metrics of one server."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self.moves = Counter("upcard_moves", "Events of matches written down.", registry=self._registry)
        self.failures = Counter("upcard_failed_writes", "Writes that failed.", registry=self._registry)
        self.failed_reads = Counter("upcard_failed_reads", "Reads that failed.", registry=self._registry)
        self.latency = Histogram(
            "upcard_write_seconds",
            "From asking for a write until it is on the disk, in seconds.",
            buckets=LATENCIES,
            registry=self._registry,
        )

    def follow(self, name: str, help_text: str, number: Callable[[], float]) -> None:
        """Add a gauge whose value is `number()` at the time of reading."""
        Gauge(name, help_text, registry=self._registry).set_function(number)

    def text(self) -> bytes:
        """All metrics in Prometheus' text format."""
        return generate_latest(self._registry)
