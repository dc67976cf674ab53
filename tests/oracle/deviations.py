"""The known, intended deviations of the library's answers from RabbitMQ's, with their reasons.

A record explains one item of a case (judge.py): a difference, an omission, a change that RabbitMQ's crash made necessary, or a
refusal. A run fails if an item has no record, or a record too few or too many cases. Records name entries of
docs/differences.md and docs/decisions.md (A22, E9).
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
    """`explains` decides on a case and one of its items; `expected` is the number of cases in 100,000.

    `witness` is a message with this deviation only (`Question.read`), which every run checks first.
    """

    name: str
    expected: int
    explains: Predicate
    reason: str
    witness: str


# ---- sources of values of the result ----------------------------------------------------------------------------------

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
"""Places of a result whose source has another name, with that source."""
MAPS = {
    "amqp-1.0": ("message_annotations", "application_properties"),
    "amqp-0.9.1": ("basic.headers",),
    "mqtt-5.0": ("user_properties",),
}
SECTION = {"amqp-1.0": "properties.", "amqp-0.9.1": "basic.", "mqtt-5.0": ""}
SECTIONS: list[tuple[str, bytes | None]] = [("payload", None), *(("basic.headers", name) for name in wire.LEGACY)]
IN_SECTIONS = ("payload", *(name.decode() for name in wire.LEGACY))


def origins(question: Question, place: str, key: bytes | None) -> Iterable[tuple[str, bytes | None]]:
    """Yield the places of the source that can fill a place of the result (an entry's, with a key)."""
    yield from RENAMED.get((question.source, question.target), {}).get((place, key), [])
    if key is not None:
        yield from ((each, key) for each in MAPS[question.source])
    else:
        yield SECTION[question.source] + place.rpartition(".")[2], None
    if question.source == "amqp-0.9.1" and question.target == "amqp-1.0":
        yield from SECTIONS  # sections in the payload or a legacy header


def told(case: Case, gone: Gone) -> bool:
    """Return whether the report has a loss or drop for the source of an ill-formed place of the result."""
    key = gone.key[1] if isinstance(gone.key, tuple) else gone.key
    key = key if isinstance(key, bytes) or key is None else str(key).encode()
    return any(case.told(*origin) for origin in origins(case.question, gone.place, key))


# ---- predicates -------------------------------------------------------------------------------------------------------


def left_out(target: str, why: str) -> Predicate:
    """Accept that an ill-formed value of RabbitMQ's answer is left out, if the report says so."""

    def explains(case: Case, item: Item) -> bool:
        return isinstance(item, Gone) and case.question.target == target and item.why == why and told(case, item)

    return explains


def replaced(target: str, why: str) -> Predicate:
    """Accept another value for an ill-formed one of RabbitMQ's answer, without a report: nothing is lost."""
    return lambda case, item: isinstance(item, Gone) and case.question.target == target and item.why == why


def failed(way: str, why: str, *, place: str | None = None, reported: bool) -> Predicate:
    """Accept that a value on which RabbitMQ fails is left out and reported, or kept.

    `place` is a place of the source, or `sections` for the payload and legacy headers of AMQP 0.9.1.
    """

    def explains(case: Case, item: Item) -> bool:
        if not isinstance(item, Change) or item.why != why or f"{case.question.source} > {case.question.target}" != way:
            return False
        if place is not None and place != ("sections" if item.place in IN_SECTIONS else item.place):
            return False
        return not reported or case.told(item.place, item.key)

    return explains


def refused(source: str, *faults: str) -> Predicate:
    """Accept that the decoder refuses an ill-formed source with one of these faults."""

    def explains(case: Case, item: Item) -> bool:
        return isinstance(item, Refused) and case.question.source == source and source_fault(case.question) in faults

    return explains


def explanation(case: Case, item: Item) -> Deviation | None:
    """Return the record that explains an item, or None."""
    return next((each for each in DEVIATIONS if each.explains(case, item)), None)


# ---- the list ---------------------------------------------------------------------------------------------------------

WELL_FORMED = "well-formedness wins over a profile's answer: "
PAGE = "RabbitMQ crashes or refuses the message; the page does not convert the value: "
KEPT = "RabbitMQ crashes or refuses the message; the page converts the value: "
A10, A091, M5 = "amqp-1.0", "amqp-0.9.1", "mqtt-5.0"
A10_091, A10_M5, A091_10, A091_M5 = f"{A10} > {A091}", f"{A10} > {M5}", f"{A091} > {A10}", f"{A091} > {M5}"
M5_10, M5_091 = f"{M5} > {A10}", f"{M5} > {A091}"

DEVIATIONS: tuple[Deviation, ...] = (
    Deviation(
        "0.9.1: NUL", 240, left_out(A091, "NUL"),
        WELL_FORMED + "a short string has no NUL (0.9.1 section 4.2.5.3; A5, A10, A12, A16)",
        "amqp-1.0 > amqp-0.9.1: 005374d10000000c00000002b10000000100537f005375b000000000",
    ),
    Deviation(
        "0.9.1: not UTF-8", 40, left_out(A091, "not UTF-8"),
        WELL_FORMED + "a short string is UTF-8 (0.9.1 section 4.2.5.3; A27)",
        "amqp-1.0 > amqp-0.9.1: 005372d10000001500000002a30c782d62617369632d74797065a001d5005375a000",
    ),
    Deviation(
        "0.9.1: twice", 1260, left_out(A091, "twice"),
        WELL_FORMED + "of equal keys the first stays (0.9.1 section 4.2.5.5; A35)",
        "amqp-1.0 > amqp-0.9.1: 005374d10000001700000004b1000000034243435480b10000000342434345005375b000000000",
    ),
    Deviation(
        "0.9.1: delivery mode", 190, left_out(A091, "delivery mode"),
        WELL_FORMED + "a delivery mode is 1 or 2 (A19)",
        "amqp-1.0 > amqp-0.9.1: 005372d10000001c00000002a315782d62617369632d64656c69766572792d6d6f646543005375a000",
    ),
    Deviation(
        "0.9.1: expiration", 50, left_out(A091, "expiration"),
        WELL_FORMED + "an expiration is a number of milliseconds, none below 0 (A19)",
        "amqp-1.0 > amqp-0.9.1: 005372d10000001a00000002a312782d62617369632d65787069726174696f6ea300005375a000",
    ),
    Deviation(
        "1.0: not UTF-8", 600, left_out(A10, "not UTF-8"),
        WELL_FORMED + "a string is UTF-8 (1.0 section 1.6.20; B3)",
        "amqp-0.9.1 > amqp-1.0: 020001d1 -",
    ),
    Deviation(
        "1.0: not ASCII", 580, left_out(A10, "not ASCII"),
        WELL_FORMED + "a symbol is ASCII (1.0 section 1.6.21; B10, B18)",
        "amqp-0.9.1 > amqp-1.0: 800001c3 -",
    ),
    Deviation(
        "1.0: twice", 2330, left_out(A10, "twice"),
        WELL_FORMED + "of equal keys the first stays (1.0 section 1.6.23; B24)",
        "amqp-0.9.1 > amqp-1.0: 20000000000a02782d62e802782d6280 -",
    ),
    Deviation(
        "1.0: compound", 190, left_out(A10, "compound"),
        WELL_FORMED + "application properties are simple (1.0 section 3.2.5; B14)",
        "amqp-0.9.1 > amqp-1.0: 002008616d71702d312e30 005374d10000001300000002b100000000f0000000050000000070005375b000000000",
    ),
    Deviation(
        "1.0: several kinds of body", 120, left_out(A10, "of several kinds"),
        WELL_FORMED + "a body is of one kind (1.0 section 3.2); that of the payload stays",
        "amqp-0.9.1 > amqp-1.0: 2000000000301e782d616d71702d312e302d6d6573736167652d616e6e6f746174696f6e73530000000c005376d0000"
        "0000400000000 -",
    ),
    Deviation(
        "1.0: no body", 790, replaced(A10, "none"),
        WELL_FORMED + "a message has a body (1.0 section 3.2), here an empty data section (B7)",
        "amqp-0.9.1 > amqp-1.0: 002008616d71702d312e30 -",
    ),
    Deviation(
        "MQTT: NUL", 350, left_out(M5, "NUL"),
        WELL_FORMED + "a string has no NUL (MQTT 5.0 section 1.5.4; F5, F10)",
        "amqp-0.9.1 > mqtt-5.0: 2000000000070361006275fffe -",
    ),
    Deviation(
        "MQTT: not UTF-8", 210, left_out(M5, "not UTF-8"),
        WELL_FORMED + "a string is UTF-8 (MQTT 5.0 section 1.5.4; F8)",
        "amqp-0.9.1 > mqtt-5.0: 20000000001310782d63dc7272656c6174696f6e2d69646280 -",
    ),
    Deviation(
        "MQTT: topic", 340, left_out(M5, "topic"),
        WELL_FORMED + "a topic name is not empty and has no wildcards (MQTT 5.0 section 4.7; E4)",
        "amqp-0.9.1 > mqtt-5.0: 20000000001610782d7265706c792d746f2d746f7069635300000000 -",
    ),
    Deviation(
        "1.0 > 0.9.1: char", 180, failed(A10_091, "char", reported=True),
        PAGE + "no row for char (A23)",
        "amqp-1.0 > amqp-0.9.1: 005372d10000000d00000002a302782d7300000000005375a000",
    ),
    Deviation(
        "1.0 > 0.9.1: uuid", 190, failed(A10_091, "uuid", reported=True),
        PAGE + "no row for uuid (A23)",
        "amqp-1.0 > amqp-0.9.1: 005372d10000001900000002a302782d98e56abf80b65ddd3ca01ac3b5ec73f6e4005375a000",
    ),
    Deviation(
        "1.0 > 0.9.1: decimal", 500, failed(A10_091, "decimal", reported=True),
        PAGE + "decimals are not converted (A24)",
        "amqp-1.0 > amqp-0.9.1: 005372d10000000d00000002a302782d742315aecb005377a000",
    ),
    Deviation(
        "1.0 > 0.9.1: not finite", 80, failed(A10_091, "not finite", reported=True),
        PAGE + "NaN and infinities are not converted (A24)",
        "amqp-1.0 > amqp-0.9.1: 005372d10000000d00000002a302782d727f800000005375b000000000",
    ),
    Deviation(
        "1.0 > 0.9.1: described", 120, failed(A10_091, "described", reported=True),
        PAGE + "no row for described values (A37)",
        "amqp-1.0 > amqp-0.9.1: 005372d10000000d00000002a302782d005300a1000053775380",
    ),
    Deviation(
        "1.0 > 0.9.1: array of such", 160, failed(A10_091, "array of such", reported=True),
        PAGE + "no row for arrays, and RabbitMQ fails on these elements (A22, A23, A25)",
        "amqp-1.0 > amqp-0.9.1: 005372d10000001400000002a302782de00a01847f936a565941c842005375a000",
    ),
    Deviation(
        "1.0 > 0.9.1: nested array", 100, failed(A10_091, "nested array", reported=True),
        PAGE + "no row for arrays (A25)",
        "amqp-1.0 > amqp-0.9.1: 005372d10000000f00000002a302782dc00501e0020053005375b000000000",
    ),
    Deviation(
        "1.0 > 0.9.1: key", 190, failed(A10_091, "key", reported=True),
        PAGE + "a key of a table is text of at most 255 bytes (A27)",
        "amqp-1.0 > amqp-0.9.1: 005372d10000000f00000002a302782dc10502527f52fe005375a000",
    ),
    Deviation(
        "1.0 > 0.9.1: deaths", 50, failed(A10_091, "deaths", reported=True),
        PAGE + "x-opt-deaths in another layout than RabbitMQ's (A20)",
        "amqp-1.0 > amqp-0.9.1: 005372d1000000a700000002a30c782d6f70742d646561746873f00000009000000001d1000000870000000ea303747"
        "46c70fffffc19a306726561736f6ea30765787069726564a305636f756e74800000000000000001a30a66697273742d74696d65830000000000000"
        "3e7a3096c6173742d74696d6583fffffffffffffa24a30865786368616e6765b100000008616d71702d312e30a30c726f7574696e672d6b657973f"
        "00000000500000000b1005375b000000000",
    ),
    Deviation(
        "1.0 > 0.9.1: x-basic", 1260, failed(A10_091, "x-basic", reported=True),
        PAGE + "an annotation x-basic-* of a type or value that the property cannot have (A19)",
        "amqp-1.0 > amqp-0.9.1: 005372d10000001300000002a30c782d62617369632d7479706545005375a000",
    ),
    Deviation(
        "1.0 > 0.9.1: long field", 70, failed(A10_091, "long field", reported=True),
        PAGE + "content type and encoding of more than 255 bytes (A13)",
        "amqp-1.0 > amqp-0.9.1: 005373d0000001150000000740b000000000a10040a10040b300000100(61)256.0053777180000001",
    ),
    Deviation(
        "1.0 > 0.9.1: reserved key", 330, failed(A10_091, "reserved key", reported=True),
        PAGE + "annotations whose keys begin with x- alone (A32)",
        "amqp-1.0 > amqp-0.9.1: 005372d10000000b0000000253c8730010ffff005376d00000000400000000",
    ),
    Deviation(
        "1.0 > 0.9.1: nested ulong", 150, failed(A10_091, "nested ulong", reported=False),
        KEPT + "a ulong in a list or map is a long (A22)",
        "amqp-1.0 > amqp-0.9.1: 005372d10000000d00000002a302782dc003015300005375a000",
    ),
    Deviation(
        "1.0 > 0.9.1: compact array", 460, failed(A10_091, "compact array", reported=False),
        KEPT + "a decoded array does not show the encoding of its elements (A26)",
        "amqp-1.0 > amqp-0.9.1: 005372d10000000c00000002a302782de0020145005375a000",
    ),
    Deviation(
        "1.0 > 0.9.1: no body", 60, failed(A10_091, "no body", reported=False),
        KEPT + "a message without a body, whose payload is empty (A38)",
        "amqp-1.0 > amqp-0.9.1: 005372d10000000400000000",
    ),
    Deviation(
        "1.0 > MQTT: array", 1610, failed(A10_M5, "array", reported=True),
        PAGE + "arrays are not converted (E10)",
        "amqp-1.0 > mqtt-5.0: 005372d10000000c00000002a302782de00200b1005375a000",
    ),
    Deviation(
        "1.0 > MQTT: decimal", 710, failed(A10_M5, "decimal", reported=True),
        PAGE + "decimals have no text form (E11)",
        "amqp-1.0 > mqtt-5.0: 005372d10000000d00000002a302782d74df8744e9005375a000",
    ),
    Deviation(
        "1.0 > MQTT: described", 110, failed(A10_M5, "described", reported=True),
        PAGE + "no row for described values (A37)",
        "amqp-1.0 > mqtt-5.0: 005372d10000001800000002a302782d00a10b706a2e2f306b6131616d725203005375b000000000",
    ),
    Deviation(
        "1.0 > MQTT: reserved key", 300, failed(A10_M5, "reserved key", reported=True),
        PAGE + "annotations whose keys begin with x- alone (A32, E12)",
        "amqp-1.0 > mqtt-5.0: 005372d1000000070000000253dc40005375b000000000",
    ),
    Deviation(
        "1.0 > MQTT: compact array", 100, failed(A10_M5, "compact array", reported=True),
        PAGE + "arrays, also in a list or map, are not converted (E10, E18)",
        "amqp-1.0 > mqtt-5.0: 005371d10000001200000002a302782df0000000050000000052005375b000000000",
    ),
    Deviation(
        "1.0 > MQTT: long text", 6, failed(A10_M5, "long text", reported=True),
        PAGE + "a string of MQTT has at most 65535 bytes (E17)",
        "amqp-1.0 > mqtt-5.0: 005372d10001000d00000002a302782db100010000(61)65536.005375a000",
    ),
    Deviation(
        "1.0 > MQTT: long field", 2, failed(A10_M5, "long field", reported=True),
        PAGE + "a string of MQTT has at most 65535 bytes (E17)",
        "amqp-1.0 > mqtt-5.0: 005373d00001000f00000007404040404040b300010000(61)65536.005375a000",
    ),
    Deviation(
        "1.0 > MQTT: char", 240, failed(A10_M5, "char", reported=False),
        KEPT + "its text is the character (E11)",
        "amqp-1.0 > mqtt-5.0: 005372d10000000d00000002a302782d730001f6000053775600",
    ),
    Deviation(
        "1.0 > MQTT: uuid", 220, failed(A10_M5, "uuid", reported=False),
        KEPT + "its text is the URN (E11)",
        "amqp-1.0 > mqtt-5.0: 005372d10000001900000002a302782d98b721156d7061a3f4e2041a3c4698d941005375a000",
    ),
    Deviation(
        "1.0 > MQTT: not finite", 60, failed(A10_M5, "not finite", reported=False),
        KEPT + "NaN and infinities as C writes them (E11)",
        "amqp-1.0 > mqtt-5.0: 005372d10000001100000002a302782d827ff000000000000000537740",
    ),
    Deviation(
        "1.0 > MQTT: expiration", 30, failed(A10_M5, "expiration", reported=False),
        KEPT + "an x-basic-expiration that is not a number is a user property like others (E12)",
        "amqp-1.0 > mqtt-5.0: 005372d10000001a00000002a312782d62617369632d65787069726174696f6ea100005375a000",
    ),
    Deviation(
        "1.0 > MQTT: no body", 90, failed(A10_M5, "no body", reported=False),
        KEPT + "a message without a body, whose payload is empty (A38)",
        "amqp-1.0 > mqtt-5.0: 005372d10000000400000000",
    ),
    Deviation(
        "0.9.1 > 1.0: decimal", 800, failed(A091_10, "decimal", place="basic.headers", reported=True),
        PAGE + "no row for decimals (B19)",
        "amqp-0.9.1 > amqp-1.0: 200000000009026363448000000000 -",
    ),
    Deviation(
        "0.9.1 > 1.0: not finite", 40, failed(A091_10, "not finite", place="basic.headers", reported=False),
        KEPT + "NaN and infinities stay (B20)",
        "amqp-0.9.1 > amqp-1.0: 20000000001e182f65786368616e6765732f616d712e746f7069632f612e62667fc00000 -",
    ),
    Deviation(
        "0.9.1 > 1.0: expiration", 760, failed(A091_10, "expiration", reported=True),
        PAGE + "not a number of 0 to ten years (B4)",
        "amqp-0.9.1 > amqp-1.0: 010000 -",
    ),
    Deviation(
        "0.9.1 > 1.0: legacy header", 970, failed(A091_10, "legacy header", reported=True),
        PAGE + "not exactly one section that can be used, or an amqp-value before other bodies (B14)",
        "amqp-0.9.1 > amqp-1.0: 20000000001711782d616d71702d312e302d666f6f7465725300000000 -",
    ),
    Deviation(
        "0.9.1 > 1.0: urn", 200, failed(A091_10, "urn", reported=False),
        KEPT + "an id that begins like a uuid URN but is not one stays text (B2)",
        "amqp-0.9.1 > amqp-1.0: 00802d75726e3a757569643a7a7a7a7a7a7a7a7a2d653239622d343164342d613731362d34343636353534343030303"
        "0 -",
    ),
    Deviation(
        "0.9.1 > 1.0: payload of no sections", 345, failed(A091_10, "payload of no sections", reported=True),
        KEPT + "a payload of type amqp-1.0 that is not a message stays unchanged, and the report says why (B7)",
        "amqp-0.9.1 > amqp-1.0: 002008616d71702d312e30 34",
    ),
    Deviation(
        "0.9.1 > 1.0: ill-formed payload", 370, failed(A091_10, "ill-formed payload", reported=True),
        "RabbitMQ drops parts of ill-formed sections in a payload, such as data before a value; here a body is never lost: it "
        "stays data, and the report says why (B7)",
        "amqp-0.9.1 > amqp-1.0: 002008616d71702d312e30 005375a00164005377a10176",
    ),
    Deviation(
        "0.9.1 > 1.0: decimal in sections", 60, failed(A091_10, "decimal", place="sections", reported=False),
        KEPT + "a decimal in a payload or legacy header of sections, which is well-formed, stays (B7, B14)",
        "amqp-0.9.1 > amqp-1.0: 002008616d71702d312e30 00537784aaf008deb0a01086",
    ),
    Deviation(
        "0.9.1 > 1.0: not finite in sections", 15, failed(A091_10, "not finite", place="sections", reported=False),
        KEPT + "NaN or an infinity in a payload or legacy header of sections, which is well-formed, stays (B7, B14)",
        "amqp-0.9.1 > amqp-1.0: 002008616d71702d312e30 005376d00000000d00000001827ff8000000000000",
    ),
    Deviation(
        "0.9.1 > 1.0: described in sections", 30, failed(A091_10, "described", place="sections", reported=False),
        KEPT + "a described value in a payload or legacy header of sections, which is well-formed, stays (B7, B14)",
        "amqp-0.9.1 > amqp-1.0: 002008616d71702d312e30 005375b000000000005378d10000001700000002a302782d00a10a67746e33686c2f7236"
        "7953fe",
    ),
    Deviation(
        "0.9.1 > 1.0: compact array in sections", 200, failed(A091_10, "compact array", place="sections", reported=False),
        KEPT + "an array in a payload or legacy header of sections, which is well-formed, stays (B7, B14)",
        "amqp-0.9.1 > amqp-1.0: 002008616d71702d312e30 005375b000000000005378d10000001200000002a302782df0000000050000000142",
    ),
    Deviation(
        "0.9.1 > 1.0: null in sections", 170, failed(A091_10, "null", place="sections", reported=False),
        KEPT + "a null in a payload or legacy header of sections, which is well-formed, stays (B7, B14)",
        "amqp-0.9.1 > amqp-1.0: 002008616d71702d312e30 005375b000000000005378d10000000900000002a302782d40",
    ),
    Deviation(
        "0.9.1 > 1.0: reserved key in sections", 60, failed(A091_10, "reserved key", place="sections", reported=False),
        KEPT + "a key without x- in a payload or legacy header of sections, which is well-formed, stays (B7, B14)",
        "amqp-0.9.1 > amqp-1.0: 002008616d71702d312e30 005375b000000000005378d10000000900000002535dc00100",
    ),
    Deviation(
        "0.9.1 > 1.0: ill-formed section", 30, failed(A091_10, "ill-formed section", reported=True),
        WELL_FORMED + "a legacy header whose section is ill-formed is lost (B14)",
        "amqp-0.9.1 > amqp-1.0: 20000000002c19782d616d71702d312e302d6170702d70726f70657274696573530000000d005370d00000000500000"
        "00143 -",
    ),
    Deviation(
        "0.9.1 > 1.0: two values", 50, failed(A091_10, "two values", reported=True),
        WELL_FORMED + "of two amqp-value sections in a payload the last stays, as in RabbitMQ (B7)",
        "amqp-0.9.1 > amqp-1.0: 002008616d71702d312e30 0053774100537741",
    ),
    Deviation(
        "0.9.1 > MQTT: decimal", 800, failed(A091_M5, "decimal", reported=False),
        KEPT + "its text (F7)",
        "amqp-0.9.1 > mqtt-5.0: 20000000000700440000000003 -",
    ),
    Deviation(
        "0.9.1 > MQTT: not finite", 40, failed(A091_M5, "not finite", reported=False),
        KEPT + "NaN and infinities as C writes them (F7)",
        "amqp-0.9.1 > mqtt-5.0: 20000000001711782d616d71702d312e302d68656164657266ff800000 -",
    ),
    Deviation(
        "0.9.1 > MQTT: expiration", 780, failed(A091_M5, "expiration", reported=True),
        PAGE + "not a number of 0 to ten years (F2)",
        "amqp-0.9.1 > mqtt-5.0: 010000 -",
    ),
    Deviation(
        "0.9.1 > MQTT: long text", 14, failed(A091_M5, "long text", reported=True),
        PAGE + "a string of MQTT has at most 65535 bytes (F7)",
        "amqp-0.9.1 > mqtt-5.0: 2000000100110b397161626b2f6372756c705300010000(61)65536. -",
    ),
    Deviation(
        "0.9.1 > MQTT: type of a header", 1830, failed(A091_M5, "type of a header", reported=False),
        KEPT + "x-reply-to-topic and x-correlation-id of other types than longstr are user properties like others (F3, F4)",
        "amqp-0.9.1 > mqtt-5.0: 20000000001310782d636f7272656c6174696f6e2d69647401 -",
    ),
    Deviation(
        "MQTT > 1.0: QoS 2", 300, failed(M5_10, "QoS 2", reported=False),
        KEPT + "QoS above 0 is durable (C1)",
        "mqtt-5.0 > amqp-1.0: 3c080003612f62000100",
    ),
    Deviation(
        "MQTT > 1.0: urn", 60, failed(M5_10, "urn", reported=False),
        KEPT + "correlation data that begin like a uuid URN but are not one stay binary (C7)",
        "mqtt-5.0 > amqp-1.0: 30370004c3a92f313009002d75726e3a757569643a7a7a7a7a7a7a7a7a2d653239622d343164342d613731362d3434363"
        "63535343430303030",
    ),
    Deviation(
        "MQTT > 0.9.1: QoS 2", 280, failed(M5_091, "QoS 2", reported=False),
        KEPT + "QoS above 0 is delivery mode 2 (D1)",
        "mqtt-5.0 > amqp-0.9.1: 34080003612f62000100",
    ),
    Deviation(
        "1.0: refused, malformed", 560, refused(A10, "malformed"),
        "the decoder refuses malformed bytes (1.0 part 1 section 1.6)",
        "amqp-1.0 > mqtt-5.0: -",
    ),
    Deviation(
        "1.0: refused, text", 790, refused(A10, "not UTF-8", "not ASCII"),
        "the decoder refuses invalid UTF-8, and symbols that are not ASCII (1.0 sections 1.6.20, 1.6.21)",
        "amqp-1.0 > mqtt-5.0: 005372d10000000800000002a301c541",
    ),
    Deviation(
        "1.0: refused, order", 250, refused(A10, "order"),
        "the decoder refuses sections out of order (1.0 section 3.2; A38)",
        "amqp-1.0 > amqp-0.9.1: 0053774000537740",
    ),
    Deviation(
        "1.0: refused, type", 840, refused(A10, "type", "key", "section", "range", "count"),
        "the decoder refuses fields and keys of another type, too many fields, and a map in place of a list (1.0 section 3.2; "
        "A8, A13, A39)",
        "amqp-1.0 > mqtt-5.0: 005370d00000000600000001528e",
    ),
    Deviation(
        "0.9.1: refused, malformed", 280, refused(A091, "malformed"),
        "the decoder refuses malformed bytes (0.9.1 section 4.2)",
        "amqp-0.9.1 > mqtt-5.0: - -",
    ),
    Deviation(
        "MQTT: refused, malformed", 190, refused(M5, "malformed", "packet", "value"),
        "the decoder refuses malformed bytes (MQTT 5.0 section 3.3)",
        "mqtt-5.0 > amqp-1.0: -",
    ),
    Deviation(
        "MQTT: refused, text", 160, refused(M5, "not UTF-8", "NUL"),
        "the decoder refuses invalid UTF-8 and NUL (MQTT 5.0 section 1.5.4)",
        "mqtt-5.0 > amqp-1.0: 300d0006245359532f780403000100",
    ),
    Deviation(
        "MQTT: refused, topic", 160, refused(M5, "topic"),
        "the decoder refuses empty topics and topics with wildcards (MQTT 5.0 sections 3.3.2.1, 3.3.2.3.5)",
        "mqtt-5.0 > amqp-1.0: 300b0004c3a92f310408000123",
    ),
    Deviation(
        "MQTT: refused, twice", 390, refused(M5, "twice"),
        "the decoder refuses duplicate properties (MQTT 5.0 section 3.3.2.3; C13)",
        "mqtt-5.0 > amqp-1.0: 30080001740401010101",
    ),
)  # fmt: skip
