"""Words that only the tables of NSQ use (MAPPINGS 5)."""

from typing import Any

from mqconvert.converters.conditions import condition
from mqconvert.converters.messages.amqp10 import Message
from mqconvert.converters.messages.nsq import MAX_REQ_TIMEOUT, name_fault
from mqconvert.converters.transforms import NOT_MINE, Loss, Partial, _NotMine, kept, transform
from mqconvert.converters.values import TypedValue
from mqconvert.converters.words.shared import escaped, stays
from mqconvert.converters.words.stated import stated_number
from mqconvert.converters.words.textforms import DECIMAL, text_form


@condition("legal-nsq-name")
def legal_nsq_name(value: Any) -> bool:
    """A name of a topic or channel of NSQ.

    >>> legal_nsq_name("a.b"), legal_nsq_name("a/b")
    (True, False)
    """
    return name_fault(value) is None


@condition("nsq-name-as-it-is")
def nsq_name_as_it_is(value: Any, escape: Any) -> bool:
    """A name that a topic can have; where the escape is asked for, none that looks escaped already.

    >>> nsq_name_as_it_is("a_2Fb", False), nsq_name_as_it_is("a_2Fb", True)
    (True, False)
    """
    return legal_nsq_name(value) and stays(value, escape)


@transform("escaped-nsq-name", gives="str", passes=True)
def escaped_nsq_name(value: str) -> str | _NotMine:
    """Every octet outside .a-zA-Z0-9- as `_` and two hex digits; the suffix #ephemeral stays. Too long: for the next row.

    >>> escaped_nsq_name("a/b_c#ephemeral"), escaped_nsq_name("a" * 65) is NOT_MINE
    ('a_2Fb_5Fc#ephemeral', True)
    """
    stem, suffix, rest = value.partition("#ephemeral")
    made = escaped(stem) + suffix if suffix and not rest else escaped(value)
    return made if legal_nsq_name(made) else NOT_MINE


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
    """A message frame of NSQ is to be built: the caller asks for one, or an annotation of one is there and can be read.

    >>> nsq_delivery(1, "uint", "message", Message()), nsq_delivery(1, "uint", None, Message())
    (True, False)
    >>> unreadable = Message(message_annotations=[("x-opt-nsq-timestamp", TypedValue("string", "noon"))])
    >>> nsq_delivery(1, "uint", None, unreadable)
    False
    """
    if frame is not None:
        return bool(frame == "message")
    if any(key == "x-opt-nsq-type" and typed.value == "message" for key, typed in message.message_annotations or ()):
        return True
    return _exact_time(message) is not None


def _exact_time(message: Message) -> int | None:
    """The time of a message frame in nanoseconds; None without an annotation that can be read so (MAPPINGS G2)."""
    for key, typed in message.message_annotations or ():
        if key == "x-opt-nsq-timestamp":
            return _read(typed, "long")
    return None


@condition("same-millisecond")
def same_millisecond(value: Any, type_: Any, frame: Any, message: Message) -> bool:
    """The annotation of a message frame's time in nanoseconds is of this millisecond.

    >>> exact = Message(message_annotations=[("x-opt-nsq-timestamp", TypedValue("long", 1999999))])
    >>> same_millisecond(1, "timestamp", None, exact), same_millisecond(1, "timestamp", None, Message())
    (True, False)
    """
    exact = _exact_time(message)
    return exact is not None and exact // 1_000_000 == value and nsq_delivery(value, type_, frame, message)


@condition("beyond-nanoseconds")
def beyond_nanoseconds(value: Any, type_: Any, frame: Any, message: Message) -> bool:
    """A time in milliseconds that 64 bits of nanoseconds do not hold, for a message frame that has no other.

    >>> beyond_nanoseconds(2**62, "timestamp", "message", Message())
    True
    """
    fits = -(2**63) <= value * 1_000_000 < 2**63
    return not fits and _exact_time(message) is None and nsq_delivery(value, type_, frame, message)


@condition("timed")
def timed(value: Any, result: Any) -> bool:  # noqa: ARG001 - conditions get the value first
    """The target is a message frame: it has a time."""
    return result.timestamp is not None


@transform("clock-nanoseconds", gives="int")
def clock_nanoseconds(value: None, clock: int | None) -> int | None:  # noqa: ARG001 - what was absent
    """
    >>> clock_nanoseconds(None, 1)
    1000000
    """
    return None if clock is None else clock * 1_000_000


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


@transform("stated-attempts", gives="int", passes=True, loses=True)
def stated_attempts(value: Any, type_: str) -> int | Partial | _NotMine:
    """Attempts as the annotation says them: only those that no count of earlier attempts can say come back in it.

    >>> stated_attempts(0, "ushort"), stated_attempts(3, "ushort")
    (0, Partial(value=3, reason='attempts of which header.delivery_count comes back'))
    """
    number = stated_number(value, type_, "ushort")
    if isinstance(number, _NotMine):
        return NOT_MINE
    plain = number.value if isinstance(number, Partial) else number
    return Partial(plain, "attempts of which header.delivery_count comes back") if plain else number


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
    octets = value.encode() if type_ == "string" else value if type_ == "binary" else b""
    fits = len(octets) == 16 and (not {0x20, 0x0A} & set(octets) or _exact_time(message) is not None)
    if fits and octets.isascii() is (type_ == "string"):
        return octets
    import hashlib  # noqa: PLC0415 - OpenSSL, a tenth of `import mqconvert`

    made = text_form(value, type_)
    text = made if isinstance(made, str) else str(value)
    return Partial(hashlib.sha256(text.encode()).hexdigest()[:16].encode(), "not the 16 octets of an id of NSQ")


@transform("delay-until", gives="int", passes=True, loses=True)
def delay_until(value: Any, type_: str, clock: int | None) -> int | Partial | Loss | _NotMine:
    """A time in milliseconds as the delay from the caller's clock, at most what nsqd defers.

    >>> delay_until(1500, "long", 1000)
    Partial(value=500, reason='the time itself: a delay is what comes back')
    >>> delay_until(1500, "long", None)
    Loss(reason='a time, and no clock to count a delay from')
    """
    time = kept(stated_number(value, type_, "long"))
    if time is None:
        return NOT_MINE
    if clock is None:
        return Loss("a time, and no clock to count a delay from")
    return Partial(min(max(time - clock, 0), MAX_REQ_TIMEOUT), "the time itself: a delay is what comes back")


@condition("too-long-a-delay")
def too_long_a_delay(value: Any) -> bool:
    """A delay that nsqd does not take, as a number or as its text.

    >>> too_long_a_delay(3600001), too_long_a_delay("-1"), too_long_a_delay("x")
    (True, True, False)
    """
    if value.__class__ is str and DECIMAL.match(value):
        value = int(value)
    return value.__class__ is int and not 0 <= value <= MAX_REQ_TIMEOUT


@condition("nsq-batch-member")
def nsq_batch_member(value: Any, type_: Any, frame: Any, message: Message) -> bool:
    """A member of an MPUB: place and size can be read, and neither a message frame nor a DPUB is to be built.

    >>> place = [(f"x-opt-nsq-batch-{name}", TypedValue("uint", n)) for name, n in (("index", 0), ("size", 2))]
    >>> nsq_batch_member(0, "uint", None, Message(message_annotations=place)), nsq_batch_member(0, "uint", None, Message())
    (True, False)
    """
    if nsq_delivery(value, type_, frame, message):
        return False
    stated = dict(message.message_annotations or ())
    index, size = (_read(stated.get(f"x-opt-nsq-batch-{name}"), "uint") for name in ("index", "size"))
    delays = (_read(stated.get(f"x-opt-delivery-{name}"), "long") for name in ("delay", "time"))
    return index is not None and size is not None and index < size and all(delay is None for delay in delays)


def _read(typed: TypedValue | None, stated: str) -> int | None:
    return None if typed is None else kept(stated_number(typed.value, typed.type, stated))


@condition("message-frame")
def message_frame(value: Any, frame: Any = None) -> bool:
    """The annotation of the type asks for a message frame, and the caller leaves it to that.

    >>> message_frame("message"), message_frame("send"), message_frame("message", "send")
    (True, False, False)
    """
    return bool(value == "message") and frame is None


@condition("empty-publication")
def empty_publication(value: Any, result: Any) -> bool:
    """No octets in a command to nsqd, which refuses that; a message frame may be empty.

    >>> from mqconvert.converters.messages.nsq import Message
    >>> empty_publication(b"", Message()), empty_publication(b"", Message(timestamp=0))
    (True, False)
    """
    return not value and result.timestamp is None
