"""The routes. Each hands its request to a worker (work.py) and sends the answer."""

import asyncio
import json
import zlib
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Coroutine
from functools import cache
from http import HTTPStatus
from inspect import signature
from operator import attrgetter
from typing import Annotated, Any, Protocol, get_args

from fastapi import FastAPI, Path, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from mqconvert import PROTOCOLS, has_frames, rule_tables
from mqconvert.app.http import work
from mqconvert.app.http.document import Service
from mqconvert.app.http.guard import Access, Hold, Limits, header
from mqconvert.app.http.metrics import Metrics
from mqconvert.app.http.models import LISTS, BatchQuery, ForecastQuery, OneOf, ProtocolName, TablesQuery, members
from mqconvert.app.http.origins import Origins
from mqconvert.app.http.pages import ASSETS, PAGES, asset, assets, page
from mqconvert.app.http.problems import problem
from mqconvert.app.http.refusals import LONGEST, refusal, shown
from mqconvert.app.http.settings import Settings
from mqconvert.app.http.work import JSON, BusyError, Job, Jobs, Reply, cacheable, packed, too_long
from mqconvert.app.lines import written
from mqconvert.converters.errors import did_you_mean

Framed = Annotated[
    str, Path(description="a protocol with frames"), OneOf(lambda: filter(has_frames, PROTOCOLS), examples=["nsq"])
]
Known = Annotated[ProtocolName, OneOf(lambda: PROTOCOLS, examples=["mqtt-5.0"])]
_CODES = {
    400: "bad_http",
    404: "not_found",
    405: "method_not_allowed",
    408: "timeout",
    413: "too_large",
    415: "bad_media_type",
    422: "bad_request",
    429: "too_busy",
}
_OTHER = "http_error"
LINES = ("application/x-ndjson", "application/jsonl", "application/json-lines", JSON)
"""Media types of a batch; the type is optional."""
UNPACKED = 2**14
"""Bytes of a cached response to decompress at once."""


class Workers(Protocol):
    """Does jobs: a Pool in other processes, Jobs in this one."""

    async def run(self, job: Job, *, client: str = "", patient: bool = False) -> Reply:
        """Do the job of a client (its address). Raises BusyError at the limit unless `patient`. Cancelling ends the work."""


class State:
    """The state for /readyz: whether workers are still starting, and whether the service is shutting down."""

    starting = draining = False


def create_app(
    settings: Settings | None = None,
    workers: Workers | None = None,
    tables: Workers | None = None,
    metrics: Metrics | None = None,
    state: State | None = None,
) -> FastAPI:
    """Return the service, ready for uvicorn; nothing happens at import time.

    `workers` do the jobs with bodies, `tables` the jobs that only depend on tables. Without them, this process does both.

    >>> create_app(Settings()).title
    'mqconvert'
    """
    chosen = settings or Settings.from_environment()
    counting = metrics or Metrics()
    inside = Jobs(chosen)
    dispatcher = _Dispatcher(workers or inside, counting, chosen)
    app = Service(
        title="mqconvert",
        summary="Convert messages between broker protocols",
        redirect_slashes=False,
        docs_url=None,  # FastAPI's own pages load files from the Internet
        redoc_url=None,
        openapi_url=None,
        generate_unique_id_function=attrgetter("name"),
    )
    app.router.route_class = _Route
    _add_errors(app, counting)
    _add_conversions(app, dispatcher)
    _add_batch(app, dispatcher)
    _add_tables(app, _Cache(_Dispatcher(tables or inside, counting, chosen), chosen.max_cache))
    _add_operations(app, chosen, counting, state or State())
    _add_pages(app, chosen)
    _add_layers(app, chosen, counting)
    return app


def _add_layers(app: FastAPI, settings: Settings, metrics: Metrics) -> None:
    """Add what a request passes before its route: the last one added is the first."""
    app.add_middleware(Limits, settings=settings, metrics=metrics)
    if settings.allow_rules:
        app.add_middleware(Origins, settings=settings, metrics=metrics)
    if settings.cors:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=settings.cors,
            allow_methods=["GET", "POST"],
            allow_headers=["authorization", "content-type", "if-none-match", "x-request-id"],
            expose_headers=["etag", "retry-after", "x-request-id"],
        )
    paths = frozenset(path for route in app.routes if "{" not in (path := getattr(route, "path", "{")))
    app.add_middleware(Access, metrics=metrics, paths=paths)


class _Route(APIRoute):
    """A route. It refuses a parameter of a query that is given twice: FastAPI would take the last.

    It calls an endpoint that takes only the request directly, since FastAPI has nothing to read or to validate.
    """

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        parameters = signature(self.endpoint).parameters
        if [*parameters] == ["request"]:
            endpoint: Callable[[Request], Coroutine[Any, Any, Response]] = self.endpoint
            return endpoint
        handle = super().get_route_handler()
        if "query" not in parameters:
            return handle

        async def checked(request: Request) -> Response:
            for name, times in Counter(name for name, _ in request.query_params.multi_items()).items():
                if times > 1 and name not in LISTS:
                    raise _bad_parameter(name, f"{name}: given {times} times, but takes one value")
            return await handle(request)

        return checked


def _bad_parameter(name: str, words: str) -> RequestValidationError:
    return RequestValidationError([{"type": "value_error", "loc": ("query", name), "msg": words, "input": None}])


class _Dispatcher:
    """Passes jobs to workers, refuses them if there are too many, and counts finished ones."""

    def __init__(self, workers: Workers, metrics: Metrics, settings: Settings) -> None:
        self.workers, self.metrics, self.settings = workers, metrics, settings

    async def run(self, job: Job, *, client: str = "", patient: bool = False) -> Reply:
        try:
            reply = await self.workers.run(job, client=client, patient=patient)
        except BusyError:
            raise HTTPException(429, "too many requests at once (MQCONVERT_CONCURRENCY)", {"Retry-After": "1"}) from None
        self.metrics.add(reply.counted)
        return reply

    async def answer(self, request: Request, do: Callable[..., Reply], **given: Any) -> Response:
        """Return the answer to a request with a JSON body."""
        if request.scope["query_string"]:
            raise HTTPException(422, "put the options of this request into its body, not into the query")
        _check_media(request, (JSON,))
        given["body"] = await _body(request)
        hold: Hold = request.scope["mqconvert.hold"]
        reply = await self.run(Job(do, given, gzip=_takes_gzip(request)), client=_client(request))
        hold.drop(len(given.pop("body")))
        hold.add(len(reply.body))
        return _response(reply)


async def _body(request: Request) -> bytes:
    """Return the body. (Starlette's method goes through a generator of parts.)"""
    parts = []
    while True:
        event = await request.receive()
        if event["type"] == "http.disconnect":
            raise ClientDisconnect
        parts.append(event.get("body", b""))
        if not event.get("more_body", False):
            return b"".join(parts)


def _client(request: Request) -> str:
    """Return the address of a client, for its fair share of the workers; empty on a Unix socket."""
    return request.client.host if request.client else ""


def _response(reply: Reply, more: dict[str, str] | None = None) -> Response:
    return Response(reply.body, reply.status, reply.headers | {"vary": "accept-encoding"} | (more or {}), reply.media_type)


def _check_media(request: Request, taken: tuple[str, ...]) -> None:
    coding = header(request.scope, b"content-encoding")
    if coding is not None and coding.lower() != "identity":
        raise HTTPException(415, "send the body without Content-Encoding", {"Accept-Encoding": "identity"})
    given = header(request.scope, b"content-type")
    kind, _, parameters = (given or "").partition(";")
    name, _, value = parameters.strip().lower().partition("=")
    if kind.strip().lower() not in taken or (name == "charset" and value.strip('"') not in ("utf-8", "utf8")):
        wrong = "no content-type" if given is None else f"content-type is {shown(given)}"
        raise HTTPException(415, f"{wrong}: send {taken[0]} in UTF-8", {"Accept": taken[0]})


def _takes_gzip(request: Request) -> bool:
    """Return whether the client accepts gzip (RFC 9110 section 12.5.3; a quality of 0 is a refusal)."""
    for part in (header(request.scope, b"accept-encoding") or "").lower().split(","):
        name, _, quality = part.partition(";")
        if name.strip() in ("gzip", "*"):
            return quality.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def _no_path(request: Request) -> str:
    path = str(request.scope["path"])
    known = (route.path for route in request.app.routes)
    return f"no path {shown(path)} here{did_you_mean(path[:LONGEST], known)}"


def _words(request: Request, error: HTTPException) -> str:
    """Return what is wrong, and what the path takes instead."""
    if "endpoint" not in request.scope:
        return _no_path(request)
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        return f"{shown(str(request.scope['path']))} takes {(error.headers or {})['Allow']}, not {shown(request.method)}"
    return str(error.detail)


def _add_errors(app: FastAPI, metrics: Metrics) -> None:
    async def validation(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        query = signature(request.scope["endpoint"]).parameters.get("query")
        names = () if query is None else members(get_args(query.annotation)[0])
        words, field, problem = refusal(error.errors(), "parameter", names)
        known = {name: text for name, text in (("field", field), ("problem", problem)) if text}
        return metrics.problem(422, "bad_request", words, **known)

    async def http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        headers = dict(error.headers or {})
        code = _CODES.get(error.status_code, _OTHER)
        return metrics.problem(error.status_code, code, _words(request, error), headers=headers)

    app.add_exception_handler(RequestValidationError, validation)
    app.add_exception_handler(HTTPException, http)


def _add_conversions(app: FastAPI, dispatcher: _Dispatcher) -> None:
    def add(path: str, do: Callable[..., Reply]) -> None:
        async def plain(request: Request) -> Response:
            return await dispatcher.answer(request, do)

        async def framed(protocol: Framed, request: Request) -> Response:
            return await dispatcher.answer(request, do, protocol=protocol)

        endpoint = framed if "{protocol}" in path else plain
        app.add_api_route(path, endpoint, methods=["POST"], name=do.__name__, description=do.__doc__)

    add("/v1/convert", work.convert)
    add("/v1/explain", work.explain)
    add("/v1/decode", work.decode)
    add("/v1/recognize", work.recognize)
    add("/v1/encode", work.encode)
    add("/v1/encode/batch", work.encode_batch)
    add("/v1/frames/{protocol}/decode", work.decode_frames)
    add("/v1/frames/{protocol}/encode", work.encode_frames)


# ---- batches ----------------------------------------------------------------------------------------------------------


def _add_batch(app: FastAPI, dispatcher: _Dispatcher) -> None:
    @app.post("/v1/convert/batch")
    async def convert_batch(request: Request, query: Annotated[BatchQuery, Query()]) -> Response:
        """Convert NDJSON lines in order, streamed in both directions; an invalid line becomes an error line."""
        _check_media(request, ("application/x-ndjson", *LINES, ""))
        refused = await dispatcher.run(Job(work.check_batch, {"query": query}), client=_client(request))
        if refused.status != 200:
            return _response(refused)
        return _Streamed(_answers(request, query, dispatcher), LINES[0], {})


class _Streamed(Response):
    """A streamed response. (Starlette's would wait for a disconnect, and so consume the request.)"""

    def __init__(self, parts: AsyncIterator[bytes], media_type: str, headers: dict[str, str]) -> None:
        super().__init__(media_type=media_type)
        del self.headers["content-length"]
        self.headers.update(headers)
        self.parts = parts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - the shape of ASGI
        first = await anext(self.parts, b"")  # a failure before the first part can still change the status
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await send({"type": "http.response.body", "body": first, "more_body": True})
        async for part in self.parts:
            await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _answers(request: Request, query: BatchQuery, dispatcher: _Dispatcher) -> AsyncIterator[bytes]:
    """Yield the answers to the lines of a batch; an error that ends the batch is the last line."""
    hold: Hold = request.scope["mqconvert.hold"]
    left = dispatcher.settings.max_messages
    begun = False
    try:
        async for block in _blocks(request.stream(), dispatcher.settings.max_line, hold):
            async for reply in _replies(block, query, left, dispatcher, _client(request)):
                left -= reply.count
                hold.add(len(reply.body))
                if reply.body:
                    begun = True
                    yield reply.body
                hold.drop(len(reply.body))
                if left < 0:
                    words = f"more than {dispatcher.settings.max_messages} messages in a batch (MQCONVERT_MAX_MESSAGES)"
                    yield _last_line(dispatcher, "too_many", words)
                    return
            hold.drop(len(block))
    except HTTPException as error:
        if not begun:
            raise
        yield _last_line(dispatcher, _CODES[error.status_code], error.detail)


async def _replies(block: bytes, query: BatchQuery, left: int, dispatcher: _Dispatcher, client: str) -> AsyncIterator[Reply]:
    """Yield the workers' answers to the lines of a block, a few at a time; a failed line gets an error line.

    An empty block means a line that was too long. A failure does not identify its line, so the other lines go one by one.
    """
    if not block:
        yield Reply(too_long(dispatcher.settings), count=1)
        dispatcher.metrics.refused("line_too_long")
    single = False
    while block:
        lines = block[: block.find(b"\n") + 1 or None] if single else block
        job = Job(work.convert_lines, {"block": lines, "query": query, "left": left})
        reply = await dispatcher.run(job, client=client, patient=True)
        if reply.status != 200:
            if not single and lines.count(b"\n", 0, -1):
                single = True
                continue
            known = json.loads(reply.body)
            error = {"code": known["code"], "message": known["detail"]}
            reply = Reply(written({"error": error}), read=len(lines), count=1)
        left -= reply.count
        block = block[reply.read :]
        yield reply
        if left < 0:
            return


async def _blocks(stream: AsyncIterator[bytes], max_line: int, hold: Hold) -> AsyncIterator[bytes]:
    """Yield the complete lines of each chunk together; keep at most one line of `max_line` bytes beside the chunk.

    Yields an empty block for a longer line. The caller drops the yielded bytes from `hold`.
    """
    rest: list[bytes] = []
    held = 0
    skipping = False
    async for chunk in stream:
        start = 0
        if skipping or held + chunk.find(b"\n") > max_line:
            start = chunk.find(b"\n") + 1 or len(chunk)
            if not skipping:
                yield b""
            hold.drop(held + start)
            rest, held, skipping = [], 0, chunk[start - 1 : start] != b"\n"
        end = chunk.rfind(b"\n") + 1
        if end > start:
            yield b"".join((*rest, chunk[start:end]))
            rest, held, start = [], 0, end
        rest.append(chunk[start:])
        held += len(chunk) - start
        if held > max_line:
            yield b""
            hold.drop(held)
            rest, held, skipping = [], 0, True
    if held:
        yield b"".join(rest)


def _last_line(dispatcher: _Dispatcher, code: str, words: str) -> bytes:
    dispatcher.metrics.refused(code)
    return written({"error": {"code": code, "message": words}})


# ---- tables, operation, pages -----------------------------------------------------------------------------------------


class _Cache:
    """Caches answers that only depend on the tables, compressed, up to `most` bytes together."""

    def __init__(self, dispatcher: _Dispatcher, most: int) -> None:
        self.dispatcher, self.most, self.size = dispatcher, most, 0
        self.kept: OrderedDict[str, Reply] = OrderedDict()
        self.coming: dict[str, asyncio.Future[Reply]] = {}

    async def answer(self, request: Request, do: Callable[..., Reply], **given: object) -> Response:
        if (unknown := min(request.query_params.keys() - given.keys(), default=None)) is not None:
            raise _bad_parameter(unknown, f"no parameter {shown(unknown)} here")
        key = repr((do.__name__, given))
        reply = self.kept.get(key)
        if reply is None:
            if key not in self.coming:  # later requests wait for the same answer
                self.coming[key] = asyncio.ensure_future(self._made(key, Job(do, given, gzip=True)))
            reply = await asyncio.shield(self.coming[key])
        else:
            self.kept.move_to_end(key)
        return _cached(request, reply)

    async def _made(self, key: str, job: Job) -> Reply:
        try:
            reply = await self.dispatcher.run(job)
            if reply.status == 200:
                self.kept[key] = reply
                self.size += len(reply.body)
                while self.size > self.most:
                    _, oldest = self.kept.popitem(last=False)
                    self.size -= len(oldest.body)
            return reply
        finally:
            del self.coming[key]


def _cached(request: Request, reply: Reply) -> Response:
    """Send a cached answer, compressed if the client accepts it; 304 if the client has it already."""
    if reply.status != 200:
        return _response(reply)
    headers = {name: value for name, value in reply.headers.items() if name != "content-encoding"} | {
        "cache-control": "no-cache"
    }
    if _matches(request.headers.get("if-none-match", ""), reply.headers["etag"]):
        return Response(status_code=304, headers=headers | {"vary": "accept-encoding"})
    if "content-encoding" in reply.headers and not _takes_gzip(request):
        headers |= {"vary": "accept-encoding", "content-length": str(reply.size)}
        return _Streamed(_unpacked(reply.body), reply.media_type, headers)
    return _response(reply, headers)


async def _unpacked(body: bytes) -> AsyncIterator[bytes]:
    """Decompress a cached answer in small parts to save memory, for a client without gzip."""
    unpacking = zlib.decompressobj(wbits=31)
    part = unpacking.decompress(body, UNPACKED)
    while part:
        yield part
        await asyncio.sleep(0)
        part = unpacking.decompress(unpacking.unconsumed_tail, UNPACKED)


def _matches(wanted: str, etag: str) -> bool:
    """Return whether If-None-Match has the answer's ETag (RFC 9110 section 13.1.2: weak comparison)."""
    return wanted.strip() == "*" or etag.removeprefix("W/") in {one.strip().removeprefix("W/") for one in wanted.split(",")}


def _add_tables(app: FastAPI, cached: _Cache) -> None:
    @app.get("/v1/protocols")
    async def protocols(request: Request) -> Response:
        """List the protocols."""
        return await cached.answer(request, work.protocols)

    @app.get("/v1/routes")
    async def routes(request: Request) -> Response:
        """List every pair of protocols and the tables between them."""
        return await cached.answer(request, work.routes)

    @app.get("/v1/rules")
    async def rules(request: Request, query: Annotated[TablesQuery, Query()]) -> Response:
        """List the tables in force, without their rows."""
        return await cached.answer(request, work.rules, **vars(query))

    @app.get("/v1/rules/{source}/{target}")
    async def rule_table(source: Known, target: Known, request: Request, query: Annotated[TablesQuery, Query()]) -> Response:
        """Return one table with its rows."""
        return await cached.answer(request, work.one_table, source=source, target=target, **vars(query))

    @app.get("/v1/fidelity/{source}/{target}")
    async def fidelity(source: Known, target: Known, request: Request, query: Annotated[ForecastQuery, Query()]) -> Response:
        """Return the forecast: which values survive, change, are dropped or lost."""
        return await cached.answer(request, work.forecast, source=source, target=target, **vars(query))

    @app.get("/v1/samples")
    async def samples(request: Request) -> Response:
        """Return sample messages, several for each protocol."""
        return await cached.answer(request, work.samples)

    @app.get("/v1/samples/{source}/{target}")
    async def row_samples(source: Known, target: Known, request: Request, query: Annotated[TablesQuery, Query()]) -> Response:
        """Return messages of one field that fire rows of a table, by the rows' ids."""
        return await cached.answer(request, work.row_samples, source=source, target=target, **vars(query))

    @app.get("/v1/schemas/{protocol}")
    async def message_schema(protocol: Known, request: Request) -> Response:
        """Return the JSON Schema of a protocol's messages in their JSON form."""
        return await cached.answer(request, work.schema, protocol=protocol)


def _add_operations(app: FastAPI, settings: Settings, metrics: Metrics, state: State) -> None:
    @app.get("/healthz")
    async def healthz() -> Response:
        """Answer while the process runs."""
        return Response(b'{"status":"ok"}', media_type=JSON)

    @app.get("/readyz")
    async def readyz() -> Response:
        """Answer 200 if the tables are loaded and no shutdown has begun."""
        if state.starting:
            return problem(503, "starting", "the workers are starting", headers={"connection": "close"})
        if state.draining:
            return problem(503, "draining", "the service is shutting down", headers={"connection": "close"})
        return Response(b'{"status":"ok","tables":%d}' % len(rule_tables(rules=settings.rules)), media_type=JSON)

    @app.get("/metrics")
    async def scrape() -> Response:
        """Return Prometheus metrics."""
        return Response(generate_latest(metrics.registry), media_type=CONTENT_TYPE_LATEST)


def _add_pages(app: FastAPI, settings: Settings) -> None:
    """Add the pages of app/web, which load nothing from other hosts, and the OpenAPI document."""
    known = assets()
    document = cache(lambda: packed(cacheable(app.openapi())))

    @app.get("/openapi.json", include_in_schema=False)
    async def openapi(request: Request) -> Response:
        """Describe the routes, for programs."""
        return _cached(request, document())

    @app.get(f"{ASSETS}/{{name:path}}", include_in_schema=False)
    async def web(name: str, request: Request) -> Response:
        if name not in known:
            raise HTTPException(404, "no such file")
        return _cached(request, asset(name))

    async def show(request: Request) -> Response:
        return _cached(request, page(request.scope["route"].path, settings.docs))

    for path in PAGES:
        app.add_api_route(path, show, include_in_schema=False)

    @app.get("/favicon.ico", include_in_schema=False)
    async def icon() -> Response:
        """Return an empty response: browsers request this icon by themselves."""
        return Response(status_code=204, headers={"cache-control": "max-age=86400"})
