"""Shrinking: remove or simplify parts of a message as long as its deviation stays."""

from collections.abc import Callable, Iterator
from typing import Any

from tests.oracle import wire
from tests.oracle.peer import Question
from tests.oracle.wire import MalformedError

MOST_STEPS = 400


def shrunk(question: Question, deviates: Callable[[Question], bool]) -> Question:
    """Return the smallest message found for which `deviates` is still true."""
    steps, found = 0, True
    while found and steps < MOST_STEPS:
        found = False
        for smaller in variants(question):
            steps += 1
            if steps >= MOST_STEPS:
                break
            if deviates(smaller):
                question, found = smaller, True
                break
    return question


def variants(question: Question) -> Iterator[Question]:
    """Yield messages with one part less, largest parts first; for an unreadable message, shorter ones."""
    size = sum(map(len, question.parts))
    try:
        made = {"amqp-1.0": _amqp10, "amqp-0.9.1": _amqp091, "mqtt-5.0": _mqtt}[question.source](question.parts)
        for parts in made:
            if sum(map(len, parts)) < size:
                yield Question(question.source, question.target, parts)
    except MalformedError:
        whole = question.parts[0]
        for width in (len(whole) // 2, len(whole) // 4, 1):
            for at in range(0, len(whole), max(width, 1)):
                yield Question(
                    question.source, question.target, (whole[:at] + whole[at + max(width, 1) :], *question.parts[1:])
                )


def _amqp10(parts: tuple[bytes, ...]) -> Iterator[tuple[bytes, ...]]:
    for smaller in _each(wire.read_sections(parts[0]), _node):
        yield (wire.write_sections(smaller),)


def _each(items: list[Any], smaller: Callable[[Any], Iterator[Any]], step: int = 1) -> Iterator[list[Any]]:
    for at in range(0, len(items), step):
        yield items[:at] + items[at + step :]
    for at, item in enumerate(items):
        for other in smaller(item):
            yield [*items[:at], other, *items[at + 1 :]]


def _node(node: wire.Node) -> Iterator[wire.Node]:
    code, content = node
    if code == wire.DESCRIBED:
        yield from ((code, (content[0], each)) for each in _node(content[1]))
        return
    if code in wire.MAPS or code in wire.LISTS:
        yield from ((code, each) for each in _each(content, _node, 2 if code in wire.MAPS else 1))
    elif code in wire.ARRAYS:
        descriptors, of, elements = content
        yield from ((code, (descriptors, of, each)) for each in _each(elements, lambda _: iter(())))
    elif code >> 4 in (0xA, 0xB):
        yield from ((code, each) for each in _bytes(content))
        try:
            inside = wire.read_sections(content)
            yield from ((code, wire.write_sections(each)) for each in _each(inside, _node))
        except MalformedError:
            pass


def _bytes(content: bytes) -> Iterator[bytes]:
    for each in (b"", content[: len(content) // 2], content[:-1], content[1:]):
        if len(each) < len(content):
            yield each


def _amqp091(parts: tuple[bytes, ...]) -> Iterator[tuple[bytes, ...]]:
    properties = wire.read_basic(parts[0])
    for smaller in _each(properties, _property):
        yield wire.write_basic(smaller), parts[1]
    for _, payload in _node((0xB0, parts[1])):
        yield parts[0], payload


def _property(item: tuple[str, Any]) -> Iterator[tuple[str, Any]]:
    name, value = item
    if name == "headers":
        yield from ((name, each) for each in _each(value, _header))
    elif wire.OF_BASIC.get(name, "shortstr") == "shortstr":
        yield from ((name, each) for each in _bytes(value))


def _header(item: tuple[bytes, wire.Field]) -> Iterator[tuple[bytes, wire.Field]]:
    yield from ((item[0], each) for each in _field(item[1]))


def _field(field: wire.Field) -> Iterator[wire.Field]:
    letter, content = field
    if letter == "F":
        yield from ((letter, each) for each in _each(content, _header))
    elif letter == "A":
        yield from ((letter, each) for each in _each(content, _field))
    elif letter in "Sx":
        yield from ((letter, each) for _, each in _node((0xB0, content)))


def _mqtt(parts: tuple[bytes, ...]) -> Iterator[tuple[bytes, ...]]:
    flags, topic, identifier, properties, payload = wire.read_publish(parts[0])
    for smaller in _each(properties, _mqtt_property):
        yield (wire.write_publish(flags, topic, identifier, smaller, payload),)
    for each in _bytes(payload):
        yield (wire.write_publish(flags, topic, identifier, properties, each),)


def _mqtt_property(item: tuple[int, Any]) -> Iterator[tuple[int, Any]]:
    kind, content = item
    if kind == wire.USER_PROPERTY:
        yield from ((kind, (each, content[1])) for each in _bytes(content[0]))
        yield from ((kind, (content[0], each)) for each in _bytes(content[1]))
    elif kind in wire.ONE and not wire.ONE[kind][1]:
        yield from ((kind, each) for each in _bytes(content))
