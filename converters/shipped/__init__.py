"""The functions of the shipped tables, printed to modules, so that a first conversion builds and prints none.

`make generate` writes the modules and the index (docs/functions.py). The index has a digest of the rows that each module was
printed from: a table with other rows, by an overlay or a changed file, has no module, and gets its function from the compiler.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from mqconvert.converters.engine.rules import RuleTable
from mqconvert.converters.shipped.index import FUSED, MODULES


class Shipped(NamedTuple):
    """The function of a shipped table, with the file of its module and the number of lines before its text there."""

    function: Callable[[Any, Any, Any], Any]
    module: tuple[str, int]


def shipped_function(table: RuleTable) -> Shipped | None:
    """Return the function of a table with the rows of a shipped one; None for any other table.

    >>> from mqconvert import rule_tables
    >>> found = shipped_function(rule_tables()[0])
    >>> found and found.module[0]
    'mqconvert/converters/shipped/documented_amqp091_to_amqp10.py'
    """
    name, lines = MODULES.get(table.digest, ("", 0))
    if not name:
        return None
    module = f"{__name__}.{name}"
    return Shipped(import_module(module).bind(table), (module.replace(".", "/") + ".py", lines))


def fused_function(table: RuleTable) -> Callable[[Any, Any], Any] | None:
    """Return the function from bytes to bytes of a table with the rows of a shipped one; None without such a function.

    >>> from mqconvert import rule_tables
    >>> [table.name for table in rule_tables() if fused_function(table)][:2]
    ['amqp-0.9.1 -> amqp-1.0', 'amqp-0.9.1 -> mqtt-5.0']
    """
    name, _ = MODULES.get(table.digest, ("", 0))
    return import_module(f"{__name__}.fused_{name}").bind(table) if name in FUSED else None
