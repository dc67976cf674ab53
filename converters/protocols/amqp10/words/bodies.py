"""Words for bodies: payloads of other protocols, the property of a body's kind (decisions.md 2.2), envelopes (G6)."""

from mqconvert.converters.model.bodies import AmqpValue, Body, Data
from mqconvert.converters.model.fields import names
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols.amqp10 import PROTOCOL
from mqconvert.converters.protocols.amqp10.message import Message
from mqconvert.converters.protocols.amqp10.words.sections import amqp_encoded_body, decoded, well_formed
from mqconvert.converters.protocols.amqp10.words.textforms import DECIMAL
from mqconvert.converters.words import NOT_MINE, NotMine, Partial, transform
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
    return ENVELOPE + PROTOCOL.codec_module().encode(message)


@transform("enveloped-message", gives="sections", passes=True, loses=True)
def enveloped_message(value: bytes, payload: str) -> Message | Partial | NotMine:
    """Read the message in an envelope; any other payload passes to the next row.

    >>> enveloped_message(bytes.fromhex("414d515000010000005375a00161"), "envelope").body
    Data(sections=[b'a'])
    """
    message = decoded(value[8:]) if payload == "envelope" and value[:8] == ENVELOPE else None
    return NOT_MINE if message is None else well_formed(message, whole=True)


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


def body_of(payload: bytes, kind: str) -> Body | NotMine:
    """Return the body of a kind from the bytes of a payload; NOT_MINE if they do not fit.

    >>> body_of(b"abc", "data:1,2"), body_of(b"abc", "data:1,1") is NOT_MINE
    (Data(sections=[b'a', b'bc']), True)
    """
    if kind == "value-binary":
        return AmqpValue(TypedValue("binary", payload))
    if kind == "value-string":
        text = text_of(payload)
        return NOT_MINE if text is None else AmqpValue(TypedValue("string", text))
    if kind == "value-null":
        return NOT_MINE if payload else AmqpValue(TypedValue("null", None))
    if kind.startswith("data:"):
        return _parts(payload, kind[5:])
    return _body_sections(payload) if kind == "amqp-1.0" else NOT_MINE


def _parts(payload: bytes, lengths: str) -> Body | NotMine:
    parts = lengths.split(",")
    if len(parts) < 2 or not all(DECIMAL.match(part) and part[0] != "-" for part in parts):
        return NOT_MINE
    at, sections = 0, []
    for part in parts:
        sections.append(payload[at : at + int(part)])
        at += int(part)
    return Data(sections) if at == len(payload) else NOT_MINE


def _body_sections(payload: bytes) -> Body | NotMine:
    message = decoded(payload)
    present = [name for name in names(Message) if getattr(message, name, None) is not None]
    body = None if message is None or present != ["body"] else message.body
    return NOT_MINE if body is None or payload_and_kind(body)[1] != "amqp-1.0" else body


@transform("body-as", str, gives="body", passes=True)
def body_as(kind: str, value: bytes) -> Body | NotMine:
    """Read a payload as a body of one kind: `body-as value-string`. A payload that does not fit passes to the next row.

    >>> body_as("value-null", b""), body_as("value-null", b"a") is NOT_MINE
    (AmqpValue(value=TypedValue(type='null', value=None)), True)
    """
    return body_of(value, kind)


def _zero(text: str) -> bool:
    if text not in ("", "zero"):
        raise ValueError("the only literal is zero")
    return text == "zero"


@transform("body-of-kind", _zero, gives="body", passes=True)
def body_of_kind(zero: bool, value: bytes, kind: str | None) -> Body | NotMine:
    """Read a payload as a body of the kind in a property. Without one, or if it does not fit, it passes to the next row.

    With `body-of-kind zero` an empty body is one zero byte, and its kind begins with `empty`.

    >>> body_of_kind(False, b"a", "value-string"), body_of_kind(True, b"\\0", "empty")
    (AmqpValue(value=TypedValue(type='string', value='a')), Data(sections=[b'']))
    """
    if zero and value == b"\0" and kind is not None and kind.startswith("empty"):
        if kind == "empty":
            return Data([b""])
        return body_of(b"", kind[6:]) if kind[5] == "-" else NOT_MINE
    return NOT_MINE if kind is None else body_of(value, kind)


@transform("body-kind", str, gives="str", passes=True)
def body_kind(own: str, value: Body, annotations: list[Entry] | None = None) -> str | NotMine:
    """Return the name of a body's kind; one data section passes to the next row.

    With an annotation, `body-kind x-opt-k-`, there is `empty` before the kind of a body without bytes. A message with an
    annotation that begins so came from the target's protocol: its body was empty before.

    >>> body_kind("", AmqpValue(TypedValue("string", "a"))), body_kind("", Data([b""])) is NOT_MINE
    ('value-string', True)
    >>> body_kind("x-", Data([b""]))
    'empty'
    """
    raw, kind = payload_and_kind(value)
    if not own or raw or any(str(entry.key).startswith(own) for entry in annotations or ()):
        return NOT_MINE if kind is None else kind
    return "empty" if kind is None else f"empty-{kind}"


@transform("body-octets", gives="bytes", quick=("type({0}) is Data and len({0}.sections) == 1", "{0}.sections[0]"))
def body_bytes(value: Body) -> bytes:
    """Return a body as bytes: those of all its data sections, of a binary or a string, else its AMQP 1.0 encoding.

    >>> body_bytes(Data([b"a", b"b"]))
    b'ab'
    """
    return b"".join(value.sections) if isinstance(value, Data) else payload_and_kind(value)[0]
