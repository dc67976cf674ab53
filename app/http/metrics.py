"""Metrics: counts by protocol, rule and code, never by content. The server also counts for its workers."""

import platform
from collections import Counter as Tally
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib.metadata import version
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.responses import Response

from mqconvert.app.http.problems import problem
from mqconvert.app.http.process import processor_seconds, resident
from mqconvert.compiled import is_compiled


class Metrics:
    """The service's own registry. `pids` are the process ids of the workers."""

    def __init__(self, pids: Callable[[], Iterable[int]] = tuple) -> None:
        self.registry = CollectorRegistry()
        self.conversions = Counter("mqconvert_conversions", "Messages converted", ["source", "target"], registry=self.registry)
        self.losses = Counter("mqconvert_losses", "Values lost, by rule", ["source", "target", "rule"], registry=self.registry)
        self.errors = Counter("mqconvert_errors", "Requests and lines refused, by code", ["code"], registry=self.registry)
        self.latency = Histogram("mqconvert_request_seconds", "Time to answer", ["path", "status"], registry=self.registry)
        self.in_flight = Gauge("mqconvert_requests_in_flight", "Requests being answered", registry=self.registry)
        build = Gauge("mqconvert_build_info", "What runs here", ["version", "python", "modules"], registry=self.registry)
        build.labels(version("mqconvert"), platform.python_version(), "compiled" if is_compiled() else "sources").set(1)
        ProcessCollector(registry=self.registry)
        self.registry.register(_OfWorkers(pids))
        # Caches the child of a pair, or of a path and status, to avoid the lock and the checks of `labels`.
        self.converted_of = cache(self.conversions.labels)
        self.latency_of = cache(self.latency.labels)

    def add(self, counted: Tally[tuple[str, ...]]) -> None:
        for (kind, *labels), number in counted.items():
            if kind == "converted":
                self.converted_of(*labels).inc(number)
            else:
                (self.losses if kind == "lost" else self.errors).labels(*labels).inc(number)

    def refused(self, code: str) -> None:
        self.errors.labels(code).inc()

    def problem(self, status: int, code: str, words: str, **more: Any) -> Response:
        """Count a refused request, and return its answer."""
        self.refused(code)
        return problem(status, code, words, **more)


class _OfWorkers(Collector):
    """Collects memory and time of the worker processes. The process_* metrics describe the server itself."""

    def __init__(self, pids: Callable[[], Iterable[int]]) -> None:
        self.pids, self.seconds, self.ended = pids, dict[int, float](), 0.0

    def collect(self) -> Iterator[Metric]:
        pids = list(self.pids())
        yield GaugeMetricFamily("mqconvert_workers", "Worker processes", len(pids))
        memory = sum(map(resident, pids))
        yield GaugeMetricFamily("mqconvert_workers_resident_memory_bytes", "Memory of the worker processes", memory)
        for pid in self.seconds.keys() - {*pids}:
            self.ended += self.seconds.pop(pid)
        self.seconds |= {pid: processor_seconds(pid) for pid in pids}
        total = self.ended + sum(self.seconds.values())
        yield CounterMetricFamily("mqconvert_workers_cpu_seconds", "Processor time of the worker processes", total)
