"""Names and tests of generated functions: one name for each object, and tests that decide as Python does."""

import os.path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import PROTOCOLS
from mqconvert.converters.engine import runtime
from mqconvert.converters.engine.names import Names, begins, common_stem
from mqconvert.converters.engine.vocabulary import CONDITIONS, TRANSFORMS
from mqconvert.converters.printed.defining import function_of
from mqconvert.converters.printed.nodes import Expression, Hole
from tests.expressions import value_of

HOLE = Hole("0")
STEMS = st.text(min_size=1, max_size=3) | st.sampled_from(["\U0010ffff", "x-", "x\U0010ffff", "\ud7ff", "\udfff"])


@given(stem=STEMS, rest=st.text(max_size=2), other=st.text(max_size=4))
def test_texts_begin_with_a_stem_as_python_finds(stem: str, rest: str, other: str) -> None:
    test = begins(HOLE, stem)
    for text in (stem + rest, other, stem[:-1], stem[:-1] + chr(min(ord(stem[-1]) + 1, 0x10FFFF)) + rest):
        assert value_of(test, text) is text.startswith(stem)


@given(st.lists(st.text("ab-\U0010ffff", max_size=6), min_size=1))
def test_the_common_stem_is_the_common_prefix(texts: list[str]) -> None:
    assert common_stem(texts) == os.path.commonprefix(texts)  # noqa: RUF071 - by characters


@given(st.lists(st.tuples(st.text("a-. é_1", max_size=3), st.integers(1, 4)), max_size=12))
def test_each_object_has_its_own_name(words: list[tuple[str, int]]) -> None:
    """Words with other signs may have the same name in Python; names of the runtime are never taken."""
    names = Names({})
    given = {value: names.name("when", word, value).id for word, value in words}
    assert {names.known[name] for name in given.values()} == set(given)
    assert all(name.isidentifier() and name.isascii() and name not in runtime.NAMES for name in given.values())
    assert names.name("", next(iter(runtime.NAMES)), object()).id not in runtime.NAMES


TEXTS = st.text(max_size=3) | st.builds(lambda part, most: part * most, st.sampled_from(["a", "é"]), st.integers(60, 260))
VALUES: dict[str, st.SearchStrategy[Any]] = {"str": TEXTS, "bytes": TEXTS.map(str.encode), "int": st.integers(-(2**65), 2**65)}


def _value(names: Names, tree: Expression, value: object) -> Any:
    """Return the value of an expression with the names that it uses."""
    return function_of(tree, names.known)(value)


@pytest.mark.parametrize("kind", ["str", "bytes"])
@pytest.mark.parametrize("name", ["shortstr", "not shortstr", "utf8 and shortstr", "longer-than 256", "not longer-than 256"])
@given(data=st.data())
def test_conditions_decide_as_their_functions(name: str, kind: str, data: st.DataObject) -> None:
    """Quick and rare tests beside a call, and joined and opposite tests, change no answer."""
    word, names, value = CONDITIONS[name], Names({}), data.draw(VALUES[kind])
    assert bool(_value(names, names.condition(word, [kind], [HOLE]), value)) is bool(word.function(value))


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("octets", "str"),
        ("text", "bytes"),
        ("to-decimal then octets", "int"),
        ("whole-seconds", "int"),
        ("seconds-to-signed-milliseconds", "int"),
        ("milliseconds-to-unsigned-seconds then to-decimal", "int"),
    ],
)
@given(data=st.data())
def test_transforms_give_what_their_functions_give(name: str, kind: str, data: st.DataObject) -> None:
    word, names, value = TRANSFORMS[name], Names({}), data.draw(VALUES[kind])
    assert _value(names, names.transformed(word, [HOLE], kind), value) == word.function(value)


def test_a_value_that_does_not_fit_its_type_has_the_reason() -> None:
    types = PROTOCOLS["amqp-1.0"].types
    for type_, value in (("ubyte", 256), ("ubyte", 255), ("string", "a"), ("string", "\ud800")):
        names = Names(types)
        assert bool(_value(names, names.unfit(type_, HOLE), value)) is (types[type_].fault(value) is not None)


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("annotation ulong", "via_annotation_ulong"),
        ("replaced / . then octets", "via_replaced_then_octets"),
        (f"constant {'9' * 19}" + " then to-decimal" * 3, "via_constant_then_to_decimal"),
    ],
)
def test_the_name_of_a_word_has_its_literals_if_they_are_short_names(word: str, name: str) -> None:
    assert Names(PROTOCOLS["amqp-1.0"].named).word("via", TRANSFORMS.known(word)).id == name
