"""Reports: applied, dropped, lost and accounted, each with its row, leg by leg."""

import json
import pickle
from typing import Any
from xml.dom.minidom import parseString

import pytest

from mqconvert import (
    PROTOCOLS,
    Conversion,
    Entry,
    Environment,
    LossError,
    LossPolicy,
    TypedValue,
    convert,
    explain,
    rule_tables,
)
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5


def test_drops_and_losses_are_reported_separately() -> None:
    message = amqp10.Message(
        properties=amqp10.Properties(subject="s", message_id=TypedValue("string", "a" * 256)), body=amqp10.Data([b""])
    )
    report = convert(message, "amqp-0.9.1").report
    assert [(drop.rule, drop.field) for drop in report.dropped] == [("subject", "properties.subject")]
    assert [(lost.field, lost.reason) for lost in report.lost] == [("properties.message_id", "no row takes it")]


def _two_legs() -> Conversion:
    message = amqp10.Message(
        amqp10.Header(durable=True, delivery_count=1),
        properties=amqp10.Properties(to="t", content_type="text/plain"),
        application_properties=[Entry("k", "ulong", 7), Entry("d", "decimal32", bytes(4))],
        body=amqp10.Data([b"hi"]),
    )
    return convert(message, "mqtt-3.1.1")


def test_every_entry_names_row_field_and_leg() -> None:
    report = _two_legs().report
    assert report.tables == ("amqp-1.0 -> mqtt-5.0", "mqtt-5.0 -> mqtt-3.1.1")
    assert [entry.as_dict() for entry in report.applied if entry.leg == 2] == [
        {"rule": "qos", "from": "qos", "to": "qos", "leg": 2},
        {"rule": "topic", "from": "topic_name", "to": "topic_name", "leg": 2},
        {"rule": "payload", "from": "payload", "to": "payload", "leg": 2},
    ]
    by_type = next(entry for entry in report.applied if entry.source == 'application_properties["k"]')
    assert by_type.as_dict() == {
        "rule": "application-property",
        "from": 'application_properties["k"]',
        "to": 'user_properties["k"]',
        "leg": 1,
        "type_rule": by_type.type_rule,
    }
    assert report.rule(str(by_type.type_rule), 1).as_ == "utf8"
    assert [(entry.rule, entry.field, entry.leg) for entry in report.dropped] == [
        ("delivery-count", "header.delivery_count", 1),
        ("user-property", 'user_properties["k"]', 2),
        ("content-type", "content_type", 2),
    ]
    assert [entry.as_dict() for entry in report.lost] == [
        {
            "field": 'application_properties["d"]',
            "type": "decimal32",
            "reason": "no row takes this decimal32",
            "leg": 1,
        },
    ]


def test_every_row_of_a_report_is_in_the_tables() -> None:
    report = _two_legs().report
    for entries in (report.applied, report.dropped, report.accounted):
        for line in entries:
            assert report.rule(line.rule, line.leg).id == line.rule
    with pytest.raises(KeyError):
        report.rule("nothing", 1)


def test_the_hash_depends_on_the_active_rules() -> None:
    hashes = {table.name: table.hash for table in rule_tables()}
    report = _two_legs().report
    assert report.hash == "-".join(hashes[name] for name in report.tables)
    message = amqp10.Message(body=amqp10.Data([b""]))
    assert convert(message, "amqp-0.9.1", profile="rabbitmq-4.0").report.hash != convert(message, "amqp-0.9.1").report.hash


def test_reports_serialize_as_json_and_pickle() -> None:
    report = _two_legs().report
    written = report.as_dict()
    assert json.loads(json.dumps(written)) == written
    assert next(iter(written)) == "summary"
    assert set(written) == {"summary", "applied", "dropped", "lost", "accounted", "tables", "hash"}
    assert pickle.loads(pickle.dumps(_two_legs())).report.as_dict() == written


def test_repr_counts_the_entries_of_a_report() -> None:
    report = _two_legs().report
    counts = ", ".join(f"{len(getattr(report, kind))} {kind}" for kind in ("applied", "dropped", "lost", "accounted"))
    assert repr(report) == f"<Report amqp-1.0 -> mqtt-5.0, mqtt-5.0 -> mqtt-3.1.1: {counts}>"


def test_repr_of_a_report_without_a_table_names_none() -> None:
    report = convert(mqtt5.Message(topic_name="t"), "mqtt-5.0").report
    assert repr(report) == "<Report: 0 applied, 0 dropped, 0 lost, 0 accounted>"


def test_a_notebook_shows_what_does_not_arrive_first() -> None:
    message = amqp10.Message(
        header=amqp10.Header(durable=True, priority=4),
        application_properties=[Entry("a\0", "string", "x\0"), Entry("k", "string", "v")],
    )
    document: Any = parseString(convert(message, "mqtt-5.0", environment=Environment(address="t"))._repr_html_())
    cells = [[cell.firstChild and cell.firstChild.data for cell in row.childNodes] for row in document.firstChild.childNodes]
    becomes = [row[1] for row in cells[2:]]
    assert becomes[:2] == ["lost", "dropped"]
    assert becomes[2:] == ["topic_name", "qos", 'user_properties["k"]', "payload"]
    assert cells[2][0] == 'application_properties["a\\x00"]'


def test_a_notebook_shows_every_entry_escaped() -> None:
    message = amqp10.Message(application_properties=[Entry("<b>", "string", "x"), Entry("<i>", "list", [])])
    done = convert(message, "mqtt-5.0", environment=Environment(address="t"))
    html = done._repr_html_()
    assert f"<caption>{done.report.summary} (amqp-1.0 -&gt; mqtt-5.0)</caption>" in html
    assert html.count("<tr>") == 1 + sum(
        len(done.report.as_dict()[kind]) for kind in ("applied", "dropped", "lost", "accounted")
    )
    assert "application_properties[&quot;&lt;b&gt;&quot;]" in html
    assert "<b>" not in html
    assert "<i>" not in html


def test_fields_used_by_the_caller_are_accounted_and_not_dropped() -> None:
    done = convert(mqtt5.Message(topic_name="t", qos=1, packet_identifier=7), "amqp-1.0")
    assert [(entry.rule, entry.field) for entry in done.report.accounted] == [
        ("topic", "topic_name"),
        ("packet-identifier", "packet_identifier"),
    ]
    assert done.report.lossless()
    assert done.report.dropped == ()


def test_a_drop_for_a_filled_place_names_the_row_that_filled_it() -> None:
    basic = amqp091.BasicProperties(correlation_id="c", headers=[Entry("x-correlation-id", "longstr", b"d")])
    done = convert(amqp091.Message(basic), "mqtt-5.0", environment=Environment(address="t"))
    assert done.message == mqtt5.Message(topic_name="t", correlation_data=b"c")
    (dropped,) = done.report.dropped
    assert (dropped.rule, dropped.field) == ("header-correlation-id-taken", 'basic.headers["x-correlation-id"]')


def test_loss_policies_raise_or_ignore_losses() -> None:
    message = amqp10.Message(footer=None, properties=amqp10.Properties(creation_time=1), body=amqp10.Data([b""]))
    message.message_annotations = [Entry("k", "null", None)]
    with pytest.raises(LossError) as caught:
        convert(message, "amqp-0.9.1", on_loss=LossPolicy.FAIL)
    assert [loss.field for loss in caught.value.losses] == ['message_annotations["k"]', "properties.creation_time"]
    assert caught.value.as_dict()["losses"] == [loss.as_dict() for loss in convert(message, "amqp-0.9.1").report.lost]
    ignored = convert(message, "amqp-0.9.1", on_loss="ignore")
    assert (ignored.report.lost, ignored.report.lossless()) == ((), True)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_same_protocol_has_an_empty_report(protocol: str) -> None:
    message = PROTOCOLS[protocol].message()
    report = convert(message, protocol).report
    assert (report.tables, report.applied, report.lost, report.hash, report.lossless()) == ((), (), (), "", True)


def test_a_value_that_no_row_took_is_told_with_what_rows_take() -> None:
    message = amqp091.Message(routing_key="a", basic=amqp091.BasicProperties(expiration="soon"))
    report = convert(message, "mqtt-5.0").report
    assert [(loss.reason, report.wanted(loss)) for loss in report.lost] == [
        ("no row takes it", " (row expiration takes: number 0 315360000000)")
    ]
    assert "basic.expiration: lost, no row takes it (row expiration takes: number 0 315360000000)" in str(report)
    assert "LOST: no row takes it (row expiration takes:" in explain(message, "mqtt-5.0")
    part = amqp10.Message(properties=amqp10.Properties(creation_time=1001), body=amqp10.Data([b"hi"]))
    lossy = convert(part, "amqp-0.9.1").report
    assert [lossy.wanted(loss) for loss in lossy.lost] == [""]  # a row took it
