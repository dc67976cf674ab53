"""Find the protocols whose codec reads given wire bytes."""

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


def _reads(name: str, data: bytes, options: Mapping[str, object]) -> bool:
    try:
        taken = options_for([(name, "decode_all")], {}, options)[0]
        PROTOCOLS[name].codec_module().decode_all(data, **taken)
    except MqConvertError:
        return False
    return True
