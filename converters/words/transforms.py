"""Transforms: the words for a row's `via`, each a pure function with an example.

A transform gets the value and the values of the row's `reads`, and returns the new value. `NOT_MINE` passes the value to the
next row; `Loss` loses the whole value, `Partial` a part. `@transform(...)` lists the possible ones, so that generated code
checks only for these.
"""

import re
from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final

from mqconvert.converters.model.native import i64
from mqconvert.converters.model.plain import text_of, topic_fault, unicode_fault
from mqconvert.converters.model.primitives import Writer, has_only, uuid_at, uuid_text, write_u8
from mqconvert.converters.model.values import Array, Entry, TypedValue
from mqconvert.converters.words import NOT_MINE, TEXTS, Loss, NotMine, Partial, kept, transform

_IN_RANGE = ("{0} < 9223372036854775", "{0} * 1000")
_WHOLE = ("{0} >= 0 and {0} % 1000 == 0", "{0} // 1000")


@transform("seconds-to-signed-milliseconds", gives="int", loses=True, quick=_IN_RANGE, fits=("timestamp",))
def seconds_to_signed_milliseconds(value: int) -> int | Partial:
    """Return 64-bit seconds as milliseconds of 64 signed bits, which wrap as in RabbitMQ. 2^63 and more is a time before 1970.

    >>> seconds_to_signed_milliseconds(3), seconds_to_signed_milliseconds(2**64 - 1)
    (3000, -1000)
    >>> seconds_to_signed_milliseconds(2**55)
    Partial(value=-864691128455135232, reason='more milliseconds than 63 bits hold')
    """
    made = value * 1000
    if made < 2**63:
        return made
    wrapped = (made + 2**63) % 2**64 - 2**63
    before = value >= 2**63 and wrapped == (value - 2**64) * 1000
    return wrapped if before else Partial(wrapped, "more milliseconds than 63 bits hold")


@transform("whole-seconds", gives="int", loses=True, quick=_WHOLE)
def whole_seconds(value: int) -> int | Partial:
    """Return milliseconds as seconds, rounded towards zero as RabbitMQ does.

    >>> whole_seconds(11000), whole_seconds(-999)
    (11, Partial(value=0, reason='the fraction of a second'))
    """
    seconds = _seconds(value)
    return seconds if seconds * 1000 == value else Partial(seconds, _FRACTION)


_FRACTION: Final = "the fraction of a second"


def _seconds(milliseconds: int) -> int:
    return milliseconds // 1000 if milliseconds >= 0 else -(-milliseconds // 1000)


@transform("milliseconds-to-unsigned-seconds", gives="int", loses=True, quick=_WHOLE, fits=("timestamp",))
def milliseconds_to_unsigned_seconds(value: int) -> int | Partial:
    """Return milliseconds as seconds without sign (AMQP 0.9.1). A time before 1970 becomes its 64-bit two's complement, which
    RabbitMQ and the Java client read and write as well.

    >>> milliseconds_to_unsigned_seconds(2000), milliseconds_to_unsigned_seconds(-1000) == 2**64 - 1
    (2, True)
    """
    seconds = _seconds(value)
    made = seconds if seconds >= 0 else seconds + 2**64
    return made if seconds * 1000 == value else Partial(made, _FRACTION)


@transform("uuid-to-urn", gives="str", fits=TEXTS)
def uuid_to_urn(value: bytes) -> str:
    """Return a uuid as a URN in lower case (RFC 9562 section 4).

    >>> uuid_to_urn(bytes.fromhex("550e8400e29b41d4a716446655440000"))
    'urn:uuid:550e8400-e29b-41d4-a716-446655440000'
    """
    return "urn:uuid:" + uuid_text(value)


A_URN = {"a uuid URN": "urn:uuid:550e8400-e29b-41d4-a716-446655440000"}


@transform("urn-to-uuid", gives="bytes", passes=True, rare="len({0}) == 45", fits=("uuid",), samples=A_URN)
def urn_to_uuid(value: str | bytes) -> bytes | NotMine:
    """Return the bytes of a uuid URN: `urn:uuid:` in lower case, then 8-4-4-4-12 hex digits (RFC 9562 section 4).

    >>> urn_to_uuid("urn:uuid:550e8400-e29b-41d4-a716-446655440000").hex(), urn_to_uuid(b"urn:uuid:1") is NOT_MINE
    ('550e8400e29b41d4a716446655440000', True)
    """
    name = text_of(value) if len(value) == 45 else None
    raw = uuid_at(name, 9) if name is not None and name.startswith("urn:uuid:") else None
    return NOT_MINE if raw is None else raw


@transform("text", gives="str", loses=True, quick=("{0}.isascii()", "{0}.decode()"), fits=("string",), of="bytes")
def as_text(value: str | bytes) -> str | Loss:
    """Return text unchanged, and UTF-8 bytes as text.

    >>> as_text("a"), as_text(b"a"), as_text(b"\\xff")
    ('a', 'a', Loss(reason='not valid UTF-8'))
    """
    found = text_of(value)
    return Loss("not valid UTF-8") if found is None else found


@transform("octets", gives="bytes", quick=("{0}.isascii()", "{0}.encode()"), utf8="{0}.encode()", of="str")
def raw(value: str) -> bytes:
    """Return text as UTF-8 bytes; surrogate escapes become the original bytes (PEP 383).

    >>> raw("é")
    b'\\xc3\\xa9'
    """
    return value.encode("utf-8", "surrogateescape")


_OTHER_TOPIC: Final = "a . or * of the topic, which comes back as / or +"
_OTHER_KEY: Final = "a / or + of the routing key, which comes back as . or *"


@transform(
    "topic-to-routing-key",
    gives="str",
    loses=True,
    quick=("'.' not in {0} and '*' not in {0}", "{0}.replace('/', '.').replace('+', '*')"),
    of="str",
)
def topic_to_routing_key(value: str) -> str | Partial:
    """Return a topic as RabbitMQ's routing key, with `.` for `/` and `*` for `+`.

    >>> topic_to_routing_key("a/+"), topic_to_routing_key("v1.0/a").value
    ('a.*', 'v1.0.a')
    """
    key = value.replace("/", ".").replace("+", "*")
    return Partial(key, _OTHER_TOPIC) if "." in value or "*" in value else key


@transform(
    "routing-key-to-topic",
    gives="str",
    loses=True,
    quick=("'/' not in {0} and '+' not in {0}", "{0}.replace('.', '/').replace('*', '+')"),
    of="str",
)
def routing_key_to_topic(value: str) -> str | Partial:
    """Return a routing key as RabbitMQ's topic, with `/` for `.` and `+` for `*`.

    >>> routing_key_to_topic("a.b"), routing_key_to_topic("a/b").reason
    ('a/b', 'a / or + of the routing key, which comes back as . or *')
    """
    topic = value.replace(".", "/").replace("*", "+")
    return Partial(topic, _OTHER_KEY) if "/" in value or "+" in value else topic


@transform("key-to-address", gives="str")
def key_to_address(value: str, exchange: str) -> str:
    """Return `/exchanges/` X `/` and the percent-encoded routing key (RabbitMQ's AMQP address format 2).

    >>> key_to_address("a.*.#", "amq.topic")
    '/exchanges/amq.topic/a.%2A.%23'
    """
    return f"/exchanges/{exchange}/{_percent_encoded(value)}"


_QUOTED: Final = [
    chr(octet) if octet < 128 and (chr(octet).isalnum() or chr(octet) in "_.-~") else f"%{octet:02X}" for octet in range(256)
]
_UNRESERVED: Final = bytes(0 if _QUOTED[octet] != chr(octet) else octet for octet in range(256))
"""Maps unreserved characters (RFC 3986 section 2.3) to themselves, and other bytes to NUL."""
_SEGMENT: Final = bytes(octet if re.match(r"[A-Za-z0-9._~!$&'()*+,;=:@%-]", chr(octet)) else 0 for octet in range(256))
"""Maps the characters of a segment (RFC 3986 section 3.3) and `%` to themselves, and other bytes to NUL."""
_DIGITS: Final = bytes(int(chr(octet), 16) if chr(octet) in "0123456789ABCDEFabcdef" else 16 for octet in range(256))
"""The values of hexadecimal digits; 16 for other bytes."""


def _percent_encoded(text: str) -> str:
    """Percent-encode all but unreserved characters (RFC 3986 section 2.3), as UTF-8; surrogate escapes as their bytes."""
    if has_only(text, _UNRESERVED):  # the usual case
        return text
    return "".join([_QUOTED[octet] for octet in text.encode("utf-8", "surrogateescape")])


def _percent_decoded(raw: str) -> str | None:
    """Return the text of a segment of a path (RFC 3986 section 3.3); None for other text."""
    if not has_only(raw, _SEGMENT):
        return None
    if "%" not in raw:
        return raw
    encoded = raw.encode()
    decoded = Writer()
    at: i64 = 0
    size: i64 = len(encoded)
    while at < size:
        octet: i64 = encoded[at]
        at += 1
        if octet == 0x25:
            if size - at < 2:
                return None
            high, low = _DIGITS[encoded[at]], _DIGITS[encoded[at + 1]]
            if high > 15 or low > 15:
                return None
            octet = high << 4 | low
            at += 2
        write_u8(decoded, octet)
    return decoded.getvalue().decode("utf-8", "surrogateescape")


_OF_EXCHANGE = {"an address of the MQTT exchange": "/exchanges/amq.topic/a.b"}


@transform("exchange-address-to-topic", gives="str", passes=True, loses=True, samples=_OF_EXCHANGE)
def exchange_address_to_topic(value: str, exchange: str) -> str | Partial | NotMine:
    """Return the topic of `/exchanges/` X `/` RK if X is the MQTT exchange; other addresses pass to the next row.

    >>> [exchange_address_to_topic(f"/{address}", "amq.topic") is NOT_MINE for address in ("exchanges/amq.topic/a", "queues/q")]
    [False, True]
    """
    prefix = f"/exchanges/{exchange}/"
    key = _percent_decoded(value[len(prefix) :]) if value.startswith(prefix) else None
    return NOT_MINE if key is None else routing_key_to_topic(key)


@transform("address-to-topic", gives="str", passes=True, loses=True)
def address_to_topic(value: str, exchange: str) -> str | Partial | NotMine:
    """Return an AMQP 1.0 address as a topic name: the topic of an exchange address, else the whole text.

    >>> address_to_topic("/exchanges/amq.topic/a.b", "amq.topic"), address_to_topic("a/b", "amq.topic")
    ('a/b', 'a/b')
    """
    found = exchange_address_to_topic(value, exchange)
    name: str | Partial = value if isinstance(found, NotMine) else found
    return NOT_MINE if topic_fault(kept(name)) is not None else name


@transform("decimal-text", gives="str")
def decimal_text(value: Any) -> str:
    """Return a 0.9.1 decimal as text.

    >>> from mqconvert.converters.model.values import Decimal091
    >>> decimal_text(Decimal091(2, 314)), decimal_text(Decimal091(2, -5))
    ('3.14', '-0.05')
    """
    sign, digits = "-" if value.value < 0 else "", str(abs(value.value)).rjust(value.scale + 1, "0")
    return f"{sign}{digits[: -value.scale]}.{digits[-value.scale :]}" if value.scale else f"{sign}{digits}"


_key = attrgetter("key")


@transform("sorted-by-key", gives="list", moves=True)
def sorted_by_key(value: list[Entry]) -> list[Entry]:
    """Sort entries by their keys, as UTF-8 sorts (RFC 3629 section 1). Numeric keys of annotations come last.

    >>> [entry.key for entry in sorted_by_key([Entry(5, "int", 1), Entry("b", "int", 1), Entry("a", "int", 2)])]
    ['a', 'b', 5]
    """
    try:
        return _inserted(value) if len(value) <= _FEW else sorted(value, key=_key)
    except TypeError:
        return sorted(value, key=_numbers_last)


def _numbers_last(entry: Entry) -> tuple[bool, object]:
    return isinstance(entry.key, int), entry.key


_FEW: Final = 8
"""The most entries that are sorted by insertion, which takes quadratic time."""


def _inserted(entries: list[Entry]) -> list[Entry]:
    """Sort entries with text keys; compiled, a few take half the time of `sorted`, which asks each for its key.

    Entries in order are returned as they are.
    """
    made: list[Entry] | None = None
    for index, entry in enumerate(entries):
        key: str = entry.key
        at: i64 = index
        while at:
            before: str = (entries if made is None else made)[at - 1].key
            if before <= key:
                break
            at -= 1
        if made is None and at < index:
            made = entries[:index]
        if made is not None:
            made.insert(at, entry)
    return entries if made is None else made


@transform("wrapped-to-long", gives="int", loses=True)
def wrapped_to_long(value: int) -> int | Partial:
    """Return a ulong as the long of the same 64 bits, as RabbitMQ does.

    >>> wrapped_to_long(1), wrapped_to_long(2**64 - 1)
    (1, Partial(value=-1, reason='2^63 and more wraps to negative'))
    """
    return value if value < 2**63 else Partial(value - 2**64, "2^63 and more wraps to negative")


@transform("queue-of-address", gives="str", loses=True, samples={"an address of a queue": "/queues/q"})
def queue_of_address(value: str) -> str | Loss:
    """Return the queue of `/queues/` and a percent-encoded name; any other address stays unchanged.

    >>> queue_of_address("/queues/a%2Fb"), queue_of_address("q")
    ('a/b', 'q')
    """
    if not value.startswith("/queues/"):
        return value
    name = _percent_decoded(value[len("/queues/") :])
    return Loss("not a percent-encoded queue name") if name is None else name


@transform("queue-address", gives="str")
def queue_address(value: str) -> str:
    """Return `/queues/` and the percent-encoded name of a queue.

    >>> queue_address("a/b")
    '/queues/a%2Fb'
    """
    return f"/queues/{_percent_encoded(value)}"


@transform("known-delivery-mode", gives="int", loses=True)
def known_delivery_mode(value: int) -> int | Loss:
    """Return a delivery mode, 1 or 2.

    >>> known_delivery_mode(2), known_delivery_mode(44)
    (2, Loss(reason='44 is not a delivery mode'))
    """
    return value if value in (1, 2) else Loss(f"{value} is not a delivery mode")


_LOOSE_URN: Final = re.compile(r"urn:uuid:(?:[0-9a-fA-F]{2}|-)*\Z")


@transform("loose-urn-to-uuid", gives="bytes", passes=True, samples=A_URN)
def loose_urn_to_uuid(value: str | bytes) -> bytes | NotMine:
    """Read `urn:uuid:` and 36 bytes of hex with hyphens anywhere, cut to 16 bytes, as RabbitMQ does.

    >>> loose_urn_to_uuid("urn:uuid:550e-8400e29b-41d4-a716-446655440000").hex(), loose_urn_to_uuid("urn:uuid:no") is NOT_MINE
    ('550e8400e29b41d4a716446655440000', True)
    """
    name = text_of(value) if len(value) == 45 else None
    if name is None or not _LOOSE_URN.match(name):
        return NOT_MINE
    raw = bytes.fromhex(name[9:].replace("-", ""))[:16]
    return raw if len(raw) == 16 else NOT_MINE


_DEATH: Final[list[tuple[str, str, object]]] = [
    ("queue", "string", "q"),
    ("reason", "symbol", "expired"),
    ("count", "ulong", 1),
    ("first-time", "timestamp", 1_700_000_000_000),
    ("last-time", "timestamp", 1_700_000_000_000),
    ("exchange", "string", ""),
    ("routing-keys", "array", Array("string", ["q"])),
]
"""The entries of one death in RabbitMQ's order, with their types and samples; `ttl`, a uint, may precede them."""
_DEATHS = [Entry(TypedValue("symbol", key), type_, value) for key, type_, value in _DEATH]


@transform("deaths", gives="list", passes=True, samples={"deaths": Array("map", [_DEATHS])})
def deaths(value: Array) -> list[TypedValue] | NotMine:
    """Return `x-opt-deaths`, an array of maps without a descriptor, as the table of `x-death` in RabbitMQ's layout.

    >>> deaths(Array("map", [])), deaths(Array("map", [], (TypedValue("symbol", "d"),))) is NOT_MINE
    ([], True)
    """
    if value.of != "map" or value.descriptors:
        return NOT_MINE
    made = [_death(pairs) for pairs in value.values]
    return NOT_MINE if None in made else [table for table in made if table is not None]


def _death(entries: list[Entry]) -> TypedValue | None:
    """Return the table of one death; None for a layout on which RabbitMQ's code fails."""
    layout = [(entry.key.value, entry.type) for entry in entries if entry.key.type == "symbol"]
    wanted = [(key, type_) for key, type_, _ in _DEATH]
    if layout not in (wanted, [("ttl", "uint"), *wanted]):
        return None
    found = {entry.key.value: entry.value for entry in entries}
    keys = found["routing-keys"]
    if len(found) != len(entries) or keys.of != "string" or keys.descriptors:
        return None
    table = [Entry("original-expiration", "longstr", str(found["ttl"]).encode())] if "ttl" in found else []
    table += [
        Entry("count", "long", (found["count"] + 2**63) % 2**64 - 2**63),
        Entry("reason", "longstr", found["reason"].encode()),
        Entry("queue", "longstr", found["queue"].encode()),
        Entry("time", "timestamp", kept(milliseconds_to_unsigned_seconds(found["first-time"]))),
        Entry("exchange", "longstr", found["exchange"].encode()),
        Entry("routing-keys", "array", [TypedValue("longstr", key.encode()) for key in keys.values]),
    ]
    return TypedValue("table", table)


def first_of_equal_keys(value: list[Entry]) -> list[Entry] | Partial:
    """Remove duplicate keys but the first. AMQP 1.0 forbids them (part 1 section 1.6.23); its decoder accepts them.

    >>> first_of_equal_keys([Entry("k", "int", 1), Entry("k", "int", 2)])
    Partial(value=[Entry(key='k', type='int', value=1)], reason='second equal keys: k')
    """
    if len({entry.key for entry in value}) == len(value):
        return value
    first: dict[object, int] = {}
    again = [entry for at, entry in enumerate(value) if first.setdefault(entry.key, at) != at]
    second = dict.fromkeys(str(entry.key) for entry in again)
    return Partial([value[at] for at in first.values()], f"second equal keys: {', '.join(second)}")


@transform("last-of-equal-names", gives="list", loses=True)
def last_of_equal_names(value: list[tuple[str, str]]) -> list[tuple[str, str]] | Partial:
    """Keep the last of properties with equal names.

    >>> last_of_equal_names([("a", "1"), ("a", "2")])
    Partial(value=[('a', '2')], reason='a later value has its name')
    """
    last = dict(value)
    return value if len(last) == len(value) else Partial(list(last.items()), "a later value has its name")


_OF_NAMES: Final = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-")
_ESCAPED: Final = re.compile(r"(?:[.a-zA-Z0-9-]|_[0-9A-F]{2})*\Z")


def escaped_name(value: str) -> str | NotMine:
    """Escape bytes outside .a-zA-Z0-9- as `_` and two hex digits; a final #ephemeral stays. Invalid text passes on.

    >>> escaped_name("a/b_c#ephemeral")
    'a_2Fb_5Fc#ephemeral'
    """
    stem, suffix, rest = value.partition("#ephemeral")
    if unicode_fault(value) is not None:
        return NOT_MINE
    plain = (value, "") if rest else (stem, suffix)
    return "".join(chr(byte) if byte in _OF_NAMES else f"_{byte:02X}" for byte in plain[0].encode()) + plain[1]


def name_or_escaped(value: str, escape: bool, fault: Callable[[str], str | None], *others: tuple[str, str]) -> str | NotMine:
    """Return a valid name, for which `fault` finds no fault; a value that gives no such name passes to the next row.

    With `escape`, a name with a fault, or one that `unescaped-name` would change, is escaped; `others` are further characters
    to replace.
    """
    if not escape:
        return NOT_MINE if fault(value) else value
    if fault(value) is None and unescaped_name(value) in (NOT_MINE, value):
        return value
    name = escaped_name(value)
    if isinstance(name, NotMine):
        return name
    for old, new in others:
        name = name.replace(old, new)
    return NOT_MINE if fault(name) else name


@transform("unescaped-name", gives="str", passes=True)
def unescaped_name(value: str) -> str | NotMine:
    """Return the original of an escaped name; other names pass to the next row.

    >>> unescaped_name("a_2Fb"), unescaped_name("a_b") is NOT_MINE
    ('a/b', True)
    """
    stem, suffix, rest = value.partition("#ephemeral")
    if rest or not _ESCAPED.match(stem):
        return NOT_MINE
    first, *parts = stem.split("_")
    raw = first.encode() + b"".join(bytes.fromhex(part[:2]) + part[2:].encode() for part in parts)
    text = text_of(raw)
    return NOT_MINE if text is None else text + suffix
