"""Words that only the tables of NSQ use (decisions.md 5)."""

from typing import Any

from mqconvert.converters.protocols.amqp10.words.stated import Typed, stated_in
from mqconvert.converters.protocols.amqp10.words.textforms import text_form
from mqconvert.converters.protocols.nsq.message import name_fault
from mqconvert.converters.words import CONDITIONS, NAMES, Partial, transform

NAMES["nsq_name_fault"] = name_fault
CONDITIONS.expression("legal-nsq-name", "nsq_name_fault({0}) is None", "Match a valid name of an NSQ topic or channel.")


@transform("plus-one", gives="int", loses=True)
def plus_one(value: int) -> int | Partial:
    """Return the number of attempts, at most 65535, from the number of earlier attempts.

    >>> plus_one(0), plus_one(65535)
    (1, Partial(value=65535, reason='more than 65534 earlier attempts'))
    """
    return value + 1 if value < 65535 else Partial(65535, "more than 65534 earlier attempts")


@transform("nsq-message-id", gives="bytes", loses=True)
def nsq_message_id(value: Any, type_: str, time: Typed) -> bytes | Partial:
    """Return an id of 16 bytes without blank or line end unchanged; any other becomes 16 hex digits of the SHA-256 of its text.

    The id of a message from NSQ, which has the annotation of its time, may also contain those.

    >>> nsq_message_id("0123456789abcdef", "string", None)
    b'0123456789abcdef'
    >>> nsq_message_id("a", "string", None).value
    b'ca978112ca1bbdca'
    """
    raw = value.encode() if type_ == "string" else value if type_ == "binary" else b""
    fits = len(raw) == 16 and (not {0x20, 0x0A} & set(raw) or stated_in(time, "long") is not None)
    if fits and raw.isascii() is (type_ == "string"):
        return raw
    import hashlib  # noqa: PLC0415 - loads OpenSSL: a tenth of the time of `import mqconvert`

    made = text_form(value, type_)
    text = made if isinstance(made, str) else str(value)
    return Partial(hashlib.sha256(text.encode()).hexdigest()[:16].encode(), "not the 16 bytes of an id of NSQ")
