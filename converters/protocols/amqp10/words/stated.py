"""Words for annotations whose type the mapping states (MAPPINGS G2, R9).

Another type that can be read is taken, and the difference is a loss, because tables further on may have made text of it.
"""

from collections.abc import Callable
from typing import Any

from mqconvert.converters.model.values import AMQP10_TYPES, TypedValue
from mqconvert.converters.protocols.amqp10.words.textforms import DECIMAL, INTEGERS, octets_of_base64
from mqconvert.converters.words import NOT_MINE, Loss, NotMine, Partial, condition_maker, kept, transform, transform_maker


def stated_number(value: Any, type_: str, stated: str) -> int | Partial | NotMine:
    number = value if type_ in INTEGERS else None
    if type_ in ("string", "symbol") and DECIMAL.match(value):
        number = int(value)
    if number is None or AMQP10_TYPES[stated].fault(number) is not None:
        return NOT_MINE
    return number if type_ == stated else Partial(number, f"its type {type_}: {stated} comes back")


def is_text(typed: TypedValue | None, text: str) -> bool:
    """Whether an annotation is there and says exactly `text`, as a string or a symbol.

    >>> is_text(TypedValue("symbol", "record"), "record"), is_text(None, "record")
    (True, False)
    """
    return typed is not None and typed.type in ("string", "symbol") and bool(typed.value == text)


@transform("stated-ubyte", gives="int", passes=True, loses=True)
def stated_ubyte(value: Any, type_: str) -> int | Partial | NotMine:
    """
    >>> stated_ubyte(3, "ubyte")
    3
    """
    return stated_number(value, type_, "ubyte")


@transform("stated-uint", gives="int", passes=True, loses=True)
def stated_uint(value: Any, type_: str) -> int | Partial | NotMine:
    """
    >>> stated_uint("3", "string")
    Partial(value=3, reason='its type string: uint comes back')
    """
    return stated_number(value, type_, "uint")


@transform("stated-ulong", gives="int", passes=True, loses=True)
def stated_ulong(value: Any, type_: str) -> int | Partial | NotMine:
    """
    >>> stated_ulong(3, "ulong"), stated_ulong("x", "string") is NOT_MINE
    (3, True)
    """
    return stated_number(value, type_, "ulong")


@transform("stated-int", gives="int", passes=True, loses=True)
def stated_int(value: Any, type_: str) -> int | Partial | NotMine:
    """
    >>> stated_int(-3, "int")
    -3
    """
    return stated_number(value, type_, "int")


@transform("stated-long", gives="int", passes=True, loses=True)
def stated_long(value: Any, type_: str) -> int | Partial | NotMine:
    """
    >>> stated_long(-3, "long")
    -3
    """
    return stated_number(value, type_, "long")


@transform("stated-timestamp", gives="int", passes=True, loses=True)
def stated_timestamp(value: Any, type_: str) -> int | Partial | NotMine:
    """Text is read as milliseconds (MAPPINGS G2), and that is told: RabbitMQ writes seconds where it turns a time into text.

    >>> stated_timestamp(3, "timestamp"), stated_timestamp("3", "string").value
    (3, 3)
    """
    made = stated_number(value, type_, "timestamp")
    if isinstance(made, Partial) and type_ in ("string", "symbol"):
        return Partial(made.value, "a time as text, read as milliseconds; RabbitMQ writes seconds to MQTT (`--rules preserve`)")
    return made


@transform("stated-time", gives="int", passes=True, loses=True)
def stated_time(value: Any, type_: str) -> int | Partial | NotMine:
    """An unsigned time: a timestamp, or a ulong where it is beyond one.

    >>> stated_time(3, "timestamp"), stated_time(2**63, "ulong") == 2**63, stated_time(-1, "timestamp") is NOT_MINE
    (3, True, True)
    """
    if type_ == "ulong":
        return int(value) if value >= 2**63 else Partial(value, "its type ulong: timestamp comes back")
    return NOT_MINE if type_ == "timestamp" and value < 0 else stated_timestamp(value, type_)


@transform("stated-count", gives="int", passes=True, loses=True)
def stated_count(value: Any, type_: str) -> int | Partial | NotMine:
    """A count that is an int in the protocol: a uint, or an int where it is negative.

    >>> stated_count(1, "uint"), stated_count(-1, "int"), stated_count(2**31, "uint") is NOT_MINE
    (1, -1, True)
    """
    if type_ == "int" and value < 0:
        return int(value)
    number = stated_number(value, type_, "uint")
    plain = kept(number)
    return NOT_MINE if plain is None or plain >= 2**31 else number


@transform("stated-boolean", gives="bool", passes=True, loses=True)
def stated_boolean(value: Any, type_: str) -> bool | Partial | NotMine:
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
def stated_string(value: Any, type_: str) -> str | Partial | NotMine:
    """
    >>> stated_string("a", "string"), stated_string("a", "symbol").value, stated_string(1, "int") is NOT_MINE
    ('a', 'a', True)
    """
    if type_ == "string":
        return str(value)
    return Partial(value, "its type symbol: string comes back") if type_ == "symbol" else NOT_MINE


@transform("stated-binary", gives="bytes", passes=True, loses=True)
def stated_binary(value: Any, type_: str) -> bytes | Partial | NotMine:
    """
    >>> stated_binary(b"a", "binary"), stated_binary("YQ==", "string").value
    (b'a', b'a')
    """
    octets: bytes | None
    if type_ == "binary":
        octets = value  # not made `bytes`: of a number that a caller put there that would be as many zeros
        return octets
    octets = octets_of_base64(value) if type_ in ("string", "symbol") else None
    return NOT_MINE if octets is None else Partial(octets, f"its type {type_}: binary comes back")


# ---- what annotations ask for ----------------------------------------------------------------------------------------

Typed = TypedValue | None


def number_in(typed: Typed, stated: str) -> int | None:
    """The number of a type that an annotation says; None of one that is not there, or says none.

    >>> number_in(TypedValue("string", "5"), "uint"), number_in(None, "uint")
    (5, None)
    """
    if typed is None:
        return None
    return kept(stated_count(typed.value, typed.type) if stated == "count" else stated_number(typed.value, typed.type, stated))


def place_in_batch(index: Typed, size: Typed, stated: str, least: int | None) -> int | None:
    """The place of a message among those of a batch, of which annotations say it and their number; None where they do not."""
    place, of = number_in(index, stated), number_in(size, stated) if size is not None else least
    return place if place is not None and of is not None and 0 <= place < of else None


@condition_maker("in-batch")
def in_batch(text: str) -> dict[str, Any]:
    """Annotations say a place in a batch, and its size or, without one, the number here: `in-batch uint`, `in-batch count 1`."""
    stated, _, least = text.partition(" ")
    default = int(least) if least else None

    def placed(value: Any, index: Typed, size: Typed) -> bool:  # noqa: ARG001 - conditions get the value first
        return place_in_batch(index, size, stated, default) is not None

    return {"function": placed}


def _says(text: str) -> Callable[[Typed], bool]:
    """What an annotation has to say: `=text`, a number of a type (`uint`), or one number of that (`ubyte=3`)."""
    stated, equal, wanted = text.partition("=")
    if not stated:
        return lambda typed: is_text(typed, wanted)
    number = int(wanted) if equal else None
    return lambda typed: (found := number_in(typed, stated)) is not None and number in (None, found)


@condition_maker("frame")
def frame(text: str) -> dict[str, Any]:
    """That frame is to be built: the caller asks for it or, where the caller leaves it open, one of two annotations does.

    `frame record =record timestamp`: `record`, where the first says so, or where the second is a timestamp. A frame may have
    two names: `frame dispatch|003 ubyte=3`.
    """
    names, first, *more = text.split(" ")
    named, tells, also = names.split("|"), _says(first), [_says(each) for each in more]

    def asked(value: Any, frame: Any, kind: Typed) -> bool:  # noqa: ARG001 - conditions get the value first
        return frame in named if frame is not None else tells(kind)

    def either(value: Any, frame: Any, kind: Typed, mark: Typed) -> bool:  # noqa: ARG001 - as above
        return frame in named if frame is not None else tells(kind) or also[0](mark)

    return {"function": either if also else asked}


@condition_maker("states")
def states(text: str) -> dict[str, Any]:
    """The value is one of these numbers of a type, or says it: `states ubyte 1 3`."""
    stated, *numbers = text.split(" ")
    known = frozenset(map(int, numbers))
    return {"function": lambda value, type_: kept(stated_number(value, type_, stated)) in known}


@condition_maker("masks")
def masks(text: str) -> dict[str, Any]:
    """The bits of the mask are, in a number of a type, one of these: `masks int 7 1 2`."""
    stated, mask, *numbers = text.split(" ")
    bits, known = int(mask), frozenset(map(int, numbers))

    def masked(value: Any, type_: str) -> bool:
        number = kept(stated_number(value, type_, stated))
        return number is not None and number & bits in known

    return {"function": masked}


@transform_maker("loss-of-type")
def loss_of_type(text: str) -> dict[str, Any]:
    """Nothing: the loss of the value's type, in whose place another one comes back."""

    def lost(value: Any, type_: str) -> Loss:  # noqa: ARG001 - transforms get the value first
        return Loss(f"its type {type_}: {text} comes back")

    return {"function": lost, "gives": "int", "loses": True}


# ---- annotations that stand beside a field of the message itself (MAPPINGS R5) -----------------------------------------


def beside_field(made: Any, field: Any) -> Any:
    """What an annotation says, with a loss where the field that it stands beside is not there: that one comes back then.

    >>> beside_field(5, 7), beside_field(5, None).value
    (5, 5)
    """
    if field is not None or isinstance(made, Partial | NotMine):
        return made
    return Partial(made, "the field that it stands beside is not there, and comes back in its place")


@transform("timestamp-beside", gives="int", passes=True, loses=True)
def timestamp_beside(value: Any, type_: str, field: Any) -> int | Partial | NotMine:
    """
    >>> timestamp_beside(3, "timestamp", 5)
    3
    """
    return beside_field(stated_timestamp(value, type_), field)  # type: ignore[no-any-return]  # of the same type


@transform("time-beside", gives="int", passes=True, loses=True)
def time_beside(value: Any, type_: str, field: Any) -> int | Partial | NotMine:
    """An unsigned time; one that no timestamp can say comes back in the annotation anyway.

    >>> time_beside(3, "ulong", None).value, time_beside(2**63, "ulong", None) == 2**63
    (3, True)
    """
    made = stated_ulong(value, type_)
    return made if made.__class__ is int and made >= 2**63 else beside_field(made, field)


@transform("count-beside", gives="int", passes=True, loses=True)
def count_beside(value: Any, type_: str, field: Any) -> int | Partial | NotMine:
    """A count; a negative one comes back in the annotation anyway.

    >>> count_beside(3, "int", None).value, count_beside(-3, "int", None)
    (3, -3)
    """
    made = stated_int(value, type_)
    return made if made.__class__ is int and made < 0 else beside_field(made, field)


@transform("uint-beside", gives="int", passes=True, loses=True)
def uint_beside(value: Any, type_: str, field: Any) -> int | Partial | NotMine:
    """
    >>> uint_beside(3, "uint", 5)
    3
    """
    return beside_field(stated_uint(value, type_), field)  # type: ignore[no-any-return]  # of the same type


@transform("string-beside", gives="str", passes=True, loses=True)
def string_beside(value: Any, type_: str, field: Any) -> str | Partial | NotMine:
    """
    >>> string_beside("a", "string", "b")
    'a'
    """
    return beside_field(stated_string(value, type_), field)  # type: ignore[no-any-return]  # of the same type
