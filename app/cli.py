"""The command line: its arguments and exit statuses. commands.py does the work."""

import argparse
import io
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, get_args

import mqconvert
from mqconvert import MqConvertError, NoRouteError, RuleTableError
from mqconvert.app import commands as run
from mqconvert.app import examples
from mqconvert.app.inputs import INPUTS, PARQUET
from mqconvert.app.lines import DEFAULT_MAX_LINE, FIELDS, FORMATS
from mqconvert.app.options import (
    ADDRESSING,
    AUTO,
    FORECAST,
    OUR_PROTOCOLS,
    TABLES,
    add_codec_option,
    add_options,
    add_protocol,
    number,
    protocol_or_auto,
)
from mqconvert.app.parser import Parser, invalid_choice
from mqconvert.app.terminal import CommandError, tell, tell_os_error
from mqconvert.app.texts import TEXTS
from mqconvert.compiled import RUNNING
from mqconvert.converters.choices import OPTIONS
from mqconvert.converters.columns import Encoding
from mqconvert.converters.readers import MODULES, formats

WRONG_USAGE = ("bad_option", "bad_usage", "missing_column", "wrong_column_type", "column_taken")
"""Codes of errors in what was asked for, where others are of the input."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status is 0, 1 if some input failed, 2 for wrong usage."""
    if sys.stderr is None:  # stderr is closed: Python would print errors on stdout
        sys.stderr = open(os.devnull, "w")  # noqa: PTH123, SIM115 - stays open until the process ends
    if sys.stdin is None or sys.stdout is None:
        tell(CommandError("standard input and output must be open"))
        return run.USAGE
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # like stderr: the terminal's encoding may lack characters
    errors = "text"
    try:
        chosen = _parsed(arguments)
        errors = chosen.errors
        status: int = chosen.run(chosen)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of stdout has gone; Python would report it again when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return run.SOME_FAILED
    except KeyboardInterrupt:
        return 130
    except MqConvertError as error:
        if error.code == "internal":
            raise  # a defect: show its traceback
        tell(error, errors)
        wrong_usage = isinstance(error, (NoRouteError, RuleTableError)) or error.code in WRONG_USAGE
        return run.USAGE if wrong_usage else run.SOME_FAILED
    except OSError as error:
        tell_os_error(error, errors)
        return run.SOME_FAILED if isinstance(error, ChildProcessError) else run.USAGE
    return status


def _parsed(arguments: Sequence[str] | None) -> Any:
    """Parse arguments like `parse_args`, but with INPUT anywhere.

    Before Python 3.13, argparse treats an optional second positional argument as absent unless it directly follows the first.
    """
    given = sys.argv[1:] if arguments is None else arguments
    completing = "_ARGCOMPLETE" in os.environ
    # The program's own options have no values, so the first other word is the command.
    program = parser(None if completing else next((word for word in given if not word.startswith("-")), None))
    if not given and not completing:
        program.print_help()
        program.exit()
    if completing:  # a shell asks for completions (see `mqconvert completion`)
        import argcomplete  # noqa: PLC0415 - an extra

        argcomplete.autocomplete(program)
    chosen, left = program.parse_known_args(arguments)
    for name in ("protocol", "input"):
        if name in chosen and getattr(chosen, name) is None:
            plain = left[1:] if left[:1] == ["--"] else [word for word in left[:1] if word == "-" or not word.startswith("-")]
            setattr(chosen, name, plain[0] if plain else None)
            left = left[left.index(plain[0]) + 1 :] if plain else left
    if "protocol" in chosen:
        _place_protocol(chosen)
    if "input" in chosen:
        chosen.input = chosen.input or "-"
    if left:
        chosen.parser.error(f"unrecognized arguments: {' '.join(left)}")
    return chosen


def _place_protocol(chosen: Any) -> None:
    """Take the first word of `decode` as its input if it names a file and no protocol."""
    word = chosen.protocol or AUTO
    try:
        chosen.protocol = protocol_or_auto(word)
    except argparse.ArgumentTypeError as error:
        if chosen.input is not None or not (word == "-" or Path(word).exists()):
            missing = "" if chosen.input is not None else f"there is no file {word!r}; "
            chosen.parser.error(f"{missing}argument PROTOCOL: {error}")
        chosen.protocol, chosen.input = AUTO, word


_DESCRIPTION = """\
Convert messages between broker protocols from one rule table, with an account of every field.

Exit status: 0 on success, 1 when some input failed (of batch: when the job failed), 2 for wrong usage."""


def parser(only: str | None = None) -> Parser:
    """Return the parser of the program with all its commands, or with the arguments of one command alone."""
    program = Parser(
        prog="mqconvert",
        description=_DESCRIPTION,
        examples=examples.PROGRAM,
    )
    program.add_argument("--version", action=_Version, nargs=0, help="show program's version number and exit")
    commands = program.add_subparsers(metavar="COMMAND", required=True)
    for name, (words, add_arguments) in COMMANDS.items():
        command = _command(commands, name, words)
        if only in (None, name):
            add_arguments(command)
    return program


class _Version(argparse.Action):
    """Prints the version, which takes long to look up."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        print(f"mqconvert {mqconvert.__version__}, running {RUNNING}")
        parser.exit()


def _command(commands: "argparse._SubParsersAction[Parser]", name: str, words: str, *, action_of: str | None = None) -> Parser:
    """Add a command, which calls the function of its name in commands.py."""
    key = name if action_of is None else f"{action_of} {name}"
    made = commands.add_parser(name, help=words, description=f"{words[0].upper()}{words[1:]}.", examples=examples.COMMANDS[key])
    words = "errors and notes on standard error as text (default) or as JSON objects"
    made.add_argument("--errors", choices=("text", "json"), default="text", help=words)
    made.set_defaults(run=getattr(run, key.replace(" ", "_"), None))
    return made


# ---- the arguments of each command ------------------------------------------------------------------------------------


def _add_convert(command: Parser) -> None:
    _add_conversion(command)
    words = "format of the output, if it differs from the input; parquet of Parquet files alone"
    command.add_argument("--output-format", choices=(*FORMATS, PARQUET), help=words)
    command.add_argument("--explain", action="store_true", help="print the outcome of every field on standard error")
    words = "members of each JSON output: wire, report, message (default for jsonl: wire,report; for json: all)"
    command.add_argument("--fields", type=_fields, help=words)
    words = "processes for the lines of jsonl, in the same order (default 1)"
    command.add_argument("--jobs", type=partial(number, least=1, most=1024), default=1, metavar="N", help=words)


def _add_explain(command: Parser) -> None:
    _add_conversion(command)
    words = "text (default), or the report with values as one JSON object (json) or one line per message (jsonl)"
    command.add_argument("--output-format", choices=("text", "json", "jsonl"), default="text", help=words)


def _add_decode(command: Parser) -> None:
    words = "protocol of the input (default: the one that the bytes tell)"
    add_protocol(command, "protocol", nargs="?", type=str, help=words)
    _add_text(command)
    _add_column(command)
    words = "write the bytes of each place, too: the message must be alone, and --format json or wire"
    command.add_argument("--spans", action="store_true", help=words)
    _add_format(command)


def _add_encode(command: Parser) -> None:
    add_protocol(command, "protocol", help='protocol of the message; its JSON may omit "protocol"')
    words = "one frame with all messages as one batch, for protocols with batches; decode splits it again"
    command.add_argument("--batch", action="store_true", help=words)
    add_options(command, ADDRESSING)
    _add_format(command)


def _add_frames(command: Parser) -> None:
    add_protocol(command, "protocol", help="protocol of the frames")
    _add_text(command)
    command.add_argument("--encode", action="store_true", help="encode JSON to wire bytes (default: decode wire bytes to JSON)")
    command.add_argument("--format", choices=("jsonl", "json"), default="jsonl", help="a frame per line (default), or an array")
    add_codec_option(command)
    _add_input(command)


def _add_fidelity(command: Parser) -> None:
    _add_pair(command)
    add_options(command, FORECAST)
    command.add_argument("--back", action="store_true", help="include the way back")
    command.add_argument("--format", choices=("text", "json"), default="text", help="a table (default), or JSON")


def _add_batch(command: Parser) -> None:
    from mqconvert.app.batch.options import add_arguments  # noqa: PLC0415 - other commands need none of its options

    add_arguments(command)


def _add_move(command: Parser) -> None:
    words = "PROTOCOL://HOST?KEY=VALUE, PROTOCOL:FILE with JSON lines, or FORMAT:PATH of files that a broker left"
    command.add_argument("source", metavar="SOURCE", help=f"{words} ({', '.join(MODULES)})")
    words = "PROTOCOL://HOST?KEY=VALUE, whose values may have places of the source's message, or PROTOCOL:FILE"
    command.add_argument("target", metavar="TARGET", help=words)
    command.add_argument("--follow", action="store_true", help="run until SIGTERM (default: until nothing comes for --idle)")
    words = "seconds without a message after which the move is done (default 5)"
    command.add_argument("--idle", type=partial(number, least=0, most=86400), default=5, metavar="SECONDS", help=words)
    words = "messages in flight (default 500); 1 keeps the order even where the target refuses"
    command.add_argument("--window", type=partial(number, least=1, most=65535), default=500, metavar="N", help=words)
    words = "a refused message: stop (default), appended to FILE, or reject (dead-lettered by the source's broker, or dropped)"
    command.add_argument("--refused", default="stop", metavar="FILE|reject|stop", help=words)
    command.add_argument("--state", metavar="FILE", help="keep the position in a source's file; another run goes on from there")
    command.add_argument("--report", metavar="FILE", help="write the summary as JSON")
    words = "serve /metrics, /healthz and /readyz on 127.0.0.1"
    command.add_argument("--metrics", type=partial(number, least=0, most=65535), metavar="PORT", help=words)
    words = "seconds without an answer of the target after which it is asked anew (default 30)"
    command.add_argument("--timeout", type=partial(number, least=1, most=86400), default=30, metavar="SECONDS", help=words)
    add_options(command, OPTIONS)


def _add_serve(command: Parser) -> None:
    command.add_argument("--host", default="127.0.0.1", help="address to listen on (default 127.0.0.1)")
    words = "port; 0 chooses a free one (default 8000)"
    command.add_argument("--port", type=partial(number, least=0, most=65535), default=8000, help=words)
    words = "worker processes (default: MQCONVERT_WORKERS, or one per processor)"
    command.add_argument("--workers", type=partial(number, least=1, most=1024), help=words)


def _add_rules(command: Parser) -> None:
    actions = command.add_subparsers(metavar="ACTION", required=True)
    add_options(_command(actions, "list", "list the tables in force", action_of="rules"), TABLES)
    check = _command(actions, "check", "check a file with an overlay or tables", action_of="rules")
    check.add_argument("file", metavar="FILE", help="TOML file with the rows")
    add_options(check, TABLES[:1])
    for name, words in (("show", "show a table's rows"), ("source", "show the generated function")):
        action = _command(actions, name, words, action_of="rules")
        add_protocol(action, "source", "SOURCE", help="protocol of the input")
        add_protocol(action, "target", "TARGET", help="protocol of the output")
        add_options(action, TABLES)
        if name == "show":
            action.add_argument("--wide", action="store_true", help="a line for each row (default: as wide as the terminal)")


def _add_completion(command: Parser) -> None:
    command.add_argument("shell", choices=("bash", "zsh", "fish"), help="shell that reads the script")


def _add_nothing(_command: Parser) -> None:
    pass


COMMANDS: dict[str, tuple[str, Callable[[Parser], None]]] = {
    "convert": ("convert messages", _add_convert),
    "explain": ("show the outcome of every field of a message", _add_explain),
    "decode": ("wire bytes to JSON", _add_decode),
    "encode": ("JSON to wire bytes", _add_encode),
    "frames": ("show and build any frame, also commands and responses", _add_frames),
    "fidelity": ("forecast which values survive a conversion", _add_fidelity),
    "protocols": ("list the protocols", _add_nothing),
    "routes": ("list every pair and its tables", _add_nothing),
    "batch": ("convert a data set on Spark", _add_batch),
    "move": ("move messages from a broker or file to another", _add_move),
    "serve": ("run the HTTP service", _add_serve),
    "rules": ("list, show and check rule tables", _add_rules),
    "completion": ("print the completion script of a shell", _add_completion),
}
"""The commands with their help, and the functions that add their arguments."""


def _add_pair(command: argparse.ArgumentParser, *, recognizing: bool = False) -> None:
    """Add `--from` and `--to`; `recognizing` lets the input tell its protocol."""
    words = f"protocol of the input: {OUR_PROTOCOLS}"
    if recognizing:
        more: dict[str, Any] = {
            "default": AUTO,
            "type": protocol_or_auto,
            "help": f"{words} (default: auto, the one that the input tells, lines and Parquet by their first 100 values)",
        }
    else:
        more = {"required": True, "help": words}
    add_protocol(command, "--from", dest="source", **more)
    add_protocol(command, "--to", dest="target", required=True, help="protocol of the output")


def _add_input(command: argparse.ArgumentParser) -> None:
    command.add_argument("input", nargs="?", metavar="INPUT", help="input file; - for standard input (default)")
    command.add_argument("-o", "--output", default="-", help="output file; - for standard output (default)")


def _add_text(command: argparse.ArgumentParser) -> None:
    words = "form of the bytes (default wire): hex with or without separators, base64, or the lines of a hex dump"
    command.add_argument("--input-format", choices=("wire", *TEXTS), default="wire", help=words)


def _add_column(command: argparse.ArgumentParser) -> None:
    words = "column of wire values of a Parquet file, or a field of a struct (default: wire)"
    command.add_argument("--wire-column", default="wire", metavar="NAME", help=words)
    words = "what that column holds: bytes (binary, the default), or text (base64, hex)"
    command.add_argument("--encoding", choices=get_args(Encoding), default="binary", help=words)


def _add_conversion(command: argparse.ArgumentParser) -> None:
    """Add the options that `convert` and `explain` share."""
    _add_pair(command, recognizing=True)
    add_options(command, OPTIONS)
    _add_column(command)
    command.add_argument("--redact", action="store_true", help="hide values in explanations (keys of maps stay)")
    words = "explanations with longer values and lines of tables (default: as wide as the terminal)"
    command.add_argument("--wide", action="store_true", help=words)
    words = (
        f"format of the input, if it differs from the output: {', '.join(INPUTS)}, {PARQUET}; "
        f"or that of files that a broker left: {', '.join(MODULES)}"
    )
    command.add_argument("--input-format", choices=(*INPUTS, PARQUET, *formats()), metavar="FORMAT", help=words)
    _add_format(command)


def _add_format(command: argparse.ArgumentParser) -> None:
    words = "format of input and output: the command's own (default), one message in JSON, or JSON lines"
    command.add_argument("--format", choices=FORMATS, default="wire", help=words)
    words = "maximum jsonl line in bytes (default 64 MiB; memory for a line is about seven times its size)"
    command.add_argument("--max-line", type=partial(number, least=1, most=2**40), default=DEFAULT_MAX_LINE, help=words)
    add_codec_option(command)
    _add_input(command)


def _fields(text: str) -> tuple[str, ...]:
    fields = tuple(text.split(","))
    if unknown := [name for name in fields if name not in FIELDS]:
        raise argparse.ArgumentTypeError(f"takes names separated by commas: {invalid_choice(unknown[0], FIELDS)}")
    return fields
