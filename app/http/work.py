"""The jobs of requests, as functions from bytes to bytes without socket and event loop. Worker processes run them (pool.py).

Each is bounded while it works, by the settings: by the messages, frames and decompressed bytes of a value, by the bytes of
its answer. Between messages and lines it calls `check`, which ends the job when its client has left.
"""

import binascii
import gzip
import hashlib
import json
import logging
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import to_json

from mqconvert import (
    PROTOCOLS,
    Conversion,
    DecodeError,
    LimitError,
    MqConvertError,
    NoRouteError,
    converter,
    decode_each,
    decode_each_frame,
    encode,
    encode_batch,
    encode_frame,
    explained,
    fidelity,
    frame_from_json,
    frame_to_json,
    json_schema,
    message_from_json,
    message_to_json,
    options_taken,
    options_within,
    routes,
    rule_tables,
)
from mqconvert.app.http import logs
from mqconvert.app.http.models import (
    BatchQuery,
    Choices,
    ConvertRequest,
    DecodeRequest,
    EncodeBatchRequest,
    EncodeRequest,
    ExplainRequest,
    FramesDecodeRequest,
    FramesEncodeRequest,
    RecognizeRequest,
)
from mqconvert.app.http.problems import INTERNAL, NotJsonError, problem_body, status_of
from mqconvert.app.http.settings import Settings, setting_of
from mqconvert.app.lines import STRICT, Options, convert_line, each, shown, unbase64, within
from mqconvert.app.options import environment_of, now
from mqconvert.converters.account.firing import firing
from mqconvert.converters.protocols.recognition import recognize
from mqconvert.mappings import sample_messages

M = TypeVar("M", bound=BaseModel)
T = TypeVar("T")

JSON, SCHEMA, PROBLEM = "application/json", "application/schema+json", "application/problem+json"
SAMPLE_TIME = 1_763_799_000_000
"""The clock of samples, in milliseconds since 1970: their wire bytes stay the same."""
COMPRESSIBLE = 2**10
"""Answers of so many bytes and more are compressed for clients that take it."""
PIECE, TURN = 2**18, 0.25
"""After so many bytes of answers, or seconds, a batch returns the answers so far, and other requests have their turn."""

_log = logging.getLogger("mqconvert.errors")
_dumps = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


class Job(NamedTuple):
    """One piece of work: a name in JOBS and its arguments, which are plain values and cross to another process."""

    name: str
    given: dict[str, Any]
    gzip: bool = False


@dataclass(slots=True)
class Reply:
    """An answer, or a problem; `counted` is for the metrics. Of lines, `read` bytes of the block became `count` answers."""

    body: bytes
    status: int = 200
    media_type: str = JSON
    headers: dict[str, str] = field(default_factory=dict)
    counted: Counter[tuple[str, ...]] = field(default_factory=Counter)
    read: int = 0
    count: int = 0
    size: int = 0
    """Bytes of the body before it was compressed."""


class EndedError(BaseException):
    """The client has left. Derived from BaseException, so that no handler of defects catches it."""


class Work:
    """The limits, counts and helpers of one job."""

    def __init__(self, settings: Settings, check: Callable[[], None] = lambda: None) -> None:
        self.settings, self.check = settings, check
        self.limits = settings.limits
        self.counted: Counter[tuple[str, ...]] = Counter()

    def checked(self, values: Iterable[T]) -> Iterator[T]:
        for value in values:
            self.check()
            yield value

    def messages(self, protocol: str, wire: str, options: dict[str, Any]) -> list[Any]:
        return within(self.checked(decode_each(protocol, unbase64(wire), **options)), self.settings.max_batch)

    def read(self, form: dict[str, Any]) -> Any:
        self.check()
        return message_from_json(form)

    def joined(self, name: str, parts: Iterable[bytes]) -> Reply:
        """`{"name": [parts]}`; LimitError before it comes to more than an answer may have."""
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

    def told(self, error: MqConvertError) -> dict[str, Any]:
        """An error's members; the one of a limit names the setting."""
        members = error.as_dict()
        if isinstance(error, LimitError):
            members["message"] += f"; the service's limit is {setting_of(error.limit, self.settings)}"
        self.counted["refused", error.code] += 1
        return members

    def defect(self, error: Exception) -> dict[str, Any]:
        """Count and log an unexpected error; return the code and message for the caller."""
        if isinstance(error, MemoryError):
            words = f"more than {self.settings.worker_memory} bytes of memory for one value"
            return self.told(LimitError("too_large", words, limit="worker_memory"))
        _log.error(logs.told(error))
        self.counted["refused", "internal"] += 1
        return {"code": "internal", "message": INTERNAL}


def perform(job: Job, settings: Settings, check: Callable[[], None] = lambda: None) -> Reply:
    """Do a job, and return its answer or a problem. Raises only EndedError."""
    work = Work(settings, check)
    try:
        reply = JOBS[job.name](work, **job.given)
        work.check_answer(len(reply.body))
    except MqConvertError as error:
        reply = _refused(status_of(error), work.told(error))
    except Exception as error:  # noqa: BLE001 - a defect gets a documented answer
        known = work.defect(error)
        reply = _refused(500 if known["code"] == "internal" else 413, known)
    reply.counted = work.counted
    return packed(reply) if job.gzip else reply


def packed(reply: Reply) -> Reply:
    """Compress the body of an answer where that is worth it."""
    if len(reply.body) >= COMPRESSIBLE and reply.status == 200:
        reply.size = len(reply.body)
        reply.body = gzip.compress(reply.body, 1, mtime=0)
        reply.headers["content-encoding"] = "gzip"
    return reply


def _refused(status: int, known: dict[str, Any]) -> Reply:
    code, message = known.pop("code"), known.pop("message")
    return Reply(problem_body(status, code, message, **known), status, PROBLEM)


# ---- one message ------------------------------------------------------------------------------------------------------


def _convert(work: Work, body: bytes) -> Reply:
    asked = _asked(ConvertRequest, body)
    _, conversion, writing = _converted(work, asked)
    answer = shown(conversion, tuple(asked.fields), writing)
    _count(work, asked, conversion.report)
    return Reply(_json(answer))


def _explain(work: Work, body: bytes) -> Reply:
    asked = _asked(ExplainRequest, body)
    message, conversion, _ = _converted(work, asked)
    text = explained(message, conversion, redact=asked.redact, environment=environment_of(asked))
    _count(work, asked, conversion.report)
    return Reply(_json({"text": text, "report": conversion.report.as_dict()}))


def _converted(work: Work, asked: ConvertRequest | ExplainRequest) -> tuple[Any, Conversion, dict[str, Any]]:
    """Return the message, its conversion, and the options for writing the result."""
    if (asked.wire is None) is (asked.message is None):
        raise DecodeError("bad_request", 'a request has one of "wire" and "message"')
    ready = converter(asked.source, asked.target, profile=asked.profile, rules=work.settings.rules)
    pairs = (asked.source, "decode_all"), (asked.target, "encode")
    reading, writing = options_within(pairs, work.limits, asked.options)
    if asked.wire is None:
        message = message_from_json(asked.message, asked.source)
    else:
        message = _only(decode_each(asked.source, unbase64(asked.wire), **reading))
    return message, ready.convert(message, environment_of(asked), asked.on_loss), writing


def _only(messages: Iterator[T]) -> T:
    message = next(messages)
    for _ in messages:
        raise DecodeError("several_messages", "a second message; use /v1/convert/batch", field="wire")
    return message


def _decode(work: Work, body: bytes) -> Reply:
    asked = _asked(DecodeRequest, body)
    [options] = options_within([(asked.protocol, "decode_all")], work.limits, asked.options)
    messages = work.messages(asked.protocol, asked.wire, options)
    return work.joined("messages", (_json(message_to_json(message)) for message in work.checked(messages)))


def _recognize(work: Work, body: bytes) -> Reply:
    asked = _asked(RecognizeRequest, body)
    return Reply(_json({"protocols": recognize(unbase64(asked.wire), work.limits)}))


def _encode(work: Work, body: bytes) -> Reply:
    asked = _asked(EncodeRequest, body)
    message = message_from_json(asked.message)
    return _wire(encode(message, **_writing(work, asked, asked.message["protocol"], "encode")))


def _encode_batch(work: Work, body: bytes) -> Reply:
    asked = _asked(EncodeBatchRequest, body)
    messages = each(within(asked.messages, work.settings.max_batch, field="messages"), work.read)
    return _wire(encode_batch(messages, **_writing(work, asked, asked.messages[0]["protocol"], "encode_batch")))


def _writing(work: Work, asked: EncodeRequest | EncodeBatchRequest, protocol: str, function: str) -> dict[str, Any]:
    """Return the options for a function that writes messages of `protocol`."""
    [options] = options_within([(protocol, function)], work.limits, asked.options)
    return options_taken(protocol, function, {"clock": now() if asked.clock is None else asked.clock}) | options


def _wire(octets: bytes) -> Reply:
    return Reply(b'{"wire":"%b"}' % binascii.b2a_base64(octets, newline=False))


def _decode_frames(work: Work, body: bytes, protocol: str) -> Reply:
    asked = _asked(FramesDecodeRequest, body)
    [options] = options_within([(protocol, "decode_frames")], work.limits, asked.options)
    most = work.settings.max_frames

    def parts() -> Iterator[bytes]:
        for index, frame in enumerate(work.checked(decode_each_frame(protocol, unbase64(asked.wire), **options))):
            if index == most:
                raise LimitError("too_many", f"more than {most} frames", limit="max_frames", field="wire")
            yield _json(frame_to_json(protocol, frame))

    return work.joined("frames", parts())


def _encode_frames(work: Work, body: bytes, protocol: str) -> Reply:
    asked = _asked(FramesEncodeRequest, body)
    [options] = options_within([(protocol, "encode_frame")], work.limits, {})

    def read(value: Any) -> Any:
        work.check()
        return frame_from_json(protocol, value)

    return _wire(b"".join(each(each(asked.frames, read), lambda frame: encode_frame(protocol, frame, **options))))


def _asked(model: type[M], body: bytes) -> M:
    """Return the body as a request; DecodeError `bad_json` for invalid JSON, `bad_request` for other JSON."""
    try:
        given = json.loads(body, **STRICT)
    except json.JSONDecodeError as error:
        at = len(error.doc[: error.pos].encode(errors="replace"))
        raise NotJsonError("bad_json", f"not JSON: {error.msg}", offset=at) from None
    except UnicodeDecodeError as error:
        raise NotJsonError("bad_json", "not JSON: not UTF-8", offset=error.start) from None
    except (ValueError, RecursionError) as error:
        words = "nests too deep" if isinstance(error, RecursionError) else str(error)
        raise NotJsonError("bad_json", f"not JSON: {words}") from None
    if not isinstance(given, dict):
        raise DecodeError("bad_request", "the body is a JSON object")
    try:
        return model.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        name = ".".join(str(part) for part in first["loc"])
        raise DecodeError("bad_request", first["msg"], field=name if name.isprintable() and name else None) from None
    except UnicodeError:  # pydantic's own, for a name that no UTF-8 can hold
        raise DecodeError("bad_request", "a name that is not UTF-8") from None


def _count(work: Work, chosen: Choices, report: Any) -> None:
    work.counted["converted", chosen.source, chosen.target] += 1
    for lost in report.lost:
        work.counted["lost", chosen.source, chosen.target, lost.rule or "none"] += 1


def _json(content: Any) -> bytes:
    """JSON by pydantic's serializer, which takes a third of the time of `json`."""
    try:
        return to_json(content, inf_nan_mode="strings")
    except ValueError:  # it refuses keys that are no UTF-8, and nests half as deep as messages may
        return _dumps(content).encode()


# ---- lines of a batch -------------------------------------------------------------------------------------------------


def check_batch(query: BatchQuery, settings: Settings) -> None:
    """Raise the error of invalid choices of a batch once, before its lines."""
    converter(query.source, query.target, profile=query.profile, rules=settings.rules)
    environment_of(query)


def _check_batch(work: Work, query: BatchQuery) -> Reply:
    check_batch(query, work.settings)
    return Reply(b"")


def _convert_lines(work: Work, block: bytes, query: BatchQuery, left: int) -> Reply:
    """The answers to whole lines, at most `left`; not to all of them where that would take long."""
    pairs = (query.source, "decode_all"), (query.target, "encode")
    reading, writing = options_within(pairs, work.limits, {})
    members = tuple(member for part in query.fields for member in part.split(","))
    chosen = query.source, query.target, query.profile, work.settings.rules, environment_of(query), query.on_loss, members
    options = Options(*chosen, reading, writing, work.settings.max_batch)
    out: list[bytes] = []
    size = count = at = 0
    turn = time.monotonic() + TURN
    while at < len(block) and count <= left and size < PIECE and time.monotonic() < turn:
        work.check()
        end = block.find(b"\n", at) + 1 or len(block)
        for answer in _line_answers(work, block[at:end].removesuffix(b"\n"), query, options):
            count += 1
            if count > left:
                break
            size += len(answer)
            out.append(answer)
        at = end
    return Reply(b"".join(out), read=at, count=count)


def _line_answers(work: Work, line: bytes, query: BatchQuery, options: Options) -> list[bytes]:
    """Return all answers to one line, or one error."""
    made: list[bytes] = []
    size = 0
    if len(line) > work.settings.max_line:
        work.counted["refused", "line_too_long"] += 1
        return [too_long(work.settings)]
    try:
        for answer in convert_line(line, options):
            work.check()
            told = {} if answer.error is None else {"error": work.told(answer.error)}
            made.append(line_of(answer.line | told))
            size += len(made[-1])
            work.check_answer(size)
            if answer.error is None and answer.conversion is not None:
                _count(work, query, answer.conversion.report)
    except MqConvertError as error:
        return [line_of({"error": work.told(error)})]
    except Exception as error:  # noqa: BLE001 - a defect costs its line, not those behind it
        return [line_of({"error": work.defect(error)})]
    return made


def too_long(settings: Settings) -> bytes:
    words = f"a line of more than {settings.max_line} bytes (MQCONVERT_MAX_LINE)"
    return line_of({"error": {"code": "line_too_long", "message": words}})


def line_of(answer: dict[str, Any]) -> bytes:
    return _dumps(answer).encode() + b"\n"


# ---- tables -----------------------------------------------------------------------------------------------------------


def _protocols(_work: Work) -> Reply:
    return kept([{"name": protocol.name, "title": protocol.title} for protocol in PROTOCOLS.values()])


def _routes(_work: Work) -> Reply:
    return kept([route.as_dict() for route in routes()])


def _rules(work: Work, profile: str) -> Reply:
    tables = rule_tables(profile, work.settings.rules)
    return kept([{"from": t.source, "to": t.target, "title": t.title, "hash": t.hash} for t in tables])


def _one_table(work: Work, source: str, target: str, profile: str) -> Reply:
    for table in rule_tables(profile, work.settings.rules):
        if (table.source, table.target) == (source, target):
            return kept(table.as_dict())
    raise NoRouteError(f"no table from {source} to {target}; /v1/routes has the tables of every way")


def _forecast(work: Work, source: str, target: str, profile: str, back: bool) -> Reply:
    return kept(fidelity(source, target, back=back, profile=profile, rules=work.settings.rules).as_dict())


def _samples(work: Work) -> Reply:
    """Every protocol's sample messages, with their wire bytes where the codec's packages are installed."""
    found = [
        sample | _sample_wire(work, protocol.name, sample["message"])
        for protocol in PROTOCOLS.values()
        for sample in sample_messages(protocol.tables)
        if sample["message"]["protocol"] == protocol.name
    ]
    return kept(found)


def _sample_wire(work: Work, protocol: str, message: dict[str, Any]) -> dict[str, str]:
    options = options_taken(protocol, "encode", work.limits | {"clock": SAMPLE_TIME})
    try:
        return {"wire": binascii.b2a_base64(encode(message_from_json(message), **options), newline=False).decode()}
    except MqConvertError as error:
        if error.code != "missing_package":
            raise
        return {}


def _row_samples(work: Work, source: str, target: str, profile: str) -> Reply:
    found = firing(source, target, profile=profile, rules=work.settings.rules)
    return kept({row: message_to_json(message) for row, message in found.items()})


def _schema(_work: Work, protocol: str) -> Reply:
    return kept(json_schema(protocol), SCHEMA)


def kept(content: Any, media_type: str = JSON) -> Reply:
    """Return an answer that depends on the tables alone, with its ETag."""
    body = _json(content)
    return Reply(body, media_type=media_type, headers={"etag": f'W/"{hashlib.sha256(body).hexdigest()[:32]}"'})


JOBS: dict[str, Callable[..., Reply]] = {
    "convert": _convert,
    "decode": _decode,
    "recognize": _recognize,
    "explain": _explain,
    "encode": _encode,
    "encode_batch": _encode_batch,
    "decode_frames": _decode_frames,
    "encode_frames": _encode_frames,
    "check_batch": _check_batch,
    "convert_lines": _convert_lines,
    "protocols": _protocols,
    "routes": _routes,
    "rules": _rules,
    "one_table": _one_table,
    "forecast": _forecast,
    "samples": _samples,
    "row_samples": _row_samples,
    "schema": _schema,
}
