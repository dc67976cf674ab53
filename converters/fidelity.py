"""The forecast: what survives a conversion, field by field and type by type, without a message of the user's.

The tables themselves answer: for each place of the source and each type that it may hold, small messages with only that
place set go through the very converter that real messages go through, and its report is read.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from mqconvert.converters.messages import protocol_named
from mqconvert.converters.messages.amqp10 import AmqpSequence, AmqpValue, Data
from mqconvert.converters.messages.pulsar import EncryptionKey
from mqconvert.converters.places import BODY, ENTRIES, SECTION, TYPED, WHOLE, Place, places
from mqconvert.converters.routes import DOCUMENTED, Environment, RouteConverter, converter
from mqconvert.converters.values import Array, Decimal091, Described, TypedValue

_TEXT = (("", "text"), ("not ASCII", "é"), ("over 255 octets", "a" * 300), ("with NUL", "a\0b"))
_OCTETS = (("", b"text"), ("not UTF-8", b"\xff"), ("over 255 octets", b"a" * 300))
_TIMES = (("", 1_700_000_000_000), ("negative", -1_500))

SAMPLES: dict[str, tuple[tuple[str, Any], ...]] = {
    "null": (("", None),),
    "void": (("", None),),
    "boolean": (("true", True), ("false", False)),
    "bool": (("true", True), ("false", False)),
    "float": (("", 1.5), ("NaN", float("nan"))),
    "double": (("", 1.5), ("NaN", float("nan"))),
    "decimal32": (("", bytes(4)),),
    "decimal64": (("", bytes(8)),),
    "decimal128": (("", bytes(16)),),
    "decimal": (("", Decimal091(2, 314)),),
    "char": (("", 65),),
    "uuid": (("", bytes(range(16))),),
    "binary": _OCTETS,
    "longstr": _OCTETS,
    "payload": (("", b"text"),),
    "string": _TEXT,
    "utf8": _TEXT[:3],
    "shortstr": (("", "text"), ("not ASCII", "é"), ("a number", "60000")),
    "symbol": (("", "text"), ("over 255 octets", "a" * 300)),
    "topic": (("", "a/b"),),
    "name": (("", "text"), ("ephemeral", "text#ephemeral")),
    "id_octets": (("", b"0123456789abcdef"), ("not ASCII", b"\xff" * 16)),
    "compression": (("", "LZ4"),),
    "position": (("", "12:34:-1:-1"),),
    "ints": (("", [1, 2]),),
    "texts": (("one", ["text"]), ("two", ["text", "é"])),
    "records": (("", [EncryptionKey("k", b"v", [("m", "v")])]),),
    "list": (("", [TypedValue("boolean", True)]),),
    "map": (("", [(TypedValue("string", "k"), TypedValue("boolean", True))]),),
    "table": (("", [("k", TypedValue("bool", True))]),),
    "described": (("", Described(TypedValue("symbol", "d"), TypedValue("boolean", True))),),
    "bits": (("0", 0), ("1", 1)),
    "data": (("one section", Data([b"a"])), ("two sections", Data([b"a", b"b"]))),
    "amqp-sequence": (("", AmqpSequence([[TypedValue("boolean", True)]])),),
    "amqp-value": (
        ("string", AmqpValue(TypedValue("string", "text"))),
        ("binary", AmqpValue(TypedValue("binary", b"octets"))),
        ("other", AmqpValue(TypedValue("uint", 1))),
    ),
}
"""Values of each wire type, with what is special about them; integers are tried at 1 and at their bounds."""

_BOUNDS = {"ubyte": 8, "ushort": 16, "uint": 32, "ulong": 64, "octet": 8, "unsignedbyte": 8, "unsignedshort": 16}
_BOUNDS |= {"unsignedint": 32, "varint": 28}
_KEYS = {
    "annotations": ("x-k", "k"),
    "application-properties": ("k", "x-k"),
    "table": ("k", "x-k"),
    "utf8-pairs": ("k", "x-k"),
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """One line of a forecast. `outcome` is survives, changes, dropped or lost; `case` what is special about the value."""

    field: str
    type: str
    case: str
    outcome: str
    to: str
    why: str

    def as_dict(self) -> dict[str, str]:
        return {
            "field": self.field,
            "type": self.type,
            "case": self.case,
            "outcome": self.outcome,
            "to": self.to,
            "why": self.why,
        }


@dataclass(frozen=True, slots=True)
class Forecast:
    """What becomes of every field from `source` to `target`, and back again where `back` is true."""

    source: str
    target: str
    back: bool
    outcomes: tuple[Outcome, ...]

    def as_dict(self) -> dict[str, Any]:
        outcomes = [outcome.as_dict() for outcome in self.outcomes]
        return {"from": self.source, "to": self.target, "back": self.back, "outcomes": outcomes}

    def __str__(self) -> str:
        title = f"{self.source} -> {self.target}" + (f" -> {self.source}" if self.back else "")
        lines = [title]
        for entry in self.outcomes:
            what = f"{entry.type} ({entry.case})" if entry.case else entry.type
            to = f"-> {entry.to}" if entry.to else ""
            lines.append(f"  {entry.field:38} {what:28} {entry.outcome:9} {to:44} {entry.why}".rstrip())
        return "\n".join(lines)


def fidelity(source: str, target: str, *, back: bool = False, profile: str = DOCUMENTED, rules: Iterable[str] = ()) -> Forecast:
    """The forecast from one protocol to another, with `back` for the round trip.

    >>> forecast = fidelity("mqtt-5.0", "amqp-1.0")
    >>> [(o.outcome, o.to) for o in forecast.outcomes if o.field == "message_expiry_interval" and not o.case]
    [('changes', 'header.ttl')]
    """
    rules = tuple(rules)
    there = converter(source, target, profile=profile, rules=rules)
    again = converter(target, source, profile=profile, rules=rules) if back else None
    outcomes = (
        outcome
        for place in places(protocol_named(source)).values()
        if place.kind not in (SECTION, WHOLE)
        for outcome in _of_place(source, place, there, again)
    )
    return Forecast(source, target, back, tuple(outcomes))


def _samples(type_: str) -> tuple[tuple[str, Any], ...]:
    if type_ == "array":
        return (("", Array("uint", [1])),)
    if type_ == "timestamp":
        return _TIMES
    if type_ in SAMPLES:
        return SAMPLES[type_]
    highest = 2 ** _BOUNDS[type_] - 1 if type_ in _BOUNDS else 1
    return (("", 1),) if highest == 1 else (("", 1), ("the highest", highest))


def _of_place(source: str, place: Place, there: RouteConverter, again: RouteConverter | None) -> Iterator[Outcome]:
    protocol = protocol_named(source)
    plain = place.types[0] in ("utf8-pairs", "varints")
    types = {"utf8-pairs": ("utf8",), "varints": ("varint",)}.get(place.types[0], tuple(protocol.types))
    for type_ in place.types if place.kind != ENTRIES else types:
        if place.types[0] == "table" and type_ in ("shortstr", "octet", "payload"):
            continue
        for case, sample in _samples(type_):
            value = [TypedValue("bool", True)] if type_ == "array" and place.types[0] == "table" else sample
            if protocol.types.get(type_) is not None and protocol.types[type_].fault(value) is not None:
                continue
            for key in _KEYS.get(place.types[0], (None,)):
                yield _outcome(
                    place,
                    _message(source, place, type_, key, value, plain=plain),
                    key,
                    type_,
                    case,
                    there,
                    again,
                )


def _message(source: str, place: Place, type_: str, key: str | None, value: Any, *, plain: bool) -> Any:
    message = protocol_named(source).message()
    if place.kind == ENTRIES:
        content: Any = [(key, value if plain else TypedValue(type_, value))] if key is not None else [value]
    else:
        content = TypedValue(type_, value) if place.kind == TYPED else value
    _put(message, place, content)
    if place.kind != BODY and "body" in places(protocol_named(source)):
        _put(message, places(protocol_named(source))["body"], Data([b""]))
    return message


def _put(message: Any, place: Place, content: Any) -> None:
    if place.section is None:
        setattr(message, place.path, content)
        return
    section = getattr(message, place.section)
    if section is None:
        section = next(p.message_class for p in places_of(message) if p.path == place.section and p.message_class)()
        setattr(message, place.section, section)
    setattr(section, place.path.partition(".")[2], content)


def places_of(message: Any) -> Iterable[Place]:
    from mqconvert.converters.messages import protocol_of  # noqa: PLC0415 - the only use of it

    return places(protocol_of(message)).values()


def _read(message: Any, place: Place) -> Any:
    held = message if place.section is None else getattr(message, place.section)
    return None if held is None else getattr(held, place.path.rpartition(".")[2])


def _outcome(
    place: Place,
    message: Any,
    key: str | None,
    type_: str,
    case: str,
    there: RouteConverter,
    again: RouteConverter | None,
) -> Outcome:
    field = place.path if key is None else f'{place.path}["{key}"]'
    environment = Environment(address="t")
    conversion = there.convert(message, environment)
    own = [lost for lost in conversion.report.lost if lost.field.startswith(field) or lost.leg > 1]
    applied = [entry for entry in conversion.report.applied if entry.source.startswith(field)]
    to = applied[-1].target if applied else ""
    dropped = [entry.note for entry in conversion.report.dropped if entry.field.startswith(field)]
    accounted = [entry.note for entry in conversion.report.accounted if entry.field.startswith(field)]
    why = "; ".join(dict.fromkeys([lost.reason for lost in own] + dropped + accounted))
    if not applied:
        return Outcome(field, type_, case, "lost" if own else "dropped", "", why)
    if again is not None:
        returned = again.convert(conversion.message, environment).message
        same = repr(_read(returned, place)) == repr(_read(message, place))
        gone = _read(returned, place) in (None, [], place.unset)
        return Outcome(field, type_, case, "survives" if same else "lost" if gone else "changes", to, why)
    target = next((p for p in places_of(conversion.message) if to == p.path or to.startswith(p.path + "[")), None)
    same = target is not None and not own and _alike(_read(message, place), _read(conversion.message, target))
    return Outcome(field, type_, case, "survives" if same else "changes", to, why)


def _alike(value: Any, made: Any) -> bool:
    if isinstance(value, list) and isinstance(made, list) and value and made:
        value, made = value[-1], made[-1]
        value, made = (
            (value[-1] if isinstance(value, tuple) else value),
            (made[-1] if isinstance(made, tuple) else made),
        )
    return repr(value) == repr(made) or (isinstance(made, TypedValue) and repr(made.value) == repr(value))
