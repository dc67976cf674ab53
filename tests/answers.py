"""Answers of the decoders to invalid inputs, to compare compiled modules with sources: `python -m tests.answers`."""

import json
import random
import sys

from mqconvert import PROTOCOLS, MqConvertError, decode_all, encode
from tests.converters.protocols.test_decoded_bytes import REPAIRS, seeds
from tests.fuzz import mutated

MESSAGES, MUTATED = 12, 400


def inputs(protocol: str) -> list[bytes]:
    """Yield every prefix of some short messages of other software, and messages with changed bytes."""
    draw, known = random.Random(15), seeds(protocol)
    short = [wire for wire in known if len(wire) < 300]
    cut = [wire[:at] for wire in draw.sample(short, MESSAGES) for at in range(len(wire))]
    changed = [mutated(draw, draw.choice(known), known) for _ in range(MUTATED)]
    return cut + changed + [REPAIRS.get(protocol, bytes)(wire) for wire in changed if len(wire) >= 4]


def answers(protocol: str) -> list[str]:
    """Return the messages and their encoded bytes, or the error with all its members."""
    found = []
    for wire in inputs(protocol):
        try:
            messages = decode_all(protocol, wire)
            found.append(repr(messages))
            found += [encode(message).hex() for message in messages]
        except MqConvertError as error:
            found.append(f"{type(error).__name__} {error.as_dict()}")
    return found


if __name__ == "__main__":
    json.dump({protocol: answers(protocol) for protocol in PROTOCOLS}, sys.stdout)
