"""Trial values and messages: ordinary and special values of each wire type, one field at a time.

The forecast converts them; the checks of a table pass them to its conditions and transforms.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from mqconvert.converters.engine.rules import Rule
from mqconvert.converters.engine.vocabulary import CONDITIONS, TRANSFORMS
from mqconvert.converters.model.bodies import Data
from mqconvert.converters.model.entries import keys_of
from mqconvert.converters.model.places import BODY, ENTRIES, TYPED, Place, places, types_at
from mqconvert.converters.model.protocol import Protocol
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.model.wiretypes import WireType
from mqconvert.converters.words import Word


def samples(protocol: Protocol, place: Place, type_: str) -> Iterator[tuple[str, object]]:
    """Return the trial values of a wire type at a place, each after its special case ("" for an ordinary one).

    The first is the ordinary one. Where the place wants a special case of its type, it has the name of that case.

    >>> from mqconvert.converters.protocols import PROTOCOLS
    >>> next(samples(PROTOCOLS["amqp-0.9.1"], places(PROTOCOLS["amqp-0.9.1"])["basic.expiration"], "shortstr"))
    ('a number', '60000')
    >>> next(samples(PROTOCOLS["rocketmq"], places(PROTOCOLS["rocketmq"])["born_host"], "host"))
    ('', '192.0.2.1:10911')
    """
    tried = protocol.named[type_].samples
    fitting = protocol.samples.places.get(place.path)
    if fitting is not None:
        name = next((case for case, value in tried if value == fitting), "")
        return iter([(name, fitting), *((case or "any other", value) for case, value in tried if not name or case != name)])
    return iter(tried)


def words_of(rule: Rule) -> list[Word]:
    """Return the words of a row without those that are unknown."""
    named = (rule.when and CONDITIONS.get(rule.when), rule.via and TRANSFORMS.get(rule.via))
    return [word for word in named if word]


def asked_for(type_: WireType, rule: Rule) -> Iterator[tuple[str, object]]:
    """Yield the trial values of a row's words that a wire type can hold, in its form.

    >>> from mqconvert.converters.protocols import PROTOCOLS
    >>> row = Rule("a", "mine.toml", 1, {}, "correlation_data", via="urn-to-uuid")
    >>> [case for case, _ in asked_for(PROTOCOLS["mqtt-5.0"].types["binary"], row)]
    ['a uuid URN']
    """
    if rule.type != "*" and type_.name not in rule.type.split("|"):
        return
    for word in words_of(rule):
        for case, value in word.samples.items():
            forms = (value, value.encode()) if isinstance(value, str) else (value,)
            yield from [(case, form) for form in forms if type_.fault(form) is None]


def tried(protocol: Protocol, place: Place, type_: str, rules: Iterable[Rule]) -> dict[str, object]:
    """Return the trial values of a wire type at a place by their special cases, with those that the rows ask for."""
    found = dict(samples(protocol, place, type_))
    for case, value in (pair for rule in rules for pair in asked_for(protocol.named[type_], rule)):
        found.setdefault(case, value)
    return found


def empty_message(protocol: Protocol) -> Any:
    """Return a message with only a body, which some protocols require.

    >>> from mqconvert.converters.protocols import PROTOCOLS
    >>> empty_message(PROTOCOLS["amqp-1.0"]).body
    Data(sections=[b'body'])
    """
    message = protocol.message()
    for place in places(protocol).values():
        if place.kind == BODY or place.payload:
            setattr(message, place.path, Data([b"body"]) if place.kind == BODY else b"body")
    return message


def message_with(protocol: Protocol, place: Place, type_: str, key: str | int | None, value: object) -> Any:
    """Return a message with only that place set, besides a body and the fields that the place requires (Samples.company).

    >>> from mqconvert.converters.protocols import PROTOCOLS
    >>> member = message_with(PROTOCOLS["rocketmq"], places(PROTOCOLS["rocketmq"])["batch_flag"], "int", None, 5)
    >>> member.batch_flag, member.batch_index, member.batch_size
    (5, 0, 2)
    """
    message = empty_message(protocol)
    for beginning, company in protocol.samples.company.items():
        if place.path.startswith(beginning):
            for path, beside in company.items():
                _set(message, places(protocol), path, beside)
    _set(message, places(protocol), place.path, _content(place, type_, key, value))
    return message


def set_beside(protocol: Protocol, message: object, place: Place, key: str | None) -> None:
    """Set a place of a message, or an entry of it, to an ordinary value, if it is unset."""
    held = held_at(message, place)
    if place.kind == ENTRIES and key is not None and key not in keys_of(held or ()):
        types = types_at(protocol, place)
        type_ = next((name for name in types if protocol.named[name].kind == "str"), types[0])
        made = _content(place, type_, key, next(samples(protocol, place, type_))[1])
        _set(message, places(protocol), place.path, [*(held or ()), *made])
    elif held is None:
        type_ = types_at(protocol, place)[0]
        made = _content(place, type_, key or "k", next(samples(protocol, place, type_))[1])
        _set(message, places(protocol), place.path, made)


def held_at(message: object, place: Place) -> Any:
    """Return the content of a place; None where its section is missing."""
    holder = message if place.section is None else getattr(message, place.section)
    return None if holder is None else getattr(holder, place.attribute)


def _content(place: Place, type_: str, key: str | int | None, value: object) -> Any:
    if place.kind != ENTRIES:
        return TypedValue(type_, value) if place.kind == TYPED else value
    if place.keys is None:
        return [value]
    return [(key, value) if place.values is not None else Entry(key, type_, value)]


def _set(message: object, known: dict[str, Place], path: str, content: object) -> None:
    """Set a place; create its section if necessary."""
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
    setattr(section, known[path].attribute, content)
