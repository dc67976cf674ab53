"""Words of RocketMQ's tables: its property string, its own names, its topics and bits."""

from typing import Any

import pytest

from mqconvert.converters.engine.vocabulary import TRANSFORMS
from mqconvert.converters.protocols.rocketmq.words import (
    properties_longer_than,
    property_entry,
    property_text,
    rocketmq_topic,
    system_key,
    unfit_property,
)
from mqconvert.converters.words import NOT_MINE, Loss

UNFIT = Loss("a property string cannot hold it")


@pytest.mark.parametrize(("text", "answer"), [("a", "a"), ("", UNFIT), ("a\x01b", UNFIT), ("a\x02", UNFIT), ("é", "é")])
def test_a_property_string_holds_text_without_its_separators(text: str, answer: Any) -> None:
    assert property_text(text) == answer
    assert property_entry(text, "string", "k") == answer
    assert property_entry("v", "string", text) == ("v" if answer == text else UNFIT)


@pytest.mark.parametrize(
    ("value", "type_", "key", "plain", "unfit"),
    [
        (5, "int", "k", "5", False),
        ("a", "string", "k", "a", False),
        ([], "list", "k", Loss("a list has no text"), False),
        (b"", "binary", "k", UNFIT, True),
        (5, "int", "", UNFIT, True),
        (0xD800, "char", "k", Loss("a char that is not a code point"), False),
    ],
)
def test_an_entry_fits_a_property_string_by_its_text_and_its_key(
    value: object, type_: str, key: str, plain: object, unfit: bool
) -> None:
    assert property_entry(value, type_, key) == plain
    assert unfit_property(value, type_, key) is unfit


@pytest.mark.parametrize(("key", "own"), [("KEYS", True), ("__RMQ.TRANSIENT.a", True), ("k", False), ("keys", False)])
def test_names_of_rocketmqs_own(key: str, own: bool) -> None:
    assert system_key("v", key) is own


@pytest.mark.parametrize(
    ("name", "plain", "escaped"),
    [
        ("orders-1", "orders-1", "orders-1"), ("a/b.c", NOT_MINE, "a_2Fb_2Ec"), ("", NOT_MINE, NOT_MINE),
        ("t" * 128, NOT_MINE, NOT_MINE), ("t#ephemeral", NOT_MINE, "t_23ephemeral"), ("a_2Fb", "a_2Fb", "a_5F2Fb"),
        ("%RETRY%g", "%RETRY%g", "%RETRY%g"),
    ],
)  # fmt: skip
def test_topics_are_those_that_brokers_accept(name: str, plain: Any, escaped: Any) -> None:
    assert (rocketmq_topic(name, escape=False), rocketmq_topic(name, escape=True)) == (plain, escaped)


def test_the_limit_counts_the_bytes_of_names_values_and_separators() -> None:
    assert not properties_longer_than(32767, [("k", "v" * 32764)])
    assert properties_longer_than(32767, [("k", "v" * 32765)])
    assert properties_longer_than(32767, [("k", "é" * 16383)])
    assert properties_longer_than(32767, [("k", "")] * 10923)
    assert not properties_longer_than(32767, [("k", "")] * 10922)


@pytest.mark.parametrize(("value", "rest"), [(0x701, 0), (0, 0), (4, 4), (-1, ~0x7F1)])
def test_bits_of_the_codec_are_no_flags(value: int, rest: int) -> None:
    assert TRANSFORMS["without-bits 0x7F1"].function(value) == rest
