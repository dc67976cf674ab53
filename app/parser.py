"""An argparse parser with errors on one line that suggest the nearest valid word, and with examples in its help."""

import argparse
import sys
import textwrap
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, NoReturn

from mqconvert.app.terminal import CommandError, tell
from mqconvert.converters.errors import did_you_mean


class Help(argparse.RawDescriptionHelpFormatter):
    """Help whose descriptions fit the terminal, and whose examples are lines to copy."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog)
        self._action_max_length = 16  # argparse of Python 3.11 forgets that names of commands are indented

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if text.startswith("examples"):
            return super()._fill_text(text, width, indent)
        return "\n\n".join(textwrap.fill(paragraph, width) for paragraph in text.split("\n\n"))


class Parser(argparse.ArgumentParser):
    """The parser of the program, and of each command."""

    given: Sequence[str] = ()

    def __init__(self, *, examples: str = "", **more: Any) -> None:
        where = " in a checkout" if "docs/samples" in examples else ""
        epilog = f"examples{where}:\n{examples}" if examples else None
        super().__init__(epilog=epilog, allow_abbrev=False, formatter_class=Help, **more)
        self.set_defaults(parser=self)
        self.examples = examples

    def parse_known_args(self, args: Any = None, namespace: object = None) -> Any:
        self.given = list(sys.argv[1:] if args is None else args)
        return super().parse_known_args(args, namespace)

    def print_help(self, file: Any = None) -> None:
        """Print the help. argparse would ignore that it cannot be written, such as on a full disk."""
        print(self.format_help(), end="", file=file, flush=True)

    def error(self, message: str) -> NoReturn:
        """Exit with status 2 after one line. An unknown option is named before missing arguments."""
        options = [name for action in self._actions for name in action.option_strings]
        words = (word.partition("=")[0] for word in self.given if word.startswith("--") and word != "--")
        unknown = next((word for word in words if word not in options), None)
        if unknown is not None and not self._subparsers:
            message = f"unknown option {unknown}{did_you_mean(unknown, options)}"
        tell(CommandError(f"{message}; {self.prog} --help shows the usage"), form_of_errors(self.given))
        sys.exit(2)

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is not None and value not in action.choices:
            raise argparse.ArgumentError(action, f"{invalid_choice(value, action.choices)}{self._taken_by(action, value)}")

    def _taken_by(self, action: argparse.Action, value: object) -> str:
        """Return the options that end in the same word and take the value, for the end of an error.

        >>> parser = Parser()
        >>> form = parser.add_argument("--format", choices=["json"])
        >>> other = parser.add_argument("--input-format", choices=["json", "hex"])
        >>> parser._taken_by(form, "hex"), parser._taken_by(form, "text")
        ('; --input-format takes hex', '')
        """
        word = "-".join(action.option_strings[:1]).rpartition("-")[2]
        alike = [(name, one) for one in self._actions for name in one.option_strings[:1] if name.endswith(f"-{word}")]
        others = [name for name, one in alike if one.choices is not None and value in one.choices]
        return f"; {' and '.join(others)} {'takes' if len(others) == 1 else 'take'} {value}" if others else ""


def form_of_errors(given: Sequence[str]) -> str:
    """Return the form of errors that the words of a command ask for, which may be unparsed yet.

    >>> form_of_errors(["convert", "--errors", "json", "--bogus"]), form_of_errors(["--topic", "a --errors json"])
    ('json', 'text')
    """
    form = "text"
    for word, after in pairwise([*given, ""]):
        name, _, value = word.partition("=")
        if name == "--errors":
            form = value or after
    return form


def invalid_choice(value: object, choices: Iterable[object]) -> str:
    """Return the error for a value that is not one of the choices.

    >>> invalid_choice("mqtt5", ["mqtt-5.0", "nsq"])
    "invalid choice: 'mqtt5' (did you mean 'mqtt-5.0'?); known: mqtt-5.0, nsq"
    """
    known = list(map(str, choices))
    return f"invalid choice: {value!r}{did_you_mean(str(value), known)}; known: {', '.join(known)}"
