"""Words of NSQ's tables."""

from typing import Any

import pytest

from mqconvert.converters.protocols.nsq.words import nsq_topic
from mqconvert.converters.words import NOT_MINE


@pytest.mark.parametrize(
    ("name", "plain", "escaped"),
    [
        ("t", "t", "t"), ("t#ephemeral", "t#ephemeral", "t#ephemeral"), ("a/b", NOT_MINE, "a_2Fb"), ("", NOT_MINE, NOT_MINE),
        ("t" * 65, NOT_MINE, NOT_MINE), ("a_b", "a_b", "a_b"), ("a_2Fb", "a_2Fb", "a_5F2Fb"),
    ],
)  # fmt: skip
def test_topics_are_those_that_nsqd_accepts(name: str, plain: Any, escaped: Any) -> None:
    assert (nsq_topic(name, escape=False), nsq_topic(name, escape=True)) == (plain, escaped)
