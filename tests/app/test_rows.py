"""Rows of tables as text."""

import pytest

from mqconvert import Rule
from mqconvert.app.cli import main
from mqconvert.app.rows import IN_ORDER, cells, columns_of
from mqconvert.converters.engine.columns import COLUMNS
from tests.converters.engine.table_files import load_table


def test_rules_show_has_a_line_for_each_row(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "show", "mqtt-5.0", "amqp-0.9.1"]) == 0
    head, *rows = [line.split() for line in capsys.readouterr().out.splitlines()[3:] if line]
    assert head[:3] == ["id", "from", "when"]
    assert rows[1][:6] == ["qos", "qos", "basic.delivery_mode", "choose", "2", "1"]


def test_cells_are_the_columns_of_a_row_in_toml_without_quotes() -> None:
    row = rule(
        '{ id = "a", from = "header.ttl", reads = ["header.priority", "footer"], more = true, '
        'set = { "basic.priority" = 1, "basic.type" = "x" }, note = "why" }'
    )
    assert cells(row) == {
        "id": "a",
        "from": "header.ttl",
        "reads": "header.priority, footer",
        "more": "true",
        "set": '"basic.priority" = 1, "basic.type" = "x"',
        "note": "why",
    }


def test_a_row_without_a_target_is_shown_as_dropped() -> None:
    assert cells(rule('{ id = "a", from = "header.ttl", note = "why" }'))["to"] == "(dropped)"
    assert "to" not in cells(rule('{ id = "a", from = "header.ttl", lost = "why" }'))


def test_columns_are_in_one_order_and_text_for_people_comes_last() -> None:
    assert columns_of([{"note": "", "to": "", "id": ""}, {"from": "", "cite": ""}]) == ("id", "from", "to", "note", "cite")
    assert columns_of([]) == ()
    assert set(IN_ORDER) == set(COLUMNS)


def rule(row: str) -> Rule:
    """Return the only row of a table of AMQP 1.0."""
    text = f'source = "amqp-1.0"\ntarget = "amqp-0.9.1"\ntitle = "t"\nrules = [\n{row},\n]\n'
    (only,) = load_table(text, "t.toml").rules
    return only
