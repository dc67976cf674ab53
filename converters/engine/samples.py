"""Small values and messages to try things on: each wire type's ordinary value and its special ones, one field at a time.

The forecast sends them through the converters; the checks of a table hand them to its conditions and transforms.
"""

from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import Any

from mqconvert.converters.engine.rules import Rule
from mqconvert.converters.engine.vocabulary import CONDITIONS, TRANSFORMS
from mqconvert.converters.model.bodies import AmqpSequence, AmqpValue, Data
from mqconvert.converters.model.places import BODY, ENTRIES, PLAIN_ENTRIES, TYPED, Place, places
from mqconvert.converters.model.protocol import Protocol
from mqconvert.converters.model.values import Array, Decimal091, Described, Entry, TypedValue

_TEXT = (
    ("", "text"),
    ("not ASCII", "é"),
    ("over 255 octets", "a" * 300),
    ("with NUL", "a\0b"),
    ("empty", ""),
    ("with a dot", "a.b"),
    ("with an asterisk", "a*"),
)
_OCTETS = (
    ("", b"text"),
    ("not ASCII", "é".encode()),
    ("not UTF-8", b"\xff"),
    ("over 255 octets", b"a" * 300),
    ("with NUL", b"a\0b"),
    ("empty", b""),
    ("with a dot", b"a.b"),
    ("with an asterisk", b"a*"),
)
_NUMBERS = (("", 1.5), ("NaN", float("nan")), ("infinite", float("inf")))

SAMPLES: dict[str, tuple[tuple[str, Any], ...]] = {
    "null": (("", None),),
    "void": (("", None),),
    "boolean": (("", True), ("false", False)),
    "bool": (("", True), ("false", False)),
    "float": _NUMBERS,
    "double": _NUMBERS,
    "decimal32": (("", bytes(4)),),
    "decimal64": (("", bytes(8)),),
    "decimal128": (("", bytes(16)),),
    "decimal": (("", Decimal091(1, 15)),),
    "uuid": (("", bytes(range(16))),),
    "binary": _OCTETS,
    "longstr": _OCTETS,
    "payload": (("", b"text"),),
    "string": _TEXT,
    "symbol": _TEXT,
    "shortstr": (*_TEXT, ("a number", "60000"), ("a number, no multiple of 1000", "1500"), ("not UTF-8", "\udcff")),
    "utf8": _TEXT,
    "topic": (
        ("", "a/b"),
        ("of one level", "a"),
        ("with a dot", "a.b"),
        ("with a dot and levels", "a/b.c"),
        ("with an asterisk", "a*"),
        ("not ASCII", "é/b"),
    ),
    "char": (("", ord("t")), ("the lowest", 0), ("the highest", 0x10FFFF)),
    "list": (("", [TypedValue("boolean", True)]),),
    "map": (("", [Entry(TypedValue("string", "k"), "boolean", True)]),),
    "table": (("", [Entry("k", "bool", True)]),),
    "described": (("", Described(TypedValue("symbol", "d"), TypedValue("boolean", True))),),
    "octet": (("1", 1), ("2", 2), ("0", 0), ("over 2", 255)),
    "bit": (("0", 0), ("1", 1)),
    "bits": (("0", 0), ("1", 1), ("2", 2)),
    "timestamp": (("", 1_700_000_000_000), ("before 1970, with a fraction", -1_500), ("over 2^62", 2**63 - 1)),
    "data": (("one section", Data([b"a"])), ("two sections", Data([b"a", b"b"]))),
    "amqp-sequence": (("", AmqpSequence([[TypedValue("boolean", True)]])),),
    "amqp-value": (
        ("binary", AmqpValue(TypedValue("binary", b"a"))),
        ("string", AmqpValue(TypedValue("string", "a"))),
        ("other", AmqpValue(TypedValue("boolean", True))),
    ),
}
"""Values of each wire type, with what is special about them; integers are tried at 1 and at their bounds."""

_ORDINARY: tuple[Any, ...] = ("text", b"text", 1, 1.5, True, [], None)
"""What is tried with a wire type that is not listed above: the first of these that it can hold."""

_FIELDS_ONLY = ("shortstr", "octet", "payload")
"""Wire types of fields that are no types of entries."""


def types_at(protocol: Protocol, place: Place) -> tuple[str, ...]:
    """The wire types that a place may hold; entries of a map take any type of values."""
    if place.kind != ENTRIES:
        return place.types
    if place.types[0] in PLAIN_ENTRIES:
        return (PLAIN_ENTRIES[place.types[0]],)
    return tuple(type_ for type_ in protocol.types if type_ not in _FIELDS_ONLY)


def samples(protocol: Protocol, place: Place, type_: str) -> Iterator[tuple[str, Any]]:
    """What is special about a value, and the value, for each that is tried with a wire type at a place.

    >>> from mqconvert.converters.protocols import PROTOCOLS
    >>> next(samples(PROTOCOLS["rocketmq"], places(PROTOCOLS["rocketmq"])["born_host"], "utf8"))
    ('', '192.0.2.1:10911')
    """
    fitting = protocol.samples.places.get(place.path)
    if fitting is not None:
        return iter([("", fitting), *((case or "any", value) for case, value in values_of(protocol, type_))])
    return iter(SAMPLES[type_]) if place.kind == BODY else values_of(protocol, type_)


def values_of(protocol: Protocol, type_: str) -> Iterator[tuple[str, Any]]:
    """The same for a wire type that stands in `protocol.types`: only what the protocol can hold.

    >>> from mqconvert.converters.protocols import PROTOCOLS
    >>> dict(values_of(PROTOCOLS["amqp-1.0"], "ubyte"))
    {'': 1, 'the lowest': 0, 'the highest': 255}
    """
    wire = protocol.types[type_]
    if type_ in protocol.samples.types:
        tried: Iterable[tuple[str, Any]] = protocol.samples.types[type_]
    elif type_ in SAMPLES:
        tried = SAMPLES[type_]
    elif type_ == "array":
        tried = (("", [TypedValue("bool", True)]), ("", Array("uint", [7])))
    elif wire.bounds is not None:
        low, high = wire.bounds
        tried = {"": 1, "the lowest": low, "the highest": high}.items()
    else:
        tried = [("", value) for value in _ORDINARY if wire.fault(value) is None][:1]
        if not tried:
            raise LookupError(f"no value is known of wire type {type_!r}: name one in SAMPLES, or the protocol's Samples")
    for case, value in tried:
        # Octets that are not UTF-8 are a short string all the same (DESIGN, "Interfaces, decided").
        if wire.fault(value) is None or case == "not UTF-8":
            yield case, value


def asked_for(protocol: Protocol, type_: str, rule: Rule) -> Iterator[tuple[str, Any]]:
    """The values that the words of a row ask for, in the form of a wire type, where that can hold them.

    >>> from mqconvert.converters.protocols import PROTOCOLS
    >>> row = Rule("a", "mine.toml", 1, {}, "correlation_data", when="urn-uuid")
    >>> [case for case, _ in asked_for(PROTOCOLS["mqtt-5.0"], "binary", row)]
    ['a uuid URN']
    """
    wire = protocol.types.get(type_)
    if wire is None or (rule.type != "*" and type_ not in rule.type.split("|")):
        return
    for word in (CONDITIONS.get(rule.when or ""), TRANSFORMS.get(rule.via or "")):
        for case, value in () if word is None else word.samples.items():
            forms = (value, value.encode()) if isinstance(value, str) else (value,)
            yield from [(case, form) for form in forms if wire.fault(form) is None]


def empty_message(protocol: Protocol) -> Any:
    """A message with a body, since some protocols have none without, and nothing else.

    >>> from mqconvert.converters.protocols import PROTOCOLS
    >>> empty_message(PROTOCOLS["amqp-1.0"]).body
    Data(sections=[b'body'])
    """
    message = protocol.message()
    for place in places(protocol).values():
        if place.kind == BODY or place.types == ("payload",):
            setattr(message, place.path, Data([b"body"]) if place.kind == BODY else b"body")
    return message


def message_with(protocol: Protocol, place: Place, type_: str, key: str | int | None, value: Any) -> Any:
    """A message in which only that place is set, beside a body and what the place cannot do without (Samples.company).

    >>> from mqconvert.converters.protocols import PROTOCOLS
    >>> member = message_with(PROTOCOLS["rocketmq"], places(PROTOCOLS["rocketmq"])["batch_flag"], "int", None, 5)
    >>> member.batch_flag, member.batch_index, member.batch_size
    (5, 0, 2)
    """
    content: Any = TypedValue(type_, value) if place.kind == TYPED else value
    if place.kind == ENTRIES:
        pair = value if key is None else (key, value)
        content = [pair if place.types[0] in PLAIN_ENTRIES else Entry(key, type_, value)]
    message = empty_message(protocol)
    for beginning, company in protocol.samples.company.items():
        if place.path.startswith(beginning):
            for path, beside in company.items():
                _set(message, places(protocol), path, beside)
    _set(message, places(protocol), place.path, content)
    return message


def value_at(message: Any, place: Place) -> Any:
    """What a message has at a place.

    >>> from mqconvert.converters.protocols import PROTOCOLS
    >>> value_at(empty_message(PROTOCOLS["amqp-1.0"]), places(PROTOCOLS["amqp-1.0"])["body"])
    Data(sections=[b'body'])
    """
    return attrgetter(place.path)(message)


def _set(message: Any, known: dict[str, Place], path: str, content: Any) -> None:
    """Set a place, in a section that is made where it is not there."""
    name = known[path].section
    if name is None:
        setattr(message, path, content)
        return
    section = getattr(message, name)
    if section is None:
        made = known[name].message_class
        assert made is not None
        section = made()
        setattr(message, name, section)
    setattr(section, path.rpartition(".")[2], content)
