"""Words for bodies: payloads of other protocols, the property of a body's kind (decisions.md 2.2), envelopes (G6)."""

from typing import Any

from mqconvert.converters.errors import DecodeError
from mqconvert.converters.model.bodies import AmqpValue, Body, Data
from mqconvert.converters.model.fields import names
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols.amqp10.message import Message
from mqconvert.converters.protocols.amqp10.words.sections import amqp_encoded_body, well_formed
from mqconvert.converters.protocols.amqp10.words.textforms import DECIMAL
from mqconvert.converters.words import NOT_MINE, NotMine, Partial, transform, transform_maker
from mqconvert.converters.words.conditions import text_of


@transform("no-body", gives="bytes", loses=True)
def no_body(value: None) -> Partial:  # noqa: ARG001 - a missing body has no value
    """
    >>> no_body(None)
    Partial(value=b'', reason='the message has no body section')
    """
    return Partial(b"", "the message has no body section")


ENVELOPE = b"AMQP\x00\x01\x00\x00"
"""The protocol header of AMQP 1.0, before the sections of a whole message."""


@transform("amqp-envelope", gives="bytes")
def amqp_envelope(value: bytes, message: Message) -> bytes:  # noqa: ARG001 - it replaces the value
    """Return the protocol header of AMQP 1.0 and the sections of the message.

    >>> amqp_envelope(b"", Message(body=Data([b"a"]))).hex()
    '414d515000010000005375a00161'
    """
    from mqconvert.converters.protocols.amqp10.codec import encode  # noqa: PLC0415 - rows that need it are rare

    return ENVELOPE + encode(message)


@transform("enveloped-message", gives="sections", passes=True, loses=True)
def enveloped_message(value: bytes, payload: str) -> Message | Partial | NotMine:
    """Read the message in an envelope; any other payload passes to the next row.

    >>> enveloped_message(bytes.fromhex("414d515000010000005375a00161"), "envelope").body
    Data(sections=[b'a'])
    """
    from mqconvert.converters.protocols.amqp10.codec import decode  # noqa: PLC0415 - rows that need it are rare

    if payload != "envelope" or value[:8] != ENVELOPE:
        return NOT_MINE
    try:
        return well_formed(decode(value[8:]))
    except DecodeError:
        return NOT_MINE


@transform("bare-payload", gives="bytes", loses=True)
def bare_payload(value: Body) -> bytes | Partial:
    """Return a body as bytes for targets without a place for its kind; any body but one data section is a loss.

    >>> bare_payload(Data([b"a"])), bare_payload(AmqpValue(TypedValue("string", "a"))).value
    (b'a', b'a')
    """
    raw, kind = payload_and_kind(value)
    return raw if kind is None else Partial(raw, "its kind: one data section comes back")


def payload_and_kind(body: Body) -> tuple[bytes, str | None]:
    """Return a body as the payload of another protocol, with the name of its kind: None for one data section.

    >>> payload_and_kind(Data([b"a", b"bc"])), payload_and_kind(AmqpValue(TypedValue("null", None)))
    ((b'abc', 'data:1,2'), (b'', 'value-null'))
    """
    if isinstance(body, Data):
        raw = b"".join(body.sections)
        return raw, None if len(body.sections) == 1 else "data:" + ",".join(str(len(part)) for part in body.sections)
    if isinstance(body, AmqpValue):
        type_, value = body.value.type, body.value.value
        if type_ == "string":
            return value.encode(), "value-string"
        if type_ == "binary":
            # The view raises TypeError for a number, which bytes() would turn into zeros.
            return value if value.__class__ is bytes else bytes(memoryview(value)), "value-binary"
        if type_ == "null":
            return b"", "value-null"
    return amqp_encoded_body(body), "amqp-1.0"


def body_of(payload: bytes, kind: str) -> Body | None:
    """Return the body of a kind from the bytes of a payload; None if they do not fit.

    >>> body_of(b"abc", "data:1,2"), body_of(b"abc", "data:1,1")
    (Data(sections=[b'a', b'bc']), None)
    """
    if kind == "value-binary":
        return AmqpValue(TypedValue("binary", payload))
    if kind == "value-string":
        text = text_of(payload)
        return None if text is None else AmqpValue(TypedValue("string", text))
    if kind == "value-null":
        return None if payload else AmqpValue(TypedValue("null", None))
    if kind.startswith("data:"):
        return _parts(payload, kind[5:])
    return _body_sections(payload) if kind == "amqp-1.0" else None


def _parts(payload: bytes, lengths: str) -> Body | None:
    parts = lengths.split(",")
    if len(parts) < 2 or not all(DECIMAL.match(part) and part[0] != "-" for part in parts):
        return None
    at, sections = 0, []
    for part in parts:
        sections.append(payload[at : at + int(part)])
        at += int(part)
    return Data(sections) if at == len(payload) else None


def _body_sections(payload: bytes) -> Body | None:
    from mqconvert.converters.protocols.amqp10.codec import decode  # noqa: PLC0415 - rows that need it are rare

    try:
        message = decode(payload)
    except DecodeError:
        return None
    present = [name for name in names(Message) if getattr(message, name) is not None]
    if present != ["body"] or message.body is None:
        return None
    return message.body if payload_and_kind(message.body)[1] == "amqp-1.0" else None


@transform("body-of-kind", gives="body", passes=True)
def body_of_kind(value: bytes, kind: str | None) -> Body | NotMine:
    """Read a payload as a body of the kind in a property. Without one, or if it does not fit, it passes to the next row.

    >>> body_of_kind(b"a", "value-string"), body_of_kind(b"a", None) is NOT_MINE
    (AmqpValue(value=TypedValue(type='string', value='a')), True)
    """
    body = None if kind is None else body_of(value, kind)
    return NOT_MINE if body is None else body


@transform_maker("body-as")
def body_as(kind: str) -> dict[str, Any]:
    """Read a payload as a body of one kind: `body-as value-string`. A payload that does not fit passes to the next row.

    >>> body_as("value-null")["function"](b""), body_as("value-null")["function"](b"a") is NOT_MINE
    (AmqpValue(value=TypedValue(type='null', value=None)), True)
    """
    return {"function": lambda value: body_of_kind(value, kind), "gives": "body", "passes": True}


@transform_maker("body-of-kind")
def body_of_marked_kind(text: str) -> dict[str, Any]:
    """Read like `body-of-kind`, but take one zero byte of a kind `empty...` as an empty body: `body-of-kind zero`."""
    if text != "zero":
        raise ValueError("the only literal is zero")

    def marked(value: bytes, kind: str | None) -> Body | NotMine:
        if kind is not None and kind.startswith("empty") and value == b"\0":
            return Data([b""]) if kind == "empty" else body_of_kind(b"", kind[6:] if kind[5] == "-" else None)
        return body_of_kind(value, kind)

    return {"function": marked, "gives": "body", "passes": True}


@transform("body-kind", gives="str", passes=True)
def body_kind(value: Body) -> str | NotMine:
    """Return the name of a body's kind; one data section passes to the next row.

    >>> body_kind(AmqpValue(TypedValue("string", "a"))), body_kind(Data([b""])) is NOT_MINE
    ('value-string', True)
    """
    kind = payload_and_kind(value)[1]
    return NOT_MINE if kind is None else kind


@transform_maker("body-kind")
def kind_unless_from(text: str) -> dict[str, Any]:
    """Return the name like `body-kind`, with `empty` before the kind of a body without bytes.

    A message with an annotation that begins with this text came from the target's protocol: its body was empty before.
    """

    def kind_of(value: Body, annotations: list[Entry] | None) -> str | NotMine:
        raw, kind = payload_and_kind(value)
        if raw or any(str(entry.key).startswith(text) for entry in annotations or ()):
            return NOT_MINE if kind is None else kind
        return "empty" if kind is None else f"empty-{kind}"

    return {"function": kind_of, "gives": "str", "passes": True}


@transform(
    "body-octets",
    gives="bytes",
    quick=("type({0}) is Data and len({0}.sections) == 1", "{0}.sections[0]"),
)
def body_bytes(value: Body) -> bytes:
    """Return a body as bytes: those of all its data sections, of a binary or a string, else its AMQP 1.0 encoding.

    >>> body_bytes(Data([b"a", b"b"]))
    b'ab'
    """
    return b"".join(value.sections) if isinstance(value, Data) else payload_and_kind(value)[0]
