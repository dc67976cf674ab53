"""Writes docs/tables/*.md from the rule tables; with --check says whether the committed pages are what the tables say."""

import sys
from pathlib import Path

from mqconvert import PROTOCOLS, Rule, RuleTable, rule_tables
from mqconvert.app.generated import write_or_check

FOLDER = Path("docs")
_COLUMNS = ("from", "type", "condition", "to", "as", "by way of", "note", "row")


def pages() -> dict[str, str]:
    """Every page by its file name."""
    return {f"tables/{Path(table.file).stem}.md": page(table) for table in rule_tables()}


def page(table: RuleTable) -> str:
    """One table as a page, row for row."""
    title = f"# {PROTOCOLS[table.source].title} to {PROTOCOLS[table.target].title}"
    cites = "".join(f"* {cite}\n" for cite in table.cites)
    parts = [f"{title}\n\nWritten from `mappings/{table.file}` by `make generate`. Sources:\n\n{cites}"]
    for heading, rules in (("Fields", table.rules), ("Types of values in maps and lists", table.types), ("Last", table.finish)):
        if rules:
            parts.append(f"## {heading}\n\n{_row(_COLUMNS)}{_row(('---',) * len(_COLUMNS))}{''.join(map(_rule, rules))}")
    return "\n".join(parts)


def _row(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cell.replace('|', ', ') for cell in cells)} |\n"


def _rule(rule: Rule) -> str:
    columns = rule.columns
    source = columns.get("from") or columns.get("at") or columns.get("scope", "")
    constants = ", ".join(f"{place} = {value!r}" for place, value in rule.constants.items())
    target = ", ".join(part for part in (columns.get("to", ""), constants) if part)
    note = "; ".join(part for part in (rule.note or "", rule.cite or "") if part)
    return _row(
        (source, rule.type, rule.when or "", target or "(dropped)", rule.as_ or "", rule.via or "", note, f"`{rule.id}`")
    )


if __name__ == "__main__":
    sys.exit(write_or_check(FOLDER, "tables/*.md", pages(), sys.argv[1:]))
