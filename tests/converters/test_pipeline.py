"""decode -> convert -> encode: every message gets an answer, also after errors."""

import pickle
from dataclasses import fields
from typing import Any

import pytest

from mqconvert import ConversionError, Environment, LimitError, LossError, MqConvertError, decode, encode
from mqconvert.converters.choices import OPTIONS, Choices, choices_of, profiles
from mqconvert.converters.environment import Option, options_of
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


def test_each_message_has_its_answer() -> None:
    way = pipeline("nsq")
    wire = PUBLISH + bytes.fromhex("30080003612f62006869") + PUBLISH  # the topic a/b is not a valid name in NSQ
    answers = [*map(way.answer, way.messages(wire))]
    assert [answer.made for answer in answers] == [b"PUB t\n\0\0\0\2hi", None, b"PUB t\n\0\0\0\2hi"]
    assert [answer.error and answer.error.code for answer in answers] == [None, "bad_topic", None]
    assert answers[1].message.topic_name == "a/b"
    with pytest.raises(MqConvertError, match="NSQ"):
        answers[1].result()


@pytest.mark.parametrize(("wire", "code"), [(b"", "truncated"), (PUBLISH + b"0", "truncated"), (PUBLISH * 2, "too_many")])
def test_messages_raises_errors_of_the_wire(wire: bytes, code: str) -> None:
    with pytest.raises(MqConvertError) as refused:
        pipeline(max_batch=1).messages(wire)
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
    assert fault(error) is error


def test_a_pipeline_can_be_pickled() -> None:
    way = pickle.loads(pickle.dumps(pipeline()))
    [message] = way.messages(PUBLISH)
    assert way.answer(message).made == pipeline().answer(message).made is not None


# ---- options ------------------------------------------------------------------------------------------------------------


def test_the_options_are_those_of_the_library() -> None:
    names = [field.name for field in fields(Environment)]
    assert [one.name for one in OPTIONS] == ["profile", "rules", *names, "on_loss"]
    assert choices_of({}) == Choices()
    assert choices_of({one.name: one.default for one in OPTIONS}) == Choices()
    given = {"profile": profiles()[-1], "rules": ["preserve"], "address": "t", "clock": 0, "on_loss": "fail"}
    expected = Choices(profiles()[-1], ("preserve",), Environment(address="t", clock=0), "fail")
    assert choices_of(given, clock=7) == expected
    assert choices_of({}, clock=7).environment.clock == 7


def option(name: str, owner: type[Any]) -> Option:
    return next(one for one in options_of(owner) if one.name == name)


@pytest.mark.parametrize(
    ("one", "good", "bad"),
    [
        (option("clock", Environment), (None, 0, 2**40), (-1, 1.0, "0", True, 2**63)),
        (option("payload", Environment), ("body",), (None, "letter", b"body", ["body"])),
        (option("frame", Environment), (None, "send"), ("", "xx", ["send"])),
        (option("escape", Environment), (True, False), (None, 1, "true")),
        (option("address", Environment), (None, "", "a/b"), (b"a", 5, "\ud800")),
        (option("on_loss", Choices), ("report", "fail", "ignore"), (None, "Report", 1)),
    ],
    ids=lambda value: value.name if isinstance(value, Option) else "",
)
def test_a_declaration_bounds_its_values(one: Option, good: tuple[Any, ...], bad: tuple[Any, ...]) -> None:
    for value in good:
        one.check(value)
    for value in bad:
        with pytest.raises(ConversionError) as refused:
            one.check(value)
        assert (refused.value.code, refused.value.field) == ("bad_option", one.name)
