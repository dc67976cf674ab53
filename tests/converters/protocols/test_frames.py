"""Frames of the brokers in JSON: every frame that decodes has a strict JSON form, from which it returns."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import MqConvertError, decode_frames, encode_frame, frame_from_json, frame_to_json
from tests.strategies import BROKERS
from tests.vectors import vectors

_PIECES = [b"\0", b"\xff", b"\x7f", b"\x80", b"1e999", b"NaN", b"-0", b'"\\ud800"', b"\xc3\xa9", b"{", b"]", b" ", b"\n"]


@pytest.mark.parametrize("protocol", BROKERS)
@given(data=st.data())
def test_frames_of_changed_bytes_return_from_json(protocol: str, data: st.DataObject) -> None:
    wires = [vector["wire"] for vector in vectors(protocol) if 0 < len(vector["wire"]) < 5000]
    wire = bytearray(data.draw(st.sampled_from(wires)))
    for _ in range(data.draw(st.integers(0, 4))):
        at = data.draw(st.integers(0, len(wire) - 1))
        piece = data.draw(st.sampled_from(_PIECES))
        wire[at : at + len(piece)] = piece
    try:
        frames = decode_frames(protocol, bytes(wire))
    except MqConvertError:
        return
    for frame in frames:
        written = json.dumps(frame_to_json(protocol, frame), allow_nan=False)
        again = frame_from_json(protocol, json.loads(written))
        assert repr(again) == repr(frame)  # compare the repr, since NaN differs from NaN
        assert encode_frame(protocol, again) == encode_frame(protocol, frame)
