"""Lines of a stream, around the limit: a line of exactly the limit is accepted, with and without its newline."""

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
def test_read_lines_marks_lines_beyond_the_limit(stream: bytes, lines: list[bytes | TooLong]) -> None:
    assert list(read_lines(BytesIO(stream), 3)) == lines


class _Endless(BytesIO):
    """One line of a gigabyte that is never in memory."""

    left = 2**30
    asked: list[int]

    def readline(self, size: int | None = -1, /) -> bytes:
        assert size is not None
        self.asked.append(size)
        given, self.left = min(size, self.left), self.left - size
        return b"x" * max(given, 0)


def test_a_line_beyond_the_limit_is_skipped_in_pieces() -> None:
    stream = _Endless()
    stream.asked = []
    assert list(read_lines(stream, 2**24)) == [TooLong(2**24)]
    assert stream.asked[0] == 2**24 + 1
    assert max(stream.asked[1:-1]) <= 2**16


def test_the_default_line_limit_is_64_mebibytes() -> None:
    stream = _Endless()
    stream.asked = []
    assert list(read_lines(stream)) == [TooLong(2**26)]
    assert stream.asked[0] == 2**26 + 1
