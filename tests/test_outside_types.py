"""Wire types of another package work as ours do: its Protocol has them, and no line of ours names them.

The package is tests/data/outside/odd. Python runs with that folder on its path and finds the entry point in its metadata.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent / "data" / "outside"
WRITTEN = {"protocol": "odd", "origin": "192.0.2.1", "length": 5, "label": "HEY", "marks": [["A", 1]], "body": "aGk="}


def said(code: str) -> Any:
    """Return the JSON output of a program."""
    head = (
        "import json, mqconvert\n"
        "from mqconvert import *\n"
        "from odd import Message\n"
        "from mqconvert.converters.account.fidelity import fidelity\n"
        "message = Message(bytes([192, 0, 2, 1]), 5, 'HEY', [('A', 1)], b'hi')\n"
    )
    environment = os.environ | {"PYTHONPATH": str(FOLDER), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", head + code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr[-4000:]
    return json.loads(done.stdout)


def test_outside_types_round_trip_through_json() -> None:
    code = "form = message_to_json(message); print(json.dumps([form, message_from_json(form) == message]))"
    assert said(code) == [WRITTEN, True]


@pytest.mark.parametrize(
    ("member", "value", "why"),
    [
        ("origin", "192.0.2", "not four bytes"),
        ("length", 2**24, "not between 0 and 16777215"),
        ("label", "hey", "not shouted"),
        ("marks", [["A", -1]], "not between 0 and 16777215"),
        ("marks", [["a", 1]], "not shouted"),
    ],
)
def test_json_outside_the_bounds_of_outside_types_is_refused(member: str, value: Any, why: str) -> None:
    code = (
        f"try: message_from_json({WRITTEN | {member: value}!r})\n"
        "except DecodeError as error: print(json.dumps([error.kind, str(error)]))"
    )
    kind, words = said(code)
    assert kind == "bad_value"
    assert why in words


def test_outside_types_have_a_schema() -> None:
    schema = said("from mqconvert.converters.json import json_schema; print(json.dumps(json_schema('odd')))")
    assert {name: schema["$defs"][name] for name in ("address", "shout")} == {
        "address": {"type": "string", "format": "ipv4"},
        "shout": {"type": "string", "pattern": "^[^a-z]*$"},
    }
    assert schema["$defs"]["u24"]["anyOf"][0] == {"type": "integer", "minimum": 0, "maximum": 2**24 - 1}
    assert schema["properties"]["marks"]["items"]["prefixItems"] == [{"$ref": "#/$defs/shout"}, {"$ref": "#/$defs/u24"}]


def test_rows_convert_outside_types_both_ways_and_lose_unfit_values() -> None:
    code = (
        "hub = convert(message, 'amqp-1.0').message\n"
        "back = convert(hub, 'odd').message\n"
        "hub.header.ttl, hub.properties.subject = 2**24, 'hey'\n"
        "other = convert(hub, 'odd')\n"
        "print(json.dumps([repr(hub.application_properties), back == message,\n"
        "    [lost.reason for lost in other.report.lost], message_to_json(other.message)]))"
    )
    properties, same, lost, form = said(code)
    assert "Entry(key='A', type='uint', value=1)" in properties
    assert same
    assert lost == ["not between 0 and 16777215", "not shouted"]
    assert form == {name: value for name, value in WRITTEN.items() if name not in ("length", "label")}


def test_checks_are_generated_only_where_values_may_not_fit() -> None:
    there, back = said("print(json.dumps([generated_source('odd', 'amqp-1.0'), generated_source('amqp-1.0', 'odd')]))")
    assert "(fault := fault_" not in there
    assert "if not 0 <= ttl <= 16777215 and (fault := fault_u24(ttl)) is not None:" in back
    assert "(fault := fault_shout(subject)) is not None" in back


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ('id = "a", from = "label", type = "utf8", to = "properties.to"', "unknown type 'utf8' of label"),
        ('id = "a", from = "length", to = "properties.to"', "holds string (str), but the row gives int"),
        ('id = "a", from = "marks", to = "properties.to"', "is a map: name a key"),
    ],
)
def test_rows_for_outside_types_are_checked(row: str, why: str, tmp_path: Path) -> None:
    overlay = tmp_path / "mine.toml"
    overlay.write_text(f'["odd -> amqp-1.0"]\nrules = [\n  {{ {row}, before = "body" }},\n]\n')
    code = f"try: check_rules({str(overlay)!r})\nexcept RuleTableError as error: print(json.dumps(str(error)))"
    assert why in said("from mqconvert.converters.overlays import check_rules\n" + code)


def test_forecasts_use_the_samples_of_outside_types() -> None:
    code = (
        "found = fidelity('odd', 'amqp-1.0', back=True).outcomes\n"
        "print(json.dumps([[one.field, one.case, one.type] for one in found]))"
    )
    found = said(code)
    assert {tuple(one) for one in found} >= {
        ("origin", "of zeros", "address"),
        ("length", "the highest", "u24"),
        ("label", "empty", "shout"),
        ('marks["*"]', "the highest", "u24"),
    }
