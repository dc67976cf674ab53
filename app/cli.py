"""The command line: arguments in, text and exit status out. What converts is the library; this only asks it."""

import argparse
import contextlib
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from typing import IO, Any, BinaryIO

from mqconvert import (
    PAYLOADS,
    PROTOCOLS,
    DecodeError,
    Environment,
    LossPolicy,
    MqConvertError,
    NoRouteError,
    RuleTableError,
    check_rules,
    converter,
    decode_all,
    decode_frames,
    encode,
    encode_frame,
    explained,
    fidelity,
    frame_from_json,
    frame_to_json,
    generated_source,
    message_from_json,
    message_to_json,
    routes,
    rule_tables,
)
from mqconvert.app.batch.options import add_arguments as add_batch_arguments
from mqconvert.app.lines import DEFAULT_MAX_LINE, FIELDS, Options, convert_line, read_lines, shown

OK, SOME_FAILED, USAGE = 0, 1, 2
_EXAMPLES = """examples:
  mqconvert convert --from mqtt-5.0 --to amqp-1.0 publish.bin -o message.bin
  mqconvert convert --from amqp-0.9.1 --to mqtt-5.0 --address t --explain --format jsonl < archive.jsonl
  mqconvert frames nsq session.bin
  mqconvert fidelity --from amqp-1.0 --to mqtt-5.0 --back
  mqconvert rules check mine.toml
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status is 0, 1 when some input failed, 2 for wrong usage."""
    parser = _parser()
    chosen = parser.parse_args(arguments)
    try:
        status: int = chosen.run(chosen)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read us has gone; Python would complain once more when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return SOME_FAILED
    except KeyboardInterrupt:
        return 130
    except (NoRouteError, RuleTableError, OSError) as error:
        print(f"mqconvert: {error}", file=sys.stderr)
        return USAGE
    except MqConvertError as error:
        print(f"mqconvert: {json.dumps(error.as_dict())}", file=sys.stderr)
        return SOME_FAILED
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="mqconvert",
        description="Convert messages between broker protocols from one rule table, with an account of every field.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"mqconvert {version('mqconvert')}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    _add_convert(commands.add_parser("convert", help="convert messages"), _convert)
    _add_convert(commands.add_parser("explain", help="say what becomes of every field of a message"), _explain)
    for name, run, words in (("decode", _decode, "wire bytes to JSON"), ("encode", _encode, "JSON to wire bytes")):
        command = commands.add_parser(name, help=words)
        command.add_argument("protocol", choices=PROTOCOLS)
        _add_input(command)
        command.set_defaults(run=run)
    command = commands.add_parser("frames", help="show and build any frame, commands and answers too")
    command.add_argument("protocol", choices=PROTOCOLS)
    command.add_argument("--encode", action="store_true", help="JSON to wire bytes; without it wire bytes to JSON")
    command.add_argument("--format", choices=("jsonl", "json"), default="jsonl", help="a frame a line (default), or one array")
    words = "an option of the protocol, such as a limit; may be repeated"
    command.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help=words)
    _add_input(command)
    command.set_defaults(run=_frames)
    command = commands.add_parser("fidelity", help="forecast what survives, without a message")
    _add_pair(command)
    _add_tables(command)
    command.add_argument("--back", action="store_true", help="there and back again")
    command.add_argument("--format", choices=("text", "json"), default="text")
    command.set_defaults(run=_fidelity)
    commands.add_parser("protocols", help="list the protocols").set_defaults(run=_protocols)
    commands.add_parser("routes", help="list every pair and its tables").set_defaults(run=_routes)
    command = commands.add_parser("batch", help="convert a data set on Spark")
    add_batch_arguments(command)
    command.set_defaults(run=_batch)
    command = commands.add_parser("serve", help="run the HTTP service")
    command.add_argument("--host", default="127.0.0.1")
    command.add_argument("--port", type=int, default=8000)
    command.set_defaults(run=_serve)
    _add_rules(commands.add_parser("rules", help="list, show and check rule tables"))
    return parser


def _add_pair(command: argparse.ArgumentParser) -> None:
    command.add_argument("--from", dest="source", required=True, choices=PROTOCOLS, help="protocol of the input")
    command.add_argument("--to", dest="target", required=True, choices=PROTOCOLS, help="protocol of the output")


def _add_tables(command: argparse.ArgumentParser) -> None:
    command.add_argument("--profile", default="documented", help="documented (default), rabbitmq-4.0 or rabbitmq-4.3")
    command.add_argument("--rules", action="append", default=[], metavar="FILE|NAME", help="an overlay; may be repeated")


def _add_input(command: argparse.ArgumentParser) -> None:
    command.add_argument("input", nargs="?", default="-", metavar="INPUT", help="a file, - for standard input (default)")
    command.add_argument("-o", "--output", default="-", help="a file, - for standard output (default)")


def _add_convert(command: argparse.ArgumentParser, run: Callable[[Any], int]) -> None:
    _add_pair(command)
    _add_tables(command)
    command.add_argument("--address", help="where the message goes: a topic or queue")
    command.add_argument("--mqtt-exchange", default="amq.topic", help="the exchange behind MQTT topics (default amq.topic)")
    command.add_argument("--payload", choices=PAYLOADS, default="body", help="what NSQ and PHPMQ carry (default body)")
    command.add_argument("--escape", action="store_true", help="write addresses that the target cannot have reversibly")
    command.add_argument("--frame", help="the frame to build where a protocol has several: message, record, dispatch")
    command.add_argument("--on-loss", choices=tuple(LossPolicy), default="report", help="what a loss does (default report)")
    command.add_argument("--explain", action="store_true", help="say on standard error what became of every field")
    command.add_argument("--redact", action="store_true", help="keep message content out of explanations")
    command.add_argument("--format", choices=("wire", "json", "jsonl"), default="wire", help="form of input and output")
    command.add_argument("--fields", default="wire,report", help="members of each jsonl answer: wire, report, message")
    command.add_argument("--max-line", type=int, default=DEFAULT_MAX_LINE, help="the longest jsonl line in octets")
    _add_input(command)
    command.set_defaults(run=run)


def _add_rules(command: argparse.ArgumentParser) -> None:
    actions = command.add_subparsers(metavar="ACTION", required=True)
    listed = actions.add_parser("list", help="the tables in force")
    _add_tables(listed)
    listed.set_defaults(run=_rules_list)
    check = actions.add_parser("check", help="check an overlay file")
    check.add_argument("file")
    check.set_defaults(run=_rules_check)
    for name, run, words in (("show", _rules_show, "a table's rows"), ("source", _rules_source, "the generated function")):
        action = actions.add_parser(name, help=words)
        action.add_argument("source", choices=PROTOCOLS)
        action.add_argument("target", choices=PROTOCOLS)
        _add_tables(action)
        action.set_defaults(run=run)


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


def _environment(chosen: Any) -> Environment:
    return Environment(
        address=chosen.address,
        mqtt_exchange=chosen.mqtt_exchange,
        payload=chosen.payload,
        escape=chosen.escape,
        frame=chosen.frame,
        clock=time.time_ns() // 1_000_000,
    )


def _usage(problem: str) -> int:
    print(f"mqconvert: {problem}", file=sys.stderr)
    return USAGE


def _convert(chosen: Any) -> int:
    fields = tuple(chosen.fields.split(","))
    if not set(fields) <= set(FIELDS):
        return _usage(f"--fields takes {', '.join(FIELDS)}")
    if chosen.max_line < 1:
        return _usage("--max-line takes a positive number")
    ready = converter(chosen.source, chosen.target, profile=chosen.profile, rules=tuple(chosen.rules))
    if chosen.format == "jsonl":
        return _convert_lines(chosen, fields)
    with _input(chosen.input) as stream:
        data = stream.read()
    messages = _read(chosen, data)
    if len(messages) > 1:
        return _usage(f"the input holds {len(messages)} messages; convert several with --format jsonl")
    conversion = ready.convert(messages[0], _environment(chosen), chosen.on_loss)
    if chosen.explain:
        print(explained(messages[0], conversion, redact=chosen.redact), file=sys.stderr)
    with _output(chosen.output) as out:
        if chosen.format == "json":
            out.write(json.dumps(shown(conversion, ("message", *fields)), allow_nan=False, indent=2).encode() + b"\n")
        else:
            out.write(encode(conversion.message))
    return OK


def _read(chosen: Any, data: bytes) -> list[Any]:
    if chosen.format != "json":
        return decode_all(chosen.source, data)
    return [message_from_json(_json(data), chosen.source)]


def _json(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise DecodeError("bad_json", f"not JSON: {error}") from None


def _convert_lines(chosen: Any, fields: tuple[str, ...]) -> int:
    options = Options(
        chosen.source,
        chosen.target,
        chosen.profile,
        tuple(chosen.rules),
        _environment(chosen),
        chosen.on_loss,
        fields,
        explain=chosen.explain,
        redact=chosen.redact,
    )
    status = OK
    progress = _Progress()
    dumps = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode
    with _input(chosen.input) as stream, _output(chosen.output) as out:
        for line in read_lines(stream, chosen.max_line):
            for result, explanation in convert_line(line, options):
                out.write(dumps(result).encode() + b"\n")
                if "error" in result:
                    status = SOME_FAILED
                if explanation is not None:
                    print(explanation, file=sys.stderr)
            progress.step()
    progress.end()
    return status


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


def _explain(chosen: Any) -> int:
    ready = converter(chosen.source, chosen.target, profile=chosen.profile, rules=tuple(chosen.rules))
    with _input(chosen.input) as stream:
        messages = _read(chosen, stream.read())
    for message in messages:
        conversion = ready.convert(message, _environment(chosen))
        print(explained(message, conversion, redact=chosen.redact))
    return OK


def _decode(chosen: Any) -> int:
    with _input(chosen.input) as stream:
        messages = decode_all(chosen.protocol, stream.read())
    with _output(chosen.output) as out:
        for message in messages:
            out.write(json.dumps(message_to_json(message), allow_nan=False).encode() + b"\n")
    return OK


def _encode(chosen: Any) -> int:
    with _input(chosen.input) as stream:
        message = message_from_json(_json(stream.read()), chosen.protocol)
    with _output(chosen.output) as out:
        out.write(encode(message))
    return OK


def _frames(chosen: Any) -> int:
    with _input(chosen.input) as stream:
        data = stream.read()
    if chosen.encode:
        octets = b"".join(encode_frame(chosen.protocol, frame_from_json(chosen.protocol, obj)) for obj in _json_values(data))
    else:
        frames = decode_frames(chosen.protocol, data, **dict(map(_option, chosen.option)))
        written = [frame_to_json(chosen.protocol, frame) for frame in frames]
        texts, indent = ([written], 2) if chosen.format == "json" else (written, None)
        octets = b"".join(json.dumps(text, allow_nan=False, indent=indent).encode() + b"\n" for text in texts)
    with _output(chosen.output) as out:
        out.write(octets)
    return OK


def _option(text: str) -> tuple[str, str | int | bool]:
    """
    >>> _option("limit=3"), _option("way=back"), _option("strict=false")
    (('limit', 3), ('way', 'back'), ('strict', False))
    """
    name, _, value = text.partition("=")
    number = value.isascii() and value.isdigit() and len(value) < 20
    return name, {"true": True, "false": False}.get(value, int(value) if number else value)


def _json_values(data: bytes) -> Iterator[Any]:
    """What `frames` writes, in either format: one JSON object after another, or arrays of them."""
    read, skip, at = json.JSONDecoder().raw_decode, re.compile(r"\s*").match, 0
    try:
        text = data.decode().strip()
        while at < len(text):
            found, at = read(text, at)
            yield from found if isinstance(found, list) else [found]
            at = skip(text, at).end()  # type: ignore[union-attr]  # \s* matches anywhere
    except (ValueError, RecursionError) as error:
        raise DecodeError("bad_json", f"not JSON: {error}") from None


def _fidelity(chosen: Any) -> int:
    forecast = fidelity(chosen.source, chosen.target, back=chosen.back, profile=chosen.profile, rules=chosen.rules)
    print(json.dumps(forecast.as_dict(), indent=2) if chosen.format == "json" else forecast)
    return OK


def _serve(chosen: Any) -> int:
    try:
        from mqconvert.app.http.server import serve  # noqa: PLC0415 - an extra, and slow to import
    except ImportError as error:
        return _usage(f"the service needs its extra ({error}): pip install 'mqconvert[http]'")
    serve(chosen.host, chosen.port)
    return OK


def _batch(chosen: Any) -> int:
    try:
        from mqconvert.app.batch.command import command  # noqa: PLC0415 - an extra, and slow to import
    except ImportError as error:
        return _usage(f"the Spark job needs its extra ({error}): pip install 'mqconvert[spark]'")
    status: int = command(chosen)
    return status


def _protocols(_chosen: Any) -> int:
    for protocol in PROTOCOLS.values():
        print(f"{protocol.name:12} {protocol.title}")
    return OK


def _routes(_chosen: Any) -> int:
    for route in routes():
        print(route)
    return OK


def _rules_list(chosen: Any) -> int:
    for table in rule_tables(chosen.profile, chosen.rules):
        print(f"{table.name:28} {len(table.rules):3} rules {len(table.types):3} types  {table.hash}  {table.file}")
    return OK


def _rules_show(chosen: Any) -> int:
    ready = converter(chosen.source, chosen.target, profile=chosen.profile, rules=tuple(chosen.rules))
    for table in ready.route.legs:
        print(table)
    return OK


def _rules_source(chosen: Any) -> int:
    print(generated_source(chosen.source, chosen.target, profile=chosen.profile, rules=chosen.rules))
    return OK


def _rules_check(chosen: Any) -> int:
    check_rules(chosen.file)
    print(f"{chosen.file}: good")
    return OK
