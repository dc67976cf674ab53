"""The routes. Each asks the library and says what it answered; nothing is decided here."""

import binascii
import json
from collections.abc import AsyncIterator, Iterable, Iterator
from functools import partial
from importlib.resources import files
from typing import Annotated, Any

from fastapi import FastAPI, Path, Query, Request
from fastapi.exceptions import RequestValidationError
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from pydantic_core import to_json
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response

from mqconvert import (
    PROTOCOLS,
    DecodeError,
    MqConvertError,
    NoRouteError,
    check_options,
    converter,
    decode_all,
    decode_frames,
    encode,
    encode_frame,
    fidelity,
    frame_from_json,
    frame_to_json,
    json_schema,
    message_from_json,
    message_to_json,
    options_taken,
    routes,
    rule_tables,
)
from mqconvert.app.http.document import Documented
from mqconvert.app.http.guard import Guard, Metrics
from mqconvert.app.http.models import (
    BatchQuery,
    ConvertRequest,
    DecodeRequest,
    EncodeRequest,
    ForecastQuery,
    FramesDecodeRequest,
    FramesEncodeRequest,
    TablesQuery,
)
from mqconvert.app.http.problems import problem_of
from mqconvert.app.http.settings import Settings
from mqconvert.app.http.workers import LARGE, Workers
from mqconvert.app.lines import Options, TooLong, convert_line, each, shown, unbase64
from mqconvert.app.options import environment_of

_dumps = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


Framed = Annotated[str, Path(examples=["nsq"], description="a protocol whose frames are known")]
_CODES = {404: "not_found", 405: "method_not_allowed", 413: "too_large"}


class _Streamed(Response):
    """A body that is sent as it is made. (Starlette's own would wait for a disconnect meanwhile, and eat the request.)"""

    def __init__(self, parts: AsyncIterator[bytes]) -> None:
        super().__init__(media_type="application/x-ndjson")
        del self.headers["content-length"]
        self.parts = parts

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:  # noqa: ARG002 - the shape of ASGI
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        async for part in self.parts:
            await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def _json(content: Any) -> Response:
    """An answer, written by pydantic's serializer, which takes a third of the time of `json`."""
    try:
        octets = to_json(content, inf_nan_mode="strings")
    except ValueError:  # it refuses keys that are no UTF-8, and nests half as deep as messages may
        octets = _dumps(content).encode()
    return Response(octets, media_type="application/json")


def create_app(settings: Settings | None = None) -> FastAPI:
    """The service, ready for uvicorn; nothing happens at import time.

    >>> create_app(Settings()).title
    'mqconvert'
    """
    chosen = settings or Settings.from_environment()
    metrics, workers = Metrics(), Workers()
    summary = "Convert messages between broker protocols"
    # FastAPI's own pages are fetched from the Internet.
    app = Documented(title="mqconvert", summary=summary, redirect_slashes=False, docs_url=None, redoc_url=None)
    _add_errors(app, metrics)
    _add_conversions(app, chosen, metrics, workers)
    _add_frames(app, chosen, workers)
    _add_batch(app, chosen, metrics, workers)
    _add_tables(app, chosen, workers)
    _add_operations(app, chosen, metrics)
    _add_pages(app)
    paths = frozenset(path for route in app.routes if "{" not in (path := getattr(route, "path", "{")))
    app.add_middleware(Guard, settings=chosen, metrics=metrics, paths=paths)
    return app


def _add_errors(app: FastAPI, metrics: Metrics) -> None:
    async def library(_request: Request, error: Exception) -> Response:
        assert isinstance(error, MqConvertError)
        metrics.refused(error.code)
        return problem_of(error)

    async def validation(_request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        first = error.errors()[0]
        if first["type"] == "json_invalid":
            return metrics.problem(422, "bad_json", f"not JSON: {first['ctx']['error']}", offset=first["loc"][1])
        if first["type"] == "model_attributes_type" or first["loc"] == ("body",):
            return metrics.problem(422, "bad_request", "the body is a JSON object, and its content-type is application/json")
        field = ".".join(str(part) for part in first["loc"][1:])  # none where a name is no text
        known: dict[str, Any] = {"field": field} if field else {}
        return metrics.problem(422, "bad_request", first["msg"], **known)

    async def http(_request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if isinstance(error.__cause__, ValueError | RecursionError):  # FastAPI's, for a body that it cannot parse
            words = "nests too deep" if isinstance(error.__cause__, RecursionError) else "not UTF-8, or a number is too long"
            return metrics.problem(422, "bad_json", f"not JSON: {words}")
        headers = dict(error.headers or {})
        return metrics.problem(
            error.status_code, _CODES.get(error.status_code, "http_error"), str(error.detail), headers=headers
        )

    app.add_exception_handler(MqConvertError, library)
    app.add_exception_handler(RequestValidationError, validation)
    app.add_exception_handler(HTTPException, http)


def _one(protocol: str, wire: str | None, message: dict[str, Any] | None, settings: Settings) -> Any:
    if (wire is None) is (message is None):
        raise DecodeError("bad_request", 'a request has one of "wire" and "message"')
    if message is not None:
        return message_from_json(message, protocol)
    messages = decode_all(protocol, unbase64(wire), **options_taken(protocol, "decode_all", settings.options))
    if len(messages) > 1:
        raise DecodeError("several_messages", f"{len(messages)} messages; use /v1/convert/batch", field="wire")
    return messages[0]


def _add_conversions(app: FastAPI, settings: Settings, metrics: Metrics, workers: Workers) -> None:
    @app.post("/v1/convert", response_model=None)
    async def convert(request: ConvertRequest, asked: Request) -> Response:
        """Convert one message."""

        def work() -> Response:
            ready = converter(request.source, request.target, profile=request.profile, rules=settings.rules)
            message = _one(request.source, request.wire, request.message, settings)
            conversion = ready.convert(message, environment_of(request), request.on_loss)
            answer = shown(conversion, tuple(request.fields), options_taken(request.target, "encode", settings.options))
            metrics.converted(request.source, request.target, conversion.report)
            return _json(answer)

        return await workers.answer(asked, work)

    @app.post("/v1/decode", response_model=None)
    async def decode(request: DecodeRequest, asked: Request) -> Response:
        """The messages that wire bytes hold, in their JSON form."""

        def work() -> Response:
            options = options_taken(request.protocol, "decode_all", settings.options)
            messages = decode_all(request.protocol, unbase64(request.wire), **options)
            return _json({"messages": [message_to_json(message) for message in messages]})

        return await workers.answer(asked, work)

    @app.post("/v1/encode", response_model=None)
    async def encode_message(request: EncodeRequest, asked: Request) -> Response:
        """The wire bytes of a message, in base64."""

        def work() -> Response:
            message = message_from_json(request.message)
            return _wire(encode(message, **options_taken(request.message["protocol"], "encode", settings.options)))

        return await workers.answer(asked, work)


def _wire(octets: bytes) -> Response:
    return _json({"wire": binascii.b2a_base64(octets, newline=False).decode()})


def _add_frames(app: FastAPI, settings: Settings, workers: Workers) -> None:
    @app.post("/v1/frames/{protocol}/decode", response_model=None)
    async def show(protocol: Framed, request: FramesDecodeRequest, asked: Request) -> Response:
        """The frames that wire bytes hold, commands and answers as well as messages, in their JSON form."""

        def work() -> Response:
            check_options(protocol, request.options, lower_only=True, chosen=settings.options)
            options = options_taken(protocol, "decode_frames", settings.options) | request.options
            frames = decode_frames(protocol, unbase64(request.wire), **options)
            return _json({"frames": [frame_to_json(protocol, frame) for frame in frames]})

        return await workers.answer(asked, work)

    @app.post("/v1/frames/{protocol}/encode", response_model=None)
    async def build(protocol: Framed, request: FramesEncodeRequest, asked: Request) -> Response:
        """The wire bytes of frames, in base64."""

        def work() -> Response:
            frames = each(request.frames, partial(frame_from_json, protocol))
            options = options_taken(protocol, "encode_frame", settings.options)
            return _wire(b"".join(each(frames, lambda frame: encode_frame(protocol, frame, **options))))

        return await workers.answer(asked, work)


def _add_batch(app: FastAPI, settings: Settings, metrics: Metrics, workers: Workers) -> None:
    @app.post("/v1/convert/batch", response_model=None)
    async def batch(request: Request, query: Annotated[BatchQuery, Query()]) -> Response:
        """NDJSON in, NDJSON out, in order, streamed both ways; a bad line becomes an error line."""
        members = tuple(member for part in query.fields for member in part.split(","))
        environment = environment_of(query)
        converter(query.source, query.target, profile=query.profile, rules=settings.rules)  # one answer, not many lines
        reading = options_taken(query.source, "decode_all", settings.options)
        writing = options_taken(query.target, "encode", settings.options)
        chosen = query.source, query.target, query.profile, settings.rules, environment, query.on_loss, members
        options = Options(*chosen, reading, writing)
        return _Streamed(_answers(_line_groups(request.stream(), settings.max_line), options, settings, metrics, workers))


async def _answers(
    groups: AsyncIterator[list[bytes | TooLong]], options: Options, settings: Settings, metrics: Metrics, workers: Workers
) -> AsyncIterator[bytes]:
    count = 0
    async for lines in groups:
        out: list[bytes] = []
        for line in lines:
            answers: Iterable[bytes] = _answer_lines(line, options, metrics)
            if isinstance(line, bytes) and len(line) >= LARGE:
                answers = await workers.run(len(line), partial(list, answers))
            for answer in answers:
                count += 1
                if count > settings.max_messages:
                    error = {"code": "too_many", "message": f"more than {settings.max_messages} messages in a request"}
                    metrics.refused(error["code"])
                    yield b"".join((*out, _line({"error": error})))
                    return
                out.append(answer)
        if out:
            yield b"".join(out)


def _answer_lines(line: bytes | TooLong, options: Options, metrics: Metrics) -> Iterator[bytes]:
    """What one line becomes, written and counted."""
    try:
        for answer in convert_line(line, options):
            yield _line(answer.line)
            if answer.failed:
                metrics.refused(answer.line["error"]["code"])
            elif answer.conversion is not None:
                metrics.converted(options.source, options.target, answer.conversion.report)
    except Exception as error:  # noqa: BLE001 - a defect costs its line, not those behind it
        yield _line({"error": metrics.defect(error)})


def _line(answer: dict[str, Any]) -> bytes:
    return _dumps(answer).encode() + b"\n"


async def _line_groups(stream: AsyncIterator[bytes], max_line: int) -> AsyncIterator[list[bytes | TooLong]]:
    """The whole lines of each chunk; never more than one line of `max_line` octets is held beside the chunk."""
    rest: list[bytes] = []
    held = 0
    skipping = False
    async for chunk in stream:
        *whole, last = chunk.split(b"\n")
        lines: list[bytes | TooLong] = []
        for part in whole:
            if skipping:
                skipping = False
            elif held + len(part) > max_line:
                lines.append(TooLong(max_line))
            else:
                lines.append(b"".join((*rest, part)))
            rest, held = [], 0
        if not skipping:
            rest.append(last)
            held += len(last)
            if held > max_line:
                lines.append(TooLong(max_line))
                rest, held, skipping = [], 0, True
        if lines:
            yield lines
    if held:
        yield [b"".join(rest)]


def _add_tables(app: FastAPI, settings: Settings, workers: Workers) -> None:
    @app.get("/v1/protocols", response_model=None)
    async def protocols() -> Response:
        """The protocols."""
        return _json([{"name": protocol.name, "title": protocol.title} for protocol in PROTOCOLS.values()])

    @app.get("/v1/routes", response_model=None)
    async def all_routes() -> Response:
        """Every pair of protocols and the tables between them."""
        return _json([route.as_dict() for route in routes()])

    @app.get("/v1/rules", response_model=None)
    async def all_rules(query: Annotated[TablesQuery, Query()]) -> Response:
        """The tables in force, without their rows."""
        tables = rule_tables(query.profile, settings.rules)
        return _json([{"from": t.source, "to": t.target, "title": t.title, "hash": t.hash} for t in tables])

    @app.get("/v1/rules/{source}/{target}", response_model=None)
    async def one_table(source: str, target: str, query: Annotated[TablesQuery, Query()]) -> Response:
        """One table with its rows."""
        for table in rule_tables(query.profile, settings.rules):
            if (table.source, table.target) == (source, target):
                return _json(table.as_dict())
        raise NoRouteError(f"no table from {source} to {target}; /v1/routes has the tables of every way")

    @app.get("/v1/fidelity/{source}/{target}", response_model=None)
    async def forecast(source: str, target: str, query: Annotated[ForecastQuery, Query()]) -> Response:
        """What survives, changes, is dropped or lost, without a message."""
        work = partial(fidelity, source, target, back=query.back, profile=query.profile, rules=settings.rules)
        return _json((await workers.run(LARGE, work)).as_dict())  # a second of work, where tables are compiled first

    @app.get("/v1/schemas/{protocol}", response_model=None)
    async def schema(protocol: str) -> Response:
        """The JSON Schema of a protocol's messages in their JSON form."""
        return Response(_dumps(json_schema(protocol)), media_type="application/schema+json")


def _add_operations(app: FastAPI, settings: Settings, metrics: Metrics) -> None:
    @app.get("/healthz", response_model=None)
    async def healthz() -> Response:
        """The process answers."""
        return _json({"status": "ok"})

    @app.get("/readyz", response_model=None)
    async def readyz() -> Response:
        """The tables are loaded."""
        return _json({"status": "ok", "tables": len(rule_tables(rules=settings.rules))})

    @app.get("/metrics", response_model=None)
    async def scraped() -> Response:
        """Prometheus metrics."""
        return Response(generate_latest(metrics.registry), media_type=CONTENT_TYPE_LATEST)


def _add_pages(app: FastAPI) -> None:
    """The pages of app/web, which take nothing from elsewhere."""

    def page(name: str) -> HTMLResponse:
        policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'"
        text = files("mqconvert.app").joinpath("web", name).read_text(encoding="utf-8")
        return HTMLResponse(text, headers={"Content-Security-Policy": policy})

    form, interface = page("index.html"), page("docs.html")

    @app.get("/", response_model=None, include_in_schema=False)
    async def one_form() -> Response:
        """One form over `/v1/convert`."""
        return form

    @app.get("/docs", response_model=None, include_in_schema=False)
    async def docs() -> Response:
        """What openapi.json says, for a person."""
        return interface
