"""Words of RocketMQ's tables: escapes and limits of its property string, its own names, its hosts."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import Entry, TypedValue
from mqconvert.converters.engine.vocabulary import CONDITIONS
from mqconvert.converters.protocols.amqp10.words.properties import FORMS
from mqconvert.converters.protocols.rocketmq.codec import LONG_NAMES, SHORT_NAMES
from mqconvert.converters.protocols.rocketmq.words import (
    odd_string,
    parse_properties,
    raw_string,
    rocketmq_escaped,
    rocketmq_unescaped,
    too_many_properties,
    undefined_field,
)
from mqconvert.messages import amqp10, rocketmq

NAMES = st.text(st.sampled_from("ab\x01\x02é"), max_size=5)


@given(st.lists(st.tuples(NAMES, NAMES), max_size=5, unique_by=lambda pair: pair[0]))
def test_escaped_properties_survive_the_property_string(pairs: list[tuple[str, str]]) -> None:
    escaped = rocketmq_escaped(pairs)
    assert all(name and not set(name + text) & set("\x02") and "\x01" not in name for name, text in escaped)
    text = "".join(f"{name}\x01{value}\x02" for name, value in escaped)
    assert rocketmq_unescaped(parse_properties(text)[0] or []) == pairs


@pytest.mark.parametrize(
    ("pair", "escaped"),
    [
        (("k", "v"), ("k", "v")),
        (("k", "a\x01b"), ("k", "a\x01b")),
        (("k", ""), ("amqp-b64.k", "=")),
        (("k", "\x02"), ("amqp-b64.k", "=Ag==")),
        (("", "v"), ("amqp-b64n.", "=dg==")),
        (("\x01", "v"), ("amqp-b64n.AQ==", "=dg==")),
    ],
)
def test_only_what_the_property_string_cannot_hold_is_escaped(pair: tuple[str, str], escaped: tuple[str, str]) -> None:
    assert rocketmq_escaped([pair]) == [escaped]


@pytest.mark.parametrize(
    "pair", [("amqp-b64.k", "x"), ("amqp-b64.k", "=?"), ("amqp-b64.k", "=/w=="), ("amqp-b64n.?", "=dg=="), ("amqp-b64", "=")]
)
def test_properties_that_only_look_escaped_stay(pair: tuple[str, str]) -> None:
    assert rocketmq_unescaped([pair]) == [pair]


def test_the_original_string_is_kept_where_the_way_back_gives_another() -> None:
    sent = rocketmq.Message("t", b"a", [("k", "v")])
    result = amqp10.Message()
    same, other = sent, rocketmq.Message("t", b"a", [("k", "w")])
    assert raw_string(None, [], sent, result, lambda _result: same) is None
    assert raw_string(None, [], sent, result, lambda _result: other) == "k\x01v\x02"
    assert raw_string("odd", [], sent, result, lambda _result: sent) == "odd"


@pytest.mark.parametrize("text", ["a\x01b\x02", "a\x01b\x02c\x01d\x02", ""])
def test_a_string_that_its_entries_restore_is_not_odd(text: str) -> None:
    assert odd_string(text) is None


@pytest.mark.parametrize("text", ["a\x01b", "a\x02", "a\x01\x02", "\x01b\x02", "a\x01b\x02\x02"])
def test_a_string_that_its_entries_do_not_restore_is_kept(text: str) -> None:
    assert odd_string(text) == text


def test_the_limit_counts_the_bytes_of_names_values_and_separators() -> None:
    assert not too_many_properties([("k", "v" * 32764)])
    assert too_many_properties([("k", "v" * 32765)])
    assert too_many_properties([("k", "é" * 16383)])
    assert too_many_properties([("k", "")] * 10923)
    assert not too_many_properties([("k", "")] * 10922)


def test_a_changed_string_lacks_the_removed_names_and_ends_with_the_added_entries() -> None:
    changed = FORMS["entries"].changed
    assert changed("a\x011\x02b\x012\x02a\x013\x02", {"a"}, [("c", "4")]) == "b\x012\x02c\x014\x02"
    assert changed("a\x011", set(), []) == "a\x011"


@pytest.mark.parametrize(
    ("word", "key", "holds"),
    [
        ("system-name x-opt-rocketmq-prop-", "x-opt-rocketmq-prop-KEYS", True),
        ("system-name x-opt-rocketmq-prop-", "x-opt-rocketmq-prop-__RMQ.TRANSIENT.a", True),
        ("system-name x-opt-rocketmq-prop-", "x-opt-rocketmq-prop-k", False),
        ("reserved-or-system amqp-*", "amqp-a", True),
        ("reserved-or-system amqp-*", "KEYS", True),
        ("reserved-or-system amqp-*", "k", False),
        ("reserved-or-system !KEYS", "KEYS", False),
        ("native-text", "a", True),
        ("native-text", "", False),
        ("native-text", "a\x02", False),
        ("native-text", "a\x01", False),
        ("rocketmq-topic", "orders-1", True),
        ("rocketmq-topic", "a/b", False),
        ("rocketmq-topic", b"orders", False),
    ],
)
def test_names_and_text_of_rocketmq_are_known(word: str, key: Any, *, holds: bool) -> None:
    assert CONDITIONS[word].function(key) is holds


SHORT, LONG = min(SHORT_NAMES), min(LONG_NAMES)


@pytest.mark.parametrize(
    ("name", "others", "place", "undefined"),
    [
        ("k", [], None, True),
        (SHORT, [SHORT], None, True),
        (LONG, [LONG], None, True),
        (SHORT, [SHORT, LONG], None, False),
        (LONG, [SHORT, LONG], None, False),
        (SHORT, [SHORT], 0, False),
        (LONG, [LONG], 0, True),
    ],
)
def test_a_send_defines_letters_or_long_names(name: str, others: list[str], place: int | None, *, undefined: bool) -> None:
    annotations = [Entry(f"x-opt-rocketmq-ext-{other}", "string", "v") for other in others]
    index, size = (None, None) if place is None else (TypedValue("uint", place), TypedValue("uint", 2))
    assert undefined_field("v", f"x-opt-rocketmq-ext-{name}", index, size, annotations) is undefined


@pytest.mark.parametrize(
    ("typed", "bits", "holds"),
    [
        (TypedValue("string", "192.0.2.1:10911"), None, True),
        (TypedValue("string", "192.0.2.1:10911"), TypedValue("int", 16), False),
        (TypedValue("string", "[2001:db8::1]:10911"), TypedValue("int", 16), True),
        (TypedValue("string", "[2001:db8::1]:10911"), None, False),
        (TypedValue("string", "[2001:db8::1]:10911"), TypedValue("int", 16 + 1025), False),  # invalid bits count as unset
        (TypedValue("string", "somewhere"), None, False),
        (TypedValue("uint", 5), None, False),
        (None, None, False),
    ],
)
def test_a_host_has_the_form_of_its_bit(typed: Any, bits: Any, *, holds: bool) -> None:
    assert CONDITIONS["host 16"].function(typed, bits) is holds
