"""Turn declared options (converters/environment.py) into arguments of commands, and text into options of codecs."""

import argparse
import time
from collections.abc import Callable, Iterable
from typing import Any

from mqconvert.converters.choices import OPTIONS, Choices, choices_of
from mqconvert.converters.environment import Option

TABLES = tuple(one for one in OPTIONS if one.name in ("profile", "rules"))
"""The options that choose tables."""

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


def _metavar(one: Option) -> str | None:
    known = one.known()
    return "|".join(known) if known is not None else one.unset and f"{one.unset}|NUMBER"


def _read(one: Option) -> Callable[[str], object]:
    """Return the function that reads the value of an argument."""

    def read(text: str) -> object:
        if text == one.unset:
            return None
        return number(text, one.least, one.most) if one.kind is int else one.kind(text)

    return read


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


def codec_option(text: str) -> tuple[str, str | int | bool]:
    """Return NAME=VALUE as a name and a value; the codec declares the values.

    >>> codec_option("limit=3"), codec_option("way=back"), codec_option("strict=false")
    (('limit', 3), ('way', 'back'), ('strict', False))
    """
    name, _, value = text.partition("=")
    number = value.isascii() and value.isdigit() and len(value) < 20
    return name, {"true": True, "false": False}.get(value, int(value) if number else value)
