"""The generated functions of our tables as text: a review shows the effect of a change in the compiler or a row.

`make generate` writes tests/data/functions/; tests/converters/engine/test_compiler.py compares.
"""

import sys
from pathlib import Path

from mqconvert import generated_source, mappings, rule_tables
from mqconvert.app.generated import write_or_check
from mqconvert.converters.engine.compiler import without_lines

FOLDER = Path(__file__).parent / "data" / "functions"


def functions() -> dict[str, str]:
    """Return the text of each base table's function by file name, and of the functions that a broker's profile changes."""
    made: dict[str, str] = {}
    base = {table.name: table.hash for table in rule_tables()}
    for profile in ("documented", *mappings.overlay_names()):
        for table in rule_tables(profile):
            if profile == "documented" or table.hash != base[table.name]:
                name = f"{profile}/{table.stem}.txt"
                made[name] = without_lines(generated_source(table.source, table.target, profile=profile)) + "\n"
    return made


if __name__ == "__main__":
    sys.exit(write_or_check(FOLDER, "**/*.txt", functions(), sys.argv[1:]))
