"""The forecast of a field matches the conversion of a message in which only that field is set.

The judge here does not use the paths of reports. It converts a message with the field and one without, there and back, and
compares the results.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import PROTOCOLS, Conversion, Environment, Forecast, TypedValue, convert, converter, fidelity, routes
from mqconvert.converters.account.forecast import Outcome
from mqconvert.converters.engine.samples import asked_for, empty_message, message_with, samples
from mqconvert.converters.errors import ConversionError
from mqconvert.converters.model.paths import path
from mqconvert.converters.model.places import BODY, SECTION, WHOLE, Place, places, types_at
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.amqp10.message import Data
from tests.entries import pair
from tests.strategies import AMQP091_PLAIN, AMQP10_PLAIN, TOPICS

PAIRS = [(route.source, route.target) for route in routes()]
UNMADE = {"lost", "dropped", "accounted"}
CALLER = Environment(clock=1_234_567, sequence_id=2_345_678)
"""An Environment with numbers that no sample has, to tell the caller's values from those of the message."""

Verdict = tuple[set[str], set[str]]
"""The possible outcomes of the way there and of the round trip; several if the judge cannot tell them apart."""


@cache
def _forecast(source: str, target: str) -> Forecast:
    return fidelity(source, target, back=True)


class Judge:
    """Compares round trips of messages with a field and one without, and gives the possible outcomes of the field."""

    def __init__(self, source: str, target: str, place: Place) -> None:
        self.source, self.target, self.place = source, target, place
        tables = converter(source, target).route.legs
        self.read_elsewhere = any(place.path in rule.reads for table in tables for rule in table.rules)
        self.bare = _bare(source, place)
        self.nothing = convert(self.bare, target, environment=CALLER)
        self.nothing_back = convert(self.nothing.message, source, environment=CALLER)
        self.said, self.said_back = _said(self.nothing), _said(self.nothing_back)
        self.leaves, self.leaves_back = _leaves(self.nothing.message), _leaves(self.nothing_back.message)

    def verdict(self, key: str | None, message: Any) -> Verdict:
        try:
            done = convert(message, self.target, environment=CALLER)
        except ConversionError as error:
            _check_refusal(error, self.source, self.target)
            return {"refused"}, {"refused"}
        sent = _field(message, self.place, key)
        there = self.there(done, _leaves(sent))
        try:
            back = convert(done.message, self.source, environment=CALLER)
        except ConversionError as error:
            _check_refusal(error, self.target, self.source)
            return there, {"refused"}
        if repr(_field(back.message, self.place, key)) == repr(sent):
            return there, {"survives"}
        return there, self.left(key, there, back, same=repr(done.message) == repr(self.nothing.message))

    def there(self, done: Conversion, sent: Counter[Any]) -> set[str]:
        grown = [word for word, count in _said(done).items() if count > self.said[word]]
        made = _leaves(done.message)
        new = made - self.leaves
        if not new:
            # The target is the same without the field: by default, or for another reason.
            default = {"survives", "changes"} if not grown or not sent - made else set()
            unmade = grown if self.read_elsewhere else grown[:1]
            return default | set(unmade or [word for word in self.said if self.said[word]])
        # A field that the row of another field reads changes the outcome of that field, too. So does the frame of an NSQ
        # message, regardless of the annotation that selects it.
        unmade = grown if self.read_elsewhere or not sent & new else []
        if sent - new or "lost" in grown:
            return {"changes", *unmade}
        # This judge does not know whether a number, or an id of some length, has a target type of the same range.
        ranged = any(isinstance(leaf, int) or "id_octets" in self.place.types for leaf in sent)
        return {"survives", "changes"} if ranged else {"survives"}

    def left(self, key: str | None, there: set[str], back: Conversion, *, same: bool) -> set[str]:
        """Return the possible outcomes of a field that changed on the round trip; `same`: the target is the same without it."""
        unmade = there & UNMADE
        held, bare, nothing = (_field(each, self.place, key) for each in (back.message, self.bare, self.nothing_back.message))
        if there == {"accounted"} and repr(held) != repr(bare):
            return {"changes"}
        if there == unmade:
            return there
        if same:
            return {"changes", "lost"} | unmade
        if repr(back.message) == repr(self.nothing_back.message):
            return {"lost"} | unmade
        if repr(held) not in (repr(nothing), repr(bare)):
            return {"changes"} | unmade
        # Something else differs: the rest of the field, or a value that was only beside it.
        said = _said(back)
        gone = not _leaves(back.message) - self.leaves_back or any(said[word] > self.said_back[word] for word in said)
        return {"changes"} | ({"lost"} if gone else set()) | unmade


def _check_refusal(error: ConversionError, source: str, target: str) -> None:
    """Assert that the error names a row of the route that refuses messages."""
    rows = [rule for table in converter(source, target).route.legs for rule in table.all_rules]
    assert any(rule.id == error.rule and rule.error == error.code for rule in rows), error


def _said(done: Conversion) -> dict[str, int]:
    """Return the number of lost, dropped and accounted fields in a report."""
    report = done.report.as_dict()
    return {word: len(report[word]) for word in ("lost", "dropped", "accounted")}


def _with_company(source: str, place: Place) -> Any:
    """Return a message with the fields that accompany the field in any message (Samples.company), without the field."""
    message = empty_message(PROTOCOLS[source])
    for beginning, company in PROTOCOLS[source].samples.company.items():
        for beside, value in company.items() if place.path.startswith(beginning) else ():
            section, _, name = beside.rpartition(".")
            if section and getattr(message, section) is None:
                made = places(PROTOCOLS[source])[section].message_class
                assert made is not None
                setattr(message, section, made())
            if beside != place.path:
                setattr(getattr(message, section) if section else message, name, value)
    return message


def _bare(source: str, place: Place) -> Any:
    """Return the message without the field, but with its section; with another body in place of a body."""
    message = _with_company(source, place)
    if place.section is not None and getattr(message, place.section) is None:
        made = places(PROTOCOLS[source])[place.section].message_class
        assert made is not None
        setattr(message, place.section, made())
    return message


def _field(message: Any, place: Place, key: str | None) -> Any:
    """Return the value of the field, or the values of the entries with the key."""
    for name in place.path.split("."):
        message = None if message is None else getattr(message, name)
    return message if key is None or message is None else [typed for known, typed in map(pair, message) if known == key] or None


def _leaves(value: Any) -> Counter[Any]:
    """Return the numbers, booleans, nulls and bytes in a message or value, regardless of their names."""
    return Counter(_each_leaf(value))


def _each_leaf(value: Any) -> Iterator[Any]:
    value = pair(value)
    if isinstance(value, TypedValue):
        yield from ["null"] if value.value is None else _each_leaf(value.value)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _each_leaf(part)
    elif is_dataclass(value):
        for field in fields(value):
            yield from _each_leaf(getattr(value, field.name))
    elif isinstance(value, str):
        yield value.encode("utf-8", "surrogateescape")
    elif value is not None:
        yield value if isinstance(value, bytes | int) and not isinstance(value, bool) else repr(value)


def _places(source: str) -> list[Place]:
    return [place for place in places(PROTOCOLS[source]).values() if place.kind not in (SECTION, WHOLE)]


def _keys(forecast: Forecast, place: Place) -> list[str | None]:
    keys = {outcome.field[len(place.path) :] for outcome in forecast.outcomes if outcome.field.partition("[")[0] == place.path}
    return [key[2:-2] or None for key in sorted(keys)]


def _agree(verdict: Verdict, said: set[tuple[str, str]]) -> bool:
    return bool(set(product(*verdict)) & said)


def _tried(source: str, target: str, place: Place, key: str | None, type_: str) -> list[tuple[str, Any]]:
    """Return the ordinary values of a type, and those for the conditions of the place's rows, each case once."""
    protocol, legs = PROTOCOLS[source], converter(source, target).route.legs
    rules = [rule for leg in legs[:1] for rule in leg.rules if (rule.source, rule.source_pattern) == (place.path, key)]
    ordinary = list(samples(protocol, place, type_))
    more = {case: value for rule in rules for case, value in asked_for(protocol.named[type_], rule)}
    return ordinary + [(case, value) for case, value in more.items() if case not in dict(ordinary)]


NO_VALUE_OF_ONE_FIELD = {
    "delivery-mode-absent", "durable-absent", "no-body",  # an absent value
    "address", "address-refused", "routing-key",  # values of the caller
    "header-correlation-id-taken", "payload-text", "payload-sections", "payload-unread", "type-sections",  # two fields
    "type-array-null",  # no array of the samples
    "key", "key-x", "key-text", "key-binary", "type-array-entry",  # nested values; reports name the outermost
}  # fmt: skip


@pytest.mark.parametrize("profile", ["documented", "rabbitmq-4.0", "rabbitmq-4.3"])
@pytest.mark.parametrize("pair", list(permutations(("amqp-1.0", "amqp-0.9.1", "mqtt-5.0"), 2)), ids=str)
def test_the_forecast_includes_every_row_that_takes_a_value(pair: tuple[str, str], profile: str) -> None:
    forecast = fidelity(*pair, profile=profile)
    named = {name for outcome in forecast.outcomes for name in (*outcome.rules, *outcome.type_rules)}
    (table,) = converter(*pair, profile=profile).route.legs
    missing = {rule.id for rule in (*table.rules, *table.types)} - named
    assert missing <= NO_VALUE_OF_ONE_FIELD


@pytest.mark.proof
@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_every_forecast_outcome_matches_the_conversion(source: str, target: str) -> None:
    forecast = _forecast(source, target)
    said = {(o.field, o.type, o.case): {(o.there, o.outcome)} for o in forecast.outcomes}
    judged = set()
    for place in _places(source):
        judge = Judge(source, target, place)
        for key, type_ in product(_keys(forecast, place), types_at(PROTOCOLS[source], place)):
            for case, value in _tried(source, target, place, key, type_):
                if place.unset is None or value != place.unset:
                    verdict = judge.verdict(key, message_with(PROTOCOLS[source], place, type_, key, value))
                    named = path(place.path, key), type_, case
                    assert _agree(verdict, said[named]), (named, verdict, said[named])
                    judged.add(named)
    assert judged == set(said)


_MQTT: dict[str, st.SearchStrategy[Any]] = {
    "bit": st.integers(0, 1),
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
_LONG = st.sampled_from([65_535, 65_536]).map(lambda size: "a" * size)
_AMQP10 = AMQP10_PLAIN | {
    "string": st.text(max_size=300) | _LONG,
    "symbol": st.text(st.characters(max_codepoint=127), max_size=300) | _LONG,
    "binary": st.binary(max_size=300) | _LONG.map(str.encode),
}
_AMQP091 = AMQP091_PLAIN | {
    "longstr": st.binary(max_size=300) | st.text(max_size=300).map(str.encode) | _LONG.map(str.encode),
    "shortstr": st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=50)
    | st.integers().map(str),
    "octet": st.integers(0, 255),
    "payload": st.binary(max_size=300),
}
VALUES = {"amqp-1.0": _AMQP10, "amqp-0.9.1": _AMQP091, "mqtt-5.0": _MQTT, "mqtt-3.1.1": _MQTT}


@pytest.mark.parametrize(("source", "target"), list(permutations(VALUES, 2)))
@given(data=st.data())
def test_every_value_has_one_of_the_forecast_outcomes(source: str, target: str, data: st.DataObject) -> None:
    place = data.draw(st.sampled_from([place for place in _places(source) if place.kind != BODY]))
    type_ = data.draw(st.sampled_from([name for name in types_at(PROTOCOLS[source], place) if name in VALUES[source]]))
    key = data.draw(st.sampled_from(_keys(_forecast(source, target), place)))
    value = data.draw(VALUES[source][type_].filter(lambda made: made != place.unset or made is None))
    verdict = Judge(source, target, place).verdict(key, message_with(PROTOCOLS[source], place, type_, key, value))
    field = path(place.path, key)
    named = {(o.there, o.outcome) for o in _forecast(source, target).outcomes if (o.field, o.type) == (field, type_)}
    assert _agree(verdict, named), (value, verdict, named)


def _outcomes(forecast: Forecast, field: str) -> dict[tuple[str, str], Outcome]:
    return {(outcome.type, outcome.case): outcome for outcome in forecast.outcomes if outcome.field == field}


def test_a_field_is_followed_over_two_tables() -> None:
    forecast = fidelity("amqp-1.0", "mqtt-3.1.1", back=True)
    content_type = _outcomes(forecast, "properties.content_type")["symbol", ""]
    assert (content_type.there, content_type.to, content_type.rules) == ("dropped", "", ("content-type",))
    durable = _outcomes(forecast, "header.durable")["boolean", ""]
    assert (durable.there, durable.outcome, durable.to) == ("changes", "survives", "qos")
    assert durable.rules == ("durable", "qos")


@pytest.mark.parametrize(
    ("source", "field", "type_"),
    [("amqp-0.9.1", 'basic.headers["*"]', "longstr"), ("amqp-1.0", 'application_properties["*"]', "string")],
)
def test_values_longer_than_a_string_of_mqtt_are_lost(source: str, field: str, type_: str) -> None:
    outcomes = _outcomes(_forecast(source, "mqtt-5.0"), field)
    fits, longer = outcomes[type_, "over 255 bytes"], outcomes[type_, "over 65535 bytes"]
    assert (fits.there, longer.there, longer.why) == ("survives", "lost", "longer than 65535 bytes")


def test_rows_and_types_are_named() -> None:
    outcome = _outcomes(_forecast("amqp-1.0", "amqp-0.9.1"), 'message_annotations["x-*"]')["ulong", ""]
    assert (outcome.to, outcome.as_) == ('basic.headers["x-*"]', "long")
    assert (outcome.rules, outcome.type_rules) == (("annotation-x",), ("type-ulong",))


def test_a_field_that_returns_in_another_place_is_named() -> None:
    outcome = _outcomes(_forecast("amqp-1.0", "amqp-0.9.1"), "properties.message_id")["binary", ""]
    assert (outcome.there, outcome.outcome) == ("survives", "changes")
    assert (outcome.why, outcome.back_to) == ("", 'message_annotations["x-message-id"]')


def test_forecast_refusals_name_the_row_and_its_reason() -> None:
    refused = _outcomes(fidelity("amqp-1.0", "nsq"), "properties.to")["string", "not ASCII"]
    assert (refused.there, refused.outcome, refused.to, refused.rules) == ("refused", "refused", "", ("to-refused",))
    with pytest.raises(ConversionError) as caught:
        convert(amqp10.Message(properties=amqp10.Properties(to="é"), body=Data([b"text"])), "nsq")
    assert (refused.why, refused.rules, refused.remedy) == (caught.value.fault, (caught.value.rule,), caught.value.remedy)


def test_a_message_that_needs_a_body_is_tried_with_one() -> None:
    outcomes = _outcomes(_forecast("amqp-1.0", "nsq"), "header.priority").values()
    assert {outcome.there for outcome in outcomes} == {"dropped"}


def test_a_refusal_on_the_second_leg_or_on_the_way_back_is_reported() -> None:
    second = _outcomes(fidelity("mqtt-5.0", "nsq"), "topic_name")["topic", ""]
    assert (second.there, second.rules) == ("refused", ("address-refused",))
    back = {outcome.why for outcome in _forecast("phpmq", "nsq").outcomes if outcome.outcome == "refused"}
    assert back


@pytest.mark.parametrize("pair", PAIRS)
def test_forecasts_name_the_target_of_surviving_fields(pair: tuple[str, str]) -> None:
    for outcome in _forecast(*pair).outcomes:
        assert bool(outcome.to) == (outcome.there in ("survives", "changes")), outcome
        assert outcome.rules or outcome.there == "lost", outcome


def test_the_same_protocol_changes_nothing() -> None:
    assert {outcome.outcome for outcome in fidelity("mqtt-5.0", "mqtt-5.0", back=True).outcomes} == {"survives"}


@pytest.mark.parametrize("target", ["nsq", "phpmq", "rocketmq", "pulsar"])
def test_in_an_envelope_every_value_comes_back(target: str) -> None:
    """Lists and maps among application properties are no AMQP 1.0; a target refuses addresses, delays and long properties."""
    forbidden = {"list", "map", "array", "described"}
    outcomes = fidelity("amqp-1.0", target, back=True, payload="envelope").outcomes
    arrived = [one for one in outcomes if one.there != "refused"]
    odd = {one.type for one in arrived if one.outcome != "survives" and one.field.startswith("application_properties")}
    assert odd == forbidden
    assert {one.outcome for one in arrived if not one.field.startswith("application_properties")} == {"survives"}


def test_a_forecast_refuses_an_unknown_payload() -> None:
    with pytest.raises(ConversionError, match="payload must be one of body, envelope"):
        fidelity("amqp-1.0", "nsq", payload="letter")  # type: ignore[arg-type]  # wrong on purpose


def test_overlays_and_profiles_are_forecast_too(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    row = '{ replace = "subject", to = "basic.type", when = "shortstr", note = "" }'
    file.write_text(f'["amqp-1.0 -> amqp-0.9.1"]\nrules = [\n  {row},\n]\n')
    outcome = _outcomes(fidelity("amqp-1.0", "amqp-0.9.1", rules=[str(file)]), "properties.subject")["string", ""]
    assert (outcome.there, outcome.to) == ("survives", "basic.type")
    page, broker = (fidelity("amqp-1.0", "mqtt-5.0", profile=profile) for profile in ("documented", "rabbitmq-4.0"))
    assert page != broker


def test_forecast_names_drops_and_losses() -> None:
    outcomes = {(o.field, o.case): o for o in fidelity("amqp-1.0", "amqp-0.9.1").outcomes}
    assert outcomes["properties.subject", ""].outcome == "dropped"
    assert outcomes["properties.creation_time", ""].to == "basic.timestamp"
    back = {(o.field, o.type): o.outcome for o in fidelity("mqtt-5.0", "amqp-1.0", back=True).outcomes if not o.case}
    assert back["content_type", "utf8"] == "survives"
    assert back["message_expiry_interval", "uint"] == "lost"
