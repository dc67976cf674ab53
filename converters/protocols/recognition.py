"""Find the protocols whose codec reads given wire bytes, and where a captured message begins."""

from collections.abc import Mapping

from mqconvert.converters.errors import MqConvertError
from mqconvert.converters.protocols import PROTOCOLS
from mqconvert.converters.protocols.options import options_for


def recognize(data: bytes, options: Mapping[str, object] | None = None) -> list[str]:
    """Return the names of the protocols whose codec reads all of `data`, in the order of the registry.

    `options` are those of codecs, such as limits; each codec takes its own. A codec without its package recognizes nothing.

    >>> recognize(bytes.fromhex("3006000174006869"))
    ['mqtt-5.0', 'mqtt-3.1.1']
    >>> recognize(b"hello")
    []
    """
    return [name for name in PROTOCOLS if _reads(name, data, options or {})]


def likely(data: bytes, options: Mapping[str, object] | None = None) -> list[str]:
    """Return the protocols that `data` may be meant for: those of `recognize`, without ones that read every message of another.

    >>> likely(bytes.fromhex("3006000174006869"))
    ['mqtt-5.0']
    """
    found = recognize(data, options)
    return [name for name in found if not set(PROTOCOLS[name].reads_all_of) & set(found)]


def begin_in_frame(data: bytes) -> int:
    """Return where TCP's payload begins in a captured Ethernet frame with IPv4 (RFC 791) or IPv6 (RFC 8200); 0 for others.

    >>> frame = bytes(12) + bytes.fromhex("0800450000000000000000060000") + bytes(20) + bytes.fromhex("50") + bytes(7) + b"0..."
    >>> begin_in_frame(frame), begin_in_frame(b"hello")
    (54, 0)
    """
    version = data[12:14]
    if version == b"\x08\x00" and data[23:24] == b"\x06" and data[14] >> 4 == 4:
        segment = 14 + 4 * (data[14] & 15)
    elif version == b"\x86\xdd" and data[20:21] == b"\x06":
        segment = 14 + 40
    else:
        return 0
    begin = segment + 4 * (data[segment + 12] >> 4) if len(data) > segment + 12 else 0
    return begin if begin < len(data) else 0  # a frame may have no payload


def _reads(name: str, data: bytes, options: Mapping[str, object]) -> bool:
    try:
        taken = options_for([(name, "decode_all")], {}, options)[0]
        PROTOCOLS[name].codec_module().decode_all(data, **taken)
    except MqConvertError:
        return False
    return True
