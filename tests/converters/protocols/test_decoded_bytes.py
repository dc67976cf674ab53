"""Every decoded message survives JSON unchanged and can be encoded. The search starts from wire bytes, not from valid messages.

It mutates bytes of real clients and brokers (vectors, hub cases, corpora) and of messages that strategies draw. It corrects
lengths and checksums around them, so that the mutation reaches the content.
"""

import json
import struct
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import google_crc32c
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import PROTOCOLS, DecodeError, convert, decode_all, encode, message_from_json, message_to_json
from mqconvert.converters.protocols.rocketmq import codec as rocketmq_codec
from mqconvert.converters.protocols.rocketmq import message as rocketmq
from tests import corpus
from tests.corpus import same_form
from tests.hub import cases
from tests.refusals import unread
from tests.strategies import DRAWN, examples
from tests.vectors import vectors

BROKERS = ("nsq", "phpmq", "rocketmq", "pulsar")
SOURCES = {"amqp10": "amqp-1.0", "amqp091": "amqp-0.9.1", "mqtt5": "mqtt-5.0"}


def _corpora(protocol: str) -> Iterator[bytes]:
    for pair in corpus.PAIRS:
        if SOURCES[pair.partition("_to_")[0]] == protocol:
            for case in corpus.lines(pair):
                given = case["input"]
                yield bytes.fromhex(given["wire"]) if "wire" in given else encode(corpus.read(protocol, given))


@cache
def seeds(protocol: str) -> list[bytes]:
    """Return wire bytes of a protocol from other software."""
    found: list[bytes] = []
    if protocol in BROKERS:
        found += [vector["wire"] for vector in vectors(protocol)]
        found += [bytes.fromhex(case["input"]) for case in cases(protocol)]
    elif protocol == "mqtt-3.1.1":
        found += [encode(convert(wire, protocol, source="mqtt-5.0").message) for wire in list(_decodable("mqtt-5.0"))[:300]]
    else:
        found += _corpora(protocol)
        found += [bytes.fromhex(case["wire"]) for case in cases("amqp") if protocol == "amqp-1.0"]
    return [wire for wire in dict.fromkeys(found) if len(wire) < 4096]


def _decodable(protocol: str) -> Iterator[bytes]:
    for wire in seeds(protocol):
        try:
            decode_all(protocol, wire)
        except DecodeError:
            continue
        yield wire


def _sized(wire: bytes) -> bytes:
    return struct.pack(">I", len(wire) - 4) + wire[4:]


def _checked(wire: bytes) -> bytes:
    """Return a frame of Pulsar with correct size and checksum; the checksum covers the bytes after its magic."""
    at = wire.find(b"\x0e\x01") + 2  # the magic of the checksum
    if at > 1 and len(wire) > at + 4:
        wire = wire[:at] + struct.pack(">I", google_crc32c.value(wire[at + 4 :])) + wire[at + 4 :]
    return _sized(wire)


REPAIRS: dict[str, Callable[[bytes], bytes]] = {"rocketmq": _sized, "pulsar": _checked}


@st.composite
def changed(draw: st.DrawFn, protocol: str) -> bytes:
    """Draw wire bytes with some bytes changed, inserted, removed, or copied from other wires."""
    found = seeds(protocol)
    wire = bytearray(draw(st.sampled_from(found) | DRAWN[protocol].map(_encoded)))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(wire)))
        raw = draw(st.binary(min_size=1, max_size=3) | st.sampled_from([b"\0", b"\1", b"\x7f", b"\x80", b"\xff"]))
        wire[at : at + draw(st.integers(0, 3))] = raw[: draw(st.integers(0, 3))]
    if draw(st.booleans()):
        other = draw(st.sampled_from(found))
        at, start = draw(st.integers(0, len(wire))), draw(st.integers(0, len(other)))
        wire[at:at] = other[start : start + draw(st.integers(0, 20))]
    if protocol in REPAIRS and len(wire) >= 4 and draw(st.booleans()):
        return REPAIRS[protocol](bytes(wire))
    return bytes(wire)


def _encoded(message: Any) -> bytes:
    return encode(message)[:4096]


def check(protocol: str, wire: bytes) -> None:
    """Assert that messages decoded from the bytes survive JSON, and can be encoded and decoded again."""
    try:
        messages = decode_all(protocol, wire)
    except DecodeError:
        return
    for message in messages:
        form = json.loads(json.dumps(message_to_json(message), allow_nan=False))
        back = message_from_json(form)
        assert same_form(back) == same_form(message), form
        (again,) = decode_all(protocol, encode(back))
        assert encode(again) == encode(back), form


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_messages_of_other_writers_go_to_json_and_encode(protocol: str) -> None:
    assert len(seeds(protocol)) > 50
    for wire in seeds(protocol):
        check(protocol, wire)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@examples(300)
@given(data=st.data())
def test_decoded_bytes_convert_to_json_and_encode(protocol: str, data: st.DataObject) -> None:
    check(protocol, data.draw(changed(protocol)))


# ---- regressions found by the search --------------------------------------------------------------------------------------


def _request(**fields: str) -> bytes:
    [frame] = rocketmq_codec.decode_frames(rocketmq_codec.encode(rocketmq.Message("t", b"a", queue_id=0, born_timestamp=1)))
    frame.ext_fields = [(name, fields.get(name, value)) for name, value in frame.ext_fields or ()] + [
        (name, text) for name, text in fields.items() if name not in dict(frame.ext_fields or ())
    ]
    return rocketmq_codec.encode_frame(frame)


@pytest.mark.parametrize(
    ("fields", "refused"),
    [
        ({"b": ""}, ("bad_topic", "topic")),
        ({"b": "a/b"}, ("bad_topic", "topic")),
        ({"b": "t" * 128}, ("bad_topic", "topic")),
        ({"i": "k\x01" + "v" * 32766 + "\x02"}, ("too_large", "properties")),
        ({"i": "k\x01" + "é" * 16383 + "\x02"}, ("too_large", "properties")),
    ],
)
def test_rocketmq_requests_that_brokers_refuse_are_refused(fields: dict[str, str], refused: tuple[str, str]) -> None:
    code, offset, field = unread(rocketmq_codec.decode, wire := _request(**fields))
    assert (code, field) == refused
    assert offset is not None
    assert 0 <= offset <= len(wire)
    assert rocketmq_codec.decode(_request(i="k\x01" + "v" * 32764 + "\x02")).properties == [("k", "v" * 32764)]


def test_a_decoded_rocketmq_body_encodes() -> None:
    message = rocketmq.Message("t", bytes(5 * 2**20), born_timestamp=1, queue_id=0)
    for made in (message, replace(message, store_timestamp=2, frame="record")):
        (read,) = decode_all("rocketmq", encode(made))
        assert encode(read) == encode(made)
        assert decode_all("rocketmq", encode(made, compress="ZLIB")) == [read]
