"""Helpers that return the fields of a DecodeError or EncodeError, for comparison."""

from collections.abc import Callable
from typing import Any

import pytest

from mqconvert import DecodeError, EncodeError


def unread(read: Callable[..., Any], wire: bytes | str, **options: Any) -> tuple[str, int | None, str | None]:
    """Return kind, offset and field of the DecodeError for bytes or their hex."""
    with pytest.raises(DecodeError) as caught:
        read(bytes.fromhex(wire) if isinstance(wire, str) else wire, **options)
    return caught.value.kind, caught.value.offset, caught.value.field


def unwritten(write: Callable[..., bytes], message: Any, **options: Any) -> tuple[str, str | None]:
    """Return code and field of the EncodeError for a message."""
    with pytest.raises(EncodeError) as caught:
        write(message, **options)
    return caught.value.code, caught.value.field
