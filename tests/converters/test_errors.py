"""Errors name the argument or suggest the nearest name."""

import pickle
from collections.abc import Callable
from typing import Any

import pytest

from mqconvert import (
    ArgumentError,
    ConversionError,
    DecodeError,
    EncodeError,
    MessageError,
    MqConvertError,
    NoRouteError,
    Remedy,
    convert,
    converter,
    decode,
    decode_all,
    decode_each,
    decode_each_frame,
    decode_frames,
    encode,
    encode_batch,
    encode_frame,
    fidelity,
    frame_from_json,
    frame_to_json,
    message_from_json,
    message_to_json,
    rule_tables,
)
from mqconvert.messages import mqtt5, nsq, rocketmq

PUBLISH = bytes.fromhex("3006000174006869")
WRONG: Any = "text"


@pytest.mark.parametrize(
    ("function", "given", "named", "expected"),
    [
        (convert, ("text", "amqp-1.0"), {}, "message: expected a message, got str"),
        (convert, (PUBLISH, 5), {"source": "mqtt-5.0"}, "to: expected the name of a protocol, got int"),
        (convert, (PUBLISH, "amqp-1.0"), {"source": ["mqtt-5.0"]}, "source: expected the name of a protocol, got list"),
        (convert, ({"topic": "t"}, "amqp-1.0"), {}, "message: expected a message, got dict: message_from_json reads one"),
        (converter, (None, "amqp-1.0"), {}, "source: expected the name of a protocol, got NoneType"),
        (converter, ("nsq", "amqp-1.0"), {"profile": 4.0}, "profile: expected the name of a profile, got float"),
        (converter, ("nsq", "amqp-1.0"), {"rules": 5}, "rules: expected names or paths of overlays, got int"),
        (rule_tables, (), {"rules": [b"mine.toml"]}, "rules: expected names or paths of overlays, got bytes"),
        (decode, ("mqtt-5.0", "text"), {}, "data: expected bytes, bytearray or memoryview, got str"),
        (decode_all, (5, b""), {}, "protocol: expected the name of a protocol, got int"),
        (decode_frames, ("nsq", "NOP"), {}, "data: expected bytes, bytearray or memoryview, got str"),
        (encode, (b"0",), {}, "message: expected a message, got bytes"),
        (encode_batch, (5,), {}, "messages: expected several messages, got int"),
        (fidelity, (5, "amqp-1.0"), {}, "source: expected the name of a protocol, got int"),
        (fidelity, ("nsq", "amqp-1.0"), {"rules": 5}, "rules: expected names or paths of overlays, got int"),
    ],
)
def test_an_argument_of_the_wrong_type_is_a_type_error_with_its_name(
    function: Callable[..., Any], given: tuple[Any, ...], named: dict[str, Any], expected: str
) -> None:
    with pytest.raises(TypeError) as raised:
        function(*given, **named)
    assert isinstance(raised.value, ArgumentError)
    assert str(raised.value) == expected


def test_the_error_for_a_misspelt_name_suggests_the_nearest() -> None:
    with pytest.raises(NoRouteError, match=r"unknown protocol 'mqtt5' \(did you mean 'mqtt-5.0'\?\); known: "):
        converter("mqtt5", "amqp-1.0")
    with pytest.raises(NoRouteError, match=r"unknown profile 'rabbitmq4' \(did you mean 'rabbitmq-4.[03]'\?\); known: "):
        converter("mqtt-5.0", "amqp-1.0", profile="rabbitmq4")


@pytest.mark.parametrize("quoted", [repr("n" * 300), repr("n " * 300), '"' + "n'" * 300 + '"', "n" * 300])
def test_an_error_quotes_at_most_200_characters_of_a_name(quoted: str) -> None:
    error = MqConvertError(f"no field {quoted} here", code="example", field="n" * 300, rule="n" * 300)
    made = error.as_dict()
    assert made["message"].startswith(f"no field {quoted[:200]}")
    assert made["message"].endswith(" here")
    assert len(made["message"]) <= len("no field '...' here") + 201
    assert len(made["field"]) == len(made["rule"]) == 203
    assert str(MqConvertError("word " * 100, code="example")) == "word " * 100


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda: decode("mqtt-5.0", PUBLISH[:-1]), "mqtt-5.0: 6 bytes announced, 5 there (byte 2)"),
        (lambda: decode_all("mqtt-5.0", PUBLISH[:-1]), "mqtt-5.0: 6 bytes announced, 5 there (byte 2)"),
        (lambda: convert(PUBLISH[:-1], "amqp-1.0", source="mqtt-5.0"), "mqtt-5.0: 6 bytes announced, 5 there (byte 2)"),
        (lambda: encode(mqtt5.Message(topic_name="t", qos=3)), "mqtt-5.0: not between 0 and 2 (field qos)"),
        (
            lambda: message_from_json({"protocol": "mqtt-5.0", "topic_name": 5}),
            "mqtt-5.0: integer where a string is due (field topic_name)",
        ),
        (lambda: message_to_json(mqtt5.Message(topic_name="t", qos=WRONG)), "mqtt-5.0: not an integer (field qos)"),
        (lambda: encode_batch([nsq.Message(topic="t"), nsq.Message()]), "nsq: a batch goes to one topic (field [1].topic)"),
        (lambda: decode_frames("nsq", b"RDY x\n"), "nsq: RDY needs a number in digits (byte 0)"),
        (lambda: list(decode_each_frame("nsq", b"RDY x\n")), "nsq: RDY needs a number in digits (byte 0)"),
        (lambda: encode_frame("nsq", nsq.Rdy(WRONG)), "nsq: not an integer (field count)"),
        (lambda: frame_to_json("nsq", nsq.Rdy(WRONG)), "nsq: not an integer (field count)"),
        (lambda: frame_from_json("nsq", {"frame": "RDY", "count": -1}), f"nsq: not between 0 and {2**63 - 1} (field count)"),
    ],
)
def test_the_text_of_an_error_names_protocol_field_and_offset(call: Callable[[], Any], expected: str) -> None:
    with pytest.raises(MessageError) as raised:
        call()
    assert str(raised.value) == expected
    assert str(pickle.loads(pickle.dumps(raised.value))) == expected


def test_an_error_names_its_places_although_words_of_its_text_are_equal() -> None:
    error = ConversionError("empty: name a topic for the target", code="bad_topic", field="topic", rule="to")
    assert str(error) == "empty: name a topic for the target (field topic, row to)"
    told = EncodeError("bad_value", "topic is 5: not text", field="topic", names_field=True)
    assert str(told) == str(pickle.loads(pickle.dumps(told))) == "topic is 5: not text"


@pytest.mark.parametrize("remedy", [None, Remedy("address"), Remedy("payload", "envelope")])
@pytest.mark.parametrize(
    "make",
    [
        lambda remedy: DecodeError("bad_value", "no such value", offset=3, remedy=remedy),
        lambda remedy: EncodeError("bad_topic", "no such value", field="topic", remedy=remedy),
        lambda remedy: ConversionError("no such value", code="bad_topic", rule="to", remedy=remedy),
    ],
)
def test_a_remedy_is_the_end_of_the_text_and_survives_pickling(
    make: Callable[[Remedy | None], MqConvertError], remedy: Remedy | None
) -> None:
    error = make(remedy)
    advice = f"; try {remedy}" if remedy else ""
    assert error.message == f"no such value{advice}"
    assert str(error).startswith("no such value (")
    assert str(error).endswith(f"){advice}")
    assert error.as_dict().get("remedy") == (remedy and remedy.as_dict())
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.as_dict(), again.remedy) == (str(error), error.as_dict(), remedy)


@pytest.mark.parametrize(
    ("remedy", "given", "taken"),
    [
        (Remedy("lenient", "true"), {"lenient": True}, True),
        (Remedy("lenient", "true"), {"lenient": False}, False),
        (Remedy("compression", "snappy"), {"compression": "deflate"}, False),
        (Remedy("compression", "snappy"), {"compression": "snappy"}, True),
        (Remedy("compress"), {"compress": "LZ4"}, True),
        (Remedy("compress"), {"lenient": True}, False),
    ],
)
def test_an_option_that_is_in_use_is_no_remedy(remedy: Remedy, given: dict[str, object], taken: bool) -> None:
    error = DecodeError("bad_value", "no such value", remedy=remedy)
    error.untried(given)
    assert error.as_dict().get("remedy") == (None if taken else remedy.as_dict())
    told = "no such value" if taken else f"no such value; try {remedy}"
    assert str(error) == str(pickle.loads(pickle.dumps(error))) == told


def test_a_codec_offers_no_option_that_it_was_given() -> None:
    message = rocketmq.Message(topic="t", sys_flag=1, body=b"hi")
    offered = {}
    for options in ({}, {"compress": "LZ4"}):
        with pytest.raises(EncodeError) as caught:
            encode(message, **options)
        offered[bool(options)] = caught.value.remedy
    assert offered == {False: Remedy("compress"), True: None}


def test_an_invalid_member_of_decode_each_names_its_protocol() -> None:
    (error,) = decode_each("mqtt-5.0", PUBLISH[:-1])
    assert str(error) == "mqtt-5.0: 6 bytes announced, 5 there (byte 2)"
