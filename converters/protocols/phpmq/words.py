"""Words that only the tables of PHPMQ use (decisions.md 6)."""

from typing import Any

from mqconvert.converters.model.plain import text_of
from mqconvert.converters.protocols.amqp10.words.textforms import id_text
from mqconvert.converters.words import Partial, transform


@transform("ttl-to-seconds", gives="int", loses=True)
def ttl_to_seconds(value: int) -> int | Partial:
    """Return milliseconds as whole seconds, rounded up, at least 1, since 0 means no expiry.

    >>> ttl_to_seconds(2000), ttl_to_seconds(1), ttl_to_seconds(0)
    (2, Partial(value=1, reason='not whole seconds'), Partial(value=1, reason='expires at once'))
    """
    seconds = -(-value // 1000)
    if not value:
        return Partial(1, "expires at once")
    return seconds if seconds * 1000 == value else Partial(seconds, "not whole seconds")


@transform("phpmq-message-id", gives="bytes", loses=True)
def phpmq_message_id(value: Any, type_: str) -> bytes | Partial:
    """Return an id as bytes, with a loss if the way back would give another type.

    >>> phpmq_message_id("a", "string"), phpmq_message_id(b"\\xff", "binary"), phpmq_message_id(1, "ulong")
    (b'a', b'\\xff', Partial(value=b'1', reason='its type ulong: the way back gives string'))
    """
    if type_ == "string":
        return str(value).encode()
    if type_ == "binary":
        raw: bytes = value
        return raw if text_of(raw) is None else Partial(raw, "its type binary: the way back gives string")
    made = id_text(value, type_)
    return Partial(str(made).encode(), f"its type {type_}: the way back gives string")
