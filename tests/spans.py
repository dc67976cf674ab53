"""The bytes of places, for tests."""

from typing import Any

from mqconvert import decode


def bytes_of(protocol: str, wire: bytes) -> dict[str, bytes]:
    """Return the bytes of each place of a message."""
    located: Any = decode(protocol, wire, spans=True)
    return {place: wire[begin:end] for place, (begin, end) in located.spans.items()}
