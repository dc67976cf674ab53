"""Words that only the tables of PHPMQ use (MAPPINGS 6)."""

from typing import Any

from mqconvert.converters.protocols.amqp10.words.stated import stated_as
from mqconvert.converters.protocols.amqp10.words.textforms import text_form
from mqconvert.converters.words import NOT_MINE, NotMine, Partial, transform
from mqconvert.converters.words.conditions import text_of


@transform("ttl-to-seconds", gives="int", loses=True)
def ttl_to_seconds(value: int) -> int | Partial:
    """Whole seconds, rounded up, at least 1: 0 would be for ever.

    >>> ttl_to_seconds(2000), ttl_to_seconds(1), ttl_to_seconds(0)
    (2, Partial(value=1, reason='not whole seconds'), Partial(value=1, reason='expires at once'))
    """
    seconds = -(-value // 1000)
    if not value:
        return Partial(1, "expires at once")
    return seconds if seconds * 1000 == value else Partial(seconds, "not whole seconds")


@transform("stated-ttl", gives="int", passes=True, loses=True)
def stated_ttl(value: Any, type_: str) -> int | Partial | NotMine:
    """Seconds as the annotation says them: only those that header.ttl cannot say come back in it.

    >>> stated_ttl(-5, "long"), stated_ttl(5, "long")
    (-5, Partial(value=5, reason='seconds that come back as header.ttl'))
    """
    number = stated_as(value, type_, "long")
    if isinstance(number, NotMine):
        return NOT_MINE
    plain = number.value if isinstance(number, Partial) else number
    if not plain:
        return Partial(0, "no expiry, of which no ttl comes back")
    return Partial(plain, "seconds that come back as header.ttl") if 1 <= plain <= 4_294_967 else number


@transform("stated-queue", gives="bytes", passes=True, loses=True)
def stated_queue(value: Any, type_: str) -> bytes | Partial | NotMine:
    """The name of a queue in octets; one that is text comes back elsewhere.

    >>> stated_queue(b"\\xff", "binary"), stated_queue(b"q", "binary")
    (b'\\xff', Partial(value=b'q', reason='text, which comes back as properties.to'))
    """
    made = stated_as(value, type_, "binary")
    if isinstance(made, NotMine):
        return NOT_MINE
    octets = made.value if isinstance(made, Partial) else made
    return made if text_of(octets) is None else Partial(octets, "text, which comes back as properties.to")


@transform("phpmq-message-id", gives="bytes", loses=True)
def phpmq_message_id(value: Any, type_: str) -> bytes | Partial:
    """Text as UTF-8, octets that are no text as they are; what would come back as another type is a loss.

    >>> phpmq_message_id("a", "string"), phpmq_message_id(b"\\xff", "binary"), phpmq_message_id(1, "ulong")
    (b'a', b'\\xff', Partial(value=b'1', reason='its type ulong: string comes back'))
    """
    if type_ == "string":
        return str(value).encode()
    if type_ == "binary":
        octets: bytes = value
        return octets if text_of(octets) is None else Partial(octets, "its type binary: string comes back")
    made = text_form(value, type_, "urn")
    return Partial(str(made).encode(), f"its type {type_}: string comes back")
