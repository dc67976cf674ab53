"""Words of Pulsar's tables: lists in annotations, message ids, sequence ids, batches."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import Entry, TypedValue
from mqconvert.converters.engine.vocabulary import CONDITIONS, TRANSFORMS
from mqconvert.converters.model.bodies import AmqpValue, Data
from mqconvert.converters.protocols.amqp10.words.properties import FORMS
from mqconvert.converters.protocols.pulsar.message import EncryptionKey
from mqconvert.converters.protocols.pulsar.words import (
    derived_sequence_id,
    encryption_keys_list,
    encryption_keys_of_list,
    member_number,
    null_beside_payload,
    opaque,
    pairs_to_lists,
    position,
    position_in_batch,
)
from mqconvert.converters.words import NOT_MINE, Partial

PAIRS = st.lists(st.tuples(st.text(max_size=9), st.text(max_size=9)), max_size=4)
KEYS = st.lists(
    st.builds(EncryptionKey, st.text(max_size=9), st.binary(max_size=9), st.none() | PAIRS.filter(bool)), min_size=1, max_size=3
)
TRUE, FALSE = TypedValue("boolean", True), TypedValue("boolean", False)


def uint(number: int | None) -> TypedValue | None:
    return None if number is None else TypedValue("uint", number)


@given(PAIRS)
def test_lists_of_pairs_are_read_again(pairs: list[tuple[str, str]]) -> None:
    made = pairs_to_lists(pairs)
    assert (made is None) is (not pairs)
    assert FORMS["pairs"].listed(TypedValue("list", made or [])) == pairs


@pytest.mark.parametrize(
    "value",
    [
        "text",
        [TypedValue("string", "a")],
        [TypedValue("list", [TypedValue("string", "a")])],
        [TypedValue("list", [TypedValue("string", "a"), TypedValue("symbol", "b")])],
        [Entry(TypedValue("string", "a"), "string", "b")],
    ],
)
def test_other_values_are_no_list_of_pairs(value: Any) -> None:
    assert FORMS["pairs"].listed(TypedValue("list", value)) is None


def test_a_changed_list_lacks_the_removed_names_and_ends_with_the_added_pairs() -> None:
    listed = pairs_to_lists([("a", "1"), ("b", "2"), ("a", "3")])
    assert FORMS["pairs"].changed(listed, {"a"}, [("c", "4")]) == [("b", "2"), ("c", "4")]
    assert FORMS["pairs"].changed(listed, {"a", "b"}, []) is None


@given(KEYS)
def test_encryption_keys_are_read_again(keys: list[EncryptionKey]) -> None:
    assert encryption_keys_of_list(encryption_keys_list(keys)) == keys


@pytest.mark.parametrize(
    "metadata",
    [[Entry(TypedValue("symbol", "a"), "string", "b")], [Entry(TypedValue("string", "a"), "symbol", "b")]],
)
def test_keys_with_other_metadata_pass_to_the_next_row(metadata: list[Entry]) -> None:
    row = [TypedValue("string", "k"), TypedValue("binary", b"secret"), TypedValue("map", metadata)]
    assert encryption_keys_of_list([TypedValue("list", row)]) is NOT_MINE


@pytest.mark.parametrize(
    ("typed", "body", "holds"),
    [
        (TRUE, Data([b"a"]), True),
        (TRUE, Data([b""]), False),
        (TRUE, None, False),
        (FALSE, None, True),
        (FALSE, AmqpValue(TypedValue("null", None)), False),
        (TRUE, AmqpValue(TypedValue("null", None)), False),
        (TRUE, AmqpValue(TypedValue("string", "a")), True),
        (None, Data([b"a"]), False),
    ],
)
def test_a_null_value_contradicts_a_payload(typed: Any, body: Any, *, holds: bool) -> None:
    assert null_beside_payload(typed, body) is holds


@pytest.mark.parametrize("text", ["1:2:-1:-1", "18446744073709551615:0:2147483647:-2147483648"])
def test_a_message_id_in_its_own_form_stays(text: str) -> None:
    assert position(text) == text


@pytest.mark.parametrize(
    "text", ["1:2:-1", "01:2:-1:-1", "1:2:-1:-1 ", "18446744073709551616:0:0:0", "1:2:2147483648:0", "-1:2:0:0", 5]
)
def test_other_text_is_no_message_id(text: Any) -> None:
    assert position(text) is NOT_MINE


@pytest.mark.parametrize(
    ("keys", "chunk", "hidden"),
    [
        (None, None, False),
        (None, uint(0), True),
        (None, TypedValue("string", "x"), False),
        (TypedValue("list", encryption_keys_list([EncryptionKey(key="k", value=b"s")])), None, True),
        (TypedValue("list", []), None, False),
        (TypedValue("string", "k"), None, False),
    ],
)
def test_members_of_encrypted_batches_and_of_chunks_are_unknown(keys: Any, chunk: Any, *, hidden: bool) -> None:
    assert opaque(keys, chunk) is hidden


@pytest.mark.parametrize(
    ("index", "size", "chunk", "answer"),
    [
        (None, None, None, "1:2:-1:5"),
        (5, 9, None, "1:2:-1:5"),
        (4, 9, None, Partial("1:2:-1:5", "its last number: the way back gives the place in the batch")),
        (4, 9, 0, "1:2:-1:5"),
        (9, 9, None, "1:2:-1:5"),
    ],
)
def test_the_place_in_a_batch_replaces_the_last_number(index: Any, size: Any, chunk: Any, answer: Any) -> None:
    assert position_in_batch("1:2:-1:5", uint(index), uint(size), None, uint(chunk)) == answer
    assert position_in_batch("x", uint(index), uint(size), None, uint(chunk)) is NOT_MINE


@pytest.mark.parametrize(
    ("value", "own", "index", "answer"),
    [(7, None, 0, 7), (7, None, 2, 9), (7, 5, 2, NOT_MINE), (7, None, None, NOT_MINE), (2**64 - 1, None, 1, NOT_MINE)],
)
def test_a_member_without_a_sequence_id_counts_from_that_of_its_batch(value: int, own: Any, index: Any, answer: Any) -> None:
    assert member_number(value, own, index) == answer


@pytest.mark.parametrize(
    ("sequence", "derived", "batch", "index", "holds"),
    [
        (8, TRUE, 7, 1, True),
        (9, TRUE, 7, 1, False),
        (8, FALSE, 7, 1, False),
        (8, None, 7, 1, False),
        (8, TRUE, None, 1, False),
        (8, TRUE, 7, None, False),
        (None, TRUE, 7, 1, False),
    ],
)
def test_a_derived_sequence_id_is_that_of_the_batch_plus_the_index(
    sequence: Any, derived: Any, batch: Any, index: Any, *, holds: bool
) -> None:
    numbers = [None if number is None else TypedValue("ulong", number) for number in (sequence, batch)]
    assert derived_sequence_id(numbers[0], derived, numbers[1], uint(index)) is holds


def test_unknown_fields_are_those_that_the_metadata_do_not_define() -> None:
    word = CONDITIONS["unknown-to MessageMetadata"].function
    assert word(TypedValue("binary", bytes.fromhex("c03e01"))) is True  # field 1000
    assert word(TypedValue("binary", bytes.fromhex("1801"))) is False  # field 3 is publish_time
    assert word(None) is False
    assert TRANSFORMS["pairs-to-lists"].gives == "list"
