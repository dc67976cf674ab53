"""The deviations that are known and meant: where the library's answer differs from RabbitMQ's, and why.

A record explains one item of a case (judge.py): a difference, something left out, a change that RabbitMQ's crash made
necessary, a refusal. Every item that no record explains fails a run, and so does a record that explains none. DIFFERENCES
and its rows (A22, E11 ...) are explained in docs/differences.md.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from tests.oracle import wire
from tests.oracle.crashes import Change
from tests.oracle.judge import Case, Item, Refused
from tests.oracle.peer import Question
from tests.oracle.wellformed import Gone, source_fault

Predicate = Callable[[Case, Any], bool]


@dataclass(frozen=True, slots=True)
class Deviation:
    """`explains` looks at a case and one of its items; `expected` is the number of cases in 100,000.

    `witness` is a message with this deviation, which every run asks first: a record that no longer explains it fails.
    """

    name: str
    reason: str
    expected: int
    explains: Predicate
    witness: Question


# ---- where a value of the result came from ----------------------------------------------------------------------------

RENAMED: dict[tuple[str, str], dict[tuple[str, bytes | None], list[tuple[str, bytes | None]]]] = {
    ("amqp-1.0", "amqp-0.9.1"): {
        ("basic.headers", b"CC"): [("message_annotations", b"x-cc")],
        ("basic.headers", b"x-death"): [("message_annotations", b"x-opt-deaths")],
        ("basic.headers", b"timestamp_in_ms"): [("message_annotations", b"x-opt-rabbitmq-received-time")],
        ("basic.headers", b"x-message-id"): [("properties.message_id", None)],
        ("basic.headers", b"x-correlation-id"): [("properties.correlation_id", None)],
        ("basic.type", None): [("message_annotations", b"x-basic-type")],
        ("basic.delivery_mode", None): [("message_annotations", b"x-basic-delivery-mode")],
        ("basic.expiration", None): [("message_annotations", b"x-basic-expiration")],
        ("basic.app_id", None): [("properties.group_id", None)],
    },
    ("amqp-1.0", "mqtt-5.0"): {("response_topic", None): [("properties.reply_to", None)]},
    ("amqp-0.9.1", "amqp-1.0"): {
        ("message_annotations", b"x-cc"): [("basic.headers", b"CC")],
        ("message_annotations", b"x-basic-type"): [("basic.type", None)],
        ("properties.group_id", None): [("basic.app_id", None)],
    },
    ("amqp-0.9.1", "mqtt-5.0"): {
        ("response_topic", None): [("basic.headers", b"x-reply-to-topic")],
        ("correlation_data", None): [("basic.correlation_id", None), ("basic.headers", b"x-correlation-id")],
    },
    ("mqtt-5.0", "amqp-0.9.1"): {
        ("basic.headers", b"x-reply-to-topic"): [("response_topic", None)],
        ("basic.headers", b"x-correlation-id"): [("correlation_data", None)],
    },
}  # fmt: skip
"""Places of a result whose source has another name, and that source."""
MAPS = {"amqp-1.0": ("message_annotations", "application_properties"), "amqp-0.9.1": ("basic.headers",), "mqtt-5.0": ("user_properties",)}
SECTION = {"amqp-1.0": "properties.", "amqp-0.9.1": "basic.", "mqtt-5.0": ""}
SECTIONS: list[tuple[str, bytes | None]] = [("payload", None), *(("basic.headers", name) for name in wire.LEGACY)]
IN_SECTIONS = ("payload", *(name.decode() for name in wire.LEGACY))


def origins(question: Question, place: str, key: bytes | None) -> Iterable[tuple[str, bytes | None]]:
    """The places of the source that may have made a place of the result (an entry's, with a key)."""
    yield from RENAMED.get((question.source, question.target), {}).get((place, key), [])
    if key is not None:
        yield from ((each, key) for each in MAPS[question.source])
    else:
        yield SECTION[question.source] + place.rpartition(".")[2], None
    if question.source == "amqp-0.9.1" and question.target == "amqp-1.0":
        yield from SECTIONS  # where sections in the payload or a legacy header made it


def told(case: Case, gone: Gone) -> bool:
    """Whether the report says that what stood behind an ill-formed place of the result is lost or dropped."""
    key = gone.key[1] if isinstance(gone.key, tuple) else gone.key
    key = key if isinstance(key, bytes) or key is None else str(key).encode()
    return any(case.told(*origin) for origin in origins(case.question, gone.place, key))


# ---- predicates -------------------------------------------------------------------------------------------------------


def left_out(target: str, why: str) -> Predicate:
    """An ill-formed value of RabbitMQ's answer is left out, and the report says so; all else is equal."""

    def explains(case: Case, item: Item) -> bool:
        return isinstance(item, Gone) and case.question.target == target and item.why == why and told(case, item)

    return explains


def replaced(target: str, why: str) -> Predicate:
    """Something that RabbitMQ's answer lacks is there; nothing is lost by that."""
    return lambda case, item: isinstance(item, Gone) and case.question.target == target and item.why == why


def failed(way: str, why: str, *, place: str | None = None, reported: bool) -> Predicate:
    """RabbitMQ fails on a value. It is left out and reported, or kept; all else is equal to the answer without it.

    `place` is that of the source, or `sections` for the payload and legacy headers of AMQP 0.9.1.
    """

    def explains(case: Case, item: Item) -> bool:
        if not isinstance(item, Change) or item.why != why or f"{case.question.source} > {case.question.target}" != way:
            return False
        if place is not None and place != ("sections" if item.place in IN_SECTIONS else item.place):
            return False
        return not reported or case.told(item.place, item.key)

    return explains


def refused(source: str, *faults: str) -> Predicate:
    """The decoder refuses a source which is ill-formed, and has one of these faults."""

    def explains(case: Case, item: Item) -> bool:
        return isinstance(item, Refused) and case.question.source == source and source_fault(case.question) in faults

    return explains


def explanation(case: Case, item: Item) -> Deviation | None:
    """The record that explains an item; None for none."""
    return next((each for each in DEVIATIONS if each.explains(case, item)), None)


# ---- the list ---------------------------------------------------------------------------------------------------------

WELL_FORMED = "well-formedness wins over a profile's answer: "
PAGE = "RabbitMQ crashes or refuses the message; the page does not convert the value: "
KEPT = "RabbitMQ crashes or refuses the message; the page converts the value: "
A10, A091, M5 = "amqp-1.0", "amqp-0.9.1", "mqtt-5.0"
A10_091, A10_M5, A091_10, A091_M5 = f"{A10} > {A091}", f"{A10} > {M5}", f"{A091} > {A10}", f"{A091} > {M5}"
M5_10, M5_091 = f"{M5} > {A10}", f"{M5} > {A091}"

DEVIATIONS: tuple[Deviation, ...] = (
    Deviation("0.9.1: NUL", WELL_FORMED + "a short string has no NUL (0.9.1 section 4.2.5.3; A5, A10, A12, A16)", 1, left_out(A091, "NUL"), Question("", "", ())),
    Deviation("0.9.1: not UTF-8", WELL_FORMED + "a short string is UTF-8 (0.9.1 section 4.2.5.3; A27)", 1, left_out(A091, "not UTF-8"), Question("", "", ())),
    Deviation("0.9.1: twice", WELL_FORMED + "of equal keys the first stays (0.9.1 section 4.2.5.5; A35)", 1, left_out(A091, "twice"), Question("", "", ())),
    Deviation("0.9.1: delivery mode", WELL_FORMED + "a delivery mode is 1 or 2 (A19)", 1, left_out(A091, "delivery mode"), Question("", "", ())),
    Deviation("0.9.1: expiration", WELL_FORMED + "an expiration is a number of milliseconds, none below 0 (A19)", 1, left_out(A091, "expiration"), Question("", "", ())),
    Deviation("1.0: not UTF-8", WELL_FORMED + "a string is UTF-8 (1.0 section 1.6.20; B3)", 1, left_out(A10, "not UTF-8"), Question("", "", ())),
    Deviation("1.0: not ASCII", WELL_FORMED + "a symbol is ASCII (1.0 section 1.6.21; B10, B18)", 1, left_out(A10, "not ASCII"), Question("", "", ())),
    Deviation("1.0: twice", WELL_FORMED + "of equal keys the first stays (1.0 section 1.6.23; B24)", 1, left_out(A10, "twice"), Question("", "", ())),
    Deviation("1.0: compound", WELL_FORMED + "application properties are simple (1.0 section 3.2.5; B14)", 1, left_out(A10, "compound"), Question("", "", ())),
    Deviation("1.0: several kinds of body", WELL_FORMED + "a body is of one kind (1.0 section 3.2); that of the payload stays", 1, left_out(A10, "of several kinds"), Question("", "", ())),
    Deviation("1.0: no body", WELL_FORMED + "a message has a body (1.0 section 3.2), here an empty data section (B7)", 1, replaced(A10, "none"), Question("", "", ())),
    Deviation("MQTT: NUL", WELL_FORMED + "a string has no NUL (MQTT 5.0 section 1.5.4; F5, F10)", 1, left_out(M5, "NUL"), Question("", "", ())),
    Deviation("MQTT: not UTF-8", WELL_FORMED + "a string is UTF-8 (MQTT 5.0 section 1.5.4; F8)", 1, left_out(M5, "not UTF-8"), Question("", "", ())),
    Deviation("MQTT: topic", WELL_FORMED + "a topic name is not empty and has no wildcards (MQTT 5.0 section 4.7; E4)", 1, left_out(M5, "topic"), Question("", "", ())),
    Deviation("1.0 > 0.9.1: char", PAGE + "no row for char (A23)", 1, failed(A10_091, "char", reported=True), Question("", "", ())),
    Deviation("1.0 > 0.9.1: uuid", PAGE + "no row for uuid (A23)", 1, failed(A10_091, "uuid", reported=True), Question("", "", ())),
    Deviation("1.0 > 0.9.1: decimal", PAGE + "decimals are not converted (A24)", 1, failed(A10_091, "decimal", reported=True), Question("", "", ())),
    Deviation("1.0 > 0.9.1: not finite", PAGE + "NaN and infinities are not converted (A24)", 1, failed(A10_091, "not finite", reported=True), Question("", "", ())),
    Deviation("1.0 > 0.9.1: described", PAGE + "no row for described values (A37)", 1, failed(A10_091, "described", reported=True), Question("", "", ())),
    Deviation("1.0 > 0.9.1: array of such", PAGE + "no row for arrays, and RabbitMQ fails on these elements (A22, A23, A25)", 1, failed(A10_091, "array of such", reported=True), Question("", "", ())),
    Deviation("1.0 > 0.9.1: nested array", PAGE + "no row for arrays (A25)", 1, failed(A10_091, "nested array", reported=True), Question("", "", ())),
    Deviation("1.0 > 0.9.1: key", PAGE + "a key of a table is text of at most 255 bytes (A27)", 1, failed(A10_091, "key", reported=True), Question("", "", ())),
    Deviation("1.0 > 0.9.1: deaths", PAGE + "x-opt-deaths in another layout than RabbitMQ's (A20)", 1, failed(A10_091, "deaths", reported=True), Question("", "", ())),
    Deviation("1.0 > 0.9.1: x-basic", PAGE + "an annotation x-basic-* of a type or value that the property cannot have (A19)", 1, failed(A10_091, "x-basic", reported=True), Question("", "", ())),
    Deviation("1.0 > 0.9.1: long symbol", PAGE + "content type and encoding of more than 255 bytes (A13)", 1, failed(A10_091, "long symbol", reported=True), Question("", "", ())),
    Deviation("1.0 > 0.9.1: reserved key", PAGE + "annotations whose keys begin with x- alone (A32)", 1, failed(A10_091, "reserved annotation key", reported=True), Question("", "", ())),
    Deviation("1.0 > 0.9.1: nested ulong", KEPT + "a ulong in a list or map is a long (A22)", 1, failed(A10_091, "nested ulong", reported=False), Question("", "", ())),
    Deviation("1.0 > 0.9.1: compact array", KEPT + "how the elements of an array are encoded cannot be told once it is decoded (A26)", 1, failed(A10_091, "compact array", reported=False), Question("", "", ())),
    Deviation("1.0 > 0.9.1: no body", KEPT + "a message without a body, whose payload is empty (A38)", 1, failed(A10_091, "no body", reported=False), Question("", "", ())),
    Deviation("1.0 > MQTT: array", PAGE + "arrays are not converted (E10)", 1, failed(A10_M5, "array", reported=True), Question("", "", ())),
    Deviation("1.0 > MQTT: decimal", PAGE + "no text of decimals (E11)", 1, failed(A10_M5, "decimal", reported=True), Question("", "", ())),
    Deviation("1.0 > MQTT: described", PAGE + "no row for described values (A37)", 1, failed(A10_M5, "described", reported=True), Question("", "", ())),
    Deviation("1.0 > MQTT: reserved key", PAGE + "annotations whose keys begin with x- alone (A32, E12)", 1, failed(A10_M5, "reserved annotation key", reported=True), Question("", "", ())),
    Deviation("1.0 > MQTT: compact array", PAGE + "arrays, also in a list or map, are not converted (E10, E18)", 1, failed(A10_M5, "compact array", reported=True), Question("", "", ())),
    Deviation("1.0 > MQTT: long text", PAGE + "a string of MQTT has at most 65535 bytes (E17)", 1, failed(A10_M5, "long text", reported=True), Question("", "", ())),
    Deviation("1.0 > MQTT: long symbol", PAGE + "a string of MQTT has at most 65535 bytes (E17)", 1, failed(A10_M5, "long symbol", reported=True), Question("", "", ())),
    Deviation("1.0 > MQTT: char", KEPT + "its text is the character (E11)", 1, failed(A10_M5, "char", reported=False), Question("", "", ())),
    Deviation("1.0 > MQTT: uuid", KEPT + "its text is the URN (E11)", 1, failed(A10_M5, "uuid", reported=False), Question("", "", ())),
    Deviation("1.0 > MQTT: not finite", KEPT + "NaN and infinities as C writes them (E11)", 1, failed(A10_M5, "not finite", reported=False), Question("", "", ())),
    Deviation("1.0 > MQTT: expiration", KEPT + "x-basic-expiration that is no number is a user property like others (E12)", 1, failed(A10_M5, "expiration", reported=False), Question("", "", ())),
    Deviation("1.0 > MQTT: no body", KEPT + "a message without a body, whose payload is empty (A38)", 1, failed(A10_M5, "no body", reported=False), Question("", "", ())),
    Deviation("0.9.1 > 1.0: decimal", PAGE + "no row for decimals (B19)", 1, failed(A091_10, "decimal", place="basic.headers", reported=True), Question("", "", ())),
    Deviation("0.9.1 > 1.0: not finite", KEPT + "NaN and infinities stay (B20)", 1, failed(A091_10, "not finite", place="basic.headers", reported=False), Question("", "", ())),
    Deviation("0.9.1 > 1.0: expiration", PAGE + "not a number of 0 to ten years (B4)", 1, failed(A091_10, "expiration", reported=True), Question("", "", ())),
    Deviation("0.9.1 > 1.0: legacy header", PAGE + "not exactly one section that can be used, or an amqp-value before other bodies (B14)", 1, failed(A091_10, "legacy header", reported=True), Question("", "", ())),
    Deviation("0.9.1 > 1.0: urn", KEPT + "an id that begins as a uuid URN and is none stays text (B2)", 1, failed(A091_10, "urn", reported=False), Question("", "", ())),
    Deviation("0.9.1 > 1.0: payload of no sections", KEPT + "a payload of type amqp-1.0 that is no message stays as it is (B7)", 1, failed(A091_10, "payload of no sections", reported=False), Question("", "", ())),
    Deviation("0.9.1 > 1.0: decimal in sections", KEPT + "a decimal in a payload or legacy header of sections, which is well-formed, stays (B7, B14)", 1, failed(A091_10, "decimal", place="sections", reported=False), Question("", "", ())),
    Deviation("0.9.1 > 1.0: not finite in sections", KEPT + "NaN or an infinity in a payload or legacy header of sections, which is well-formed, stays (B7, B14)", 1, failed(A091_10, "not finite", place="sections", reported=False), Question("", "", ())),
    Deviation("0.9.1 > 1.0: described in sections", KEPT + "a described value in a payload or legacy header of sections, which is well-formed, stays (B7, B14)", 1, failed(A091_10, "described", place="sections", reported=False), Question("", "", ())),
    Deviation("0.9.1 > 1.0: compact array in sections", KEPT + "an array in a payload or legacy header of sections, which is well-formed, stays (B7, B14)", 1, failed(A091_10, "compact array", place="sections", reported=False), Question("", "", ())),
    Deviation("0.9.1 > 1.0: null in sections", KEPT + "a null in a payload or legacy header of sections, which is well-formed, stays (B7, B14)", 1, failed(A091_10, "null", place="sections", reported=False), Question("", "", ())),
    Deviation("0.9.1 > 1.0: reserved annotation key in sections", KEPT + "a key without x- in a payload or legacy header of sections, which is well-formed, stays (B7, B14)", 1, failed(A091_10, "reserved annotation key", place="sections", reported=False), Question("", "", ())),
    Deviation("0.9.1 > 1.0: ill-formed section", WELL_FORMED + "a legacy header whose section is ill-formed is lost (B14)", 1, failed(A091_10, "ill-formed section", reported=True), Question("", "", ())),
    Deviation("0.9.1 > 1.0: two values", WELL_FORMED + "of two amqp-value sections in a payload the last stays, as in RabbitMQ (B7)", 1, failed(A091_10, "two values", reported=True), Question("", "", ())),
    Deviation("0.9.1 > MQTT: decimal", KEPT + "its text (F7)", 1, failed(A091_M5, "decimal", reported=False), Question("", "", ())),
    Deviation("0.9.1 > MQTT: not finite", KEPT + "NaN and infinities as C writes them (F7)", 1, failed(A091_M5, "not finite", reported=False), Question("", "", ())),
    Deviation("0.9.1 > MQTT: expiration", PAGE + "not a number of 0 to ten years (F2)", 1, failed(A091_M5, "expiration", reported=True), Question("", "", ())),
    Deviation("0.9.1 > MQTT: long text", PAGE + "a string of MQTT has at most 65535 bytes (F7)", 1, failed(A091_M5, "long text", reported=True), Question("", "", ())),
    Deviation("0.9.1 > MQTT: type of a header", KEPT + "x-reply-to-topic and x-correlation-id that are no longstr are user properties like others (F3, F4)", 1, failed(A091_M5, "type of a header", reported=False), Question("", "", ())),
    Deviation("MQTT > 1.0: QoS 2", KEPT + "QoS above 0 is durable (C1)", 1, failed(M5_10, "QoS 2", reported=False), Question("", "", ())),
    Deviation("MQTT > 1.0: urn", KEPT + "correlation data that begin as a uuid URN and are none stay binary (C7)", 1, failed(M5_10, "urn", reported=False), Question("", "", ())),
    Deviation("MQTT > 0.9.1: QoS 2", KEPT + "QoS above 0 is delivery mode 2 (D1)", 1, failed(M5_091, "QoS 2", reported=False), Question("", "", ())),
    Deviation("1.0: refused, malformed", "the decoder refuses what cannot be read (1.0 part 1 section 1.6)", 1, refused(A10, "malformed"), Question("", "", ())),
    Deviation("1.0: refused, text", "the decoder refuses what is no UTF-8, or no ASCII in a symbol (1.0 sections 1.6.20, 1.6.21)", 1, refused(A10, "not UTF-8", "not ASCII"), Question("", "", ())),
    Deviation("1.0: refused, order", "the decoder refuses what has its sections out of order (1.0 section 3.2; A38)", 1, refused(A10, "order"), Question("", "", ())),
    Deviation("1.0: refused, type", "the decoder refuses what has a field or key of another type, or sections that are maps (1.0 section 3.2; A8, A13, A39)", 1, refused(A10, "type", "key", "section", "range"), Question("", "", ())),
    Deviation("0.9.1: refused, malformed", "the decoder refuses what cannot be read (0.9.1 section 4.2)", 1, refused(A091, "malformed"), Question("", "", ())),
    Deviation("MQTT: refused, malformed", "the decoder refuses what cannot be read (MQTT 5.0 section 3.3)", 1, refused(M5, "malformed", "packet", "value"), Question("", "", ())),
    Deviation("MQTT: refused, text", "the decoder refuses what is no UTF-8 or has a NUL (MQTT 5.0 section 1.5.4)", 1, refused(M5, "not UTF-8", "NUL"), Question("", "", ())),
    Deviation("MQTT: refused, topic", "the decoder refuses what has a topic with wildcards or of no bytes (MQTT 5.0 sections 3.3.2.1, 3.3.2.3.5)", 1, refused(M5, "topic"), Question("", "", ())),
    Deviation("MQTT: refused, twice", "the decoder refuses what has a property twice (MQTT 5.0 section 3.3.2.3; C13)", 1, refused(M5, "twice"), Question("", "", ())),
)
