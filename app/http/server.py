"""Run the service with uvicorn: start workers, limit connections, shut down in order."""

import asyncio
import logging
import re
import resource
import secrets
import select
import signal
import socket
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from operator import itemgetter
from types import FrameType
from typing import Any

import h11
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.flow_control import HIGH_WATER_LIMIT, FlowControl
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from mqconvert import check_rules, rule_tables
from mqconvert.app.http import logs
from mqconvert.app.http.guard import STALLED, Hold
from mqconvert.app.http.metrics import Metrics
from mqconvert.app.http.models import PUBLISH
from mqconvert.app.http.pool import Pool
from mqconvert.app.http.problems import problem
from mqconvert.app.http.process import give_back, resident
from mqconvert.app.http.service import State, create_app
from mqconvert.app.http.settings import SettingError, Settings
from mqconvert.compiled import RUNNING

PATIENCE = 30
"""Seconds that a shutdown waits for running requests."""
LINGER = 5
"""Seconds of reading a refused body, so that its client sees the response before the connection ends."""
PART, EVENTS = 2**14, 64
"""Bytes and HTTP events (a head, a chunk, an end) that a connection may use in one turn."""
FREED = 2**23
"""Growth in bytes after which the server returns free memory to the system."""
MAX_LINES = 256
"""Maximum lines of a head; more lines get status 400."""
SPARE = 16
"""Connections beyond the limit, for requests to /healthz, /readyz and /metrics. Others get 429."""
NEW = 3
"""The lowest place of connections (see `standing`) that are closed only when the spare places are taken."""

_ABSOLUTE = re.compile(rb"https?://([^/?#@\s]+)([/?][^\s]*)?", re.IGNORECASE)
_END_OF_HEAD = re.compile(rb"\n\r?\n")
_log, _access = logging.getLogger("mqconvert.server"), logging.getLogger("mqconvert.access")


def serve(host: str, port: int, settings: Settings | None = None, *, workers: int | None = None) -> None:
    """Serve until SIGTERM or SIGINT; print the address and a curl command to try.

    `workers` overrides the setting. Raises before serving: SettingError, RuleTableError for an overlay of MQCONVERT_RULES,
    NoRouteError for an installed package with an invalid protocol, OSError for an unavailable address.
    """
    chosen, backlog = _within_descriptors(settings or Settings.from_environment())
    chosen = replace(chosen, workers=workers or chosen.workers)
    rule_tables(rules=chosen.rules)
    for overlay in chosen.rules:
        if not check_rules(overlay):
            raise SettingError(f"MQCONVERT_RULES: {overlay} changes no table", code="bad_option")
    with socket.create_server((host, port), family=_family(host, port), backlog=2048) as listening:
        logs.set_up()
        shown = f"[{host}]" if ":" in host else host
        address = f"http://{shown}:{listening.getsockname()[1]}"
        body = f'{{"from": "mqtt-5.0", "to": "amqp-1.0", "wire": "{PUBLISH}"}}'
        token = "" if chosen.token is None else ' -H "authorization: Bearer $MQCONVERT_TOKEN"'  # no secret in a log
        print(f"mqconvert at {address}, running {RUNNING}", flush=True)
        print(f"curl -s {address}/v1/convert{token} -H 'content-type: application/json' -d '{body}'", flush=True)
        converting = Pool(chosen, chosen.workers, chosen.concurrency)
        tables = Pool(chosen, 1, chosen.concurrency, niceness=4)
        state = State()
        app = create_app(chosen, converting, tables, Metrics(lambda: [*converting.pids, *tables.pids]), state)
        config = uvicorn.Config(
            app,
            http=_Http,
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            backlog=backlog,
            timeout_keep_alive=chosen.idle_timeout,
            timeout_graceful_shutdown=PATIENCE,
        )
        try:
            _Server(config, chosen, state, (converting, tables), listening).run(sockets=[listening])
        finally:
            converting.close()
            tables.close()


def _within_descriptors(settings: Settings) -> tuple[Settings, int]:
    """Return the settings with connections limited by descriptors, and the number of connections to accept at once."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = settings.max_connections + SPARE + 256
    if soft < wanted and (hard == resource.RLIM_INFINITY or soft < hard):
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    backlog = max(1, min(128, soft // 16))
    # From `accept` to `connection_made`, and from `abort` to `close`, asyncio takes several turns, each with further ones.
    others = 32 + 4 * (settings.workers + 1) + SPARE + 4 * backlog
    return replace(settings, max_connections=max(1, min(settings.max_connections, soft - others))), backlog


class _ServerState(ServerState):
    """The state that all connections share: also their limits, and those that wait for their turn."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings
        self.turns: deque[_Http] = deque()


class _Server(uvicorn.Server):
    """uvicorn's server. It also checks connections and workers, and announces its shutdown on /readyz."""

    def __init__(
        self, config: uvicorn.Config, settings: Settings, state: State, pools: tuple[Pool, ...], listening: socket.socket
    ) -> None:
        super().__init__(config)
        self.listening = listening
        self.settings, self.state, self.pools = settings, state, pools
        self.state.starting = True
        self.server_state = _ServerState(settings)
        self.complained = 0.0
        self.held = resident()
        self.loop: asyncio.AbstractEventLoop | None = None

    async def on_tick(self, counter: int) -> bool:
        """Check connections and workers; uvicorn calls it ten times a second."""
        if self.loop is None:
            self.loop = asyncio.get_running_loop()
            self.loop.set_exception_handler(self._complain)
            if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # nohup ignores it
                signal.signal(signal.SIGHUP, self.handle_exit)
            self.listening.listen(2048)  # many connections may queue, though few are accepted at once
            self.starting = [self.loop.create_task(pool.start()) for pool in self.pools]
        self.state.starting = self.state.starting and not all(task.done() for task in self.starting)
        if counter % 5 == 0:
            now = time.monotonic()
            for connection in list(self.server_state.connections):
                assert isinstance(connection, _Http)
                connection.look(now)
            for pool in self.pools:
                pool.tidy()
        if counter % 50 == 0 and resident() - self.held > FREED:
            give_back()  # again while more is held than at the start: what is in use now may be free in five seconds
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await super().shutdown(sockets)
        if self.server_state.tasks:  # let each interrupted request write its log line
            await asyncio.wait(self.server_state.tasks, timeout=1)

    def _complain(self, _loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
        """Log errors of asyncio, such as a connection that could not be accepted: at most one line a second."""
        if time.monotonic() - self.complained >= 1:
            self.complained = time.monotonic()
            error = context.get("exception")
            _log.error({"message": context.get("message"), "error": type(error).__name__ if error else None})

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Fail /readyz at once on SIGTERM and SIGHUP, and shut down after a delay."""
        sig = signal.SIGTERM if sig == signal.SIGHUP else sig
        if sig != signal.SIGTERM or self.state.draining or self.loop is None:
            super().handle_exit(sig, frame)
            return
        self.state.draining = True
        self.loop.call_soon_threadsafe(self.loop.call_later, self.settings.drain_delay, super().handle_exit, sig, frame)


class _Connection(h11.Connection):
    """Returns at most `left` events in this turn, then reports that it needs more data."""

    left = 0

    def next_event(self) -> Any:
        if not self.left:
            return h11.NEED_DATA
        self.left -= 1
        event = super().next_event()
        return event if not isinstance(event, h11.Request) or event.target.startswith((b"/", b"*")) else _in_origin_form(event)


def _in_origin_form(request: h11.Request) -> h11.Request:
    """Return a request with an absolute-form target as one with a path, and with the target's Host (RFC 9112 section 3.2.2)."""
    parts = _ABSOLUTE.fullmatch(request.target)
    if parts is None:
        return request
    host, path = parts[1], parts[2] or b"/"
    headers = [(name, value) for name, value in request.headers if name != b"host"]
    target = path if path.startswith(b"/") else b"/" + path
    return h11.Request(
        method=request.method, target=target, headers=[(b"host", host), *headers], http_version=request.http_version
    )


class _Flow(FlowControl):
    """Pauses reading while received bytes wait for their turn."""

    held = False

    def resume_reading(self) -> None:
        if not self.held:
            super().resume_reading()


class _Http(H11Protocol):
    """uvicorn's HTTP protocol with the limits of the settings, and problem responses for malformed HTTP."""

    conn: _Connection
    flow: _Flow

    def __init__(self, config: uvicorn.Config, server_state: ServerState, app_state: dict[str, Any], _loop: Any = None) -> None:
        super().__init__(config, server_state, app_state, _loop)
        assert isinstance(server_state, _ServerState)
        self.settings = server_state.settings
        self.conn = _Connection(h11.SERVER, PART)
        self.turns = server_state.turns
        self.coming: deque[bytes] = deque()
        """Received bytes that h11 has not read yet."""
        self.queued = False
        self.lines = 0
        self.since = time.monotonic()
        """The time of the connection's start, of the last response, or of the first byte of the next request."""
        self.stuck: float | None = None
        """The time at which the client stopped reading."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.flow = _Flow(transport)
        # asyncio does so only for sockets with proto TCP, unlike those of `create_server`. Without it, a body arrives 40 ms
        # after its head (delayed acknowledgement).
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # The set still has connections that were aborted in this turn of the event loop.
        there: list[Any] = [one for one in self.connections if not one.transport.is_closing()]
        if len(there) > self.settings.max_connections:
            self._make_room(there)

    def _make_room(self, there: "list[_Http]") -> None:
        """Close the connection that is missed least, or take a spare place."""
        now = time.monotonic()
        most = self.settings.max_connections
        few = sum(one.waits for one in there) <= max(SPARE, most // 4)  # any of a few may have come just now
        others = [
            (standing, one)
            for one in there
            if one is not self and (standing := one.standing(now, STALLED if few else 0)) is not None
        ]
        (place, _), last = min(others, key=itemgetter(0), default=((NEW, now), self))
        if place >= NEW and len(there) <= most + SPARE:
            self.app = partial(_crowded, self.app)
        else:
            last.transport.abort()

    def standing(self, now: float, patience: float) -> tuple[int, float] | None:
        """Return the place of the connection among those that may be closed for a new one; None for one at work.

        First those that were refused and send the rest of their body, then bodies that stall, then connections without a
        request for more than `patience` seconds. The others follow, when the spare places are taken.
        """
        if self.waits:
            refused = self.conn.their_state is h11.SEND_BODY
            return 0 if refused else 2 if now - self.since >= patience else NEW + 1, self.since
        scope: Mapping[str, Any] = self.scope
        hold: Hold | None = scope.get("mqconvert.hold")
        if hold is None or hold.waiting is None:
            return None
        return 1 if now - hold.asked > STALLED else NEW, hold.asked

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if not self.waits:
            scope: Mapping[str, Any] = self.scope
            if "mqconvert.task" in scope:
                scope["mqconvert.task"].cancel()  # stop the work when its client disconnects

    @property
    def waits(self) -> bool:
        """Whether the connection waits for a request, or for the rest of its head."""
        cycle: Any = self.cycle  # None before the first request
        return cycle is None or cycle.response_complete

    def data_received(self, data: bytes) -> None:
        if self.timeout_keep_alive_task is not None:
            self.since = time.monotonic()
        self._unset_keepalive_if_required()
        self.coming.extend(data[at : at + PART] for at in range(0, len(data), PART))
        self.handle_events()

    def handle_events(self) -> None:
        """Handle some events, and queue for another turn if there may be more: a kilobyte may have 170 chunks."""
        if self.queued:
            return
        self.conn.left = EVENTS
        super().handle_events()
        while self.coming and self.conn.left and self._feed(self.coming.popleft()):
            super().handle_events()
        if self.transport.is_closing():
            self.coming.clear()
        elif not self.conn.left:
            self.queued = self.flow.held = True
            self.flow.pause_reading()
            self.turns.append(self)
            if len(self.turns) == 1:
                self.loop.call_soon(_next_turn, self.loop, self.turns)
        else:
            self.flow.held = bool(self.coming)  # the next requests wait until this response ends
            cycle: Any = self.cycle  # None before the first request
            full = cycle is not None and len(cycle.body) > HIGH_WATER_LIMIT  # uvicorn resumes once the body is read
            if self.conn.their_state in (h11.IDLE, h11.SEND_BODY) and not full:
                self.flow.resume_reading()

    def _feed(self, part: bytes) -> bool:
        """Pass some bytes to h11; return False if it cannot take them now, or for too many lines."""
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self.coming.appendleft(part)
            return False
        if self.conn.their_state is h11.IDLE:
            end = _END_OF_HEAD.search(part)
            self.lines += part.count(b"\n", 0, end.start() if end else None)
            if self.lines > MAX_LINES:
                self.send_400_response(f"a head of more than {MAX_LINES} lines")
                return False
            self.lines = self.lines if end is None else 0
        self.conn.receive_data(part)
        return True

    def on_response_complete(self) -> None:
        self.since = time.monotonic()
        super().on_response_complete()

    def pause_writing(self) -> None:
        self.stuck = time.monotonic()
        super().pause_writing()

    def resume_writing(self) -> None:
        self.stuck = None
        super().resume_writing()

    def look(self, now: float) -> None:
        """End the connection of a client that has not sent or read for too long."""
        if self.waits and self.stuck is None and self.transport.get_write_buffer_size():
            self.stuck = now  # the client does not read a complete response
        elif self.waits and not self.transport.get_write_buffer_size():
            self.stuck = None
        if self.stuck is not None:
            if now - self.stuck > self.settings.answer_timeout:
                self.transport.abort()
        elif (now - self.since > self._patience()) if self.waits else self._left():
            self.transport.abort()

    def _left(self) -> bool:
        """Return whether the client has disconnected. asyncio notices that only while it reads, not while a body waits."""
        poll = select.poll()
        poll.register(self.transport.get_extra_info("socket"), getattr(select, "POLLRDHUP", 0))
        return bool(poll.poll(0))

    def _patience(self) -> float:
        if self.conn.their_state is h11.SEND_BODY:
            return LINGER
        if self.timeout_keep_alive_task is not None:
            return float("inf")  # uvicorn's own timer runs
        return self.settings.head_timeout

    def _should_upgrade(self) -> bool:
        return False  # no upgrades, and no log line about them

    def send_400_response(self, msg: str) -> None:
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):  # a response that has begun can only be cut off
            noted = secrets.token_hex(8)
            answer = problem(400, "bad_http", msg, headers={"connection": "close", "x-request-id": noted})
            if self.conn.our_state is h11.IDLE:  # otherwise the earlier request has its log line
                line = {"client": self.client and self.client[0], "id": noted, "method": None, "path": "other", "status": 400}
                _access.info(line | {"seconds": round(time.monotonic() - self.since, 6)})
            head = h11.Response(status_code=answer.status_code, reason=b"Bad Request", headers=answer.raw_headers)
            headless = self.conn.our_state is h11.SEND_RESPONSE and self.scope["method"] == "HEAD"
            for event in (head, h11.Data(data=b"" if headless else bytes(answer.body)), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        if self.cycle is not None:  # discard the application's response
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.transport.close()


def _next_turn(loop: asyncio.AbstractEventLoop, turns: "deque[_Http]") -> None:
    """Give the first connection its turn. Only one gets it in each turn of the event loop, so that other work can run."""
    turns[0].queued = False
    if not turns[0].transport.is_closing():
        turns[0].handle_events()
    turns.popleft()
    if turns:
        loop.call_soon(_next_turn, loop, turns)


async def _crowded(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Serve a connection beyond the limit."""
    scope["mqconvert.crowded"] = True
    await app(scope, receive, send)


def _family(host: str, port: int) -> socket.AddressFamily:
    try:
        return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    except (OSError, UnicodeError) as error:  # UnicodeError: an invalid host name, such as a label of 64 letters
        raise OSError(f"no host {host!r}: {getattr(error, 'strerror', None) or error}") from None
