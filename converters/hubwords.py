"""Conditions and transforms of the tables between AMQP 1.0 and RocketMQ, PHPMQ, NSQ and Pulsar: the words of their rows.

As in conditions.py and transforms.py: one total, pure function each, with an example. What they do is prescribed by the
mapping of these protocols; a word says in its own line what it means, and the row that uses it says where.
"""

import hashlib
import re
from collections.abc import Callable
from typing import Any

from mqconvert.converters.conditions import CONDITIONS, condition, text_of
from mqconvert.converters.errors import DecodeError
from mqconvert.converters.messages.amqp10 import AmqpValue, Body, Data, Message
from mqconvert.converters.messages.nsq import MAX_REQ_TIMEOUT, name_fault
from mqconvert.converters.transforms import (
    NOT_MINE,
    TRANSFORMS,
    Loss,
    Partial,
    _NotMine,
    amqp_encoded_body,
    transform,
)
from mqconvert.converters.values import AMQP10_TYPES, TypedValue

__all__ = ["CONDITIONS", "TRANSFORMS"]

# ---- defaults and constants -----------------------------------------------------------------------------------------


@condition("is-default-priority")
def is_default_priority(value: Any) -> bool:
    """The priority of a message that states none (AMQP 1.0 part 3 section 3.2.1).

    >>> is_default_priority(4)
    True
    """
    return bool(value == 4)


@transform("always-true", gives="bool")
def always_true(value: Any) -> bool:  # noqa: ARG001 - a constant
    """
    >>> always_true(b"")
    True
    """
    return True


@transform("no-body", gives="bytes", loses=True)
def no_body(value: None) -> Loss:  # noqa: ARG001 - a message without a body has nothing to give
    """
    >>> no_body(None)
    Loss(reason='the message has no body section')
    """
    return Loss("the message has no body section")


# ---- annotations of a stated type -----------------------------------------------------------------------------------
# The mapping states the type of each annotation; another type that can be read is taken, and the difference is a loss,
# because tables further on may have made text of it.

_INTEGERS = frozenset({"ubyte", "ushort", "uint", "ulong", "byte", "short", "int", "long", "timestamp"})
_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]{0,19})\Z")


def _stated_number(value: Any, type_: str, stated: str) -> int | Partial | _NotMine:
    number = value if type_ in _INTEGERS else None
    if type_ in ("string", "symbol") and _DECIMAL.match(value):
        number = int(value)
    if number is None or AMQP10_TYPES[stated].fault(number) is not None:
        return NOT_MINE
    return number if type_ == stated else Partial(number, f"its type {type_}: {stated} comes back")


@transform("stated-ubyte", gives="int", passes=True, loses=True)
def stated_ubyte(value: Any, type_: str) -> int | Partial | _NotMine:
    """
    >>> stated_ubyte(3, "ubyte")
    3
    """
    return _stated_number(value, type_, "ubyte")


@transform("stated-ushort", gives="int", passes=True, loses=True)
def stated_ushort(value: Any, type_: str) -> int | Partial | _NotMine:
    """
    >>> stated_ushort(70000, "uint") is NOT_MINE
    True
    """
    return _stated_number(value, type_, "ushort")


@transform("stated-uint", gives="int", passes=True, loses=True)
def stated_uint(value: Any, type_: str) -> int | Partial | _NotMine:
    """
    >>> stated_uint("3", "string")
    Partial(value=3, reason='its type string: uint comes back')
    """
    return _stated_number(value, type_, "uint")


@transform("stated-ulong", gives="int", passes=True, loses=True)
def stated_ulong(value: Any, type_: str) -> int | Partial | _NotMine:
    """
    >>> stated_ulong(3, "ulong"), stated_ulong("x", "string") is NOT_MINE
    (3, True)
    """
    return _stated_number(value, type_, "ulong")


@transform("stated-int", gives="int", passes=True, loses=True)
def stated_int(value: Any, type_: str) -> int | Partial | _NotMine:
    """
    >>> stated_int(-3, "int")
    -3
    """
    return _stated_number(value, type_, "int")


@transform("stated-long", gives="int", passes=True, loses=True)
def stated_long(value: Any, type_: str) -> int | Partial | _NotMine:
    """
    >>> stated_long(-3, "long")
    -3
    """
    return _stated_number(value, type_, "long")


@transform("stated-timestamp", gives="int", passes=True, loses=True)
def stated_timestamp(value: Any, type_: str) -> int | Partial | _NotMine:
    """
    >>> stated_timestamp(3, "timestamp")
    3
    """
    return _stated_number(value, type_, "timestamp")


@transform("stated-time", gives="int", passes=True, loses=True)
def stated_time(value: Any, type_: str) -> int | Partial | _NotMine:
    """An unsigned time: a timestamp, or a ulong where it is beyond one.

    >>> stated_time(3, "timestamp"), stated_time(2**63, "ulong") == 2**63, stated_time(-1, "timestamp") is NOT_MINE
    (3, True, True)
    """
    if type_ == "ulong":
        return int(value) if value >= 2**63 else Partial(value, "its type ulong: timestamp comes back")
    return NOT_MINE if type_ == "timestamp" and value < 0 else _stated_number(value, type_, "timestamp")


@transform("stated-boolean", gives="bool", passes=True, loses=True)
def stated_boolean(value: Any, type_: str) -> bool | Partial | _NotMine:
    """
    >>> stated_boolean(True, "boolean"), stated_boolean("false", "string").value
    (True, False)
    """
    if type_ == "boolean":
        return bool(value)
    if type_ in ("string", "symbol") and value in ("true", "false"):
        return Partial(value == "true", f"its type {type_}: boolean comes back")
    return NOT_MINE


@transform("stated-string", gives="str", passes=True, loses=True)
def stated_string(value: Any, type_: str) -> str | Partial | _NotMine:
    """
    >>> stated_string("a", "string"), stated_string("a", "symbol").value, stated_string(1, "int") is NOT_MINE
    ('a', 'a', True)
    """
    if type_ == "string":
        return str(value)
    return Partial(value, "its type symbol: string comes back") if type_ == "symbol" else NOT_MINE


@transform("stated-binary", gives="bytes", passes=True, loses=True)
def stated_binary(value: Any, type_: str) -> bytes | Partial | _NotMine:
    """
    >>> stated_binary(b"a", "binary"), stated_binary("YQ==", "string").value
    (b'a', b'a')
    """
    if type_ == "binary":
        return bytes(value)
    octets = _base64(value) if type_ in ("string", "symbol") else None
    return NOT_MINE if octets is None else Partial(octets, f"its type {type_}: binary comes back")


def _base64(text: str) -> bytes | None:
    """The octets of canonical base64 text."""
    from base64 import b64decode, b64encode  # noqa: PLC0415 - keeps `import mqconvert` light

    try:
        octets = b64decode(text, validate=True)
    except ValueError:
        return None
    return octets if b64encode(octets).decode() == text else None


# ---- addresses ------------------------------------------------------------------------------------------------------


@condition("same-as-address")
def same_as_address(value: Any, address: Any) -> bool:
    """The address that the caller gives is the message's own.

    >>> same_as_address("a", "a"), same_as_address("a", None)
    (True, False)
    """
    return bool(value == address)


@condition("unaddressed")
def unaddressed(value: Any, address: Any) -> bool:  # noqa: ARG001 - conditions get the value first
    """The caller gives no address.

    >>> unaddressed("a", None)
    True
    """
    return address is None


@condition("escape")
def escape(value: Any, asked: Any) -> bool:  # noqa: ARG001 - conditions get the value first
    """The caller asks for the reversible escape of addresses.

    >>> escape("a/b", True)
    True
    """
    return bool(asked)


@condition("legal-nsq-name")
def legal_nsq_name(value: Any) -> bool:
    """A name of a topic or channel of NSQ.

    >>> legal_nsq_name("a.b"), legal_nsq_name("a/b")
    (True, False)
    """
    return name_fault(value) is None


_PLAIN = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-")
_ESCAPED = re.compile(r"(?:[.a-zA-Z0-9-]|_[0-9A-F]{2})*\Z")


def escaped(text: str, plain: frozenset[int] = _PLAIN) -> str:
    """Octets outside `plain` as `_` and two hex digits."""
    return "".join(chr(octet) if octet in plain else f"_{octet:02X}" for octet in text.encode())


@transform("escaped-nsq-name", gives="str", loses=True)
def escaped_nsq_name(value: str) -> str | Loss:
    """Every octet outside .a-zA-Z0-9- as `_` and two hex digits; the suffix #ephemeral stays.

    >>> escaped_nsq_name("a/b_c#ephemeral")
    'a_2Fb_5Fc#ephemeral'
    """
    stem, suffix, rest = value.partition("#ephemeral")
    made = escaped(stem) + suffix if suffix and not rest else escaped(value)
    return Loss("longer than 64 characters when escaped") if name_fault(made) else made


@transform("unescaped-name", gives="str", passes=True)
def unescaped_name(value: str) -> str | _NotMine:
    """What an escaped name stood for; a name that is not escaped is for the next row.

    >>> unescaped_name("a_2Fb"), unescaped_name("a_b") is NOT_MINE
    ('a/b', True)
    """
    stem, suffix, rest = value.partition("#ephemeral")
    if rest or not _ESCAPED.match(stem):
        return NOT_MINE
    first, *parts = stem.split("_")
    octets = first.encode() + b"".join(bytes.fromhex(part[:2]) + part[2:].encode() for part in parts)
    text = text_of(octets)
    return NOT_MINE if text is None else text + suffix


# ---- NSQ ------------------------------------------------------------------------------------------------------------


@transform("name-to-durable", gives="bool")
def name_to_durable(value: str) -> bool:
    """Topics whose names end in #ephemeral are in memory only.

    >>> name_to_durable("a"), name_to_durable("a#ephemeral")
    (True, False)
    """
    return not value.endswith("#ephemeral")


@condition("durable-as-named")
def durable_as_named(value: Any, address: Any, to: Any) -> bool:
    """What the header says is what the topic's name says.

    >>> durable_as_named(True, None, "a"), durable_as_named(True, "a#ephemeral", "a")
    (True, False)
    """
    return bool(value is name_to_durable(address or to or ""))


@condition("nsq-delivery")
def nsq_delivery(value: Any, beside: Any, frame: Any, message: Message) -> bool:  # noqa: ARG001 - the place of a type or clock
    """A message frame of NSQ is to be built: the caller asks for one, or the annotation of one is there.

    >>> nsq_delivery(1, "uint", "message", Message()), nsq_delivery(1, "uint", None, Message())
    (True, False)
    """
    if frame is not None:
        return bool(frame == "message")
    for key, typed in message.message_annotations or ():
        if key == "x-opt-nsq-timestamp" or (key == "x-opt-nsq-type" and typed.value == "message"):
            return True
    return False


@condition("same-millisecond")
def same_millisecond(value: Any, type_: Any, frame: Any, message: Message) -> bool:
    """The annotation of a message frame's time in nanoseconds is of this millisecond.

    >>> exact = Message(message_annotations=[("x-opt-nsq-timestamp", TypedValue("long", 1999999))])
    >>> same_millisecond(1, "timestamp", None, exact), same_millisecond(1, "timestamp", None, Message())
    (True, False)
    """
    exact = dict(message.message_annotations or ()).get("x-opt-nsq-timestamp")
    if exact is None or not nsq_delivery(value, type_, frame, message):
        return False
    return exact.value.__class__ is int and exact.value // 1_000_000 == value


@condition("beyond-nanoseconds")
def beyond_nanoseconds(value: Any, type_: Any, frame: Any, message: Message) -> bool:
    """A time in milliseconds that 64 bits of nanoseconds do not hold, for a message frame that has no other.

    >>> beyond_nanoseconds(2**62, "timestamp", "message", Message())
    True
    """
    stated = dict(message.message_annotations or ()).get("x-opt-nsq-timestamp")
    fits = -(2**63) <= value * 1_000_000 < 2**63
    return stated is None and not fits and nsq_delivery(value, type_, frame, message)


@condition("timed")
def timed(value: Any, result: Any) -> bool:  # noqa: ARG001 - conditions get the value first
    """The target is a message frame: it has a time."""
    return result.timestamp is not None


@transform("clock-nanoseconds", gives="int")
def clock_nanoseconds(value: None, clock: int) -> int:  # noqa: ARG001 - what was absent
    """
    >>> clock_nanoseconds(None, 1)
    1000000
    """
    return clock * 1_000_000


@transform("one", gives="int")
def one(value: Any) -> int:  # noqa: ARG001 - a constant
    """
    >>> one(None)
    1
    """
    return 1


@transform("id-of-zeros", gives="bytes")
def id_of_zeros(value: Any) -> bytes:  # noqa: ARG001 - a constant
    """
    >>> id_of_zeros(None)
    b'0000000000000000'
    """
    return b"0" * 16


@transform("nanoseconds-to-milliseconds", gives="int")
def nanoseconds_to_milliseconds(value: int) -> int:
    """Rounded down.

    >>> nanoseconds_to_milliseconds(1999999), nanoseconds_to_milliseconds(-1)
    (1, -1)
    """
    return value // 1_000_000


@transform("milliseconds-to-nanoseconds", gives="int")
def milliseconds_to_nanoseconds(value: int) -> int:
    """
    >>> milliseconds_to_nanoseconds(1)
    1000000
    """
    return value * 1_000_000


@transform("less-one", gives="int")
def less_one(value: int) -> int:
    """Attempts as earlier attempts.

    >>> less_one(1)
    0
    """
    return value - 1


@transform("plus-one", gives="int", loses=True)
def plus_one(value: int) -> int | Partial:
    """Earlier attempts as attempts, of two octets.

    >>> plus_one(0), plus_one(65535)
    (1, Partial(value=65535, reason='more than 65534 earlier attempts'))
    """
    return value + 1 if value < 65535 else Partial(65535, "more than 65534 earlier attempts")


@transform("nsq-message-id", gives="bytes", loses=True)
def nsq_message_id(value: Any, type_: str) -> bytes | Partial:
    """16 octets without blank or line end as they are; of any other id, 16 hex digits of the SHA-256 of its text.

    >>> nsq_message_id("0123456789abcdef", "string")
    b'0123456789abcdef'
    >>> nsq_message_id("a", "string").value
    b'ca978112ca1bbdca'
    """
    octets = value.encode() if type_ == "string" else bytes(value) if type_ == "binary" else b""
    fits = len(octets) == 16 and not {0x20, 0x0A} & set(octets)
    if fits and octets.isascii() is (type_ == "string"):
        return octets
    made = text_form(value, type_)
    text = made if isinstance(made, str) else str(value)
    return Partial(hashlib.sha256(text.encode()).hexdigest()[:16].encode(), "not the 16 octets of an id of NSQ")


@transform("delay-until", gives="int", passes=True, loses=True)
def delay_until(value: Any, type_: str, clock: int) -> int | Partial | Loss | _NotMine:
    """A time in milliseconds as the delay from the caller's clock, at most what nsqd defers.

    >>> delay_until(1500, "long", 1000)
    Partial(value=500, reason='the time itself: a delay is what comes back')
    >>> delay_until(1500, "long", 0)
    Loss(reason='a time, and no clock to count a delay from')
    """
    time = _stated_number(value, type_, "long")
    if isinstance(time, _NotMine):
        return NOT_MINE
    if not clock:
        return Loss("a time, and no clock to count a delay from")
    moment = time.value if isinstance(time, Partial) else time
    return Partial(min(max(moment - clock, 0), MAX_REQ_TIMEOUT), "the time itself: a delay is what comes back")


@condition("too-long-a-delay")
def too_long_a_delay(value: Any) -> bool:
    """A delay that nsqd does not take.

    >>> too_long_a_delay(3600001), too_long_a_delay(-1), too_long_a_delay("x")
    (True, True, False)
    """
    return value.__class__ is int and not 0 <= value <= MAX_REQ_TIMEOUT


@condition("empty-publication")
def empty_publication(value: Any, result: Any) -> bool:
    """No octets in a command to nsqd, which refuses that; a message frame may be empty.

    >>> from mqconvert.converters.messages.nsq import Message
    >>> empty_publication(b"", Message()), empty_publication(b"", Message(timestamp=0))
    (True, False)
    """
    return not value and result.timestamp is None


# ---- PHPMQ ----------------------------------------------------------------------------------------------------------


@condition("ttl-seconds")
def ttl_seconds(value: Any) -> bool:
    """Seconds that a ttl of AMQP 1.0 (milliseconds of 32 bits) holds.

    >>> ttl_seconds(1), ttl_seconds(-1), ttl_seconds(4294968)
    (True, False, False)
    """
    return bool(1 <= value <= 4_294_967)


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


@condition("phpmq-type")
def phpmq_type(value: Any, type_: Any, frame: Any, properties: Any) -> bool:
    """1 (send), or 3 (dispatch) of a message with an id; not where the caller says which frame to build.

    >>> from mqconvert.converters.messages.amqp10 import Properties
    >>> phpmq_type(1, "ubyte", None, Properties()), phpmq_type(3, "ubyte", None, Properties())
    (True, False)
    """
    number = _stated_number(value, type_, "ubyte")
    number = number.value if isinstance(number, Partial) else number
    return frame is None and (number == 1 or (number == 3 and properties.message_id is not None))


@condition("dispatch")
def dispatch(value: Any, type_: Any, frame: Any, stated: Any) -> bool:  # noqa: ARG001 - the place of the value's type
    """A dispatch (003) is to be built: the caller asks for one, or the annotation of the type says so.

    >>> dispatch("a", "string", "003", None), dispatch("a", "string", None, None)
    (True, False)
    """
    return frame in ("003", "dispatch") if frame is not None else stated is not None and str(stated.value) == "3"


@condition("dispatch-frame")
def dispatch_frame(value: Any, properties: Any) -> bool:
    """The caller asks for a dispatch, and the message has the id that it needs."""
    return value in ("003", "dispatch") and properties.message_id is not None


@transform("three", gives="int")
def three(value: Any) -> int:  # noqa: ARG001 - a constant
    """
    >>> three("003")
    3
    """
    return 3


@transform("phpmq-message-id", gives="bytes", loses=True)
def phpmq_message_id(value: Any, type_: str) -> bytes | Partial:
    """Text as UTF-8, octets that are no text as they are; what would come back as another type is a loss.

    >>> phpmq_message_id("a", "string"), phpmq_message_id(b"\\xff", "binary"), phpmq_message_id(1, "ulong")
    (b'a', b'\\xff', Partial(value=b'1', reason='its type ulong: string comes back'))
    """
    if type_ == "string":
        return str(value).encode()
    if type_ == "binary":
        octets = bytes(value)
        return octets if text_of(octets) is None else Partial(octets, "its type binary: string comes back")
    made = text_form(value, type_, "urn")
    return Partial(str(made).encode(), f"its type {type_}: string comes back")


# ---- the whole message in a payload ---------------------------------------------------------------------------------

ENVELOPE = b"AMQP\x00\x01\x00\x00"
"""The protocol header of AMQP 1.0, before the sections of a whole message."""


@condition("envelope")
def envelope(value: Any, payload: Any) -> bool:  # noqa: ARG001 - conditions get the value first
    """The caller wants payloads to carry whole messages.

    >>> envelope(b"", "envelope")
    True
    """
    return bool(payload == "envelope")


@transform("amqp-envelope", gives="bytes")
def amqp_envelope(value: bytes, payload: str, message: Message) -> bytes:  # noqa: ARG001 - finish words get what the row reads
    """The protocol header of AMQP 1.0, then the sections of the message.

    >>> amqp_envelope(b"", "envelope", Message(body=Data([b"a"]))).hex()
    '414d515000010000005375a00161'
    """
    from mqconvert.converters.codecs.amqp10 import encode  # noqa: PLC0415 - rows that need it are rare

    return ENVELOPE + encode(message)


@transform("enveloped-message", gives="sections", passes=True)
def enveloped_message(value: bytes, payload: str) -> Message | _NotMine:
    """The message in an envelope; any other payload is for the next row.

    >>> enveloped_message(bytes.fromhex("414d515000010000005375a00161"), "envelope").body
    Data(sections=[b'a'])
    """
    from mqconvert.converters.codecs.amqp10 import decode  # noqa: PLC0415 - rows that need it are rare

    if payload != "envelope" or value[:8] != ENVELOPE:
        return NOT_MINE
    try:
        return decode(value[8:])
    except DecodeError:
        return NOT_MINE


# ---- bodies ---------------------------------------------------------------------------------------------------------


@transform("bare-payload", gives="bytes", loses=True)
def bare_payload(value: Body) -> bytes | Partial:
    """The octets of a body where nothing can say its kind; all but one data section is a loss.

    >>> bare_payload(Data([b"a"])), bare_payload(AmqpValue(TypedValue("string", "a"))).value
    (b'a', b'a')
    """
    octets, kind = payload_and_kind(value)
    return octets if kind is None else Partial(octets, "its kind: one data section comes back")


def payload_and_kind(body: Body) -> tuple[bytes, str | None]:
    """The octets that a body is elsewhere, and what says its kind there; None for one data section.

    >>> payload_and_kind(Data([b"a", b"bc"])), payload_and_kind(AmqpValue(TypedValue("null", None)))
    ((b'abc', 'data:1,2'), (b'', 'value-null'))
    """
    if isinstance(body, Data):
        octets = b"".join(body.sections)
        return octets, None if len(body.sections) == 1 else "data:" + ",".join(str(len(part)) for part in body.sections)
    if isinstance(body, AmqpValue):
        type_, value = body.value.type, body.value.value
        if type_ == "string":
            return value.encode(), "value-string"
        if type_ == "binary":
            return value, "value-binary"
        if type_ == "null":
            return b"", "value-null"
    return amqp_encoded_body(body), "amqp-1.0"


# ---- text forms -----------------------------------------------------------------------------------------------------

_TEXT_FORMS: dict[str, Callable[[Any], str]] = {}


def text_form(value: Any, type_: str, uuid: str = "plain") -> str | Loss:
    """The text of a value of any type; `uuid="urn"` for those of ids.

    >>> text_form(True, "boolean"), text_form(-1, "int"), text_form(0.1, "double"), text_form(b"a", "binary")
    ('true', '-1', '0.1', 'YQ==')
    """
    if type_ in ("string", "symbol"):
        return str(value)
    if type_ in _INTEGERS:
        return str(value)
    if type_ == "boolean":
        return "true" if value else "false"
    if type_ == "null":
        return ""
    if type_ == "binary":
        return _base64_text(value)
    if type_ == "uuid":
        text: str = TRANSFORMS["uuid-to-urn"].function(value)
        return text if uuid == "urn" else text[9:]
    if type_ == "char":
        return Loss("a char that is no code point") if 0xD800 <= value <= 0xDFFF else chr(value)
    if type_ in ("float", "double"):
        return _float_text(value, type_)
    if type_ in ("decimal32", "decimal64", "decimal128"):
        return str(value.hex())
    return _encoded_text(value, type_)


def _base64_text(octets: bytes) -> str:
    from base64 import b64encode  # noqa: PLC0415 - keeps `import mqconvert` light

    return b64encode(octets).decode()


def _float_text(value: float, type_: str) -> str | Loss:
    """The shortest decimal that reads back; a NaN has one text, so that its sign and payload are lost."""
    from struct import pack, unpack  # noqa: PLC0415 - keeps `import mqconvert` light

    if value != value:  # noqa: PLR0124 - NaN is the value that is not itself
        plain = pack(">d", value) == pack(">d", float("nan"))
        return "nan" if plain else Loss("the sign and payload of a NaN")
    if type_ == "double" or value in (float("inf"), float("-inf")):
        return repr(value)
    for digits in range(6, 10):
        text = f"{value:.{digits}g}"
        if unpack(">f", pack(">f", float(text)))[0] == value:
            return repr(float(text))
    return repr(value)


def _encoded_text(value: Any, type_: str) -> str | Loss:
    """Base64 of the AMQP encoding of an amqp-value section that holds it, less the section's own three octets."""
    from mqconvert.converters.codecs.amqp10 import encode_body_sections  # noqa: PLC0415 - rows that need it are rare

    return _base64_text(encode_body_sections(Message(body=AmqpValue(TypedValue(type_, value))))[3:])


def read_text(text: str, name: str, uuid: str = "plain") -> TypedValue | None:
    """The value of a text form and the name of its type; None where the text is none of that type.

    >>> read_text("-1", "int"), read_text("abc", "int")
    (TypedValue(type='int', value=-1), None)
    """
    try:
        typed = _read_text(text, name, uuid)
    except (ValueError, OverflowError, DecodeError):
        return None
    if typed is None or AMQP10_TYPES[typed.type].fault(typed.value) is not None:
        return None
    return typed


def _read_text(text: str, name: str, uuid: str) -> TypedValue | None:
    if name == "null":
        return TypedValue("null", None) if not text else None
    if name in ("string", "symbol"):
        return TypedValue(name, text)
    if name == "boolean":
        return TypedValue("boolean", text == "true") if text in ("true", "false") else None
    if name in _INTEGERS:
        return TypedValue(name, int(text)) if _DECIMAL.match(text) else None
    if name == "binary":
        octets = _base64(text)
        return None if octets is None else TypedValue("binary", octets)
    if name == "char":
        return TypedValue("char", ord(text)) if len(text) == 1 else None
    if name == "uuid":
        made = bytes.fromhex(text[9:].replace("-", "") if uuid == "urn" else text.replace("-", ""))
    elif name in ("decimal32", "decimal64", "decimal128"):
        made = bytes.fromhex(text)
    elif name in ("float", "double"):
        number = float(text)
        return TypedValue(name, number) if _float_text(number, name) == text else None
    elif name == "amqp":
        return _read_encoded(text)
    else:
        return None
    return TypedValue(name, made) if text_form(made, name, uuid) == text else None


def _read_encoded(text: str) -> TypedValue | None:
    from mqconvert.converters.codecs.amqp10 import decode  # noqa: PLC0415 - rows that need it are rare

    octets = _base64(text)
    if octets is None:
        return None
    body = decode(b"\x00\x53\x77" + octets).body
    return body.value if isinstance(body, AmqpValue) and body.value.type in _COMPOUND else None


_COMPOUND = ("list", "map", "array", "described")


def type_name(type_: str) -> str:
    """The name of a type beside a text form."""
    return "amqp" if type_ in _COMPOUND else type_
