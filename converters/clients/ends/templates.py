"""Addresses with places of the message in braces: `orders/{routing_key}`, `{basic.headers["tenant"]}`."""

import re
from collections.abc import Callable
from functools import reduce
from typing import Any

from mqconvert.converters.environment import bad_option
from mqconvert.converters.errors import ConversionError, did_you_mean
from mqconvert.converters.model.entries import key_of
from mqconvert.converters.model.paths import path as shown
from mqconvert.converters.model.places import ENTRIES, SECTION, WHOLE, places
from mqconvert.converters.model.protocol import Protocol
from mqconvert.converters.model.values import Entry, TypedValue

_PART = re.compile(r'\{\{|\}\}|\{(?P<place>[A-Za-z0-9_.]+)(?:\["(?P<key>.*?)"\])?\}|(?P<stray>[{}])', re.DOTALL)

Template = Callable[[Any], str]
"""Returns an address from the message that it is for; ConversionError `missing_field` where the message lacks a place."""


def template(text: str, protocol: Protocol, option: str) -> str | Template:
    """Return the Template of a text for messages of a protocol, or the text itself if it has no places.

    `{{` and `}}` are braces. ConversionError `bad_option` names `option` and an unknown place.

    >>> from mqconvert import PROTOCOLS
    >>> from mqconvert.messages import mqtt5
    >>> template("orders/{topic_name}", PROTOCOLS["mqtt-5.0"], "topic")(mqtt5.Message(topic_name="a"))
    'orders/a'
    >>> template("orders", PROTOCOLS["mqtt-5.0"], "topic")
    'orders'
    """
    parts: list[str | Template] = []
    at = 0
    for found in _PART.finditer(text):
        parts.append(text[at : found.start()])
        at = found.end()
        if found["stray"]:
            raise bad_option(option, f"text with places in braces: a brace without its pair, at {text[found.start() :]!r:.40}")
        parts.append(found[0][0] if found["place"] is None else _place(found["place"], found["key"], protocol, option))
    parts.append(text[at:])
    if all(isinstance(part, str) for part in parts):
        return "".join(map(str, parts))
    return lambda message: "".join(part if isinstance(part, str) else part(message) for part in parts)


def _place(path: str, key: str | None, protocol: Protocol, option: str) -> Template:
    known = places(protocol)
    place = known.get(path)
    if place is None or place.kind == WHOLE:
        raise bad_option(option, f"text with places of {protocol.title}: no place {path!r}{did_you_mean(path, known)}")
    if (place.kind == ENTRIES) is (key is None) or place.kind == SECTION:
        words = "a map: name a key" if place.kind == ENTRIES else "a section: name a field" if key is None else "not a map"
        raise bad_option(option, f"text with places: {path} is {words}")
    field = shown(path, key)
    names = path.split(".")

    def fill(message: Any) -> str:
        held = reduce(lambda part, name: None if part is None else getattr(part, name), names, message)
        if key is not None:
            held = next((_value(entry) for entry in held or () if key_of(entry) == key), None)
        text = _text(held.value if isinstance(held, TypedValue) else held)
        if text is None:
            words = "is not set" if held is None else "is no text or number"
            raise ConversionError(f"{option}: {field} {words}", code="missing_field", field=field, names_field=True)
        return text

    return fill


def _value(entry: Any) -> Any:
    """Return the value of an entry, or of a pair of texts."""
    return entry.value if isinstance(entry, Entry) else entry[1]


def _text(value: object) -> str | None:
    """Return a text, or a number in decimal digits, as text; None for anything else."""
    if isinstance(value, bytes):
        try:
            return value.decode("utf-8")
        except UnicodeDecodeError:
            return None
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        return None
    return str(value)
