"""Further cases of the families in the corpus, by docs/differences.md.

Results are well-formed even if types of two protocols have the same name.
"""

from typing import Any

import pytest

from mqconvert import (
    Array,
    DecodeError,
    Entry,
    Environment,
    Report,
    RuleTableError,
    TypedValue,
    convert,
    converter,
    decode,
    encode,
    message_from_json,
)
from mqconvert.converters.overlays import Overlay
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp10 import message as amqp10
from tests.entries import entry

PROFILES = ("documented", "rabbitmq-4.0", "rabbitmq-4.3")
TO_MQTT = Environment(address="t")


def headers(*pairs: tuple[str, TypedValue]) -> amqp091.Message:
    return amqp091.Message(amqp091.BasicProperties(headers=[entry(*pair) for pair in pairs]), b"hi")


def annotated(key: str, value: TypedValue) -> amqp10.Message:
    return amqp10.Message(message_annotations=[entry(key, value)], body=amqp10.Data([b"hi"]))


def converted(message: Any, to: str, profile: str, *rules: Overlay) -> tuple[Any, Report]:
    """Return the converted message after encoding and decoding, which refuse ill-formed messages."""
    environment = TO_MQTT if to == "mqtt-5.0" else Environment()
    done = convert(message, to, profile=profile, environment=environment, rules=rules)
    return decode(to, encode(done.message)), done.report


@pytest.mark.parametrize("profile", PROFILES)
def test_the_second_of_two_reply_topics_is_a_user_property(profile: str) -> None:
    """differences.md F3: by the documentation, every header except arrays and tables becomes a user property."""
    twice = headers(("x-reply-to-topic", TypedValue("longstr", b"a.b")), ("x-reply-to-topic", TypedValue("longstr", b"c.d")))
    made, report = converted(twice, "mqtt-5.0", profile)
    assert made.response_topic == "a/b"
    assert made.user_properties == [("x-reply-to-topic", "c.d")]
    assert report.lossless()


@pytest.mark.parametrize("profile", PROFILES)
def test_a_correlation_id_that_is_too_long_for_mqtt_is_lost(profile: str) -> None:
    """MQTT 5.0 section 1.5.6: binary data has at most 65,535 bytes; a long string has four thousand million."""
    made, report = converted(headers(("x-correlation-id", TypedValue("longstr", b"c" * 65_536))), "mqtt-5.0", profile)
    assert made.correlation_data is None
    assert [(lost.field, lost.reason) for lost in report.lost] == [
        ('basic.headers["x-correlation-id"]', "longer than 65535 bytes")
    ]
    made, report = converted(headers(("x-correlation-id", TypedValue("longstr", b"c" * 65_535))), "mqtt-5.0", profile)
    assert made.correlation_data == b"c" * 65_535


BEFORE_1970 = amqp10.Properties(absolute_expiry_time=-1)
SAME_NAMES = {
    "binary": ("amqp-1.0 -> mqtt-5.0", "user-id", "correlation_data", amqp10.Properties(user_id=b"u" * 65_536)),
    "timestamp": (
        "amqp-1.0 -> amqp-0.9.1",
        "absolute-expiry-time",
        "basic.timestamp",
        amqp10.Properties(absolute_expiry_time=-1),
    ),
}


@pytest.mark.parametrize("name", SAME_NAMES)
def test_types_of_the_same_name_have_separate_limits(name: str) -> None:
    table, row, place, properties = SAME_NAMES[name]
    mine = Overlay("mine.toml", f'["{table}"]\nrules = [\n  {{ replace = "{row}", to = "{place}" }},\n]\n')
    message = amqp10.Message(properties=properties, body=amqp10.Data([b"hi"]))
    _, report = converted(message, table.partition(" -> ")[2], "documented", mine)
    assert [lost.rule for lost in report.lost] == [row]


@pytest.mark.parametrize("profile", PROFILES[1:])
@pytest.mark.parametrize("value", [TypedValue("string", "a"), TypedValue("symbol", "a"), TypedValue("binary", b"a")])
def test_basic_type_is_taken_from_any_text(profile: str, value: TypedValue) -> None:
    """differences.md A19: types are not checked."""
    made, _ = converted(annotated("x-basic-type", value), "amqp-0.9.1", profile)
    assert made.basic.type == "a"


BYTES: dict[tuple[str, str, int], int | None] = {
    ("delivery_mode", "ulong", 2): 2,
    ("delivery_mode", "uint", 258): 2,
    ("delivery_mode", "long", -255): 1,
    ("delivery_mode", "timestamp", 257_999): 1,
    ("delivery_mode", "char", 2): 2,
    ("delivery_mode", "long", 300): None,  # 44 is not a delivery mode
    ("priority", "char", 65): 65,
    ("priority", "timestamp", 300_000): 44,
    ("priority", "timestamp", -1000): 255,
    ("priority", "timestamp", 999): 0,
}


@pytest.mark.parametrize("profile", PROFILES[1:])
@pytest.mark.parametrize(("given", "wanted"), BYTES.items(), ids=str)
def test_basic_numbers_are_cut_to_a_byte(profile: str, given: tuple[str, str, int], wanted: int | None) -> None:
    """differences.md A19: types and ranges are not checked."""
    name, type_, value = given
    made, report = converted(annotated(f"x-basic-{name.replace('_', '-')}", TypedValue(type_, value)), "amqp-0.9.1", profile)
    assert getattr(made.basic, name) == wanted
    assert (wanted != value) is bool(report.dropped + report.lost)


FIRST = {
    "delivery-mode": (TypedValue("ubyte", 80), TypedValue("ubyte", 1)),
    "priority": (TypedValue("string", "a"), TypedValue("ubyte", 1)),
    "expiration": (TypedValue("string", "soon"), TypedValue("string", "5")),
    "type": (TypedValue("string", "a\0"), TypedValue("string", "b")),
}


@pytest.mark.parametrize("name", FIRST)
def test_the_first_of_two_equal_basic_annotations_is_used(name: str) -> None:
    """differences.md A19: the second is not read, even if the first is not a valid value of the property."""
    annotations = [entry(f"x-basic-{name}", typed) for typed in FIRST[name]]
    message = amqp10.Message(message_annotations=annotations, body=amqp10.Data([b""]))
    made, report = converted(message, "amqp-0.9.1", "rabbitmq-4.0")
    assert getattr(made.basic, name.replace("-", "_")) is None
    assert len(report.lost + report.dropped) == 2


EXPIRATIONS = {
    ("string", "315360000000"): "315360000000",
    ("string", "+5"): "+5",
    # RabbitMQ's parser refuses these (B4). It reads only strings, and copies other types.
    ("string", "315360000001"): None,
    ("string", "-1"): None,
    ("symbol", "315360000001"): "315360000001",
    ("binary", b"1000"): "1000",
    ("binary", b"\xff"): None,
    ("uint", 5): None,
}


@pytest.mark.parametrize("profile", PROFILES[1:])
@pytest.mark.parametrize(("given", "wanted"), EXPIRATIONS.items(), ids=str)
def test_basic_expiration_is_decimal_text_or_a_loss(profile: str, given: tuple[str, Any], wanted: str | None) -> None:
    made, report = converted(annotated("x-basic-expiration", TypedValue(*given)), "amqp-0.9.1", profile)
    assert made.basic.expiration == wanted
    assert (wanted is None) is bool(report.dropped + report.lost)


@pytest.mark.parametrize("profile", PROFILES[1:])
@pytest.mark.parametrize(("text", "ttl"), [("315360000000", 315_360_000_000 % 2**32), ("315360000001", None)])
def test_an_expiration_of_more_than_ten_years_is_a_loss(profile: str, text: str, ttl: int | None) -> None:
    """RabbitMQ refuses it (rabbit_basic: check_expiry), and keeps the low 32 bits of others (B5)."""
    made, report = converted(amqp091.Message(amqp091.BasicProperties(expiration=text)), "amqp-1.0", profile)
    assert made.header.ttl == ttl
    assert "basic.expiration" in {loss.field for loss in report.lost}


def death(**changed: TypedValue | None) -> list[Entry]:
    entries: dict[str, TypedValue | None] = {
        "queue": TypedValue("string", "q"),
        "reason": TypedValue("symbol", "expired"),
        "count": TypedValue("ulong", 1),
        "first-time": TypedValue("timestamp", 1500),
        "last-time": TypedValue("timestamp", 2500),
        "exchange": TypedValue("string", ""),
        "routing-keys": TypedValue("array", Array("string", ["q"])),
    }
    made = entries | {name.replace("_", "-"): value for name, value in changed.items()}
    return [entry(TypedValue("symbol", name), value) for name, value in made.items() if value is not None]


TTL = Entry(TypedValue("symbol", "ttl"), "uint", 5)


@pytest.mark.parametrize(
    ("pairs", "taken"),
    [
        (death(), True),
        ([TTL, *death()], True),
        ([*death(), TTL], False),
        (death(ttl=TypedValue("ulong", 5)), False),
        (death(last_time=None), False),
        (death(reason=TypedValue("string", "expired")), False),
        (death(routing_keys=TypedValue("array", Array("symbol", ["q"]))), False),
        (death()[::-1], False),
    ],
)
def test_deaths_are_read_in_rabbitmqs_own_layout(pairs: list[Any], *, taken: bool) -> None:
    """differences.md A20: another shape of those maps crashes RabbitMQ. The unconvertible part is dropped and reported."""
    made, report = converted(
        annotated("x-opt-deaths", TypedValue("array", Array("map", [pairs]))), "amqp-0.9.1", "rabbitmq-4.0"
    )
    assert [header.key for header in made.basic.headers or ()] == ["x-death"] * taken
    assert [dropped.rule for dropped in report.dropped] == ["deaths-other"] * (not taken)


def test_a_reply_to_with_invalid_text_has_no_address() -> None:
    """differences.md B8: 4.2 and later fail on it."""
    made, report = converted(amqp091.Message(amqp091.BasicProperties(reply_to="\udcff")), "amqp-1.0", "rabbitmq-4.3")
    assert made.properties is None or made.properties.reply_to is None
    assert [lost.field for lost in report.lost] == ["basic.reply_to"]


@pytest.mark.parametrize("profile", PROFILES)
def test_numbers_may_have_leading_zeros(profile: str) -> None:
    """007 is a number, and so is text with any number of leading zeros."""
    message = amqp091.Message(amqp091.BasicProperties(expiration="0" * 50 + "7000"), b"hi")
    made, _ = converted(message, "amqp-1.0", profile)
    assert made.header.ttl == 7000
    made, _ = converted(message, "mqtt-5.0", profile)
    assert made.message_expiry_interval == 7


def test_the_payload_format_indicator_is_0_or_1() -> None:
    """MQTT 5.0 section 3.3.2.3.2; a table that sets another one is refused, and JSON too."""
    with pytest.raises(DecodeError, match="not between 0 and 1"):
        message_from_json({"protocol": "mqtt-5.0", "topic_name": "t", "payload_format_indicator": 2})
    row = '{ replace = "subject", set = { payload_format_indicator = 7 } }'
    with pytest.raises(RuleTableError, match=r"mine.toml:3: .*not between 0 and 1"):
        converter("amqp-1.0", "mqtt-5.0", rules=Overlay("mine.toml", f'["amqp-1.0 -> mqtt-5.0"]\nrules = [\n  {row},\n]\n'))


def test_the_condition_utf8_does_not_imply_the_type_utf8() -> None:
    """MQTT's type has 65,535 bytes at most and no NUL; the condition asks for UTF-8 alone."""
    row = '{ replace = "subject", when = "utf8", to = "user_properties[s]" }'
    mine = Overlay("mine.toml", f'["amqp-1.0 -> mqtt-5.0"]\nrules = [\n  {row},\n]\n')
    for subject in ("a\0b", "a" * 65_536):
        message = amqp10.Message(properties=amqp10.Properties(subject=subject), body=amqp10.Data([b"hi"]))
        made, report = converted(message, "mqtt-5.0", "documented", mine)
        assert made.user_properties is None
        assert [lost.rule for lost in report.lost] == ["subject"]


VALUES = {
    "00537741 005377a10177": (amqp10.AmqpValue(TypedValue("string", "w")), None),
    "005370c0020141 00537741 005377a10177": (amqp10.AmqpValue(TypedValue("string", "w")), True),
    # More than two sections, or sections out of order, are an ordinary payload.
    "00537741 00537741 00537741": (None, None),
    "00537741 005370c0020141 00537741": (None, None),
    "00537741 005375a00164": (None, None),
}


@pytest.mark.parametrize("profile", PROFILES[1:])
@pytest.mark.parametrize(("payload", "wanted"), VALUES.items())
def test_the_last_of_two_values_in_a_payload_is_the_body(profile: str, payload: str, wanted: tuple[Any, Any]) -> None:
    """Corpus case type-amqp-1.0/two-values (differences.md B7). AMQP 1.0 part 3 section 3.2 allows one: the first is lost."""
    raw = bytes.fromhex(payload)
    message = amqp091.Message(amqp091.BasicProperties(type="amqp-1.0"), raw)
    made, report = converted(message, "amqp-1.0", profile)
    body, durable = wanted
    assert made.body == (body or amqp10.Data([raw]))
    assert made.header.durable is (durable or False)
    (lost,) = report.lost
    assert lost.reason.startswith("not read as sections" if body is None else "an amqp-value section before the last")
