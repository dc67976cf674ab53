"""The command line: its arguments, and the exit status of whatever comes of them. commands.py has what they do."""

import argparse
import io
import json
import os
import sys
from collections.abc import Sequence
from functools import partial

import mqconvert
from mqconvert import PROTOCOLS, MqConvertError, NoRouteError, RuleTableError
from mqconvert.app import commands as run
from mqconvert.app.batch.options import add_arguments as add_batch_arguments
from mqconvert.app.lines import DEFAULT_MAX_LINE, FIELDS
from mqconvert.app.options import CLOCK, TABLES, add_options, number
from mqconvert.converters.pipeline import OPTIONS

FORMATS = ("wire", "json", "jsonl")
_EXAMPLES = """examples:
  mqconvert convert --from mqtt-5.0 --to amqp-1.0 publish.bin -o message.bin
  mqconvert convert --from amqp-0.9.1 --to mqtt-5.0 --address t --explain --format jsonl < archive.jsonl
  mqconvert frames nsq session.bin
  mqconvert fidelity --from amqp-1.0 --to mqtt-5.0 --back
  mqconvert rules check mine.toml
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status is 0, 1 when some input failed, 2 for wrong usage."""
    if sys.stderr is None:  # closed: what is printed there must not go to stdout, as Python has it then
        sys.stderr = open(os.devnull, "w")  # noqa: PTH123, SIM115 - for as long as the process lives
    if sys.stdin is None or sys.stdout is None:
        return run.usage("standard input and output must be open")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # as standard error does: keys and notes may not fit a terminal
    chosen = _parsed(arguments)
    try:
        status: int = chosen.run(chosen)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read us has gone; Python would complain once more when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return run.SOME_FAILED
    except KeyboardInterrupt:
        return 130
    except (NoRouteError, RuleTableError, OSError) as error:
        print(f"mqconvert: {error}", file=sys.stderr)
        return run.USAGE
    except MqConvertError as error:
        if error.code == "internal":
            raise  # a defect: its traceback tells more
        print(f"mqconvert: {json.dumps(error.as_dict())}", file=sys.stderr)
        return run.USAGE if error.code == "bad_option" else run.SOME_FAILED
    return status


def _parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """As `parse_args`, but INPUT may stand anywhere: argparse, having met a first positional argument, takes a second one
    that may be absent for absent, unless it follows at once (before Python 3.13).
    """
    parser = _parser()
    chosen, left = parser.parse_known_args(arguments)
    if "input" in chosen and chosen.input is None:
        plain = left[1:] if left[:1] == ["--"] else [word for word in left[:1] if word == "-" or not word.startswith("-")]
        chosen.input = plain[0] if plain else "-"
        left = left[left.index(chosen.input) + 1 :] if plain else left
    if left:
        parser.error(f"unrecognized arguments: {' '.join(left)}")
    return chosen


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="mqconvert",
        description="Convert messages between broker protocols from one rule table, with an account of every field.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"mqconvert {mqconvert.__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    command = commands.add_parser("convert", help="convert messages")
    _add_convert(command)
    command.add_argument("--output-format", choices=FORMATS, help="form of the output, where it is not that of the input")
    command.add_argument("--explain", action="store_true", help="say on standard error what became of every field")
    words = "members of each JSON answer: wire, report, message (default of jsonl: wire,report; of json: all)"
    command.add_argument("--fields", type=_fields, help=words)
    command.set_defaults(run=run.convert)
    command = commands.add_parser("explain", help="say what becomes of every field of a message")
    _add_convert(command)
    command.set_defaults(run=run.explain)
    command = commands.add_parser("decode", help="wire bytes to JSON")
    command.add_argument("protocol", choices=PROTOCOLS)
    _add_format(command)
    command.set_defaults(run=run.decode)
    command = commands.add_parser("encode", help="JSON to wire bytes")
    command.add_argument("protocol", choices=PROTOCOLS)
    words = "one frame with all messages as one batch, where the protocol has batches; decode takes them apart"
    command.add_argument("--batch", action="store_true", help=words)
    add_options(command, CLOCK)
    _add_format(command)
    command.set_defaults(run=run.encode)
    command = commands.add_parser("frames", help="show and build any frame, commands and answers too")
    command.add_argument("protocol", choices=PROTOCOLS)
    command.add_argument("--encode", action="store_true", help="JSON to wire bytes; without it wire bytes to JSON")
    command.add_argument("--format", choices=("jsonl", "json"), default="jsonl", help="a frame a line (default), or one array")
    _add_codec_option(command)
    _add_input(command)
    command.set_defaults(run=run.frames)
    command = commands.add_parser("fidelity", help="forecast what survives, without a message")
    _add_pair(command)
    add_options(command, TABLES)
    command.add_argument("--back", action="store_true", help="there and back again")
    command.add_argument("--format", choices=("text", "json"), default="text")
    command.set_defaults(run=run.fidelity)
    commands.add_parser("protocols", help="list the protocols").set_defaults(run=run.protocols)
    commands.add_parser("routes", help="list every pair and its tables").set_defaults(run=run.routes)
    command = commands.add_parser("batch", help="convert a data set on Spark")
    add_batch_arguments(command)
    command.set_defaults(run=run.batch)
    command = commands.add_parser("serve", help="run the HTTP service")
    command.add_argument("--host", default="127.0.0.1")
    command.add_argument(
        "--port", type=partial(number, least=0, most=65535), default=8000, help="0 takes a free one (default 8000)"
    )
    words = "worker processes (default: MQCONVERT_WORKERS, or one a processor)"
    command.add_argument("--workers", type=partial(number, least=1, most=1024), help=words)
    command.set_defaults(run=run.serve)
    _add_rules(commands.add_parser("rules", help="list, show and check rule tables"))
    return parser


def _add_pair(command: argparse.ArgumentParser) -> None:
    command.add_argument("--from", dest="source", required=True, choices=PROTOCOLS, help="protocol of the input")
    command.add_argument("--to", dest="target", required=True, choices=PROTOCOLS, help="protocol of the output")


def _add_input(command: argparse.ArgumentParser) -> None:
    command.add_argument("input", nargs="?", metavar="INPUT", help="a file, - for standard input (default)")
    command.add_argument("-o", "--output", default="-", help="a file, - for standard output (default)")


def _add_convert(command: argparse.ArgumentParser) -> None:
    """What `convert` and `explain` share."""
    _add_pair(command)
    add_options(command, OPTIONS)
    command.add_argument("--redact", action="store_true", help="keep values out of explanations (keys of maps stay)")
    command.add_argument("--input-format", choices=FORMATS, help="form of the input, where it is not that of the output")
    _add_format(command)


def _add_format(command: argparse.ArgumentParser) -> None:
    words = "wire bytes or JSON as the command has it (default), one message in JSON, or JSON lines: of input and output"
    command.add_argument("--format", choices=FORMATS, default="wire", help=words)
    words = "the longest jsonl line in bytes (default 64 MiB; a line takes some seven times its size in memory)"
    command.add_argument("--max-line", type=partial(number, least=1, most=2**40), default=DEFAULT_MAX_LINE, help=words)
    _add_codec_option(command)
    _add_input(command)


def _add_codec_option(command: argparse.ArgumentParser) -> None:
    words = "an option of the protocol, such as a limit (a wrong NAME lists them); may be repeated"
    command.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help=words)


def _fields(text: str) -> tuple[str, ...]:
    fields = tuple(text.split(","))
    if not set(fields) <= set(FIELDS):
        raise argparse.ArgumentTypeError(f"takes {', '.join(FIELDS)} with commas between")
    return fields


def _add_rules(command: argparse.ArgumentParser) -> None:
    actions = command.add_subparsers(metavar="ACTION", required=True)
    listed = actions.add_parser("list", help="the tables in force")
    add_options(listed, TABLES)
    listed.set_defaults(run=run.rules_list)
    check = actions.add_parser("check", help="check an overlay file")
    check.add_argument("file")
    check.set_defaults(run=run.rules_check)
    for name, function, words in (
        ("show", run.rules_show, "a table's rows"),
        ("source", run.rules_source, "the generated function"),
    ):
        action = actions.add_parser(name, help=words)
        action.add_argument("source", choices=PROTOCOLS)
        action.add_argument("target", choices=PROTOCOLS)
        add_options(action, TABLES)
        action.set_defaults(run=function)
