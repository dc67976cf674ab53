"""Output of the compiler: source that a debugger can step through, and its limits."""

import traceback

import pytest

from mqconvert import ConversionError, RuleTableError, convert, generated_source, rule_tables
from mqconvert.converters.engine import compiler
from mqconvert.converters.overlays import Overlay
from mqconvert.converters.printed import defining
from mqconvert.converters.protocols.amqp10 import message as amqp10


def test_generated_lines_name_their_row() -> None:
    text = generated_source("amqp-0.9.1", "amqp-1.0")
    assert "def amqp_0_9_1_to_amqp_1_0(source, environment, notes):" in text
    assert "# message-id-uuid, amqp091_to_amqp10.toml:" in text


ROW = 'id = "mine", from = "properties.reply_to", when = "begins x-", to = "basic.timestamp"'
MISTAKEN = f"""["amqp-1.0 -> amqp-0.9.1"]
rules = [
  {{ before = "reply-to", {ROW}, via = "milliseconds-to-unsigned-seconds" }},
]
"""
"""No sample value begins with `x-`, so the error appears only with a message."""


def _mistake() -> ConversionError:
    with pytest.raises(ConversionError) as failed:
        convert(
            amqp10.Message(properties=amqp10.Properties(reply_to="x-1")),
            "amqp-0.9.1",
            rules=Overlay("mine.toml", MISTAKEN),
        )
    return failed.value


def _shown(error: ConversionError) -> list[str]:
    assert error.__cause__ is not None
    return [frame.line or "" for frame in traceback.extract_tb(error.__cause__.__traceback__)]


def test_a_traceback_shows_the_generated_line() -> None:
    assert "if reply_to >= 0 and reply_to % 1000 == 0" in _shown(_mistake())


def test_more_rows_than_a_function_can_nest_are_refused_with_the_last_one() -> None:
    row = "  {{ before = 'priority', id = 'a{0}', from = 'basic.priority', when = 'is {0}', to = 'header.priority' }},"
    rows = "\n".join(map(row.format, range(1000)))
    with pytest.raises(RuleTableError, match=r"^mine.toml:1002: row a999: its place has more rows than a function can nest$"):
        rule_tables(rules=Overlay("mine.toml", f'["amqp-0.9.1 -> amqp-1.0"]\nrules = [\n{rows}\n]\n'))


def test_only_the_latest_functions_keep_their_text_for_tracebacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(defining, "_SHOWN_AT_ONCE", 1)
    first = _mistake()
    compiler.compile_table(rule_tables()[0])
    assert not any("reply_to >= 0" in line for line in _shown(first))
    assert (first.code, first.rule) == ("row_failed", "mine")
    assert _mistake().rule == "mine"  # the error carries the row of the generated line


@pytest.mark.parametrize(
    ("source", "target", "there", "not_there"),
    [
        ("mqtt-3.1.1", "mqtt-5.0", "    return Message(", "target = Message("),
        ("amqp-1.0", "amqp-0.9.1", "return 'type-string', 'longstr', value.encode()", "made = value.encode()"),
        ("amqp-1.0", "amqp-0.9.1", "    if type_ in {'string', 'symbol'}:  # annotation-x-cc", "if label == 'x-cc' and"),
        ("amqp-1.0", "amqp-0.9.1", "to_payload = body.sections[0]\n", "via_body_octets"),
        ("amqp-1.0", "amqp-0.9.1", "to_basic_type = 'amqp-1.0'", "notes.replace"),
        ("amqp-1.0", "amqp-0.9.1", "text = typed.value\n", "(text := typed.value)"),
        ("amqp-1.0", "pulsar", "via_annotation_ulong(typed.value, type_)", "via_annotation_2"),
        ("mqtt-5.0", "amqp-0.9.1", "made = via_sorted_by_key(to_basic.headers) or None", "made = made or None"),
    ],
)
def test_functions_have_no_needless_names_tests_and_calls(source: str, target: str, there: str, not_there: str) -> None:
    text = generated_source(source, target)
    assert there in text
    assert not_there not in text


def test_a_constant_over_the_value_of_another_row_replaces_its_note() -> None:
    assert "notes.replace({'content_type': row_body_value})" in generated_source("amqp-1.0", "mqtt-5.0")
