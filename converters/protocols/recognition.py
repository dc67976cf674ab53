"""Find the protocols that given wire bytes may be messages of, and where a captured message begins."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from mqconvert.converters.errors import DecodeError, MqConvertError
from mqconvert.converters.protocols import PROTOCOLS
from mqconvert.converters.protocols.calls import decode_each
from mqconvert.converters.protocols.options import options_for


def recognize(data: bytes, options: Mapping[str, object] | None = None) -> list[str]:
    """Return the names of the protocols that `data` may be messages of, in the order of the registry.

    These are the protocols whose codec reads all of `data`, and those that such a protocol reads all messages of, if their
    codec reads most of its messages: one invalid packet of MQTT 5.0 among several makes no MQTT 3.1.1. Where no codec reads all
    of `data`, they are those whose codec reads most of its messages. `options` are those of codecs, such as limits; each codec
    takes its own. A codec without its package recognizes nothing.

    >>> packet, invalid = bytes.fromhex("3006000174006869"), bytes.fromhex("3006000174ff6869")
    >>> recognize(packet), recognize(invalid), recognize(b"hello")
    (['mqtt-5.0', 'mqtt-3.1.1'], ['mqtt-3.1.1'], [])
    >>> recognize(packet + invalid + packet)
    ['mqtt-5.0', 'mqtt-3.1.1']
    """
    read = {name: weighed(name, data, options) for name in PROTOCOLS}
    whole = {name for name, (messages, errors) in read.items() if messages and not errors}
    read_by_them = set(chain.from_iterable(PROTOCOLS[name].reads_all_of for name in whole))
    near = read_by_them if whole else PROTOCOLS.keys()
    return [name for name, tally in read.items() if name in whole or (name in near and _most(*tally))]


def weighed(name: str, data: bytes, options: Mapping[str, object] | None = None) -> tuple[int, int]:
    """Return how many messages and how many errors the codec of a protocol finds in `data`.

    >>> weighed("mqtt-5.0", bytes.fromhex("3006000174006869 3006000174ff6869 3006000174006869"))
    (2, 1)
    """
    try:
        taken = options_for([(name, "decode_all")], {}, options or {})[0]
        found = Counter(isinstance(one, DecodeError) for one in decode_each(name, data, **taken))
    except MqConvertError:
        return 0, 1
    return found[False], found[True]


def _most(messages: int, errors: int) -> bool:
    """Return whether a codec reads most of some messages: an error outweighs a message, and one message proves nothing.

    The payload of MQTT 3.1.1 that begins with 0x00 makes a packet of MQTT 5.0, and devices send a 0 or a 1 equally often.
    """
    return messages >= 2 * errors


def broken_off(data: bytes, options: Mapping[str, object] | None = None) -> list[str]:
    """Return the names of the protocols that `data` may be the beginning of: its last message ends too early.

    Their codec finds no fault in these bytes, but only in other bytes behind them. Fewer than 8 bytes tell no protocol.

    >>> broken_off(bytes.fromhex("3008000174006869")), broken_off(b"30 bottles")
    (['mqtt-5.0', 'mqtt-3.1.1'], [])
    """
    if len(data) < _LEAST:
        return []
    return [
        name
        for name in PROTOCOLS
        if (error := _first_error(name, data, options)) is not None
        and error.code == "truncated"
        and any(_goes_on(name, data, more, options) for more in _MORE)
    ]


_LEAST = 8
_MORE = tuple(byte * 2**16 for byte in (b"\0", b"\n", b"0"))
"""What a message may go on with: numbers and sizes in binary, the end of a line, digits."""


def _goes_on(name: str, data: bytes, more: bytes, options: Mapping[str, object] | None) -> bool:
    """Return whether a codec reads `data` with more behind it, or finds the first fault there. A checksum is about both."""
    error = _first_error(name, data + more, options)
    if error is None or error.code == "bad_checksum":
        return True
    return error.offset is not None and len(data) <= error.offset < len(data) + len(more)


def _first_error(name: str, data: bytes, options: Mapping[str, object] | None) -> MqConvertError | None:
    try:
        taken = options_for([(name, "decode_all")], {}, options or {})[0]
        return next((one for one in decode_each(name, data, **taken) if isinstance(one, DecodeError)), None)
    except MqConvertError as error:
        return error


def likely(found: Iterable[Sequence[str]]) -> list[str]:
    """Return the protocols that most of some values may be meant for; `found` are those of `recognize` for each of them.

    A protocol that reads every message of another is not meant where both read a value, nor where as many are meant for both.

    >>> likely([recognize(bytes.fromhex("3006000174006869"))])
    ['mqtt-5.0']
    """
    meant = Counter(chain.from_iterable(map(_without_readers, found)))
    return _without_readers([name for name in PROTOCOLS if meant and meant[name] == max(meant.values())])


def _without_readers(found: Sequence[str]) -> list[str]:
    return [name for name in found if not set(PROTOCOLS[name].reads_all_of) & set(found)]


def begin_in_frame(data: bytes) -> int:
    """Return where TCP's payload begins in a captured frame with IPv4 (RFC 791) or IPv6 (RFC 8200); 0 for others.

    The link layer is Ethernet, Linux's cooked capture (SLL, SLL2), each with or without VLAN tags (IEEE 802.1Q), BSD's
    loopback, or none (tcpdump.org/linktypes.html).

    >>> packet = bytes.fromhex("4500000000000000000600000000000000000000") + bytes(12) + bytes.fromhex("5000000000000000")
    >>> frame = bytes(12) + bytes.fromhex("0800") + packet + b"0..."
    >>> begin_in_frame(frame), begin_in_frame(packet + b"0..."), begin_in_frame(b"hello")
    (54, 40, 0)
    """
    return next((begin for at in _packets(data) if (begin := _behind_tcp(data, at))), 0)


_LINKS = (12, 14), (14, 16), (0, 20)
"""The offset of the EtherType and the length of the header: Ethernet, SLL, SLL2."""
_IP = b"\x08\x00", b"\x86\xdd"
_TAGS = b"\x81\x00", b"\x88\xa8"
_FAMILIES = 2, 24, 28, 30
"""The address families of BSD's loopback, in the byte order of its host: IPv4, and three for IPv6."""


def _packets(data: bytes) -> Iterator[int]:
    """Yield where the packet of a frame may begin, by its link layer."""
    for link in _LINKS:
        at, begin = link
        while data[at : at + 2] in _TAGS:  # two bytes of a tag, and the EtherType behind it
            at, begin = begin + 2, begin + 4
        if data[at : at + 2] in _IP:
            yield begin
    if any(int.from_bytes(data[:4], order) in _FAMILIES for order in ("big", "little")):
        yield 4
    yield 0


def _behind_tcp(data: bytes, at: int) -> int:
    """Return where TCP's payload begins in the IP packet at an offset; 0 for anything else, and without a payload."""
    version = data[at] >> 4 if at < len(data) else 0
    if version == 4 and data[at + 9 : at + 10] == b"\x06":
        segment = at + 4 * (data[at] & 15)
    elif version == 6 and data[at + 6 : at + 7] == b"\x06":
        segment = at + 40
    else:
        return 0
    begin = segment + 4 * (data[segment + 12] >> 4) if len(data) > segment + 12 else 0
    return begin if begin < len(data) else 0
