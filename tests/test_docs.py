"""What the pages promise: citations lead to a page of the repository or a public specification, and the README is short."""

import re
from pathlib import Path

import pytest

from mqconvert import rule_tables

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
SPECIFICATIONS = re.compile(
    r"(AMQP 1\.0 part|AMQP 0\.9\.1|MQTT (3\.1\.1|5\.0) section|rabbitmq\.com/docs|the page as of RabbitMQ) ?\S"
)
OURS = re.compile(r"\b(?:[A-F]\d+|[GR]\d+a?|\d+\.\d+|(?<=MAPPINGS )\d+)\b")


def cites(profile: str) -> set[str]:
    found: set[str] = set()
    for table in rule_tables(profile):
        found |= set(table.cites)
        found |= {rule.cite for rule in (*table.start, *table.rules, *table.types, *table.finish) if rule.cite}
    return {part for cite in found for part in cite.split("; ")}


@pytest.mark.parametrize("profile", ["documented", "preserve", "rabbitmq-4.0", "rabbitmq-4.3"])
def test_what_rows_cite_is_found_in_the_repository_or_a_specification(profile: str) -> None:
    decided = set(re.findall(r"^##+ (\S+)", (DOCS / "decisions.md").read_text(), re.MULTILINE))
    differs = set(re.findall(r"\b[A-F]\d+\b", (DOCS / "differences.md").read_text()))
    cited = cites(profile)
    assert len(cited) > 20
    for cite in cited:
        if SPECIFICATIONS.match(cite):
            continue
        ids = OURS.findall(cite)
        assert ids, cite
        assert set(ids) <= decided | differs, cite


def test_tables_link_each_decision_to_its_heading() -> None:
    text = (DOCS / "tables" / "amqp10_to_pulsar.md").read_text()
    assert "[MAPPINGS G5](../decisions.md#g5)" in text
    assert not re.search(r"\| MAPPINGS ", text)


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text().split()) < 900


def test_every_page_for_people_is_in_the_navigation() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text()
    pages = [file.relative_to(DOCS).as_posix() for file in DOCS.rglob("*.md") if "examples" not in file.parts]
    assert [page for page in pages if f": {page}\n" not in navigation] == []
