"""Words for the text properties of RocketMQ and Pulsar: reserved names, types beside values (decisions.md G4, G5), and the
original properties, listed by an annotation beside those of the message (G4a).

The form of RocketMQ's list is its property string, the form of Pulsar's a list of lists. Rows name the form.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import partial
from typing import Any

from mqconvert.converters.errors import ConversionError
from mqconvert.converters.model.plain import text_of
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols.amqp10.message import Message
from mqconvert.converters.protocols.amqp10.types import AMQP10_COMPOUND
from mqconvert.converters.protocols.amqp10.words.textforms import read_id, read_text, text_form
from mqconvert.converters.words import NOT_MINE, TRANSFORMS, Loss, NotMine, Partial, Transform, condition, transform


@transform("type-beside", gives="str", passes=True)
def type_beside(value: object, type_: str) -> str | NotMine:
    """Return the type name in the property beside a value; a string needs none.

    >>> type_beside(1, "int"), type_beside([], "list"), type_beside("a", "string") is NOT_MINE
    ('int', 'amqp', True)
    """
    if type_ == "string" or isinstance(text_form(value, type_), Loss):
        return NOT_MINE
    return "amqp" if type_ in AMQP10_COMPOUND else type_


def _types_by_name(text: str) -> dict[str, list[str]]:
    return {name: types.split("|") for name, _, types in (pair.partition("=") for pair in text.split(" "))}


@condition("types-beside", _types_by_name)
def types_beside(known: dict[str, list[str]], value: Any, beside: Any, key: Any) -> bool:
    """Match a type name if the property beside it (which the row reads before the own key) has a value of that type.

    Literals give single properties other types: `types-beside amqp-ttl=uint`.
    """
    name = key[len("amqp-type.") :]
    if beside is None or value == "string" or name.startswith("amqp-type."):
        return False
    types = known.get(name)
    if types is None or types == [value]:
        return read_text(beside, value) is not None
    return value in types and typed_id(beside, value) is not NOT_MINE


@transform("typed-text", gives="typed")
def typed_text(value: str, name: str | None) -> TypedValue:
    """Read a property's value in the type beside it, or as a string if it does not fit.

    >>> typed_text("5", "int"), typed_text("x", "int").type, typed_text("x", None).type
    (TypedValue(type='int', value=5), 'string', 'string')
    """
    return (name is not None and read_text(value, name)) or TypedValue("string", value)


@transform("typed-text-stated", gives="typed", passes=True)
def typed_text_stated(value: str, name: str | None) -> TypedValue | NotMine:
    """Read like `typed-text` a text with a type beside it that fits; any other text passes to the next row.

    >>> typed_text_stated("YQ==", "binary"), typed_text_stated("?", "binary") is typed_text_stated("?", None) is NOT_MINE
    (TypedValue(type='binary', value=b'a'), True)
    """
    return (name is not None and read_text(value, name)) or NOT_MINE


@transform("typed-id", gives="typed", passes=True)
def typed_id(value: str, name: str | None) -> TypedValue | NotMine:
    """Read an id in the type beside it; an id that does not fit passes to the next row.

    >>> typed_id("a", None), typed_id("5", "ulong"), typed_id("x", "ulong") is NOT_MINE
    (TypedValue(type='string', value='a'), TypedValue(type='ulong', value=5), True)
    """
    if name is None:
        return TypedValue("string", value)
    return (name in ("ulong", "uuid", "binary") and read_id(value, name)) or NOT_MINE


@transform("octets-id-type", gives="str", passes=True)
def bytes_id_type(value: Any, type_: str) -> str | NotMine:
    """Return the type name beside an id sent as bytes, if the way back would read another type: binary, or a uuid from a URN.

    >>> bytes_id_type("a", "string"), bytes_id_type(b"a", "binary") is bytes_id_type(bytes(16), "uuid") is NOT_MINE
    ('string', True)
    """
    return NOT_MINE if type_ == "uuid" or (type_ == "binary" and value[:9].lower() != b"urn:uuid:") else type_


@transform("typed-octets-id", gives="typed", passes=True)
def typed_bytes_id(value: bytes, name: str | None) -> TypedValue | NotMine:
    """Read an id of bytes in the type beside it. Without a type, or if it does not fit, the id passes to the next row.

    >>> typed_bytes_id(b"5", "ulong"), typed_bytes_id(b"5", None) is typed_bytes_id(b"x", "ulong") is NOT_MINE
    (TypedValue(type='ulong', value=5), True)
    """
    if name == "binary":
        return TypedValue("binary", value)
    text = text_of(value) if name in ("string", "ulong") else None
    return (text is not None and read_text(text, str(name))) or NOT_MINE


WayBack = Callable[[Message], Any]
Pairs = list[tuple[str, str]]


def comes_back(properties: Pairs, result: Message, way_back: WayBack) -> bool:
    """Return whether the table back gives the same properties, with application properties in the same order."""
    try:
        back: Pairs = way_back(result).properties or []
    except ConversionError:
        return False
    if sorted(back) != sorted(properties):
        return False
    keys = {entry.key for entry in result.application_properties or ()}
    return [pair for pair in back if pair[0] in keys] == [pair for pair in properties if pair[0] in keys]


def unsaid(listed: Pairs, result: Any, raw: str, way_back: WayBack, again: Callable[[object], Any]) -> tuple[Pairs, set[str]]:
    """Return the results of other rows that the list of the original properties (annotation `raw`) lacks.

    These are the results that the list alone would not give. Also return the names of listed properties that describe a value
    which the message has lost: the list cannot keep them. A list that contradicts a field of the message is replaced as a
    whole.
    """
    made = Counter(_unmarked(result.properties or ()))
    try:
        hub = way_back(replace(result, properties=listed or None))
        hub.message_annotations = [entry for entry in hub.message_annotations or () if entry.key != raw]
        known = Counter(_unmarked(again(hub).properties or ()))
    except ConversionError:
        known = Counter(_unmarked(listed))
    added = list((made - known).elements())
    names = {name for name, _ in listed}
    gone = names & {name for name, _ in known - made if name.startswith("amqp-type.") or name == "amqp-body"}
    if (added or gone) and not _reads_all(result, [pair for pair in listed if pair[0] not in gone] + added, way_back):
        return list(result.properties or ()), names
    return added, gone


def _unmarked(properties: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield properties without the marker of an empty body, which only the list itself calls for (8.9)."""
    for name, text in properties:
        if name != "amqp-body":
            yield name, text
        elif text != "empty":
            yield name, text.removeprefix("empty-")


def _reads_all(result: Any, properties: Pairs, way_back: WayBack) -> bool:
    """Return whether the table back reads from these properties all that it reads from the result's own."""
    try:
        wanted, found = way_back(result), way_back(replace(result, properties=properties))
    except ConversionError:
        return False
    return all(_within(getattr(wanted, field.name), getattr(found, field.name)) for field in fields(Message))


def _within(wanted: Any, found: Any) -> bool:
    """Return whether a section or body has all fields or entries of another one."""
    if wanted is None or wanted == found:
        return True
    if isinstance(wanted, list):
        return all(entry in (found or ()) for entry in wanted)
    said = {part.name: value for part in fields(wanted) if (value := getattr(wanted, part.name)) is not None}
    return is_dataclass(found) and all(getattr(found, name, None) == value for name, value in said.items())


@dataclass(frozen=True, slots=True)
class Form:
    """The form in which annotations list properties: their wire type, and the transform's kind for the result of `changed`.

    `read` returns None for any other value. `changed` returns the list without the properties of some names and with others
    after it. `nothing` is the reason for the loss of an empty list.
    """

    type: str
    gives: str
    read: Callable[[Any], Pairs | None]
    changed: Callable[[Any, set[str], Pairs], object]
    nothing: str | None = None

    def listed(self, beside: Any) -> Pairs | None:
        """Return the properties that an annotation lists; None if it is missing or has another form."""
        return self.read(beside.value) if beside is not None and beside.type == self.type else None


FORMS: dict[str, Form] = {}
"""The forms by their names in rows; the words of a protocol add its own."""


def form_named(name: str) -> Form:
    """Return the form of a name in a row. Raises ValueError."""
    if name not in FORMS:
        raise ValueError(f"unknown form {name!r}; known: {', '.join(FORMS)}")
    return FORMS[name]


@condition("lists", form_named)
def lists(form: Form, listed: object) -> bool:
    """Match an annotation that lists properties in that form."""
    return form.listed(listed) is not None


@condition("listed-as", str, form_named)
def listed_as(name: str, form: Form, value: object, beside: object) -> bool:
    """Match if the annotation lists a property of that name with the value's text: `listed-as NAME FORM`."""
    return (name, str(value)) in (form.listed(beside) or ())


@transform("as-listed", form_named, gives="list")
def as_listed(form: Form, _value: object, beside: TypedValue | Entry, changed: object = None) -> Pairs | None:
    """Return the properties that an annotation lists in that form, or the result's own list if the row reads one."""
    return form.read(beside.value if changed is None else changed) or None


@TRANSFORMS.maker("with-later-changes")
def with_later_changes(text: str) -> dict[str, object]:
    """Return the original properties in that form, followed by the later ones.

    Readers take the last of equal names. `with-later-changes FORM ANNOTATION` names the annotation that lists them.
    """
    known, _, annotation = text.partition(" ")
    form = form_named(known)

    return {"function": partial(_with_later_changes, form, annotation), "gives": form.gives, "loses": True}


def _with_later_changes(
    form: Form, raw: str, _value: Any, beside: TypedValue | Entry, result: Any, way_back: WayBack, again: Callable[[Any], Any]
) -> object:
    added, gone = unsaid(form.read(beside.value) or [], result, raw, way_back, again)
    whole = form.changed(beside.value, gone, added)
    if added or gone:
        return Partial(whole, "the message has changed since these were recorded, and its own values take precedence")
    return Partial(None, form.nothing) if form.nothing and not whole else whole


@TRANSFORMS.maker("unless-back")
def unless_back(text: str) -> dict[str, object]:
    """Return a transform's result for the properties, unless the table back derives it from the converted message."""
    via = TRANSFORMS.known(text)
    return {"function": partial(_unless_back, via), "gives": via.gives}


def _unless_back(via: Transform, properties: Pairs | None, result: Message, way_back: WayBack) -> object:
    return None if not properties or comes_back(properties, result, way_back) else via.function(properties)
