"""Values by field path: two ways to read a message agree, and the paths of reports lead back to the values."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import PROTOCOLS, Entry, TypedValue, convert
from mqconvert.converters.engine.values import NO_FORM, Values, bare, content
from mqconvert.messages import amqp10, mqtt5
from tests.strategies import DRAWN

EACH = pytest.mark.parametrize("protocol", list(PROTOCOLS))


def _by_shape(values: Values) -> dict[str, list[Any]]:
    """Return the values of each set field, read from shape() and the numbers of the paths."""
    shape, held = values.shape()
    numbers = values.numbers()
    of_places = {number: path for path, each in numbers.items() for number in each if "[" not in path}
    found = {of_places[number]: [held[number]] for number in shape[1 : 1 + shape[0]]}
    # Entries stand behind the places. Those of one map stand together, and equal keys have one path.
    of_entries = {number: path for path, each in numbers.items() for number in each if "[" in path}
    for number, path in of_entries.items():
        found.setdefault(path, []).append(bare(held[number]))
    return found


@EACH
@given(data=st.data())
def test_a_shape_has_the_values_of_all_set_fields(protocol: str, data: st.DataObject) -> None:
    values = Values(data.draw(DRAWN[protocol]))
    fields = values.fields()
    assert _by_shape(values) == fields
    assert values.count() == sum(map(len, fields.values()))


@EACH
@given(data=st.data())
def test_each_path_leads_to_its_values(protocol: str, data: st.DataObject) -> None:
    message = data.draw(DRAWN[protocol])
    for path, found in Values(message).fields().items():
        assert Values(message).at(path) == found


@EACH
@given(data=st.data())
def test_messages_of_one_shape_have_the_same_fields(protocol: str, data: st.DataObject) -> None:
    first, second = (Values(data.draw(DRAWN[protocol])) for _ in range(2))
    assert first.shape()[0] != second.shape()[0] or list(first.fields()) == list(second.fields())


@given(data=st.data())
def test_every_path_of_a_report_names_a_value_of_the_source(data: st.DataObject) -> None:
    message = data.draw(DRAWN["amqp-1.0"])
    report = convert(message, "amqp-0.9.1").report
    for field in [*(drop.field for drop in report.dropped), *(loss.field for loss in report.lost)]:
        assert Values(message).at(field), field


def test_paths_lead_into_nested_values_whatever_their_keys_contain() -> None:
    inner = [Entry("a][b", "int", 1), Entry('"', "list", [TypedValue("string", "x"), TypedValue("string", "y")])]
    values = Values(amqp10.Message(application_properties=[Entry('k"]["', "map", inner), Entry("k", "int", 5)]))
    assert values.at('application_properties["k"]') == [TypedValue("int", 5)]
    assert values.at('application_properties["k"][""]["a][b"]') == [TypedValue("int", 1)]
    assert values.at('application_properties["k"][""]["""][1]') == [TypedValue("string", "y")]
    assert values.at('application_properties["k"][""]["none"]') == []
    assert values.at("properties.subject") == [None]


@pytest.mark.parametrize(
    ("field", "value", "form"),
    [
        ("qos", 1, 1),
        ("payload", "text", NO_FORM),
        ("no_such_field", 1, NO_FORM),
        ("topic_name", 5, NO_FORM),
        ("k", TypedValue("no such type", 1), NO_FORM),
    ],
)
def test_invalid_values_have_no_form(field: str, value: object, form: object) -> None:
    assert Values(mqtt5.Message()).untyped_json(field, value) == form


def test_forms_lack_the_names_of_types_at_every_depth() -> None:
    key = TypedValue("string", "k")
    nested = TypedValue("list", [TypedValue("binary", b"hi"), TypedValue("map", [Entry(key, "ulong", 1)])])
    assert Values(amqp10.Message()).untyped_json("body", amqp10.AmqpValue(nested)) == ["aGk=", [["k", 1]]]


def test_only_a_body_of_one_value_has_content() -> None:
    sequence = amqp10.AmqpSequence([[TypedValue("int", 1)]])
    assert content(amqp10.AmqpValue(TypedValue("string", "a"))) == "a"
    assert (content(amqp10.Data([])), content(sequence)) == (amqp10.Data([]), sequence)
