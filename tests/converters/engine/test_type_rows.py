"""Type rows convert values at every depth, and losses have their path."""

from pathlib import Path
from typing import Any

import pytest

from mqconvert import ConversionError, Entry, RuleTableError, TypedValue, convert, encode, generated_source
from mqconvert.converters.overlays import Overlay
from mqconvert.converters.protocols import protocol_of
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp10 import message as amqp10
from tests.converters.engine.table_files import HEAD
from tests.entries import entry


def test_losses_inside_values_have_their_path() -> None:
    value = TypedValue("list", [TypedValue("decimal32", bytes(4)), TypedValue("boolean", True)])
    message = amqp10.Message(message_annotations=[entry("x-k", value)], body=amqp10.Data([b""]))
    report = convert(message, "amqp-0.9.1").report
    assert [(lost.field, lost.rule) for lost in report.lost] == [('message_annotations["x-k"][0]', "type-decimal")]


def test_an_unconvertible_key_loses_only_its_entry() -> None:
    keys = [TypedValue("int", 1), TypedValue("binary", b"\xff"), TypedValue("string", "k" * 256), TypedValue("string", "k")]
    value = TypedValue("map", [Entry(key, "boolean", True) for key in keys])
    message = amqp10.Message(message_annotations=[entry("x-m", value)], body=amqp10.Data([b""]))
    done = convert(message, "amqp-0.9.1", profile="rabbitmq-4.0")
    assert isinstance(done.message, amqp091.Message)
    assert done.message.basic.headers == [Entry("x-m", "table", [Entry("k", "bool", True)])]
    assert [(lost.type, lost.reason, lost.rule) for lost in done.report.lost] == [
        ("boolean", "no row takes a key of type int", None),
        ("boolean", "not valid UTF-8", "key-binary"),
        ("boolean", "longer than 255 bytes", "key-text"),
    ]
    assert done.report.lost[0].field == 'message_annotations["x-m"][1]'


def test_a_value_that_a_row_of_types_cannot_take_is_an_error_of_that_row(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    row = 'before = "type-string", id = "mine", type = "string", when = "begins x-", as = "long", via = "from-decimal"'
    file.write_text(f"{HEAD}types = [\n  {{ {row} }},\n]\n")
    value = TypedValue("string", "x-1")
    for nested in (value, TypedValue("list", [value])):
        with pytest.raises(ConversionError) as failed:
            convert(amqp10.Message(application_properties=[entry("k", nested)]), "amqp-0.9.1", rules=file)
        assert (failed.value.code, failed.value.rule) == ("row_failed", "mine")


@pytest.mark.parametrize(
    ("message", "target"),
    [
        (amqp091.Message(amqp091.BasicProperties(headers=[Entry("k", "timestamp", 2**63)])), "amqp-1.0"),
        (amqp10.Message(application_properties=[Entry("k", "timestamp", -5)]), "amqp-0.9.1"),
    ],
)
def test_a_kept_type_is_checked_against_narrower_bounds(message: Any, target: str) -> None:
    """Rows that keep the type get the same check: the timestamps of the two protocols have different bounds."""
    row = '{ before = "type-timestamp", id = "mine", type = "timestamp", when = "finite", as = "timestamp" }'
    rules = Overlay("mine.toml", f'title = "a"\n["{protocol_of(message).name} -> {target}"]\ntypes = [\n{row},\n]\n')
    made = convert(message, target, rules=rules)
    assert [line.rule for line in made.report.lost] == ["mine"]
    assert encode(made.message)


def test_arrays_of_amqp10_and_amqp091_are_not_interchangeable() -> None:
    """Arrays of AMQP 1.0 have one type, those of AMQP 0.9.1 any types. `array-items` converts between them."""
    row = '{ before = "type-list", id = "mine", type = "array", as = "array" }'
    rules = Overlay("mine.toml", f'title = "a"\n["amqp-1.0 -> amqp-0.9.1"]\ntypes = [\n{row},\n]\n')
    with pytest.raises(RuleTableError, match=r"mine.toml:4: row mine: array cannot hold the result of the row"):
        convert(amqp10.Message(body=amqp10.Data([b""])), "amqp-0.9.1", rules=rules)


def test_types_with_equal_functions_share_one() -> None:
    text = generated_source("amqp-1.0", "mqtt-5.0")
    assert text.count("def top_type_integer(") == 1
    assert [f"'{type_}': top_type_integer," in text for type_ in ("ubyte", "ulong", "long")] == [True] * 3
    assert {"def top_type_float(", "def top_type_float_2("} <= {line.partition("value")[0] for line in text.splitlines()}
