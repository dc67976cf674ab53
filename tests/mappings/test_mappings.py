"""The shipped tables: each cites its source, every word is used, every drop has a reason."""

import re
from collections import Counter

import pytest

from mqconvert import PROTOCOLS, Environment, Remedy, RuleTable, mappings, rule_tables
from mqconvert.converters.engine.expansion import PARTS
from mqconvert.converters.engine.tables import load_shared
from mqconvert.converters.engine.vocabulary import CONDITIONS, TRANSFORMS
from mqconvert.converters.model.places import SECTION, WHOLE, places

PROFILES = ["documented", *mappings.overlay_names()]
TABLES = [table for profile in PROFILES for table in rule_tables(profile)]


def test_files_are_base_tables_and_overlays() -> None:
    assert {table.file for table in rule_tables()} == set(mappings.table_names())
    assert not set(mappings.overlay_names()) & {name.removesuffix(".toml") for name in mappings.table_names()}
    assert not set(mappings.shared_names()) & set(mappings.table_names())
    assert mappings.overlay_names() == ["preserve", "rabbitmq-4.0", "rabbitmq-4.3"]


@pytest.mark.parametrize("name", mappings.shared_names())
def test_every_shared_row_is_in_two_tables_or_more(name: str) -> None:
    _, shared = load_shared(mappings.read(name), name)
    rows = [row.columns["id"] for part in PARTS for rows in shared.values[part].values() for row in rows]
    found = Counter(rule.id for table in rule_tables() for rule in table.all_rules if rule.file == name)
    assert rows
    assert [row for row in rows if found[row] < 2] == []


@pytest.mark.parametrize("found", rule_tables(), ids=lambda table: table.stem)
def test_every_table_has_a_title_and_sources(found: RuleTable) -> None:
    assert found.title == f"{PROTOCOLS[found.source].title} to {PROTOCOLS[found.target].title}"
    assert found.cites
    assert all(cite.strip() for cite in found.cites)


FOR_OVERLAYS = {"described-as", "inside", "replaced", "to-json"}
"""Words for overlays alone, which the cookbook uses: no rule of RabbitMQ has such values, or JSON."""


def test_every_word_is_used_by_some_row() -> None:
    rules = [rule for table in TABLES for rule in table.all_rules]
    conditions = {part for rule in rules for part in _parts(rule.when or "")}
    transforms = {part for rule in rules for part in _parts(rule.via or "")}
    assert {*CONDITIONS, *CONDITIONS.makers} - conditions - transforms - FOR_OVERLAYS == set()
    assert {*TRANSFORMS, *TRANSFORMS.makers} - transforms - conditions - FOR_OVERLAYS == set()


def test_every_word_with_literals_is_explained() -> None:
    first_cells = re.findall(r"^\|(.*?[^\\])\|", mappings.read("README.md"), re.MULTILINE)
    explained = {name for cell in first_cells for name in re.findall(r"`([a-z-]+)", cell)}
    assert {*CONDITIONS.makers, *TRANSFORMS.makers} - explained == set()


def test_rows_of_brokers_join_two_words_at_most() -> None:
    files = {"hub.toml", "pulsar.toml", "rocketmq.toml", "nsq.toml", "phpmq.toml"}
    rules = [rule for table in TABLES for rule in table.all_rules if rule.file in files]
    assert files == {rule.file for rule in rules}
    long = {rule.where for rule in rules for text in (rule.when, rule.via) if len(re.findall(" and | then ", text or "")) > 1}
    assert long == set()


def test_few_words_serve_only_one_row() -> None:
    rows: dict[str, set[str]] = {}
    for rule in (rule for table in TABLES for rule in table.all_rules):
        for word in _parts(rule.when or "") | _parts(rule.via or ""):
            rows.setdefault(word, set()).add(rule.where)
    known = [word for words in (CONDITIONS, TRANSFORMS) for word in {*words, *words.makers}]
    assert len(known) <= 120
    assert len([word for word in known if len(rows.get(word, ())) == 1]) <= 35


def _parts(phrase: str) -> set[str]:
    """Return the names of the words in a phrase: `A`, `whether` and `B` in `whether A then B`, `fits` and `A` in `fits A`."""
    parts = re.split(r" and | then ", phrase)
    words = [part.removeprefix("not ").split(" ") for part in parts]
    return {name for head, *more in words for name in (head, *(more[:2] if head in ("whether", "fits") else ()))}


def test_every_drop_has_a_reason() -> None:
    silent = {
        (table.name, rule.id)
        for table in TABLES
        for rule in table.rules
        if not rule.makes_something and not rule.absent and not rule.note and not rule.lost
    }
    assert silent == set()


@pytest.mark.parametrize("found", rule_tables(), ids=lambda table: table.stem)
def test_every_field_of_the_source_has_a_row(found: RuleTable) -> None:
    rows = {rule.source for rule in found.rules} | {read for rule in found.rules for read in rule.reads if rule.uses}
    fields = {path for path, place in places(PROTOCOLS[found.source]).items() if place.kind not in (SECTION, WHOLE)}
    assert fields - rows == set()


FILES = {*mappings.table_names(), *mappings.shared_names(), *(f"{name}.toml" for name in mappings.overlay_names())}


@pytest.mark.parametrize("name", sorted(FILES))
def test_no_line_is_wider_than_160_columns(name: str) -> None:
    assert [line for line in mappings.read(name).splitlines() if len(line) > 160] == []


def test_options_of_refusing_rows_are_valid() -> None:
    remedies = {rule.remedy for table in TABLES for rule in table.all_rules} - {None}
    assert remedies == {Remedy("escape", "true"), Remedy("payload", "envelope"), Remedy("clock")}
    Environment(escape=True, payload="envelope", clock=1)


@pytest.mark.parametrize("name", sorted(FILES))
def test_notes_name_options_in_words_of_every_door(name: str) -> None:
    """The library and HTTP show them, too: the column `option` names one, which the command line shows as its flag."""
    assert [line for line in mappings.read(name).splitlines() if " --" in line.partition("note")[2] or "(--" in line] == []
