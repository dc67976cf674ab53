"""Words of NSQ's tables."""

from typing import Any

import pytest

from mqconvert.converters.protocols.nsq.words import nsq_message_id


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
