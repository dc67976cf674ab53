"""Lines of rows: they fit a width, and show what matters most."""

import re
from pathlib import Path

import pytest

from mqconvert import (
    PROTOCOLS,
    Entry,
    Environment,
    TypedValue,
    convert,
    explain,
    explained,
)
from mqconvert.converters.account.folding import columns
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from tests.converters.account.accounts import squeezed

SAMPLES = Path(__file__).parents[3] / "docs" / "samples"


def test_a_long_key_widens_only_its_own_line() -> None:
    """Padding every line to the long key would turn 92 KB into 360 MB of spaces."""
    pairs = [("k" * 60_000, "v"), *((f"k{number}", "v") for number in range(3_000))]
    text = explain(mqtt5.Message(topic_name="t", user_properties=pairs), "amqp-1.0")
    assert len(text) < 300 * len(pairs)
    assert max(map(len, text.splitlines())) < 400


@pytest.mark.parametrize("width", [60, 80, 100, 120])
def test_lines_fit_a_width(width: int) -> None:
    """What is left out, in this order: lines of tables, ids of rows, ends of values, middles of paths."""
    pairs = [("unit", "c" * 50), ("a" * 70, "b"), ("tenant", "acme")]
    message = mqtt5.Message(topic_name="t/" + "u" * 50, retain=1, user_properties=pairs, payload=b"x" * 100)
    lines = explain(message, "amqp-0.9.1", width=width).splitlines()[1:]
    assert max(map(len, lines)) <= width
    text = " ".join(" ".join(lines).split())
    for reason in ("dropped: no counterpart retain", "elsewhere: where it was published, not part of the message topic"):
        assert reason in text
    assert "'cccccc" in text
    assert any('nant"]' in line and "'acme'" in line for line in lines)


def test_paths_and_rows_are_shown_before_lines_of_tables() -> None:
    message = mqtt5.Message(topic_name="t", content_type="application/json")
    whole = explain(message, "amqp-0.9.1")
    assert explain(message, "amqp-0.9.1", width=200) == whole
    (wide,) = [line for line in whole.splitlines() if "content_type " in line]
    (narrow,) = [line for line in explain(message, "amqp-0.9.1", width=100).splitlines() if "content_type " in line]
    assert "mqtt5_to_amqp091.toml" in wide
    assert " ".join(narrow.split()) == "content_type 'application/json' -> basic.content_type 'application/json' content-type"
    (least,) = [line for line in explain(message, "amqp-0.9.1", width=64).splitlines() if "content_type " in line]
    assert re.fullmatch("content_type +'[a-z/]+… +->  basic.content_type +'[a-z/]+…", least.strip())


@pytest.mark.parametrize("width", [None, 110, 60])
def test_outcomes_have_a_style_and_values_that_look_like_them_have_none(width: int | None) -> None:
    value = "a  ->  LOST: b  dropped: c  elsewhere: d"
    message = mqtt5.Message(topic_name=value, retain=1, payload=value.encode(), user_properties=[("k", value), ("k", "")])
    message.payload_format_indicator = 1
    done = convert(message, "amqp-0.9.1")
    plain = explained(message, done, width=width)
    marked = explained(message, done, width=width, styled=lambda outcome, text: f"\x01{outcome}\x02{text}\x03")
    assert re.sub("\x01[a-z]*\x02|\x03", "", marked) == plain
    parts = re.findall("\x01([a-z]*)\x02(.*?)\x03", marked)
    assert {outcome for outcome, _ in parts} == {"applied", "dropped", "lost", "elsewhere"}
    begins = dict(reversed(parts))
    assert begins["applied"] == "->"
    assert {name: begins[name].split()[0] for name in ("lost", "dropped", "elsewhere")} == {
        "lost": "LOST:",
        "dropped": "dropped:",
        "elsewhere": "elsewhere:",
    }


def test_a_number_is_shown_before_its_type_where_both_do_not_fit() -> None:
    headers = [Entry("a-long-name-of-a-header", "unsignedint", 4_000_000_000), Entry("flag", "bool", True)]
    message = amqp091.Message(basic=amqp091.BasicProperties(headers=headers), routing_key="t")
    assert "unsignedint 4000000000" in explain(message, "mqtt-5.0")
    narrow = explain(message, "mqtt-5.0", width=80).splitlines()
    assert max(map(len, narrow)) <= 80
    assert any('header"]' in line and " 4000000000 " in line for line in narrow)
    assert any("bool True " in line for line in narrow)


def test_only_the_type_of_a_value_gives_way_in_a_narrow_column() -> None:
    """What is left out is the type that the printer wrote, never text that looks like one."""
    texts = ["say 'it' loud, and once more", "one " * 9, "x" * 70]
    headers = [Entry(f"header-{at}", "longstr", text.encode()) for at, text in enumerate(texts)]
    compound = Entry("header-array", "array", [TypedValue("longstr", b"a" * 30)])
    message = amqp091.Message(basic=amqp091.BasicProperties(headers=[*headers, compound]), routing_key="t")
    lines = explain(message, "amqp-1.0", width=80).splitlines()
    for shown in ("\"say 'it'", "'one one", "'xxxxxxx", "array ["):
        assert any(re.search(rf"\"] +{re.escape(shown)}", line) for line in lines), shown


def test_parts_of_a_value_have_a_line_where_its_column_is_too_narrow() -> None:
    died = [Entry("count", "long", 1), Entry("reason", "longstr", b"expired"), Entry("queue", "longstr", b"orders")]
    headers = [Entry("x-death", "array", [TypedValue("table", died)]), Entry("n", "signedint", 1)]
    message = amqp091.Message(amqp091.BasicProperties(headers=headers), b"hi", routing_key="orders")
    dropped, reason, parts, *others = explain(message, "mqtt-5.0", width=80).splitlines()[2:]
    assert re.match(r'  basic.headers\["x-death"\]  array \[tab.*…  dropped: ', dropped)
    assert reason.split() == ["converted", "header-compound"]
    assert parts == " " * 28 + "[{'count': 1, 'reason': 'expired', 'queue': 'orders…"
    assert all(line[2] != " " for line in others)
    for shown in (explain(message, "mqtt-5.0"), explain(message, "mqtt-5.0", width=80, redact=True)):
        assert "{'count': 1" not in shown


@pytest.mark.parametrize("width", [80, 100])
def test_keys_that_differ_in_a_word_differ_where_they_are_cut(width: int) -> None:
    """RabbitMQ adds both families of headers to a dead message."""
    keys = [f"x-{word}-death-{what}" for word in ("first", "last") for what in ("queue", "reason", "exchange")]
    headers = [Entry(key, "longstr", b"a value of a header") for key in keys]
    message = amqp091.Message(amqp091.BasicProperties(headers=headers), b"hi", routing_key="orders")
    lines = [line for line in explain(message, "mqtt-5.0", width=width).splitlines() if '["' in line]
    assert max(map(len, lines)) <= width
    for part in (0, 1):
        assert len({line.split("->")[part].split()[0] for line in lines}) == len(keys)


@pytest.mark.parametrize("width", [40, 80])
def test_lines_fit_where_characters_are_wide(width: int) -> None:
    pairs = [("\u6e29\u5ea6" * 20, "\u6e29\u5ea6" * 30), ("unit", "e\u0301" * 50)]
    lines = explain(mqtt5.Message(topic_name="t", user_properties=pairs), "amqp-0.9.1", width=width).splitlines()
    assert max(map(columns, lines)) <= width
    arrows = {columns(line[: line.index("->")]) for line in lines if line.startswith("  ") and "->" in line}
    assert len(arrows) == 1
    assert any("'\u6e29" in line for line in lines)


def test_forty_columns_are_enough() -> None:
    for source in ("amqp-1.0", "amqp-0.9.1", "mqtt-5.0", "pulsar", "rocketmq"):
        raw = (SAMPLES / f"{source}.bin").read_bytes()
        for target in PROTOCOLS:
            text = explain(raw, target, source=source, environment=Environment(address="t", clock=1), width=40)
            assert max(map(len, text.splitlines())) <= 40


def test_an_entry_that_a_last_row_puts_in_order_has_one_line() -> None:
    pairs = [("b", "1"), ("a", "2"), ("a", "2"), ("c", "3")]
    lines = squeezed(explain(mqtt5.Message(topic_name="t", user_properties=pairs), "amqp-0.9.1"))
    for key, rules in (("b", "user-property, sorted"), ("a", "user-property, sorted"), ("c", "user-property")):
        (line,) = [line for line in lines if line.startswith(f'user_properties["{key}"]') and "->" in line]
        assert line.endswith(f" {rules}")
