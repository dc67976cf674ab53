"""Words of NSQ's tables."""

from typing import Any

import pytest

from mqconvert.converters.protocols.nsq.words import nsq_message_id, nsq_topic
from mqconvert.converters.words import NOT_MINE, Loss


@pytest.mark.parametrize(("value", "type_"), [("0123456789abcdef", "string"), (b"0123456789abcde\xff", "binary")])
def test_an_id_of_16_bytes_stays(value: Any, type_: str) -> None:
    raw = nsq_message_id(value, type_)
    assert raw == (value if type_ == "binary" else value.encode())


@pytest.mark.parametrize(
    ("value", "type_"), [("a", "string"), (b"a", "binary"), (7, "ulong"), ("é" * 16, "string"), (bytes(16), "uuid")]
)
def test_any_other_id_is_lost(value: Any, type_: str) -> None:
    assert nsq_message_id(value, type_) == Loss("not the 16 bytes of an id of NSQ")


@pytest.mark.parametrize(
    ("name", "plain", "escaped"),
    [
        ("t", "t", "t"), ("t#ephemeral", "t#ephemeral", "t#ephemeral"), ("a/b", NOT_MINE, "a_2Fb"), ("", NOT_MINE, NOT_MINE),
        ("t" * 65, NOT_MINE, NOT_MINE), ("a_b", "a_b", "a_b"), ("a_2Fb", "a_2Fb", "a_5F2Fb"),
    ],
)  # fmt: skip
def test_topics_are_those_that_nsqd_accepts(name: str, plain: Any, escaped: Any) -> None:
    assert (nsq_topic(name, escape=False), nsq_topic(name, escape=True)) == (plain, escaped)
