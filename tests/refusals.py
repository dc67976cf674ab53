"""How codecs refuse: what a DecodeError or an EncodeError says, to be compared with what it has to say."""

from collections.abc import Callable
from typing import Any

import pytest

from mqconvert import DecodeError, EncodeError


def unread(read: Callable[[bytes], Any], wire: bytes | str) -> tuple[str, int | None, str | None]:
    """Kind, offset and field of the DecodeError that bytes (or their hex) are refused with."""
    with pytest.raises(DecodeError) as caught:
        read(bytes.fromhex(wire) if isinstance(wire, str) else wire)
    return caught.value.kind, caught.value.offset, caught.value.field


def unwritten(write: Callable[[Any], bytes], message: Any) -> tuple[str, str | None]:
    """Kind and field of the EncodeError that a message is refused with."""
    with pytest.raises(EncodeError) as caught:
        write(message)
    return caught.value.code, caught.value.field
