"""Random messages of the three protocols as wire bytes, each by a seed and a number.

This module knows RabbitMQ's vocabulary (the names with a meaning there) and the format codes, but not our rule tables.
A message draws from a palette of a few types, so that most messages avoid the types that crash RabbitMQ.
"""

import struct
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from tests.oracle import wire
from tests.oracle.peer import Question
from tests.oracle.wire import Field, Node

ANNOTATIONS = (
    "x-basic-type", "x-basic-delivery-mode", "x-basic-priority", "x-basic-expiration", "x-basic-other", "x-cc", "x-ccx",
    "x-opt-deaths", "x-opt-rabbitmq-received-time", "x-opt-to", "x-opt-jms-reply-to", "x-exchange", "x-routing-key", "x-death",
    "x-reply-to-topic", "x-correlation-id", "x-message-id", "x-stream-offset", "x-first-death-queue", "x-opt-delivery-time",
    "x-amqp-1.0-properties", "x-amqp-1.0-app-properties", "x-amqp-1.0-message-annotations", "x-amqp-1.0-footer", "x-", "x-a",
    "x-b",
)  # fmt: skip
NAMES = (
    "CC", "BCC", "timestamp_in_ms", "x-reply-to-topic", "x-correlation-id", "x-message-id", "x-death", "x-exchange",
    "x-routing-key", "x-basic-type", "x-basic-priority", "x-basic-delivery-mode", "x-basic-expiration", "x-cc", "x-opt-deaths",
    "x-opt-rabbitmq-received-time", "x-a", "a", "b", "", "X-a", "cc", "x", "x-", "key", "subject", "JMSType",
)  # fmt: skip
LEGACY = (
    "x-amqp-1.0-properties", "x-amqp-1.0-app-properties", "x-amqp-1.0-message-annotations", "x-amqp-1.0-footer",
    "x-amqp-1.0-application-properties", "x-amqp-1.0-header", "x-amqp-1.0-delivery-annotations",
)  # fmt: skip
TEXTS = (
    b"", b"a", b"text", b"amqp-1.0", b"5", b"+5", b"-0", b"-1", b"007", b"60000", b"999", b"4294967296", b"315360000000",
    b"315360000001", b"1.5", b" 5", "é".encode(), "日本".encode(), b"a\0b", b"urn:uuid:550e8400-e29b-41d4-a716-446655440000",
    b"urn:uuid:550E8400-E29B-41D4-A716-446655440000", b"urn:uuid:550e8400e29b41d4a716446655440000abcd",
    b"urn:uuid:zzzzzzzz-e29b-41d4-a716-446655440000", b"URN:UUID:550e8400-e29b-41d4-a716-446655440000",
    b"urn:uuid:550e-8400e29b-41d4-a716-446655440000", b"/exchanges/amq.topic/a.b", b"/exchanges/amq.topic/a%20b.*.%23",
    b"/exchanges/amq.topic/a/b", b"/exchanges/amq.topic/", b"/exchanges/other/a.b", b"/queues/q%2F1", b"a.b.*.#", b"a/+/#",
    b"text/plain", b"message/vnd.rabbitmq.amqp", b"application/json", b"a" * 255, b"a" * 256, b"a" * 256, b"a" * 257,
    ("é" * 128).encode(), b"\xff", b"\xc3", b"\xed\xa0\x80",
)  # fmt: skip
LONG_TEXTS = (b"a" * 4096, b"a" * 4097, b"a" * 65535, b"a" * 65536)
ADDRESSES = (
    b"/exchanges/amq.topic/", b"/exchanges/amq.topic", b"/exchanges/amq%2Etopic/", b"/exchanges/AMQ.TOPIC/",
    b"/exchanges/other/", b"/exchanges//", b"/queues/", b"/topic/", b"",
)  # fmt: skip
ADDRESS_PARTS = (
    b"a", b"b.c", b"%2F", b"%2f", b"%20", b"%25", b"%", b"%2", b"%zz", b"%00", b"%ff", b"%E6%97%A5", b"%2B", b"%23", b"%2A",
    b"%2E", b"*", b"#", b"+", b".", b"/", b" ", b"~", b"!$&'()*,;=:@", b"-_", b"?", b"[]", b'"', b"<", b"\\", b"^",
    "é".encode(),
)  # fmt: skip
"""Parts of addresses: RabbitMQ decodes escapes, translates wildcards and separators, and refuses some raw characters."""
EXPIRATIONS = (b"0", b"999", b"60000", b"+5", b"-0", b"007", b"4294967295", b"4294967296", b"315360000000")
URNS = (b"urn:uuid:", b"-", b"550e8400", b"e29b", b"ABCD", b"0", b"z", b"446655440000")
DOUBLES = (0.0, -0.0, 1.5, 0.1, -1e300, 5e-324, 1e16, 123456789.125)
NOT_FINITE = (float("nan"), float("inf"), float("-inf"))
MILLISECONDS = (0, 1, 999, 1000, 1500, -1, -999, -1500, 1700000000123, 2**63 - 1, -(2**63), 315360000001)


class Draw(Random):
    """A random source with the choices that all messages use."""

    def maybe(self, chance: float) -> bool:
        return self.random() < chance

    def some(self, items: Sequence[Any], most: int) -> list[Any]:
        return [self.choice(items) for _ in range(int(self.random() * (most + 1)))]

    def text(self) -> bytes:
        """Return mostly plausible text; sometimes long text, a malformed URN, or a random word."""
        roll = self.random()
        if roll < 0.70:
            return self.choice(TEXTS[:-3] if roll < 0.68 else TEXTS)
        if roll < 0.73:
            return b"urn:uuid:" + b"".join(self.choices(URNS, k=self.randrange(1, 7)))
        if roll < 0.737:
            return self.choice(LONG_TEXTS)
        return bytes(self.choices(b"abcdefghijklmnopqrstuvwxyz0123456789-._/:%", k=self.randrange(1, 12)))

    def address(self) -> bytes:
        """Return mostly an address of an exchange, with a routing key of any characters."""
        return self.choice((ADDRESSES[0], *ADDRESSES)) + b"".join(self.choices(ADDRESS_PARTS, k=self.randrange(5)))

    def raw(self) -> bytes:
        return self.text() if self.maybe(0.6) else self.randbytes(self.randrange(6))

    def integer(self, size: int) -> bytes:
        """Return an edge, a small number, or any number of `size` bytes."""
        roll = self.random()
        if roll < 0.4:
            number = self.choice((0, 1, 2, 3, 4, 5, 127, 128, 255, 256, 258, 999, 1000, 2000, 5500, 65535))
        elif roll < 0.7:
            number = self.choice((0, 1, 2)) + (1 << 8 * size - 1) - 1
        elif roll < 0.8:
            number = (1 << 8 * size) - self.choice((1, 2, 999, 1500))
        else:
            number = self.getrandbits(8 * size)
        return (number % (1 << 8 * size)).to_bytes(size)

    def floating(self, size: int) -> bytes:
        if self.maybe(0.05):
            return self.randbytes(size)
        if self.maybe(0.05):
            return struct.pack(">f" if size == 4 else ">d", self.choice(NOT_FINITE))
        return struct.pack(">d", self.choice(DOUBLES)) if size == 8 else struct.pack(">f", self.choice(DOUBLES[:4]))


# ---- AMQP 1.0 -------------------------------------------------------------------------------------------------------

SIMPLE = tuple(code for code in wire.TYPES if code not in (0x00, *wire.LISTS, *wire.MAPS, *wire.ARRAYS))
COMPOUND = (0x45, 0xC0, 0xD0, 0xC1, 0xD1, 0xE0, 0xF0)
COMMON = (0xA1, 0xA3, 0xA0, 0x52, 0x70, 0x53, 0x54, 0x71, 0x81, 0x56, 0x41, 0x83, 0x40, 0x82, 0x50)
REPLY_TO = (0xA1, 0xA1, 0xB1)
FIELDS = {
    "header": ((0x41, 0x42, 0x56), (0x50,), (0x43, 0x52, 0x70), (0x41, 0x42), (0x43, 0x52, 0x70)),
    "properties": (
        (0xA1, 0xB1, 0xB1, 0x53, 0x80, 0x44, 0x98, 0xA0, 0xB0), (0xA0, 0xB0), (0xA1,), (0xA1,), REPLY_TO,
        (0xA1, 0xB1, 0xB1, 0x53, 0x80, 0x44, 0x98, 0xA0, 0xB0), (0xA3, 0xB3), (0xA3,), (0x83,), (0x83,), (0xA1, 0xB1),
        (0x43, 0x52, 0x70), (0xA1,),
    ),
}  # fmt: skip


class Amqp10:
    """Random sections of AMQP 1.0."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        common = draw.sample(COMMON, 3)
        rare = draw.sample(SIMPLE, 1) if draw.maybe(0.5) else []
        compound = draw.sample(COMPOUND, 2) if draw.maybe(0.6) else []
        self.palette = [*common, *rare, *compound] + ([0x00] if draw.maybe(0.03) else [])
        self.plain = [*common, *rare]

    def node(self, code: int, depth: int = 0) -> Node:
        return code, self.content(code, depth)

    def value(self, depth: int = 0) -> Node:
        return self.node(self.draw.choice(self.plain if depth > 2 else self.palette), depth)

    def content(self, code: int, depth: int) -> Any:
        draw, kind = self.draw, code >> 4
        if code == 0x00:
            return self.node(draw.choice((0xA3, 0x53, 0x80, 0xA1))), self.value(depth + 1)
        if code == 0x56:
            return draw.choice((b"\0", b"\1"))
        if code in (0x72, 0x82):
            return draw.floating(4 if code == 0x72 else 8)
        if code == 0x83:
            return (draw.choice(MILLISECONDS) % 2**64).to_bytes(8) if draw.maybe(0.8) else draw.integer(8)
        if code == 0x73:
            return draw.choice((0, 65, 0xE9, 0xD800, 0xFFFF, 0x1F600, 0x10FFFF, 0x10FFFF)).to_bytes(4)
        if code in (0x74, 0x84, 0x94, 0x98):
            return draw.randbytes(wire.WIDTHS[kind])
        if code == 0x45:
            return []
        if kind in wire.WIDTHS:
            return draw.integer(wire.WIDTHS[kind]) if wire.WIDTHS[kind] else b""
        if kind in (0xA, 0xB):
            return self._bytes(code)
        return self._compound(code, depth)

    def _bytes(self, code: int) -> bytes:
        draw = self.draw
        made = draw.raw() if code in (0xA0, 0xB0) else draw.text()
        if code in (0xA3, 0xB3) and not made.isascii() and draw.maybe(0.9):
            made = b"symbol"
        return made if code & 0x10 else made[:255]

    def _compound(self, code: int, depth: int) -> Any:
        draw = self.draw
        if code in wire.ARRAYS:
            of = draw.choice(tuple(wire.TYPES)) if draw.maybe(0.5) else draw.choice((0xB1, 0xB3, 0x70, 0x71, 0x81, 0x50))
            if depth > 2 and of in (*wire.ARRAYS, *wire.MAPS, *wire.LISTS):
                of = 0xA3
            described = [(0xA3, b"descriptor")] if draw.maybe(0.05) or of == 0x00 else []
            of = 0xB1 if of == 0x00 else of
            count = 0 if draw.maybe(0.35) else draw.randrange(1, 4)
            elements = [self.content(of, depth + 1) for _ in range(count)]
            while elements and not code & 0x10 and len(wire.write_value((0xF0, (described, of, elements)))) > 250:
                elements.pop()
            return described, of, elements
        small = not code & 0x10
        if code in wire.MAPS:
            return self._fit(self.pairs(depth, self._map_key), small=small)
        return self._fit([self.value(depth + 1) for _ in range(draw.randrange(4))], small=small)

    def _fit(self, nodes: list[Node], *, small: bool) -> list[Node]:
        """Return as many values as fit an encoding with a size of one byte."""
        while small and nodes and sum(len(wire.write_value(node)) for node in nodes) > 250:
            nodes = nodes[:-2]
        return nodes

    def _map_key(self) -> Node:
        draw = self.draw
        roll = draw.random()
        if roll < 0.85:
            return draw.choice((0xA1, 0xA3)), draw.choice(NAMES).encode()
        return self.node(0xA0) if roll < 0.9 else self.value(3)

    def pairs(self, depth: int, key: Callable[[], Node]) -> list[Node]:
        draw = self.draw
        found: list[Node] = []
        for _ in range(draw.randrange(4)):
            again = found and draw.maybe(0.06)
            found += [found[0] if again else key(), self.value(depth + 1)]
        return found

    def section(self, name: str) -> Node:
        code = next(code for code, each in wire.SECTIONS.items() if each == name)
        return self.described(code, self._section_content(name))

    def described(self, code: int, content: Node) -> Node:
        roll = self.draw.random()
        if roll < 0.97:
            return 0x00, ((0x53, bytes((code,))), content)
        if roll < 0.985:
            return 0x00, ((0x80, code.to_bytes(8)), content)
        return 0x00, ((0xA3, next(text for text, each in wire.SYMBOLIC.items() if each == code)), content)

    def _section_content(self, name: str) -> Node:
        draw = self.draw
        if name in FIELDS:
            chance = draw.choice((0.1, 0.3, 0.9))
            nodes: list[Node] = []
            for codes in FIELDS[name]:
                code = draw.choice(codes) if draw.maybe(chance) else 0x40
                node = self.value() if code != 0x40 and draw.maybe(0.01) else self.node(code)
                if codes is REPLY_TO and code != 0x40 and draw.maybe(0.5):
                    node = 0xB1, draw.address()
                nodes.append(node)
            while nodes and nodes[-1][0] == 0x40 and draw.maybe(0.9):
                nodes.pop()
            return 0xD0, nodes
        if name == "data":
            return 0xB0, draw.raw()
        if name == "amqp-sequence":
            return 0xD0, [self.value() for _ in range(draw.randrange(4))]
        if name == "amqp-value":
            return self.value()
        return 0xD1, self.pairs(0, self._property if name == "application_properties" else self._annotation)

    def _annotation(self) -> Node:
        draw = self.draw
        roll = draw.random()
        if roll < 0.9:
            return 0xA3, draw.choice(ANNOTATIONS).encode()
        if roll < 0.96:
            return 0xB3, b"x-" + draw.text().replace(b"\xc3", b"c")[:300]
        return (0x53, draw.randbytes(1)) if roll < 0.97 else (0xA3, draw.choice(NAMES).encode())

    def _property(self) -> Node:
        draw = self.draw
        return 0xB1, draw.choice(NAMES).encode() if draw.maybe(0.7) else draw.text()

    def body(self) -> list[Node]:
        roll = self.draw.random()
        if roll < 0.5:
            return [self.section("data")]
        if roll < 0.6:
            return [self.section("data") for _ in range(self.draw.randrange(2, 4))]
        if roll < 0.85:
            return [self.section("amqp-value")]
        return [self.section("amqp-sequence") for _ in range(self.draw.randrange(1, 3))]

    def message(self) -> list[Node]:
        draw = self.draw
        if draw.maybe(0.3):
            return self.meaningful()
        chances = (
            ("header", 0.4), ("delivery_annotations", 0.08), ("message_annotations", 0.5), ("properties", 0.4),
            ("application_properties", 0.5),
        )  # fmt: skip
        made = [self.section(name) for name, chance in chances if draw.maybe(chance)]
        made += [] if draw.maybe(0.005) else self.body()
        made += [self.section("footer")] if draw.maybe(0.08) else []
        if draw.maybe(0.01):
            at = draw.randrange(len(made) + 1)
            made.insert(
                at, draw.choice(made) if made and draw.maybe(0.5) else self.section(draw.choice(tuple(wire.SECTIONS.values())))
            )
        return made

    def meaningful(self) -> list[Node]:
        """Return sections with one name that RabbitMQ knows, a value of any type, and little else."""
        draw = self.draw
        key = draw.choice(ANNOTATIONS).encode()
        values = [self._meant(key) for _ in range(2 if draw.maybe(0.1) else 1)]
        found = [self.described(0x72, (0xD1, [node for value in values for node in ((0xA3, key), value)]))]
        if draw.maybe(0.3):
            found.insert(0, self.section("header"))
        return found + (self.body() if draw.maybe(0.3) else [self.described(0x75, (0xA0, b"hi"))])

    def _meant(self, key: bytes) -> Node:
        """Return a value of any type, or one with a meaning under this key."""
        draw = self.draw
        if key == b"x-opt-deaths" and draw.maybe(0.7):
            return self._deaths()
        if key == b"x-basic-expiration" and draw.maybe(0.5):
            return draw.choice((0xA1, 0xA1, 0xA3, 0xA0)), draw.choice(EXPIRATIONS if draw.maybe(0.8) else TEXTS[:15])
        return self.node(draw.choice((*SIMPLE, *COMPOUND)))

    def _deaths(self) -> Node:
        return 0xF0, ([], 0xD1, [self._death() for _ in range(self.draw.choice((0, 1, 1, 2)))])

    def _death(self) -> list[Node]:
        """Return a death in RabbitMQ's layout, sometimes with a fault."""
        draw = self.draw
        keys: Any = ([], 0xB1, [draw.text() for _ in range(draw.randrange(3))])
        times = [(draw.choice(MILLISECONDS) % 2**64).to_bytes(8) for _ in range(2)]
        parts: list[tuple[bytes, Node]] = [
            (b"ttl", (0x70, draw.integer(4))), (b"queue", (0xB1, draw.text())),
            (b"reason", (0xA3, draw.choice((b"expired", b"rejected", b"maxlen", b"x")))), (b"count", (0x80, draw.integer(8))),
            (b"first-time", (0x83, times[0])), (b"last-time", (0x83, times[1])), (b"exchange", (0xB1, draw.text())),
            (b"routing-keys", (0xF0, keys)),
        ]  # fmt: skip
        if draw.maybe(0.5):
            parts.pop(0)
        if draw.maybe(0.15):
            at = draw.randrange(len(parts))
            if draw.maybe(0.5):
                parts[at] = parts[at][0], self.value(2)
            else:
                parts.pop(at)
        return [node for key, value in parts for node in ((0xA3, key), value)]


# ---- AMQP 0.9.1 -----------------------------------------------------------------------------------------------------

LETTERS = tuple(wire.LETTERS)
PLAIN_LETTERS = tuple(letter for letter in LETTERS if letter not in "FAD")
MODES = (b"\0", b"\1", b"\2", b"\2", b"\3", b"\xff")


class Amqp091:
    """Random properties and payloads of AMQP 0.9.1."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.palette = ["S", *draw.sample(PLAIN_LETTERS, 3), *(draw.sample("FAD", 1) if draw.maybe(0.5) else [])]

    def field(self, letter: str, depth: int = 0) -> Field:
        draw = self.draw
        if letter in "fd":
            return letter, draw.floating(wire.SIZES[letter]) if draw.maybe(0.3) else struct.pack(
                f">{letter}", draw.choice(DOUBLES[:4])
            )
        if letter == "t":
            return letter, draw.choice((b"\0", b"\1", b"\2"))
        if letter == "T":
            edges = (0, 1, 1700000000, 9223372036854775, 9223372036854776, 2**63, 2**64 - 1)
            return letter, draw.choice(edges).to_bytes(8)
        if letter in wire.SIZES:
            return letter, draw.integer(wire.SIZES[letter]) if wire.SIZES[letter] else b""
        if letter in "Sx":
            return letter, draw.text() if letter == "S" else draw.raw()
        inner = [self.field(draw.choice(self.palette if depth < 2 else "SIlt"), depth + 1) for _ in range(draw.randrange(4))]
        return letter, [(self.name(), each) for each in inner] if letter == "F" else inner

    def name(self) -> bytes:
        draw = self.draw
        return bytes(draw.choice(NAMES).encode() if draw.maybe(0.7) else draw.text()[:255])

    def header(self) -> tuple[bytes, Field]:
        draw = self.draw
        if draw.maybe(0.15):
            legacy = draw.choice((*LEGACY, *LEGACY[:4]))
            return legacy.encode(), self.legacy(legacy)
        name = (
            draw.choice(("CC", "BCC", "x-reply-to-topic", "x-correlation-id", "x-death")).encode()
            if draw.maybe(0.2)
            else self.name()
        )
        if name == b"x-reply-to-topic" and draw.maybe(0.5):
            return name, ("S", draw.address())
        return name, self.field(draw.choice(self.palette))

    def legacy(self, header: str) -> Field:
        """Return a header of the old AMQP 1.0 plugin: its section or another one, two, none, or any field."""
        draw = self.draw
        if draw.maybe(0.15):
            return self.field(draw.choice(LETTERS))
        own = next(
            (name for name in wire.SECTIONS.values() if header.endswith(f"1.0-{name.replace('_', '-')}")),
            "application_properties",
        )
        names = (own,) if draw.maybe(0.4) else tuple(wire.SECTIONS.values())
        sections = Amqp10(draw)
        count = draw.choices((0, 1, 2), (1, 20, 2))[0]
        raw = wire.write_sections([sections.section(draw.choice(names)) for _ in range(count)])
        return draw.choice("Sx"), raw + (b"\0" if draw.maybe(0.02) else b"")

    def sections(self) -> bytes:
        """Return a payload of type amqp-1.0: any combination of sections, mostly in order."""
        draw = self.draw
        sections = Amqp10(draw)
        if draw.maybe(0.04):
            return draw.raw()
        if draw.maybe(0.5):
            twice = [sections.section("amqp-value")] * 2 if draw.maybe(0.03) else sections.body()
            return wire.write_sections(twice + ([sections.section("footer")] if draw.maybe(0.3) else []))
        names = [name for name in wire.SECTIONS.values() if draw.maybe(0.25)]
        if draw.maybe(0.1):
            names += draw.some(("amqp-value", *wire.SECTIONS.values()), 2)
        return wire.write_sections(sections.section(name) for name in names)

    def message(self) -> tuple[bytes, bytes]:
        draw = self.draw
        chance = draw.choice((0.05, 0.2, 0.8))
        properties: list[tuple[str, Any]] = []
        for name in wire.BASIC:
            if name == "headers" or not draw.maybe(chance):
                continue
            properties.append((name, self._property(name)))
        if draw.maybe(0.75):
            headers = [self.header() for _ in range(draw.randrange(1, 5))]
            if draw.maybe(0.15):
                first = headers[0][0].decode("latin-1")
                headers.append((headers[0][0], self.legacy(first) if first in LEGACY else self.header()[1]))
            properties.append(("headers", headers))
        payload = draw.raw()
        if draw.maybe(0.25):
            properties = [*(each for each in properties if each[0] != "type"), ("type", b"amqp-1.0")]
            payload = self.sections()
        return wire.write_basic(properties), payload

    def _property(self, name: str) -> bytes:
        draw = self.draw
        if name == "delivery_mode":
            return draw.choice(MODES)
        if name == "priority":
            return draw.randbytes(1)
        if name == "timestamp":
            return bytes(self.field("T")[1])
        if name == "expiration":
            return draw.choice(EXPIRATIONS) if draw.maybe(0.85) else draw.text()[:255]
        return draw.address() if name == "reply_to" and draw.maybe(0.3) else draw.text()[:255]


# ---- MQTT 5.0 -------------------------------------------------------------------------------------------------------


def _mqtt(draw: Draw) -> bytes:
    qos = draw.choice((0, 1)) if draw.maybe(0.97) else 2
    flags = qos << 1 | draw.maybe(0.2) | (8 if qos and draw.maybe(0.2) else 0)
    properties: list[tuple[int, Any]] = []
    for kind, (_, size) in wire.ONE.items():
        if draw.maybe(0.35):
            content = draw.integer(size) if size else draw.text()[:65535]
            if kind == 1:
                content = draw.choice((b"\0", b"\1"))
            if kind == 8 and draw.maybe(0.5):
                content = draw.address() or b"a"
            if kind == 8 and draw.maybe(0.85):
                content = content.replace(b"+", b"").replace(b"#", b"")
            if kind == 0x23 and content == b"\0\0":
                content = b"\0\1"
            properties += [(kind, content)] * (2 if draw.maybe(0.01) else 1)
    if draw.maybe(0.7):
        names = draw.choices((NAMES, ANNOTATIONS), (2, 1))[0]
        for _ in range(draw.randrange(1, 6)):
            name = draw.choice(names).encode() if draw.maybe(0.75) else draw.choice((b"x-", b"")) + draw.text()[:65000]
            properties.append((wire.USER_PROPERTY, (name, draw.text()[:65535])))
    if draw.maybe(0.05):
        properties += [(wire.SUBSCRIPTION, wire.varint(draw.choice((1, 127, 128, 268435455))))]
    if draw.maybe(0.9):  # decoders refuse NUL and invalid UTF-8: one message in ten keeps them
        texts = (0x03, 0x08, wire.USER_PROPERTY)
        properties = [(kind, _clean(content) if kind in texts else content) for kind, content in properties]
    draw.shuffle(properties)
    topic = draw.choice((b"t", b"a/b", "é/1".encode(), b"$SYS/x"))
    payload = b"" if draw.maybe(0.1) else draw.raw()
    return wire.write_publish(flags, topic, b"\0\1" if qos else b"", properties, payload)


def _clean(content: Any) -> Any:
    if isinstance(content, tuple):
        return tuple(map(_clean, content))
    return content.decode("utf-8", "ignore").replace("\0", "").encode()


# ---- cases ----------------------------------------------------------------------------------------------------------

SOURCES = ("amqp-1.0", "amqp-0.9.1", "mqtt-5.0")
WEIGHTS = (45, 35, 20)


def question(seed: int, number: int) -> Question:
    """Return the message of a number, always the same for a seed."""
    draw = Draw(seed << 32 | number)
    source = draw.choices(SOURCES, WEIGHTS)[0]
    target = draw.choice([each for each in SOURCES if each != source])
    if source == "amqp-1.0":
        parts: tuple[bytes, ...] = (wire.write_sections(Amqp10(draw).message()),)
    elif source == "amqp-0.9.1":
        parts = Amqp091(draw).message()
    else:
        parts = (_mqtt(draw),)
    return Question(source, target, _damaged(draw, parts) if draw.maybe(0.02) else parts)


def _damaged(draw: Draw, parts: tuple[bytes, ...]) -> tuple[bytes, ...]:
    """Return the message with one byte changed, or truncated."""
    whole = bytearray(parts[0])
    if not whole:
        return parts
    at = draw.randrange(len(whole))
    if draw.maybe(0.7):
        whole[at] = draw.randrange(256)
    else:
        del whole[at:]
    return bytes(whole), *parts[1:]
