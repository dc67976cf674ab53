"""Words for bodies and sections of AMQP 1.0: payloads that hold sections, bodies as payloads, envelopes."""

from typing import Any, Final

from mqconvert.converters.errors import DecodeError
from mqconvert.converters.model.bodies import AmqpSequence, AmqpValue, Body, Data
from mqconvert.converters.model.fields import names
from mqconvert.converters.model.plain import text_of
from mqconvert.converters.model.values import Entry, TypedValue, nan_bits
from mqconvert.converters.protocols.amqp10 import PROTOCOL
from mqconvert.converters.protocols.amqp10.message import Message
from mqconvert.converters.protocols.amqp10.types import AMQP10_COMPOUND
from mqconvert.converters.words import NOT_MINE, TRANSFORMS, Loss, NotMine, Partial, condition, kept, transform
from mqconvert.converters.words.transforms import first_of_equal_keys


def decode(data: bytes) -> Message:
    """Return the message in `data`, by the codec, which few rows need."""
    message: Message = PROTOCOL.codec_module().decode(data)
    return message


_SECTIONS: Final = names(Message)


def sections_of(message: Message) -> list[str]:
    """Return the fields of the sections that a message has."""
    return [name for name in _SECTIONS if getattr(message, name) is not None]


def decoded(data: bytes) -> Message | None:
    """Return the message in `data`; None for other bytes."""
    try:
        return decode(data)
    except DecodeError:
        return None


@transform("amqp-encoded-body", gives="bytes")
def amqp_encoded_body(value: Body, footer: Any = None) -> bytes:
    """Return the AMQP 1.0 encoding of the body sections, and of the footer if the row reads it.

    >>> amqp_encoded_body(AmqpValue(TypedValue("null", None)))
    b'\\x00Sw@'
    """
    return PROTOCOL.codec_module().encode(Message(body=value, footer=footer))


@transform("amqp-sections", gives="sections", passes=True, loses=True)
def amqp_sections(value: bytes) -> Message | Partial | NotMine:
    """Read a payload of AMQP 1.0 sections; any other payload passes to the next row.

    RabbitMQ takes the last of two amqp-value sections. AMQP 1.0 part 3 section 3.2 allows only one, so the first is lost.

    >>> amqp_sections(b"\\x00Sw@").body.value, amqp_sections(b"\\x00SwA\\x00Sw@").reason
    (TypedValue(type='null', value=None), 'an amqp-value section before the last')
    """
    if not value:
        return Message()
    try:
        return well_formed(decode(value))
    except DecodeError as error:
        if error.kind != "section_order" or error.offset is None:
            return NOT_MINE
        at = error.offset
    whole, last = decoded(value[:at]), decoded(value[at:])
    if whole is None or last is None or whole.footer is not None:
        return NOT_MINE
    if not isinstance(whole.body, AmqpValue) or not isinstance(last.body, AmqpValue):
        return NOT_MINE
    if sections_of(last)[0] != "body":
        return NOT_MINE
    whole.body, whole.footer = last.body, last.footer
    return well_formed(whole, "an amqp-value section before the last")


@transform("unread-sections", gives="body", loses=True)
def unread_sections(value: bytes) -> Partial:
    """Return a payload that should be sections of AMQP 1.0 as a data section, with the reason why it was not read as sections.

    >>> unread_sections(bytes.fromhex("005375a00164005377a10176")).reason
    'not read as sections of AMQP 1.0, kept as data: a body of more than one kind, or two values'
    """
    try:
        decode(value)
    except DecodeError as error:
        return Partial(Data([value]), f"not read as sections of AMQP 1.0, kept as data: {error.fault}")
    return Partial(Data([value]), "not read as sections of AMQP 1.0, kept as data")


_SAMPLES = {
    "a message-annotations section": b"\x00\x53\x72\xc1\x07\x02\xa3\x03x-k\x41",
    "a properties section": b"\x00\x53\x73\xc0\x06\x03\x40\x40\xa1\x01t",
    "a section of AMQP 1.0": b"\x00\x53\x74\xc1\x07\x02\xa1\x01k\xa1\x01v",
    "a footer section": b"\x00\x53\x78\xc1\x07\x02\xa3\x03x-k\x41",
}


@transform("one-amqp-section", gives="sections", passes=True, loses=True, samples=_SAMPLES)
def one_amqp_section(value: bytes, kind: str | None = None) -> Message | Partial | NotMine:
    """Read one section of AMQP 1.0, of the kind in the row's `as` or of any kind. Any other value passes to the next row.

    >>> data = bytes.fromhex("005375a00161")
    >>> one_amqp_section(data).body, one_amqp_section(data, "properties") is NOT_MINE
    (Data(sections=[b'a']), True)
    """
    message = _one_section(value, kind)
    return NOT_MINE if isinstance(message, str) else well_formed(message)


@transform("no-amqp-section", gives="sections", passes=True, loses=True, samples=_SAMPLES)
def no_amqp_section(value: bytes, kind: str | None = None) -> Loss | NotMine:
    """Refuse a value that is not one section of AMQP 1.0 (of the kind in the row's `as`); a section passes to the next row.

    >>> data = bytes.fromhex("005375a00161")
    >>> no_amqp_section(data, "properties"), no_amqp_section(data) is NOT_MINE
    (Loss(reason='its section is body, not properties'), True)
    """
    message = _one_section(value, kind)
    return Loss(message) if isinstance(message, str) else NOT_MINE


@transform("no-section-before-payload", gives="sections", passes=True, loses=True)
def no_section_before_payload(value: bytes, payload: bytes, type_: str | None) -> Loss | NotMine:
    """Refuse like `no-amqp-section`, and also an amqp-value before a payload of data or sequences, which crashes RabbitMQ.

    >>> no_section_before_payload(bytes.fromhex("00537740"), b"a", None)
    Loss(reason='holds an amqp-value section, and the payload is a body of another kind')
    """
    message = _one_section(value, None)
    if isinstance(message, str):
        return Loss(message)
    if not isinstance(message.body, AmqpValue):
        return NOT_MINE
    whole = kept(amqp_sections(payload)) if type_ == "amqp-1.0" else None
    body = Data([payload]) if whole is None else whole.body
    same = body is None or isinstance(body, AmqpValue)
    return NOT_MINE if same else Loss("holds an amqp-value section, and the payload is a body of another kind")


def _one_section(value: bytes, kind: str | None) -> Message | str:
    """Return a message with the single section in `value`, or the reason why it is not one.

    Keys of annotations without `x-` are reserved (AMQP 1.0 part 3 section 3.2.10); RabbitMQ refuses them.
    """
    try:
        message = decode(value)
    except DecodeError as error:
        return f"not a section of AMQP 1.0: {error.fault}"
    found = sections_of(message)
    body = message.body
    if len(found) != 1 or (isinstance(body, (Data, AmqpSequence)) and len(body.sections) > 1):
        return "holds more than one section"
    if kind is not None and found[0] != kind:
        return f"its section is {found[0].replace('_', ' ')}, not {kind.replace('_', ' ')}"
    annotations: list[Entry] = message.message_annotations or message.delivery_annotations or message.footer or []
    for entry in annotations:
        if not isinstance(entry.key, str) or not entry.key.startswith("x-"):
            return "holds an annotation whose key does not begin with x-"
    return message


def _identity(type_: str, key: Any) -> object:
    """Return the identity of a key: type and bits, so that 0.0 and -0.0 differ, and so do two NaNs.

    >>> _identity("float", 0.0) == _identity("float", -0.0), _identity("string", "k") == _identity("symbol", "k")
    (False, False)
    """
    if type_ in {"float", "double"}:
        bits = nan_bits(type_, key) if key != key else None  # noqa: PLR0124 - NaN differs from itself
        return type_, repr(key) if bits is None else bits
    return type_, repr(key) if type_ in AMQP10_COMPOUND else key  # a list has no hash


def _drop_second_keys(type_: str, value: Any) -> int:
    """Remove each entry whose key an earlier one of its map has, in maps of any depth; return their number."""
    dropped = 0
    if type_ == "map":
        first: dict[object, Entry] = {}
        for entry in value:
            first.setdefault(_identity(entry.key.type, entry.key.value), entry)
        dropped = len(value) - len(first)
        value[:] = first.values()
        parts = [(typed.type, typed.value) for entry in value for typed in (entry.key, entry)]
    elif type_ == "list":
        parts = [(typed.type, typed.value) for typed in value]
    elif type_ == "described":
        parts = [(typed.type, typed.value) for typed in (value.descriptor, value.value)]
    elif type_ == "array" and value.of in AMQP10_COMPOUND:
        parts = [(value.of, element) for element in value.values]
    else:
        return 0
    return dropped + sum(_drop_second_keys(*part) for part in parts)


def _parts_of(body: Body | None) -> list[tuple[str, Any]]:
    """Return the types and values in a body."""
    if isinstance(body, AmqpSequence):
        return [("list", section) for section in body.sections]
    return [(body.value.type, body.value.value)] if isinstance(body, AmqpValue) else []


_SECOND: Final = "second equal keys"


def _tidy(entries: list[Entry] | None, missing: dict[str, bool], *, simple: bool = False) -> list[Entry] | None:
    """Return the entries of a section for `well_formed`, which names what is `missing`."""
    if not entries:
        return entries
    if sum(_drop_second_keys(entry.type, entry.value) for entry in entries):
        missing[_SECOND] = True
    if simple and any(entry.type in AMQP10_COMPOUND for entry in entries):
        entries = [entry for entry in entries if entry.type not in AMQP10_COMPOUND]
        missing["application properties that are no simple types"] = True
    first = first_of_equal_keys(entries)
    if isinstance(first, Partial):
        missing[_SECOND] = True
        return first.value  # type: ignore[no-any-return]  # entries
    return first


def well_formed(message: Message, *lost: str, whole: bool = False) -> Message | Partial:
    """Remove duplicate keys (the first stays) and application properties of compound types; `lost` are earlier losses.

    The decoder accepts both, although AMQP 1.0 part 1 section 1.6.23 and part 3 sections 3.2.5 and 3.2.10 forbid them. Only a
    `whole` message keeps its delivery annotations, which are for the next node (part 3 section 3.2.2).
    """
    missing = dict.fromkeys(lost, True)
    if sum(_drop_second_keys(*part) for part in _parts_of(message.body)):
        missing[_SECOND] = True
    message.delivery_annotations = _tidy(message.delivery_annotations, missing)
    message.message_annotations = _tidy(message.message_annotations, missing)
    message.application_properties = _tidy(message.application_properties, missing, simple=True)
    message.footer = _tidy(message.footer, missing)
    if message.delivery_annotations is not None and not whole:
        message.delivery_annotations = None
        missing["delivery annotations, which are for the next node only"] = True
    return Partial(message, ", ".join(missing)) if missing else message


ENVELOPE: Final = b"AMQP\x00\x01\x00\x00"
"""The protocol header of AMQP 1.0, before the sections of a whole message."""


@transform("amqp-envelope", gives="bytes")
def amqp_envelope(value: bytes, payload: str, message: Message) -> bytes:  # noqa: ARG001 - it replaces the value
    """Return the protocol header of AMQP 1.0 and the sections of the message, for rows that read `@payload` and `@message`.

    >>> amqp_envelope(b"", "envelope", Message(body=Data([b"a"]))).hex()
    '414d515000010000005375a00161'
    """
    return ENVELOPE + PROTOCOL.codec_module().encode(message)


@transform("enveloped-message", gives="sections", passes=True, loses=True, rare="{1} == 'envelope'")
def enveloped_message(value: Any, payload: str) -> Message | Partial | NotMine:
    """Read the message in an envelope; any other payload, also text of a caller's row, passes to the next row.

    >>> enveloped_message(bytes.fromhex("414d515000010000005375a00161"), "envelope").body
    Data(sections=[b'a'])
    """
    message = decoded(value[8:]) if payload == "envelope" and value[:8] == ENVELOPE else None
    return NOT_MINE if message is None else well_formed(message, whole=True)


# ---- bodies as payloads ---------------------------------------------------------------------------------------------

ENCODED: Final = "message/vnd.rabbitmq.amqp"
"""The content type of a payload of AMQP 1.0 sections."""


def plain_bytes(body: Body) -> bytes | None:
    """Return the bytes of data sections, or of an amqp-value of string, binary or null; None for any other body."""
    if isinstance(body, Data):
        return b"".join(body.sections)
    if isinstance(body, AmqpValue):
        type_, value = body.value.type, body.value.value
        if type_ == "string":
            raw: bytes = value.encode()
            return raw
        if type_ == "binary":
            # The view raises TypeError for a number, which bytes() would turn into zeros.
            return value if value.__class__ is bytes else bytes(memoryview(value))
        if type_ == "null":
            return b""
    return None


@condition("needs-encoding")
def needs_encoding(value: Body) -> bool:
    """Match a body that a payload carries only in the encoding of AMQP 1.0.

    >>> needs_encoding(Data([b"a"])), needs_encoding(AmqpValue(TypedValue("uint", 1)))
    (False, True)
    """
    return not isinstance(value, Data) and plain_bytes(value) is None


_QUICK = ("type({0}) is Data and len({0}.sections) == 1", "{0}.sections[0]")


@transform("body-octets", gives="bytes", quick=_QUICK)
def body_octets(value: Body) -> bytes:
    """Return a body as bytes: those of its data sections, of a binary or a string, else its AMQP 1.0 encoding.

    >>> body_octets(Data([b"a", b"b"]))
    b'ab'
    """
    raw = plain_bytes(value)
    return amqp_encoded_body(value) if raw is None else raw


@transform("payload-bytes", gives="bytes", loses=True, of="body")
def payload_bytes(value: Body) -> bytes | Partial:
    """Return a body as bytes, like `body-octets`. Several data sections lose their borders.

    >>> payload_bytes(Data([b"a", b"b"]))
    Partial(value=b'ab', reason='the borders of 2 data sections')
    """
    raw = body_octets(value)
    if not isinstance(value, Data) or len(value.sections) == 1:
        return raw
    return Partial(raw, f"the borders of {len(value.sections)} data sections")


@transform("plain-payload", gives="bytes", loses=True, of="body")
def plain_payload(value: Body) -> bytes | Partial:
    """Return a body as bytes, like `payload-bytes`, for targets without a content type: an encoded body loses its kind.

    >>> plain_payload(AmqpValue(TypedValue("string", "a"))), plain_payload(AmqpValue(TypedValue("uint", 1))).reason
    (b'a', 'its kind')
    """
    made = payload_bytes(value)
    return Partial(made, "its kind") if made.__class__ is bytes and needs_encoding(value) else made


@condition("sections-beside")
def sections_beside(_value: object, payload: bytes) -> bool:
    """Match if the payload that the row reads is read as sections by `amqp-sections`.

    >>> sections_beside("amqp-1.0", b"\\x00Sw@"), sections_beside("amqp-1.0", b"a")
    (True, False)
    """
    return amqp_sections(payload) is not NOT_MINE


@transform("decoded-body", gives="body", passes=True)
def decoded_body(value: bytes | None, content_type: str | None) -> Body | NotMine:
    """Read the body encoded in a payload of content type `message/vnd.rabbitmq.amqp`; any other passes to the next row.

    Nothing but amqp-value or amqp-sequence sections is such a body.

    >>> decoded_body(b"\\x00Sw@", "message/vnd.rabbitmq.amqp").value.type, decoded_body(b"\\x00Sw@", None) is NOT_MINE
    ('null', True)
    """
    message = decoded(value) if value and content_type == ENCODED else None
    body = message.body if message is not None and sections_of(message) == ["body"] else None
    return NOT_MINE if body is None or isinstance(body, Data) else body


@transform("decoded-sections", gives="sections", passes=True, loses=True)
def decoded_sections(value: bytes | None, mark: str | None) -> Message | Partial | NotMine:
    """Read the body and footer in a payload marked as encoded, unless one data section is all; others pass to the next row.

    The mark is the content type of MQTT, or the type `amqp-1.0` of AMQP 0.9.1, as the tables write them.

    >>> decoded_sections(b"\\x00Sw@", "amqp-1.0").body.value.type, decoded_sections(b"\\x00Sw@", None) is NOT_MINE
    ('null', True)
    """
    message = decoded(value) if value and mark in (ENCODED, "amqp-1.0") else None
    if message is None or message.body is None or message != Message(body=message.body, footer=message.footer):
        return NOT_MINE
    single = isinstance(message.body, Data) and len(message.body.sections) == 1
    return NOT_MINE if single else well_formed(message)


def _null(payload: bytes) -> Body | NotMine:
    return NOT_MINE if payload else AmqpValue(TypedValue("null", None))


def _string(payload: bytes) -> Body | NotMine:
    text = text_of(payload)
    return NOT_MINE if text is None else AmqpValue(TypedValue("string", text))


_BODIES: Final[dict[str, dict[str, object]]] = {
    "data": {"inline": "Data([{0}])", "of": "bytes"},
    "value-null": {"function": _null, "passes": True},
    "value-string": {"function": _string, "passes": True},
}


@TRANSFORMS.maker("body-as")
def body_as(kind: str) -> dict[str, object]:
    """Read a payload as a body: a data section, an empty payload as null, or text as a string; others pass to the next row.

    >>> TRANSFORMS["body-as value-string"].function(b"a").value
    TypedValue(type='string', value='a')
    """
    if kind not in _BODIES:
        raise ValueError(f"it needs one of {', '.join(_BODIES)}")
    return {"gives": "body"} | _BODIES[kind]
