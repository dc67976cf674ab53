"""Words for annotations and texts whose type the mapping specifies (decisions.md G2, R9).

They also accept other readable types, since other tables may have converted the value to text, and record the type as a loss.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols.amqp10.types import AMQP10_COMPOUND, AMQP10_TYPES
from mqconvert.converters.protocols.amqp10.words.textforms import INTEGERS, READABLE, read_text
from mqconvert.converters.words import NOT_MINE, TRANSFORMS, Loss, NotMine, Partial, condition, kept, transform
from mqconvert.converters.words.literals import several, whole_number

_TEXTS = ("string", "symbol")


def _plain(kind: str, value: Any, type_: str) -> Any:
    """Read a value in a type: its own values, their text, and for integers other integers."""
    if type_ == kind:
        return value if kind not in INTEGERS or AMQP10_TYPES[kind].fault(value) is None else NOT_MINE
    if type_ in _TEXTS:
        found = kept(read_as(kind, value))
    else:
        found = value if type_ in INTEGERS and kind in INTEGERS and AMQP10_TYPES[kind].fault(value) is None else None
    return NOT_MINE if found is None else Partial(found, f"its type {type_}: the way back gives {kind}")


def _timestamp(value: object, type_: str) -> int | Partial | NotMine:
    """Read a timestamp. Text is in milliseconds (decisions.md G2); the loss says so, since RabbitMQ writes seconds."""
    made: int | Partial | NotMine = _plain("timestamp", value, type_)
    if isinstance(made, Partial) and type_ in _TEXTS:
        return Partial(made.value, "a time as text, read as milliseconds; RabbitMQ writes seconds to MQTT (`--rules preserve`)")
    return made


def _time(value: Any, type_: str) -> int | Partial | NotMine:
    """Read a time without sign: a timestamp, or a ulong beyond its range."""
    if type_ == "ulong":
        return int(value) if value >= 2**63 else Partial(value, "its type ulong: the way back gives timestamp")
    return NOT_MINE if type_ == "timestamp" and value < 0 else _timestamp(value, type_)


def _count(value: Any, type_: str) -> int | Partial | NotMine:
    """Read a count that is an int in the protocol: a uint, or an int if it is negative."""
    if type_ == "int" and value < 0:
        return int(value)
    number: int | Partial | NotMine = STATED["uint"](value, type_)
    plain = kept(number)
    return NOT_MINE if plain is None or plain >= 2**31 else number


STATED: dict[str, Callable[[object, str], Any]] = {
    **{kind: partial(_plain, kind) for kind in (*INTEGERS, "boolean", "string", "binary")},
    "timestamp": _timestamp,
    "time": _time,
    "count": _count,
}
"""The readers of values by the mapping's type; NOT_MINE for values that they cannot read."""


@TRANSFORMS.maker("stated")
def stated(kind: str) -> dict[str, object]:
    """Read an annotation's value in a type of AMQP 1.0, or as `time` or `count`; the row reads the value's own type."""
    if kind not in STATED:
        raise ValueError(f"it needs one of {', '.join(sorted(STATED))}")
    gives = AMQP10_TYPES[kind].kind if kind in AMQP10_TYPES else "int"
    return {"function": STATED[kind], "gives": gives, "passes": True, "loses": True}


@TRANSFORMS.maker("stated-beside")
def stated_beside(kinds: str) -> dict[str, object]:
    """Read like `stated` an annotation beside a field of the message, which the row also reads (decisions.md R5).

    A value that the field's type (the second of two) cannot hold still returns in the annotation. Any other is a loss
    without the field, which comes back in its place.
    """
    kind, _, other = kinds.partition(" ")
    field_type = other or kind
    if field_type not in AMQP10_TYPES or field_type in AMQP10_COMPOUND:
        raise ValueError("it needs one or two types, the last one that of the field")
    return stated(kind) | {"function": partial(_beside, kind, field_type)}


def _beside(kind: str, field_type: str, value: object, type_: str, field: object) -> object:
    made = STATED[kind](value, type_)
    if field is not None or made is NOT_MINE or isinstance(made, Partial) or AMQP10_TYPES[field_type].fault(made) is not None:
        return made
    return Partial(made, "the field beside it is unset: the way back sets that field")


def _longest(text: str) -> int:
    """Return the longest delay; 0 for a time."""
    made, _, most = text.partition(" ")
    return whole_number(most) if made == "delay" else 0


@transform("by-clock", _longest, gives="int", passes=True, loses=True)
def by_clock(longest: int, value: object, type_: str, clock: int | None) -> int | Partial | Loss | NotMine:
    """Turn a delay in milliseconds into a time by the caller's clock (`by-clock time`), or a time into a delay.

    The literal of `by-clock delay 3600000` is the longest delay.
    """
    given = kept(STATED["long"](value, type_))
    if given is None:
        return NOT_MINE
    if clock is None:
        return Loss("a time, and no clock to count a delay from" if longest else "a delay, and no clock to count from")
    if longest:
        return Partial(min(max(given - clock, 0), longest), "the time itself: the way back gives a delay")
    if given + clock >= 2**63:
        return Loss("a delay beyond a time of 64 bits")
    return Partial(given + clock, "the delay itself: the way back gives a time")


Typed = TypedValue | Entry | None


def stated_in(typed: Typed, kind: str) -> Any:
    """Return the value of an annotation in the mapping's type; None if it is missing or not readable.

    >>> stated_in(TypedValue("string", "5"), "uint"), stated_in(None, "uint")
    (5, None)
    """
    return None if typed is None else kept(STATED[kind](typed.value, typed.type))


def place_in_batch(index: Typed, size: Typed, kind: str, least: int | None = None) -> int | None:
    """Return the place of a message in a batch, by annotations of it and of the size (`least` without one); None without both.

    >>> place_in_batch(TypedValue("uint", 0), TypedValue("uint", 2), "uint"), place_in_batch(None, None, "uint")
    (0, None)
    """
    place, size_ = stated_in(index, kind), least if size is None else stated_in(size, kind)
    return place if place is not None and size_ is not None and 0 <= place < size_ else None


def _kind_and_least(text: str) -> tuple[str, int | None]:
    kind, _, least = text.partition(" ")
    return kind, whole_number(least) if least else None


@condition("in-batch", _kind_and_least)
def in_batch(known: tuple[str, int | None], index: Typed, size: Typed) -> bool:
    """Match if annotations give a place in a batch and its size (default: the literal): `in-batch uint`, `in-batch count 1`."""
    return place_in_batch(index, size, *known) is not None


def _telling(text: str) -> Callable[[Typed], bool]:
    """Return the test for an annotation: `=text`, a number of a type (`uint`), or one number of it (`ubyte=3`)."""
    kind, equal, wanted = text.partition("=")
    if not kind:
        return lambda typed: typed is not None and typed.type in _TEXTS and bool(typed.value == wanted)
    number = whole_number(wanted) if equal else None
    return lambda typed: (found := stated_in(typed, kind)) is not None and number in (None, found)


def _tells(text: str) -> list[Callable[[Typed], bool]]:
    return [_telling(each) for each in text.split(" ")]


@condition("builds", several, _tells)
def builds(names: list[str], tells: list[Callable[[Typed], bool]], frame: object, kind: Typed, mark: Typed = None) -> bool:
    """Match if that frame will be built, requested by the caller or by one of two annotations.

    `builds record =record timestamp` reads the caller's frame and two annotations. It matches `record` if the first says so, or
    if the second is a timestamp. A frame may have two names: `builds dispatch|003 ubyte=3`.
    """
    return frame in names if frame is not None else tells[0](kind) or (len(tells) > 1 and tells[1](mark))


def _masked(text: str) -> tuple[str, int]:
    kind, _, mask = text.partition("&")
    return kind, whole_number(mask or "-1")


def _numbers(text: str) -> list[int]:
    return [whole_number(number) for number in text.split(" ")]


@condition("states", _masked, _numbers)
def states(masked: tuple[str, int], numbers: list[int], value: object, type_: str) -> bool:
    """Match one of these numbers in that type (`states ubyte 1 3`), also of the bits under a mask (`states int&7 1 2`)."""
    kind, bits = masked
    number = kept(STATED[kind](value, type_))
    return number is not None and number & bits in numbers


def read_as(type_: str, text: str) -> Any:
    """Return the value of a text form of that type; NOT_MINE of other text.

    >>> read_as("uint", "5"), read_as("uint", "-5") is NOT_MINE
    (5, True)
    """
    typed = read_text(text, type_)
    return NOT_MINE if typed is None else typed.value


@TRANSFORMS.maker("read")
def read(type_: str) -> dict[str, object]:
    """Read a text form of a value of that type; any other text passes to the next row."""
    if type_ not in READABLE:
        raise ValueError(f"it needs one of {', '.join(sorted(READABLE))}")
    return {"function": partial(read_as, type_), "gives": AMQP10_TYPES[type_].kind, "passes": True}
