"""What every command that converts is asked in the same words: the tables, what belongs to the caller, and what a loss does.

And options of codecs, as commands and the service's settings have them.
"""

import argparse
import time
from typing import Any

from mqconvert import PAYLOADS, Environment, LossPolicy
from mqconvert.converters.environment import known_frames


def add_tables(command: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    command.add_argument("--profile", default="documented", help="documented (default), rabbitmq-4.0, rabbitmq-4.3, preserve")
    command.add_argument("--rules", action="append", default=[], metavar="FILE|NAME", help="an overlay; may be repeated")


def add_conversion(command: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """The options from which `environment_of` makes an Environment, and --on-loss."""
    words = "where the message goes: a topic or queue (AMQP messages have none and ignore it)"
    command.add_argument("--address", help=words)
    command.add_argument("--mqtt-exchange", default="amq.topic", help="the exchange behind MQTT topics (default amq.topic)")
    command.add_argument("--payload", choices=PAYLOADS, default="body", help="what NSQ and PHPMQ carry (default body)")
    command.add_argument("--escape", action="store_true", help="write addresses that the target cannot have reversibly")
    words = "the frame to build where a protocol has several (default: as the message says, else the one that sends)"
    command.add_argument("--frame", choices=known_frames(), help=words)
    add_clock(command)
    command.add_argument("--on-loss", choices=tuple(LossPolicy), default="report", help="what a loss does (default report)")


def add_clock(command: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    words = "the time for targets that need one where the message states none: milliseconds since 1970, or now (default)"
    command.add_argument("--clock", type=_clock, default="now", metavar="now|MILLISECONDS", help=words)


def now() -> int:
    """Return the time of day in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def _clock(text: str) -> int:
    if text == "now":
        return now()
    if not (text.isascii() and text.isdigit() and len(text) < 20):
        raise argparse.ArgumentTypeError(f"{text!r} is neither now nor a number of milliseconds")
    return int(text)


def environment_of(chosen: Any) -> Environment:
    """Return the Environment that was chosen; a clock of None is the time of day."""
    return Environment(
        address=chosen.address,
        mqtt_exchange=chosen.mqtt_exchange,
        payload=chosen.payload,
        escape=chosen.escape,
        frame=chosen.frame,
        clock=now() if chosen.clock is None else chosen.clock,
    )


def codec_option(text: str) -> tuple[str, str | int | bool]:
    """NAME=VALUE as an option of a codec, which says what it may be.

    >>> codec_option("limit=3"), codec_option("way=back"), codec_option("strict=false")
    (('limit', 3), ('way', 'back'), ('strict', False))
    """
    name, _, value = text.partition("=")
    number = value.isascii() and value.isdigit() and len(value) < 20
    return name, {"true": True, "false": False}.get(value, int(value) if number else value)
