"""ASGI layers before every route: log and metrics, then token, limits and timeouts. They never log message content."""

import asyncio
import binascii
import hmac
import logging
import re
import secrets
import time
from dataclasses import dataclass
from operator import attrgetter

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mqconvert.app.http import logs
from mqconvert.app.http.metrics import Metrics
from mqconvert.app.http.problems import INTERNAL, problem
from mqconvert.app.http.settings import Settings

_log = logging.getLogger("mqconvert.access")
_errors = logging.getLogger("mqconvert.errors")
OPEN_PATHS = ("/healthz", "/readyz")
UNBOUNDED_PATH = "/v1/convert/batch"
_REQUEST_ID = re.compile(r"[!-~]{1,64}")
STALLED = 1.0
"""Seconds after which an upload may end for the sake of others, and a connection without progress for a new one."""
PIECE = 2**16
"""Maximum bytes of a response passed to the server at once. It waits until the client has read most of them."""


class Access:
    """The outermost layer: it logs, measures and answers every request.

    `paths` are the routes, for the log of requests that never reach one.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics, paths: frozenset[str]) -> None:
        self.app, self.metrics, self.paths = app, metrics, paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start = time.perf_counter()
        noted = _Noted(_request_id(scope))
        method = scope["method"]
        scope["mqconvert.task"] = asyncio.current_task()  # cancelled when its client leaves (server.py)
        asked = {**scope, "method": "GET"} if method == "HEAD" else scope  # RFC 9110 section 9.3.2: without the body

        async def watched(event: Message) -> None:
            if event["type"] == "http.response.start":
                noted.status = event["status"]
                own = [(b"x-request-id", noted.request_id.encode()), (b"x-content-type-options", b"nosniff")]
                event["headers"] = [*event["headers"], *own]
            await send(event)
            noted.complete = event["type"] == "http.response.body" and not event.get("more_body")

        self.metrics.in_flight.inc()
        try:
            await self.app(asked, receive, watched)
        except (ClientDisconnect, asyncio.CancelledError):
            noted.status = noted.status or 499  # as nginx logs a client that closed the connection
        except Exception as error:  # noqa: BLE001 - clients get a documented answer for any defect of this code
            _errors.error(logs.told(error))
            self.metrics.refused("internal")
            if not noted.status:  # otherwise the server cuts the response off and closes the connection
                await problem(500, "internal", INTERNAL)(scope, receive, watched)
        finally:
            self.metrics.in_flight.dec()
            self._note(method, asked, noted, time.perf_counter() - start)

    def _note(self, method: str, scope: Scope, noted: "_Noted", seconds: float) -> None:
        # Refused requests never reached their route. The log shows templates of paths, never their values.
        route = getattr(scope.get("route"), "path", None)
        path = route or (scope["path"] if scope["path"] in self.paths else "other")
        self.metrics.latency_of(path, str(noted.status)).observe(seconds)
        if _log.isEnabledFor(logging.INFO):
            client = scope["client"][0] if scope.get("client") else None
            line = {"client": client, "id": noted.request_id, "method": method, "path": path, "status": noted.status}
            cut = {} if noted.complete else {"cut_off": True}
            _log.info(line | {"seconds": round(seconds, 6)} | cut)


@dataclass(slots=True)
class _Noted:
    """The outcome of a request; `complete` once the server has the end of its response."""

    request_id: str
    status: int = 0
    complete: bool = False


def header(scope: Scope, name: bytes) -> str | None:
    """Return the first header of a name in lower case. (Starlette's mapping takes some ten times as long.)"""
    for known, value in scope["headers"]:
        if known == name:
            return str(value, "latin-1")
    return None


def _request_id(scope: Scope) -> str:
    given = header(scope, b"x-request-id") or ""
    return given if _REQUEST_ID.fullmatch(given) else secrets.token_hex(8)


class Hold:
    """The bytes of the body and the answer of one request in memory, released at its end."""

    def __init__(self, limits: "Limits") -> None:
        self.limits, self.mine = limits, 0
        self.begun = time.monotonic()
        self.asked = 0.0
        """The time at which the request began to wait for the next part of its body."""
        self.waiting: asyncio.Timeout | None = None
        """The limit of that wait, while it lasts."""

    def add(self, raw: int) -> None:
        """Count bytes; raise HTTPException 429 if there are too many, also without slow uploads."""
        if not self.limits.has_room(raw):
            raise HTTPException(429, "too many bytes of requests and responses (MQCONVERT_MAX_HELD)", {"Retry-After": "1"})
        self.limits.held += raw
        self.mine += raw

    def drop(self, raw: int) -> None:
        self.limits.held -= raw
        self.mine -= raw

    def give_up(self) -> None:
        """End the wait for the body, and release its bytes."""
        if self.waiting is not None:
            self.waiting.reschedule(asyncio.get_running_loop().time())
        self.drop(self.mine)


class Limits:
    """Refuses requests before they reach a route, and bounds the body in size and time; a route finds its Hold in the scope."""

    def __init__(self, app: ASGIApp, settings: Settings, metrics: Metrics) -> None:
        self.app, self.settings, self.metrics = app, settings, metrics
        self.held = 0
        """The bytes of all requests."""
        self.uploads: set[Hold] = set()
        """The requests that wait for the rest of their bodies."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in OPEN_PATHS:
            await self.app(scope, receive, send)
            return
        refused = self._refused(scope)
        if refused is not None:
            await refused(scope, receive, send)
            return
        hold = scope["mqconvert.hold"] = Hold(self)
        try:
            await self.app(scope, self._bounded(scope, receive, hold), _in_pieces(send))
        finally:
            hold.drop(hold.mine)

    def _refused(self, scope: Scope) -> Response | None:
        length = header(scope, b"content-length")
        if length is not None and header(scope, b"transfer-encoding") is not None:  # RFC 9112 section 6.1: a smuggled request
            words = "both Content-Length and Transfer-Encoding"
            return self.metrics.problem(400, "bad_http", words, headers={"connection": "close"})
        token, given = self.settings.token, header(scope, b"authorization") or ""
        if token is not None and not _brings(token, given.encode("latin-1")):
            wrong = "the token in Authorization is wrong: send Bearer TOKEN, or Basic with the token as password"
            words = wrong if given else "a bearer token is required"
            refused = self.metrics.problem(401, "unauthorized", words, headers={"WWW-Authenticate": "Bearer"})
            # A separate header, since Chromium reads only the first scheme of a header.
            refused.headers.append("WWW-Authenticate", 'Basic realm="mqconvert: the token as password", charset="UTF-8"')
            return refused
        if scope.get("mqconvert.crowded") and scope["path"] != "/metrics":
            words = "too many connections (MQCONVERT_MAX_CONNECTIONS)"
            return self.metrics.problem(429, "too_busy", words, headers={"Retry-After": "1", "connection": "close"})
        if scope["path"] != UNBOUNDED_PATH and length is not None and length.isdigit() and int(length) > self.settings.max_body:
            return self.metrics.problem(413, "too_large", self._words())
        return None

    def has_room(self, raw: int) -> bool:
        """Return whether there is room for more bytes, if need be by the end of slow uploads, the largest first."""
        over = self.held + raw - self.settings.max_held
        if over <= 0:
            return True
        late = time.monotonic() - STALLED
        slow = sorted((hold for hold in self.uploads if hold.begun < late), key=attrgetter("mine"), reverse=True)
        if sum(hold.mine for hold in slow) < over:
            return False
        for hold in slow:
            if over > 0:
                over -= hold.mine
                hold.give_up()
        return True

    def _words(self) -> str:
        return f"a body of more than {self.settings.max_body} bytes (MQCONVERT_MAX_BODY)"

    def _bounded(self, scope: Scope, receive: Receive, hold: Hold) -> Receive:
        """Yield the body: up to the limit unless it is a batch, and at the minimum rate.

        A client may lag behind the rate by the body timeout. When it is faster it gains no more than that: a fast beginning
        does not allow a long stop.
        """
        settings = self.settings
        bounded = scope["path"] != UNBOUNDED_PATH
        seen = 0
        left = float(settings.body_timeout)

        async def counted() -> Message:
            nonlocal seen, left
            hold.asked = time.monotonic()
            self.uploads.add(hold)
            try:
                async with asyncio.timeout(left) as hold.waiting:
                    event = await receive()
            except TimeoutError:
                reasons = "MQCONVERT_BODY_TIMEOUT, MQCONVERT_MIN_RATE, or under load MQCONVERT_MAX_HELD"
                words = f"the body came too slowly ({reasons}): {seen} bytes"
                raise HTTPException(408, words, {"connection": "close"}) from None
            finally:
                hold.waiting = None
                self.uploads.discard(hold)
            raw = len(event.get("body", b""))
            seen += raw
            left = min(left - (time.monotonic() - hold.asked) + raw / settings.min_rate, settings.body_timeout)
            if bounded and seen > settings.max_body:
                raise HTTPException(413, self._words())
            hold.add(raw)
            return event

        return counted


def _in_pieces(send: Send) -> Send:
    """Return a `send` that splits large bodies: the server keeps each part in memory until the client takes it."""

    async def sent(event: Message) -> None:
        body = event.get("body", b"")
        if len(body) <= PIECE:
            await send(event)
            return
        last = (len(body) - 1) // PIECE * PIECE
        for at in range(0, len(body), PIECE):
            more = at < last or event.get("more_body", False)
            await send({"type": event["type"], "body": body[at : at + PIECE], "more_body": more})

    return sent


def _brings(token: str, authorization: bytes) -> bool:
    """Return whether the header has the token: as bearer (RFC 6750), or for browsers as any user's password (RFC 7617)."""
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
