"""One JSON line in, JSON lines out: what the command line's jsonl and the HTTP batch share. Knows no protocol."""

import binascii
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from mqconvert import (
    Conversion,
    DecodeError,
    Environment,
    MqConvertError,
    converter,
    decode_all,
    encode,
    explained,
    message_from_json,
    message_to_json,
)

DEFAULT_MAX_LINE = 64 * 2**20
FIELDS = ("wire", "report", "message")


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
    explain: bool = False
    redact: bool = False


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
            line = stream.readline(max_line + 1)
        yield TooLong(max_line)


def convert_line(line: bytes | TooLong, options: Options) -> Iterator[tuple[dict[str, Any], str | None]]:
    """What one input line becomes: a result for each message it holds, or one error; an empty line nothing.

    Beside each result stands its explanation, where `options.explain` asks for one.
    """
    named: dict[str, Any] = {}
    try:
        if isinstance(line, TooLong):
            raise DecodeError("line_too_long", f"a line of more than {line.limit} octets")
        if not line.strip():
            return
        given = _parsed(line)
        if "id" in given:
            named = {"id": given["id"]}
        messages = _messages(given, options.source)
        several = len(messages) > 1
        for index, message in enumerate(messages):
            place = named | {"index": index} if several else named
            try:
                conversion = _convert(message, options)
                result = place | shown(conversion, options.fields)
            except MqConvertError as error:
                yield place | {"error": error.as_dict()}, None
                continue
            yield result, explained(message, conversion, redact=options.redact) if options.explain else None
    except MqConvertError as error:
        yield named | {"error": error.as_dict()}, None


def _convert(message: Any, options: Options) -> Conversion:
    ready = converter(options.source, options.target, profile=options.profile, rules=options.rules)
    return ready.convert(message, options.environment, options.on_loss)


def shown(conversion: Conversion, fields: tuple[str, ...]) -> dict[str, Any]:
    """The members of an answer that were asked for."""
    members: dict[str, Any] = {}
    if "wire" in fields:
        members["wire"] = binascii.b2a_base64(encode(conversion.message), newline=False).decode()
    if "message" in fields:
        members["message"] = message_to_json(conversion.message)
    if "report" in fields:
        members["report"] = conversion.report.as_dict()
    return members


def _parsed(line: bytes) -> dict[str, Any]:
    try:
        given = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise DecodeError("bad_json", f"not JSON: {error}") from None
    if not isinstance(given, dict):
        raise DecodeError("bad_json", "a line is a JSON object")
    unknown = set(given) - {"id", "wire", "message"}
    if unknown:
        raise DecodeError("unknown_field", f"no member {min(unknown)!r} here", field=min(unknown))
    return given


def _messages(given: dict[str, Any], source: str) -> list[Any]:
    if ("wire" in given) is ("message" in given):
        raise DecodeError("bad_json", 'a line has one of "wire" and "message"')
    if "message" in given:
        return [message_from_json(given["message"], source)]
    return decode_all(source, unbase64(given["wire"]))


def unbase64(text: Any) -> bytes:
    """Strict base64; DecodeError for anything else."""
    try:
        return binascii.a2b_base64(text.encode("ascii"), strict_mode=True)
    except (AttributeError, ValueError):
        raise DecodeError("bad_base64", "wire is not base64", field="wire") from None
