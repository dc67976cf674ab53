"""What each command does: it reads, asks the library, and writes. cli.py has the arguments."""

import contextlib
import json
import os
import re
import stat
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import IO, Any, BinaryIO

from mqconvert import (
    PROTOCOLS,
    DecodeError,
    Environment,
    LossError,
    check_rules,
    converter,
    decode_all,
    decode_frames,
    encode_batch,
    encode_frame,
    explained,
    frame_from_json,
    frame_to_json,
    generated_source,
    message_from_json,
    message_to_json,
    options_for,
    rule_tables,
)
from mqconvert import encode as encode_message
from mqconvert import fidelity as forecast_of
from mqconvert import routes as all_routes
from mqconvert.app.lines import FIELDS, STRICT, Answer, Options, answer_of, convert_line, each, parsed, read_lines, shown
from mqconvert.app.options import codec_option, environment_of

OK, SOME_FAILED, USAGE = 0, 1, 2


@contextlib.contextmanager
def _input(name: str) -> Iterator[BinaryIO]:
    if name == "-":
        yield sys.stdin.buffer
    else:
        with open(name, "rb") as file:  # noqa: PTH123 - `-` and names alike
            yield file


@contextlib.contextmanager
def _output(name: str) -> Iterator[IO[bytes]]:
    if name == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    else:
        with open(name, "wb") as file:  # noqa: PTH123 - `-` and names alike
            yield file


def _encoded(text: str, name: str) -> bytes:
    """Text for a person: in the encoding of standard output, where it goes there and may be no UTF-8."""
    return text.encode(sys.stdout.encoding if name == "-" else "utf-8", "backslashreplace")


def _write(name: str, octets: bytes) -> None:
    with _output(name) as out:
        out.write(octets)


def usage(problem: str) -> int:
    print(f"mqconvert: {problem}", file=sys.stderr)
    return USAGE


def convert(chosen: Any) -> int:
    if chosen.format == "wire" and chosen.fields not in (None, ("wire",)):
        return usage("--fields chooses the members of JSON: it needs --format json or jsonl")
    options = _options(chosen, chosen.fields or ("wire", "report"))
    ready = converter(options.source, options.target, profile=options.profile, rules=options.rules)
    if chosen.format == "jsonl":
        return _lines(chosen, options, _answered_and_explained if chosen.explain else _answered)
    messages = _read(chosen, options)
    if len(messages) > 1:
        return usage(f"the input holds {len(messages)} messages; convert several with --format jsonl")
    try:
        conversion = ready.convert(messages[0], options.environment, options.on_loss)
    except LossError as error:
        if chosen.explain:
            told = explained(messages[0], error.conversion, redact=chosen.redact, environment=options.environment)
            print(told, file=sys.stderr)
        raise
    if chosen.explain:
        told = explained(messages[0], conversion, redact=chosen.redact, environment=options.environment)
        print(told, file=sys.stderr)
    if chosen.format == "json":
        members = shown(conversion, chosen.fields or FIELDS, options.writing)
        octets = json.dumps(members, allow_nan=False, indent=2).encode() + b"\n"
    else:
        octets = encode_message(conversion.message, **options.writing)
    _write(chosen.output, octets)
    return OK


def explain(chosen: Any) -> int:
    options = _options(chosen, ())
    converter(options.source, options.target, profile=options.profile, rules=options.rules)  # one answer, not many lines
    if chosen.format == "jsonl":
        return _lines(chosen, options, _explained)
    messages = _read(chosen, options)
    several = len(messages) > 1
    status = OK
    with _output(chosen.output) as out:
        for index, message in enumerate(messages):
            answer = answer_of(message, options, {"index": index} if several else {})
            _explained(answer, out, chosen, options.environment)
            if answer.failed:
                status = SOME_FAILED
    return status


def decode(chosen: Any) -> int:
    reading, _ = options_for(chosen.protocol, None, _codec_options(chosen))
    if chosen.format == "jsonl":
        return _lines(chosen, Options(chosen.protocol, chosen.protocol, fields=("message",), reading=reading), _answered)
    with _input(chosen.input) as stream:
        messages = decode_all(chosen.protocol, stream.read(), **reading)
    if chosen.format == "json" and len(messages) > 1:
        return usage(f"the input holds {len(messages)} messages; without --format json each is a line")
    indent = 2 if chosen.format == "json" else None
    texts = [json.dumps(message_to_json(message), allow_nan=False, indent=indent) for message in messages]
    _write(chosen.output, "".join(f"{text}\n" for text in texts).encode())
    return OK


def encode(chosen: Any) -> int:
    if chosen.batch and chosen.format == "jsonl":
        return usage("--batch makes one frame of all messages: not with --format jsonl, which answers line by line")
    _, writing = options_for(None, chosen.protocol, _codec_options(chosen))
    if chosen.format == "jsonl":
        return _lines(chosen, Options(chosen.protocol, chosen.protocol, fields=("wire",), writing=writing), _answered)
    with _input(chosen.input) as stream:
        given = _json_values(stream.read(), "message")
    messages = each(given, lambda form: message_from_json(form, chosen.protocol))
    if chosen.batch:
        octets = encode_batch(messages, **writing)
    elif chosen.format == "json" and len(messages) > 1:
        return usage(f"the input holds {len(messages)} messages; without --format json they are written one after another")
    else:
        octets = b"".join(each(messages, lambda message: encode_message(message, **writing)))
    _write(chosen.output, octets)
    return OK


def _options(chosen: Any, fields: tuple[str, ...]) -> Options:
    environment = environment_of(chosen)
    reading, writing = options_for(chosen.source, chosen.target, _codec_options(chosen))
    rules = tuple(chosen.rules)
    return Options(chosen.source, chosen.target, chosen.profile, rules, environment, chosen.on_loss, fields, reading, writing)


def _codec_options(chosen: Any) -> dict[str, str | int | bool]:
    return dict(map(codec_option, chosen.option))


def _read(chosen: Any, options: Options) -> list[Any]:
    """The messages of the input, which is in the chosen format as the output is."""
    with _input(chosen.input) as stream:
        data = stream.read()
    if chosen.format != "json":
        return decode_all(options.source, data, **options.reading)
    try:
        return [message_from_json(parsed(data), options.source)]
    except DecodeError as error:
        if error.kind != "bad_json" or data.lstrip()[:1] == b"{":
            raise
        raise DecodeError("bad_json", f"{error.message} (--format json is the form of the input too)") from None


_dumps = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


def _answered(answer: Answer, out: IO[bytes], _chosen: Any, _environment: Environment) -> None:
    out.write(_dumps(answer.line).encode() + b"\n")


def _answered_and_explained(answer: Answer, out: IO[bytes], chosen: Any, environment: Environment) -> None:
    if answer.conversion is not None:
        text = explained(answer.message, answer.conversion, redact=chosen.redact, environment=environment)
        print(text, file=sys.stderr)
    _answered(answer, out, chosen, environment)


def _explained(answer: Answer, out: IO[bytes], chosen: Any, environment: Environment) -> None:
    if answer.conversion is not None:
        text = explained(answer.message, answer.conversion, redact=chosen.redact, environment=environment)
        out.write(_encoded(f"{text}\n", chosen.output))
    if answer.failed:
        print(f"mqconvert: {_dumps(answer.line)}", file=sys.stderr)


def _lines(chosen: Any, options: Options, write: Callable[[Answer, IO[bytes], Any, Environment], None]) -> int:
    """Line by line in constant memory; the exit status is 1 where some line failed."""
    if _one_file(chosen.input, chosen.output):
        return usage(f"{chosen.output} is the input: it would be emptied or written to while it is read")
    status = OK
    progress = _Progress()
    with _input(chosen.input) as stream, _output(chosen.output) as out:
        for line in read_lines(stream, chosen.max_line):
            for answer in convert_line(line, options):
                write(answer, out, chosen, options.environment)
                if answer.failed:
                    status = SOME_FAILED
            progress.step()
    progress.end()
    return status


def _one_file(source: str, target: str) -> bool:
    """Whether the input is the output, by whatever names or redirections; terminals and pipes may well be both."""
    try:
        read = os.fstat(sys.stdin.fileno()) if source == "-" else Path(source).stat()
        written = os.fstat(sys.stdout.fileno()) if target == "-" else Path(target).stat()
    except OSError:
        return False  # one of them is not there yet
    return stat.S_ISREG(read.st_mode) and os.path.samestat(read, written)


class _Progress:
    """Lines so far and their rate, once a second, on a terminal only."""

    def __init__(self) -> None:
        self.shown = sys.stderr.isatty()
        self.lines = 0
        self.start = self.last = time.monotonic()

    def step(self) -> None:
        self.lines += 1
        if self.shown and self.lines % 1024 == 0 and time.monotonic() - self.last > 1:
            self.last = time.monotonic()
            rate = self.lines / (self.last - self.start)
            print(f"\r{self.lines:,} lines, {rate:,.0f} a second", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self.shown and self.last > self.start:
            print(file=sys.stderr)


def frames(chosen: Any) -> int:
    options = _codec_options(chosen)
    with _input(chosen.input) as stream:
        data = stream.read()
    if chosen.encode:
        made = each(_json_values(data, "frame"), partial(frame_from_json, chosen.protocol))
        octets = b"".join(each(made, lambda frame: encode_frame(chosen.protocol, frame, **options)))
    else:
        frames = decode_frames(chosen.protocol, data, **options)
        written = [frame_to_json(chosen.protocol, frame) for frame in frames]
        texts, indent = ([written], 2) if chosen.format == "json" else (written, None)
        octets = b"".join(json.dumps(text, allow_nan=False, indent=indent).encode() + b"\n" for text in texts)
    _write(chosen.output, octets)
    return OK


def _json_values(data: bytes, what: str) -> list[Any]:
    """What `frames` writes, in either format: one JSON object after another, or arrays of them; at least one of `what`."""
    read, skip, at = json.JSONDecoder(**STRICT).raw_decode, re.compile(r"\s*").match, 0
    values: list[Any] = []
    try:
        text = data.decode(json.detect_encoding(data)).strip()  # as json.loads has it: with or without a byte order mark
        while at < len(text):
            found, at = read(text, at)
            values.extend(found if isinstance(found, list) else [found])
            at = skip(text, at).end()  # type: ignore[union-attr]  # \s* matches anywhere
    except (ValueError, RecursionError) as error:
        raise DecodeError("bad_json", f"not JSON: {error}") from None
    if not values:
        raise DecodeError("bad_json", f"no {what}")
    return values


def fidelity(chosen: Any) -> int:
    forecast = forecast_of(chosen.source, chosen.target, back=chosen.back, profile=chosen.profile, rules=chosen.rules)
    print(json.dumps(forecast.as_dict(), indent=2) if chosen.format == "json" else forecast)
    return OK


def serve(chosen: Any) -> int:
    try:
        from mqconvert.app.http.server import serve  # noqa: PLC0415 - an extra, and slow to import
    except ImportError as error:
        return usage(f"the service needs its extra ({error}): pip install 'mqconvert[http]'")
    serve(chosen.host, chosen.port)
    return OK


def batch(chosen: Any) -> int:
    try:
        from mqconvert.app.batch.command import command  # noqa: PLC0415 - an extra, and slow to import
    except ImportError as error:
        return usage(f"the Spark job needs its extra ({error}): pip install 'mqconvert[spark]'")
    status: int = command(chosen)
    return status


def protocols(_chosen: Any) -> int:
    for protocol in PROTOCOLS.values():
        print(f"{protocol.name:12} {protocol.title}")
    return OK


def routes(_chosen: Any) -> int:
    for route in all_routes():
        print(route)
    return OK


def rules_list(chosen: Any) -> int:
    for table in rule_tables(chosen.profile, chosen.rules):
        print(f"{table.name:28} {len(table.rules):3} rules {len(table.types):3} types  {table.hash}  {table.file}")
    return OK


def rules_show(chosen: Any) -> int:
    ready = converter(chosen.source, chosen.target, profile=chosen.profile, rules=tuple(chosen.rules))
    for table in ready.route.legs:
        print(table)
    return OK


def rules_source(chosen: Any) -> int:
    print(generated_source(chosen.source, chosen.target, profile=chosen.profile, rules=chosen.rules))
    return OK


def rules_check(chosen: Any) -> int:
    check_rules(chosen.file)
    print(f"{chosen.file}: good")
    return OK
