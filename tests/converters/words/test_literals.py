"""Words that end in literals: what is written out says what the function says; literals that cannot be meant are refused."""

from typing import Any

import pytest

from mqconvert import RuleTableError, convert, rule_tables
from mqconvert.converters.engine.tables import load_table
from mqconvert.converters.engine.trials import vouch_for
from mqconvert.converters.engine.vocabulary import CONDITIONS, TRANSFORMS
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.routes import Overlay

NUMBERS = [-(2**64), -1001, -2, -1, 0, 1, 2, 4, 5, 999, 1000, 1001, 2**64]
TEXTS = ["", "a", "b", "a b", "{0}", "'", "abc", "é"]
ASKED: dict[str, tuple[list[Any], list[Any]]] = {
    "at-most 4": (NUMBERS, [-(2**64), -1001, -2, -1, 0, 1, 2, 4]),
    "at-least -1": (NUMBERS, [-1, 0, 1, 2, 4, 5, 999, 1000, 1001, 2**64]),
    "between -1 4": (NUMBERS, [-1, 0, 1, 2, 4]),
    "is 4": (NUMBERS, [4]),
    "longer-than 1": (TEXTS, ["a b", "{0}", "abc"]),
    "one-of a {0} '": (TEXTS, ["a", "{0}", "'"]),
    "none-of a b": (TEXTS, ["", "a b", "{0}", "'", "abc", "é"]),
}
MADE: dict[str, tuple[Any, Any]] = {
    "scale 1000": (5, 5000),
    "scale 1/1000": (-1, -1),
    "add 1": (5, 6),
    "add -1": (5, 4),
    "constant 3": (None, 3),
    "constant -3": (None, -3),
    "constant true": (None, True),
    "constant false": (None, False),
    'constant ""': (None, ""),
    'constant "a {0} \\u00e9"': (None, "a {0} é"),
    'constant-octets "\\u0000"': (None, b"\0"),
}


@pytest.mark.parametrize("name", ASKED)
def test_a_condition_asks_what_its_literals_say(name: str) -> None:
    values, wanted = ASKED[name]
    word = CONDITIONS[name]
    assert [value for value in values if word.function(value)] == wanted
    assert [value for value in values if eval(str(word.inline).format("value"), {"value": value})] == wanted


@pytest.mark.parametrize("name", MADE)
def test_a_transform_makes_what_its_literals_say(name: str) -> None:
    value, wanted = MADE[name]
    word = TRANSFORMS[name]
    for made in (word.function(value), eval(str(word.inline).format("value"), {"value": value})):
        assert (made, type(made)) == (wanted, type(wanted))
    assert word.gives == type(wanted).__name__


WRONG = {
    'when = "at-most"': "unknown condition 'at-most': '' is no whole number",
    'when = "at-most 1.5"': "unknown condition 'at-most 1.5': '1.5' is no whole number",
    'when = "at-least x"': "unknown condition 'at-least x': 'x' is no whole number",
    'when = "between 1"': "unknown condition 'between 1': it needs two whole numbers",
    'when = "between 1 x"': "unknown condition 'between 1 x': 'x' is no whole number",
    'when = "is 007"': "unknown condition 'is 007': '007' is no whole number",
    'when = "longer-than  5"': "unknown condition 'longer-than  5': ' 5' is no whole number",
    'when = "one-of a"': "unknown condition 'one-of a': it needs two names or more",
    'when = "none-of a  b"': "unknown condition 'none-of a  b': it needs two names or more, with one space between them",
    'when = "set 5"': "unknown condition 'set 5'",
    'when = "scale 5"': "unknown condition 'scale 5'",
    'to = "basic.expiration", via = "scale 0"': "unknown transform 'scale 0': it needs a number above 0",
    'to = "basic.expiration", via = "add x"': "unknown transform 'add x': 'x' is no whole number",
    'to = "basic.expiration", via = "constant"': "unknown transform 'constant': '' is no whole number",
    "to = 'basic.expiration', via = 'constant \"'": "unknown transform 'constant \"': Unterminated string",
    'to = "payload", via = "constant-octets a"': "unknown transform 'constant-octets a': it needs a text in double quotes",
    'to = "basic.expiration", via = "at-most 5"': "unknown transform 'at-most 5'",
    'to = "basic.expiration", via = "constant 5"': "basic.expiration holds shortstr (str), but the row gives int",
    'when = "longer-than 5"': "condition longer-than 5 cannot take a value of type uint",
}


@pytest.mark.parametrize("row", WRONG)
def test_wrong_literals_are_refused_with_file_and_line(row: str) -> None:
    text = (
        '["amqp-1.0 -> amqp-0.9.1"]\nrules = [\n  { before = "ttl", id = "a", from = "header.ttl", note = "n", '
        + row
        + " },\n]\n"
    )
    with pytest.raises(RuleTableError) as caught:
        convert(amqp10.Message(), "amqp-0.9.1", rules=Overlay("mine.toml", text))
    assert str(caught.value).startswith("mine.toml:3: ")
    assert WRONG[row] in str(caught.value)


def test_literals_alike_in_a_name_are_two_functions() -> None:
    """A finish row calls its word, by a name in which signs are all the same."""
    text = '["amqp-1.0 -> amqp-0.9.1"]\nfinish = [\n' + "".join(
        f'  {{ id = "r{index}", at = "basic.{field}", type = "absent", via = \'constant "{made}"\' }},\n'
        for index, (field, made) in enumerate([("type", "a-b"), ("app_id", "a.b"), ("cluster_id", "a b")])
    )
    done: Any = convert(amqp10.Message(), "amqp-0.9.1", rules=Overlay("mine.toml", text + "]\n")).message
    assert (done.basic.type, done.basic.app_id, done.basic.cluster_id) == ("a-b", "a.b", "a b")


def test_words_with_literals_are_no_part_of_the_list_of_words() -> None:
    assert "at-most 5" in CONDITIONS
    assert "at-most 5" not in set(CONDITIONS)
    assert CONDITIONS.get("at-most x") is None
    assert None not in TRANSFORMS
    row = '{ id = "a", from = "header.ttl", when = "at-most 5", note = "n" }'
    table = load_table(f'source = "amqp-1.0"\ntarget = "nsq"\ntitle = "t"\nrules = [\n  {row},\n]', "t.toml")
    vouch_for(table)
    assert any("at-least 0" in str(rule.when) for each in rule_tables() for rule in each.rules)
