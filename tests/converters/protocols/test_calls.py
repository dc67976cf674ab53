"""The four functions that every interface calls: options are checked by the codec's own signature."""

from typing import Any

import pytest

from mqconvert import (
    DecodeError,
    EncodeError,
    NoRouteError,
    decode_each,
    decode_frames,
    encode_frame,
    frame_from_json,
    frame_to_json,
    options_for,
)


@pytest.mark.parametrize(
    ("options", "lower_only", "field"),
    [
        ({"colour": "red"}, False, "colour"),
        ({"max_decompressed": "many"}, False, "max_decompressed"),
        ({"max_decompressed": -1}, False, "max_decompressed"),
        ({"max_decompressed": True}, False, "max_decompressed"),
        ({"direction": 1}, False, "direction"),
        ({"check_identify": 1}, False, "check_identify"),
        ({"max_decompressed": 2**40}, True, "max_decompressed"),
    ],
)
def test_unknown_and_invalid_options_are_refused(options: dict[str, Any], lower_only: bool, field: str) -> None:
    with pytest.raises(DecodeError) as caught:
        options_for([("nsq", "decode_frames")], options, lower_only=lower_only)
    assert (caught.value.kind, caught.value.field) == ("bad_option", field)


def test_booleans_are_refused_as_limits() -> None:
    for flag in (True, False):
        given = {"check_identify": flag}
        assert options_for([("nsq", "decode_frames")], given, lower_only=True) == [given]


def test_options_reach_the_codec() -> None:
    assert len(decode_frames("nsq", b"NOP\n", direction="C2S", max_decompressed=2**40)) == 1
    with pytest.raises(DecodeError) as caught:
        decode_frames("nsq", b"NOP\n", direction="S2C")
    assert caught.value.kind == "bad_length"


def test_decode_each_yields_an_error_that_ends_the_data_after_the_messages_before() -> None:
    found = decode_each("mqtt-5.0", bytes.fromhex("30060001740068693006000174006869c0"))
    assert [type(one).__name__ for one in found] == ["Message", "Message", "DecodeError"]
    assert list(found) == []


def test_decode_each_raises_for_invalid_options_at_once() -> None:
    with pytest.raises(DecodeError) as caught:
        decode_each("mqtt-5.0", b"", colour="red")
    assert caught.value.kind == "bad_option"


@pytest.mark.parametrize("function", [decode_frames, encode_frame, frame_to_json, frame_from_json])
def test_frame_calls_reject_a_protocol_without_frames(function: Any) -> None:
    with pytest.raises(NoRouteError) as caught:
        function("mqtt-5.0", b"")
    assert caught.value.code == "no_frames"


@pytest.mark.parametrize("other", [None, 5, "x", {}])
@pytest.mark.parametrize("function", [encode_frame, frame_to_json])
@pytest.mark.parametrize("protocol", ["nsq", "phpmq", "rocketmq", "pulsar"])
def test_an_object_that_is_no_frame_is_refused(protocol: str, function: Any, other: Any) -> None:
    with pytest.raises(EncodeError) as caught:
        function(protocol, other)
    assert caught.value.field == ("type" if protocol == "phpmq" else "frame")


_SEND_FRAME = {
    "command": {"type": "SEND", "send": {"producer_id": 0, "sequence_id": 0}},
    "metadata": {"producer_name": "p", "sequence_id": 0, "publish_time": 1},
}


@pytest.mark.parametrize(
    ("protocol", "form", "field"),
    [
        ("rocketmq", {"code": 34}, "opaque"),
        ("rocketmq", {"code": 34}, "serialize_type_current_rpc"),
        ("rocketmq", {"code": 34}, "ext_fields"),
        ("pulsar", _SEND_FRAME, "checksum"),
    ],
)
def test_a_field_that_json_cannot_hold_is_named(protocol: str, form: Any, field: str) -> None:
    frame = frame_from_json(protocol, form)
    setattr(frame, field, object())
    with pytest.raises(EncodeError) as caught:
        frame_to_json(protocol, frame)
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("protocol", "form", "field"),
    [
        ("nsq", {"frame": "response", "data": None}, "data"),
        ("phpmq", {"frame": "consume", "queue": None, "count": 1}, "queue"),
        ("rocketmq", {"code": 34, "remark": None}, "remark"),
        ("pulsar", _SEND_FRAME | {"payload": None}, "payload"),
    ],
)
def test_an_unset_field_of_a_frame_is_left_out(protocol: str, form: Any, field: str) -> None:
    with pytest.raises(DecodeError) as caught:
        frame_from_json(protocol, form)
    assert (caught.value.kind, caught.value.field) == ("bad_json", field)


def test_an_unknown_member_of_a_frame_is_told_the_known_ones() -> None:
    with pytest.raises(DecodeError, match="did you mean 'language'"):
        frame_from_json("rocketmq", {"code": 34, "langauge": "GO"})
    with pytest.raises(DecodeError, match="known: payload, checksum, command"):
        frame_from_json("pulsar", {"x": 1})
