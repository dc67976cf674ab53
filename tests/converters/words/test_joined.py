"""Conditions that `and`, `not` and `unless` join: what they ask, what each of them looks at, how they are written out."""

from itertools import product
from typing import Any

import pytest

from mqconvert import Environment, RuleTableError, convert
from mqconvert.converters.engine.vocabulary import CONDITIONS
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.routes import Overlay

ASKED: dict[str, tuple[int, Any]] = {
    "not is 4": (0, lambda value: value != 4),
    "at-least 2 and at-most 4": (0, lambda value: 2 <= value <= 4),
    "at-least 2 unless is 4": (0, lambda value: value >= 2 and value != 4),
    "unless at-least 2 and at-most 4": (0, lambda value: not 2 <= value <= 4),
    "at-least 2 unless at-most 4 unless is 3": (0, lambda value: value >= 2 and not (value <= 4 and value != 3)),
    "not same-as-address and same-as-address": (2, lambda value, first, second: value != first and value == second),
    "1: absent and at-least 2 and not 2: absent": (2, lambda value, one, two: one is None and value >= 2 and two is not None),
    "same-as-address unless 2: absent": (2, lambda value, first, second: value == first and second is not None),
}


@pytest.mark.parametrize("name", ASKED)
def test_joined_conditions_ask_what_their_words_ask(name: str) -> None:
    read, wanted = ASKED[name]
    known = CONDITIONS[name]
    assert known.takes == known.needs == 1 + read
    for value, *beside in product(range(6), *[[None, 1]] * read):
        assert known.function(value, *beside) is wanted(value, *beside), (value, beside)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("not", ""),
        ("not nothing", "unknown condition 'nothing'"),
        ("is 4 and nothing", "unknown condition 'nothing'"),
        ("is 4 and at-most x", "unknown condition 'at-most x': 'x' is no whole number"),
        ("2: nothing", "unknown condition 'nothing'"),
        ("1: same-as-address", "a condition of another place looks at that alone"),
        ("set unless 1: set and set", "of several conditions behind 'unless' none names a place"),
        ("is 4 unless is 5 and nothing", "unknown condition 'is 5 and nothing': unknown condition 'nothing'"),
    ],
)
def test_joined_conditions_that_are_none_are_refused(name: str, problem: str) -> None:
    assert name not in CONDITIONS
    assert problem in CONDITIONS.fault(name)


def _profile(columns: str) -> Any:
    row = f'before = "ttl", id = "mine", from = "header.ttl", to = "message_expiry_interval", via = "constant 7", {columns}'
    rules = [Overlay("mine.toml", f'["amqp-1.0 -> mqtt-5.0"]\nrules = [\n{{ {row} }},\n]')]

    def made(ttl: int, address: str | None) -> int | None:
        message = amqp10.Message(amqp10.Header(ttl=ttl), body=amqp10.Data([b""]))
        done: Any = convert(message, "mqtt-5.0", rules=rules, environment=Environment(address=address))
        return done.message.message_expiry_interval  # type: ignore[no-any-return]

    return made


def test_a_condition_looks_at_when_reads_and_the_transform_at_reads() -> None:
    made = _profile('when = "not at-most 2000 and not same-as-address", when_reads = ["properties.group_sequence"]')
    assert [made(5000, None), made(1000, None)] == [7, None]
    made = _profile('when = "not at-most 2000 and not @address: absent"')
    assert [made(5000, None), made(5000, "t"), made(1000, "t")] == [None, 7, None]


def test_when_reads_without_a_when_is_refused() -> None:
    with pytest.raises(RuleTableError, match="'when_reads' says nothing without a 'when'"):
        _profile('when_reads = ["@address"]')(5, None)
    with pytest.raises(RuleTableError, match="unknown place 'nothing' in reads"):
        _profile('when = "same-as-address", when_reads = ["nothing"]')(5, None)
