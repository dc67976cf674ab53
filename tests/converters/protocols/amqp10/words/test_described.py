"""Described values, with those of Azure Service Bus: com.microsoft:uri, timespan and datetime-offset."""

from pathlib import Path
from typing import Any

import pytest

from mqconvert import Described, Entry, RuleTableError, TypedValue, check_rules, convert
from mqconvert.converters.protocols.amqp10.message import Data, Message

URI = 'when = "described-as com.microsoft:uri", as = "longstr", via = "inside string then octets"'
SPAN = 'when = "described-as com.microsoft:timespan", as = "long", via = "inside long then scale 1/10000"'
AZURE = f"""
["amqp-1.0 -> amqp-0.9.1"]
types = [
  {{ before = "type-string", id = "uri", type = "described", {URI} }},
  {{ before = "type-string", id = "span", type = "described", {SPAN} }},
  {{ before = "type-string", id = "other", type = "described", when = "described-as 5", as = "long", via = "inside int" }},
]
"""


def described(descriptor: Any, value: TypedValue) -> Message:
    made = Described(TypedValue("symbol" if isinstance(descriptor, str) else "ulong", descriptor), value)
    return Message(application_properties=[Entry("k", "described", made)], body=Data([b""]))


@pytest.mark.parametrize(
    ("descriptor", "value", "wanted"),
    [
        ("com.microsoft:uri", TypedValue("string", "http://a/é"), ("longstr", "http://a/é".encode())),
        ("com.microsoft:timespan", TypedValue("long", 36_000_000_000), ("long", 3_600_000)),
        (5, TypedValue("int", -1), ("long", -1)),
        ("com.microsoft:uri", TypedValue("int", 1), None),
        ("com.microsoft:other", TypedValue("string", "a"), None),
    ],
)
def test_an_overlay_takes_the_value_inside_or_loses_it(
    descriptor: Any, value: TypedValue, wanted: tuple[str, Any] | None, tmp_path: Path
) -> None:
    (tmp_path / "azure.toml").write_text(AZURE)
    done: Any = convert(described(descriptor, value), "amqp-0.9.1", rules=(tmp_path / "azure.toml",))
    headers = done.message.basic.headers
    assert headers == (None if wanted is None else [Entry("k", *wanted)])
    assert bool(done.report.lost) is (wanted is None)


@pytest.mark.parametrize(("word", "reason"), [("inside text", "it needs one of"), ("inside", "it needs one of")])
def test_inside_needs_a_type_of_amqp_10(word: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "azure.toml").write_text(AZURE.replace("inside int", word))
    with pytest.raises(RuleTableError, match=reason):
        check_rules(str(tmp_path / "azure.toml"))
