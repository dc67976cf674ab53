"""The reference pages of the public names, from their docstrings, and of the command line, from its parser."""

import argparse
import inspect
import re
import textwrap
from collections.abc import Iterator
from typing import Any

import mqconvert
from mqconvert.app.cli import parser
from mqconvert.app.parser import Parser

_API = """# Python

Written from the docstrings by `make generate`. These names are stable; modules below `mqconvert.converters` and `mqconvert.app`
are not. Message classes are in `mqconvert.messages`, one module a protocol; adapters for client libraries are in
`mqconvert.clients` ([embedding](embedding.md)); the parts for a protocol of your own are in `mqconvert.plugin`
([add a protocol](protocol.md)).
"""
_WIDTH = 100
_GROUPS = {
    "Convert": (
        "convert", "converter", "Conversion", "transcode", "Transcoded", "transcode_column", "Environment", "LossPolicy",
    ),
    "Decode and encode": ("decode", "Located", "decode_all", "decode_each", "encode", "encode_batch"),
    "JSON": ("message_to_json", "message_from_json", "json_schema"),
    "Explain and forecast": ("explain", "explained", "explained_json", "Report", "Summary", "fidelity", "Forecast"),
    "Protocols, routes and rules": (
        "Protocol", "routes", "Route", "rule_tables", "RuleTable", "Rule", "check_rules", "generated_source",
    ),
    "Frames": ("decode_frames", "decode_each_frame", "encode_frame", "frame_to_json", "frame_from_json", "has_frames"),
    "Options of codecs": ("options_for", "check_options"),
    "Values": ("TypedValue", "Entry", "Array", "Described", "Decimal091"),
}  # fmt: skip


def api_page() -> str:
    """Return the page of every public function and class, errors last."""
    public = {name: getattr(mqconvert, name) for name in mqconvert.__all__}
    public = {name: value for name, value in public.items() if inspect.isclass(value) or inspect.isfunction(value)}
    errors = [name for name, value in public.items() if inspect.isclass(value) and issubclass(value, Exception)]
    groups = _GROUPS | {"Errors": (*errors, "Remedy")}
    missing = public.keys() - {name for names in groups.values() for name in names}
    if missing:
        raise SystemExit(f"docs/reference.py has no group for {', '.join(sorted(missing))}")
    parts = [_API]
    for title, names in groups.items():
        parts.append(f"## {title}\n")
        parts += [_entry(name, public[name]) for name in names]
    return "\n".join(parts)


def _entry(name: str, value: object) -> str:
    shown = f"```pyi\n{_signature(name, value)}\n```\n\n" if inspect.isfunction(value) else ""
    return f"### {name}\n\n{shown}{_prose(inspect.getdoc(value) or '')}"


def _signature(name: str, function: Any) -> str:
    """Return a function's signature with short names of types; a long one has one line per parameter."""
    signature = inspect.signature(function, eval_str=True, locals={"Message": mqconvert.Message})
    text = re.sub(r"\bmqconvert\.[\w.]*\.|\b(?:collections\.abc|os|typing)\.", "", str(signature))
    text = re.sub(r"(?:Message \| )+OtherMessage", "Message", text)
    text = re.sub(r"<class '([\w.]+)'>", r"\1", text)
    text = re.sub(r"<\w+\.\w+: ('\w+')>", r"\1", text)
    text = text.replace(
        "environment: Environment = " + repr(mqconvert.Environment()), "environment: Environment = Environment()"
    )
    if len(name) + len(text) < _WIDTH:
        return f"def {name}{text}"
    given, _, answer = text[1:].rpartition(") -> ")
    return "\n".join([f"def {name}(", *(f"    {one}," for one in re.split(_NEXT, given)), f") -> {answer}"])


_NEXT = r", (?=\w+: |\*)"
"""Matches between two parameters of a signature, but not a comma inside a type or a value."""


def _prose(docstring: str) -> str:
    """Return a docstring with its doctests and indented parts in fences."""
    parts: list[str] = []
    for block in re.split(r"\n\n+", docstring):
        if block.startswith(">>>"):
            parts.append(f"```pycon\n{block}\n```")
        elif block.startswith("    "):
            parts.append(f"```text\n{textwrap.dedent(block)}\n```")
        else:
            parts.append(block)
    return "\n\n".join(parts) + "\n"


_COMMANDS = """# Command line

Written from the parser by `make generate`. `mqconvert COMMAND --help` shows the same. Exit status: 0 on success, 1 when
some input failed (of [batch](spark.md#rejects): when the job failed), 2 for wrong usage. Of an option that is given several
times, the last value counts.
[options.md](options.md) has the bounds of the options, and [errors.md](errors.md) the codes of errors.
`mqtt`, `amqp091` and `amqp1` are short for `mqtt-5.0`, `amqp-0.9.1` and `amqp-1.0`.
"""


def command_line_page() -> str:
    """Return the page of every command with its arguments and examples."""
    return "\n".join([_COMMANDS, *_commands(parser())])


def _commands(of: Parser) -> Iterator[str]:
    for command in below(of):
        if not below(command):
            yield _command(command)
        yield from _commands(command)


def below(parser: Parser) -> list[Parser]:
    """Return the parsers of the commands below another."""
    found = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))  # noqa: SLF001 - no other way
    return [command for action in found for command in action.choices.values()]


def _command(command: Parser) -> str:
    rows = [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in arguments(command)]
    table = "\n".join(["| argument | meaning |\n|---|---|", *rows])
    examples = textwrap.dedent(command.examples).rstrip()
    return f"## {command.prog}\n\n{command.description}\n\n{table}\n\n```sh\n{examples}\n```\n"


def arguments(command: Parser) -> list[tuple[str, str]]:
    """Return each argument in its written form, with its help."""
    return [_argument(action) for action in command._actions if action.dest != "help"]  # noqa: SLF001 - as in `below`


def _argument(action: argparse.Action) -> tuple[str, str]:
    known = "|".join(map(str, action.choices or ()))
    value = action.metavar if isinstance(action.metavar, str) else known or action.dest.upper()
    if not action.option_strings:
        return f"`{value}`", action.help or ""
    flags = ", ".join(action.option_strings)
    words = (action.help or "").replace("%%", "%")
    return f"`{flags}`" if action.nargs == 0 else f"`{flags} {value}`", f"{words}{' (required)' if action.required else ''}"
