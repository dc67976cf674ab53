"""The forecast is true: what it says of a field is what becomes of a message in which that field alone is set.

The judge here knows nothing of reports' paths: it converts a message with the field and one without, and looks at what
the two have come to, there and back again.
"""

from collections import Counter
from dataclasses import fields, is_dataclass
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import PROTOCOLS, Conversion, Forecast, TypedValue, convert, converter, fidelity, routes
from mqconvert.converters.errors import ConversionError
from mqconvert.converters.fidelity import Outcome
from mqconvert.converters.messages import amqp10
from mqconvert.converters.messages.amqp10 import Data
from mqconvert.converters.places import BODY, ENTRIES, SECTION, WHOLE, Place, places
from mqconvert.converters.rules import path
from mqconvert.converters.samples import message_with, samples, types_at
from tests.strategies import AMQP091_PLAIN, AMQP10_PLAIN, TOPICS

PAIRS = [(route.source, route.target) for route in routes()]
FORECASTS = {pair: fidelity(*pair, back=True) for pair in PAIRS}
BROKERS = {"nsq", "phpmq", "rocketmq", "pulsar"}
JUDGED = [pair for pair in PAIRS if not BROKERS & set(pair)]
"""Pairs for the judge below. The brokers' rows refuse, and use a field beside another, which it cannot see from without."""


Verdict = tuple[set[str], set[str]]
"""What may be said of the way there and of the whole trip: several words where the judge cannot tell them apart."""


def _verdict(source: str, target: str, message: Any, bare: Any, place: Place) -> Verdict:
    done, without = convert(message, target), convert(bare, target)
    there = _there(done, without, _leaves(_values(message, place)))
    if there <= {"lost", "dropped", "accounted"}:
        return there, there
    back, nothing = convert(done.message, source).message, convert(without.message, source).message
    if repr(_field(back, place)) == repr(_field(message, place)):
        return there, {"survives"}
    if repr(done.message) == repr(without.message):
        return there, {"changes", "lost"}
    return there, {"lost"} if repr(back) == repr(nothing) else {"changes"}


def _there(done: Conversion, without: Conversion, sent: Counter[Any]) -> set[str]:
    if repr(done.message) == repr(without.message):
        for word in ("lost", "dropped", "accounted"):
            if len(getattr(done.report, word)) > len(getattr(without.report, word)):
                return {word}
        return {"survives", "changes"}  # what arrives is what a target without the field has too: its default
    new = _leaves(done.message) - _leaves(without.message)
    if sent - new or len(done.report.lost) > len(without.report.lost):
        return {"changes"}
    # Whether a number has found a type of the same range, or null one of its own, is not for this judge.
    return {"survives", "changes"} if not sent or any(isinstance(leaf, int) for leaf in sent) else {"survives"}


def _leaves(value: Any) -> Counter[Any]:
    """Numbers, truth values and octets in a message or value, whatever they are called there."""
    if isinstance(value, TypedValue):
        return _leaves(value.value)
    if isinstance(value, list | tuple):
        return sum(map(_leaves, value), Counter())
    if is_dataclass(value):
        return _leaves([getattr(value, field.name) for field in fields(value)])
    if isinstance(value, str):
        return Counter([value.encode("utf-8", "surrogateescape")])
    if isinstance(value, bytes | int) and not isinstance(value, bool):
        return Counter([value])
    return Counter() if value is None else Counter([repr(value)])


def _field(message: Any, place: Place) -> Any:
    for name in place.path.split("."):
        message = None if message is None else getattr(message, name)
    return message


def _values(message: Any, place: Place) -> Any:
    held = _field(message, place)
    return [entry[1] if isinstance(entry, tuple) else entry for entry in held] if place.kind == ENTRIES else held


def _bare(source: str, place: Place) -> Any:
    """What `message_with` makes, without the field."""
    message = PROTOCOLS[source].message()
    if place.kind != BODY and "body" in message.__slots__:
        message.body = Data([b""])
    return message


def _places(source: str, target: str) -> list[Place]:
    """Every place but those that rows of others read: what becomes of these is seen at the others."""
    read = {name for table in converter(source, target).route.legs for rule in table.rules for name in rule.reads}
    found = places(PROTOCOLS[source]).values()
    return [place for place in found if place.kind not in (SECTION, WHOLE) and place.path not in read]


def _keys(forecast: Forecast, place: Place) -> list[str | None]:
    keys = {outcome.field[len(place.path) :] for outcome in forecast.outcomes if outcome.field.partition("[")[0] == place.path}
    return [key[2:-2] or None for key in sorted(keys)]


def _said(verdict: Verdict, said: set[tuple[str, str]]) -> bool:
    return bool(set(product(*verdict)) & said)


@pytest.mark.parametrize(("source", "target"), JUDGED)
def test_every_outcome_is_what_happens(source: str, target: str) -> None:
    forecast = FORECASTS[source, target]
    said = {(o.field, o.type, o.case): {(o.there, o.outcome)} for o in forecast.outcomes}
    judged = 0
    for place in _places(source, target):
        for key, type_ in product(_keys(forecast, place), types_at(PROTOCOLS[source], place)):
            for case, value in samples(PROTOCOLS[source], place, type_):
                if place.unset is not None and value == place.unset:
                    continue
                message = message_with(PROTOCOLS[source], place, type_, key, value)
                verdict = _verdict(source, target, message, _bare(source, place), place)
                field = path(place.path, key)
                assert _said(verdict, said[field, type_, case]), (field, type_, case, verdict, said[field, type_, case])
                judged += 1
    assert judged > len(forecast.outcomes) / 2


_MQTT: dict[str, st.SearchStrategy[Any]] = {
    "bits": st.integers(0, 2),
    "byte": st.integers(0, 1),
    "ushort": st.integers(1, 65535),
    "uint": st.integers(0, 2**32 - 1),
    "varint": st.integers(1, 268_435_455),
    "utf8": st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=300),
    "topic": TOPICS,
    "binary": st.binary(max_size=300),
    "payload": st.binary(max_size=300),
}
_AMQP10 = AMQP10_PLAIN | {"string": st.text(max_size=300), "symbol": st.text(st.characters(max_codepoint=127), max_size=300)}
_AMQP091 = AMQP091_PLAIN | {
    "longstr": st.binary(max_size=300) | st.text(max_size=300).map(str.encode),
    "shortstr": st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=50)
    | st.integers().map(str),
    "octet": st.integers(0, 255),
    "payload": st.binary(max_size=300),
}
VALUES = {"amqp-1.0": _AMQP10, "amqp-0.9.1": _AMQP091, "mqtt-5.0": _MQTT, "mqtt-3.1.1": _MQTT}


@pytest.mark.parametrize(("source", "target"), JUDGED)
@given(data=st.data())
def test_whatever_is_sent_fares_as_one_of_the_outcomes(source: str, target: str, data: st.DataObject) -> None:
    place = data.draw(st.sampled_from([place for place in _places(source, target) if place.kind != BODY]))
    type_ = data.draw(st.sampled_from([name for name in types_at(PROTOCOLS[source], place) if name in VALUES[source]]))
    key = data.draw(st.sampled_from(_keys(FORECASTS[source, target], place)))
    value = data.draw(VALUES[source][type_].filter(lambda made: made != place.unset or made is None))
    message = message_with(PROTOCOLS[source], place, type_, key, value)
    verdict = _verdict(source, target, message, _bare(source, place), place)
    field = path(place.path, key)
    named = {(o.there, o.outcome) for o in FORECASTS[source, target].outcomes if (o.field, o.type) == (field, type_)}
    assert _said(verdict, named), (value, verdict, named)


def _outcomes(forecast: Forecast, field: str) -> dict[tuple[str, str], Outcome]:
    return {(outcome.type, outcome.case): outcome for outcome in forecast.outcomes if outcome.field == field}


def test_a_field_is_followed_over_two_tables() -> None:
    forecast = fidelity("amqp-1.0", "mqtt-3.1.1", back=True)
    content_type = _outcomes(forecast, "properties.content_type")["symbol", ""]
    assert (content_type.there, content_type.to, content_type.rules) == ("dropped", "", ("content-type",))
    durable = _outcomes(forecast, "header.durable")["boolean", ""]
    assert (durable.there, durable.outcome, durable.to) == ("changes", "survives", "qos")
    assert durable.rules == ("durable", "qos")


def test_rows_and_types_are_named() -> None:
    outcome = _outcomes(FORECASTS["amqp-1.0", "amqp-0.9.1"], 'message_annotations["x-*"]')["ulong", ""]
    assert (outcome.to, outcome.as_) == ('basic.headers["x-*"]', "long")
    assert (outcome.rules, outcome.type_rules) == (("annotation-x",), ("type-ulong",))


def test_a_field_that_comes_back_elsewhere_is_named() -> None:
    outcome = _outcomes(FORECASTS["amqp-1.0", "amqp-0.9.1"], "properties.message_id")["binary", ""]
    assert (outcome.there, outcome.outcome) == ("survives", "changes")
    assert outcome.why == 'back: as message_annotations["x-message-id"]'


def test_what_a_row_refuses_is_refused_with_the_row_and_its_reason() -> None:
    refused = _outcomes(fidelity("amqp-1.0", "nsq"), "properties.to")["string", "not ASCII"]
    assert (refused.there, refused.outcome, refused.to, refused.rules) == ("refused", "refused", "", ("to-refused",))
    with pytest.raises(ConversionError) as caught:
        convert(amqp10.Message(properties=amqp10.Properties(to="é"), body=Data([b"text"])), "nsq")
    assert (refused.why, refused.rules) == (caught.value.message, (caught.value.rule,))


def test_a_message_that_needs_a_body_is_tried_with_one() -> None:
    outcomes = _outcomes(FORECASTS["amqp-1.0", "nsq"], "header.priority").values()
    assert {outcome.there for outcome in outcomes} == {"lost"}


def test_a_refusal_on_the_second_leg_or_on_the_way_back_is_told() -> None:
    second = _outcomes(fidelity("mqtt-5.0", "nsq"), "topic_name")["topic", ""]
    assert (second.there, second.rules) == ("refused", ("address-refused",))
    back = {outcome.why for outcome in FORECASTS["phpmq", "nsq"].outcomes if outcome.outcome == "refused"}
    assert back


@pytest.mark.parametrize("pair", [pair for pair in PAIRS if pair not in JUDGED])
def test_the_brokers_forecasts_say_where_what_survives_arrives(pair: tuple[str, str]) -> None:
    for outcome in FORECASTS[pair].outcomes:
        assert bool(outcome.to) == (outcome.there in ("survives", "changes")), outcome
        assert outcome.rules or outcome.there == "lost", outcome


def test_without_the_way_back_the_outcome_is_that_of_the_way_there() -> None:
    assert all(outcome.outcome == outcome.there for outcome in fidelity("mqtt-5.0", "amqp-1.0").outcomes)


def test_the_same_protocol_changes_nothing() -> None:
    assert {outcome.outcome for outcome in fidelity("mqtt-5.0", "mqtt-5.0", back=True).outcomes} == {"survives"}


def test_overlays_and_profiles_are_forecast_too(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    row = '{ replace = "subject", to = "basic.type", when = "shortstr", note = "" }'
    file.write_text(f'["amqp-1.0 -> amqp-0.9.1"]\nrules = [\n  {row},\n]\n')
    outcome = _outcomes(fidelity("amqp-1.0", "amqp-0.9.1", rules=[str(file)]), "properties.subject")["string", ""]
    assert (outcome.there, outcome.to) == ("survives", "basic.type")
    page, broker = (fidelity("amqp-1.0", "mqtt-5.0", profile=profile) for profile in ("documented", "rabbitmq-4.0"))
    assert page != broker


@pytest.mark.parametrize("pair", PAIRS)
def test_lines_say_what_the_outcomes_say(pair: tuple[str, str]) -> None:
    forecast = FORECASTS[pair]
    lines = forecast.lines()
    assert {line.there for line in lines} == {outcome.there for outcome in forecast.outcomes}
    assert {line.field.partition("[")[0] for line in lines} == {
        outcome.field.partition("[")[0] for outcome in forecast.outcomes
    }
    assert len(lines) < len(forecast.outcomes)
    assert all(line.field in str(forecast) for line in lines)


def test_a_key_has_lines_of_its_own_where_rows_tell_it_apart() -> None:
    fields = {line.field for line in FORECASTS["amqp-1.0", "amqp-0.9.1"].lines()}
    assert {name for name in fields if name.startswith(("message_", "footer"))} == {
        "message_annotations[*]",
        "message_annotations[x-*]",
        "message_annotations[x-cc]",
        "footer[*]",
    }
