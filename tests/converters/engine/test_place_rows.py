"""Rows of fields, maps and lists behave as mappings/README.md describes."""

from pathlib import Path
from typing import Any

import pytest

from mqconvert import ConversionError, Entry, Environment, TypedValue, convert, decode, encode
from mqconvert.converters.overlays import Overlay
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from tests.converters.engine.table_files import HEAD


def test_second_equal_key_is_lost_and_the_first_stays() -> None:
    headers = [Entry("k", "void", None), Entry("k", "bool", True)]
    done = convert(amqp091.Message(amqp091.BasicProperties(headers=headers)), "amqp-1.0")
    assert isinstance(done.message, amqp10.Message)
    assert done.message.application_properties == [Entry("k", "null", None)]
    assert [(lost.field, lost.reason) for lost in done.report.lost] == [('basic.headers["k"]', "a second equal key")]


@pytest.mark.parametrize("address", ["", "a/+/b", "#", "a\0b", "a" * 65536])
@pytest.mark.parametrize("message", [amqp091.Message(routing_key="a.b"), amqp10.Message(body=amqp10.Data([b""]))])
def test_an_address_that_is_not_a_topic_is_refused_by_its_row(address: str, message: Any) -> None:
    with pytest.raises(ConversionError, match="a topic name of MQTT is 1 to 65,535 bytes") as refused:
        convert(message, "mqtt-5.0", environment=Environment(address=address))
    assert (refused.value.code, refused.value.rule, refused.value.field) == ("bad_topic", "address-refused", "@address")


def test_a_value_that_a_row_cannot_take_is_an_error_of_the_row(tmp_path: Path) -> None:
    """No sample value begins with `x-`, so the error appears only with a message."""
    file = tmp_path / "mine.toml"
    row = 'id = "mine", from = "properties.reply_to", when = "begins x-", to = "basic.timestamp"'
    file.write_text(f'{HEAD}rules = [\n  {{ before = "reply-to", {row}, via = "milliseconds-to-unsigned-seconds" }},\n]\n')
    for name, rules in (("mine.toml", file), ("my own: #1.toml", Overlay("my own: #1.toml", file.read_text()))):
        with pytest.raises(ConversionError) as failed:
            convert(amqp10.Message(properties=amqp10.Properties(reply_to="x-1")), "amqp-0.9.1", rules=rules)
        assert failed.value.as_dict() == {
            "code": "row_failed",
            "message": f"{name}:3: row mine failed on a value of this message (TypeError)",
            "field": "properties.reply_to",
            "rule": "mine",
        }
        assert isinstance(failed.value.__cause__, TypeError)


def test_rows_handle_values_that_the_caller_leaves_unset(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    rows = ['id = "no-address", from = "@address", type = "absent", set = { topic_name = "orders" }']
    rows += ['id = "a-clock", from = "@clock", type = "absent", set = { topic_alias = 1 }']
    file.write_text('["amqp-1.0 -> mqtt-5.0"]\nrules = [\n' + "".join(f"  {{ {row} }},\n" for row in rows) + "]\n")
    message = amqp10.Message(body=amqp10.Data([b"a"]))
    for address, topic in ((None, "orders"), ("t", "t")):
        for clock, alias in ((None, 1), (0, None)):
            made: Any = convert(message, "mqtt-5.0", rules=file, environment=Environment(address, clock=clock)).message
            assert (made.topic_name, made.topic_alias) == (topic, alias)


def test_a_row_for_an_absent_id_may_come_too_late() -> None:
    """Its place has values of several types, and an absent value has none."""
    row = '{ id = "a", from = "properties.message_id", type = "absent", to = "basic.priority", via = "constant 1" }'
    overlay = Overlay("mine.toml", f'["amqp-1.0 -> amqp-0.9.1"]\nrules = [\n  {row},\n]\n')
    message = amqp10.Message(header=amqp10.Header(priority=5), body=amqp10.Data([b"a"]))
    done = convert(message, "amqp-0.9.1", rules=overlay)
    assert done.message.basic.priority == 5
    assert [(drop.rule, drop.field) for drop in done.report.dropped] == [("a", "properties.message_id")]


def test_rows_may_read_a_type_that_is_known_before() -> None:
    """Its name stands in the function as a literal; Python warns of one that is compared with `is`."""
    row = '{ before = "subject", id = "a", from = "properties.subject", when = "set-beside", reads = ["@type"], note = "n" }'
    overlay = Overlay("mine.toml", f'["amqp-1.0 -> mqtt-5.0"]\nrules = [\n  {row},\n]\nremove = ["subject"]\n')
    message = amqp10.Message(properties=amqp10.Properties(subject="s"), body=amqp10.Data([b"a"]))
    report = convert(message, "mqtt-5.0", rules=overlay).report
    assert [(drop.rule, drop.field) for drop in report.dropped] == [("a", "properties.subject")]


def test_values_of_the_caller_may_hold_sections(tmp_path: Path) -> None:
    """Such a row loads and converts."""
    file = tmp_path / "mine.toml"
    row = 'id = "mine", from = "@payload", to = "@sections", via = "enveloped-message", reads = ["@payload"]'
    file.write_text(f'["amqp-0.9.1 -> amqp-1.0"]\nrules = [\n  {{ {row} }},\n]\n')
    assert convert(amqp091.Message(payload=b"a"), "amqp-1.0", rules=file).message == amqp10.Message(
        header=amqp10.Header(durable=False), body=amqp10.Data([b"a"])
    )


def test_compound_headers_never_become_application_properties(tmp_path: Path) -> None:
    """AMQP 1.0 part 3 section 3.2.5 forbids compound values, even if no row refuses them."""
    file = tmp_path / "mine.toml"
    file.write_text('["amqp-0.9.1 -> amqp-1.0"]\nremove = ["header-compound"]\n')
    headers = [Entry("k", "table", []), Entry("l", "array", []), Entry("m", "bool", True)]
    done: Any = convert(amqp091.Message(amqp091.BasicProperties(headers=headers)), "amqp-1.0", rules=file)
    assert done.message.application_properties == [Entry("m", "boolean", True)]
    assert [(line.field, line.type, line.rule) for line in done.report.lost] == [
        ('basic.headers["k"]', "table", "header"),
        ('basic.headers["l"]', "array", "header"),
    ]


def test_a_field_set_to_its_default_is_not_overwritten(tmp_path: Path) -> None:
    """For a later row, a retain of 0 that a row has set is not unset."""
    file = tmp_path / "mine.toml"
    rows = ['replace = "payload-format-indicator", to = "retain"', 'replace = "topic-alias", to = "retain"']
    file.write_text('["mqtt-5.0 -> mqtt-3.1.1"]\nrules = [\n' + "".join(f"  {{ {row} }},\n" for row in rows) + "]\n")
    message = mqtt5.Message(topic_name="t", payload_format_indicator=0, topic_alias=1)
    done: Any = convert(message, "mqtt-3.1.1", rules=file)
    assert done.message.retain == 0
    assert [(line.rule, line.note) for line in done.report.dropped if line.field == "topic_alias"] == [
        ("topic-alias", "taken by payload-format-indicator")
    ]


@pytest.mark.parametrize("set_", [True, False])
def test_a_row_may_declare_a_loss_and_its_reason(tmp_path: Path, *, set_: bool) -> None:
    file = tmp_path / "mine.toml"
    rows = (
        'before = "ttl", id = "mine", from = "header.ttl", lost = "why"',
        'before = "ttl", id = "none", from = "header.ttl", type = "absent", lost = "nothing"',
    )
    file.write_text(f'{HEAD}rules = [\n  {{ {rows[0]} }},\n  {{ {rows[1]} }},\n]\nremove = ["ttl"]\n')
    message = amqp10.Message(header=amqp10.Header(ttl=5 if set_ else None), body=amqp10.Data([b"a"]))
    report = convert(message, "amqp-0.9.1", rules=file).report
    said = ("why", "mine") if set_ else ("nothing", "none")
    assert [(loss.field, loss.type, loss.reason, loss.rule) for loss in report.lost] == [("header.ttl", "uint", *said)]
    assert not {entry.rule for entry in report.applied} & {"mine", "none"}
    assert not {entry.rule for entry in report.dropped} & {"mine", "none"}


def test_one_row_takes_bodies_of_two_kinds() -> None:
    row = '{ before = "body-null", id = "mine", from = "body", type = "data|amqp-sequence", error = "odd", note = "no" }'
    rules = Overlay("mine.toml", f'title = "a"\n["amqp-1.0 -> pulsar"]\nrules = [\n{row},\n]\n')
    for body in (amqp10.Data([b"a"]), amqp10.AmqpSequence([[]])):
        with pytest.raises(ConversionError) as caught:
            convert(amqp10.Message(body=body), "pulsar", rules=rules)
        assert (caught.value.rule, caught.value.code) == ("mine", "odd")


def test_keys_of_tables_may_be_subclasses_of_str() -> None:
    """The encoder accepts them, too."""

    class Key(str):
        __slots__ = ()

    table = TypedValue("table", [Entry(Key("x-a"), "bool", True)])
    message = amqp091.Message(amqp091.BasicProperties(headers=[Entry("x-death", "array", [table])]))
    plain = decode("amqp-0.9.1", encode(message))
    assert encode(convert(message, "amqp-1.0").message) == encode(convert(plain, "amqp-1.0").message)


def test_a_reason_names_the_transform_of_a_number_that_the_report_does_not_show() -> None:
    message = mqtt5.Message(topic_name="t", message_expiry_interval=2**32 - 1, payload=b"hi")
    [lost] = convert(message, "amqp-1.0").report.lost
    assert lost.reason == "after scale 1000: not between 0 and 4294967295"
