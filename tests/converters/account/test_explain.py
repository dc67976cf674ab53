"""Explanations: every field of the report with its values and its line of the table; no values when redacted."""

from typing import Any, cast

import pytest

from mqconvert import (
    ArgumentError,
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
from mqconvert.converters.model.values import Decimal091
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from mqconvert.converters.protocols.pulsar import message as pulsar
from tests.converters.account.accounts import squeezed
from tests.entries import entry

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


def test_values_between_two_tables() -> None:
    lines = squeezed(explain(MESSAGE, "mqtt-3.1.1", environment=Environment(address="t")))
    second = lines[lines.index("mqtt-5.0 -> mqtt-3.1.1") + 1 :]
    assert any(
        line.startswith("""application_properties["k"] string 'hush' -> user_properties["k"] 'hush'""") for line in lines
    )
    assert any(line.startswith("""user_properties["k"] 'hush' dropped:""") for line in second)


def test_equal_keys_and_quotes_show_their_own_values() -> None:
    pairs = [("a", "first"), ("a", "second"), ('"x"', "quoted"), ("a", "third")]
    message = mqtt5.Message(topic_name="t", user_properties=pairs)
    lines = squeezed(explain(message, "amqp-1.0"))
    assert """user_properties["a"] 'second' LOST: a second equal key user-property""" in lines
    assert """user_properties["a"] 'third' LOST: a second equal key user-property""" in lines
    assert any(
        line.startswith("""user_properties["a"] 'first' -> application_properties["a"] string 'first'""") for line in lines
    )
    assert any(line.startswith("""user_properties[""x""] 'quoted' ->""") for line in lines)
    dropped = [line for line in squeezed(explain(message, "mqtt-3.1.1")) if line.startswith('user_properties["a"]')]
    assert [line.split()[1] for line in dropped] == ["'first'", "'second'", "'third'"]


def test_values_that_a_start_row_left_out_are_the_first_of_their_key() -> None:
    pairs = [("a", "first"), ("a", "second"), ("b", "other"), ("a", "third")]
    message = pulsar.Message(payload=b"", producer_name="p", sequence_id=1, publish_time=1, properties=pairs)
    lines = squeezed(explain(message, "amqp-1.0"))
    for value in ("first", "second"):
        assert f"""properties["a"] '{value}' LOST: a later value has its name equal-names""" in lines
    arrives = """properties["a"] 'third' -> application_properties["a"] string 'third'"""
    assert any(line.startswith(arrives) for line in lines)
    told = explained_json(message, convert(message, "amqp-1.0"))
    assert [(entry["field"], entry["value"]) for entry in told["lost"]] == [
        ('properties["a"]', "first"),
        ('properties["a"]', "second"),
    ]


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
    lines = squeezed(explain(message, "amqp-0.9.1"))
    lost = {line.partition(" decimal32 4 bytes LOST")[0] for line in lines if "LOST" in line}
    assert lost == {
        'message_annotations["x-map"]["b"]["c"][1]',
        'message_annotations["x-list"][0]["b"]["c"][1]',
        'message_annotations["x-list"][1]',
    }
    headers = [Entry("x-table", "table", [Entry("k", "array", [TypedValue("decimal", Decimal091(1, 15))])])]
    table = amqp091.Message(amqp091.BasicProperties(headers=headers))
    (line,) = [line for line in squeezed(explain(table, "amqp-1.0")) if "LOST" in line]
    assert line.startswith('basic.headers["x-table"]["k"][0] decimal 15e-1 ')


def test_equal_keys_inside_a_map_show_every_value() -> None:
    pairs = [Entry(TypedValue("string", "k"), "decimal32", bytes(4)), Entry(TypedValue("symbol", "k"), "int", 5)]
    message = amqp10.Message(message_annotations=[Entry("x-m", "map", pairs)], body=amqp10.Data([b""]))
    (line,) = [line for line in squeezed(explain(message, "amqp-0.9.1")) if "LOST" in line]
    assert "decimal32 4 bytes" in line


def test_values_of_the_caller_are_shown() -> None:
    message = amqp10.Message(body=amqp10.Data([b""]))
    environment = Environment(address="there", clock=1_234_567, producer="me", sequence_id=987_654)
    text = explain(message, "pulsar", environment=environment)
    values = {line.split()[0]: line.split()[1] for line in squeezed(text) if line.startswith("@") and "@constant" not in line}
    assert values == {"@address": "'there'", "@clock": "1234567", "@producer": "'me'", "@sequence_id": "987654"}
    redacted = explain(message, "pulsar", environment=environment, redact=True)
    assert not any(value in redacted for value in ("there", "1234567", "'me'", "987654"))
    assert explained(message, convert(message, "pulsar", environment=environment), environment=environment) == text


def test_the_destination_of_a_message_is_the_address_of_the_next_table() -> None:
    lines = squeezed(explain(mqtt5.Message(topic_name="a", payload=b"a"), "nsq"))
    assert [line.split()[1] for line in lines if line.startswith("@address")] == ["'a'"]
    lines = squeezed(explain(mqtt5.Message(topic_name="a", payload=b"a"), "nsq", environment=Environment(address="b")))
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


def test_a_width_is_a_whole_number() -> None:
    wrong: Any = float("nan")
    with pytest.raises(ArgumentError, match="width: expected a number of characters, got float"):
        explain(MESSAGE, "mqtt-5.0", width=wrong)


def test_a_result_that_cannot_be_encoded_is_told_below_a_folded_summary() -> None:
    lines = explain(MESSAGE, "mqtt-5.0", width=30).splitlines()
    begin = lines.index("the result cannot be encoded:")
    assert " ".join(lines[:begin]) == str(convert(MESSAGE, "mqtt-5.0").report.summary)
    assert all(columns(line) <= 30 for line in lines[:begin])
