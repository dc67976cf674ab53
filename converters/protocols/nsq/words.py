"""Words that only the tables of NSQ use (MAPPINGS 5)."""

from typing import Any

from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols.amqp10.words.stated import is_text, stated_as
from mqconvert.converters.protocols.amqp10.words.textforms import DECIMAL, text_form
from mqconvert.converters.protocols.nsq.message import MAX_REQ_TIMEOUT, name_fault
from mqconvert.converters.words import NOT_MINE, Loss, NotMine, Partial, condition, kept, transform
from mqconvert.converters.words.shared import escaped, stays

Typed = TypedValue | Entry | None


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
def escaped_nsq_name(value: str) -> str | NotMine:
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
def nsq_delivery(value: Any, type_: Any, frame: Any, kind: Typed, time: Typed) -> bool:  # noqa: ARG001 - as rows read
    """A message frame of NSQ is to be built: the caller asks for one, or an annotation of one is there and can be read.

    `kind` and `time` are the annotations of the frame's type and of its time (MAPPINGS G2, R1).

    >>> nsq_delivery(1, "uint", "message", None, None), nsq_delivery(1, "uint", None, None, None)
    (True, False)
    >>> nsq_delivery(1, "uint", None, None, TypedValue("string", "noon"))
    False
    """
    if frame is not None:
        return bool(frame == "message")
    return is_text(kind, "message") or _read(time, "long") is not None


@condition("nsq-message-frame")
def nsq_message_frame(value: Any, frame: Any, kind: Typed, time: Typed) -> bool:
    """As `nsq-delivery`, in rows whose value has no type of its own.

    >>> nsq_message_frame(1, None, TypedValue("string", "message"), None)
    True
    """
    return nsq_delivery(value, None, frame, kind, time)


@condition("same-millisecond")
def same_millisecond(value: Any, type_: Any, frame: Any, kind: Typed, time: Typed) -> bool:
    """The annotation of a message frame's time in nanoseconds is of this millisecond.

    >>> exact = TypedValue("long", 1999999)
    >>> same_millisecond(1, "timestamp", None, None, exact), same_millisecond(1, "timestamp", None, None, None)
    (True, False)
    """
    exact = _read(time, "long")
    return exact is not None and exact // 1_000_000 == value and nsq_delivery(value, type_, frame, kind, time)


@condition("beyond-nanoseconds")
def beyond_nanoseconds(value: Any, type_: Any, frame: Any, kind: Typed, time: Typed) -> bool:
    """A time in milliseconds that 64 bits of nanoseconds do not hold, for a message frame that has no other.

    >>> beyond_nanoseconds(2**62, "timestamp", "message", None, None)
    True
    """
    fits = -(2**63) <= value * 1_000_000 < 2**63
    return not fits and _read(time, "long") is None and nsq_delivery(value, type_, frame, kind, time)


@condition("timed")
def timed(value: Any, time: Any) -> bool:  # noqa: ARG001 - conditions get the value first
    """The target is a message frame: it has a time.

    >>> timed(None, 5)
    True
    """
    return time is not None


@transform("stated-attempts", gives="int", passes=True, loses=True)
def stated_attempts(value: Any, type_: str) -> int | Partial | NotMine:
    """Attempts as the annotation says them: only those that no count of earlier attempts can say come back in it.

    >>> stated_attempts(0, "ushort"), stated_attempts(3, "ushort")
    (0, Partial(value=3, reason='attempts of which header.delivery_count comes back'))
    """
    number = stated_as(value, type_, "ushort")
    if isinstance(number, NotMine):
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
def nsq_message_id(value: Any, type_: str, frame: Any, kind: Typed, time: Typed) -> bytes | Partial:  # noqa: ARG001 - as rows read
    """16 octets without blank or line end as they are; of any other id, 16 hex digits of the SHA-256 of its text.

    A message that came from NSQ, which the annotation of its time tells, may have those two in its id as well.

    >>> nsq_message_id("0123456789abcdef", "string", None, None, None)
    b'0123456789abcdef'
    >>> nsq_message_id("a", "string", None, None, None).value
    b'ca978112ca1bbdca'
    """
    octets = value.encode() if type_ == "string" else value if type_ == "binary" else b""
    fits = len(octets) == 16 and (not {0x20, 0x0A} & set(octets) or _read(time, "long") is not None)
    if fits and octets.isascii() is (type_ == "string"):
        return octets
    import hashlib  # noqa: PLC0415 - OpenSSL, a tenth of `import mqconvert`

    made = text_form(value, type_)
    text = made if isinstance(made, str) else str(value)
    return Partial(hashlib.sha256(text.encode()).hexdigest()[:16].encode(), "not the 16 octets of an id of NSQ")


@transform("delay-until", gives="int", passes=True, loses=True)
def delay_until(value: Any, type_: str, clock: int | None) -> int | Partial | Loss | NotMine:
    """A time in milliseconds as the delay from the caller's clock, at most what nsqd defers.

    >>> delay_until(1500, "long", 1000)
    Partial(value=500, reason='the time itself: a delay is what comes back')
    >>> delay_until(1500, "long", None)
    Loss(reason='a time, and no clock to count a delay from')
    """
    time = kept(stated_as(value, type_, "long"))
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
def nsq_batch_member(
    value: Any,
    type_: Any,
    frame: Any,
    kind: Typed,
    time: Typed,
    index: Typed,
    size: Typed,
    delay: Typed,
    delivery_time: Typed,
) -> bool:
    """A member of an MPUB: place and size can be read, and neither a message frame nor a DPUB is to be built.

    >>> place = TypedValue("uint", 0), TypedValue("uint", 2)
    >>> nsq_batch_member(0, "uint", None, None, None, *place, None, None)
    True
    >>> nsq_batch_member(0, "uint", None, None, None, None, None, None, None)
    False
    """
    if nsq_delivery(value, type_, frame, kind, time):
        return False
    at, of = _read(index, "uint"), _read(size, "uint")
    deferred = any(_read(annotation, "long") is not None for annotation in (delay, delivery_time))
    return at is not None and of is not None and at < of and not deferred


def _read(typed: Typed, stated: str) -> int | None:
    return None if typed is None else kept(stated_as(typed.value, typed.type, stated))


@condition("message-frame")
def message_frame(value: Any, frame: Any) -> bool:
    """The annotation of the type asks for a message frame, and the caller leaves it to that.

    >>> message_frame("message", None), message_frame("send", None), message_frame("message", "send")
    (True, False, False)
    """
    return bool(value == "message") and frame is None


@condition("empty-publication")
def empty_publication(value: Any, time: Any) -> bool:
    """No octets in a command to nsqd, which refuses that; a message frame, which has a time, may be empty.

    >>> empty_publication(b"", None), empty_publication(b"", 0)
    (True, False)
    """
    return not value and time is None
