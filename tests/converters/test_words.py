"""Words have names and explanations, and those with literals are made when rows name them."""

import inspect
from typing import Any

from mqconvert import convert, rule_tables
from mqconvert.converters.engine.trials import vouch_for
from mqconvert.converters.engine.vocabulary import CONDITIONS, TRANSFORMS
from mqconvert.converters.overlays import Overlay
from mqconvert.converters.protocols.amqp10 import message as amqp10
from tests.converters.engine.table_files import load_table
from tests.sources import source_of


def test_literals_with_similar_names_are_separate_functions() -> None:
    """A finish row calls its word by a name that replaces every sign by the same character."""
    text = '["amqp-1.0 -> amqp-0.9.1"]\nfinish = [\n' + "".join(
        f'  {{ id = "r{index}", at = "basic.{field}", type = "absent", via = \'constant "{made}"\' }},\n'
        for index, (field, made) in enumerate([("type", "a-b"), ("app_id", "a.b"), ("cluster_id", "a b")])
    )
    done: Any = convert(amqp10.Message(), "amqp-0.9.1", rules=Overlay("mine.toml", text + "]\n")).message
    assert (done.basic.type, done.basic.app_id, done.basic.cluster_id) == ("a-b", "a.b", "a b")


def test_words_with_literals_are_not_in_the_list_of_words() -> None:
    assert CONDITIONS.get("at-most 5") is not None
    assert "at-most 5" not in CONDITIONS
    assert CONDITIONS.get("at-most x") is None
    assert TRANSFORMS.get(None) is None
    row = '{ id = "a", from = "header.ttl", when = "at-most 5", note = "n" }'
    table = load_table(f'source = "amqp-1.0"\ntarget = "nsq"\ntitle = "t"\nrules = [\n  {row},\n]', "t.toml")
    vouch_for(table)
    assert any("at-least 0" in str(rule.when) for each in rule_tables() for rule in each.rules)


def test_words_have_valid_names_and_explanations() -> None:
    for word, condition in CONDITIONS.items():
        assert word == word.lower()
        assert "_" not in word
        assert inspect.getdoc(source_of(condition.function)), word
