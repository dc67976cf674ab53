"""The pages in docs are what the tables and the forecast say, row for row."""

from pathlib import Path

from mqconvert import PROTOCOLS, routes, rule_tables
from mqconvert.app.pages import pages

FOLDER = Path(__file__).parents[2] / "docs"


def test_pages_are_what_is_committed() -> None:
    made = pages()
    assert {name: (FOLDER / name).read_text() for name in made} == made
    assert {file.relative_to(FOLDER).as_posix() for file in FOLDER.glob("*/*.md")} <= made.keys()


# The others read what is committed: to make the pages takes longer than all of them.


def test_every_row_stands_on_its_page() -> None:
    for table in rule_tables():
        text = (FOLDER / "tables" / table.file).with_suffix(".md").read_text()
        assert all(f"`{rule.id}`" in text for rule in table.all_rules)


def test_every_pair_has_its_forecast() -> None:
    for route in routes():
        text = (FOLDER / "fidelity" / f"{route.source}.md").read_text()
        assert f"\n## {PROTOCOLS[route.source].title} to {PROTOCOLS[route.target].title}, and back\n" in text


def test_the_short_table_counts_every_field_once() -> None:
    text = (FOLDER / "fidelity.md").read_text()
    rows = [line.strip("| \n").split(" | ") for line in text.splitlines() if line.startswith("| [")]
    assert len(rows) == len(routes())
    for row in rows:
        fields, *counts, whole = map(int, row[2:])
        assert sum(counts) == fields >= whole
    assert ["[MQTT 5.0](fidelity/mqtt-5.0.md)", "MQTT 3.1.1", "14", "6", "0", "0", "8", "0", "0", "6"] in rows
