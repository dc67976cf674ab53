"""The bytes of each place of an AMQP 1.0 message: fields of lists, entries of maps, the parts of the body."""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any

from mqconvert.converters.model.entries import key_of
from mqconvert.converters.model.paths import Spans, note, note_member, path
from mqconvert.converters.model.values import TypedValue
from mqconvert.converters.protocols.amqp10.codec import end_of, head8, head32, section_at
from mqconvert.converters.protocols.amqp10.message import Message

_NULL = 0x40


def spans(data: bytes, message: Message) -> Spans:
    """Return the bytes of each place of the message in `data`: of a field or part, the code and the value.

    Those of a section begin with its descriptor, which says what a body is.
    """
    found: Spans = {}
    parts = 0
    at = 0
    while at < len(data):
        begin = at
        name, start = section_at(data, at)
        at = end_of(data, start)
        if name == "body":
            note(found, "body", begin, at)
            found[path("body", parts)] = start, at
            parts += 1
            continue
        found[name] = begin, at
        _members(found, name, getattr(message, name), list(_elements(data, start)))
    if parts == 1:
        del found["body[0]"]  # the only part is the body
    return found


def _members(found: Spans, name: str, value: Any, elements: Sequence[tuple[int, int, bool]]) -> None:
    """Note the fields of a section that is a list, or the entries of one that is a map."""
    if isinstance(value, list):
        copies: dict[str, int] = {}
        for entry, (begin, _, _), (_, end, _) in zip(value, elements[::2], elements[1::2], strict=True):
            key = key_of(entry)
            note_member(found, copies, name, key.value if isinstance(key, TypedValue) else key, begin, end)
        return
    for field, (begin, end, null) in zip(fields(value), elements, strict=False):
        if not null:
            found[f"{name}.{field.name}"] = begin, end


def _elements(data: bytes, at: int) -> Iterator[tuple[int, int, bool]]:
    """Yield the bytes of each value of a list or map, and whether it is null."""
    code = data[at]
    if code & 0xF0 not in (0xC0, 0xD0):
        return  # a list without elements
    count, at, _ = (head8 if code & 0xF0 == 0xC0 else head32)(data, at + 1)
    for _ in range(count):
        after = end_of(data, at)
        yield at, after, data[at] == _NULL
        at = after
