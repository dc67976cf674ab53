"""qpid-proton: `from_proton` matches the bytes of its encoder, which writes the message from the objects of `to_proton`."""

import math
import uuid
from typing import Any

import proton
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import Array, Described, EncodeError, Entry, LossError, TypedValue, encode
from mqconvert.clients import from_proton, to_proton
from mqconvert.converters.model.paths import path
from mqconvert.converters.protocols.amqp10 import codec as amqp10
from mqconvert.converters.protocols.amqp10.message import AmqpSequence, AmqpValue, Data, Header, Message, Properties
from tests.corpus import same_form
from tests.entries import by_key, pair
from tests.strategies import TEXT, amqp10_messages

ASCII = st.text(st.characters(max_codepoint=127, exclude_characters="\0"), max_size=20)


def unsigned(bits: int) -> st.SearchStrategy[int]:
    return st.integers(0, 2**bits - 1)


def signed(bits: int) -> st.SearchStrategy[int]:
    return st.integers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


INTEGERS = {"BYTE": 8, "SHORT": 16, "INT": 32, "LONG": 64}
"""The signed integers and their bits; each has an unsigned counterpart."""
PLAIN: dict[int, st.SearchStrategy[Any]] = {
    proton.Data.NULL: st.none(),
    proton.Data.BOOL: st.booleans(),
    proton.Data.UBYTE: unsigned(8).map(proton.ubyte),
    proton.Data.USHORT: unsigned(16).map(proton.ushort),
    proton.Data.UINT: unsigned(32).map(proton.uint),
    proton.Data.ULONG: unsigned(64).map(proton.ulong),
    proton.Data.BYTE: signed(8).map(proton.byte),
    proton.Data.SHORT: signed(16).map(proton.short),
    proton.Data.INT: signed(32).map(proton.int32),
    proton.Data.LONG: signed(64),
    proton.Data.FLOAT: st.floats(width=32, allow_nan=False).map(proton.float32),
    proton.Data.DOUBLE: st.floats(allow_nan=False),
    proton.Data.DECIMAL32: unsigned(32).map(proton.decimal32),
    proton.Data.DECIMAL64: unsigned(64).map(proton.decimal64),
    proton.Data.DECIMAL128: st.binary(min_size=16, max_size=16).map(proton.decimal128),
    proton.Data.CHAR: st.characters().map(proton.char),
    proton.Data.TIMESTAMP: signed(64).map(proton.timestamp),
    proton.Data.UUID: st.uuids(),
    proton.Data.BINARY: st.binary(max_size=20),
    proton.Data.STRING: TEXT,
    proton.Data.SYMBOL: ASCII.map(proton.symbol),
}
SIMPLE = st.one_of(list(PLAIN.values()))


def compound(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    descriptors = ASCII.map(proton.symbol) | unsigned(64).map(proton.ulong)
    arrays = st.sampled_from(sorted(PLAIN)).flatmap(
        lambda of: st.tuples(st.just(proton.UNDESCRIBED) | descriptors, st.lists(PLAIN[of], max_size=3)).map(
            lambda made: proton.Array(made[0], of, *made[1])
        )
    )
    return st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(SIMPLE, inner, max_size=3),
        st.builds(proton.Described, descriptors, inner),
        arrays,
    )


UNDESCRIBED: Any = proton.UNDESCRIBED
VALUES = st.recursive(SIMPLE, compound, max_leaves=6)
ANNOTATIONS = st.none() | st.dictionaries(ASCII.map(proton.symbol) | unsigned(64).map(proton.ulong), VALUES, max_size=3)
IDS = st.one_of(st.none(), unsigned(64), st.uuids(), st.binary(max_size=20), TEXT)
SYMBOLS = ASCII.filter(lambda text: text != "None")  # proton writes "None" for an unset value
TIMES = st.integers(-(2**42), 2**42).map(lambda milliseconds: milliseconds / 1000)
OBJECTS = st.fixed_dictionaries(
    {"body": VALUES, "inferred": st.booleans()},
    optional={
        "durable": st.booleans(),
        "priority": unsigned(8),
        "ttl": unsigned(32).map(lambda milliseconds: milliseconds / 1000),
        "first_acquirer": st.booleans(),
        "delivery_count": unsigned(32),
        "id": IDS,
        "correlation_id": IDS,
        "user_id": st.binary(min_size=1, max_size=20),
        "address": TEXT,
        "subject": TEXT,
        "reply_to": TEXT,
        "content_type": SYMBOLS,
        "content_encoding": SYMBOLS,
        "expiry_time": TIMES,
        "creation_time": TIMES,
        "group_id": TEXT,
        "group_sequence": unsigned(32),
        "reply_to_group_id": TEXT,
        "instructions": ANNOTATIONS,
        "annotations": ANNOTATIONS,
        "properties": st.none() | st.dictionaries(TEXT, SIMPLE, max_size=4),
    },
)


def sent(message: proton.Message) -> Message:
    """Return the output of proton's encoder, without the empty sections that it always writes."""
    made = amqp10.decode(bytes(message.encode()))
    made.header = None if made.header == Header() else made.header
    made.properties = None if made.properties == Properties() else made.properties
    return made


@given(OBJECTS)
def test_from_proton_gives_the_message_that_proton_sends(values: dict[str, Any]) -> None:
    message = proton.Message(**values)
    assert from_proton(message) == sent(message)


@given(OBJECTS)
def test_objects_of_proton_round_trip(values: dict[str, Any]) -> None:
    message = proton.Message(**values)
    made = to_proton(from_proton(message))
    assert [lost for lost in made.lost if lost.field != "body"] == []  # proton sends no body for None with `inferred`
    assert bytes(made.message.encode()) == bytes(message.encode())


def readable(value: Any) -> bool:
    """Return whether proton can read the value: not a described value in another one, and no binary keys of maps."""
    if isinstance(value, proton.Described):
        return not isinstance(value.value, proton.Described) and readable(value.value)
    if isinstance(value, dict):
        return all(not isinstance(key, bytes) and readable(item) for key, item in value.items())
    return not isinstance(value, list) or all(map(readable, value))


@given(OBJECTS.filter(readable))
def test_proton_sends_a_read_message_unchanged(values: dict[str, Any]) -> None:
    received = proton.Message()
    received.decode(bytes(proton.Message(**values).encode()))
    assert from_proton(received) == sent(received)


@given(amqp10_messages())
def test_proton_sends_everything_but_the_reported_losses(message: Message) -> None:
    made = to_proton(message)
    back = sent(made.message)
    lost = {entry.field for entry in made.lost}
    expected = amqp10.decode(encode(message))
    for name in ("delivery_annotations", "message_annotations", "application_properties"):
        before, after = getattr(expected, name), by_key(getattr(back, name))
        for key, value in map(pair, before or []):
            kept = after.pop(key, None)
            if not any(field.startswith(path(name, key)) for field in lost):
                assert same_form(kept) == same_form(value)
        assert not after
    if not any(field.startswith("body") for field in lost):
        assert same_form(back.body) == same_form(expected.body)
    assert back.footer is None
    assert ("footer" in lost) == (message.footer is not None)
    defaults = Header(False, 4, None, False, 0)
    for section, section_back, blank in (
        ("header", back.header or Header(), defaults),
        ("properties", back.properties or Properties(), Properties()),
    ):
        given_section = getattr(expected, section) or type(section_back)()
        for name in type(section_back).__dataclass_fields__:
            value = getattr(given_section, name)
            if f"{section}.{name}" in lost or value == getattr(blank, name):
                assert getattr(section_back, name) in (None, 0)
            else:
                assert getattr(section_back, name) == value


@pytest.mark.parametrize(
    ("message", "field", "reason"),
    [
        (Message(body=Data([b"x"]), footer=[]), "footer", "no footer"),
        (Message(body=Data([b"x", b"y"])), "body", "2 are joined"),
        (Message(body=AmqpSequence([[], []])), "body", "2 are joined"),
        (Message(body=AmqpValue(TypedValue("null", None))), "body", "no body for null"),
        (Message(Header(ttl=0), body=Data([b"x"])), "header.ttl", "does not send 0"),
        (Message(properties=Properties(creation_time=0), body=Data([b"x"])), "properties.creation_time", "does not send 0"),
        (Message(properties=Properties(creation_time=2**62 + 1), body=Data([b""])), "properties.creation_time", "no float"),
        (Message(properties=Properties(group_sequence=0), body=Data([b"x"])), "properties.group_sequence", "does not send 0"),
        (Message(properties=Properties(subject="a\0b"), body=Data([b"x"])), "properties.subject", "NUL"),
        (
            Message(body=AmqpValue(TypedValue("map", [Entry(TypedValue("list", []), "int", 1)]))),
            'body["[]"]',
            "no dict key of type list",
        ),
        (
            Message(
                body=AmqpValue(
                    TypedValue("map", [Entry(TypedValue("int", 1), "int", 1), Entry(TypedValue("float", 1.0), "int", 2)])
                )
            ),
            'body["1.0"]',
            "a second value under the same key",
        ),
        (
            Message(
                application_properties=[
                    Entry("k", "array", Array("int", [1], (TypedValue("symbol", "a"), TypedValue("symbol", "b"))))
                ],
                body=Data([b""]),
            ),
            'application_properties["k"]',
            "one descriptor",
        ),
    ],
)
def test_losses_name_their_field(message: Message, field: str, reason: str) -> None:
    made = to_proton(message)
    assert [lost.field for lost in made.lost] == [field]
    assert reason in made.lost[0].reason
    with pytest.raises(LossError):
        to_proton(message, on_loss="fail")
    made.message.encode()


def test_the_path_of_a_long_key_is_cut() -> None:
    key = TypedValue("list", [TypedValue("string", "k" * 2**20)])
    made = to_proton(Message(body=AmqpValue(TypedValue("map", [Entry(key, "boolean", True)]))))
    assert [len(lost.field) < 300 for lost in made.lost] == [True]


def test_described_and_nested_arrays_convert() -> None:
    value = Described(TypedValue("symbol", "d"), TypedValue("array", Array("array", [Array("uint", [1])])))
    message = Message(body=AmqpValue(TypedValue("described", value)))
    made = to_proton(message)
    assert made.lost == ()
    assert sent(made.message) == message


PLAIN_ELEMENTS = {
    **{getattr(proton.Data, f"U{name}"): unsigned(bits) for name, bits in INTEGERS.items()},
    **{getattr(proton.Data, name): signed(bits) for name, bits in INTEGERS.items()},
    proton.Data.ULONG: unsigned(63),  # proton converts a plain int to a signed long first
    proton.Data.CHAR: st.characters().map(ord),
    proton.Data.TIMESTAMP: signed(64),
    proton.Data.SYMBOL: ASCII | ASCII.map(str.encode),
    proton.Data.STRING: TEXT | TEXT.map(str.encode),
    proton.Data.BINARY: TEXT | st.binary(max_size=20),
}
"""Elements of class int, str and bytes, by the type of the array."""


ARRAYS = st.sampled_from(sorted(PLAIN_ELEMENTS)).flatmap(
    lambda of: st.tuples(st.just(of), st.lists(PLAIN_ELEMENTS[of] | PLAIN[of], min_size=1, max_size=4))
)


@given(ARRAYS, st.just(proton.UNDESCRIBED) | ASCII.map(proton.symbol))
def test_arrays_of_plain_values_have_the_type_that_proton_sends(array: tuple[int, list[Any]], descriptor: Any) -> None:
    of, elements = array
    made: Any = proton.Array(descriptor, of, *elements)
    message = proton.Message(made)
    assert from_proton(message) == sent(message)


@given(signed(64))
def test_times_are_exact_or_lost(milliseconds: int) -> None:
    made = to_proton(Message(properties=Properties(creation_time=milliseconds), body=Data([b""])))
    back = sent(made.message).properties
    assert (back.creation_time if back else None) == (None if made.lost else milliseconds)
    if 0 < abs(milliseconds) < 2**52:
        assert not made.lost


@pytest.mark.parametrize(
    ("values", "field", "shown"),
    [
        ({"properties": {"k": proton.ubyte(256)}}, 'application_properties["k"]', "ubyte(256)"),
        ({"properties": {"k": 2**63}}, 'application_properties["k"]', "9223372036854775808"),
        ({"properties": {"k": {1, 2}}}, 'application_properties["k"]', "{1, 2}"),
        ({"properties": {proton.symbol("k"): 1}}, 'application_properties["k"]', "symbol('k')"),
        ({"properties": {5: 1}}, 'application_properties["5"]', "5"),
        ({"body": {proton.symbol("k"): object}}, 'body["k"]', "<class 'object'>"),
        ({"body": {proton.ubyte(5): object}}, "body[5]", "<class 'object'>"),
        ({"properties": [1]}, "application_properties", "[1]"),
        ({"annotations": {5: 1}}, "message_annotations[5]", "5"),
        ({"annotations": {"é": 1}}, 'message_annotations["é"]', "'é'"),
        ({"instructions": {"x-k": [1, object]}}, 'delivery_annotations["x-k"][1]', "<class 'object'>"),
        ({"body": proton.char("ab")}, "body", "char('ab')"),
        ({"body": proton.float32(1e300)}, "body", "1e+300"),
        ({"body": proton.decimal32(2**32)}, "body", "decimal32(4294967296)"),
        ({"body": proton.decimal128(b"short")}, "body", "b'short'"),
        ({"body": "\ud800"}, "body", "\\ud800"),
        ({"body": proton.Array(UNDESCRIBED, proton.Data.UINT, proton.uint(1), "x")}, "body[1]", "'x'"),
        ({"body": proton.Array(UNDESCRIBED, proton.Data.BYTE, 1, 128)}, "body[1]", "128"),
        ({"body": proton.Array(UNDESCRIBED, proton.Data.UINT, -1)}, "body[0]", "-1"),
        ({"body": proton.Array(UNDESCRIBED, proton.Data.ULONG, 2**63)}, "body[0]", "9223372036854775808"),
        ({"body": proton.Array(UNDESCRIBED, proton.Data.BOOL, 1)}, "body[0]", "1"),
        ({"body": proton.Array(UNDESCRIBED, proton.Data.CHAR, "a")}, "body[0]", "'a'"),
        ({"body": proton.Array(UNDESCRIBED, proton.Data.FLOAT, 1.5)}, "body[0]", "1.5"),
        ({"body": proton.Array(UNDESCRIBED, proton.Data.SYMBOL, "é")}, "body[0]", "'é'"),
        ({"body": proton.Array(UNDESCRIBED, proton.Data.STRING, b"\xff")}, "body[0]", "b'\\xff'"),
        ({"body": proton.Array(UNDESCRIBED, 99)}, "body", "99"),
        ({"body": {"k": proton.Described(proton.symbol("é"), 1)}}, 'body["k"].descriptor', "'é'"),
        ({"content_type": "é"}, "properties.content_type", "'é'"),
    ],
)
def test_from_proton_rejects_invalid_fields(values: dict[str, Any], field: str, shown: str) -> None:
    with pytest.raises(EncodeError) as raised:
        from_proton(proton.Message(**values))
    assert raised.value.field == field
    assert shown in raised.value.message


def test_nesting_is_limited() -> None:
    deep: Any = 1
    for _ in range(200):
        deep = [deep]
    with pytest.raises(EncodeError) as raised:
        from_proton(proton.Message(deep))
    assert raised.value.code == "nesting"


def test_a_received_binary_stays_valid_without_its_message() -> None:
    received = proton.Message()
    received.decode(bytes(proton.Message(b"body", id=b"id", inferred=True).encode()))
    message = from_proton(received)
    assert message.body == Data([b"body"])
    assert message.properties is not None
    assert message.properties.message_id == TypedValue("binary", b"id")
    assert from_proton(proton.Message(uuid.UUID(int=1))).body == AmqpValue(TypedValue("uuid", bytes(15) + b"\x01"))
    assert math.isnan(from_proton(proton.Message(math.nan)).body.value.value)  # type: ignore[union-attr]  # the body is an amqp-value
