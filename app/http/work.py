"""The jobs of requests, as functions from bytes to bytes without socket and event loop. Worker processes run them (pool.py).

The settings limit each: the messages, frames and decompressed bytes of a value, and the bytes of its answer. Jobs call `check`
between messages and lines: it ends the job of a client that has left.
"""

import gzip
import hashlib
import json
import logging
import time
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import to_json

import mqconvert
from mqconvert import (
    CODES,
    PROTOCOLS,
    DecodeError,
    InternalError,
    LimitError,
    LossError,
    Message,
    MqConvertError,
    NoRouteError,
    Payload,
    RuleTableError,
)
from mqconvert.app.codes import DOOR_CODES
from mqconvert.app.http import logs
from mqconvert.app.http.models import (
    BatchQuery,
    ConvertRequest,
    DecodeRequest,
    EncodeBatchRequest,
    EncodeRequest,
    Ends,
    ExplainRequest,
    FramesDecodeRequest,
    FramesEncodeRequest,
    RecognizeRequest,
    members,
)
from mqconvert.app.http.problems import INTERNAL, NotJsonError, RefusedError, problem_body, status_of
from mqconvert.app.http.refusals import refusal
from mqconvert.app.http.settings import Settings, setting_of
from mqconvert.app.jsontext import fast, read_json, write_json
from mqconvert.app.lines import Members, convert_line, each, hint_hex, hinting_hex, messages_of, shown, unbase64, written
from mqconvert.app.options import codec_options, now
from mqconvert.converters.account.firing import firing
from mqconvert.converters.choices import choices_of, with_codecs
from mqconvert.converters.environment import Environment
from mqconvert.converters.errors import library_error, redacting
from mqconvert.converters.model.base64text import to_base64
from mqconvert.converters.model.jsonform import JsonObject
from mqconvert.converters.model.sequences import messages_only
from mqconvert.converters.overlays import Overlay, Rules
from mqconvert.converters.pipeline import Answer, Pipeline, Read, within
from mqconvert.converters.protocols import protocol_named, recognition
from mqconvert.mappings import sample_messages

M = TypeVar("M", bound=BaseModel)
T = TypeVar("T")

JSON, SCHEMA, PROBLEM = "application/json", "application/schema+json", "application/problem+json"
REQUEST = "rules of the request"
"""The name of a request's overlay, in errors and reports."""
SAMPLE_TIME = 1_763_799_000_000
"""The clock of samples in milliseconds since 1970, fixed so that their wire bytes stay the same."""
COMPRESSIBLE = 2**10
"""Minimum size in bytes of compressed answers."""
PREPARED, LONGEST = 256, 2**10
"""Maximum number of kept pipelines, and bytes of the members that choose one."""
PIECE, TURN = 2**18, 0.25
"""Bytes of answers, or seconds, after which a batch returns its answers so far and other requests get a turn."""

_log = logging.getLogger("mqconvert.errors")


class Job(NamedTuple):
    """A job: a function of this module and its arguments, which are plain values for another process."""

    do: "Callable[..., Reply]"
    given: dict[str, Any]
    gzip: bool = False


@dataclass(slots=True)
class Reply:
    """An answer, or a problem; `counted` is for the metrics. For lines, `count` answers come from `read` bytes of the block."""

    body: bytes
    status: int = 200
    media_type: str = JSON
    headers: dict[str, str] = field(default_factory=dict)
    counted: Counter[tuple[str, ...]] = field(default_factory=Counter)
    read: int = 0
    count: int = 0
    size: int = 0
    """Bytes of the body before compression."""


class BusyError(Exception):
    """The limit of waiting and running jobs is reached."""


class EndedError(BaseException):
    """The client has disconnected. A BaseException, so that no handler of defects catches it."""


class Jobs:
    """Does the jobs of one process. It keeps the pipelines that requests share."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.limits = settings.limits
        self.pipelines: dict[bytes, Pipeline[Members]] = {}
        """The pipelines of requests to convert, by all members but the message."""

    def perform(self, job: Job, check: Callable[[], None] = lambda: None) -> Reply:
        """Do a job, and return its answer or a problem. Raises only EndedError."""
        work = Work(self, check)
        try:
            reply = job.do(work, **job.given)
            work.check_answer(len(reply.body))
        except Exception as error:  # noqa: BLE001 - a defect gets a documented answer
            reply = work.refused(error)
        reply.counted = work.counted
        return packed(reply) if job.gzip else reply

    async def run(self, job: Job, *, client: str = "", patient: bool = False) -> Reply:  # noqa: ARG002 - no job waits
        """Do a job at once, in this process, for embedding programs and tests (see Workers in service.py)."""
        return self.perform(job)


class Work:
    """The limits, counts and helpers of one job."""

    def __init__(self, jobs: Jobs, check: Callable[[], None]) -> None:
        self.settings, self.limits, self.pipelines, self.check = jobs.settings, jobs.limits, jobs.pipelines, check
        self.counted: Counter[tuple[str, ...]] = Counter()
        self.brought = False
        """Whether the request has rules: a table error is then the client's."""

    def checked(self, values: Iterable[T]) -> Iterator[T]:
        for value in values:
            self.check()
            yield value

    def options(self, protocol: str, function: str, given: dict[str, Any], clock: int | None = None) -> dict[str, Any]:
        """Return the options of a codec's function; those of a request may only lower the service's limits."""
        chosen = self.limits | {"clock": now() if clock is None else clock}
        [options] = mqconvert.options_for([(protocol, function)], given, chosen, lower_only=True)
        return options

    def read(self, form: JsonObject) -> Message:
        self.check()
        return mqconvert.message_from_json(form)

    def joined(self, name: str, parts: Iterable[bytes]) -> Reply:
        """Return `{"name": [parts]}`. Raises LimitError before the answer exceeds its limit."""
        made, size = [], len(name) + 7
        for part in parts:
            size += len(part) + 1
            self.check_answer(size)
            made.append(part)
        return Reply(b'{"%b":[%b]}' % (name.encode(), b",".join(made)))

    def check_answer(self, size: int) -> None:
        if size > self.settings.max_answer:
            words = f"an answer of more than {self.settings.max_answer} bytes"
            raise LimitError("too_large", words, limit="max_answer")

    def rules(self, text: str | None) -> tuple[Rules, ...]:
        """Return the service's overlays and the request's own. Raises RefusedError, and LimitError for too many rows."""
        if text is None:
            return self.settings.rules
        self.brought = True
        if not self.settings.allow_rules:
            raise RefusedError("this service does not allow rules in a request (MQCONVERT_ALLOW_RULES)", code="rules_refused")
        brought = Overlay(REQUEST, text)
        if brought.rows > self.settings.max_rules:
            raise LimitError("too_many", f"{brought.rows} rows in the rules of a request", limit="max_rules", field="rules")
        return (*self.settings.rules, brought)

    def pipeline(
        self, asked: Ends, fields: tuple[str, ...], options: Mapping[str, object], clock: int | None = None
    ) -> Pipeline[Members]:
        """Return the pipeline of a request; its limits apply if they are lower than the service's. `clock` is a default."""
        given = vars(asked)
        choices = choices_of({**given, "rules": self.rules(given.get("rules"))}, clock=clock)
        choices, reading, writing = with_codecs(choices, asked.source, asked.target, options, self.limits, lower_only=True)
        write = partial(shown, fields=fields, writing=writing)
        return Pipeline(choices, asked.source, asked.target, write, reading, self.settings.max_batch)

    def count(self, pipeline: Pipeline[Members], answer: Answer[Members]) -> None:
        if answer.error is None and answer.conversion is not None:
            self.counted["converted", pipeline.source, pipeline.target] += 1
            for lost in answer.conversion.report.lost:
                rule = self._label(lost.rule) if lost.rule else "none"
                self.counted["lost", pipeline.source, pipeline.target, rule] += 1

    def met(self, error: Exception) -> MqConvertError:
        """Return the error for the client. Log a defect; the answer has no details of it."""
        known = library_error(error)
        if known.code != "internal":
            return known
        if isinstance(known.__cause__, MemoryError):
            words = f"more than {self.settings.worker_memory} bytes of memory for one value"
            return LimitError("too_large", words, limit="worker_memory")
        _log.error(logs.told(known.__cause__ or known))
        return InternalError(INTERNAL)

    def told(self, error: Exception) -> JsonObject:
        """Return an error's members, with the setting of a limit."""
        return self._members(self.met(error))

    def refused(self, error: Exception) -> Reply:
        known = self.met(error)
        status = 422 if self.brought and isinstance(known, RuleTableError) else status_of(known)
        members = self._members(known)
        return Reply(problem_body(status, members.pop("code"), members.pop("message"), **members), status, PROBLEM)

    def _members(self, known: MqConvertError) -> JsonObject:
        members = known.as_dict() | ({"problem": known.problem} if known.problem else {})
        if isinstance(known, LimitError):
            members["message"] += f"; the service's limit is {setting_of(known.limit, self.settings)}"
        self.counted["refused", self._label(known.code, CODES, DOOR_CODES)] += 1
        return members

    def _label(self, name: str, *known: Container[str]) -> str:
        """Return a rule or code as a label of metrics: those that requests bring are without number, and text of theirs."""
        return "request" if self.brought and not any(name in names for names in known) else name


def packed(reply: Reply) -> Reply:
    """Return the answer, with a compressed body if it is large enough."""
    if len(reply.body) >= COMPRESSIBLE and reply.status == 200:
        reply.size = len(reply.body)
        reply.body = gzip.compress(reply.body, 1, mtime=0)
        reply.headers["content-encoding"] = "gzip"
    return reply


# ---- one message; the docstrings of these jobs describe their routes ---------------------------------------------------


def convert(work: Work, body: bytes) -> Reply:
    """Convert one message."""
    pipeline, given = _prepared(work, _object(body))
    made = _answered(work, pipeline, given, _environment(pipeline)).result()
    # Only a message may have floats.
    parts = [b'"%b":%b' % (name.encode(), _json(part, floats=name == "message")) for name, part in made.items()]
    return Reply(b"{%b}" % b",".join(parts))


def _prepared(work: Work, given: JsonObject) -> tuple[Pipeline[Members], Members]:
    """Return the pipeline of a request to convert, and its message.

    The request is valid if it differs only in its wire text from one that was valid.
    """
    key = _key(given)
    pipeline = work.pipelines.get(key)
    wire = given.get("wire")
    if pipeline is not None and wire.__class__ is str and wire.isascii() and "message" not in given:
        return pipeline, {"wire": wire}
    asked = _valid(ConvertRequest, given)
    if pipeline is None:
        pipeline = work.pipeline(asked, tuple(asked.fields), asked.options)
        if key and not work.brought:
            while len(work.pipelines) >= PREPARED:
                del work.pipelines[next(iter(work.pipelines))]
            work.pipelines[key] = pipeline
    return pipeline, _message(asked)


def _key(given: JsonObject) -> bytes:
    """Return all members but the message as a key; empty if they are too long."""
    try:
        key = write_json({name: given[name] for name in given if name not in ("wire", "message")}, floats=False)
    except RecursionError:
        return b""
    return key if len(key) <= LONGEST else b""


def _message(asked: ConvertRequest | ExplainRequest) -> Members:
    return {name: value for name in ("wire", "message") if (value := getattr(asked, name)) is not None}


def _environment(pipeline: Pipeline[Members]) -> Environment:
    """Return the Environment of a request, with the current time if the request has none."""
    given = pipeline.choices.environment
    return replace(given, clock=now()) if given.clock is None else given


def explain(work: Work, body: bytes) -> Reply:
    """Convert one message, and return every field with its value, its row and its result.

    A result that cannot be encoded is explained, too, with the error of `/v1/convert` as `error`.
    """
    asked = _asked(ExplainRequest, body)
    pipeline = work.pipeline(asked, ("wire",), asked.options)
    environment = _environment(pipeline)
    answer = _answered(work, pipeline, _message(asked), environment)
    if answer.conversion is None or isinstance(answer.error, (LossError, InternalError)):
        with redacting(wanted=asked.redact):
            answer.result()  # raises the error
    done: Any = answer.conversion
    text = mqconvert.explained(answer.message, done, redact=asked.redact, environment=environment)
    report = mqconvert.explained_json(answer.message, done, redact=asked.redact, environment=environment)
    error = answer.error.redacted() if answer.error and asked.redact else answer.error
    told: JsonObject = {} if error is None else {"error": work.told(error)}
    made, size = [], 0
    for part in _parts({"text": text, "report": report} | told):
        size += len(part)
        work.check_answer(size)
        made.append(part)
    return Reply(b"".join(made))


def _parts(content: object) -> Iterator[bytes]:
    """Yield JSON in parts, with lists by element, since many entries of a report may show one long value."""
    if isinstance(content, dict):
        for at, (name, value) in enumerate(content.items()):
            yield (b"," if at else b"{") + _json(name) + b":"
            yield from _parts(value)
        yield b"}" if content else b"{}"
    elif isinstance(content, list):
        for at, one in enumerate(content):
            yield (b"," if at else b"[") + _json(one)
        yield b"]" if content else b"[]"
    else:
        yield _json(content)


def _answered(work: Work, pipeline: Pipeline[Members], given: Members, environment: Environment) -> Answer[Members]:
    """Return the answer to the one message of a request; raise the error of an invalid message."""

    def one(wire: bytes) -> Read:
        return Read([_only(messages_only(mqconvert.decode_each(pipeline.source, wire, **pipeline.reading)))])

    [message], _ = messages_of(given, pipeline.source, one, "bad_request", "a request")
    answer = pipeline.answer(message, environment)
    work.count(pipeline, answer)
    return answer


def _only(messages: Iterator[T]) -> T:
    message = next(messages, None)
    if message is None:  # a stream may have none
        raise DecodeError("no_message", "no message among the frames", field="wire")
    for _ in messages:
        raise DecodeError("several_messages", "a second message; use /v1/convert/batch", field="wire")
    return message


def decode(work: Work, body: bytes) -> Reply:
    """Return the messages in wire bytes, in their JSON form, and the errors of invalid members among them."""
    asked = _asked(DecodeRequest, body)
    options = work.options(asked.protocol, "decode_all", asked.options)
    wire = unbase64(asked.wire)
    if asked.spans:
        with hinting_hex(asked.wire):
            located = mqconvert.decode(asked.protocol, wire, spans=True, **options)
        return Reply(_json({"messages": [mqconvert.message_to_json(located.message)], "spans": located.spans}))
    decoded = mqconvert.decode_each(asked.protocol, wire, **options)
    found = within(work.checked(decoded), work.settings.max_batch)
    for one in found:
        if isinstance(one, DecodeError):
            hint_hex(one, asked.wire)
            if len(found) == 1 or isinstance(one, LimitError):
                raise one
    messages = [message for message in found if not isinstance(message, DecodeError)]
    reply = work.joined("messages", (_json(mqconvert.message_to_json(message)) for message in work.checked(messages)))
    errors = [{"index": at} | work.told(error) for at, error in enumerate(found) if isinstance(error, DecodeError)]
    more = ({"errors": errors} if errors else {}) | ({"skipped": decoded.skipped} if decoded.skipped else {})
    if more:
        reply.body = reply.body[:-1] + b"," + _json(more)[1:]
    return reply


def recognize(work: Work, body: bytes) -> Reply:
    """Name the protocols that the wire bytes may be messages of, or the message of a captured frame, which is at `begin`."""
    wire, begin = unbase64(_asked(RecognizeRequest, body).wire), 0
    found = recognition.recognize(wire, work.limits)
    if not found and (begin := recognition.begin_in_frame(wire)):
        found = recognition.recognize(wire[begin:], work.limits)
    begun = [] if found else recognition.broken_off(wire[begin:], work.limits)
    return Reply(_json({"protocols": found, "begin": begin, "broken_off": begun}))


def encode(work: Work, body: bytes) -> Reply:
    """Return the wire bytes of a message, in base64."""
    asked = _asked(EncodeRequest, body)
    message = mqconvert.message_from_json(asked.message)
    options = work.options(asked.message["protocol"], "encode", asked.options, vars(asked)["clock"])
    return _wire(mqconvert.encode(message, **options))


def encode_batch(work: Work, body: bytes) -> Reply:
    """Return the wire bytes of several messages as one batch, in base64."""
    asked = _asked(EncodeBatchRequest, body)
    messages = each(within(asked.messages, work.settings.max_batch, field="messages"), work.read)
    options = work.options(asked.messages[0]["protocol"], "encode_batch", asked.options, vars(asked)["clock"])
    return _wire(mqconvert.encode_batch(messages, **options))


def _wire(raw: bytes) -> Reply:
    return Reply(_json({"wire": to_base64(raw)}, floats=False))


def decode_frames(work: Work, body: bytes, protocol: str) -> Reply:
    """Return the frames in wire bytes, commands and answers as well as messages, in their JSON form."""
    asked = _asked(FramesDecodeRequest, body)
    options = work.options(protocol, "decode_frames", asked.options)
    most = work.settings.max_frames

    def parts() -> Iterator[bytes]:
        for index, frame in enumerate(work.checked(mqconvert.decode_each_frame(protocol, unbase64(asked.wire), **options))):
            if index == most:
                raise LimitError("too_many", f"more than {most} frames", limit="max_frames", field="wire")
            yield _json(mqconvert.frame_to_json(protocol, frame))

    return work.joined("frames", parts())


def encode_frames(work: Work, body: bytes, protocol: str) -> Reply:
    """Return the wire bytes of frames, in base64."""
    asked = _asked(FramesEncodeRequest, body)
    options = work.options(protocol, "encode_frame", asked.options)

    def read(value: object) -> Any:
        work.check()
        return mqconvert.frame_from_json(protocol, value)

    return _wire(b"".join(each(each(asked.frames, read), lambda frame: mqconvert.encode_frame(protocol, frame, **options))))


def _asked(model: type[M], body: bytes) -> M:
    """Return the body as a request; DecodeError `bad_json` for invalid JSON, `bad_request` for other JSON."""
    return _valid(model, _object(body))


def _object(body: bytes) -> JsonObject:
    """Return the members of a body; DecodeError `bad_json` for invalid JSON, `bad_request` for other JSON."""
    try:
        given = read_json(body)
    except json.JSONDecodeError as error:
        at = len(error.doc[: error.pos].encode(errors="replace"))
        raise NotJsonError("bad_json", f"not JSON: {error.msg}", offset=at) from None
    except UnicodeDecodeError as error:
        raise NotJsonError("bad_json", "not JSON: not UTF-8", offset=error.start) from None
    except (ValueError, RecursionError) as error:
        words = "nests too deep" if isinstance(error, RecursionError) else str(error)
        raise NotJsonError("bad_json", f"not JSON: {words}") from None
    if not isinstance(given, dict):
        raise DecodeError("bad_request", "expected a JSON object as body")
    return given


def _valid(model: type[M], given: JsonObject) -> M:
    """Return the members of a request; DecodeError `bad_request` for invalid ones."""
    try:
        return model.model_validate(given)
    except ValidationError as error:
        words, field, problem = refusal(error.errors(include_url=False), "member", members(model))
        named = field if field.isprintable() and field else None
        refused = DecodeError("bad_request", words, field=named, names_field=True)
        refused.problem = problem
        raise refused from None
    except UnicodeError:  # pydantic raises it for names that UTF-8 cannot encode
        raise DecodeError("bad_request", "a member name that is not UTF-8") from None


def _json(content: object, *, floats: bool = True) -> bytes:
    """Return JSON in UTF-8. pydantic's serializer takes a third of the time of `json`, and msgspec a third of that.

    msgspec does not serve for content that may have `floats`, since it writes them in another form.
    """
    if not floats and (functions := fast()) is not None:
        try:
            return functions[1](content)
        except (TypeError, ValueError, RecursionError):
            pass  # for the reasons below
    try:
        return to_json(content, inf_nan_mode="strings")
    except ValueError:  # pydantic refuses invalid UTF-8 in keys, and half of our depth of nesting
        return write_json(content)


# ---- lines of a batch -------------------------------------------------------------------------------------------------


def check_batch(work: Work, query: BatchQuery) -> Reply:
    """Raise the error for invalid options of a batch before its lines."""
    _batch_pipeline(work, query)
    return Reply(b"")


def _batch_pipeline(work: Work, query: BatchQuery) -> Pipeline[Members]:
    fields = tuple(member for part in query.fields for member in part.split(","))
    return work.pipeline(query, fields, codec_options(query.options), now())


def convert_lines(work: Work, block: bytes, query: BatchQuery, left: int) -> Reply:
    """Return the answers to complete lines, at most `left`, and fewer if that would take too long."""
    pipeline = _batch_pipeline(work, query)
    out: list[bytes] = []
    size = count = at = 0
    turn = time.monotonic() + TURN
    while at < len(block) and count <= left and size < PIECE and time.monotonic() < turn:
        work.check()
        end = block.find(b"\n", at) + 1 or len(block)
        for answer in _line_answers(work, block[at:end].removesuffix(b"\n"), pipeline):
            count += 1
            if count > left:
                break
            size += len(answer)
            out.append(answer)
        at = end
    return Reply(b"".join(out), read=at, count=count)


def _line_answers(work: Work, line: bytes, pipeline: Pipeline[Members]) -> list[bytes]:
    """Return all answers to one line, or one error."""
    made: list[bytes] = []
    named: Members = {}
    size = 0
    if len(line) > work.settings.max_line:
        work.counted["refused", "line_too_long"] += 1
        return [too_long(work.settings)]
    try:
        for named, answer in convert_line(line, pipeline):
            work.check()
            made.append(written(named | (answer.result() if answer.error is None else {"error": work.told(answer.error)})))
            size += len(made[-1])
            work.check_answer(size)
            work.count(pipeline, answer)
    except Exception as error:  # noqa: BLE001 - a defect fails one line, not the later ones
        first = {"id": named["id"]} if "id" in named else {}
        return [written(first | {"error": work.told(error)})]
    return made


def too_long(settings: Settings) -> bytes:
    words = f"a line of more than {settings.max_line} bytes (MQCONVERT_MAX_LINE)"
    return written({"error": {"code": "line_too_long", "message": words}})


# ---- tables -----------------------------------------------------------------------------------------------------------


def protocols(_work: Work) -> Reply:
    return cacheable([{"name": protocol.name, "title": protocol.title} for protocol in PROTOCOLS.values()])


def routes(_work: Work) -> Reply:
    return cacheable([route.as_dict() for route in mqconvert.routes()])


def rules(work: Work, profile: str) -> Reply:
    tables = mqconvert.rule_tables(profile, work.settings.rules)
    return cacheable([{"from": t.source, "to": t.target, "title": t.title, "hash": t.hash} for t in tables])


def one_table(work: Work, source: str, target: str, profile: str) -> Reply:
    for table in mqconvert.rule_tables(profile, work.settings.rules):
        if (table.source, table.target) == (source, target):
            return cacheable(table.as_dict())
    for name in (source, target):
        protocol_named(name)
    raise NoRouteError(f"no table from {source} to {target}; /v1/routes has the tables of every way")


def forecast(work: Work, source: str, target: str, profile: str, back: bool, payload: Payload) -> Reply:
    rules = work.settings.rules
    return cacheable(mqconvert.fidelity(source, target, back=back, profile=profile, rules=rules, payload=payload).as_dict())


def samples(work: Work) -> Reply:
    """Return every protocol's sample messages, with their wire bytes if the codec's packages are installed."""
    found = [
        sample | _sample_wire(work, protocol.name, sample["message"])
        for protocol in PROTOCOLS.values()
        for sample in sample_messages(protocol.tables)
        if sample["message"]["protocol"] == protocol.name
    ]
    return cacheable(found)


def _sample_wire(work: Work, protocol: str, message: dict[str, object]) -> dict[str, str]:
    options = work.options(protocol, "encode", {}, SAMPLE_TIME)
    try:
        return {"wire": to_base64(mqconvert.encode(mqconvert.message_from_json(message), **options))}
    except MqConvertError as error:
        if error.code != "missing_package":
            raise
        return {}


def row_samples(work: Work, source: str, target: str, profile: str) -> Reply:
    found = firing(source, target, profile=profile, rules=work.settings.rules)
    return cacheable({row: mqconvert.message_to_json(message) for row, message in found.items()})


def schema(_work: Work, protocol: str) -> Reply:
    return cacheable(mqconvert.json_schema(protocol), SCHEMA)


def cacheable(content: object, media_type: str = JSON) -> Reply:
    """Return an answer that depends on the tables alone, with its ETag."""
    body = _json(content)
    return Reply(body, media_type=media_type, headers={"etag": f'W/"{hashlib.sha256(body).hexdigest()[:32]}"'})
