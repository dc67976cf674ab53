"""The pages in docs are what the tables and the forecast say, row for row."""

from pathlib import Path

from mqconvert import PROTOCOLS, routes, rule_tables
from mqconvert.app.pages import pages

FOLDER = Path(__file__).parents[2] / "docs"


def test_pages_are_what_is_committed() -> None:
    made = pages()
    assert {name: (FOLDER / name).read_text() for name in made} == made
    assert {file.relative_to(FOLDER).as_posix() for file in FOLDER.glob("*/*.md")} <= made.keys()


def test_every_row_stands_on_its_page() -> None:
    made = pages()
    for table in rule_tables():
        text = made["tables/" + table.file.replace(".toml", ".md")]
        assert all(f"`{rule.id}`" in text for rule in table.all_rules)


def test_every_pair_has_its_forecast() -> None:
    made = pages()
    for route in routes():
        text = made[f"fidelity/{route.source}.md"]
        assert f"\n## {PROTOCOLS[route.source].title} to {PROTOCOLS[route.target].title}, and back\n" in text
