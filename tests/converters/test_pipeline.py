"""decode -> convert -> encode: every message gets an answer, also after errors."""

import pickle
from collections.abc import Iterator
from typing import Any

import pytest

from mqconvert import LimitError, LossError, MqConvertError, decode, encode
from mqconvert.converters.choices import Choices
from mqconvert.converters.errors import fault
from mqconvert.converters.pipeline import Pipeline
from mqconvert.converters.protocols.mqtt5.message import Message
from mqconvert.converters.running import Conversion

PUBLISH = bytes.fromhex("3006000174006869")


def written(done: Conversion) -> bytes:
    return encode(done.message)


def pipeline(target: str = "amqp-0.9.1", **more: Any) -> Pipeline[bytes]:
    choices = Choices(on_loss=more.pop("on_loss", "report"))
    return Pipeline(choices.converter("mqtt-5.0", target), choices, more.pop("write", written), **more)


def codes(way: Pipeline[Any], read: Any) -> list[str | None]:
    return [None if answer.error is None else answer.error.code for answer in way.answers(read)]


def test_each_message_has_its_answer() -> None:
    way = pipeline("nsq")
    wire = PUBLISH + bytes.fromhex("30080003612f62006869") + PUBLISH  # the topic a/b is not a valid name in NSQ
    answers = list(way.answers(lambda: way.messages(wire)))
    assert [answer.made for answer in answers] == [b"PUB t\n\0\0\0\2hi", None, b"PUB t\n\0\0\0\2hi"]
    assert [answer.error and answer.error.code for answer in answers] == [None, "bad_topic", None]
    assert answers[1].message.topic_name == "a/b"
    with pytest.raises(MqConvertError, match="NSQ"):
        answers[1].result()


def test_an_error_of_reading_is_the_last_answer() -> None:
    def read() -> Iterator[Any]:
        yield decode("mqtt-5.0", PUBLISH)
        yield decode("mqtt-5.0", b"0")

    assert codes(pipeline(), read) == [None, "truncated"]
    assert codes(pipeline(), lambda: pipeline().messages(b"")) == ["truncated"]
    assert codes(pipeline(max_batch=1), lambda: pipeline(max_batch=1).messages(PUBLISH * 2)) == ["too_many"]


def test_a_loss_error_still_has_the_conversion() -> None:
    message = Message(topic_name="t", content_type="x" * 300)
    [answer] = pipeline(on_loss="fail").answers(lambda: [message])
    assert isinstance(answer.error, LossError)
    assert answer.conversion is not None
    assert [lost.field for lost in answer.conversion.report.lost] == ["content_type"]


@pytest.mark.parametrize("step", ["read", "write"])
def test_an_internal_error_costs_one_answer(step: str) -> None:
    def defect(_given: Any = None) -> Any:
        raise ZeroDivisionError("ours")

    way = pipeline(write=defect) if step == "write" else pipeline()
    [answer] = way.answers(defect if step == "read" else lambda: [decode("mqtt-5.0", PUBLISH)])
    assert answer.error is not None
    assert answer.error.as_dict() == {"code": "internal", "message": "ZeroDivisionError: ours"}
    assert isinstance(answer.error.__cause__, ZeroDivisionError)
    assert (answer.conversion is not None) is (step == "write")


def test_an_error_of_the_library_is_unchanged() -> None:
    error = LimitError("too_many", "many", limit="max_batch")
    assert fault(error) is error


def test_a_pipeline_can_be_pickled() -> None:
    way = pickle.loads(pickle.dumps(pipeline()))
    assert [answer.made for answer in way.answers(lambda: way.messages(PUBLISH))] == [
        answer.made for answer in pipeline().answers(lambda: [decode("mqtt-5.0", PUBLISH)])
    ]
