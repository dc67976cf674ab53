"""Messages that fire a row: each of them does, and most rows have one."""

import os
import subprocess
import sys

import pytest

from mqconvert import PROTOCOLS, ConversionError, convert, routes, rule_tables
from mqconvert.converters.account.fidelity import CALLER
from mqconvert.converters.account.firing import firing

DIRECT = [(way.source, way.target) for way in routes() if len(way.legs) == 1 and {way.source, way.target} <= set(PROTOCOLS)]


@pytest.mark.parametrize(("source", "target"), DIRECT)
def test_messages_fire_the_row_under_whose_id_they_are(source: str, target: str) -> None:
    found = firing(source, target)
    table = next(table for table in rule_tables() if (table.source, table.target) == (source, target))
    ids = {rule.id for rule in (*table.start, *table.rules, *table.types, *table.finish)}
    assert found.keys() <= ids
    assert len(found) >= len(table.rules) // 3
    for row, message in found.items():
        assert row in _fired(message, target), row


def test_every_process_gives_the_rows_in_one_order() -> None:
    program = "from mqconvert.converters.account.firing import firing; print(*firing('mqtt-5.0', 'amqp-1.0'))"
    orders = {
        subprocess.run(
            [sys.executable, "-c", program], env=os.environ | {"PYTHONHASHSEED": seed}, check=True, capture_output=True
        ).stdout
        for seed in "123"
    }
    assert len(orders) == 1


def _fired(message: object, target: str) -> set[str]:
    """Return the ids in the report as users see it."""
    try:
        told = convert(message, target, environment=CALLER).report.as_dict()  # type: ignore[call-overload]  # of any protocol
    except ConversionError as error:
        return {str(error.rule)}
    entries = [entry for part in ("applied", "dropped", "lost", "accounted") for entry in told[part]]
    return {str(entry[name]) for entry in entries for name in ("rule", "type_rule") if name in entry}
