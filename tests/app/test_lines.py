"""Lines of a stream, around the limit: a line of exactly the limit is good, with and without its end."""

from io import BytesIO

import pytest

from mqconvert.app.lines import TooLong, read_lines


@pytest.mark.parametrize(
    ("stream", "lines"),
    [
        (b"", []),
        (b"abc", [b"abc"]),
        (b"abc\n", [b"abc"]),
        (b"abcd", [TooLong(3)]),
        (b"abcd\n", [TooLong(3)]),
        (b"abcdefghijkl\nabc\nabcd\nab", [TooLong(3), b"abc", TooLong(3), b"ab"]),
        (b"ab\r\n\n\r\nabc", [b"ab", b"", b"", b"abc"]),
    ],
)
def test_the_limit_of_a_line(stream: bytes, lines: list[bytes | TooLong]) -> None:
    assert list(read_lines(BytesIO(stream), 3)) == lines
