"""Rows of NSQ's commands and frames: their fields, and the objects of IDENTIFY that nsqd accepts."""

import json
import struct
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import DecodeError
from mqconvert.converters.protocols.nsq import codec as nsq
from mqconvert.converters.protocols.nsq.commands import COMMANDS, DELIVERY, FRAMED, KINDS, Command, identify_fault
from mqconvert.converters.protocols.nsq.message import Frame, Identify
from tests.vectors import tagged


def test_every_frame_has_a_row_of_its_fields() -> None:
    assert {kind.of for kind in KINDS.values()} == {*get_args(Frame)}
    for kind in KINDS.values():
        assert not isinstance(kind, Command) or {*kind.parameters, kind.body} - {""} <= {*kind.types}


def test_identify_beyond_the_defaults_is_read_without_checks() -> None:
    wire = nsq.encode_frame(Identify(b'{"heartbeat_interval":120000}'))
    assert nsq.decode_frames(wire, check_identify=False) == [Identify(b'{"heartbeat_interval":120000}')]
    with pytest.raises(DecodeError, match="not between 1000 and 60000"):
        nsq.decode_frames(wire)


@pytest.mark.parametrize("vector", tagged("nsq", "command", without=("malformed",)))
def test_commands_of_the_vectors_have_a_row_of_their_parameters(vector: dict[str, Any]) -> None:
    """A line has the command's name and a word for each parameter of its row, at most."""
    line, _, body = vector["wire"].partition(b"\n")
    name, *words = line.decode().split()
    row = COMMANDS[name]
    assert name == vector["fields"]["command"]
    assert [str(vector["fields"].get(field)) for field in row.parameters[: len(words)]] == words[: len(row.parameters)]
    assert row.optional or len(words) >= len(row.parameters)
    assert bool(body) is bool(row.body)


@pytest.mark.parametrize("vector", tagged("nsq", "frame", without=("malformed",)))
def test_frames_of_the_vectors_have_the_type_of_their_row(vector: dict[str, Any]) -> None:
    held = vector["fields"]
    size, type_ = struct.unpack_from(">ii", vector["wire"])
    assert type_ == FRAMED[held["frame_type_name"]].type
    if "message" in held:
        known = held["message"]
        values = size, type_, known["timestamp_ns"], known["attempts"], known["id"].encode()
        assert struct.unpack_from(DELIVERY, vector["wire"]) == values


BOUNDS = {
    "heartbeat_interval": (1000, 60_000), "output_buffer_size": (64, 64 * 1024), "output_buffer_timeout": (25, 30_000),
    "sample_rate": (0, 99), "msg_timeout": (1000, 15 * 60 * 1000),
}  # fmt: skip
"""From nsqd's Options and client_v2.go: numbers that it accepts by default, in bytes, percent and milliseconds."""


@pytest.mark.parametrize("name", BOUNDS)
def test_only_numbers_within_nsqds_bounds_are_accepted_by_default(name: str) -> None:
    low, high = BOUNDS[name]
    for number, accepted in ((low, True), (high, True), (low - 1, False), (high + 1, False)):
        body = json.dumps({name: number}).encode()
        assert (identify_fault(body, True) is None) is accepted
        assert identify_fault(body, False) is None


@pytest.mark.parametrize(
    ("name", "number", "accepted"),
    [
        ("heartbeat_interval", -1, True),  # off
        ("output_buffer_size", -1, True),
        ("output_buffer_timeout", -1, True),
        ("msg_timeout", 0, True),  # the default of nsqd
        ("msg_timeout", -1, False),
        ("sample_rate", -1, False),
    ],
)
def test_some_numbers_mean_off_or_the_default(name: str, number: int, accepted: bool) -> None:
    assert (identify_fault(json.dumps({name: number}).encode(), True) is None) is accepted


@given(st.dictionaries(st.sampled_from(["client_id", "tls_v1", "msg_timeout", "other"]), st.none() | st.booleans() | st.text()))
def test_known_members_of_identify_have_their_types(members: dict[str, object]) -> None:
    """Members that are null or unknown are ignored; a truth value is no number."""
    wanted = {"client_id": str, "tls_v1": bool, "msg_timeout": int}
    wrong = [name for name, value in members.items() if value is not None and type(value) is not wanted.get(name, type(value))]
    fault = identify_fault(json.dumps(members).encode(), False)
    assert (fault is not None) is bool(wrong)
    assert fault is None or fault.partition(" ")[0] in wrong


@pytest.mark.parametrize("body", [b"", b"[]", b"null", b"{", b'{"a":NaN}', b"\xff", b'{"client_id":"a"} x'])
def test_other_bytes_are_no_object(body: bytes) -> None:
    assert identify_fault(body, False) == "not a JSON object"
