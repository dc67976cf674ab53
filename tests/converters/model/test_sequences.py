"""Messages in sequence: what codecs find becomes one message, a list, or the first error."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import PROTOCOLS, DecodeError
from mqconvert.converters.model.sequences import in_sequence, listed, messages_only, the_only

ERRORS = st.builds(DecodeError, st.just("bad_value"), st.just("invalid"), offset=st.integers(0, 9))
FOUND = st.lists(st.none() | st.integers(0, 3) | ERRORS)


@given(FOUND)
def test_messages_come_in_order_up_to_the_first_error(found: list[Any]) -> None:
    end = next((at for at, one in enumerate(found) if isinstance(one, DecodeError)), len(found))
    messages: list[Any] = []  # extended one by one: those before the error stay
    try:
        messages.extend(messages_only(found))
        raised = None
    except DecodeError as error:
        raised = error
    assert messages == [one for one in found[:end] if one is not None]
    assert raised is (found[end] if end < len(found) else None)


def test_only_two_messages_are_decoded_to_find_the_only_one() -> None:
    """Bytes with a million messages are refused at the second one."""
    asked: list[int] = []

    def found() -> Iterator[int | None]:
        for number in range(100):
            asked.append(number)
            yield number if number % 3 else None

    with pytest.raises(DecodeError) as caught:
        the_only(found())
    assert caught.value.kind == "several_messages"
    assert asked == [0, 1, 2]


@pytest.mark.parametrize("found", [[], [None, None]])
def test_frames_alone_have_no_message(found: list[None]) -> None:
    with pytest.raises(DecodeError) as caught:
        the_only(found)
    assert (caught.value.kind, caught.value.offset) == ("no_message", 0)


def test_an_error_before_or_behind_the_only_message_is_raised() -> None:
    error = DecodeError("bad_value", "invalid", offset=3)
    for found in ([error, 1], [1, error], [error]):
        with pytest.raises(DecodeError) as caught:
            the_only(found)
        assert caught.value is error


@given(st.lists(st.binary(min_size=1, max_size=5), max_size=5))
def test_values_behind_each_other_are_read_to_the_end(values: list[bytes]) -> None:
    """Empty bytes are read once, so that the reader names what is missing."""
    data = b"".join(bytes([len(value)]) + value for value in values)

    def read(data: bytes, at: int) -> tuple[bytes, int]:
        if at == len(data):
            return b"nothing", at + 1
        end = at + 1 + data[at]
        return data[at + 1 : end], end

    assert list(in_sequence(read, data)) == (values or [b"nothing"])


def test_decode_all_shows_the_name_and_words_of_its_decoder() -> None:
    def decode_each(data: bytes) -> Iterator[int]:
        """Yield the numbers."""
        yield from data

    made = listed(decode_each)
    assert made(b"\1\2") == [1, 2]
    assert (made.__name__, made.__doc__) == ("decode_each", "Yield the numbers.")


@pytest.mark.parametrize("protocol", list(PROTOCOLS))
def test_codecs_name_what_empty_bytes_lack(protocol: str) -> None:
    with pytest.raises(DecodeError) as caught:
        PROTOCOLS[protocol].codec_module().decode_all(b"")
    assert caught.value.offset == 0
