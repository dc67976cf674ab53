"""Messages in sequence: what the functions `decode`, `decode_all` and `decode_each` of codecs share.

A compiled generator that yields while it handles an error leaves that error to its caller: it stays the current one, and each
later error keeps it alive. So a generator leaves the handler first (tests/test_compiled.py).
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial, update_wrapper
from itertools import islice
from typing import Any, ParamSpec, TypeVar

from mqconvert.converters.errors import DecodeError, LimitError

P = ParamSpec("P")
T = TypeVar("T")


def messages_only(found: Iterable[Any]) -> Iterator[Any]:
    """Yield the messages of a `decode_each`, without the None of frames that have none; raise the first DecodeError.

    >>> list(messages_only(["a", None, "b"]))
    ['a', 'b']
    """
    for one in found:
        if isinstance(one, DecodeError):
            raise one
        if one is not None:
            yield one


def listed(each: Callable[P, Iterable[T | DecodeError | None]]) -> Callable[P, list[T]]:
    """Return the `decode_all` of a `decode_each`, or the `decode_frames` of a `decode_each_frame`, with the same options.

    It returns the messages as a list, and raises the first DecodeError.

    >>> def decode_each(data, *, most=2):
    ...     return map(chr, data[:most])
    >>> listed(decode_each)(b"abc"), listed(decode_each)(b"abc", most=1)
    (['a', 'b'], ['a'])
    """
    made: Any = update_wrapper(partial(_in_a_list, each), each)
    decode_all: Callable[P, list[T]] = made
    return decode_all


def _in_a_list(each: Callable[..., Iterable[Any]], data: bytes, **options: Any) -> list[Any]:
    return list(messages_only(each(data, **options)))


def in_sequence(read: Callable[[bytes, int], tuple[T, int]], data: bytes) -> Iterator[T]:
    """Yield what `read` returns at each offset, at least once; with it, it returns the offset behind.

    >>> list(in_sequence(lambda data, at: (data[at], at + 2), b"abcd"))
    [97, 99]
    """
    at = 0
    while at < len(data) or not at:
        one, at = read(data, at)
        yield one


def one_or_error(
    read: Callable[[bytes, int], tuple[T, int]], behind: Callable[[bytes, int], int], data: bytes, at: int
) -> tuple[T | DecodeError, int]:
    """Return what `read` returns at an offset; the DecodeError of an invalid one with the offset that `behind` returns for it.

    Where `behind` raises a DecodeError, too, nobody knows where the next one begins: the first error is raised. So is a limit.

    >>> def digit(data, at):
    ...     if not data[at : at + 1].isdigit():
    ...         raise DecodeError("bad_value", "no digit", offset=at)
    ...     return data[at : at + 1], at + 1
    >>> [*in_sequence(partial(one_or_error, digit, lambda data, at: at + 1), b"1x2")]
    [b'1', DecodeError('no digit'), b'2']
    """
    try:
        return read(data, at)
    except DecodeError as error:
        try:
            return unless_limit(error), behind(data, at)
        except DecodeError:
            raise error from None


def unless_limit(error: DecodeError) -> DecodeError:
    """Return the error of an invalid message, beside which others are valid; raise a LimitError, which ends the input.

    >>> unless_limit(DecodeError("bad_value", "no digit"))
    DecodeError('no digit')
    """
    if isinstance(error, LimitError):
        raise error
    return error


def several_messages(offset: int) -> DecodeError:
    """Return the error of input with a second message at an offset, where one is due."""
    return DecodeError("several_messages", "a second message: decode_all returns all of them", offset=offset)


def alone(found: Iterable[tuple[int, T | DecodeError]]) -> T:
    """Return the one message of pairs with an offset before it, of which there is at least one.

    DecodeError `several_messages` has the offset of the second.

    >>> alone([(0, "a")])
    'a'
    """
    only: T | None = None
    for at, one in found:
        if isinstance(one, DecodeError):
            raise one
        if only is not None:
            raise several_messages(at)
        only = one
    assert only is not None
    return only


def the_only(found: Iterable[T | DecodeError | None]) -> T:
    """Return the one message of a `decode_each`; DecodeError `no_message` or `several_messages` otherwise.

    >>> the_only([None, "a", None])
    'a'
    """
    messages: list[T] = list(islice(messages_only(found), 2))
    if len(messages) == 1:
        return messages[0]
    if messages:
        raise several_messages(0)
    raise DecodeError("no_message", "no message among the frames", offset=0)
