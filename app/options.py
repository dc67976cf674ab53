"""Turn declared options (converters/environment.py) into arguments of commands, and text into options of codecs."""

import argparse
import time
from collections.abc import Callable, Iterable
from typing import Any

from mqconvert.app.parser import invalid_choice
from mqconvert.converters.choices import OPTIONS, Choices, choices_of
from mqconvert.converters.environment import Option
from mqconvert.converters.errors import DecodeError
from mqconvert.converters.protocols import FOLDERS, PROTOCOLS, full_name

TABLES = tuple(one for one in OPTIONS if one.name in ("profile", "rules"))
"""The options that choose tables."""

FORECAST = (*TABLES, *(one for one in OPTIONS if one.name == "payload"))
"""The options of a forecast."""

ADDRESSING = tuple(one for one in OPTIONS if one.name in ("address", "escape", "clock"))
"""The options that fill missing fields of an encoded message."""


def add_options(command: argparse.ArgumentParser | argparse._ArgumentGroup, options: Iterable[Option]) -> None:
    """Add an argument for each option: `--mqtt-exchange` for `mqtt_exchange`."""
    for one in options:
        flag = f"--{(one.flag or one.name).replace('_', '-')}"
        if one.kind is bool:
            command.add_argument(flag, action="store_true", help=one.words)
            continue
        default = one.unset if one.default is None else one.default
        words = one.words if default in (None, (), "") else f"{one.words} (default: {default})"
        more: dict[str, Any] = {"dest": one.name, "default": one.default, "help": words}
        if one.kind is tuple:
            more |= {"action": "append", "default": [], "help": f"{words}; may be repeated"}
        elif isinstance(one.values, tuple):
            more["choices"] = one.values
        else:
            more["type"] = _read(one)
        command.add_argument(flag, metavar=one.metavar or _metavar(one), **more)


def add_codec_option(command: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """Add `--option`, whose values `codec_options` reads."""
    words = "option of the protocol, such as a limit (an unknown NAME lists all); may be repeated"
    command.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help=words)


def _metavar(one: Option) -> str | None:
    known = one.known()
    return "|".join(known) if known is not None else one.unset and f"{one.unset}|NUMBER"


def _read(one: Option) -> Callable[[str], object]:

    def read(text: str) -> object:
        if text == one.unset:
            return None
        return number(text, one.least, one.most) if one.kind is int else one.kind(text)

    return read


AUTO = "auto"
"""The name that stands for the protocol that the input tells."""
OUR_PROTOCOLS = f"{', '.join(FOLDERS)}, or another that `mqconvert protocols` lists"
"""The valid protocols, for help, which does not import those of installed packages."""


def add_protocol(command: argparse.ArgumentParser, name: str, metavar: str = "PROTOCOL", **more: Any) -> None:
    """Add an argument that names a protocol. With `choices` instead, help would import the protocols of installed packages."""
    made: Any = command.add_argument(name, metavar=metavar, **{"type": protocol} | more)
    made.completer = lambda **_: list(PROTOCOLS)  # for argcomplete


def protocol(text: str) -> str:
    """Return the name of a protocol that was typed; ArgumentTypeError for an unknown one.

    >>> protocol("mqtt")
    'mqtt-5.0'
    """
    name: str = full_name(text)
    if name not in PROTOCOLS:
        raise argparse.ArgumentTypeError(invalid_choice(text, PROTOCOLS))
    return name


def protocol_or_auto(text: str) -> str:
    """Return the name of a protocol, or `auto`; ArgumentTypeError for any other word."""
    return text if text == AUTO else protocol(text)


def number(text: str, least: int, most: int | None) -> int:
    """Return a number from decimal digits; ArgumentTypeError otherwise.

    >>> number("8000", 0, 65535)
    8000
    """
    if text.isascii() and text.isdigit() and len(text) <= 20 and least <= int(text) and (most is None or int(text) <= most):
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a number from {least}" + ("" if most is None else f" to {most}"))


def now() -> int:
    """Return the current time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def choices_from(chosen: argparse.Namespace) -> Choices:
    """Return the Choices of parsed arguments; the default clock is the start time."""
    return choices_of(vars(chosen), clock=now())


def codec_options(texts: Iterable[str]) -> dict[str, str | int | bool]:
    """Return the values of NAME=VALUE by name; the codecs declare them. DecodeError `bad_option` for another form.

    >>> codec_options(["limit=3", "way=back", "strict=false"])
    {'limit': 3, 'way': 'back', 'strict': False}
    >>> codec_options(["limit"])
    Traceback (most recent call last):
        ...
    mqconvert.converters.errors.DecodeError: expected an option as NAME=VALUE, got 'limit'
    """
    options: dict[str, str | int | bool] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise DecodeError("bad_option", f"expected an option as NAME=VALUE, got {text!r}")
        number = value.isascii() and value.isdigit() and len(value) < 20
        options[name] = {"true": True, "false": False}.get(value, int(value) if number else value)
    return options
