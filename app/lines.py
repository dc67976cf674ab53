"""One JSON line in, JSON lines out, for jsonl on the command line and for HTTP batches."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, TypeVar

from mqconvert import (
    PROTOCOLS,
    Conversion,
    DecodeError,
    MessageError,
    MqConvertError,
    encode,
    message_from_json,
    message_to_json,
)
from mqconvert.app.jsontext import read_json, write_json
from mqconvert.converters.errors import library_error
from mqconvert.converters.model.base64text import from_base64, to_base64
from mqconvert.converters.model.fields import names
from mqconvert.converters.model.jsonform import JsonObject
from mqconvert.converters.pipeline import Answer, Pipeline, Read
from mqconvert.converters.readers import Broken, Record

if TYPE_CHECKING:
    from mqconvert import Message

S = TypeVar("S")
T = TypeVar("T")

DEFAULT_MAX_LINE = 64 * 2**20
FORMATS = ("wire", "json", "jsonl")
"""The formats of one message or of lines; others are those of files that brokers left (converters/readers)."""
FIELDS = ("wire", "report", "message")
_CHUNK = 2**16

Members = JsonObject
"""Members of a line."""


@dataclass(frozen=True, slots=True)
class TooLong:
    """Marks a skipped line that was too long."""

    limit: int

    def error(self) -> DecodeError:
        return DecodeError("line_too_long", f"a line of more than {self.limit} bytes")


class Made(NamedTuple):
    """The outcome of inputs: bytes for the output, text for standard error, and how many failed."""

    output: bytes
    told: str = ""
    failed: int = 0


def read_lines(stream: BinaryIO, max_line: int = DEFAULT_MAX_LINE) -> Iterator[bytes | TooLong]:
    """Yield the lines of a stream; keep at most one line of at most `max_line` bytes.

    >>> from io import BytesIO
    >>> list(read_lines(BytesIO(b"a\\nlong line\\n"), 3))
    [b'a', TooLong(limit=3)]
    """
    while line := stream.readline(max_line + 1):
        if len(line) <= max_line or line.endswith(b"\n"):
            yield line.rstrip(b"\r\n")
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(_CHUNK)  # skip a long line in pieces, to save memory
        yield TooLong(max_line)


class EarlierError(MqConvertError):
    """The error in a line that an earlier command wrote; it is written again.

    `code` is another one: metrics and logs would otherwise contain text of the line, or report a defect of this process.
    """

    def __init__(self, given: Any) -> None:
        if not isinstance(given, dict) or not all(isinstance(given.get(name), str) for name in ("code", "message")):
            raise DecodeError("bad_json", "expected the code and the message of an error", field="error")
        super().__init__(given["message"], code="earlier_error")
        self.given = given

    def as_dict(self) -> dict[str, Any]:
        return self.given


def convert_line(line: bytes | TooLong, pipeline: Pipeline[Members]) -> Iterable[tuple[Members, Answer[Members]]]:
    """Return an answer for each message of an input line, or one error; nothing for an empty line.

    Each answer has the first members of its line: `id` if the input has one, `index` if it has several messages. A single
    message keeps the `index` of its line, which an earlier command wrote. After them comes the number of frames without a
    message, if the option `stream` skipped any.
    """
    named: Members = {}
    try:
        found, skipped = read_line(line, pipeline, named)
    except Exception as error:  # noqa: BLE001 - see library_error
        return ((named, Answer(error=library_error(error))),)
    if len(found) == 1 and not skipped:
        return ((named, pipeline.answer(found[0])),)
    return _answers(named, found, skipped, pipeline)


def convert_numbered(
    pipeline: Pipeline[Members], number: int, line: bytes | TooLong
) -> Iterator[tuple[Members, Answer[Members]]]:
    """Yield the answers of `convert_line`; errors of a line without `id` have its number as `line`."""
    for named, answer in convert_line(line, pipeline):
        unnamed = answer.error is not None and named.keys().isdisjoint(("id", "line"))
        yield {"line": number} | named if unnamed else named, answer


def _answers(
    named: Members, found: list[Message | DecodeError], skipped: int, pipeline: Pipeline[Members]
) -> Iterator[tuple[Members, Answer[Members]]]:
    for index, message in enumerate(found):
        yield named | ({"index": index} if len(found) > 1 else {}), pipeline.answer(message)
    if skipped:
        yield named, Answer(made={"skipped": skipped})


def convert_entry(entry: Record | Broken, pipeline: Pipeline[Members]) -> Iterable[tuple[Members, Answer[Members]]]:
    """Return the same for an entry of a file that a broker left, with its file and offset as `id`."""
    named: Members = {"id": f"{entry.file}:{entry.position}"}
    if isinstance(entry, Broken):
        return ((named, Answer(error=entry.error)),)
    try:
        found, skipped = pipeline.read(entry.wire)
    except Exception as error:  # noqa: BLE001 - see library_error
        return ((named, Answer(error=library_error(error))),)
    return _answers(named, found, skipped, pipeline)


def read_line(line: bytes | TooLong, pipeline: Pipeline[Any], named: Members) -> Read:
    """Return the messages of a line, and put its `id`, `index` and `line` into `named` early, for errors."""
    if isinstance(line, TooLong):
        raise line.error()
    if not line or line.isspace():
        return Read([])
    given = parsed(line)
    if not isinstance(given, dict):
        raise DecodeError("bad_json", "expected a JSON object on each line")
    if "id" in given:
        named["id"] = given["id"]
    members = _members(given, pipeline.source)
    if "raw" in members:
        return read_line(_raw(members), pipeline, named)
    named.update({name: members[name] for name in _NUMBERS if name in members})
    if "error" in members:
        if "wire" in members or "message" in members:
            raise DecodeError("bad_json", 'a line has one of "wire", "message" and "error"')
        raise EarlierError(members["error"])
    if "skipped" in members and len(members) == 1 + ("id" in members):
        return Read([])  # a line of an earlier command
    return messages_of(members, pipeline.source, pipeline.read)


def answer_line(named: Members, answer: Answer[Members]) -> bytes:
    """Return an answer as a line: the first members, then the result or the error.

    >>> answer_line({"id": "a"}, Answer(made={"wire": "aGk="}))
    b'{"id":"a","wire":"aGk="}\\n'
    """
    made: Any = answer.made if answer.error is None else {"error": answer.error.as_dict()}
    return written(named | made if named else made)


def written(members: Members) -> bytes:
    # A message and the error of an earlier command may contain floats, and so may an id that is neither text nor an integer.
    floats = not members.keys().isdisjoint(("message", "error")) or members.get("id", "").__class__ not in (str, int)
    return write_json(members, floats=floats) + b"\n"


def shown(conversion: Conversion, fields: tuple[str, ...], writing: Mapping[str, Any] | None = None) -> Members:
    """Return the requested members of an answer; `writing` are options of the target's codec."""
    members: Members = {}
    if "wire" in fields:
        members["wire"] = to_base64(encode(conversion.message, **writing or {}))
    if "message" in fields:
        members["message"] = message_to_json(conversion.message)
    if "report" in fields:
        members["report"] = conversion.report.as_dict()
    return members


def each(values: list[T], work: Callable[[T], S]) -> list[S]:
    """Return the result of `work` for each value. With several values, the field of an error has the index, as in a batch.

    >>> try:
    ...     each([{"protocol": "nsq"}, {"protocol": "nsq", "topic": 5}], message_from_json)
    ... except MessageError as error:
    ...     error.field
    '[1].topic'
    """
    made = []
    for index, value in enumerate(values):
        try:
            made.append(work(value))
        except MessageError as error:
            if len(values) > 1:
                error.field = f"[{index}]" if error.field is None else f"[{index}].{error.field}"
            raise
    return made


def parsed(text: bytes) -> object:
    """Parse strict JSON; DecodeError otherwise, also for numbers outside JSON (NaN, Infinity, 1e999).

    >>> parsed(b'{"id": NaN}')
    Traceback (most recent call last):
        ...
    mqconvert.converters.errors.DecodeError: not JSON: NaN is not a JSON number
    """
    try:
        return read_json(text)
    except UnicodeDecodeError:
        raise DecodeError("bad_json", "not JSON: bytes that are no text in Unicode") from None
    except json.JSONDecodeError as error:
        at = f"line {error.lineno} column {error.colno}" if b"\n" in text.strip() else f"column {error.colno}"
        raise DecodeError("bad_json", f"not JSON: {error.msg}: {at}") from None
    except (ValueError, RecursionError) as error:
        raise DecodeError("bad_json", f"not JSON: {error}") from None


_NUMBERS = ("index", "line")
"""Members that an earlier command wrote, and that a line keeps."""
_KNOWN = {"id", *_NUMBERS, "wire", "message", "report", "error", "skipped", "refused", "raw"}


def _members(given: Members, source: str) -> Members:
    """Return the members of a line. The output of `decode`, `convert` and `move --refused` is also a line: `report` and
    `refused` are ignored, and `raw` is a line that was none, perhaps mended since.
    """
    if _is_message(given, (source,)):
        if "id" in given and "id" not in names(PROTOCOLS[source].message):
            words = 'a message has no field \'id\': a line with an "id" has its message in "message"'
            raise DecodeError("unknown_field", words, field="id", names_field=True)
        return {"message": given}
    refuse_unknown(given, (source,))
    for name in _NUMBERS:
        if name in given and given[name].__class__ is not int:
            raise DecodeError("bad_json", "expected a whole number", field=name)
    return given


def _is_message(given: Members, protocols: Iterable[str]) -> bool:
    """Return whether a line is a message itself: by its protocol, or by fields of these protocols and no member of lines.

    >>> [_is_message(line, ["nsq"]) for line in ({"protocol": "nsq"}, {"wire": "AA=="}, {"unknown": 1}, {})]
    [True, False, False, False]
    """
    if "protocol" in given:
        return True
    if not given.keys().isdisjoint(_KNOWN):
        return False
    return any(not given.keys().isdisjoint(names(PROTOCOLS[one].message)) for one in protocols)


def refuse_unknown(given: Members, protocols: Iterable[str]) -> None:
    """Raise DecodeError for a member that a line does not have, unless it is a message of one of these protocols."""
    if not _is_message(given, protocols) and not given.keys() <= _KNOWN:
        unknown = min(given.keys() - _KNOWN)
        words = f'no member {unknown!r} here: a line has "wire" or "message", and perhaps "id"; or it is a message alone'
        raise DecodeError("unknown_field", words, field=unknown, names_field=True)


def _raw(members: Members) -> bytes:
    """Return the line in `raw`; DecodeError for another value, and beside a message."""
    text = members["raw"]
    if not isinstance(text, str) or not members.keys() <= {"id", "raw", "refused"}:
        raise DecodeError("bad_json", 'expected the text of a line, without "wire" and "message" beside it', field="raw")
    return text.encode("utf-8", "surrogatepass")


def messages_of(
    given: Members, source: str, decode: Callable[[bytes], Read], code: str = "bad_json", what: str = "a line"
) -> Read:
    """Return the messages of an object with either `wire` or `message`; DecodeError `code` otherwise."""
    if ("wire" in given) is ("message" in given):
        raise DecodeError(code, f'{what} has one of "wire" and "message"')
    if "wire" in given:
        raw = unbase64(given["wire"])
        with hinting_hex(given["wire"]):
            made = decode(raw)
        for one in made.found:
            if isinstance(one, DecodeError):
                hint_hex(one, given["wire"])
        return made
    return Read([message_from_json(message_in(given["message"]), source)])


def message_in(form: object) -> object:
    """Return the JSON form of a message, unwrapped from a line of `decode`.

    >>> message_in({"id": 1, "message": {"protocol": "nsq"}})
    {'protocol': 'nsq'}
    """
    inner = form.get("message") if isinstance(form, dict) and "protocol" not in form else None
    return inner if isinstance(inner, dict) and "protocol" in inner else form


_HEX = re.compile(r"(?:[0-9a-fA-F]{2}[\s:]*){4,}")


def hint_hex(error: DecodeError, wire: Any) -> None:
    """Add to the error of a member `wire`, which is base64, that it looks like hex: most hex is base64 of other bytes, too."""
    if isinstance(wire, str) and _HEX.fullmatch(wire):
        error.hint = "This looks like hex, and wire is base64."


@contextmanager
def hinting_hex(wire: Any) -> Iterator[None]:
    """Add the same to a DecodeError raised inside."""
    try:
        yield
    except DecodeError as error:
        hint_hex(error, wire)
        raise


def unbase64(text: Any) -> bytes:
    """Return the bytes of strict base64; DecodeError otherwise."""
    try:
        return from_base64(text)
    except (AttributeError, ValueError):
        hint = ": it looks like hex" if isinstance(text, str) and _HEX.fullmatch(text) else ""
        raise DecodeError("bad_base64", f"wire is not base64{hint}", field="wire", names_field=True) from None
