"""decode -> convert -> encode: every message gets an answer, also after errors."""

import pickle
from typing import Any

import pytest

from mqconvert import LimitError, LossError, MqConvertError, decode, encode
from mqconvert.converters.choices import Choices
from mqconvert.converters.errors import library_error
from mqconvert.converters.pipeline import Pipeline
from mqconvert.converters.protocols.mqtt5.message import Message
from mqconvert.converters.running import Conversion

PUBLISH = bytes.fromhex("3006000174006869")


def written(done: Conversion) -> bytes:
    return encode(done.message)


def pipeline(target: str = "amqp-0.9.1", **more: Any) -> Pipeline[bytes]:
    choices = Choices(on_loss=more.pop("on_loss", "report"))
    return Pipeline(choices, "mqtt-5.0", target, more.pop("write", written), **more)


def test_each_message_has_its_answer() -> None:
    way = pipeline("nsq")
    wire = PUBLISH + bytes.fromhex("30080003612f62006869") + PUBLISH  # the topic a/b is not a valid name in NSQ
    answers = [*map(way.answer, way.read(wire).found)]
    assert [answer.made for answer in answers] == [b"PUB t\n\0\0\0\2hi", None, b"PUB t\n\0\0\0\2hi"]
    assert [answer.error and answer.error.code for answer in answers] == [None, "bad_topic", None]
    assert answers[1].message.topic_name == "a/b"
    with pytest.raises(MqConvertError, match="NSQ"):
        answers[1].result()


@pytest.mark.parametrize(("wire", "code"), [(b"", "truncated"), (b"0", "truncated"), (PUBLISH * 2, "too_many")])
def test_read_raises_errors_of_the_wire(wire: bytes, code: str) -> None:
    with pytest.raises(MqConvertError) as refused:
        pipeline(max_batch=1).read(wire)
    assert refused.value.code == code


def test_a_loss_error_still_has_the_conversion() -> None:
    answer = pipeline(on_loss="fail").answer(Message(topic_name="t", content_type="x" * 300))
    assert isinstance(answer.error, LossError)
    assert answer.conversion is not None
    assert [lost.field for lost in answer.conversion.report.lost] == ["content_type"]


def test_an_internal_error_costs_one_answer() -> None:
    def defect(_given: Any) -> Any:
        raise ZeroDivisionError("ours")

    answer = pipeline(write=defect).answer(decode("mqtt-5.0", PUBLISH))
    assert answer.error is not None
    assert answer.error.as_dict() == {"code": "internal", "message": "ZeroDivisionError: ours"}
    assert isinstance(answer.error.__cause__, ZeroDivisionError)
    assert answer.conversion is not None


def test_an_error_of_the_library_is_unchanged() -> None:
    error = LimitError("too_many", "many", limit="max_batch")
    assert library_error(error) is error


def test_a_pipeline_can_be_pickled() -> None:
    way = pickle.loads(pickle.dumps(pipeline()))
    [message] = way.read(PUBLISH).found
    assert way.answer(message).made == pipeline().answer(message).made is not None
