"""Words that read values in a type: those of annotations, and the text forms of any value."""

from functools import partial
from typing import Any, Final

from mqconvert.converters.errors import with_article
from mqconvert.converters.model.values import Entry
from mqconvert.converters.model.wiretypes import WireType
from mqconvert.converters.protocols.amqp10.types import AMQP10_TYPES
from mqconvert.converters.protocols.amqp10.words.textforms import INTEGERS, READABLE, read_text
from mqconvert.converters.words import CONDITIONS, NOT_MINE, TRANSFORMS, Loss, NotMine, transform

_TEXTS: Final = ("string", "symbol")
_ANNOTATIONS: Final = (*INTEGERS, "boolean", "string", "binary")


def in_type(kind: str, value: Any, type_: str) -> Any:
    """Read a value in a type: its own values, their text, and for integers other integers; NOT_MINE for any other value.

    >>> in_type("int", 5, "timestamp"), in_type("int", "5", "symbol"), in_type("int", 2**31, "long") is NOT_MINE
    (5, 5, True)
    """
    if type_ == kind and kind not in INTEGERS:
        return value
    if type_ in _TEXTS:
        return read_as(kind, value)
    fits = type_ in INTEGERS and kind in INTEGERS and AMQP10_TYPES[kind].fault(value) is None
    return value if fits else NOT_MINE


def _annotation(kind: str, value: Any, type_: str) -> Any:
    made = in_type(kind, value, type_)
    return Loss(f"not {with_article(kind)}") if made is NOT_MINE else made


def _readable(kind: str) -> WireType:
    """Return the type of that name; ValueError if annotations are not read in it."""
    if kind not in _ANNOTATIONS:
        raise ValueError(f"it needs one of {', '.join(sorted(_ANNOTATIONS))}")
    return AMQP10_TYPES[kind]


@TRANSFORMS.maker("annotation")
def annotation(kind: str) -> dict[str, object]:
    """Read an annotation in a type: its own values, their text, and for integers other integers. Any other value is lost."""
    type_ = _readable(kind)
    return {"function": partial(_annotation, kind), "gives": type_.kind, "makes": type_, "loses": True}


@CONDITIONS.maker("annotation-beside")
def annotation_beside(kind: str) -> dict[str, object]:
    """Match if the transform `annotation` reads the annotation that the row reads in that type.

    >>> asked = CONDITIONS["annotation-beside long"].function
    >>> asked(1, Entry("k", "string", "5")), asked(1, Entry("k", "string", "soon")), asked(1, None)
    (True, False, False)
    """
    return {"function": partial(_reads_beside, _readable(kind).name)}


def _reads_beside(kind: str, _value: object, beside: Any) -> bool:
    return beside.__class__ is Entry and in_type(kind, beside.value, beside.type) is not NOT_MINE


@transform("by-clock", str, gives="int", passes=True, loses=True)
def by_clock(made: str, value: object, type_: str, clock: int | None, most: int | None = None) -> int | Loss | NotMine:
    """Turn a delay in milliseconds into a time by the caller's clock (`by-clock time`), or a time into a delay.

    `by-clock delay 3600000` passes a longer delay to the next row, `by-clock delay` one beyond the limit that the row reads.
    The delay to a past time is 0. Without a clock both pass on, and so does a delay to a time of more than 64 bits.
    """
    given = in_type("long", value, type_)
    if given is NOT_MINE:
        return Loss("not a long")
    if clock is None:
        return NOT_MINE
    if made == "time":
        return given + clock if given + clock < 2**63 else NOT_MINE
    limit = int(made.removeprefix("delay ")) if made.startswith("delay ") else most
    return NOT_MINE if limit is not None and given - clock > limit else max(given - clock, 0)


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
    made = AMQP10_TYPES[type_]
    return {"function": partial(read_as, type_), "gives": made.kind, "makes": made, "passes": True}
