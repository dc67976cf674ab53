"""pika: `from_pika` matches the bytes of its encoder, and its encoder writes the message from the objects of `to_pika`."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from enum import Enum
from typing import Any

import pika
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pika.compat import long

from mqconvert import EncodeError, Entry, LossError, TypedValue
from mqconvert.clients import from_pika, to_pika
from mqconvert.converters.model.values import Decimal091
from mqconvert.converters.protocols.amqp091.codec import decode_properties, encode_properties
from mqconvert.converters.protocols.amqp091.message import BasicProperties, Message
from tests.entries import by_key, pair
from tests.strategies import TEXT, amqp091_messages

VALUES = st.recursive(
    st.one_of(
        TEXT,
        st.binary(max_size=20),
        st.booleans(),
        st.integers(-(2**63), 2**63 - 1),
        st.integers(-(2**63), 2**63 - 1).map(long),
        st.decimals(-(2**31), 2**31 - 1, allow_nan=False, places=0),
        st.integers(-(2**31), 2**31 - 1).map(lambda number: Decimal(number).scaleb(-4)),
        st.datetimes(datetime(1970, 1, 1), timezones=st.sampled_from([UTC])).map(lambda time: time.replace(microsecond=0)),  # noqa: DTZ001 - Hypothesis adds the zone
        st.none(),
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
PROPERTIES = st.builds(
    pika.BasicProperties,
    content_type=st.none() | TEXT,
    content_encoding=st.none() | TEXT,
    headers=st.none() | st.dictionaries(TEXT, VALUES, max_size=4),
    delivery_mode=st.sampled_from([None, 1, 2]),
    priority=st.none() | st.integers(0, 255),
    correlation_id=st.none() | TEXT,
    reply_to=st.none() | TEXT,
    expiration=st.none() | st.integers(0, 10**9).map(str),
    message_id=st.none() | TEXT,
    timestamp=st.none() | st.integers(0, 2**64 - 1),
    type=st.none() | TEXT,
    user_id=st.none() | TEXT,
    app_id=st.none() | TEXT,
    cluster_id=st.none() | TEXT,
)


def sent(properties: pika.BasicProperties) -> BasicProperties:
    """Return the output of pika's encoder."""
    return decode_properties(b"".join(properties.encode()))


@given(PROPERTIES, st.binary(max_size=20))
def test_from_pika_gives_the_message_that_pika_sends(properties: pika.BasicProperties, body: bytes) -> None:
    message = from_pika(properties, body)
    assert message.basic == sent(properties)
    assert message.payload == body


@given(PROPERTIES, st.binary(max_size=20))
def test_objects_of_pika_round_trip(properties: pika.BasicProperties, body: bytes) -> None:
    made = to_pika(from_pika(properties, body))
    assert made.lost == ()
    assert made.body == body
    assert made.properties == properties
    assert sent(made.properties) == sent(properties)  # 1 == 1L in Python


@given(amqp091_messages())
def test_pika_sends_everything_but_the_reported_losses(message: Message) -> None:
    made = to_pika(message)
    back = sent(made.properties)
    lost = {entry.field for entry in made.lost}
    for name in BasicProperties.__dataclass_fields__:
        if name != "headers":
            assert getattr(back, name) == getattr(message.basic, name)
    if message.basic.headers is None:
        assert back.headers is None
        return
    after = by_key(back.headers)
    for key, value in map(pair, message.basic.headers):
        path = f'basic.headers["{key}"]'
        if not any(field.startswith(path) for field in lost):
            assert after.pop(key) == value
        else:
            after.pop(key, None)
    assert not after


@given(PROPERTIES)
def test_pika_sends_a_read_message_unchanged(properties: pika.BasicProperties) -> None:
    received = pika.BasicProperties()
    received.decode(encode_properties(from_pika(properties, b"").basic))
    assert from_pika(received, b"").basic == from_pika(properties, b"").basic


@pytest.mark.parametrize(
    ("typed", "value", "reason"),
    [
        (TypedValue("float", 1.5), None, "pika has no such type"),
        (TypedValue("double", 1.5), None, "pika has no such type"),
        (TypedValue("byte", -1), -1, "pika sends it as signedint"),
        (TypedValue("unsignedbyte", 255), 255, "pika sends it as signedint"),
        (TypedValue("short", -1), -1, "pika sends it as signedint"),
        (TypedValue("unsignedshort", 1), 1, "pika sends it as signedint"),
        (TypedValue("unsignedint", 2**31), 2**31, "pika sends it as long"),
        (TypedValue("longstr", b"\xff"), b"\xff", "pika sends it as binary"),
        (TypedValue("decimal", Decimal091(2, 150)), Decimal("1.5"), "pika sends it as decimal 15 of scale 1"),
        (TypedValue("timestamp", 253_402_300_800), None, "a datetime ends with the year 9999"),
    ],
)
def test_losses_name_their_field(typed: TypedValue, value: Any, reason: str) -> None:
    message = Message(BasicProperties(headers=[Entry("k", "array", [typed])]))
    made = to_pika(message)
    assert made.properties.headers == {"k": [] if value is None else [value]}
    assert [(lost.field, lost.type, lost.reason) for lost in made.lost] == [('basic.headers["k"][0]', typed.type, reason)]
    with pytest.raises(LossError):
        to_pika(message, on_loss="fail")
    assert to_pika(message, on_loss="ignore").lost == ()


def test_the_first_of_equal_keys_is_kept() -> None:
    made = to_pika(Message(BasicProperties(headers=[Entry("k", "bool", True), Entry("k", "void", None)])))
    assert made.properties.headers == {"k": True}
    assert [(lost.field, lost.type) for lost in made.lost] == [('basic.headers["k"]', "void")]


def test_invalid_utf8_round_trips_through_pika() -> None:
    received = pika.BasicProperties().decode(b"\x80\x00\x01\xff")
    assert received.content_type == b"\xff"
    message = from_pika(received, b"")
    assert message.basic.content_type == "\udcff"
    assert sent(to_pika(message).properties) == message.basic


def test_from_pika_reads_the_method_and_a_text_body() -> None:
    method = pika.spec.Basic.Deliver("tag", 1, False, "an exchange", "a key")
    message = from_pika(pika.BasicProperties(), "é", method)
    assert (message.exchange, message.routing_key, message.payload) == ("an exchange", "a key", b"\xc3\xa9")


def test_missing_properties_are_read_as_empty() -> None:
    """`basic_publish` does the same with `properties=None`. The response of an empty queue has no body either."""
    assert from_pika(None, b"body") == Message(payload=b"body")
    with pytest.raises(EncodeError, match="payload is None"):
        from_pika(None, None)  # type: ignore[arg-type]  # basic_get returns None for an empty queue
    with pytest.raises(EncodeError, match=r"basic is \{\}: not pika's BasicProperties"):
        from_pika({}, b"body")


NAIVE = datetime(2020, 1, 1, 12)  # noqa: DTZ001 - the test needs a time without a zone


def test_times_are_utc_and_whole_seconds() -> None:
    for time in (NAIVE, NAIVE.replace(tzinfo=UTC) + timedelta(milliseconds=999)):
        properties = pika.BasicProperties(headers={"t": time})
        assert from_pika(properties, b"").basic.headers == [Entry("t", "timestamp", 1577880000)]
        assert sent(properties).headers == [Entry("t", "timestamp", 1577880000)]


@pytest.mark.parametrize(
    ("properties", "field", "shown"),
    [
        ({"priority": 256}, "basic.priority", "256"),
        ({"timestamp": 1.5}, "basic.timestamp", "1.5"),
        ({"content_type": "é" * 128}, "basic.content_type", "'éé"),
        ({"content_type": "\ud800"}, "basic.content_type", "\\ud800"),
        ({"message_id": 7}, "basic.message_id", "7"),
        ({"headers": {"k": [1, 2.5]}}, 'basic.headers["k"][1]', "2.5"),
        ({"headers": {"k": {"deep": 2**63}}}, 'basic.headers["k"]["deep"]', "9223372036854775808"),
        ({"headers": {"k": Decimal(2**31)}}, 'basic.headers["k"]', "2147483648"),
        ({"headers": {"k": Decimal("1e400")}}, 'basic.headers["k"]', "1E+400"),
        ({"headers": {"k": Decimal("NaN")}}, 'basic.headers["k"]', "NaN"),
        ({"headers": {"k": datetime(1969, 1, 1, tzinfo=UTC)}}, 'basic.headers["k"]', "1969"),
        ({"headers": {1: "x"}}, 'basic.headers["1"]', "1"),
        ({"headers": [("k", 1)]}, "basic.headers", "[('k', 1)]"),
    ],
)
def test_from_pika_rejects_invalid_properties(properties: dict[str, Any], field: str, shown: str) -> None:
    with pytest.raises(EncodeError) as raised:
        from_pika(pika.BasicProperties(**properties), b"")
    assert raised.value.field == field
    assert shown in raised.value.message


def test_from_pika_rejects_a_body_with_lone_surrogates() -> None:
    with pytest.raises(EncodeError, match=r"^payload is .*: not valid UTF-8$"):
        from_pika(None, "\ud800")


@pytest.mark.parametrize(
    ("basic", "field"),
    [
        (BasicProperties(content_type="\ud800"), "basic.content_type"),
        (BasicProperties(headers=[Entry("\ud800", "bool", True)]), 'basic.headers["\ud800"]'),
    ],
)
def test_to_pika_rejects_lone_surrogates(basic: BasicProperties, field: str) -> None:
    with pytest.raises(EncodeError, match="not valid UTF-8") as raised:
        to_pika(Message(basic))
    assert raised.value.field == field


class Kind(str, Enum):  # noqa: UP042 - a StrEnum's str() is its value
    JSON = "application/json"


def test_a_member_of_an_enum_is_read_as_the_text_that_pika_sends() -> None:
    given = pika.BasicProperties(content_type=Kind.JSON, headers={Kind.JSON: Kind.JSON})
    expected = BasicProperties("application/json", headers=[Entry("application/json", "longstr", b"application/json")])
    assert from_pika(given, b"").basic == expected


def test_nesting_is_limited() -> None:
    deep: Any = 1
    for _ in range(200):
        deep = [deep]
    with pytest.raises(EncodeError) as raised:
        from_pika(pika.BasicProperties(headers={"k": deep}), b"")
    assert raised.value.code == "nesting"


def test_pika_reads_a_double_as_a_whole_number_and_a_decimal_exactly() -> None:
    """docs/embedding.md advises decimals for fractions (pika 599)."""
    wire = encode_properties(BasicProperties(headers=[Entry("k", "double", 1.5), Entry("d", "decimal", Decimal091(1, 15))]))
    received = pika.BasicProperties()
    received.decode(wire)
    assert received.headers == {"k": 1, "d": Decimal("1.5")}
    assert from_pika(received, b"").basic.headers == [Entry("k", "long", 1), Entry("d", "decimal", Decimal091(1, 15))]


def test_a_float_is_refused_with_the_types_that_arrive() -> None:
    with pytest.raises(EncodeError, match=r'^basic\.headers\["k"\] is 1\.5: pika sends no float, but text or a Decimal$'):
        from_pika(pika.BasicProperties(headers={"k": 1.5}), b"")
