"""The pages: citations lead to a page of the repository or a public specification, and the README is short."""

import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from docs.pages import _linked
from docs.site import on_page_markdown
from mqconvert import rule_tables

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
SPECIFICATIONS = re.compile(
    r"(AMQP 1\.0 part|AMQP 0\.9\.1|MQTT (3\.1\.1|5\.0) section|rabbitmq\.com/docs|the page as of RabbitMQ) ?\S"
)
OURS = re.compile(r"(decisions|differences) (.+)")


def cites(profile: str) -> set[str]:
    found: set[str] = set()
    for table in rule_tables(profile):
        found |= set(table.cites)
        found |= {rule.cite for rule in (*table.start, *table.rules, *table.types, *table.finish) if rule.cite}
    return {part for cite in found for part in cite.split("; ")}


@pytest.mark.parametrize("profile", ["documented", "preserve", "rabbitmq-4.0", "rabbitmq-4.3"])
def test_citations_of_rows_exist_in_the_repository_or_a_specification(profile: str) -> None:
    decided = set(re.findall(r"^##+ (\S+)", (DOCS / "decisions.md").read_text(), re.MULTILINE))
    differs = set(re.findall(r"\b[A-F]\d+\b", (DOCS / "differences.md").read_text()))
    known = {"decisions": decided, "differences": differs}
    cited = cites(profile)
    assert len(cited) > 20
    for cite in cited:
        if SPECIFICATIONS.match(cite):
            continue
        ours = OURS.fullmatch(cite)
        assert ours, cite
        assert set(re.split(", | to ", ours[2])) <= known[ours[1]], cite


def test_tables_link_each_decision_to_its_heading() -> None:
    text = (DOCS / "tables" / "amqp10_to_pulsar.md").read_text()
    assert "decisions [3](../decisions.md#3-pulsar), [G1](../decisions.md#g1-rows)" in text
    assert "differences [A25](../differences.md#an-array-is-converted)" in _linked("differences A25")


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text().split()) < 900


def test_every_documentation_page_is_in_the_navigation() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text()
    pages = [file.relative_to(DOCS).as_posix() for file in DOCS.rglob("*.md") if "examples" not in file.parts]
    assert [page for page in pages if f": {page}\n" not in navigation] == []


@pytest.mark.parametrize(
    ("page", "tried", "section"),
    [
        ("tutorial-overlay.md", '<a href="try/index.html">workbench</a>', "[workbench](service.md#the-workbench)"),
        ("tables/a.md", '<a href="../try/rules.html">workbench</a>', "[workbench](../service.md#the-workbench)"),
    ],
)
def test_links_to_the_workbench_lead_to_it_where_it_is_built(
    page: str, tried: str, section: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = SimpleNamespace(file=SimpleNamespace(src_uri=page))
    monkeypatch.delenv("TRY", raising=False)
    assert on_page_markdown(section, shown) == section
    monkeypatch.setenv("TRY", "1")
    assert on_page_markdown(section, shown) == tried


def _slug(heading: str) -> str:
    """Return the anchor of a heading, as GitHub and MkDocs make it."""
    plain = re.sub(r"!?\[([^\]]*)\]\([^)]*\)|`", r"\1", heading)
    return re.sub(r"[^\w -]", "", plain.lower()).strip().replace(" ", "-")


def _prose(file: Path) -> str:
    """Return a page without its blocks of code."""
    return re.sub(r"^( *)```.*?^\1```$", "", file.read_text(), flags=re.MULTILINE | re.DOTALL)


def _anchors(file: Path) -> set[str]:
    return {_slug(heading) for heading in re.findall(r"^#+ (.*)$", _prose(file), re.MULTILINE)}


LISTED = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.parametrize("name", LISTED)
def test_links_images_and_anchors_have_targets(name: str) -> None:
    """Pages link to files of the repository alone: whether a page elsewhere exists cannot be tested without a network."""
    page, wrong = ROOT / name, []
    prose = re.sub(r"`[^`\n]*`", "", _prose(page))
    for target in re.findall(r"\]\(([^)\s]+)\)", prose):
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists() or (anchor and (file.suffix != ".md" or anchor not in _anchors(file))):
            wrong.append(target)
    assert wrong == []


def test_the_code_of_the_protocol_page_runs() -> None:
    """Run in a process of its own: the code names a word, which the tables here do not use."""
    blocks = re.findall(r"^```python\n(.*?)^```$", (DOCS / "protocol.md").read_text(), re.MULTILINE | re.DOTALL)
    code = "\n".join(block for block in blocks if "mqconvert_stomp" not in block)  # the example is not installed here
    shown = "import json; print(json.dumps(section_to_json(Message('a', body=b'hi'), TYPES)), shout('hi'))"
    command = [sys.executable, "-c", f"{code}\nfrom mqconvert.plugin import section_to_json\n{shown}"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == '{"destination": "a", "body": "aGk="} HI\n'
