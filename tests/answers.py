"""Answers of decoders and conversions to invalid and unusual inputs, to compare compiled modules with sources:
`python -m tests.answers`.
"""

import json
import random
import sys
from collections.abc import Callable, Iterator
from typing import Any

from mqconvert import PROTOCOLS, Environment, MqConvertError, convert, decode_all, encode
from mqconvert.converters.protocols import calls
from tests.converters.protocols.test_decoded_bytes import REPAIRS, seeds
from tests.fuzz import mutated

MESSAGES, MUTATED, PLAIN = 12, 400, 400
ENVIRONMENTS = (
    Environment(),
    Environment(address="t", clock=1),
    Environment("t", payload="envelope", clock=1, frame="message"),
)
PROFILES = ("documented", "rabbitmq-4.0", "rabbitmq-4.3")
CALLS = (
    "decode",
    "decode_all",
    "decode_each",
    "decode_frames",
    "decode_each_frame",
    "encode_frame",
    "frame_to_json",
    "frame_from_json",
)
ARGUMENTS: tuple[tuple[Any, Any], ...] = (
    (5, b""),
    (None, b""),
    (b"nsq", b""),
    ("nope", b""),
    ("nsq", "text"),
    ("nsq", 5),
    ("nsq", None),
)


def inputs(protocol: str) -> list[bytes]:
    """Return every prefix of some short messages of other software, messages with changed bytes, and unchanged ones."""
    draw, known = random.Random(15), seeds(protocol)
    short = [wire for wire in known if len(wire) < 300]
    cut = [wire[:at] for wire in draw.sample(short, MESSAGES) for at in range(len(wire))]
    changed = [mutated(draw, draw.choice(known), known) for _ in range(MUTATED)]
    repaired = [REPAIRS.get(protocol, bytes)(wire) for wire in changed if len(wire) >= 4]
    return cut + changed + repaired + draw.choices(known, k=PLAIN)


def answer(call: Callable[[], Any]) -> str:
    """Return the result of a call, or the error with all its members."""
    try:
        return repr(call())
    except MqConvertError as error:
        return f"{type(error).__name__} {error.as_dict()}"


def answers(protocol: str) -> list[str]:
    """Return the messages, their encoded bytes and conversions, or the errors."""
    found: list[str] = []
    for number, wire in enumerate(inputs(protocol)):
        try:
            messages = decode_all(protocol, wire)
        except MqConvertError as error:
            found.append(f"{type(error).__name__} {error.as_dict()}")
            continue
        found.append(repr(messages))
        for message in messages:
            found.append(answer(lambda: encode(message).hex()))  # noqa: B023 - called at once
            found.append(answer(lambda: converted(message, number)))  # noqa: B023 - as above
    return found


def converted(message: Any, number: int) -> Any:
    """Return the conversion to another protocol, with the choices of that number."""
    target = list(PROTOCOLS)[number % len(PROTOCOLS)]
    done = convert(message, target, profile=PROFILES[number % 3], environment=ENVIRONMENTS[number // 8 % 3])
    return done.message, done.report.as_dict()


def refused_arguments() -> Iterator[str]:
    """Yield the answers of public calls to arguments, most of the wrong type."""
    for name in CALLS:
        for protocol, value in ARGUMENTS:
            yield f"{name} {answer(lambda: getattr(calls, name)(protocol, value))}"  # noqa: B023 - called at once
    for protocol, _ in ARGUMENTS:
        yield answer(lambda: calls.has_frames(protocol))  # noqa: B023 - as above


if __name__ == "__main__":
    json.dump({protocol: answers(protocol) for protocol in PROTOCOLS} | {"calls": list(refused_arguments())}, sys.stdout)
