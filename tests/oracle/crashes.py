"""Messages on which RabbitMQ's code crashes, or which it refuses, reduced to a message that it converts.

Every profile follows the page there: it leaves out and reports the values that the page cannot convert, and keeps all others.
So the library's answer to the whole message must equal RabbitMQ's answer to the rest. A value that the library keeps but
RabbitMQ cannot read or write is masked: a marker replaces it in the question, and the value replaces the marker in the answer.
"""

import re
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import isfinite, isnan
from typing import Any, NamedTuple

from tests.oracle import wire
from tests.oracle.peer import Question
from tests.oracle.wellformed import section_fault
from tests.oracle.wire import Field, MalformedError, Node

MARK = b"\x01mask"
EMPTY_DELIVERY = wire.write_value((0x00, ((0x53, b"\x71"), (0xC1, []))))
EMPTY_DATA: Node = (0x00, ((0x53, b"\x75"), (0xA0, b"")))
FLOAT_MARKS = {"f": b"\x7f\x7f\xff", "d": b"\x7f\xef\xff\xff\xff\xff\xff"}
"""The first bytes of finite numbers that do not occur otherwise; the last byte is the number of the mask."""
TEN_YEARS = 315_360_000_000
"""The longest expiration that RabbitMQ accepts, in milliseconds."""
CONSTRUCTORS = frozenset(b"\xa3\xb3\xa0\xa1\xb0\xb1\x50\x51\x60\x61\x70\x71\x72\x73\x82\x80\x81\x56\x83\x98\xd0\xd1\xf0\x40")
"""The element constructors that RabbitMQ's parser knows in an array (amqp10_binary_parser:parse_constructor)."""
TEXT, LONG, FLOATS = (0xA1, 0xA3, 0xB1, 0xB3), (0xB0, 0xB1, 0xB3), (0x72, 0x82)
DECIMALS = (0x74, 0x84, 0x94)


class Change(NamedTuple):
    """A place of the source (and the key there) whose value makes RabbitMQ fail, and the reason in a few words."""

    place: str
    key: bytes | int | None
    why: str


@dataclass
class Rest:
    """A message that RabbitMQ converts, and the changes that led to it. `masks` has the original value of each marker."""

    question: Question
    changes: list[Change] = field(default_factory=list)
    masks: list[Any] = field(default_factory=list)
    rewritten: dict[bytes, bytes] = field(default_factory=dict)
    """The original sections of legacy headers, by the sections with markers."""

    def mark(self, value: Any, letter: str = "") -> bytes:
        """Return the marker for a value of the library's answer: text, or a float of the 0.9.1 type `letter`."""
        if value not in self.masks:
            self.masks.append(value)
        at = self.masks.index(value)
        return FLOAT_MARKS[letter] + bytes((at,)) if letter else MARK + b"%03d" % at

    def named(self, key: bytes) -> bytes:
        """Return the original name of a header, which may be a marker."""
        stood = self._stood(key)
        return key if stood is None else stood[1] if isinstance(stood, tuple) else bytes(stood)

    def unmasked(self, value: Any) -> Any:
        """Return a view, or part of one, with the original values in place of the markers."""
        if isinstance(value, dict):
            return {place: self.unmasked(each) for place, each in value.items()}
        if isinstance(value, list | tuple):
            if len(value) == 2 and isinstance(value[1], bytes) and (stood := self._stood(value[1])) is not None:
                return stood if isinstance(stood, tuple) else (value[0], stood)
            return type(value)(map(self.unmasked, value))
        if isinstance(value, bytes):
            stood = self._stood(value)
            return self.rewritten.get(value, value) if stood is None else stood
        return value

    def _stood(self, raw: bytes) -> Any:
        if raw.removeprefix(b"x-").startswith(MARK):
            return self.masks[int(raw[-3:])]
        if raw.startswith(tuple(FLOAT_MARKS.values())) and len(raw) in (4, 8) and raw[-1] < len(self.masks):
            return self.masks[raw[-1]]
        return None


def rest(question: Question) -> Rest:
    """Return the part of a crashing message that RabbitMQ can convert. Raises MalformedError."""
    made = Rest(question)
    parts = {"amqp-1.0": _amqp10, "amqp-0.9.1": _amqp091, "mqtt-5.0": _mqtt}[question.source](made)
    made.question = Question(question.source, question.target, parts)
    return made


# ---- AMQP 1.0 as a source -------------------------------------------------------------------------------------------

Pruned = tuple[Node | None, str | None]
"""The rest of a value, or None, and the reason for the change, None for an unchanged value."""


def _amqp10(made: Rest) -> tuple[bytes]:
    sections = wire.read_sections(made.question.parts[0])
    names = [wire.section_name(section) for section in sections]
    body = "data" in names or not set(names) & set(wire.BODY)
    pruned = to_091 if made.question.target == "amqp-0.9.1" else to_text
    result: list[Node] = []
    for name, node in zip(names, sections, strict=True):
        code, (descriptor, value) = node
        if name in wire.PLACES_OF_PAIRS and (name != "footer" or body):
            content = _pairs(made, name, value[1], pruned)
            result.append((code, (descriptor, (0xD1, content))))
        elif name == "properties" and value[0] in wire.LISTS:
            result.append((code, (descriptor, (0xD0, _long_fields(made, value[1])))))
        else:
            result.append(node)
    if not any(name in wire.BODY for name in names):
        made.changes.append(Change("body", None, "no body"))
        result.insert(len(result) - (names[-1:] == ["footer"]), EMPTY_DATA)
    return (wire.write_sections(result),)


def _pairs(made: Rest, place: str, nodes: list[Node], pruned: Callable[[Node], Pruned]) -> list[Node]:
    kept: list[Node] = []
    gone: set[bytes] = set()
    for at in range(0, len(nodes), 2):
        key, value = nodes[at : at + 2]
        left, why = _entry(made.question.target, place, key, value, pruned)
        if _key_text(key) in gone:
            left, why = None, "x-basic"
        reads = (
            made.question.target == "amqp-0.9.1" and place == "message_annotations" and _key_text(key).startswith(b"x-basic-")
        )
        if left is None and reads:
            gone.add(_key_text(key))  # RabbitMQ reads the first of equal keys
        if why is not None:
            made.changes.append(Change(place, wire.typed(key)[1], why))
        if left is not None:
            kept += [key, left]
    return kept


def _key_text(key: Node) -> bytes:
    content = wire.typed(key)[1]
    return content if isinstance(content, bytes) else b""


def _entry(target: str, place: str, key: Node, value: Node, pruned: Callable[[Node], Pruned]) -> Pruned:
    name = _key_text(key)
    if place != "application_properties" and not (wire.typed(key)[0] == "symbol" and name.startswith(b"x-")):
        return None, "reserved key"
    if place in ("delivery_annotations", "footer"):
        return (value, None) if _parsed(value) is None else (None, _parsed(value))
    if target == "mqtt-5.0" and len(name) > 65535:
        return None, "long text"
    if target == "amqp-0.9.1" and place == "message_annotations":
        if name == b"x-opt-deaths":
            return _deaths(value)
        if name.startswith(b"x-basic-") or name in (b"x-exchange", b"x-routing-key", b"x-death"):
            return _basic(name, value)
    left, why = pruned(value)
    if (
        place == "message_annotations"
        and name == b"x-basic-expiration"
        and left is not None
        and wire.typed(left)[0] == "string"
    ):
        return (0xB3, left[1]), why or "expiration"  # RabbitMQ reads a string as a number for any target
    return left, why


def _basic(name: bytes, value: Node) -> Pruned:
    """Remove an annotation whose property cannot have its type or value: RabbitMQ's encoder fails on it."""
    type_, content = wire.typed(value)
    if _parsed(value):
        return None, _parsed(value)
    if name == b"x-basic-type":
        fine = type_ in ("string", "symbol", "binary") and len(content) < 256
    elif name == b"x-basic-expiration":
        number = type_ in ("string", "symbol", "binary") and _number(content)
        fine = number is not None and number is not False and (type_ != "string" or 0 <= number <= TEN_YEARS)
    elif name in (b"x-basic-delivery-mode", b"x-basic-priority"):
        fine = type_ in (*wire.SIGNED, *wire.UNSIGNED)
    else:
        return value, None
    return (value, None) if fine else (None, "x-basic")


def _number(text: bytes) -> int | None:
    return int(text) if re.fullmatch(rb"[+-]?[0-9]+", text) else None


def _deaths(value: Node) -> Pruned:
    """Remove x-opt-deaths if it is an array of another layout than RabbitMQ's, which fails on it."""
    if value[0] in wire.ARRAYS and value[1][1] == 0xC1 and _is_deaths(value):
        return (0xF0, ([], 0xD1, value[1][2])), "compact array"
    fine = wire.typed(value)[0] != "array" or _is_deaths(value)
    return (value, None) if fine and _parsed(value) is None else (None, "deaths")


def _is_deaths(value: Node) -> bool:
    """Return whether an array has the layout of RabbitMQ's own x-opt-deaths."""
    of, descriptors, elements = wire.typed(value)[1]
    kinds = [
        ("queue", "string"),
        ("reason", "symbol"),
        ("count", "ulong"),
        ("first-time", "timestamp"),
        ("last-time", "timestamp"),
    ]
    kinds += [("exchange", "string"), ("routing-keys", "array")]
    for element in elements if of == "map" else ():
        found = [(key, each[0]) for key, each in element]
        wanted = [(("symbol", name.encode()), type_) for name, type_ in kinds]
        if found[:1] == [(("symbol", b"ttl"), "uint")]:
            found = found[1:]
        if found != wanted or element[-1][1][1][0] != "string":
            return False
    return bool(of == "map" and not descriptors)


def _long_fields(made: Rest, fields: list[Node]) -> list[Node]:
    """Remove fields that are too long for the target, on which RabbitMQ's encoder fails."""
    most, places = (255, (6, 7)) if made.question.target == "amqp-0.9.1" else (65535, (5, 6))
    kept = list(fields)
    for at in places:
        if at < len(kept) and kept[at][0] in LONG and len(kept[at][1]) > most:
            made.changes.append(Change(f"properties.{wire.PROPERTIES[at]}", None, "long field"))
            kept[at] = (0x40, b"")
    return kept


def _parsed(node: Node) -> str | None:
    """Return why RabbitMQ's parser refuses an entry. Of the causes, only compact arrays have another encoding."""
    code, content = node
    if code == wire.DESCRIBED:
        return "described"
    if code in wire.ARRAYS and (content[1] not in CONSTRUCTORS or (content[1] == 0x40 and content[2]) or _not_finite(content)):
        return "compact array"
    return next((why for each in _children(node) if (why := _parsed(each)) and why != "described"), None)


def _children(node: Node) -> Iterator[Node]:
    code, content = node
    if code in wire.LISTS or code in wire.MAPS or code == wire.DESCRIBED:
        yield from content
    elif code in wire.ARRAYS:
        yield from content[0]
        yield from ((content[1], each) for each in content[2])


def _not_finite(content: Any) -> bool:
    return any(_special(content[1], each) for each in content[2])


def _special(code: int, content: Any) -> bool:
    return code in FLOATS and not isfinite(struct.unpack(">f" if code == 0x72 else ">d", content)[0])


UNKNOWN = {0x73: "char", 0x98: "uuid", 0x00: "described"} | dict.fromkeys(DECIMALS, "decimal")


def to_091(node: Node, where: str = "top") -> Pruned:
    """Keep the values that the page converts to AMQP 0.9.1, encoded for RabbitMQ: arrays as lists, ulongs as longs."""
    code, content = node
    if code in UNKNOWN:
        return None, UNKNOWN[code]
    if _special(code, content):
        return None, "not finite"
    if wire.TYPES[code] == "ulong" and where != "top":
        return (0x81, content.rjust(8, b"\0")), "nested ulong"
    if code in wire.ARRAYS:
        return _array_to_091(content, where)
    if code in wire.LISTS:
        found = [to_091(each, "item") for each in content]
        return (0xD0, [left for left, _ in found if left is not None]), next((why for _, why in found if why), None)
    if code in wire.MAPS:
        return _map_to_091(content)
    return node, None


def _array_to_091(content: Any, where: str) -> Pruned:
    descriptors, of, elements = content
    if where == "item":
        return None, "nested array"
    if not elements:
        return (0x45, []), "compact array"
    if descriptors or of in UNKNOWN or wire.TYPES[of] in ("ulong", "array"):
        return None, "array of such"
    found = [to_091((of, each), "item") for each in elements]
    why = next((why for _, why in found if why), "compact array")
    return (0xD0, [left for left, _ in found if left is not None]), why


def _map_to_091(content: list[Node]) -> Pruned:
    kept: list[Node] = []
    first: str | None = None
    for at in range(0, len(content), 2):
        key, (left, why) = content[at], to_091(content[at + 1], "entry")
        if key[0] not in (*TEXT, 0xA0, 0xB0) or len(key[1]) > 255:
            left, why = None, "key"
        first = first or why
        kept += [] if left is None else [key, left]
    return (0xD1, kept), first


def to_text(node: Node) -> Pruned:
    """Turn the values that the page converts to text into strings, and remove the others."""
    code, content = node
    if code in wire.ARRAYS:
        return None, "array"
    if code == 0x73:
        number = int.from_bytes(content)
        return (None if 0xD800 <= number < 0xE000 or number > 0x10FFFF else (0xB1, chr(number).encode())), "char"
    if code == 0x98:
        return (0xB1, urn(content)), "uuid"
    if _special(code, content):
        return (0xB1, special_text(code, content)), "not finite"
    if code in UNKNOWN:
        return None, UNKNOWN[code]
    if code in TEXT and len(content) > 65535:
        return None, "long text"
    if code in wire.LISTS or code in wire.MAPS:
        return (0x45, []), "compact array" if _parsed(node) else None
    return node, None


def urn(raw: bytes) -> bytes:
    digits = raw.hex()
    return f"urn:uuid:{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}".encode()


def special_text(code: int | str, content: bytes) -> bytes:
    value = struct.unpack(">f" if code in (0x72, "f") else ">d", content)[0]
    return b"nan" if isnan(value) else b"inf" if value > 0 else b"-inf"


# ---- AMQP 0.9.1 as a source -----------------------------------------------------------------------------------------


def _amqp091(made: Rest) -> tuple[bytes, bytes]:
    properties = dict(wire.read_basic(made.question.parts[0]))
    payload = made.question.parts[1]
    to_mqtt = made.question.target == "mqtt-5.0"
    number = _number(properties.get("expiration", b"0"))
    if number is None or not 0 <= number <= TEN_YEARS:
        del properties["expiration"]
        made.changes.append(Change("basic.expiration", None, "expiration"))
    for name in ("message_id", "correlation_id"):
        if not to_mqtt and bad_urn(properties.get(name, b"")):
            made.changes.append(Change(f"basic.{name}", None, "urn"))
            properties[name] = made.mark(("string", properties[name]))
    headers = properties.get("headers", [])
    before_data = not to_mqtt
    if not to_mqtt and properties.get("type") == b"amqp-1.0":
        payload = payload and (_sections(made, payload, "payload") or _as_data(made, payload))
        before_data = any(wire.section_name(each) in ("data", "amqp-sequence") for each in wire.read_sections(payload))
    if to_mqtt:
        headers = _renamed(made, headers, b"x-reply-to-topic")
        headers = headers if "correlation_id" in properties else _renamed(made, headers, b"x-correlation-id")
    else:
        headers = _legacy(made, headers, before_data=before_data)
    properties["headers"] = _headers(made, headers)
    return wire.write_basic(properties.items()), payload


def bad_urn(text: bytes) -> bool:
    """Return whether RabbitMQ reads text as a uuid URN and fails on it (differences.md B2)."""
    if not text.startswith(b"urn:uuid:") or len(text) != 45:
        return False
    groups = text[9:].split(b"-")
    if not all(re.fullmatch(rb"([0-9a-fA-F]{2})*", group) for group in groups):
        return True
    return len(b"".join(groups)) < 32


def _renamed(made: Rest, headers: list[Any], name: bytes) -> list[Any]:
    """Rename all headers of a name to a marker if RabbitMQ, which reads the first one only, fails on its type."""
    first = next((letter for key, (letter, _) in headers if key == name), "S")
    if first == "S":
        return headers
    made.changes.append(Change("basic.headers", name, "type of a header"))
    return [(made.mark(name) if key == name else key, value) for key, value in headers]


def _headers(made: Rest, headers: list[Any]) -> list[Any]:
    kept: list[Any] = []
    gone: set[bytes] = set()
    bcc = next((at for at, (key, _) in enumerate(headers) if key == b"BCC"), -1)
    for at, (key, each) in enumerate(headers):
        left, why = _field(made, ("V", b"") if at == bcc else each)  # RabbitMQ removes the first BCC of any type
        if why is not None:
            made.changes.append(Change("basic.headers", made.named(key), why))
        if left is not None:
            kept.append((made.mark(key) if key in gone else key, left))
        elif key.startswith(b"x-") and made.question.target == "mqtt-5.0":
            gone.add(key)  # only the first x-reply-to-topic or x-correlation-id counts
    return kept


def _field(made: Rest, each: Field) -> tuple[Field | None, str | None]:
    letter, content = each
    to_mqtt = made.question.target == "mqtt-5.0"
    if letter == "D":
        return (("S", _decimal_text(content)) if to_mqtt else None), "decimal"
    if letter in "fd" and not isfinite(struct.unpack(f">{letter}", content)[0]):
        return ("S", special_text(letter, content)) if to_mqtt else (letter, made.mark(wire.said(each), letter)), "not finite"
    if to_mqtt and letter == "S" and len(content) > 65535:
        return None, "long text"
    if letter in "FA":
        parts = [(name, _field(made, inner)) for name, inner in content] if letter == "F" else []
        items = [_field(made, inner) for inner in content] if letter == "A" else []
        why = next((why for _, why in [*(part for _, part in parts), *items] if why), None)
        if letter == "F":
            return (letter, [(name, left) for name, (left, _) in parts if left is not None]), why
        return (letter, [left for left, _ in items if left is not None]), why
    return each, None


def _decimal_text(content: bytes) -> bytes:
    scale, number = content[0], int.from_bytes(content[1:], signed=True)
    sign, digits = "-" if number < 0 else "", str(abs(number)).rjust(scale + 1, "0")
    return f"{sign}{digits[: len(digits) - scale]}{'.' if scale else ''}{digits[len(digits) - scale :]}".encode()


def _legacy(made: Rest, headers: list[Any], *, before_data: bool) -> list[Any]:
    """Remove legacy headers that make RabbitMQ fail, and mask the others. Only the first of each name counts."""
    kept: list[Any] = []
    gone: set[bytes] = set()
    seen: set[bytes] = set()
    clash = _clash(headers, before_data)
    before = _before_another(headers, clash)
    for key, (letter, content) in headers:
        value = content
        if key in seen and key in gone:
            kept.append((b"x-" + made.mark(("symbol", key)), (letter, content)))  # otherwise RabbitMQ would use it as the first
            continue
        if key in wire.LEGACY and key not in seen:
            seen.add(key)
            if letter == "D":
                value = None
            elif letter in "Sx":
                value = None if key in clash else _sections(made, content, key.decode(), legacy=True)
            if value is not None and key in before:  # remove its body; the remaining header still replaces its section
                made.changes.append(Change("basic.headers", key, "legacy header"))
                value = EMPTY_DELIVERY
        if value is None:
            gone.add(key)
            made.changes.append(Change("basic.headers", key, "decimal" if letter == "D" else "legacy header"))
            continue
        if value != content:
            made.rewritten[value] = content
        kept.append((key, (letter, value)))
    return kept


def _clash(headers: list[Any], before_data: bool) -> set[bytes]:
    """Return legacy headers with sections that RabbitMQ has no clause for: other than a footer, or a value before data."""
    found: set[bytes] = set()
    for key, (letter, content) in reversed(headers):
        if key not in wire.LEGACY or letter not in "Sx":
            continue
        try:
            names = [wire.section_name(each) for each in wire.read_sections(content)]
        except MalformedError:
            continue
        found.discard(key)  # only the first header of this name counts
        if key == wire.LEGACY[3] and names != ["footer"]:
            found.add(key)
        if names == ["amqp-value"] and before_data:
            found.add(key)
    return found


def _before_another(headers: list[Any], clash: set[bytes]) -> set[bytes]:
    """Return legacy headers with an amqp-value that RabbitMQ puts before the data or sequence of another header."""
    found: set[bytes] = set()
    later = False
    for name in wire.LEGACY[1], wire.LEGACY[0], wire.LEGACY[2]:  # in reverse, since each is put first
        letter, content = next((field for key, field in headers if key == name), ("", b""))
        if letter not in ("S", "x") or name in clash:
            continue
        try:
            (section,) = map(wire.section_name, wire.read_sections(content))
        except (MalformedError, ValueError):
            continue
        if section == "amqp-value" and later:
            found.add(name)
        later = later or section in ("data", "amqp-sequence")
    return found


def tolerated(question: Question) -> Rest | None:
    """Return an AMQP 0.9.1 message that RabbitMQ converts despite ill-formed sections, without these sections."""
    if question.source != "amqp-0.9.1" or question.target != "amqp-1.0":
        return None
    made = Rest(question)
    properties, payload = dict(wire.read_basic(question.parts[0])), question.parts[1]
    if properties.get("type") == b"amqp-1.0":
        if _ill_formed(payload):
            payload = _as_data(made, payload, "ill-formed payload")
        elif (sections := wire.read_sections(payload)) != (one := _one_value(sections)):
            made.changes.append(Change("payload", None, "two values"))
            payload = wire.write_sections(one)
    headers: list[Any] = []
    seen: dict[bytes, bool] = {}
    for key, (letter, content) in properties.get("headers", []):
        if key in wire.LEGACY and key not in seen:
            seen[key] = letter in "Sx" and _ill_formed(content)
            if seen[key]:
                made.changes.append(Change("basic.headers", key, "ill-formed section"))
                continue
        headers.append((b"x-" + made.mark(("symbol", key)) if seen.get(key) else key, (letter, content)))
    properties["headers"] = headers
    made.question = Question(question.source, question.target, (wire.write_basic(properties.items()), payload))
    return made if made.changes else None


def _ill_formed(data: bytes) -> bool:
    try:
        return section_fault(_one_value(wire.read_sections(data))) is not None
    except MalformedError:
        return True


def _one_value(sections: list[Node]) -> list[Node]:
    """Remove the first of two adjacent amqp-value sections: RabbitMQ uses the last."""
    names = [wire.section_name(each) for each in sections]
    at = names.index("amqp-value") if names.count("amqp-value") == 2 else -1
    return [*sections[:at], *sections[at + 1 :]] if at >= 0 and names[at + 1] == "amqp-value" else sections


def _as_data(made: Rest, payload: bytes, why: str = "payload of no sections") -> bytes:
    made.changes.append(Change("payload", None, why))
    return wire.write_value((0, ((0x53, b"\x75"), (0xB0, payload))))


def _sections(made: Rest, data: bytes, what: str, *, legacy: bool = False) -> bytes | None:
    """Return sections that RabbitMQ can read and write, or None for ill-formed ones."""
    try:
        sections = wire.read_sections(data) if legacy else _one_value(wire.read_sections(data))
        if section_fault(sections) or (legacy and len(sections) != 1):
            return None
    except MalformedError:
        return None
    masked = []
    for code, (descriptor, (kind, value)) in sections:
        name = wire.section_name((code, (descriptor, (kind, value))))
        content: Any = value
        if name in wire.PLACES_OF_PAIRS:
            if legacy and any(not _key_text(key).startswith(b"x-") for key in value[::2]) and name != "application_properties":
                return None
            content = [_masked(made, each, what, key=not at % 2, top=True) for at, each in enumerate(value)]
        elif name == "amqp-sequence":
            content = [_masked(made, each, what) for each in value]
        elif name == "amqp-value":
            masked.append((code, (descriptor, _masked(made, (kind, value), what, top=True))))
            continue
        masked.append((code, (descriptor, (kind, content))))
    return wire.write_sections(masked)


def _masked(made: Rest, node: Node, what: str, *, key: bool = False, top: bool = False) -> Node:
    code, content = node
    why = UNKNOWN.get(code) if code in (*DECIMALS, 0x00) else "not finite" if _special(code, content) else None
    if code in wire.ARRAYS:
        why = "compact array"
    if top:
        reserved = wire.TYPES[code] == "ulong" or (wire.TYPES[code] == "symbol" and not content.startswith(b"x-"))
        why = "reserved key" if key and reserved else "null" if code == wire.NULL else why
    if why is not None:
        if (mask := Change(what, None, why)) not in made.changes:
            made.changes.append(mask)
        marker = made.mark(wire.typed(node))
        return (0xA3, b"x-" + marker) if key and top else (0xA1, marker)
    if code in wire.LISTS:
        return 0xD0, [_masked(made, each, what) for each in content]
    if code in wire.MAPS:
        return 0xD1, [_masked(made, each, what, key=not at % 2) for at, each in enumerate(content)]
    return node


# ---- MQTT 5.0 as a source -------------------------------------------------------------------------------------------


def _mqtt(made: Rest) -> tuple[bytes]:
    flags, topic, identifier, properties, payload = wire.read_publish(made.question.parts[0])
    if flags & 4:
        made.changes.append(Change("qos", None, "QoS 2"))
        flags = flags & ~6 | 2
    if made.question.target == "amqp-1.0":
        for at, (kind, content) in enumerate(properties):
            if kind == 0x09 and bad_urn(content):
                made.changes.append(Change("correlation_data", None, "urn"))
                properties[at] = kind, made.mark(("binary", content))
    return (wire.write_publish(flags, topic, identifier, properties, payload),)
