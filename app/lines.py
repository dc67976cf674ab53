"""One JSON line in, JSON lines out: what the command line's jsonl and the HTTP batch share. Knows no protocol."""

import binascii
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, BinaryIO, TypeVar

from mqconvert import (
    Conversion,
    DecodeError,
    Environment,
    LimitError,
    LossError,
    MessageError,
    MqConvertError,
    converter,
    decode_each,
    encode,
    message_from_json,
    message_to_json,
)

S = TypeVar("S")
T = TypeVar("T")

DEFAULT_MAX_LINE = 64 * 2**20
FIELDS = ("wire", "report", "message")
_CHUNK = 2**16


@dataclass(frozen=True, slots=True)
class Options:
    """The choices of one run, the same for every line."""

    source: str
    target: str
    profile: str = "documented"
    rules: tuple[str, ...] = ()
    environment: Environment = Environment()
    on_loss: str = "report"
    fields: tuple[str, ...] = ("wire", "report")
    reading: Mapping[str, Any] = field(default_factory=dict)
    """Options of the source's codec, for `decode_all`."""
    writing: Mapping[str, Any] = field(default_factory=dict)
    """Options of the target's codec, for `encode`."""
    max_batch: int | None = None
    """How many messages a line may hold, whatever its protocol."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One line out; for those who explain or count, the message and what it became, as far as it came."""

    line: dict[str, Any]
    message: Any = None
    conversion: Conversion | None = None
    error: MqConvertError | None = None

    @property
    def failed(self) -> bool:
        return "error" in self.line


@dataclass(frozen=True, slots=True)
class TooLong:
    """Stands for a line that was longer than allowed and was skipped."""

    limit: int


def read_lines(stream: BinaryIO, max_line: int = DEFAULT_MAX_LINE) -> Iterator[bytes | TooLong]:
    """The lines of a stream; never more than one line of at most `max_line` octets is held.

    >>> from io import BytesIO
    >>> list(read_lines(BytesIO(b"a\\nlong line\\n"), 3))
    [b'a', TooLong(limit=3)]
    """
    while line := stream.readline(max_line + 1):
        if len(line) <= max_line or line.endswith(b"\n"):
            yield line.rstrip(b"\r\n")
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(_CHUNK)  # passed over in pieces: what is too long is not held twice
        yield TooLong(max_line)


def convert_line(line: bytes | TooLong, options: Options) -> Iterator[Answer]:
    """What one input line becomes: an answer for each message it holds, or one error; an empty line nothing."""
    named: dict[str, Any] = {}
    try:
        if isinstance(line, TooLong):
            raise DecodeError("line_too_long", f"a line of more than {line.limit} octets")
        if not line.strip():
            return
        given = _members(parsed(line))
        if "id" in given:
            named = {"id": given["id"]}
        messages = _messages(given, options)
        several = len(messages) > 1
        for index, message in enumerate(messages):
            yield answer_of(message, options, named | {"index": index} if several else named)
    except MqConvertError as error:
        yield Answer(named | {"error": error.as_dict()}, error=error)


def answer_of(message: Any, options: Options, named: dict[str, Any]) -> Answer:
    """What one message becomes; `named` are the first members of its line."""
    conversion = None
    try:
        ready = converter(options.source, options.target, profile=options.profile, rules=options.rules)
        conversion = ready.convert(message, options.environment, options.on_loss)
        return Answer(named | shown(conversion, options.fields, options.writing), message, conversion)
    except LossError as error:
        return Answer(named | {"error": error.as_dict()}, message, error.conversion, error)
    except MqConvertError as error:
        return Answer(named | {"error": error.as_dict()}, message, conversion, error)


def shown(conversion: Conversion, fields: tuple[str, ...], writing: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The members of an answer that were asked for; `writing` are options of the target's codec."""
    members: dict[str, Any] = {}
    if "wire" in fields:
        members["wire"] = binascii.b2a_base64(encode(conversion.message, **writing or {}), newline=False).decode()
    if "message" in fields:
        members["message"] = message_to_json(conversion.message)
    if "report" in fields:
        members["report"] = conversion.report.as_dict()
    return members


def each(values: list[T], work: Callable[[T], S]) -> list[S]:
    """What `work` gives for each; where there are several, the field of an error says for which, as that of a batch does.

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


def parsed(text: bytes) -> Any:
    """Strict JSON; DecodeError for anything else, numbers that JSON cannot write (NaN, Infinity, 1e999) among it.

    >>> parsed(b'{"id": NaN}')
    Traceback (most recent call last):
        ...
    mqconvert.converters.errors.DecodeError: not JSON: NaN is no number of JSON
    """
    try:
        return json.loads(text, **STRICT)
    except (ValueError, RecursionError) as error:
        raise DecodeError("bad_json", f"not JSON: {error}") from None


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number of JSON")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"{text} is too large a number")
    return number


STRICT: dict[str, Any] = {"parse_constant": _no_number, "parse_float": _finite}
"""What keeps `json` from taking numbers that it could not write."""


def _members(given: Any) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise DecodeError("bad_json", "a line is a JSON object")
    unknown = set(given) - {"id", "wire", "message"}
    if unknown:
        words = f'no member {min(unknown)!r} here: a line has "wire" or "message", and perhaps "id"'
        raise DecodeError("unknown_field", words, field=min(unknown))
    return given


def _messages(given: dict[str, Any], options: Options) -> list[Any]:
    if ("wire" in given) is ("message" in given):
        raise DecodeError("bad_json", 'a line has one of "wire" and "message"')
    if "message" in given:
        return [message_from_json(given["message"], options.source)]
    return within(decode_each(options.source, unbase64(given["wire"]), **options.reading), options.max_batch)


def within(messages: Iterable[T], max_batch: int | None, field: str = "wire") -> list[T]:
    """Return the messages; LimitError `too_many` as soon as there are more than `max_batch`.

    >>> within(iter("ab"), 2), within("ab", None)
    (['a', 'b'], ['a', 'b'])
    """
    found = list(messages if max_batch is None else islice(messages, max_batch + 1))
    if max_batch is not None and len(found) > max_batch:
        raise LimitError("too_many", f"more than {max_batch} messages in one value", limit="max_batch", field=field)
    return found


def unbase64(text: Any) -> bytes:
    """Strict base64; DecodeError for anything else."""
    try:
        return binascii.a2b_base64(text.encode("ascii"), strict_mode=True)
    except (AttributeError, ValueError):
        raise DecodeError("bad_base64", "wire is not base64", field="wire") from None
