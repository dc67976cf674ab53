"""Words of NSQ's tables."""

import base64
import hashlib
from typing import Any

import pytest

from mqconvert import TypedValue
from mqconvert.converters.engine.vocabulary import CONDITIONS
from mqconvert.converters.protocols.nsq.words import nsq_message_id, plus_one
from mqconvert.converters.words import Partial


@pytest.mark.parametrize(
    ("given_id", "type_", "stays"),
    [
        ("0123456789abcdef", "string", True),
        (b"0123456789abcdef", "binary", False),
        (b"0123456789abcde\xff", "binary", True),
    ],
)
def test_an_id_of_nsq_stays_if_its_ascii_test_is_the_bool_of_its_type(given_id: Any, type_: str, *, stays: bool) -> None:
    """Compiled code calls C for `isascii` of any object; the result must be True or False, not a number."""
    raw = given_id.encode() if type_ == "string" else given_id
    assert (nsq_message_id(given_id, type_, None) == raw) is stays


@pytest.mark.parametrize(
    ("value", "type_"), [("a", "string"), (b"a", "binary"), (7, "ulong"), ("a" * 17, "string"), ("", "string")]
)
def test_another_id_becomes_hex_digits_of_the_hash_of_its_text(value: Any, type_: str) -> None:
    """`sha256sum` gives the same digits."""
    text = base64.b64encode(value).decode() if type_ == "binary" else str(value)
    made = nsq_message_id(value, type_, None)
    assert made == Partial(hashlib.sha256(text.encode()).hexdigest()[:16].encode(), "not the 16 bytes of an id of NSQ")


@pytest.mark.parametrize("blank", [" ", "\n"])
def test_an_id_with_blanks_stays_only_beside_the_time_of_nsq(blank: str) -> None:
    value = f"0123456{blank}9abcdef0"
    time = TypedValue("long", 5)
    assert nsq_message_id(value, "string", time) == value.encode()
    assert isinstance(nsq_message_id(value, "string", None), Partial)
    assert isinstance(nsq_message_id(value, "string", TypedValue("string", "soon")), Partial)


def test_attempts_are_one_more_than_those_before_up_to_65535() -> None:
    assert [plus_one(number) for number in (0, 65534)] == [1, 65535]
    assert plus_one(65535) == plus_one(2**32 - 1) == Partial(65535, "more than 65534 earlier attempts")


@pytest.mark.parametrize(
    ("name", "legal"), [("t", True), ("t#ephemeral", True), ("a/b", False), ("", False), ("t" * 65, False), (5, False)]
)
def test_names_are_those_that_nsqd_accepts(name: Any, *, legal: bool) -> None:
    assert CONDITIONS["legal-nsq-name"].function(name) is legal
