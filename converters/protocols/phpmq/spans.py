"""The bytes of each place of a message of PHPMQ: the packets, each with its header."""

from mqconvert.converters.model.paths import Spans
from mqconvert.converters.model.protocol import not_alone
from mqconvert.converters.protocols.phpmq.kinds import KINDS, PACKETS
from mqconvert.converters.protocols.phpmq.message import Message

_HEADER, _PACKET = 8, 32


def spans(data: bytes, message: Message) -> Spans:
    """Return the bytes of each place of the one message in `data`. DecodeError `no_spans` for others beside it."""
    kind = KINDS[message.frame]
    if not data.startswith(kind.header):
        raise not_alone()
    found: Spans = {"frame": (0, _HEADER)}
    at = _HEADER
    for _ in kind.packets:
        end = at + _PACKET + int(data[at + 3 : at + _PACKET])
        found[PACKETS[int(data[at + 1 : at + 3])]] = at, end
        at = end
    if at != len(data):
        raise not_alone()
    return found
