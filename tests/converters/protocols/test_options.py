"""The signatures of the codecs check options: known options reach the codec, others are refused."""

import re
import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from types import ModuleType
from typing import Any

import pytest

from mqconvert import (
    PROTOCOLS,
    DecodeError,
    EncodeError,
    MqConvertError,
    check_options,
    decode,
    decode_all,
    decode_frames,
    encode,
    encode_batch,
    options_for,
)
from mqconvert.converters.protocols import protocol_named
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from mqconvert.converters.protocols.options import FUNCTIONS, known_options, options_known
from mqconvert.converters.protocols.phpmq import message as phpmq
from mqconvert.converters.protocols.pulsar import message as pulsar
from mqconvert.converters.protocols.rocketmq import message as rocketmq
from tests.converters.protocols.nsq.streams import compress

SENT = pulsar.Message(payload=b"x" * 100, producer_name="p", sequence_id=0, publish_time=1, compression="ZLIB")
COMPRESSED = encode(SENT)
BOTH = [("pulsar", "decode_all"), ("pulsar", "encode")]


def test_limits_reach_the_decoder() -> None:
    for read in (decode, decode_all):
        assert read("pulsar", COMPRESSED, max_decompressed=100)
        refused: list[tuple[dict[str, Any], str]] = [
            ({"max_decompressed": 99}, "too_large"),
            ({"max_frame_size": 10}, "frame_too_large"),
        ]
        for options, kind in refused:
            with pytest.raises(DecodeError) as caught:
                read("pulsar", COMPRESSED, **options)
            assert caught.value.kind == kind


@pytest.mark.parametrize(
    ("protocol", "wire", "limit"),
    [
        ("nsq", b"PUB t\n\0\0\0\x02hi", "max_msg_size"),
        ("nsq", b"MPUB t\n\0\0\0\x0a\0\0\0\x01\0\0\0\x02hi", "max_body_size"),
        ("pulsar", COMPRESSED, "max_frame_size"),
        ("pulsar", COMPRESSED[:7], "max_frame_size"),
        ("pulsar", COMPRESSED, "max_decompressed"),
        ("rocketmq", encode(rocketmq.Message(topic="t", body=b"hi")), "max_frame_size"),
        ("phpmq", encode(phpmq.Message(queue=b"q", content=b"hi")), "max_content"),
    ],
)
def test_the_error_for_a_limit_names_its_option(protocol: str, wire: bytes, limit: str) -> None:
    options: dict[str, Any] = {limit: 1}
    with pytest.raises(DecodeError, match=rf" \({limit}\)"):
        decode(protocol, wire, **options)


def test_limits_reach_the_encoder() -> None:
    message = rocketmq.Message(topic="t", body=b"12345")
    for write in (encode, lambda one, **options: encode_batch([one], **options)):
        assert write(message, max_body=1000)
        with pytest.raises(EncodeError) as caught:
            write(message, max_body=4)
        assert (caught.value.code, caught.value.field) == ("too_large", "body")


@pytest.mark.parametrize(
    "call",
    [
        lambda options: decode("pulsar", COMPRESSED, **options),
        lambda options: decode_all("pulsar", COMPRESSED, **options),
        lambda options: encode(SENT, **options),
        lambda options: encode_batch([SENT], **options),
        lambda options: options_for(BOTH, options),
    ],
)
@pytest.mark.parametrize("options", [{"colour": 1}, {"max_frame_size": "1"}, {"max_frame_size": -1}, {"max_frame_size": True}])
def test_unknown_options_are_refused(call: Any, options: dict[str, Any]) -> None:
    with pytest.raises(DecodeError) as caught:
        call(options)
    assert (caught.value.kind, caught.value.field) == ("bad_option", next(iter(options)))


def test_a_function_without_options_refuses_every_option() -> None:
    with pytest.raises(DecodeError, match="known: stream, max_frames"):
        decode("mqtt-5.0", b"", limit=1)
    with pytest.raises(DecodeError, match="known: none"):
        encode(mqtt5.Message(topic_name="t"), limit=1)


@pytest.mark.parametrize("protocol", ["nsq", "phpmq", "pulsar", "rocketmq"])
def test_all_calls_of_a_codec_share_the_names_of_limits(protocol: str) -> None:
    codec: Any = protocol_named(protocol).codec_module()
    reading, writing = known_options(codec.decode_all), known_options(codec.encode)
    assert set(known_options(codec.decode_frames)) <= set(reading) | {"direction"}
    assert set(known_options(codec.encode_frame)) <= set(writing)
    if hasattr(codec, "encode_batch"):
        assert known_options(codec.encode_batch) == writing
    names = {"max_frame", "max_output", "max_size"}
    assert not names & (set(reading) | set(writing))
    assert ("max_decompressed" in reading) is (protocol != "phpmq")
    for name, option in reading.items():
        if option.annotation is int:
            options: dict[str, Any] = {name: 10}
            with pytest.raises(DecodeError):
                decode(protocol, b"", **options)  # a known option, but no input
            if name in writing:
                assert writing[name].default == option.default


def test_the_only_message_is_decoded_with_every_option() -> None:
    wire = encode_batch([replace(SENT, compression=None)])
    assert decode("pulsar", wire, max_batch=1) == decode("pulsar", wire)
    with pytest.raises(DecodeError, match="no option 'max_content'"):
        decode("rocketmq", wire, max_content=1)


def test_options_chosen_for_all_protocols_go_to_those_that_know_them() -> None:
    chosen = {"max_frame_size": 10, "max_decompressed": 20, "producer_id": 3}
    check_options(chosen)
    for protocol, function, taken in (
        ("pulsar", "decode_all", {"max_frame_size": 10, "max_decompressed": 20}),
        ("pulsar", "encode", {"max_frame_size": 10, "producer_id": 3}),
        ("nsq", "decode_frames", {"max_decompressed": 20}),
        ("mqtt-5.0", "decode_frames", {}),
        ("mqtt-5.0", "decode_all", {}),
    ):
        assert options_for([(protocol, function)], {}, chosen) == [taken]
    for wrong in ({"colour": "red"}, {"max_frame_size": "1"}, {"max_decompressed": -1}):
        with pytest.raises(DecodeError) as caught:
            check_options(wrong)
        assert (caught.value.kind, caught.value.field) == ("bad_option", next(iter(wrong)))


@pytest.mark.parametrize("protocol", ["nsq", "pulsar", "rocketmq"])
@pytest.mark.parametrize("limit", [2**63 - 2, 2**63 - 1, 2**63, 10**19 - 1])
def test_limits_may_be_as_large_as_the_length_field_allows(protocol: str, limit: int) -> None:
    compressed: dict[str, tuple[bytes, dict[str, Any]]] = {
        "nsq": (compress(b"PUB t\n\0\0\0\2hi", "deflate"), {"compression": "deflate"}),
        "pulsar": (COMPRESSED, {}),
        "rocketmq": (encode(rocketmq.Message(topic="t", body=b"hi"), compress="ZLIB"), {}),
    }
    wire, options = compressed[protocol]
    known = known_options(protocol_named(protocol).codec_module().decode_all)
    every = {name: limit for name, option in known.items() if option.annotation is int}
    assert decode(protocol, wire, **options | every) == decode(protocol, wire, **options)


DEFLATED = compress(b"PUB t\n\0\0\0\2hi", "deflate")
TEXTS: dict[tuple[str, str], Callable[[str], object]] = {
    ("nsq", "compression"): lambda value: decode("nsq", DEFLATED, compression=value),
    ("nsq", "direction"): lambda value: decode_frames("nsq", b"", direction=value),
    ("pulsar", "compress"): lambda value: encode(SENT, compress=value),
    ("rocketmq", "compress"): lambda value: encode(rocketmq.Message(topic="t", body=b"hi"), compress=value),
}
"""Calls with each option that is text."""


def test_every_text_option_declares_its_values() -> None:
    found = {
        (protocol, name)
        for protocol, function in product(PROTOCOLS, FUNCTIONS)
        for name, one in options_known(protocol, function).items()
        if one.annotation not in (int, bool)
    }
    assert found == TEXTS.keys() == {(name, option) for name in PROTOCOLS for option in PROTOCOLS[name].option_values}


@pytest.mark.parametrize(("protocol", "option"), TEXTS)
def test_the_declared_values_of_a_text_option_are_those_that_the_codec_takes(protocol: str, option: str) -> None:
    def refused(value: str) -> str:
        """Return the words that refuse a value; the bytes may be of another one."""
        try:
            TEXTS[protocol, option](value)
        except MqConvertError as error:
            return error.message if error.code in ("bad_option", "unknown_compression") else ""
        return ""

    values = PROTOCOLS[protocol].option_values[option]
    assert {value: refused(value) for value in values} == dict.fromkeys(values, "")
    assert re.findall(r"\b[A-Za-z0-9]+\b(?=,| or |$)", refused("null").rpartition(":")[2].replace("expected", "")) == list(
        values
    )


def test_keyword_options_of_other_codecs_are_those_of_decode_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    codec: Any = ModuleType("another_codec")
    exec("def decode_all(data, **options): ...\ndef decode_frames(data, *, max_size=5): ...", vars(codec))
    monkeypatch.setitem(sys.modules, codec.__name__, codec)
    assert {name: one.default for name, one in known_options(codec.decode_all).items()} == {"max_size": 5}


def test_options_go_to_the_codecs_that_know_them() -> None:
    both = {"max_frame_size": 9, "producer_id": 1, "max_batch": 2}
    assert options_for(BOTH, both) == [{"max_frame_size": 9, "max_batch": 2}, {"max_frame_size": 9, "producer_id": 1}]
    assert options_for([("amqp-1.0", "decode_all"), ("nsq", "encode")], {}) == [{}, {}]
    with pytest.raises(DecodeError, match="max_body"):
        options_for(BOTH[:1], {"max_body": 1})
    with pytest.raises(DecodeError, match="max_batch"):
        options_for(BOTH[1:], {"max_batch": 1})


def test_limits_may_only_be_lowered() -> None:
    assert options_for(BOTH, {"max_batch": 2}, {"max_batch": 3}, lower_only=True) == [{"max_batch": 2}, {}]
    for given, chosen in (({"max_batch": 4}, {"max_batch": 3}), ({"max_frame_size": 2**40}, {})):
        with pytest.raises(DecodeError, match="expected a number from 0 to"):
            options_for(BOTH, given, chosen, lower_only=True)
