"""Sections in a legacy header or a payload of AMQP 0.9.1: RabbitMQ 4.0 (differences.md B7, B12 to B14) and `documented`.

The expected results are those of RabbitMQ 4.0.5's own code, or of the page if the code fails.
"""

from typing import Any

import pytest

from mqconvert import Array, Conversion, Described, Entry, Environment, TypedValue, convert, decode, encode
from mqconvert.converters.model.entries import keys_of
from mqconvert.converters.model.paths import path
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp091.message import BasicProperties, Message
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.amqp10.message import AmqpSequence, AmqpValue, Data, Properties
from mqconvert.converters.protocols.phpmq import message as phpmq
from tests.entries import entry

ONE, TWO = TypedValue("uint", 1), TypedValue("uint", 2)
DATA, OTHER_DATA = Data([b"d"]), Data([b"e"])
SEQUENCE, OTHER_SEQUENCE = AmqpSequence([[ONE]]), AmqpSequence([[TWO]])
VALUE, OTHER_VALUE = AmqpValue(ONE), AmqpValue(TWO)
FOOTER, OTHER_FOOTER, PROPERTY = [entry("x-f", ONE)], [entry("x-g", TWO)], [entry("b", ONE)]
Header = tuple[str, amqp10.Message | bytes]


def section(**sections: object) -> bytes:
    return encode(amqp10.Message(**sections))  # type: ignore[arg-type]  # each section has its own type


def made(
    *headers: tuple[str, bytes], payload: bytes = b"hi", profile: str = "rabbitmq-4.0", type_: str | None = None
) -> Conversion:
    own = [Entry("x-own", "long", 3), Entry("own", "long", 4)]
    legacy = [Entry(f"x-amqp-1.0-{name}", "longstr", raw) for name, raw in headers]
    basic = BasicProperties(headers=[*legacy, *own], message_id="m", type=type_)
    return convert(Message(basic, payload), "amqp-1.0", profile=profile)


def hub(conversion: Conversion) -> amqp10.Message:
    assert isinstance(conversion.message, amqp10.Message)
    return conversion.message


WRONG = {
    "another-kind": (section(header=amqp10.Header(durable=True)), "its section is header, not properties"),
    "body": (section(body=DATA), "its section is body, not properties"),
    "two-sections": (section(properties=Properties(to="a"), body=DATA), "holds more than one section"),
    "two-data": (section(body=Data([b"a", b"b"])), "holds more than one section"),
    "none": (b"", "not a section of AMQP 1.0: no sections"),
    "garbage": (b"junk", "not a section of AMQP 1.0: 0x6a where a section is due"),
    "odd-type": (  # no option of a decoder helps here
        bytes.fromhex("005373c003015201"),
        "not a section of AMQP 1.0: properties.message_id cannot be of type uint",
    ),
}


@pytest.mark.parametrize(("raw", "reason"), WRONG.values(), ids=list(WRONG))
def test_documented_loses_a_legacy_header_that_is_not_one_section_of_its_kind(raw: bytes, reason: str) -> None:
    done = made(("properties", raw), profile="documented")
    assert done.message == made(profile="documented").message
    assert [(lost.field, lost.reason) for lost in done.report.lost] == [('basic.headers["x-amqp-1.0-properties"]', reason)]


def test_documented_refuses_reserved_annotation_keys() -> None:
    done = made(("message-annotations", section(message_annotations=[entry("plain", ONE)])), profile="documented")
    assert done.message == made(profile="documented").message
    assert [lost.rule for lost in done.report.lost] == ["legacy-message-annotations-refused"]


def test_documented_uses_the_first_good_header_of_two() -> None:
    good = section(properties=Properties(to="a"))
    done = made(("properties", b"junk"), ("properties", good), profile="documented")
    assert hub(done).properties == Properties(to="a")
    assert [lost.rule for lost in done.report.lost] == ["legacy-properties-refused"]


def test_rabbitmq_reads_only_the_first_header() -> None:
    good = TypedValue("longstr", section(properties=Properties(to="a")))
    name = "x-amqp-1.0-properties"
    message = Message(BasicProperties(headers=[Entry(name, "long", 3), entry(name, good)]), b"hi")
    done = convert(message, "amqp-1.0", profile="rabbitmq-4.0")
    assert hub(done).properties is None
    assert hub(done).message_annotations == [Entry(name, "long", 3)]
    assert [lost.reason for lost in done.report.lost] == ["a second equal key"]


KINDS = {
    "header": (section(header=amqp10.Header(durable=True)), ("header", amqp10.Header(durable=True))),
    "message_annotations": (section(message_annotations=FOOTER), ("message_annotations", FOOTER)),
    "properties": (section(properties=Properties(to="u")), ("properties", Properties(to="u"))),
    "application_properties": (
        section(application_properties=[entry("b", ONE)]),
        ("application_properties", [entry("b", ONE)]),
    ),
    "footer": (section(footer=FOOTER), ("footer", FOOTER)),
}
ORDER = ("header", "message_annotations", "properties", "application_properties", "footer")
PLACES = {"message-annotations": "message_annotations", "properties": "properties", "app-properties": "application_properties"}


def places_of(slot: str, section: Any) -> set[str]:
    """Return the places that are set in a section."""
    if isinstance(section, list):
        return {path(slot, entry.key) for entry in section}
    if slot == "body":
        return {slot}
    return {f"{slot}.{name}" for name in section.__dataclass_fields__ if getattr(section, name) is not None}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", PLACES)
def test_a_section_in_a_header_replaces_the_section_named_by_the_header(name: str, kind: str) -> None:
    """It replaces the sections before that place. After it, the sections of the message are used, even if there are none."""
    raw, (slot, value) = KINDS[kind]
    done, plain = made((name, raw)), hub(made())
    expected = {slot: getattr(plain, slot) for slot in plain.__dataclass_fields__}
    if PLACES[name] != "message_annotations" and kind != "message_annotations":
        # The header itself also stays as an annotation.
        kept = hub(done).message_annotations or []
        assert [entry.key for entry in kept] == [f"x-amqp-1.0-{name}", "x-own"]
        expected["message_annotations"] = kept
    expected[PLACES[name]] = None
    wins = kind == "footer" or ORDER.index(slot) <= ORDER.index(PLACES[name])
    if wins:
        expected[slot] = value
    assert {slot: getattr(hub(done), slot) for slot in plain.__dataclass_fields__} == expected
    assert [lost.reason for lost in done.report.lost] == (
        [] if wins else [f"its {slot.replace('_', ' ')}: a later section takes the place"]
    )
    applied = {entry.target for entry in done.report.applied if entry.rule.startswith("legacy-")}
    assert applied == (places_of(slot, value) if wins else set())


@pytest.mark.parametrize("name", PLACES)
def test_data_in_a_legacy_header_precedes_the_payload(name: str) -> None:
    done = made((name, section(body=DATA)))
    assert hub(done).body == Data([b"d", b"hi"])
    assert done.report.lost == ()
    assert [dropped.field for dropped in done.report.dropped if dropped.field == "payload"] == []


BODIES = {
    "sequence-then-sequence": (SEQUENCE, OTHER_SEQUENCE, AmqpSequence([[ONE], [TWO]]), False),
    "value-then-value": (VALUE, OTHER_VALUE, OTHER_VALUE, True),
    "data-then-value": (DATA, OTHER_VALUE, OTHER_VALUE, True),
    "sequence-then-data": (SEQUENCE, OTHER_DATA, OTHER_DATA, True),
    "data-then-sequence": (DATA, OTHER_SEQUENCE, OTHER_SEQUENCE, True),
    "value-then-data": (VALUE, OTHER_DATA, OTHER_DATA, True),
    "value-then-sequence": (VALUE, OTHER_SEQUENCE, OTHER_SEQUENCE, True),
}
"""The bodies of a header, of a payload of type amqp-1.0 and of the result, and whether the header's is lost."""


@pytest.mark.parametrize(("before", "payload", "body", "loses"), BODIES.values(), ids=list(BODIES))
def test_a_body_is_never_lost(before: amqp10.Body, payload: amqp10.Body, body: amqp10.Body, loses: bool) -> None:
    done = made(("properties", section(body=before)), payload=section(body=payload), type_="amqp-1.0")
    assert hub(done).body == body
    fields = [lost.field for lost in done.report.lost]
    assert fields == (['basic.headers["x-amqp-1.0-properties"]'] if loses else [])


def test_an_amqp_value_before_a_plain_payload_is_refused_and_the_properties_are_kept() -> None:
    """RabbitMQ fails on it, so the documented conversion applies."""
    done = made(("properties", section(body=VALUE)))
    assert done.message == made().message
    assert [lost.rule for lost in done.report.lost] == ["legacy-properties-refused"]


@pytest.mark.parametrize("body", [DATA, SEQUENCE, VALUE], ids=["data", "sequence", "value"])
def test_a_body_in_a_header_is_the_body_where_the_payload_has_none(body: amqp10.Body) -> None:
    done = made(("properties", section(body=body)), payload=section(footer=FOOTER), type_="amqp-1.0")
    assert (hub(done).body, hub(done).footer) == (body, FOOTER)
    empty = made(("properties", section(body=body)), payload=b"", type_="amqp-1.0")
    assert hub(empty).body == body


def test_a_footer_header_without_a_footer_is_lost() -> None:
    """RabbitMQ fails on anything else in it."""
    done = made(("footer", section(properties=Properties(to="a"))))
    assert done.message == made().message
    assert [lost.rule for lost in done.report.lost] == ["legacy-footer-refused"]


def test_the_footer_in_a_header_is_kept_and_that_in_the_payload_is_lost() -> None:
    payload = section(body=DATA, footer=FOOTER)
    done = made(("footer", section(footer=OTHER_FOOTER)), payload=payload, type_="amqp-1.0")
    assert hub(done).footer == OTHER_FOOTER
    assert [(lost.field, lost.reason) for lost in done.report.lost] == [
        ("payload", "its footer: a later section takes the place")
    ]
    applied = [(entry.source, entry.target) for entry in done.report.applied]
    assert [entry for entry in applied if entry[1].startswith(("footer", "body"))] == [
        ("payload", "body"),
        *(('basic.headers["x-amqp-1.0-footer"]', f'footer["{entry.key}"]') for entry in OTHER_FOOTER),
    ]


@pytest.mark.parametrize("profile", ["rabbitmq-4.0", "rabbitmq-4.3"])
@pytest.mark.parametrize(
    "payload",
    [b"", section(footer=FOOTER), section(header=amqp10.Header(priority=1)), section(message_annotations=FOOTER)],
    ids=["nothing", "footer", "header", "annotations"],
)
def test_a_payload_without_body_sections_gives_an_empty_data_section(payload: bytes, profile: str) -> None:
    done = made(payload=payload, type_="amqp-1.0", profile=profile)
    assert hub(done).body == Data([b""])
    assert done.report.lost == ()


def test_a_payload_of_two_values_with_a_footer_between_stays_data() -> None:
    """The last of two adjacent values is the body, as in RabbitMQ. A footer before it would be lost."""
    values = [section(body=VALUE), section(body=OTHER_VALUE)]
    assert hub(made(payload=b"".join(values), type_="amqp-1.0")).body == OTHER_VALUE
    payload = section(footer=FOOTER).join(values)
    assert hub(made(payload=payload, type_="amqp-1.0")).body == Data([payload])


def test_a_value_in_a_header_gives_way_to_the_last_of_two_values_in_the_payload() -> None:
    payload = section(body=VALUE) + section(body=OTHER_VALUE)
    done = made(("app-properties", section(body=VALUE)), payload=payload, type_="amqp-1.0")
    assert hub(done).body == OTHER_VALUE
    assert [entry.key for entry in hub(done).message_annotations or ()][1] == "x-amqp-1.0-app-properties"


def test_delivery_annotations_of_a_payload_or_header_are_lost() -> None:
    """RabbitMQ drops them (B7); they are for the next node only."""
    raw = section(delivery_annotations=FOOTER)
    for done in (made(payload=raw + section(body=DATA), type_="amqp-1.0"), made(("properties", raw))):
        assert hub(done).delivery_annotations is None
        assert [lost.reason for lost in done.report.lost] == ["delivery annotations, which are for the next node only"]


@pytest.mark.parametrize("target", ["amqp-1.0", "mqtt-5.0"])
def test_rabbitmq_removes_only_the_first_bcc(target: str) -> None:
    """differences.md B16, F9."""
    message = Message(BasicProperties(headers=[Entry("BCC", "longstr", raw) for raw in (b"a", b"a", b"c")]), b"")
    done = convert(message, target, profile="rabbitmq-4.0")
    kept = getattr(done.message, "application_properties", None) or getattr(done.message, "user_properties", None)
    assert keys_of(kept or ()) == ["BCC"] * (1 if target == "amqp-1.0" else 2)
    assert len(done.report.dropped) == 1


@pytest.mark.parametrize("name", ["x-reply-to-topic", "x-correlation-id"])
def test_the_second_of_two_headers_is_a_user_property_for_rabbitmq_only(name: str) -> None:
    """differences.md F3, F4: the documentation goes by the type only, and the first header has another type."""
    first = TypedValue("array", []) if name == "x-correlation-id" else TypedValue("longstr", b"\xff")
    message = Message(BasicProperties(headers=[entry(name, first), Entry(name, "longstr", b"c")]), b"")
    field = "correlation_data" if name == "x-correlation-id" else "response_topic"
    rabbit = convert(message, "mqtt-5.0", profile="rabbitmq-4.0").message
    page = convert(message, "mqtt-5.0").message
    assert (getattr(rabbit, field), getattr(rabbit, "user_properties")) == (None, [(name, "c")])  # noqa: B009 - only MQTT has it
    assert getattr(page, field) in (b"c", "c")


@pytest.mark.parametrize(
    ("keys", "kept"),
    [
        (("00000000", "80000000"), 2),  # 0.0 and -0.0
        (("7f800001", "7fc00000"), 2),  # two NaNs
        (("7f800001", "7f800001"), 1),
        (("3f800000", "3f800000"), 1),
    ],
)
def test_map_keys_with_equal_bits_are_duplicates(keys: tuple[str, str], kept: int) -> None:
    entries = b"".join(b"\x72" + bytes.fromhex(key) + b"\x43" for key in keys)
    payload = b"\0Sw" + b"\xc1" + bytes((len(entries) + 1, 4)) + entries
    done = made(payload=payload, type_="amqp-1.0")
    body = hub(done).body
    assert isinstance(body, AmqpValue)
    assert len(body.value.value) == kept
    assert [lost.reason for lost in done.report.lost if "second" in lost.reason] == ["second equal keys"] * (2 - kept)


def test_sections_in_headers_and_payloads_are_made_well_formed() -> None:
    pairs = [Entry("k", "int", 1), Entry("k", "int", 2), Entry("l", "list", [])]
    raw = encode(amqp10.Message(application_properties=pairs))
    first, second = (encode(amqp10.Message(properties=amqp10.Properties(subject=text))) for text in "ab")
    headers = [
        Entry("x-amqp-1.0-application-properties", "longstr", raw),
        Entry("x-amqp-1.0-properties", "longstr", first),
        Entry("x-amqp-1.0-properties", "longstr", second),
    ]
    done = convert(amqp091.Message(amqp091.BasicProperties(headers=headers)), "amqp-1.0")
    assert isinstance(done.message, amqp10.Message)
    assert done.message.application_properties == [Entry("k", "int", 1)]
    assert done.message.properties == amqp10.Properties(subject="a")
    assert [(lost.rule, lost.reason) for lost in done.report.lost][:2] == [
        ("legacy-application-properties", "application properties that are no simple types, second equal keys"),
        ("header-x", "a second equal key"),
    ]


def test_an_envelope_has_no_duplicate_keys_at_any_depth() -> None:
    key, twins = TypedValue("binary", b"k"), [TypedValue("int", 1), TypedValue("int", 2)]
    inner = TypedValue("map", [entry(key, typed) for typed in twins])
    once = TypedValue("map", [entry(key, twins[0])])
    for deep, left in (
        (TypedValue("list", [inner]), TypedValue("list", [once])),
        (TypedValue("array", Array("map", [inner.value])), TypedValue("array", Array("map", [once.value]))),
        (TypedValue("described", Described(key, inner)), TypedValue("described", Described(key, once))),
    ):
        for body, wanted in (
            (amqp10.AmqpValue(deep), amqp10.AmqpValue(left)),
            (amqp10.AmqpSequence([[deep]]), amqp10.AmqpSequence([[left]])),
        ):
            wire = b"AMQP\0\1\0\0" + encode(amqp10.Message(body=body, footer=[entry("x-f", deep)]))
            done = convert(phpmq.Message(b"q", wire), "amqp-1.0", environment=Environment(payload="envelope"))
            assert isinstance(done.message, amqp10.Message)
            assert (done.message.body, done.message.footer) == (wanted, [entry("x-f", left)])
            assert [lost.reason for lost in done.report.lost] == ["second equal keys"]


ENCODED = [
    (target, body)
    for target in ("amqp-0.9.1", "mqtt-5.0")
    for body in (amqp10.AmqpValue(TypedValue("boolean", True)), amqp10.AmqpSequence([[TypedValue("boolean", True)]]))
]


@pytest.mark.parametrize(("target", "body"), [*ENCODED, ("amqp-0.9.1", amqp10.Data([b"a", b"b"]))])
def test_a_footer_in_the_payload_is_not_dropped(target: str, body: amqp10.Body) -> None:
    message = amqp10.Message(body=body, footer=[Entry("x-sum", "int", 1)])
    done = convert(message, target, environment=Environment(address="t"))
    assert decode("amqp-1.0", done.message.payload) == message  # type: ignore[union-attr]  # both messages have a payload
    assert ("footer", "payload") in [(entry.source, entry.target) for entry in done.report.applied]
    assert done.report.dropped == ()
