"""Base tables: what their files say, as RuleTables. A file holds one table, or both ways between a protocol and the hub."""

from mqconvert.converters.engine.files import parse_file
from mqconvert.converters.engine.rules import KINDS, RuleTable, refuse_twins, rule_of


def load_table(text: str, name: str) -> RuleTable:
    """A base table. What its rows say is checked when the table is compiled, against the message classes."""
    parsed = parse_file(text, name)
    values = parsed.values
    for key in ("source", "target", "title"):
        if not isinstance(values.get(key), str):
            raise parsed.wrong(f"the table has no {key}")
    parsed.refuse_unknown(values, ("source", "target", "title", "cites", "way_back", *KINDS))
    rows = {kind: tuple(rule_of(row, kind) for row in values.get(kind, ())) for kind in KINDS}
    way_back = values.get("way_back", "").partition(" -> ")
    table = RuleTable(
        values["source"],
        values["target"],
        name,
        values["title"],
        tuple(values.get("cites", ())),
        rows["rules"],
        rows["types"],
        rows["finish"],
        rows["start"],
        (way_back[0], way_back[2]) if way_back[1] else None,
    )
    refuse_twins(table)
    return table
