"""Conditions and transforms of the tables between AMQP 1.0 and RocketMQ, PHPMQ, NSQ and Pulsar: the words of their rows.

As in conditions.py and transforms.py: one total, pure function each, with an example. What they do is prescribed by the
mapping of these protocols; a word says in its own line what it means, and the row that uses it says where.
"""

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


# ---- maps -----------------------------------------------------------------------------------------------------------


@transform("first-of-equal-keys", gives="list", loses=True)
def first_of_equal_keys(value: list[Any]) -> list[Any] | Partial:
    """A map without second equal keys, which AMQP 1.0 forbids (part 1 section 1.6.23) and its decoder passes.

    >>> first_of_equal_keys([("k", 1), ("a", 2), ("k", 3)])
    Partial(value=[('k', 1), ('a', 2)], reason='second equal keys: k')
    """
    first = dict(reversed(value))
    if len(first) == len(value):
        return value
    kept, second = [], {}
    for key, _ in value:
        if key in first:
            kept.append((key, first.pop(key)))
        else:
            second[str(key)] = True
    return Partial(kept, f"second equal keys: {', '.join(second)}")


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
def nsq_message_id(value: Any, type_: str, frame: Any, message: Message) -> bytes | Partial:  # noqa: ARG001 - reads as its condition
    """16 octets without blank or line end as they are; of any other id, 16 hex digits of the SHA-256 of its text.

    A message that came from NSQ, which the annotation of its time tells, may have those two in its id as well.

    >>> nsq_message_id("0123456789abcdef", "string", None, Message())
    b'0123456789abcdef'
    >>> nsq_message_id("a", "string", None, Message()).value
    b'ca978112ca1bbdca'
    """
    octets = value.encode() if type_ == "string" else bytes(value) if type_ == "binary" else b""
    from_nsq = any(key == "x-opt-nsq-timestamp" for key, _ in message.message_annotations or ())
    fits = len(octets) == 16 and (from_nsq or not {0x20, 0x0A} & set(octets))
    if fits and octets.isascii() is (type_ == "string"):
        return octets
    import hashlib  # noqa: PLC0415 - OpenSSL, a tenth of `import mqconvert`

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
def phpmq_type(value: Any, type_: Any, frame: Any, message_id: Any) -> bool:
    """1 (send), or 3 (dispatch) of a message with an id; not where the caller says which frame to build.

    >>> phpmq_type(1, "ubyte", None, None), phpmq_type(3, "ubyte", None, None)
    (True, False)
    """
    number = _stated_number(value, type_, "ubyte")
    number = number.value if isinstance(number, Partial) else number
    return frame is None and (number == 1 or (number == 3 and message_id is not None))


@condition("dispatch")
def dispatch(value: Any, type_: Any, frame: Any, stated: Any) -> bool:  # noqa: ARG001 - the place of the value's type
    """A dispatch (003) is to be built: the caller asks for one, or the annotation of the type says so.

    >>> dispatch("a", "string", "003", None), dispatch("a", "string", None, None)
    (True, False)
    """
    return frame in ("003", "dispatch") if frame is not None else stated is not None and str(stated.value) == "3"


@condition("dispatch-frame")
def dispatch_frame(value: Any, message_id: Any) -> bool:
    """The caller asks for a dispatch, and the message has the id that it needs."""
    return value in ("003", "dispatch") and message_id is not None


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
        number = float(f"{value:.{digits}g}")
        if abs(number) <= _LARGEST_FLOAT and unpack(">f", pack(">f", number))[0] == value:
            return repr(number)
    return repr(value)


_LARGEST_FLOAT = 3.4028235677973366e38
"""What rounds to the largest float of 32 bits, and not beyond it."""


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
        number = _single(float(text)) if name == "float" else float(text)
        return TypedValue(name, number) if _float_text(number, name) == text else None
    elif name == "amqp":
        return _read_encoded(text)
    else:
        return None
    return TypedValue(name, made) if text_form(made, name, uuid) == text else None


def _single(number: float) -> float:
    """The float of 32 bits that is nearest."""
    from struct import pack, unpack  # noqa: PLC0415 - keeps `import mqconvert` light

    return float(unpack(">f", pack(">f", number))[0])


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


# ---- properties of text: names -------------------------------------------------------------------------------------

IDS = ("amqp-message-id", "amqp-correlation-id")
FIXED = {
    "amqp-user-id": "binary", "amqp-to": "string", "amqp-subject": "string", "amqp-reply-to": "string",
    "amqp-content-type": "symbol", "amqp-content-encoding": "symbol", "amqp-absolute-expiry-time": "timestamp",
    "amqp-creation-time": "timestamp", "amqp-group-id": "string", "amqp-group-sequence": "uint",
    "amqp-reply-to-group-id": "string", "amqp-durable": "boolean", "amqp-priority": "ubyte", "amqp-ttl": "uint",
    "amqp-first-acquirer": "boolean", "amqp-delivery-count": "uint", "amqp-body": "string",
}  # fmt: skip
"""Reserved names of properties: two that may have any type of an id, the others with the one type of their field."""
PREFIXES = ("amqp-ap.", "amqp-ma.", "amqp-ft.", "amqp-type.")
ESCAPES = ("amqp-b64.", "amqp-b64n.")
DELIVERY = ("x-opt-delivery-time", "x-opt-delivery-delay")
"""Annotations that more than one protocol reads."""

SYSTEM_NAMES = frozenset({
    "KEYS", "TAGS", "UNIQ_KEY", "WAIT", "DELAY", "TIMER_DELAY_SEC", "TIMER_DELAY_MS", "TIMER_DELIVER_MS",
    "TIMER_ENQUEUE_MS", "TIMER_DEQUEUE_MS", "TIMER_OUT_MS", "TIMER_ROLL_TIMES", "TIMER_DEL_UNIQKEY", "TIMER_DELAY_LEVEL",
    "__SHARDINGKEY", "RETRY_TOPIC", "REAL_TOPIC", "REAL_QID", "ORIGIN_MESSAGE_ID", "RECONSUME_TIME",
    "MAX_RECONSUME_TIMES", "DLQ_ORIGIN_TOPIC", "DLQ_ORIGIN_MESSAGE_ID", "TRAN_MSG", "PGROUP", "__transactionId__",
    "TRAN_PREPARED_QUEUE_OFFSET", "TRANSACTION_CHECK_TIMES", "CHECK_IMMUNITY_TIME_IN_SECONDS", "CORRELATION_ID",
    "REPLY_TO_CLIENT", "TTL", "MSG_TYPE", "CLUSTER", "ARRIVE_TIME", "PUSH_REPLY_TIME", "MSG_REGION", "TRACE_ON",
    "TRACE_CONTEXT", "MIN_OFFSET", "MAX_OFFSET", "BUYER_ID", "INSTANCE_ID", "TRANSFER_FLAG", "CORRECTION_FLAG",
    "MQ2_FLAG", "CONSUME_START_TIME", "DUP_INFO", "EXTEND_UNIQ_INFO", "POP_CK", "POP_CK_OFFSET", "1ST_POP_TIME",
    "INNER_NUM", "INNER_BASE", "INNER_MULTI_DISPATCH", "INNER_MULTI_QUEUE_OFFSET", "PROPERTY_FORWARD_QUEUE_ID",
    "REDIRECT", "__BORNHOST", "BORN_TIMESTAMP", "__CRC32#",
})  # fmt: skip
"""Names of RocketMQ's own properties, which clients refuse to users."""


def is_system_name(name: str) -> bool:
    """A name of RocketMQ's own.

    >>> is_system_name("KEYS"), is_system_name("__RMQ.TRANSIENT.a"), is_system_name("k")
    (True, True, False)
    """
    return name in SYSTEM_NAMES or (name.startswith("__RMQ.TRANSIENT.") and name.isascii())


def _is_own(key: str, protocol: str) -> bool:
    return key.startswith(f"x-opt-{protocol}-") or key in DELIVERY


@condition("reserved-for-pulsar")
def reserved_for_pulsar(value: Any, key: Any) -> bool:  # noqa: ARG001 - it is the key that counts
    """A key of application properties that would mean something else among Pulsar's properties.

    >>> reserved_for_pulsar("", "x-a"), reserved_for_pulsar("", "x-opt-pulsar-a"), reserved_for_pulsar("", "amqp-ap.k")
    (True, False, True)
    """
    if key.startswith("x-"):
        return not _is_own(key, "pulsar")
    return key.startswith("amqp-") and (key in IDS or key in FIXED or key.startswith(PREFIXES))


@condition("reserved-for-rocketmq")
def reserved_for_rocketmq(value: Any, key: Any) -> bool:  # noqa: ARG001 - it is the key that counts
    """A key of application properties that would mean something else among RocketMQ's properties.

    >>> reserved_for_rocketmq("", "KEYS"), reserved_for_rocketmq("", "k")
    (True, False)
    """
    if key.startswith("x-"):
        return not _is_own(key, "rocketmq")
    if key.startswith("amqp-"):
        return key in IDS or key in FIXED or key.startswith(PREFIXES) or key.startswith(ESCAPES)
    return is_system_name(key)


@condition("no-annotation-of-pulsar")
def no_annotation_of_pulsar(value: Any, key: Any) -> bool:  # noqa: ARG001 - it is the key that counts
    """A text key of an annotation that would not be one again if it stood among Pulsar's properties as it is.

    >>> no_annotation_of_pulsar("", "k"), no_annotation_of_pulsar("", "x-a"), no_annotation_of_pulsar("", 1)
    (True, False, False)
    """
    return key.__class__ is str and (not key.startswith("x-") or _is_own(key, "pulsar"))


@condition("no-annotation-of-rocketmq")
def no_annotation_of_rocketmq(value: Any, key: Any) -> bool:  # noqa: ARG001 - it is the key that counts
    """The same of RocketMQ.

    >>> no_annotation_of_rocketmq("", "x-opt-rocketmq-a")
    True
    """
    return key.__class__ is str and (not key.startswith("x-") or _is_own(key, "rocketmq"))


@condition("text-key")
def text_key(value: Any, key: Any) -> bool:  # noqa: ARG001 - it is the key that counts
    """A key that is text: an annotation's may be a number.

    >>> text_key("", 1)
    False
    """
    return key.__class__ is str


@condition("ascii-key")
def ascii_key(value: Any, key: Any) -> bool:  # noqa: ARG001 - it is the key that counts
    """A key that a symbol can be.

    >>> ascii_key("", "é")
    False
    """
    return bool(key.isascii())


# ---- properties of text: types and values ---------------------------------------------------------------------------


@transform("type-beside", gives="str", passes=True)
def type_beside(value: Any, key: Any, type_: str) -> str | _NotMine:  # noqa: ARG001 - reads as the rows of the values do
    """What stands beside a value that is no string.

    >>> type_beside(1, "k", "int"), type_beside([], "k", "list"), type_beside("a", "k", "string") is NOT_MINE
    ('int', 'amqp', True)
    """
    if type_ == "string" or isinstance(text_form(value, type_), Loss):
        return NOT_MINE
    return type_name(type_)


@transform("id-type-beside", gives="str", passes=True)
def id_type_beside(value: Any, type_: str) -> str | _NotMine:  # noqa: ARG001 - transforms get the value first
    """What stands beside an id that is no string.

    >>> id_type_beside(1, "ulong")
    'ulong'
    """
    return NOT_MINE if type_ == "string" else type_


@transform("text-form", gives="str", loses=True)
def text_form_of(value: Any, key: Any, type_: str) -> str | Loss:  # noqa: ARG001 - reads as the row of the type does
    """The text of a value of any type.

    >>> text_form_of(True, "k", "boolean"), text_form_of(0xD800, "k", "char")
    ('true', Loss(reason='a char that is no code point'))
    """
    return text_form(value, type_)


@transform("id-text", gives="str", loses=True)
def id_text(value: Any, type_: str) -> str | Loss:
    """The text of an id; a uuid as a URN.

    >>> id_text(bytes(16), "uuid")
    'urn:uuid:00000000-0000-0000-0000-000000000000'
    """
    return text_form(value, type_, "urn")


@condition("types-beside")
def types_beside(value: Any, beside: Any, key: Any) -> bool:
    """The name of a type, and the property beside it can be read as a value of that type.

    >>> types_beside("int", "5", "amqp-type.k"), types_beside("int", "x", "amqp-type.k"), types_beside("int", None, "a")
    (True, False, False)
    """
    name = key[len("amqp-type.") :]
    if beside is None or value == "string" or name.startswith("amqp-type.") or FIXED.get(name, value) != value:
        return False
    if name in IDS:
        return not isinstance(typed_id(beside, value), _NotMine)
    return read_text(beside, value) is not None


@condition("rocketmq-types-beside")
def rocketmq_types_beside(value: Any, beside: Any, key: Any) -> bool:
    """The same of RocketMQ, whose own properties are text.

    >>> rocketmq_types_beside("int", "5", "amqp-type.DELAY")
    False
    """
    return not is_system_name(key[len("amqp-type.") :]) and types_beside(value, beside, key)


@transform("typed-text", gives="typed")
def typed_text(value: str, name: str | None) -> TypedValue:
    """A property's value, by the type beside it where it can be read so.

    >>> typed_text("5", "int"), typed_text("x", "int").type, typed_text("x", None).type
    (TypedValue(type='int', value=5), 'string', 'string')
    """
    typed = None if name is None or name == "string" else read_text(value, name)
    return TypedValue("string", value) if typed is None else typed


_ID_TYPES = ("ulong", "uuid", "binary")


@transform("typed-id", gives="typed", passes=True)
def typed_id(value: str, name: str | None) -> TypedValue | _NotMine:
    """An id, by the type beside it; one that cannot be read so is for the next row.

    >>> typed_id("a", None), typed_id("5", "ulong"), typed_id("x", "ulong") is NOT_MINE
    (TypedValue(type='string', value='a'), TypedValue(type='ulong', value=5), True)
    """
    if name is None:
        return TypedValue("string", value)
    typed = read_text(value, name, "urn") if name in _ID_TYPES else None
    return NOT_MINE if typed is None else typed


@transform("read-base64", gives="bytes", passes=True)
def read_base64(value: str) -> bytes | _NotMine:
    """
    >>> read_base64("YQ=="), read_base64("?") is NOT_MINE
    (b'a', True)
    """
    octets = _base64(value)
    return NOT_MINE if octets is None else octets


@transform("to-base64", gives="str")
def to_base64(value: bytes) -> str:
    """
    >>> to_base64(b"a")
    'YQ=='
    """
    return _base64_text(value)


def _read_number(value: str, type_: str) -> int | _NotMine:
    typed = read_text(value, type_)
    return NOT_MINE if typed is None else int(typed.value)


@transform("read-timestamp", gives="int", passes=True)
def read_timestamp(value: str) -> int | _NotMine:
    """
    >>> read_timestamp("-5"), read_timestamp("+5") is NOT_MINE
    (-5, True)
    """
    return _read_number(value, "timestamp")


@transform("read-uint", gives="int", passes=True)
def read_uint(value: str) -> int | _NotMine:
    """
    >>> read_uint("5"), read_uint("-5") is NOT_MINE
    (5, True)
    """
    return _read_number(value, "uint")


@transform("read-ubyte", gives="int", passes=True)
def read_ubyte(value: str) -> int | _NotMine:
    """
    >>> read_ubyte("256") is NOT_MINE
    True
    """
    return _read_number(value, "ubyte")


@transform("read-plain-int", gives="int", passes=True)
def read_plain_int(value: str) -> int | _NotMine:
    """Decimal without sign or leading zero, of 31 bits.

    >>> read_plain_int("5"), read_plain_int("-5") is NOT_MINE
    (5, True)
    """
    return NOT_MINE if value.startswith("-") else _read_number(value, "int")


@transform("read-plain-long", gives="int", passes=True)
def read_plain_long(value: str) -> int | _NotMine:
    """Decimal without sign or leading zero, of 63 bits.

    >>> read_plain_long("5"), read_plain_long("05") is NOT_MINE
    (5, True)
    """
    return NOT_MINE if value.startswith("-") else _read_number(value, "long")


@transform("read-boolean", gives="bool", passes=True)
def read_boolean(value: str) -> bool | _NotMine:
    """
    >>> read_boolean("true"), read_boolean("TRUE") is NOT_MINE
    (True, True)
    """
    return value == "true" if value in ("true", "false") else NOT_MINE


# ---- bodies beside a property that says their kind --------------------------------------------------------------------


def body_of(payload: bytes, kind: str) -> Body | None:
    """The body of that kind whose octets a payload is; None where they do not fit.

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
    if len(parts) < 2 or not all(_DECIMAL.match(part) and part[0] != "-" for part in parts):
        return None
    at, sections = 0, []
    for part in parts:
        sections.append(payload[at : at + int(part)])
        at += int(part)
    return Data(sections) if at == len(payload) else None


def _body_sections(payload: bytes) -> Body | None:
    from mqconvert.converters.codecs.amqp10 import decode  # noqa: PLC0415 - rows that need it are rare

    try:
        message = decode(payload)
    except DecodeError:
        return None
    present = [slot for slot in Message.__slots__ if getattr(message, slot) is not None]
    if present != ["body"] or message.body is None:
        return None
    return message.body if payload_and_kind(message.body)[1] == "amqp-1.0" else None


@transform("body-of-kind", gives="body", passes=True)
def body_of_kind(value: bytes, kind: str | None) -> Body | _NotMine:
    """A payload as the body that the property beside it says; where none does, or it does not fit, for the next row.

    >>> body_of_kind(b"a", "value-string"), body_of_kind(b"a", None) is NOT_MINE
    (AmqpValue(value=TypedValue(type='string', value='a')), True)
    """
    body = None if kind is None else body_of(value, kind)
    return NOT_MINE if body is None else body


@condition("says-body")
def says_body(value: Any, payload: Any) -> bool:
    """A body kind that the payload beside it fits.

    >>> says_body("value-null", b""), says_body("value-null", b"a"), says_body("other", b"")
    (True, False, False)
    """
    return body_of(payload, value) is not None


@transform("body-kind", gives="str", passes=True)
def body_kind(value: Body) -> str | _NotMine:
    """What says the kind of a body beside its octets; nothing for one data section.

    >>> body_kind(AmqpValue(TypedValue("string", "a"))), body_kind(Data([b""])) is NOT_MINE
    ('value-string', True)
    """
    kind = payload_and_kind(value)[1]
    return NOT_MINE if kind is None else kind


@transform("body-octets", gives="bytes")
def body_octets(value: Body) -> bytes:
    """The octets that a body is elsewhere.

    >>> body_octets(Data([b"a", b"b"]))
    b'ab'
    """
    return payload_and_kind(value)[0]


@transform("rocketmq-body-of-kind", gives="body", passes=True)
def rocketmq_body_of_kind(value: bytes, kind: str | None) -> Body | _NotMine:
    """The same of RocketMQ, where an empty body is one zero octet.

    >>> rocketmq_body_of_kind(b"\\0", "empty"), rocketmq_body_of_kind(b"\\0", "empty-value-null").value.type
    (Data(sections=[b'']), 'null')
    """
    if kind is not None and kind.startswith("empty") and value == b"\0":
        return Data([b""]) if kind == "empty" else body_of_kind(b"", kind[6:] if kind[5] == "-" else None)
    return body_of_kind(value, kind)


@condition("rocketmq-says-body")
def rocketmq_says_body(value: Any, payload: Any) -> bool:
    """A body kind of RocketMQ that the payload beside it fits.

    >>> rocketmq_says_body("empty", b"\\0"), rocketmq_says_body("empty", b"a")
    (True, False)
    """
    return not isinstance(rocketmq_body_of_kind(payload, value), _NotMine)


@transform("rocketmq-body-kind", gives="str", passes=True)
def rocketmq_body_kind(value: Body, message: Message) -> str | _NotMine:
    """What says the kind of a body, `empty` where it is to be one zero octet: not in a message that came from RocketMQ, which
    its annotations tell, since that one was empty before.

    >>> null = AmqpValue(TypedValue("null", None))
    >>> rocketmq_body_kind(Data([b""]), Message()), rocketmq_body_kind(null, Message())
    ('empty', 'empty-value-null')
    """
    octets, kind = payload_and_kind(value)
    if octets or any(str(key).startswith("x-opt-rocketmq-") for key, _ in message.message_annotations or ()):
        return NOT_MINE if kind is None else kind
    return "empty" if kind is None else f"empty-{kind}"


# ---- the raw list -----------------------------------------------------------------------------------------------------

WayBack = Callable[[Message], Any]
Pairs = list[tuple[str, str]]


def _comes_back(properties: Pairs, result: Message, way_back: WayBack) -> bool:
    """Whether the table back makes the same properties, in the same order as far as they are application properties."""
    from mqconvert.converters.errors import ConversionError  # noqa: PLC0415 - beside its only use

    try:
        back: Pairs = way_back(result).properties or []
    except ConversionError:
        return False
    if sorted(back) != sorted(properties):
        return False
    keys = {key for key, _ in result.application_properties or ()}
    return [pair for pair in back if pair[0] in keys] == [pair for pair in properties if pair[0] in keys]


@transform("pulsar-raw-list", gives="list")
def pulsar_raw_list(properties: Pairs | None, result: Message, way_back: WayBack) -> list[TypedValue] | None:
    """The properties as they were, where the table back would not make the same.

    >>> from mqconvert.converters.messages import pulsar
    >>> pulsar_raw_list([("a", "1")], Message(), lambda result: pulsar.Message(properties=[("a", "1")]))
    >>> len(pulsar_raw_list([("a", "1"), ("a", "2")], Message(), lambda result: pulsar.Message(properties=[("a", "2")])) or ())
    2
    """
    if not properties or _comes_back(properties, result, way_back):
        return None
    return pairs_to_lists(properties)


@transform("pairs-to-lists", gives="list")
def pairs_to_lists(value: Pairs | None) -> list[TypedValue] | None:
    """Each pair as a list of two strings; nothing of none.

    >>> pairs_to_lists([("a", "b")])[0].value[0]
    TypedValue(type='string', value='a')
    """
    if not value:
        return None
    return [TypedValue("list", [TypedValue("string", text) for text in pair]) for pair in value]


def _pairs_of(value: Any) -> Pairs | None:
    if value.__class__ is not list:
        return None
    pairs = []
    for typed in value:
        if typed.__class__ is not TypedValue or typed.type != "list":
            return None  # the pairs of a map are a list as well
        if [part.type for part in typed.value] != ["string", "string"]:
            return None
        pairs.append((typed.value[0].value, typed.value[1].value))
    return pairs


@condition("lists-of-pairs")
def lists_of_pairs(value: Any) -> bool:
    """A list of lists of two strings.

    >>> lists_of_pairs([]), lists_of_pairs("a")
    (True, False)
    """
    return _pairs_of(value) is not None


@condition("lists-beside")
def lists_beside(value: Any, beside: Any) -> bool:  # noqa: ARG001 - conditions get the value first
    """The annotation beside it is a list of lists of two strings."""
    return beside is not None and beside.type == "list" and _pairs_of(beside.value) is not None


@condition("batch-lists")
def batch_lists(value: Any, type_: Any, index: TypedValue | None) -> bool:
    """A list of lists of two strings, in a message that was a member of a batch.

    >>> batch_lists([], "list", None), batch_lists([], "list", TypedValue("uint", 0))
    (False, True)
    """
    return batch_member(value, type_, index) and _pairs_of(value) is not None


@transform("pairs-beside", gives="list")
def pairs_beside(value: Any, beside: TypedValue) -> Pairs | None:  # noqa: ARG001 - it replaces the value
    """
    >>> pairs_beside(None, TypedValue("list", pairs_to_lists([("a", "b")])))
    [('a', 'b')]
    """
    return _pairs_of(beside.value) or None


# ---- Pulsar -----------------------------------------------------------------------------------------------------------


@transform("topic-to-durable", gives="bool")
def topic_to_durable(value: str) -> bool:
    """
    >>> topic_to_durable("non-persistent://a/b/c"), topic_to_durable("a")
    (False, True)
    """
    return not value.startswith("non-persistent:")


@condition("durable-as-topic")
def durable_as_topic(value: Any, address: Any, to: Any) -> bool:
    """What the header says is what the topic's domain says.

    >>> durable_as_topic(True, None, "a"), durable_as_topic(True, "non-persistent://a", None)
    (True, False)
    """
    return bool(value is topic_to_durable(address or to or ""))


@condition("persistent-topic")
def persistent_topic(value: Any, address: Any, to: Any) -> bool:  # noqa: ARG001 - of a value that is absent
    """The topic's domain says persistent, or nothing."""
    return topic_to_durable(address or to or "")


@condition("fits-timestamp")
def fits_timestamp(value: Any) -> bool:
    """
    >>> fits_timestamp(2**63)
    False
    """
    return bool(value < 2**63)


@condition("not-negative")
def not_negative(value: Any) -> bool:
    """
    >>> not_negative(0), not_negative(-1)
    (True, False)
    """
    return bool(value >= 0)


@condition("null-value")
def null_value(value: Any) -> bool:
    """An amqp-value body of null."""
    return bool(value.value.type == "null")


@condition("null-payload")
def null_payload(value: Any, null: Any) -> bool:
    """An empty payload beside null_value = true.

    >>> null_payload(b"", True), null_payload(b"a", True)
    (True, False)
    """
    return not value and null is True


@condition("no-null-payload")
def no_null_payload(value: Any, payload: Any) -> bool:
    """A null_value that is not a null body: beside a payload, or false."""
    return not null_payload(payload, value)


@transform("null-body", gives="body")
def null_body(value: bytes) -> AmqpValue:  # noqa: ARG001 - a constant
    """
    >>> null_body(b"").value.type
    'null'
    """
    return AmqpValue(TypedValue("null", None))


@transform("member-sequence-id", gives="int", passes=True)
def member_sequence_id(value: int, own: int | None, index: int | None) -> int | _NotMine:
    """The sequence id of a batch member that has none of its own: the batch's and its index.

    >>> member_sequence_id(7, None, 2), member_sequence_id(7, 5, 2) is NOT_MINE
    (9, True)
    """
    return NOT_MINE if own is not None or index is None or value + index >= 2**64 else value + index


@transform("member-without-sequence-id", gives="bool", passes=True)
def member_without_sequence_id(value: int, own: int | None, index: int | None) -> bool | _NotMine:
    """True of such a member.

    >>> member_without_sequence_id(7, None, 2)
    True
    """
    return NOT_MINE if isinstance(member_sequence_id(value, own, index), _NotMine) else True


@condition("derived-sequence-id")
def derived_sequence_id(value: Any, type_: Any, derived: Any, batch: Any, index: Any) -> bool:  # noqa: ARG001 - place of the type
    """The sequence id of a batch member that had none of its own, unchanged since.

    >>> two, yes = TypedValue("uint", 2), TypedValue("boolean", True)
    >>> derived_sequence_id(9, "ulong", yes, TypedValue("ulong", 7), two), derived_sequence_id(9, "ulong", None, None, two)
    (True, False)
    """
    if (
        derived is None
        or batch is None
        or index is None
        or batch.value.__class__ is not int
        or index.value.__class__ is not int
    ):
        return False
    return derived.value is True and bool(batch.value + index.value == value)


@condition("batch-member")
def batch_member(value: Any, type_: Any, index: TypedValue | None) -> bool:  # noqa: ARG001 - the place of value and type
    """The message was a member of a batch: its place in one is there and can be read.

    >>> batch_member(5, "ulong", TypedValue("uint", 2)), batch_member(5, "ulong", None)
    (True, False)
    """
    return index is not None and not isinstance(stated_count(index.value, index.type), _NotMine)


@condition("batch-member-or-whole")
def batch_member_or_whole(
    value: Any, type_: Any, index: TypedValue | None, keys: TypedValue | None, chunk: TypedValue | None
) -> bool:
    """A member of a batch, or a whole one that could not be opened, since it is encrypted or a chunk.

    >>> batch_member_or_whole(2, "uint", None, None, TypedValue("uint", 0)), batch_member_or_whole(2, "uint", None, None, None)
    (True, False)
    """
    if keys is not None and not isinstance(made := encryption_keys_of_list(keys.value), _NotMine) and made:
        return True
    return batch_member(value, type_, index) or batch_member(value, type_, chunk)


@condition("no-number-of-batch")
def no_number_of_batch(value: Any, batch: TypedValue | None, index: TypedValue | None) -> bool:  # noqa: ARG001 - conditions get the value first
    """No annotations that can be read say the batch's sequence id and the place in it, which number a member as well.

    >>> no_number_of_batch(0, TypedValue("ulong", 7), TypedValue("uint", 2)), no_number_of_batch(0, None, None)
    (False, True)
    """
    if batch is None or index is None:
        return True
    read = (stated_ulong(batch.value, batch.type), stated_count(index.value, index.type))
    return any(isinstance(number, _NotMine) for number in read)


@transform("names-joined", gives="str", passes=True)
def names_joined(value: list[str]) -> str | _NotMine:
    """Names with commas between them; a name with a comma in it is for the next row.

    >>> names_joined(["a", "b"]), names_joined(["a,b"]) is NOT_MINE
    ('a,b', True)
    """
    return NOT_MINE if any("," in name for name in value) else ",".join(value)


@transform("names-split", gives="list")
def names_split(value: str) -> list[str]:
    """
    >>> names_split("a,b")
    ['a', 'b']
    """
    return value.split(",")


@transform("string-list", gives="list")
def string_list(value: list[str]) -> list[TypedValue]:
    """
    >>> string_list(["a,b"])
    [TypedValue(type='string', value='a,b')]
    """
    return [TypedValue("string", text) for text in value]


@transform("strings-of-list", gives="list", passes=True)
def strings_of_list(value: Any) -> list[str] | _NotMine:
    """
    >>> strings_of_list([TypedValue("string", "a,b")])
    ['a,b']
    """
    return _plain_list(value, "string")


def _plain_list(value: Any, type_: str) -> list[Any] | _NotMine:
    """The values of a list whose items are all of that type; the pairs of a map are a list as well, and are not."""
    if value.__class__ is not list or any(typed.__class__ is not TypedValue or typed.type != type_ for typed in value):
        return NOT_MINE
    return [typed.value for typed in value]


@transform("int-list", gives="list")
def int_list(value: list[int]) -> list[TypedValue]:
    """
    >>> int_list([1])
    [TypedValue(type='int', value=1)]
    """
    return [TypedValue("int", number) for number in value]


@transform("ints-of-list", gives="list", passes=True)
def ints_of_list(value: Any) -> list[int] | _NotMine:
    """
    >>> ints_of_list([TypedValue("int", 1)])
    [1]
    """
    return _plain_list(value, "int")


@transform("encryption-keys-list", gives="list")
def encryption_keys_list(value: list[Any]) -> list[TypedValue]:
    """Each key as a list of its name, its octets, and its metadata as a map of strings.

    >>> from mqconvert.converters.messages.pulsar import EncryptionKey
    >>> [part.type for part in encryption_keys_list([EncryptionKey(key="k", value=b"secret")])[0].value]
    ['string', 'binary', 'map']
    """
    return [
        TypedValue("list", [TypedValue("string", one.key), TypedValue("binary", one.value), _metadata_map(one.metadata)])
        for one in value
    ]


def _metadata_map(metadata: Pairs | None) -> TypedValue:
    pairs = [(TypedValue("string", name), TypedValue("string", text)) for name, text in metadata or ()]
    return TypedValue("map", pairs)


@transform("encryption-keys-of-list", gives="list", passes=True)
def encryption_keys_of_list(value: Any) -> list[Any] | _NotMine:
    """The keys of such a list; anything else is for the next row.

    >>> encryption_keys_of_list(encryption_keys_list([])), encryption_keys_of_list("a") is NOT_MINE
    ([], True)
    """
    from mqconvert.converters.messages.pulsar import EncryptionKey  # noqa: PLC0415 - beside its only use

    if value.__class__ is not list:
        return NOT_MINE
    keys = []
    for typed in value:
        if typed.type != "list" or [part.type for part in typed.value] != ["string", "binary", "map"]:
            return NOT_MINE
        name, octets, metadata = (part.value for part in typed.value)
        if any(key.type != "string" or text.type != "string" for key, text in metadata):
            return NOT_MINE
        keys.append(EncryptionKey(name, octets, [(key.value, text.value) for key, text in metadata] or None))
    return keys


@transform("stated-compression", gives="str", passes=True)
def stated_compression(value: Any) -> str | _NotMine:
    """
    >>> stated_compression("ZLIB"), stated_compression("RAR") is NOT_MINE
    ('ZLIB', True)
    """
    from mqconvert.converters.messages.pulsar import COMPRESSIONS  # noqa: PLC0415 - beside its only use

    return value if value in COMPRESSIONS else NOT_MINE


@transform("stated-position", gives="str", passes=True)
def stated_position(value: Any) -> str | _NotMine:
    """
    >>> stated_position("1:2:-1:-1"), stated_position("x") is NOT_MINE
    ('1:2:-1:-1', True)
    """
    from mqconvert.converters.messages.pulsar import parse_message_id  # noqa: PLC0415 - beside its only use

    return value if isinstance(value, str) and parse_message_id(value) is not None else NOT_MINE


@condition("pulsar-delivery")
def pulsar_delivery(value: Any, type_: Any, frame: Any, position: Any) -> bool:  # noqa: ARG001 - the place of the type
    """A MESSAGE is to be built: the annotation of its id is there, and the caller does not ask for a SEND.

    >>> pulsar_delivery(1, "uint", None, TypedValue("string", "1:2:-1:-1")), pulsar_delivery(1, "uint", None, None)
    (True, False)
    """
    if position is None or isinstance(stated_position(position.value), _NotMine):
        return False
    return frame is None or bool(frame == "message")


@condition("id-of-delivery")
def id_of_delivery(value: Any, type_: Any, frame: Any, position: Any) -> bool:
    """The id of the MESSAGE itself."""
    return type_ == "string" and pulsar_delivery(value, type_, frame, position) and bool(position.value == value)


@transform("delay-from-clock", gives="int", passes=True, loses=True)
def delay_from_clock(value: Any, time: Any, type_: str, clock: int) -> int | Partial | Loss | _NotMine:  # noqa: ARG001
    """A delay in milliseconds as a time, by the caller's clock; `time` is of the condition.

    >>> delay_from_clock(500, None, "long", 1000).value, delay_from_clock(500, None, "long", 0).reason
    (1500, 'a delay, and no clock to count from')
    """
    delay = _stated_number(value, type_, "long")
    if isinstance(delay, _NotMine):
        return NOT_MINE
    number = delay.value if isinstance(delay, Partial) else delay
    if not clock or number + clock >= 2**63:
        return Loss("a delay, and no clock to count from")
    return Partial(number + clock, "the delay itself: a time is what comes back")


# ---- RocketMQ ---------------------------------------------------------------------------------------------------------


@condition("legal-rocketmq-topic")
def legal_rocketmq_topic(value: Any) -> bool:
    """
    >>> legal_rocketmq_topic("a"), legal_rocketmq_topic("a/b")
    (True, False)
    """
    from mqconvert.converters.messages.rocketmq import topic_fault  # noqa: PLC0415 - beside its only use

    return topic_fault(value) is None


@transform("escaped-rocketmq-topic", gives="str", loses=True)
def escaped_rocketmq_topic(value: str) -> str | Loss:
    """Every octet outside a-zA-Z0-9- as `_` and two hex digits: brokers take no dot.

    >>> escaped_rocketmq_topic("a/b.c")
    'a_2Fb_2Ec'
    """
    made = escaped(value, _PLAIN - frozenset(b"."))
    return made if legal_rocketmq_topic(made) else Loss("longer than 127 characters when escaped")


def _clean(text: str) -> bool:
    return bool(text) and "\x01" not in text and "\x02" not in text


@condition("native-text")
def native_text(value: Any, beside: Any) -> bool:
    """Text that a property can be, where no annotation is for that property.

    >>> native_text("a", None), native_text("", None), native_text("a\\2", None)
    (True, False, False)
    """
    return beside is None and isinstance(value, str) and _clean(value)


@condition("native-tag")
def native_tag(value: Any, beside: Any) -> bool:
    """Such text without the separator of subscriptions.

    >>> native_tag("a||b", None)
    False
    """
    return native_text(value, beside) and "||" not in value


@condition("none-beside")
def none_beside(value: Any, beside: Any) -> bool:  # noqa: ARG001 - conditions get the value first
    """What is read beside the value is not there.

    >>> none_beside(1, None)
    True
    """
    return beside is None


@condition("one-tag")
def one_tag(value: Any, beside: Any) -> bool:
    """A tag, and no property for the subject beside it.

    >>> one_tag("a", None), one_tag("a||b", None)
    (True, False)
    """
    return beside is None and "||" not in value


@condition("no-id-beside")
def no_id_beside(value: Any, beside: Any, type_: Any) -> bool:  # noqa: ARG001 - conditions get the value first
    """No property for the same id that can be read.

    >>> no_id_beside("a", None, None), no_id_beside("a", "b", None)
    (True, False)
    """
    return beside is None or isinstance(typed_id(beside, type_), _NotMine)


@transform("ttl-of-text", gives="int", passes=True)
def ttl_of_text(value: str, beside: str | None) -> int | _NotMine:
    """Decimal milliseconds of 32 bits, where no other property for the ttl can be read.

    >>> ttl_of_text("5", None), ttl_of_text("5", "6") is NOT_MINE
    (5, True)
    """
    if beside is not None and not isinstance(read_uint(beside), _NotMine):
        return NOT_MINE
    return read_uint(value)


@condition("system-name")
def system_name(value: Any, key: Any) -> bool:  # noqa: ARG001 - it is the key that counts
    """A name of RocketMQ's own.

    >>> system_name("", "WAIT")
    True
    """
    return is_system_name(key)


def _homed(name: str, value: str, message: Message) -> bool:
    """Whether a property of RocketMQ's own would come back in a field, and not in the annotation of its name."""
    fields, header = message.properties, message.header
    field = {
        "UNIQ_KEY": "message_id", "TAGS": "subject", "__SHARDINGKEY": "group_id", "CORRELATION_ID": "correlation_id",
        "REPLY_TO_CLIENT": "reply_to",
    }.get(name)  # fmt: skip
    if field is not None:
        taken = fields is not None and getattr(fields, field) is not None
        return not taken and not (name == "TAGS" and "||" in value)
    if name == "TTL":
        return (header is None or header.ttl is None) and read_text(value, "uint") is not None
    if name in ("TIMER_DELIVER_MS", "TIMER_DELAY_MS"):
        return not isinstance(read_plain_long(value), _NotMine)
    return name == "KEYS" or (name == "DELAY" and not isinstance(read_plain_int(value), _NotMine))


@condition("system-annotation")
def system_annotation(value: Any, key: Any, message: Message) -> bool:
    """The annotation of a property of RocketMQ's own, which would come back as that annotation.

    >>> system_annotation("true", "x-opt-rocketmq-prop-WAIT", Message())
    True
    >>> system_annotation("a", "x-opt-rocketmq-prop-KEYS", Message())
    False
    """
    name = key[len("x-opt-rocketmq-prop-") :]
    return is_system_name(name) and not _homed(name, value, message)


@transform("stated-plain-number", gives="str", passes=True, loses=True)
def stated_plain_number(value: Any, type_: str, beside: Any, stated: str = "long") -> str | Partial | _NotMine:
    """A long without sign as decimal text, where no annotation is for the property.

    >>> stated_plain_number(5, "long", None), stated_plain_number(-5, "long", None) is NOT_MINE
    ('5', True)
    """
    number = _stated_number(value, type_, stated)
    if beside is not None or isinstance(number, _NotMine):
        return NOT_MINE
    plain = number.value if isinstance(number, Partial) else number
    if plain < 0:
        return NOT_MINE
    return Partial(str(plain), number.reason) if isinstance(number, Partial) else str(plain)


@transform("stated-plain-int", gives="str", passes=True, loses=True)
def stated_plain_int(value: Any, type_: str, beside: Any) -> str | Partial | _NotMine:
    """
    >>> stated_plain_int(5, "int", None)
    '5'
    """
    return stated_plain_number(value, type_, beside, "int")


@condition("fits-int")
def fits_int(value: Any) -> bool:
    """
    >>> fits_int(2**31)
    False
    """
    return bool(value < 2**31)


@transform("rocketmq-escaped", gives="list")
def rocketmq_escaped(value: Pairs) -> Pairs:
    """Property strings hold no empty name or value, no separator in a name, no end of entry in a value: base64 does.

    >>> rocketmq_escaped([("k", ""), ("", "v")])
    [('amqp-b64.k', '='), ('amqp-b64n.', '=dg==')]
    """
    return [_escaped_pair(name, text) for name, text in value]


def _escaped_pair(name: str, text: str) -> tuple[str, str]:
    if not _clean(name):
        return f"amqp-b64n.{_base64_text(name.encode())}", f"={_base64_text(text.encode())}"
    if not text or "\x02" in text:
        return f"amqp-b64.{name}", f"={_base64_text(text.encode())}"
    return name, text


@transform("rocketmq-unescaped", gives="list")
def rocketmq_unescaped(value: Pairs) -> Pairs:
    """
    >>> rocketmq_unescaped([("amqp-b64.k", "="), ("amqp-b64n.", "=dg=="), ("amqp-b64.k", "x")])
    [('k', ''), ('', 'v'), ('amqp-b64.k', 'x')]
    """
    return [_unescaped_pair(*pair) if pair[0].startswith(ESCAPES) else pair for pair in value]


def _unescaped_pair(name: str, text: str) -> tuple[str, str]:
    octets = _base64(text[1:]) if text.startswith("=") else None
    value = None if octets is None else text_of(octets)
    own: str | None = name[len(ESCAPES[0]) :]
    if name.startswith(ESCAPES[1]):
        octets = _base64(name[len(ESCAPES[1]) :])
        own = None if octets is None else text_of(octets)
    return (name, text) if value is None or own is None else (own, value)


@transform("rocketmq-raw-string", gives="str")
def rocketmq_raw_string(raw: str | None, properties: Pairs | None, result: Message, way_back: WayBack) -> str | None:
    """The property string as it was, where the table back would not make the same.

    >>> from mqconvert.converters.messages import rocketmq
    >>> rocketmq_raw_string(None, [("a", "1")], Message(), lambda result: rocketmq.Message(properties=[("a", "1")]))
    >>> rocketmq_raw_string(None, [("a", "1")], Message(), lambda result: rocketmq.Message(properties=[]))
    'a\\x011\\x02'
    """
    if raw is not None:
        return raw
    if _comes_back(properties or [], result, way_back):
        return None
    return "".join(f"{name}\x01{text}\x02" for name, text in properties or ())


@condition("string-beside")
def string_beside(value: Any, beside: Any) -> bool:  # noqa: ARG001 - conditions get the value first
    """The annotation beside it is a string."""
    return beside is not None and beside.type == "string"


@transform("parsed-properties", gives="list")
def parsed_properties(value: Any, beside: TypedValue) -> Pairs | None:  # noqa: ARG001 - it replaces the value
    """
    >>> parsed_properties(None, TypedValue("string", "a\\x01b\\x02"))
    [('a', 'b')]
    """
    return _parsed(beside.value)[0]


@transform("raw-properties", gives="str")
def raw_properties(value: Any, beside: TypedValue) -> str | None:  # noqa: ARG001 - it replaces the value
    """The string itself, where its entries would not give it back.

    >>> raw_properties(None, TypedValue("string", "a\\x01b\\x02")), raw_properties(None, TypedValue("string", "a\\x01b"))
    (None, 'a\\x01b')
    """
    return _parsed(beside.value)[1]


def _parsed(text: str) -> tuple[Pairs | None, str | None]:
    from mqconvert.converters.codecs.rocketmq import parse_properties  # noqa: PLC0415 - rows that need it are rare

    return parse_properties(text)


@condition("too-many-properties")
def too_many_properties(value: Any) -> bool:
    """A property string of more than 32767 octets.

    >>> too_many_properties([("k", "v" * 32767)]), too_many_properties("v")
    (True, False)
    """
    if isinstance(value, str):
        return len(value.encode()) > 32767
    return sum(len(name.encode()) + len(text.encode()) + 2 for name, text in value) > 32767


@condition("over-four-mebibytes")
def over_four_mebibytes(value: Any) -> bool:
    """
    >>> over_four_mebibytes(b"")
    False
    """
    return len(value) > 4 * 1024 * 1024


@condition("marked-empty")
def marked_empty(value: Any, result: Any) -> bool:
    """No octets, and a property that says so."""
    return not value and any(name == "amqp-body" and text.startswith("empty") for name, text in result.properties or ())


@transform("zero-octet", gives="bytes")
def zero_octet(value: bytes) -> bytes:  # noqa: ARG001 - a constant
    """
    >>> zero_octet(b"")
    b'\\x00'
    """
    return b"\0"


@condition("sent")
def sent(value: Any, result: Any) -> bool:  # noqa: ARG001 - conditions get the value first
    """The target is no stored record."""
    return result.store_timestamp is None


@transform("producer", gives="str")
def producer(value: Any, result: Any, name: str) -> str:  # noqa: ARG001 - it takes the place of what is absent
    """
    >>> producer(None, None, "mine")
    'mine'
    """
    return name


@condition("topicless")
def topicless(value: Any, address: Any, topic: Any) -> bool:  # noqa: ARG001 - conditions get the value first
    """Neither the caller nor an annotation says the topic.

    >>> topicless("a/b", None, None)
    True
    """
    return address is None and topic is None


@transform("typed-text-of", gives="typed")
def typed_text_of(value: str, key: Any, name: str | None) -> TypedValue:  # noqa: ARG001 - reads as the row's condition does
    """The same beside a row that reads its key.

    >>> typed_text_of("5", "k", "int")
    TypedValue(type='int', value=5)
    """
    return typed_text(value, name)


@condition("position-of-delivery")
def position_of_delivery(value: Any, frame: Any) -> bool:  # noqa: ARG001 - conditions get the value first
    """The caller does not ask for a SEND.

    >>> position_of_delivery("1:2:-1:-1", None)
    True
    """
    return frame is None or bool(frame == "message")


@transform("stated-count", gives="int", passes=True, loses=True)
def stated_count(value: Any, type_: str) -> int | Partial | _NotMine:
    """A count that is an int in the protocol: a uint, or an int where it is negative.

    >>> stated_count(1, "uint"), stated_count(-1, "int"), stated_count(2**31, "uint") is NOT_MINE
    (1, -1, True)
    """
    if type_ == "int" and value < 0:
        return int(value)
    number = _stated_number(value, type_, "uint")
    plain = number.value if isinstance(number, Partial) else number
    return NOT_MINE if isinstance(plain, _NotMine) or plain >= 2**31 else number


@condition("types-id")
def types_id(value: Any, beside: Any) -> bool:
    """The name of a type of ids, and the text beside it can be read so.

    >>> types_id("ulong", "5"), types_id("ulong", "x")
    (True, False)
    """
    return beside is not None and not isinstance(typed_id(beside, value), _NotMine)
