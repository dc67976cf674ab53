"""Compound words behave like their parts, in a row and alone, and unknown parts are refused."""

from typing import Any

import pytest

from mqconvert import Environment, RuleTableError, convert, generated_source
from mqconvert.converters.engine.vocabulary import CONDITIONS, TRANSFORMS
from mqconvert.converters.overlays import Overlay
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from mqconvert.converters.words import NOT_MINE, Loss, Partial
from tests.expressions import value_of

ASKED: dict[str, list[tuple[tuple[Any, ...], bool]]] = {
    "ascii and is a": [(("a",), True), (("b",), False), (("é",), False)],
    "at-least 2 and at-most 4 and not is 3": [((2,), True), ((4,), True), ((3,), False), ((5,), False)],
    "not beside-is 5 and is 5": [((5, 0), True), ((5, 5), False), ((0, 0), False)],
    "not ascii": [(("é",), True), (("a",), False)],
}
MADE: dict[str, list[tuple[Any, Any]]] = {
    "scale 1000 then to-decimal": [(3, "3000")],
    "add 1 then scale 2": [(3, 8)],
    "text then replaced . / * +": [(b"a.*", "a/+"), (b"\xff", Loss("not valid UTF-8"))],
    "from-decimal then whole-seconds": [("5000", 5), ("5001", Partial(5, "the fraction of a second"))],
    "whole-seconds then low-bits 8": [
        (5000, 5),
        (300_999, Partial(44, "the fraction of a second")),
        (300_000, Partial(44, "more than 8 bits")),
    ],
    "whole-seconds then known-delivery-mode": [
        (2999, Partial(2, "the fraction of a second")),
        (2, Loss("0 is not a delivery mode")),
    ],
    "topic-to-routing-key then octets": [
        ("a/+", b"a.*"),
        ("\N{LATIN SMALL LETTER E WITH ACUTE}/\udcff", b"\xc3\xa9.\xff"),
        ("v1.0/a", Partial(b"v1.0.a", "a . or * of the topic, which comes back as / or +")),
    ],
    "text then routing-key-to-topic": [
        (b"a.*", "a/+"),
        (b"\xff", Loss("not valid UTF-8")),
        (b"a/b", Partial("a/b", "a / or + of the routing key, which comes back as . or *")),
    ],
    'constant "a then b"': [(None, "a then b")],
    "loose-urn-to-uuid then body-as data": [("urn", NOT_MINE)],
}


@pytest.mark.parametrize("name", ASKED)
def test_a_compound_condition_calls_its_parts(name: str) -> None:
    word = CONDITIONS[name]
    assert [bool(word.function(*given)) for given, _ in ASKED[name]] == [wanted for _, wanted in ASKED[name]]
    assert {word.takes} == {len(given) for given, _ in ASKED[name]}


@pytest.mark.parametrize("name", MADE)
def test_a_compound_transform_applies_its_parts_in_order(name: str) -> None:
    word = TRANSFORMS[name]
    assert [word.function(value) for value, _ in MADE[name]] == [wanted for _, wanted in MADE[name]]
    assert word.loses is any(isinstance(wanted, Partial | Loss) for _, wanted in MADE[name])
    if word.inline is not None:
        assert [value_of(word.inline, value) for value, _ in MADE[name]] == [w for _, w in MADE[name]]


def _overlay(row: str, table: str = "mqtt-5.0 -> amqp-1.0") -> Overlay:
    return Overlay("mine.toml", f'["{table}"]\nrules = [\n  {{ id = "a", {row} }},\n]\n')


@pytest.mark.parametrize(("indicator", "kept"), [(1, False), (0, True), (None, True)])
def test_a_row_may_test_another_place(indicator: int | None, kept: bool) -> None:
    rules = _overlay(
        'before = "content-type", from = "content_type", when = "beside-is 1", reads = ["payload_format_indicator"], note = "n"'
    )
    message = mqtt5.Message(topic_name="t", content_type="c", payload_format_indicator=indicator)
    done: Any = convert(message, "amqp-1.0", rules=rules)
    assert (done.message.properties is not None) is kept
    assert [drop.rule for drop in done.report.dropped if drop.field == "content_type"] == ([] if kept else ["a"])


def test_a_condition_and_a_transform_see_the_same_read_value() -> None:
    row = 'before = "user-property", from = "user_properties[*]", when = "is a and set-beside", '
    rules = _overlay(row + 'reads = ["response_topic"], to = "properties.subject", via = "key-to-address"')
    message = mqtt5.Message(topic_name="t", response_topic="x", user_properties=[("k", "a"), ("j", "b")])
    done: Any = convert(message, "amqp-1.0", rules=rules)
    assert done.message.properties.subject == "/exchanges/x/a"
    assert [entry.key for entry in done.message.application_properties] == ["j"]
    source = generated_source("mqtt-5.0", "amqp-1.0", rules=rules)
    assert "value == 'a' and source.response_topic is not None" in source


@pytest.mark.parametrize(
    ("first", "subject"), [("replaced / .", "/exchanges/x/a.b"), ("topic-to-routing-key", "/exchanges/x/a.b")]
)
def test_any_one_of_several_transforms_may_read_another_place(first: str, subject: str) -> None:
    row = f'from = "topic_name", reads = ["@mqtt_exchange"], to = "properties.subject", via = "{first} then key-to-address"'
    rules, environment = _overlay(f'before = "topic", more = true, {row}'), Environment(mqtt_exchange="x")
    done: Any = convert(mqtt5.Message(topic_name="a/b"), "amqp-1.0", rules=rules, environment=environment)
    assert done.message.properties.subject == subject


def test_only_the_last_of_several_transforms_is_called_if_the_others_are_inlined() -> None:
    assert "made = via_whole_seconds(int(expiration))" in generated_source("amqp-0.9.1", "mqtt-5.0")


WRONG = {
    'from = "topic_name", when = "set and no-word"': "unknown condition 'set and no-word': unknown condition 'no-word'",
    'from = "topic_name", when = "not at-most x"': "unknown condition 'not at-most x': unknown condition 'at-most x': 'x' is",
    'from = "topic_name", to = "properties.to", via = "octets then no-word"': "unknown transform 'no-word'",
    'from = "topic_name", to = "properties.to", via = "address-to-topic then key-to-address"': (
        "'address-to-topic' and 'key-to-address' both read more than their value, which one alone may do"
    ),
    'from = "topic_name", to = "properties.to", via = "octets then body-as data"': "holds string (str), but the row gives body",
}


@pytest.mark.parametrize("row", WRONG)
def test_compound_words_with_unknown_parts_are_refused_with_file_and_line(row: str) -> None:
    with pytest.raises(RuleTableError) as caught:
        convert(mqtt5.Message(topic_name="t"), "amqp-1.0", rules=_overlay('before = "topic", note = "n", ' + row))
    assert str(caught.value).startswith("mine.toml:3: ")
    assert WRONG[row] in str(caught.value)
