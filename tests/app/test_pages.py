"""The pages in docs/tables are what the tables say, row for row."""

from pathlib import Path

from mqconvert import rule_tables
from mqconvert.app.pages import pages

FOLDER = Path(__file__).parents[2] / "docs" / "tables"


def test_pages_are_what_is_committed() -> None:
    assert {file.name: file.read_text() for file in FOLDER.glob("*.md")} == pages()


def test_every_row_stands_on_its_page() -> None:
    for table in rule_tables():
        text = pages()[table.file.replace(".toml", ".md")]
        assert all(f"`{rule.id}`" in text for rule in table.all_rules)
