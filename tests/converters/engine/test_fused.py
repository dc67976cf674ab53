"""Functions from bytes to bytes of any table: rows of overlays, too, of which the product converts objects."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest

from mqconvert import Environment, convert, decode, encode, rule_tables
from mqconvert.converters.engine.building import build
from mqconvert.converters.engine.compiler import Compiler
from mqconvert.converters.engine.fused import NAME, fuser
from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.printed.defining import defined
from mqconvert.converters.printed.printer import Printed
from tests.converters.account.accounts import one_row
from tests.converters.test_transcoding import wires

ENVIRONMENT = Environment(address="a/b")


def fused(table: Any) -> tuple[Callable[[bytes, Environment], tuple[bytes, bool] | None], str]:
    """Return the function of a table, and its text."""
    compiler = Compiler(build(table))
    types = compiler.compile()[:-1]
    found = fuser(compiler)
    assert found is not None
    function = found.fuse()
    printed = Printed([*types, function])
    known: dict[str, Any] = {**found.names.known, "Environment": Environment, "Notes": Notes}
    for name, module, own in found.origins(function):
        of = import_module(module)
        known[name] = getattr(of, own) if own else of
    return defined([*types, function], printed, known, "<fused>")[NAME], printed.text


HEADER = 'before = "header-x", id = "a", from = "basic.headers[a*]"'
SORTED = 'id = "a", at = "application_properties", via = "sorted-by-key"'
FOOTER = 'before = "ttl", id = "a", from = "footer[a*]", to = "user_properties[*]", as = "*"'
CONSTANT = 'before = "content-type", id = "a", from = "@constant", set = { "basic.type" = "t" }'


@pytest.mark.parametrize(
    ("table", "kind", "row", "one_by_one"),
    [
        ("amqp-0.9.1 -> amqp-1.0", "rules", f'{HEADER}, note = "n"', True),
        ("amqp-0.9.1 -> amqp-1.0", "rules", f'{HEADER}, to = "message_annotations[x-opt-**]", as = "*"', True),
        ("amqp-0.9.1 -> amqp-1.0", "finish", SORTED, True),
        ("mqtt-5.0 -> amqp-1.0", "finish", SORTED, False),
        ("amqp-1.0 -> mqtt-5.0", "rules", FOOTER, True),
        ("mqtt-5.0 -> amqp-0.9.1", "rules", CONSTANT, False),
    ],
)
def test_rows_of_overlays_come_to_the_same_bytes(table: str, kind: str, row: str, one_by_one: bool) -> None:
    overlay = one_row(table, kind, row)
    (of,) = (each for each in rule_tables(rules=overlay) if each.name == table)
    function, text = fused(of)
    assert ("while at < stop" in text or "while count" in text) is one_by_one
    taken = 0
    for wire in wires(of.source)[::7]:
        try:
            done = convert(decode(of.source, wire), of.target, rules=overlay, environment=ENVIRONMENT)
            wanted = encode(done.message)
        except Exception:  # noqa: BLE001 - the function meets it, too, and its caller asks the objects
            continue
        made = function(wire, ENVIRONMENT)
        assert made is not None
        assert made[0] == wanted
        assert done.report.complete() or not made[1]
        taken += 1
    assert taken > 100
