"""Explanations: every field of the report with its values and its line of the table; no values when redacted."""

import re
from pathlib import Path
from typing import Any, cast

import pytest

from mqconvert import (
    PROTOCOLS,
    EncodeError,
    Entry,
    Environment,
    NoRouteError,
    TypedValue,
    convert,
    encode,
    explain,
    explained,
    explained_json,
)
from mqconvert.converters.account.explain import _Values
from mqconvert.converters.account.folding import columns
from mqconvert.converters.model.values import Array, Decimal091, Described
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from mqconvert.converters.protocols.pulsar import message as pulsar
from tests.entries import entry

SAMPLES = Path(__file__).parents[3] / "docs" / "samples"
MESSAGE = amqp10.Message(
    amqp10.Header(ttl=5, delivery_count=3),
    properties=amqp10.Properties(subject="hush", creation_time=1500),
    application_properties=[Entry("k", "string", "hush")],
    body=amqp10.Data([b"hush"]),
)


def test_every_entry_has_its_line() -> None:
    text = explain(MESSAGE, "amqp-0.9.1")
    summary, tables, *others = text.splitlines()
    lines = {line.split()[0]: " ".join(line.split()) for line in others}
    table = "amqp10_to_amqp091.toml"
    assert summary == "4 of 6 fields arrive (2 unchanged, 2 changed); 2 do not: 2 by rule"
    assert tables == "amqp-1.0 -> amqp-0.9.1"
    assert lines["header.ttl"].startswith(f"header.ttl 5 -> basic.expiration '5' {table}:")
    assert lines["header.delivery_count"] == (
        "header.delivery_count 3 dropped: no counterpart; true of one delivery only delivery-count"
    )
    assert "'hush' dropped: no counterpart subject" in lines["properties.subject"]
    assert lines['application_properties["k"]'].endswith("application-property, type-string")
    assert "LOST IN PART: the fraction of a second creation-time" in text.replace("  ", " ")


def test_each_of_two_tables_has_its_block() -> None:
    text = explain(MESSAGE, "mqtt-3.1.1", environment=Environment(address="t"))
    heads = [line for line in text.splitlines() if not line.startswith(" ")]
    assert heads[1:] == ["amqp-1.0 -> mqtt-5.0", "mqtt-5.0 -> mqtt-3.1.1"]


def _lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines()]


def test_values_between_two_tables() -> None:
    lines = _lines(explain(MESSAGE, "mqtt-3.1.1", environment=Environment(address="t")))
    second = lines[lines.index("mqtt-5.0 -> mqtt-3.1.1") + 1 :]
    assert any(
        line.startswith("""application_properties["k"] string 'hush' -> user_properties["k"] 'hush'""") for line in lines
    )
    assert any(line.startswith("""user_properties["k"] 'hush' dropped:""") for line in second)


def test_equal_keys_and_quotes_show_their_own_values() -> None:
    pairs = [("a", "first"), ("a", "second"), ('"x"', "quoted"), ("a", "third")]
    message = mqtt5.Message(topic_name="t", user_properties=pairs)
    lines = _lines(explain(message, "amqp-1.0"))
    assert """user_properties["a"] 'second' LOST: a second equal key user-property""" in lines
    assert """user_properties["a"] 'third' LOST: a second equal key user-property""" in lines
    assert any(
        line.startswith("""user_properties["a"] 'first' -> application_properties["a"] string 'first'""") for line in lines
    )
    assert any(line.startswith("""user_properties[""x""] 'quoted' ->""") for line in lines)
    dropped = [line for line in _lines(explain(message, "mqtt-3.1.1")) if line.startswith('user_properties["a"]')]
    assert [line.split()[1] for line in dropped] == ["'first'", "'second'", "'third'"]


def test_equal_keys_taken_by_different_rows_show_every_value() -> None:
    pairs = [Entry("k", "string", "text"), Entry("k", "ulong", 2**64 - 1)]
    message = amqp10.Message(application_properties=pairs, body=amqp10.Data([b""]))
    values = _Values(message, redact=False)
    values.expect([('application_properties["k"]', "one", False), ('application_properties["k"]', "other", False)])
    assert values.next('application_properties["k"]', "one") == f"string 'text' | ulong {2**64 - 1}"


def test_equal_keys_taken_by_different_rows_share_one_list_of_values() -> None:
    """A list for each of many equal keys would take quadratic memory."""
    headers = [Entry("BCC", "longstr", text) for text in (b"a", b"b", b"c")]
    message = amqp091.Message(amqp091.BasicProperties(headers=headers), b"")
    told = explained_json(message, convert(message, "mqtt-5.0", profile="rabbitmq-4.0"))
    shown = [entry["value"] for entry in (*told["dropped"], *told["applied"]) if "BCC" in entry.get("from", entry.get("field"))]
    assert [[value["value"] for value in values] for values in shown] == [["a", "b", "c"]] * 3
    assert all(values is shown[0] for values in shown)


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


def test_the_beginning_of_long_text_in_bytes_is_shown() -> None:
    text = explain(mqtt5.Message(topic_name="t", payload=b"x" * 100), "nsq")
    assert f" '{'x' * 40}'… " in text
    assert "x" * 41 not in text


def test_bytes_need_their_protocol() -> None:
    for raw in (encode(MESSAGE), bytearray(encode(MESSAGE)), memoryview(encode(MESSAGE))):
        assert explain(raw, "amqp-0.9.1", source="amqp-1.0") == explain(MESSAGE, "amqp-0.9.1")
    with pytest.raises(NoRouteError):
        explain(encode(MESSAGE), "amqp-0.9.1")


def test_redacted_explanations_have_no_content() -> None:
    assert "hush" in explain(MESSAGE, "amqp-0.9.1")
    redacted = explain(MESSAGE, "amqp-0.9.1", redact=True)
    assert "hush" not in redacted
    assert "(4 characters)" in redacted
    assert "properties.subject" in redacted


_INT = TypedValue("int", 1)
_MAP = TypedValue("map", [Entry(TypedValue("symbol", "k"), "list", [_INT, TypedValue("string", "hush")])])


@pytest.mark.parametrize(
    ("body", "shown", "redacted"),
    [
        (amqp10.Data([b"hush"]), "data 'hush'", "data, 4 bytes"),
        (amqp10.Data([b"hush\xff"]), "data, 5 bytes", None),
        (amqp10.Data([b"h", b""]), "data, 2 sections, 1 byte", None),
        (amqp10.AmqpSequence([[_INT, _INT], [_INT]]), "amqp-sequence, 2 sections, 3 values", None),
        (amqp10.AmqpValue(TypedValue("string", "hush")), "amqp-value string 'hush'", "amqp-value string (4 characters)"),
        (amqp10.AmqpValue(TypedValue("binary", b"hush")), "amqp-value binary 'hush'", "amqp-value binary 4 bytes"),
        (amqp10.AmqpValue(TypedValue("null", None)), "amqp-value null", None),
        (amqp10.AmqpValue(_MAP), "amqp-value map {symbol 'k': list [int 1, string 'hush']}", "amqp-value map (redacted)"),
        (
            amqp10.AmqpValue(TypedValue("array", Array("uint", [1, 2]))),
            "amqp-value array of uint [1, 2]",
            "amqp-value array (redacted)",
        ),
        (
            amqp10.AmqpValue(TypedValue("described", Described(TypedValue("symbol", "hush"), _INT))),
            "amqp-value described symbol 'hush' int 1",
            "amqp-value described (redacted)",
        ),
    ],
)
def test_bodies_are_shown_with_their_kind(body: amqp10.Body, shown: str, redacted: str | None) -> None:
    message = amqp10.Message(body=body)
    for redact, wanted in ((False, shown), (True, redacted or shown)):
        (line,) = [line for line in _lines(explain(message, "amqp-0.9.1", redact=redact)) if line.startswith("body ")]
        assert line.startswith(f"body {wanted} ->")


def test_a_record_is_shown_with_its_fields() -> None:
    message = pulsar.Message(encryption_keys=[pulsar.EncryptionKey("k", b"hush", [("m", "v")])])
    shown = "[{'key': 'k', 'value': 'hush', 'metadata': {'m': 'v'}}]"
    assert _Values(message, redact=False).next("encryption_keys", None) == shown
    assert _Values(message, redact=True).next("encryption_keys", None) == "(redacted)"


def test_keys_have_no_terminal_escapes() -> None:
    message = amqp10.Message(footer=[Entry("x-\x1b[2J\n\ud800", "null", None)], body=amqp10.Data([b""]))
    assert r'footer["x-\x1b[2J\n\ud800"]' in explain(message, "amqp-0.9.1")


def test_values_are_found_at_paths() -> None:
    message = amqp091.Message(amqp091.BasicProperties(headers=[Entry("a.b", "longstr", b"v"), Entry("n", "void", None)]))

    def shown(message: Any, field: str) -> str:
        return str(_Values(message, redact=False).next(field, None))

    assert shown(message, 'basic.headers["a.b"]') == "longstr 'v'"
    assert shown(message, 'basic.headers["n"]') == "void"
    assert shown(message, "basic.priority") == shown(message, "nothing.at.all") == shown(None, "payload") == ""
    assert shown(amqp091.Message(amqp091.BasicProperties(type="a" * 100)), "basic.type").endswith("a...")


def test_explained_json_has_the_values_of_the_json_form_and_redacts_them() -> None:
    done = convert(MESSAGE, "amqp-0.9.1")
    told = explained_json(MESSAGE, done)
    values = {entry["from"]: (entry["value"], entry["made"]) for entry in told["applied"]}
    assert values["header.ttl"] == (5, "5")
    assert values['application_properties["k"]'] == (
        {"type": "string", "value": "hush"},
        {"type": "longstr", "value": "hush"},
    )
    assert [entry["value"] for entry in told["dropped"] if entry["field"] == "properties.subject"] == ["hush"]
    assert [entry["value"] for entry in told["lost"]] == [1500]
    plain = done.report.as_dict()
    for name in ("applied", "dropped", "lost", "accounted"):
        stripped = [{key: one[key] for key in one if key not in ("value", "made", "where")} for one in told[name]]
        assert stripped == plain[name]
    assert "hush" not in str(explained_json(MESSAGE, done, redact=True))


def test_a_loss_inside_a_map_or_list_shows_the_lost_value() -> None:
    decimal = TypedValue("decimal32", b"\xffbcd")
    inner = TypedValue("map", [Entry(TypedValue("string", 'b"]["c'), "list", [TypedValue("null", None), decimal])])
    message = amqp10.Message(
        message_annotations=[entry("x-map", inner), Entry("x-list", "list", [inner, decimal])], body=amqp10.Data([b""])
    )
    lines = _lines(explain(message, "amqp-0.9.1"))
    lost = {line.partition(" decimal32 4 bytes LOST")[0] for line in lines if "LOST" in line}
    assert lost == {
        'message_annotations["x-map"]["b"]["c"][1]',
        'message_annotations["x-list"][0]["b"]["c"][1]',
        'message_annotations["x-list"][1]',
    }
    headers = [Entry("x-table", "table", [Entry("k", "array", [TypedValue("decimal", Decimal091(1, 15))])])]
    table = amqp091.Message(amqp091.BasicProperties(headers=headers))
    (line,) = [line for line in _lines(explain(table, "amqp-1.0")) if "LOST" in line]
    assert line.startswith('basic.headers["x-table"]["k"][0] decimal 15e-1 ')


def test_equal_keys_inside_a_map_show_every_value() -> None:
    pairs = [Entry(TypedValue("string", "k"), "decimal32", bytes(4)), Entry(TypedValue("symbol", "k"), "int", 5)]
    message = amqp10.Message(message_annotations=[Entry("x-m", "map", pairs)], body=amqp10.Data([b""]))
    (line,) = [line for line in _lines(explain(message, "amqp-0.9.1")) if "LOST" in line]
    assert "decimal32 4 bytes" in line


def test_values_of_the_caller_are_shown() -> None:
    message = amqp10.Message(body=amqp10.Data([b""]))
    environment = Environment(address="there", clock=1_234_567, producer="me", sequence_id=987_654)
    text = explain(message, "pulsar", environment=environment)
    values = {line.split()[0]: line.split()[1] for line in _lines(text) if line.startswith("@") and "@constant" not in line}
    assert values == {"@address": "'there'", "@clock": "1234567", "@producer": "'me'", "@sequence_id": "987654"}
    redacted = explain(message, "pulsar", environment=environment, redact=True)
    assert not any(value in redacted for value in ("there", "1234567", "'me'", "987654"))
    assert explained(message, convert(message, "pulsar", environment=environment), environment=environment) == text


def test_the_destination_of_a_message_is_the_address_of_the_next_table() -> None:
    lines = _lines(explain(mqtt5.Message(topic_name="a", payload=b"a"), "nsq"))
    assert [line.split()[1] for line in lines if line.startswith("@address")] == ["'a'"]
    lines = _lines(explain(mqtt5.Message(topic_name="a", payload=b"a"), "nsq", environment=Environment(address="b")))
    assert [line.split()[1] for line in lines if line.startswith("@address")] == ["'b'"]


@pytest.mark.parametrize(
    ("message", "field"),
    [
        (amqp10.Message(amqp10.Header(durable=cast(Any, {}))), "header.durable"),
        (mqtt5.Message(topic_name=cast(Any, {})), "topic_name"),
        (amqp091.Message(payload=cast(Any, 5)), "payload"),
    ],
)
def test_an_invalid_value_is_named(message: Any, field: str) -> None:
    """The table drops or carries the value of a message made by hand, which only its explanation would show."""
    with pytest.raises(EncodeError) as caught:
        explain(message, "amqp-0.9.1" if message.__class__ is not amqp091.Message else "amqp-1.0")
    assert caught.value.field == field


def test_a_result_that_cannot_be_encoded_is_told_below_the_summary() -> None:
    message = amqp10.Message(body=amqp10.Data([b"hi"]))
    summary, second, *others = explain(message, "mqtt-5.0").splitlines()
    assert (summary, others) == (
        "the only field arrives unchanged",
        explained(message, convert(message, "mqtt-5.0")).splitlines()[1:],
    )
    words = "no topic in topic_name; try the option address [bad_topic]"
    assert second == f"the result cannot be encoded: mqtt-5.0: {words}"
    assert "\nthe result cannot be encoded: topic_name [bad_topic]\n" in explain(message, "mqtt-5.0", redact=True)


def test_a_result_that_cannot_be_encoded_is_told_below_a_folded_summary() -> None:
    lines = explain(MESSAGE, "mqtt-5.0", width=30).splitlines()
    begin = lines.index("the result cannot be encoded:")
    assert " ".join(lines[:begin]) == str(convert(MESSAGE, "mqtt-5.0").report.summary)
    assert all(columns(line) <= 30 for line in lines[:begin])


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
    lines = _lines(explain(mqtt5.Message(topic_name="t", user_properties=pairs), "amqp-0.9.1"))
    for key, rules in (("b", "user-property, sorted"), ("a", "user-property, sorted"), ("c", "user-property")):
        (line,) = [line for line in lines if line.startswith(f'user_properties["{key}"]') and "->" in line]
        assert line.endswith(f" {rules}")
