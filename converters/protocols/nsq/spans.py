"""The bytes of each place of a message of NSQ: a message frame, or a PUB, DPUB or MPUB of one message."""

from itertools import accumulate, pairwise
from struct import calcsize

from mqconvert.converters.model.paths import Spans
from mqconvert.converters.model.protocol import not_alone
from mqconvert.converters.protocols.nsq.commands import COMMANDS, DELIVERED
from mqconvert.converters.protocols.nsq.message import Message

_SIZE = 4
_BOUNDS = list(accumulate((calcsize(f">{letter}") for letter in DELIVERED.values()), initial=2 * _SIZE))
_DELIVERED = dict(zip(DELIVERED, pairwise(_BOUNDS), strict=True))
"""The fields of a message frame, behind its size and type."""


def spans(data: bytes, message: Message) -> Spans:
    """Return the bytes of each place of the one command or frame in `data`. DecodeError `no_spans` for others beside it."""
    if message.frame == "message":
        found: Spans = _DELIVERED | {"body": (_BOUNDS[-1], len(data))}
        alone = int.from_bytes(data[:_SIZE], "big") == len(data) - _SIZE
    else:
        line = data[: data.find(b"\n")]
        name, *words = line.removesuffix(b"\r").split(b" ")
        command = COMMANDS.get(name.decode("latin-1"))
        found = _parameters(name, words, command.parameters if command is not None else ())
        body = len(line) + 1 + _SIZE * (3 if name == b"MPUB" else 1)  # that of an MPUB has its size and the number of messages
        if name == b"MPUB":
            found["batch_size"] = body - 2 * _SIZE, body - _SIZE
        found["body"] = body, len(data)
        alone = command is not None and body + len(message.body) == len(data)
    if not alone:
        raise not_alone()
    return found


def _parameters(name: bytes, words: list[bytes], parameters: tuple[str, ...]) -> Spans:
    """Return the bytes of the fields in a command's line."""
    at = len(name) + 1
    found: Spans = {}
    for field, word in zip(parameters, words, strict=False):
        found[field] = at, at + len(word)
        at += len(word) + 1
    return found
