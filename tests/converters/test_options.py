"""Options reach the codecs that know them, checked by their signatures, and nobody else's are taken."""

from typing import Any

import pytest

from mqconvert import DecodeError, EncodeError, decode, decode_all, encode, encode_batch, options_for
from mqconvert.converters.messages import mqtt5, pulsar, rocketmq

SENT = pulsar.Message(payload=b"x" * 100, producer_name="p", sequence_id=0, publish_time=1, compression="ZLIB")
COMPRESSED = encode(SENT)


def test_limits_reach_the_decoder() -> None:
    for read in (decode, decode_all):
        assert read("pulsar", COMPRESSED, max_decompressed=100)
        for options, kind in (({"max_decompressed": 99}, "bad_compression"), ({"max_frame_size": 10}, "frame_too_large")):
            with pytest.raises(DecodeError) as caught:
                read("pulsar", COMPRESSED, **options)
            assert caught.value.kind == kind


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
        lambda options: options_for("pulsar", "pulsar", options),
    ],
)
@pytest.mark.parametrize("options", [{"colour": 1}, {"max_frame_size": "1"}, {"max_frame_size": -1}, {"max_frame_size": True}])
def test_wrong_options_are_refused(call: Any, options: dict[str, Any]) -> None:
    with pytest.raises(DecodeError) as caught:
        call(options)
    assert (caught.value.kind, caught.value.field) == ("bad_option", next(iter(options)))


def test_a_codec_without_options_takes_none() -> None:
    with pytest.raises(DecodeError, match="known: none"):
        decode("mqtt-5.0", b"", limit=1)
    with pytest.raises(DecodeError, match="known: none"):
        encode(mqtt5.Message(topic_name="t"), limit=1)


def test_options_go_to_who_has_them() -> None:
    both = {"max_frame_size": 9, "producer_id": 1, "max_batch": 2}
    assert options_for("pulsar", "pulsar", both) == (
        {"max_frame_size": 9, "max_batch": 2},
        {"max_frame_size": 9, "producer_id": 1},
    )
    assert options_for("amqp-1.0", "nsq", {}) == ({}, {})
    with pytest.raises(DecodeError, match="max_body"):
        options_for("pulsar", None, {"max_body": 1})
    with pytest.raises(DecodeError, match="max_batch"):
        options_for(None, "pulsar", {"max_batch": 1})
