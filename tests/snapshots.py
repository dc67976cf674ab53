"""The generated functions of our tables as text: a review shows the effect of a change in the compiler or a row.

`make generate` writes tests/data/functions/; tests/converters/engine/test_compiler.py compares.
"""

import sys
from pathlib import Path

from docs.generated import write_or_check
from mqconvert import RuleTable, generated_source, mappings, rule_tables
from mqconvert.converters.engine.compiler import without_lines

FOLDER = Path(__file__).parent / "data" / "functions"


def tables() -> dict[str, tuple[RuleTable, str]]:
    """Return each base table by file name, and the tables that a broker's profile changes, with the profile."""
    base = {table.name: table.hash for table in rule_tables()}
    return {
        f"{profile}/{table.stem}.txt": (table, profile)
        for profile in ("documented", *mappings.overlay_names())
        for table in rule_tables(profile)
        if profile == "documented" or table.hash != base[table.name]
    }


def function(table: RuleTable, profile: str) -> str:
    """Return the text of a table's function."""
    return without_lines(generated_source(table.source, table.target, profile=profile)) + "\n"


if __name__ == "__main__":
    sys.exit(write_or_check(FOLDER, "**/*.txt", {name: function(*each) for name, each in tables().items()}, sys.argv[1:]))
