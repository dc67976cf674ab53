"""The generated functions of our tables as text: a review shows the effect of a change in the compiler or a row.

`make generate` writes tests/data/functions/, and their digests to mappings/functions.sha256: these texts need not pass the wall
again (converters/printed/wall.py). tests/converters/engine/test_compiler.py compares.
"""

import sys
from collections.abc import Mapping
from pathlib import Path

from docs.generated import write_or_check
from mqconvert import RuleTable, mappings, rule_tables
from mqconvert.compiled import digest
from mqconvert.converters.engine.building import build
from mqconvert.converters.engine.compiler import Compiler
from mqconvert.converters.printed.printer import Printed

FOLDER = Path(__file__).parent / "data" / "functions"
MAPPINGS = Path(__file__).parent.parent / "mappings"


def tables() -> dict[str, RuleTable]:
    """Return each base table by file name, and the tables that a broker's profile changes."""
    base = {table.name: table.hash for table in rule_tables()}
    return {
        f"{profile}/{table.stem}.txt": table
        for profile in ("documented", *mappings.overlay_names())
        for table in rule_tables(profile)
        if profile == "documented" or table.hash != base[table.name]
    }


def function(table: RuleTable) -> str:
    """Return the text of a table's function."""
    return Printed(Compiler(build(table)).compile()).stable


def digests(functions: Mapping[str, str]) -> str:
    """Return the digests of functions, a line each."""
    return "".join(f"{digest(text.encode())}  {name}\n" for name, text in sorted(functions.items()))


if __name__ == "__main__":
    made = {name: function(table) for name, table in tables().items()}
    sys.exit(
        write_or_check(FOLDER, "**/*.txt", made, sys.argv[1:])
        or write_or_check(MAPPINGS, "*.sha256", {"functions.sha256": digests(made)}, sys.argv[1:])
    )
