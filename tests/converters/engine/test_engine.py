"""The engine: rows behave as mappings/README.md describes, and reports account for every field."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import (
    Array,
    ConversionError,
    DecodeError,
    Described,
    Entry,
    Environment,
    RuleTableError,
    TypedValue,
    check_rules,
    convert,
    decode,
    encode,
    fidelity,
    message_from_json,
)
from mqconvert.converters.protocols import protocol_of
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from mqconvert.converters.protocols.phpmq import message as phpmq
from mqconvert.converters.routes import Overlay
from tests.entries import entry

HEAD = '["amqp-1.0 -> amqp-0.9.1"]\n'


@given(text=st.text(max_size=60))
def test_random_overlays_load_or_are_refused(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    file = tmp_path_factory.mktemp("overlay") / "any.toml"
    file.write_text(text, encoding="utf-8", errors="ignore")
    try:
        check_rules(str(file))
    except RuleTableError as error:
        assert "any.toml" in str(error)  # noqa: PT017 - the overlay may be valid


def test_overlays_add_replace_and_remove_rows(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        HEAD + 'remove = ["priority"]\nrules = [\n'
        '  { replace = "subject", to = "basic.headers[subject]", as = "longstr", via = "octets" },\n'
        '  { before = "ttl", id = "ttl-zero", from = "header.ttl", when = "not set", note = "at once" },\n]\n'
    )
    message = amqp10.Message(
        header=amqp10.Header(priority=3, ttl=0), properties=amqp10.Properties(subject="s"), body=amqp10.Data([b""])
    )
    done = convert(message, "amqp-0.9.1", rules=[str(file)])
    assert isinstance(done.message, amqp091.Message)
    assert done.message.basic == amqp091.BasicProperties(headers=[Entry("subject", "longstr", b"s")])
    assert [(lost.field, lost.rule) for lost in done.report.lost] == [("header.priority", None)]
    assert [(drop.rule, drop.note) for drop in done.report.dropped] == [("ttl-zero", "at once")]


def test_drops_and_losses_are_reported_separately() -> None:
    message = amqp10.Message(
        properties=amqp10.Properties(subject="s", message_id=TypedValue("string", "a" * 256)), body=amqp10.Data([b""])
    )
    report = convert(message, "amqp-0.9.1").report
    assert [(drop.rule, drop.field) for drop in report.dropped] == [("subject", "properties.subject")]
    assert [(lost.field, lost.reason) for lost in report.lost] == [("properties.message_id", "no row takes it")]


def test_second_equal_key_is_lost_and_the_first_stays() -> None:
    headers = [Entry("k", "void", None), Entry("k", "bool", True)]
    done = convert(amqp091.Message(amqp091.BasicProperties(headers=headers)), "amqp-1.0")
    assert isinstance(done.message, amqp10.Message)
    assert done.message.application_properties == [Entry("k", "null", None)]
    assert [(lost.field, lost.reason) for lost in done.report.lost] == [('basic.headers["k"]', "a second equal key")]


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


@pytest.mark.parametrize("address", ["", "a/+/b", "#", "a\0b", "a" * 65536])
@pytest.mark.parametrize("message", [amqp091.Message(routing_key="a.b"), amqp10.Message(body=amqp10.Data([b""]))])
def test_an_address_that_is_not_a_topic_is_refused_by_its_row(address: str, message: Any) -> None:
    with pytest.raises(ConversionError, match="a topic name of MQTT is 1 to 65,535 bytes") as refused:
        convert(message, "mqtt-5.0", environment=Environment(address=address))
    assert (refused.value.code, refused.value.rule, refused.value.field) == ("bad_topic", "address-refused", "@address")


def test_forecast_names_drops_and_losses() -> None:
    outcomes = {(o.field, o.case): o for o in fidelity("amqp-1.0", "amqp-0.9.1").outcomes}
    assert outcomes["properties.subject", ""].outcome == "dropped"
    assert outcomes["properties.creation_time", ""].to == "basic.timestamp"
    back = {(o.field, o.type): o.outcome for o in fidelity("mqtt-5.0", "amqp-1.0", back=True).outcomes if not o.case}
    assert back["content_type", "utf8"] == "survives"
    assert back["message_expiry_interval", "uint"] == "lost"


def test_sections_in_headers_and_payloads_are_made_well_formed() -> None:
    pairs = [Entry("k", "int", 1), Entry("k", "int", 2), Entry("l", "list", [])]
    raw = encode(amqp10.Message(application_properties=pairs))
    first, second = (encode(amqp10.Message(properties=amqp10.Properties(subject=text))) for text in "ab")
    headers = [
        Entry("x-amqp-1.0-application-properties", "longstr", raw),
        Entry("x-amqp-1.0-properties", "longstr", first),
        Entry("x-amqp-1.0-properties", "longstr", second),
    ]
    done = convert(amqp091.Message(amqp091.BasicProperties(headers=headers)), "amqp-1.0")
    assert isinstance(done.message, amqp10.Message)
    assert done.message.application_properties == [Entry("k", "int", 1)]
    assert done.message.properties == amqp10.Properties(subject="a")
    assert [(lost.rule, lost.reason) for lost in done.report.lost][:2] == [
        ("legacy-application-properties", "application properties that are no simple types, second equal keys"),
        ("header-x", "a second equal key"),
    ]


def test_an_envelope_has_no_duplicate_keys_at_any_depth() -> None:
    key, twins = TypedValue("binary", b"k"), [TypedValue("int", 1), TypedValue("int", 2)]
    inner = TypedValue("map", [entry(key, typed) for typed in twins])
    once = TypedValue("map", [entry(key, twins[0])])
    for deep, left in (
        (TypedValue("list", [inner]), TypedValue("list", [once])),
        (TypedValue("array", Array("map", [inner.value])), TypedValue("array", Array("map", [once.value]))),
        (TypedValue("described", Described(key, inner)), TypedValue("described", Described(key, once))),
    ):
        for body, wanted in (
            (amqp10.AmqpValue(deep), amqp10.AmqpValue(left)),
            (amqp10.AmqpSequence([[deep]]), amqp10.AmqpSequence([[left]])),
        ):
            wire = b"AMQP\0\1\0\0" + encode(amqp10.Message(body=body, footer=[entry("x-f", deep)]))
            done = convert(phpmq.Message(1, b"q", wire), "amqp-1.0", environment=Environment(payload="envelope"))
            assert isinstance(done.message, amqp10.Message)
            assert (done.message.body, done.message.footer) == (wanted, [entry("x-f", left)])
            assert [lost.reason for lost in done.report.lost] == ["second equal keys"]


ENCODED = [
    (target, body)
    for target in ("amqp-0.9.1", "mqtt-5.0")
    for body in (amqp10.AmqpValue(TypedValue("boolean", True)), amqp10.AmqpSequence([[TypedValue("boolean", True)]]))
]


@pytest.mark.parametrize(("target", "body"), [*ENCODED, ("amqp-0.9.1", amqp10.Data([b"a", b"b"]))])
def test_a_footer_in_the_payload_is_not_dropped(target: str, body: amqp10.Body) -> None:
    message = amqp10.Message(body=body, footer=[Entry("x-sum", "int", 1)])
    done = convert(message, target, environment=Environment(address="t"))
    assert decode("amqp-1.0", done.message.payload) == message  # type: ignore[union-attr]  # both messages have a payload
    assert ("footer", "payload") in [(entry.source, entry.target) for entry in done.report.applied]
    assert done.report.dropped == ()


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


@pytest.mark.parametrize("name", ["a\n        raise SystemExit\n        #.toml", "a\0b", "a\u2028b", "\udcff.toml", "a\x1b[2J"])
def test_a_file_of_rules_is_named_by_one_line_of_text(name: str) -> None:
    """The generated function has the name in comments; further lines of it would be executed."""
    text = f'{HEAD}rules = [\n  {{ replace = "ttl", note = "n" }},\n]\n'
    with pytest.raises(RuleTableError) as refused:
        convert(amqp10.Message(body=amqp10.Data([b"hi"])), "amqp-0.9.1", rules=Overlay(name, text))
    assert str(refused.value) == f"{name!r}: the name of the file is not one line of text"


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


LOST = """'constant b"" but not set "none"'"""
"""A transform that takes no value and notes a loss."""


def test_an_absent_field_without_result_is_a_loss_of_its_field(tmp_path: Path) -> None:
    """An absent field has no value, and so no type to name."""
    file = tmp_path / "mine.toml"
    row = f'id = "mine", from = "properties.message_id", type = "absent", to = "payload", taken = "replace", via = {LOST}'
    file.write_text(f'["amqp-1.0 -> mqtt-5.0"]\nrules = [\n  {{ {row} }},\n]\n')
    report = convert(amqp10.Message(body=amqp10.Data([b"a"])), "mqtt-5.0", rules=file).report
    assert [(line.field, line.type, line.rule) for line in report.lost] == [("properties.message_id", "ulong", "mine")]


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


def test_a_finish_row_may_lose_pairs_of_texts_that_it_reads(tmp_path: Path) -> None:
    """Their entries have no separate types."""
    file = tmp_path / "mine.toml"
    row = f'id = "mine", at = "message_annotations[x-k]", as = "binary", via = {LOST}, reads = ["user_properties[k]"]'
    file.write_text(f'["mqtt-5.0 -> amqp-1.0"]\nfinish = [\n  {{ {row} }},\n]\n')
    report = convert(mqtt5.Message(topic_name="t", user_properties=[("k", "a")]), "amqp-1.0", rules=file).report
    assert [(line.field, line.type) for line in report.lost if line.rule == "mine"] == [('user_properties["k"]', "utf8")]


def test_a_finish_row_makes_an_entry_of_a_map_in_a_section() -> None:
    row = '{ id = "a", at = "basic.headers[k]", as = "long", via = "constant 5", reads = ["@address"] }'
    done: Any = convert(
        amqp10.Message(body=amqp10.Data([b""])), "amqp-0.9.1", rules=Overlay("mine.toml", f"{HEAD}finish = [\n{row},\n]")
    )
    assert done.message.basic.headers == [Entry("k", "long", 5)]
    assert [applied.target for applied in done.report.applied if applied.rule == "a"] == ['basic.headers["k"]']


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


def test_a_value_that_a_row_of_types_cannot_take_is_an_error_of_that_row(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    row = 'before = "type-string", id = "mine", type = "string", when = "begins x-", as = "long", via = "from-decimal"'
    file.write_text(f"{HEAD}types = [\n  {{ {row} }},\n]\n")
    value = TypedValue("string", "x-1")
    for nested in (value, TypedValue("list", [value])):
        with pytest.raises(ConversionError) as failed:
            convert(amqp10.Message(application_properties=[entry("k", nested)]), "amqp-0.9.1", rules=file)
        assert (failed.value.code, failed.value.rule) == ("row_failed", "mine")


@pytest.mark.parametrize("constant", ["qos = 3", "dup = 2", "retain = 2"])
def test_constants_invalid_in_a_publish_are_refused(tmp_path: Path, constant: str) -> None:
    file = tmp_path / "mine.toml"
    row = f'{{ replace = "subject", set = {{ {constant} }}, to = "", note = "" }}'
    file.write_text(f'["amqp-1.0 -> mqtt-5.0"]\nrules = [\n  {row},\n]\n')
    with pytest.raises(RuleTableError, match=rf"{constant.split(maxsplit=1)[0]} cannot hold \d: not between 0 and [12]"):
        check_rules(str(file))
    name, _, number = constant.partition(" = ")
    with pytest.raises(DecodeError, match=r"not between 0 and [12]"):
        message_from_json({"topic_name": "t", name: int(number)}, "mqtt-5.0")


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


def test_arrays_of_amqp10_and_amqp091_are_not_interchangeable() -> None:
    """Arrays of AMQP 1.0 have one type, those of AMQP 0.9.1 any types. `array-items` converts between them."""
    row = '{ before = "type-list", id = "mine", type = "array", as = "array" }'
    rules = Overlay("mine.toml", f'title = "a"\n["amqp-1.0 -> amqp-0.9.1"]\ntypes = [\n{row},\n]\n')
    with pytest.raises(RuleTableError, match=r"mine.toml:4: row mine: array cannot hold the result of the row"):
        convert(amqp10.Message(body=amqp10.Data([b""])), "amqp-0.9.1", rules=rules)
