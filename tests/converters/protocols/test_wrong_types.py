"""A value of a Python type that no field has is refused by the field's name when the message is encoded, and never written."""

from dataclasses import replace
from decimal import Decimal
from http import HTTPStatus
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mqconvert import EncodeError, decode, decode_frames, encode, encode_batch, encode_frame, frame_to_json
from mqconvert.converters.model.places import SECTION, WHOLE, Place, places
from mqconvert.converters.protocols import PROTOCOLS
from mqconvert.converters.protocols.nsq import message as nsq
from mqconvert.converters.protocols.pulsar import message as pulsar
from mqconvert.converters.protocols.rocketmq import message as rocketmq
from tests.strategies import DRAWN

WRONG: list[Any] = [object(), 3.5, 1j, bytearray(b"a"), memoryview(b"a"), {"a": 1}, {1}, ("a",), range(2)]
PLACES = {
    each.name: [place for place in places(each).values() if place.kind not in (SECTION, WHOLE)] for each in PROTOCOLS.ours()
}


def _with(message: Any, place: Place, value: object) -> None:
    *sections, name = place.path.split(".")
    owner = message
    for section in sections:
        owner = getattr(owner, section)
        assume(owner is not None)
    setattr(owner, name, value)


@pytest.mark.parametrize("protocol", PLACES)
@given(data=st.data())
def test_a_value_of_a_wrong_type_is_refused_by_name(protocol: str, data: st.DataObject) -> None:
    message = data.draw(DRAWN[protocol])
    place = data.draw(st.sampled_from(PLACES[protocol]))
    try:
        before = decode(protocol, encode(message))
    except EncodeError:
        return  # the message is wrong already, elsewhere
    _with(message, place, data.draw(st.sampled_from(WRONG)))
    try:
        written = encode(message)
    except EncodeError as error:
        named, words = (error.field or "").removeprefix("[0]."), error.message
        assert "between" not in words
        assert named.startswith(place.path) or place.path.endswith(f".{named}"), named
    else:  # no field of this frame, such as the packet identifier at QoS 0
        assert decode(protocol, written) == before


UNKNOWN = b"\x0a\x01a"
"""A field that the metadata of messages and of members have."""

ENTRY = pulsar.BrokerEntryMetadata(unknown=b"\x08\x01")


@pytest.mark.parametrize("wrong", [True, 1.0, "1", -1])
@pytest.mark.parametrize("name", ["batch_index", "batch_size"])
@pytest.mark.parametrize("message_class", [nsq.Message, rocketmq.Message], ids=["nsq", "rocketmq"])
def test_encode_batch_names_the_wrong_place_in_a_batch(message_class: Any, name: str, wrong: Any) -> None:
    message = message_class(topic="t", **{name: wrong})
    with pytest.raises(EncodeError) as raised:
        encode_batch([message])
    assert (raised.value.code, (raised.value.field or "").removeprefix("[0].")) == ("bad_value", name)


@pytest.mark.parametrize(
    ("message", "field"),
    [
        (pulsar.Message(unknown=UNKNOWN), "unknown"),
        (pulsar.Message(broker_entry_metadata=ENTRY), "broker_entry_metadata.unknown"),
        (pulsar.Message(batch=pulsar.Batch(1, 0, unknown=UNKNOWN)), "[0].batch.unknown"),
        (pulsar.Message(batch=pulsar.Batch(1, 0), unknown=UNKNOWN), "[0].unknown"),
    ],
)
def test_unknown_fields_that_are_known_are_refused_by_their_place(message: pulsar.Message, field: str) -> None:
    with pytest.raises(EncodeError) as raised:
        encode(replace(message, producer_name="p", sequence_id=0, publish_time=0))
    assert (raised.value.code, raised.value.field) == ("bad_value", field)


def test_raw_properties_over_the_limit_are_named() -> None:
    with pytest.raises(EncodeError) as raised:
        encode(rocketmq.Message(topic="t", raw_properties="p" * 40_000))
    assert (raised.value.code, raised.value.field) == ("too_large", "raw_properties")


[PING] = decode_frames("pulsar", bytes.fromhex("00000009000000050812920100"))
STRANGE: list[Any] = [object(), 3.5, 1j, True, b"1", bytearray(b"a"), memoryview(b"a"), {1}, [1], Decimal(1), HTTPStatus.OK]


@pytest.mark.parametrize("wrong", STRANGE, ids=lambda wrong: type(wrong).__name__)
@pytest.mark.parametrize("name", ["code", "flag", "language", "version", "opaque", "remark", "serialize_type"])
@pytest.mark.parametrize("header", ["JSON", "ROCKETMQ"])
@pytest.mark.parametrize("call", [encode_frame, frame_to_json])
def test_a_frame_of_rocketmq_names_a_field_of_a_wrong_type(call: Any, header: str, name: str, wrong: Any) -> None:
    frame = replace(rocketmq.Frame(10, serialize_type=header), **{name: wrong})
    with pytest.raises(EncodeError) as raised:
        call("rocketmq", frame)
    assert (raised.value.code, raised.value.field) == ("bad_value", name)


@pytest.mark.parametrize("wrong", [object(), b"1", {1}, float("nan"), Decimal(1)], ids=lambda wrong: type(wrong).__name__)
def test_json_of_a_frame_has_no_member_that_json_cannot_hold(wrong: Any) -> None:
    with pytest.raises(EncodeError) as raised:
        frame_to_json("rocketmq", rocketmq.Frame(10, other_members={"a": wrong}))
    assert (raised.value.code, raised.value.field) == ("bad_value", "other_members")


@pytest.mark.parametrize(
    ("name", "wrong"), [("payload", "text"), ("payload", b"a"), ("payload", None), ("checksum", 1), ("checksum", "no")]
)
def test_a_command_of_pulsar_without_metadata_hides_no_payload(name: str, wrong: Any) -> None:
    frame = replace(PING, **{name: wrong})
    with pytest.raises(EncodeError) as raised:
        encode_frame("pulsar", frame)
    assert (raised.value.code, raised.value.field) == ("bad_value", name)
