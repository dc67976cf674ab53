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
