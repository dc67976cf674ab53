"""A conversion has its message, the results between, and a report; failures of functions become errors."""

import pickle
from typing import Any

import pytest

from mqconvert import ConversionError, Environment, LossError, convert, converter, rule_tables
from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.environment import DEFAULT_ENVIRONMENT
from mqconvert.converters.errors import Remedy
from mqconvert.converters.running import Conversion, Runner
from mqconvert.messages import amqp10, mqtt5, mqtt311

TABLE = rule_tables()[0]
"""Any table: the functions of these tests do not look at it."""
MESSAGE: Any = "the message"


class Steps(Runner):
    """A runner with functions of a test, which names the failures that it gets."""

    def _check(self, message: Any) -> None:
        raise LookupError(message)

    def _fault(self, message: Any, error: Exception) -> Exception:
        return ConversionError(f"{message}: {error!r}", code="row_failed")


def test_results_of_all_tables_but_the_last_are_kept() -> None:
    message = mqtt311.Message(topic_name="t", payload=b"hi")
    done = convert(message, "amqp-0.9.1")
    assert done.between == (mqtt5.Message(topic_name="t", payload=b"hi"),)
    assert done.message == convert(done.between[0], "amqp-0.9.1").message
    assert convert(message, "mqtt-5.0").between == ()


def test_an_address_of_the_caller_stays_and_another_comes_from_the_message() -> None:
    given: list[str | None] = []

    def step(message: Any, environment: Environment, _notes: Notes) -> Any:
        given.append(environment.address)
        return message

    def addressed(_environment: Environment, message: str, _made: Any) -> Environment:
        return Environment(address=message)

    steps: list[Any] = [(TABLE, step, addressed), (TABLE, step, None)]
    Steps(steps).convert(MESSAGE)
    Steps(steps).convert(MESSAGE, Environment(address="b"))
    assert given == [None, MESSAGE, "b", "b"]


@pytest.mark.parametrize("error", [ValueError("a"), TypeError("a"), KeyError("a"), AttributeError("a"), ZeroDivisionError("a")])
def test_a_failure_of_a_function_has_its_message_and_cause(error: Exception) -> None:
    def fails(*_given: Any) -> Any:
        raise error

    with pytest.raises(ConversionError) as caught:
        Steps([(TABLE, fails, None)]).convert(MESSAGE)
    assert str(caught.value) == f"the message: {error!r}"
    assert caught.value.__cause__ is error


def test_endless_recursion_is_an_error_of_nesting() -> None:
    def fails(*_given: Any) -> Any:
        raise RecursionError

    with pytest.raises(ConversionError) as caught:
        Steps([(TABLE, fails, None)]).convert(MESSAGE)
    assert caught.value.code == "nesting"


def test_defects_are_not_turned_into_conversion_errors() -> None:
    def fails(*_given: Any) -> Any:
        raise RuntimeError("a defect")

    with pytest.raises(RuntimeError, match="a defect"):
        Steps([(TABLE, fails, None)]).convert(MESSAGE)


def test_without_steps_the_message_is_checked() -> None:
    with pytest.raises(LookupError, match="the message"):
        Steps([]).convert(MESSAGE)


def test_a_conversion_survives_pickle_with_its_report() -> None:
    done = convert(mqtt5.Message(topic_name="t", retain=1, payload=b"hi"), "amqp-0.9.1")
    again: Conversion = pickle.loads(pickle.dumps(done))
    assert again.message == done.message
    assert again.report.as_dict() == done.report.as_dict()
    assert repr(again) == repr(done)
    assert repr(done).startswith(f"Conversion(message={done.message!r}, report=<Report ")


def test_a_policy_applies_after_the_conversion() -> None:
    message = amqp10.Message(message_annotations=[], properties=amqp10.Properties(creation_time=1), body=amqp10.Data([b"a"]))
    way = converter("amqp-1.0", "amqp-0.9.1")
    with pytest.raises(LossError) as caught:
        way.convert(message, DEFAULT_ENVIRONMENT, "fail")
    assert caught.value.conversion.message == way.convert(message).message
    assert len(way.convert(message).report.lost) == 1
    assert way.convert(message, on_loss="ignore").report.lost == ()


@pytest.mark.parametrize(
    ("topic", "given", "offered"), [("a/b", False, True), ("a/" * 40, False, False), ("a/" * 40, True, False)]
)
def test_no_remedy_is_offered_that_does_not_help(topic: str, given: bool, offered: bool) -> None:
    """The second topic is too long for NSQ, escaped or not."""
    message = mqtt311.Message(topic_name=topic, payload=b"hi")
    with pytest.raises(ConversionError) as caught:
        convert(message, "nsq", environment=Environment(escape=given))
    assert caught.value.remedy == (Remedy("escape", "true") if offered else None)
    assert ("; try" in str(caught.value), "try" in repr(caught.value)) == (offered, offered)


def test_an_address_of_the_message_is_not_the_callers_own() -> None:
    def refuses(*_given: Any) -> Any:
        raise ConversionError("no such address", code="bad_topic", remedy=Remedy("address"))

    def first(message: Any, *_others: Any) -> Any:
        return message

    def addressed(*_given: Any) -> Environment:
        return Environment(address="of the message")

    steps: list[Any] = [(TABLE, first, addressed), (TABLE, refuses, None)]
    for environment, remedy in [(Environment(), Remedy("address")), (Environment(address="a"), None)]:
        with pytest.raises(ConversionError) as caught:
            Steps(steps).convert(MESSAGE, environment)
        assert caught.value.remedy == remedy
