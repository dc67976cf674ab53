"""Writes docs/tables/*.md from the rule tables; with --check says whether the committed pages are what the tables say."""

import sys
from pathlib import Path

from mqconvert import PROTOCOLS, Rule, RuleTable, rule_tables

FOLDER = Path("docs/tables")
_COLUMNS = ("from", "type", "condition", "to", "as", "by way of", "note", "row")


def pages() -> dict[str, str]:
    """Every page by its file name."""
    return {f"{Path(table.file).stem}.md": page(table) for table in rule_tables()}


def page(table: RuleTable) -> str:
    """One table as a page, row for row."""
    title = f"# {PROTOCOLS[table.source].title} to {PROTOCOLS[table.target].title}"
    cites = "".join(f"* {cite}\n" for cite in table.cites)
    parts = [f"{title}\n\nWritten from `mappings/{table.file}` by `make generate`. Sources:\n\n{cites}"]
    for heading, rules in (
        ("First", table.start),
        ("Fields", table.rules),
        ("Types of values in maps and lists", table.types),
        ("Last", table.finish),
    ):
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


def main(arguments: list[str]) -> int:
    """Write the pages, or compare them; 1 when they differ."""
    made = pages()
    if "--check" in arguments:
        there = {file.name: file.read_text() for file in FOLDER.glob("*.md")}
        stale = sorted(name for name in made.keys() | there.keys() if made.get(name) != there.get(name))
        if stale:
            print(f"not what the tables say: {', '.join(stale)}; run make generate", file=sys.stderr)
        return 1 if stale else 0
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in made.items():
        (FOLDER / name).write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
