"""Ill-formed values of views by the specifications, and their removal.

It judges RabbitMQ's answers, sources that the library refuses, and the library's own results (`tests.validity`, which has the
rules of the other protocols).
"""

import re
import struct
from collections.abc import Iterator
from itertools import pairwise, takewhile
from math import isfinite
from typing import Any, NamedTuple

from tests.oracle.peer import Question
from tests.oracle.wire import (
    BODY,
    HEADER,
    LISTS,
    MAPS,
    ONE,
    PROPERTIES,
    SECTIONS,
    SUBSCRIPTION,
    USER_PROPERTY,
    MalformedError,
    Node,
    View,
    read_basic,
    read_publish,
    read_sections,
    section_name,
    sections_view,
)

HEADER_TYPES = dict(zip(HEADER, ("boolean", "ubyte", "uint", "boolean", "uint"), strict=True))
PROPERTY_TYPES = dict(
    zip(
        PROPERTIES,
        (
            "id",
            "binary",
            "string",
            "string",
            "string",
            "id",
            "symbol",
            "symbol",
            "timestamp",
            "timestamp",
            "string",
            "uint",
            "string",
        ),
        strict=True,
    )
)
IDS = ("ulong", "uuid", "binary", "string")
KEYS = {
    "delivery_annotations": ("symbol", "ulong"), "message_annotations": ("symbol", "ulong"), "footer": ("symbol", "ulong"),
    "application_properties": ("string",),
}  # fmt: skip


class Gone(NamedTuple):
    """An ill-formed place or entry, and the reason in a word."""

    place: str
    key: Any
    why: str


def utf8_fault(raw: bytes, most: int | None = None) -> str | None:
    """Return why AMQP 0.9.1 and MQTT do not allow these bytes as text, or None."""
    try:
        raw.decode()
    except UnicodeDecodeError:
        return "not UTF-8"
    if 0 in raw:
        return "NUL"
    return "too long" if most is not None and len(raw) > most else None


def well_formed(protocol: str, view: View) -> tuple[View, list[Gone]]:
    """Return the view without its ill-formed values, and those values. The first of equal keys and the body stay."""
    gone: list[Gone] = []
    entry, scalar = {"amqp-1.0": (_amqp10_entry, _amqp10_scalar), "amqp-0.9.1": (_amqp091_entry, _amqp091_scalar)}.get(
        protocol, (_mqtt5_entry, _mqtt5_scalar)
    )
    made: View = {}
    for place, value in view.items():
        if isinstance(value, list) and place not in ("body", "order"):
            kept = _entries(place, value, entry, gone)
            if kept:
                made[place] = kept
        elif why := scalar(place, value):
            gone.append(Gone(place, None, why))
        else:
            made[place] = value
    if protocol == "amqp-1.0":
        made["body"] = _body(made.get("body", []), gone)
    return made, gone


def _body(sections: list[Any], gone: list[Gone]) -> list[Any]:
    """Return a body of one kind: of several, the last sections, which are the payload's; without any, empty data."""
    if not sections:
        gone.append(Gone("body", None, "none"))
        return [("data", ("binary", b""))]
    kept = list(takewhile(lambda each: each[0] == sections[-1][0], reversed(sections)))[::-1]
    if len(kept) < len(sections):
        gone.append(Gone("body", None, "of several kinds"))
    found = [_amqp10_pruned(value) for _, value in kept]
    gone += [Gone("body", None, why) for why, _ in found if why]
    return [(name, pruned) for (name, _), (_, pruned) in zip(kept, found, strict=True)]


def _entries(place: str, entries: list[Any], check: Any, gone: list[Gone]) -> list[Any]:
    kept: list[Any] = []
    for key, value in entries:
        why, pruned = check(place, key, value)
        lists = ("user_properties", "subscription_identifiers")
        if pruned is not None and place not in lists and any(key == each for each, _ in kept):
            why, pruned = "twice", None
        if why is not None:
            gone.append(Gone(place, key, why))
        if pruned is not None:
            kept.append((key, pruned))
    return kept


# ---- AMQP 1.0 -------------------------------------------------------------------------------------------------------


def _amqp10_scalar(place: str, value: Any) -> str | None:
    if place in ("body", "order"):
        return None
    section, _, field = place.partition(".")
    types = {"header": HEADER_TYPES, "properties": PROPERTY_TYPES}.get(section, {})
    if "#" in place or place.endswith("!") or field not in types:
        return "section"
    if value[0] not in (IDS if types[field] == "id" else (types[field],)):
        return "type"
    return amqp10_fault(value)


def amqp10_fault(value: Any, *, lax: bool = False) -> str | None:
    """Return the first fault of a value or of its nested values; `lax` accepts equal keys, as the library's decoder does."""
    type_, content = value
    if type_ == "string":
        return "not UTF-8" if utf8_fault(content) == "not UTF-8" else None
    if type_ == "symbol":
        return None if content.isascii() else "not ASCII"
    if type_ == "char":
        return None if content <= 0x10FFFF else "range"
    if type_ == "map" and not lax and len({repr(key) for key, _ in content}) < len(content):
        return "twice"
    return next((why for each in inside(value) if (why := amqp10_fault(each, lax=lax))), None)


def inside(value: Any) -> Iterator[Any]:
    """Yield the nested values of a value of AMQP 1.0."""
    type_, content = value
    if type_ == "map":
        for pair in content:
            yield from pair
    elif type_ in ("list", "described"):
        yield from content
    elif type_ == "array":
        yield from content[1]
        for each in content[2]:
            yield content[0], each


def _amqp10_entry(place: str, key: Any, value: Any) -> tuple[str | None, Any]:
    if key[0] not in KEYS[place.partition("#")[0]]:
        return "key", None
    if why := amqp10_fault(key):
        return why, None
    if place == "application_properties" and value[0] in ("list", "map", "array", "described"):
        return "compound", None
    return _amqp10_pruned(value)


def _amqp10_pruned(value: Any) -> tuple[str | None, Any]:
    """Return the fault, and the value without its ill-formed parts, or None if nothing is left."""
    type_, content = value
    if type_ == "map":
        kept: list[Any] = []
        first: str | None = None
        for key, each in content:
            why, pruned = (amqp10_fault(key), each) if amqp10_fault(key) else _amqp10_pruned(each)
            if not amqp10_fault(key) and pruned is not None and any(key == other for other, _ in kept):
                why, pruned = "twice", None
            if pruned is not None and not amqp10_fault(key):
                kept.append((key, pruned))
            first = first or why
        return first, (type_, tuple(kept))
    if type_ == "list":
        found = [_amqp10_pruned(each) for each in content]
        return next((why for why, _ in found if why), None), (type_, tuple(each for _, each in found if each is not None))
    if type_ == "described":
        found = [_amqp10_pruned(each) for each in content]
        why = next((why for why, _ in found if why), None)
        parts = tuple(pruned for _, pruned in found if pruned is not None)
        return why, (type_, parts) if len(parts) == len(content) else None
    if type_ == "array" and content[0] in ("list", "map", "array"):
        found = [_amqp10_pruned((content[0], each)) for each in content[2]]
        left = tuple(each[1] for _, each in found if each is not None)
        return next((why for why, _ in found if why), None), (type_, (*content[:2], left))
    why = amqp10_fault(value)
    return why, None if why else value


def section_fault(sections: list[Node]) -> str | None:
    """Return why these are not the sections of one message, or None. Equal keys and compound properties are allowed (3.2)."""
    names = [section_name(node) for node in sections]
    for before, name in pairwise(names):
        later = list(SECTIONS.values()).index(name) > list(SECTIONS.values()).index(before)
        if (not later or (name in BODY and before in BODY)) and not (name == before and name in ("data", "amqp-sequence")):
            return "order"
    for name, (_, (_, (code, content))) in zip(names, sections, strict=True):
        fits = {"data": (0xA0, 0xB0), "amqp-sequence": LISTS, "header": LISTS, "properties": LISTS}.get(name, MAPS)
        if name != "amqp-value" and code not in fits:
            return "type"
        if name in ("header", "properties") and len(content) > len(HEADER if name == "header" else PROPERTIES):
            return "count"  # null fields, too, which a view does not show
    return next(_faults_inside(sections_view(sections)), None)


def _faults_inside(view: View) -> Iterator[str]:
    for place, value in view.items():
        if place == "body":
            yield from (why for _, typed in value if (why := amqp10_fault(typed, lax=True)))
        elif isinstance(value, list):
            for key, typed in value:
                if why := ("key" if key[0] not in KEYS[place] else amqp10_fault(key)) or amqp10_fault(typed, lax=True):
                    yield why
        elif why := _amqp10_scalar(place, value):
            yield why


# ---- AMQP 0.9.1 -----------------------------------------------------------------------------------------------------

_NUMBER = re.compile(rb"(\+?[0-9]+|-0+)\Z")


def _amqp091_scalar(place: str, value: Any) -> str | None:
    if place == "payload":
        return None
    if place == "basic.delivery_mode":
        return None if value[1] in (1, 2) else "delivery mode"
    if value[0] != "shortstr":
        return None
    if place == "basic.expiration" and not _NUMBER.match(value[1]):
        return "expiration"
    return utf8_fault(value[1])


def _amqp091_entry(place: str, key: bytes, value: Any) -> tuple[str | None, Any]:
    del place
    why = utf8_fault(key, 255)
    return (why, None) if why else _amqp091_pruned(value)


def _amqp091_pruned(value: Any) -> tuple[str | None, Any]:
    type_, content = value
    if type_ == "array":
        found = [_amqp091_pruned(each) for each in content]
        return next((why for why, _ in found if why), None), (type_, tuple(each for _, each in found if each is not None))
    if type_ == "table":
        gone: list[Gone] = []
        kept = _entries("", list(content), _amqp091_entry, gone)
        return (gone[0].why if gone else None), (type_, tuple(kept))
    if type_ in ("float", "double") and not isfinite(struct.unpack(">f" if type_ == "float" else ">d", content)[0]):
        return "not finite", None
    return None, value


# ---- MQTT 5.0 -------------------------------------------------------------------------------------------------------


def _mqtt5_scalar(place: str, value: Any) -> str | None:
    if place in ("content_type", "response_topic", "topic_name"):
        if why := utf8_fault(value[1], 65535):
            return why
        return "topic" if place != "content_type" and (not value[1] or set(value[1]) & set(b"+#")) else None
    return "twice" if "#" in place else None


def _mqtt5_entry(place: str, key: bytes, value: Any) -> tuple[str | None, Any]:
    if place != "user_properties":
        return None, value
    why = utf8_fault(key, 65535) or utf8_fault(value[1], 65535)
    return why, None if why else value


# ---- sources ----------------------------------------------------------------------------------------------------------


def source_fault(question: Question) -> str | None:
    """Return why a decoder may refuse a source as ill-formed in its protocol, or None."""
    try:
        if question.source == "amqp-1.0":
            return _amqp10_source(question.parts[0])
        if question.source == "amqp-0.9.1":
            return _amqp091_source(read_basic(question.parts[0]))
        return _mqtt5_source(*read_publish(question.parts[0]))
    except MalformedError:
        return "malformed"


def _amqp10_source(data: bytes) -> str | None:
    return section_fault(read_sections(data)) if data else "malformed"


def _amqp091_source(properties: list[tuple[str, Any]]) -> str | None:
    del properties  # all readable properties are valid: invalid UTF-8 is kept
    return None


def _mqtt5_source(flags: int, topic: bytes, identifier: bytes, properties: list[tuple[int, Any]], payload: bytes) -> str | None:
    del payload
    if flags & 6 == 6 or flags & 14 == 8 or identifier == b"\0\0":
        return "packet"
    once = [kind for kind, _ in properties if kind in ONE]
    if len(once) != len(set(once)):
        return "twice"
    for kind, content in [(8, topic), *properties]:
        texts = {3: (content,), 8: (content,), USER_PROPERTY: content}.get(kind, ())
        if why := next((why for text in texts if (why := utf8_fault(text))), None):
            return why
        if kind == 8 and (not content or set(content) & set(b"+#")):
            return "topic"
        if (kind == 1 and content > b"\1") or (kind in (SUBSCRIPTION, 0x23) and not any(content)):
            return "value"
    return None
