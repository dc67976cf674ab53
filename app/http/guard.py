"""What stands before every route, as one plain ASGI layer: token, limits, access log, metrics. No message content."""

import binascii
import hmac
import json
import logging
import time
from functools import cache
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Histogram
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from mqconvert import Report
from mqconvert.app.http.problems import INTERNAL, log_defect, problem
from mqconvert.app.http.settings import Settings

_log = logging.getLogger("mqconvert.access")
OPEN_PATHS = ("/healthz", "/readyz")
UNBOUNDED_PATH = "/v1/convert/batch"


class Metrics:
    """The service's own registry: counts by protocol, rule and code, never by content."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.conversions = Counter("mqconvert_conversions", "Messages converted", ["source", "target"], registry=self.registry)
        self.losses = Counter("mqconvert_losses", "Values lost, by rule", ["source", "target", "rule"], registry=self.registry)
        self.errors = Counter("mqconvert_errors", "Requests and lines refused, by code", ["code"], registry=self.registry)
        self.latency = Histogram("mqconvert_request_seconds", "Time to answer", ["path", "status"], registry=self.registry)
        # One pair, one path and status, is one child: found without the lock and the checks of `labels`.
        self.converted_of = cache(self.conversions.labels)
        self.latency_of = cache(self.latency.labels)

    def converted(self, source: str, target: str, report: Report) -> None:
        self.converted_of(source, target).inc()
        for lost in report.lost:
            self.losses.labels(source, target, lost.rule or "none").inc()

    def refused(self, code: str) -> None:
        self.errors.labels(code).inc()

    def problem(self, status: int, code: str, words: str, **more: Any) -> Response:
        """The answer to a request that is refused, which is counted."""
        self.refused(code)
        return problem(status, code, words, **more)

    def defect(self, error: Exception) -> dict[str, str]:
        """Counts and logs an error that nobody foresaw; what its caller is told of it."""
        log_defect(error)
        told = {"code": "internal", "message": INTERNAL}
        self.refused(told["code"])
        return told


class Guard:
    """The ASGI layer itself; `paths` are those of the routes, for the log of requests that it refuses."""

    def __init__(self, app: Any, settings: Settings, metrics: Metrics, paths: frozenset[str]) -> None:
        self.app, self.settings, self.metrics, self.paths = app, settings, metrics, paths
        self.running = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start = time.perf_counter()
        status = 0
        asked = scope
        if scope["method"] == "HEAD":  # as GET, whose body the server leaves out (RFC 9110 section 9.3.2)
            asked = scope | {"method": "GET"}

        async def watched(event: Any) -> None:
            nonlocal status
            if event["type"] == "http.response.start":
                status = event["status"]
            await send(event)

        try:
            await self._answer(asked, receive, watched)
        except ClientDisconnect:
            status = 499  # as nginx writes it: the client has gone, nobody is there to answer
        except Exception as error:  # noqa: BLE001 - whatever is wrong with this code, its caller gets a documented answer
            told = self.metrics.defect(error)
            if not status:  # else the answer has begun: it stays without its end, and the server closes the connection
                await problem(500, told["code"], told["message"])(scope, receive, watched)
        finally:
            self._note(scope["method"], asked, status or 500, time.perf_counter() - start)

    async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["path"] in OPEN_PATHS:
            await self.app(scope, receive, send)
            return
        refused = self._refused(scope)
        if refused is not None:
            await refused(scope, receive, send)
            return
        self.running += 1
        try:
            await self.app(scope, self._bounded(scope, receive), send)
        finally:
            self.running -= 1

    def _refused(self, scope: Any) -> Any:
        headers = dict(scope["headers"])
        if self.settings.token is not None and not _brings(self.settings.token, headers.get(b"authorization", b"")):
            refused = self.metrics.problem(
                401, "unauthorized", "a bearer token is needed", headers={"WWW-Authenticate": "Bearer"}
            )
            # A header of its own: Chromium reads only the first scheme of one.
            refused.headers.append("WWW-Authenticate", 'Basic realm="mqconvert: the token as password", charset="UTF-8"')
            return refused
        if self.running >= self.settings.concurrency:
            return self.metrics.problem(429, "too_busy", "too many requests at once", headers={"Retry-After": "1"})
        length = headers.get(b"content-length", b"0")
        if scope["path"] != UNBOUNDED_PATH and length.isdigit() and int(length) > self.settings.max_body:
            return self._too_large()
        return None

    def _too_large(self) -> Any:
        return self.metrics.problem(413, "too_large", self._words())

    def _words(self) -> str:
        return f"a body of more than {self.settings.max_body} octets"

    def _bounded(self, scope: Any, receive: Any) -> Any:
        """The body, up to the limit; the batch has a limit for each line instead."""
        if scope["path"] == UNBOUNDED_PATH:
            return receive
        seen = 0

        async def counted() -> Any:
            nonlocal seen
            event = await receive()
            seen += len(event.get("body", b""))
            if seen > self.settings.max_body:
                raise HTTPException(413, self._words())
            return event

        return counted

    def _note(self, method: str, scope: Any, status: int, seconds: float) -> None:
        # What is refused here never reached its route; of all other paths only the route's own is told, never its values.
        route = getattr(scope.get("route"), "path", None)
        path = route or (scope["path"] if scope["path"] in self.paths else "other")
        self.metrics.latency_of(path, str(status)).observe(seconds)
        if _log.isEnabledFor(logging.INFO):
            line = {"method": method, "path": path, "status": status, "seconds": round(seconds, 6)}
            _log.info(json.dumps(line))


def _brings(token: str, authorization: bytes) -> bool:
    """Whether the header has the token: as bearer (RFC 6750), or, as browsers ask for it, as anyone's password (RFC 7617)."""
    scheme, _, given = authorization.partition(b" ")
    given = given.strip()
    if scheme.lower() == b"basic":
        try:
            given = binascii.a2b_base64(given, strict_mode=True).partition(b":")[2]
        except ValueError:
            return False
    elif scheme.lower() != b"bearer":
        return False
    return hmac.compare_digest(given, token.encode())
