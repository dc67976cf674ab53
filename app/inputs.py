"""The input of a command: opened once, and the protocol that it tells where the command line names none."""

import json
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace
from itertools import chain
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from mqconvert import PROTOCOLS, DecodeError, NoRouteError
from mqconvert.app.lines import FORMATS, TooLong, message_in, parsed, read_lines, refuse_unknown, unbase64
from mqconvert.app.options import AUTO
from mqconvert.app.terminal import PARQUET_MAGIC, complain, guess, guess_bytes, hinting_bytes, note, several, titles
from mqconvert.app.texts import TEXTS, bytes_in, unmarked
from mqconvert.converters.protocols.recognition import begin_in_frame, likely, recognize
from mqconvert.converters.readers import Entries, Format, reader

T = TypeVar("T")

INPUTS = (*FORMATS, *TEXTS)
"""The formats of an input that a command reads itself; readers have the others."""
HEAD = 2**20
"""Bytes of a file that are read at once, which a guess about it may have."""
SAMPLE = 100
"""Values of an archive that decide its protocol."""
_SAMPLED = 16 * 2**20
"""Bytes of these values: no more of them are taken than this, and one value."""
_EMPTY = "the input is empty"
PARQUET = "parquet"
"""The format of Parquet files."""
_WHAT = {"wire": "the bytes of a message", "json": "a message in JSON", "jsonl": "JSON lines"}
_WHAT |= {form: f"the bytes of a message in {form}" for form in TEXTS}


def is_parquet(name: str) -> bool:
    """Return whether a file begins like Parquet. A pipe is not read, since its bytes come once."""
    return not is_piped(name) and _head(name, len(PARQUET_MAGIC)) == PARQUET_MAGIC


def unlike_lines(name: str, remedy: str) -> str:
    """Return a guess about a file that does not begin like JSON lines, with the remedy for wire bytes; else an empty text."""
    return "" if is_piped(name) else _unlike_lines(_head(name, HEAD), remedy)


def _head(name: str, size: int) -> bytes:
    with suppress(OSError), Path(name).open("rb") as file:
        return file.read(size)
    return b""


def _unlike_lines(head: bytes, remedy: str) -> str:
    return "" if unmarked(head)[:1] in (b"", b"{") else guess_bytes(head, remedy)


def is_piped(name: str) -> bool:
    """Return whether an input is standard input, or a pipe under a name, such as that of `<(command)`."""
    place = Path(name)
    return name == "-" or (place.exists() and not place.is_file() and not place.is_dir())


def stored(form: Format, name: str) -> Entries:
    """Yield the messages and broken entries of files that a broker left. What is piped becomes a file first: readers seek."""
    if not is_piped(name):
        yield from form.entries(name)
        return
    with TemporaryDirectory() as folder:
        copy = Path(folder, "piped")
        with _opened(name, f"a file of {form.name}") as stream, copy.open("wb") as file:
            copyfileobj(stream, file)
        for entry in form.read(copy):
            yield replace(entry, file=name)


def _opened(name: str, what: str) -> AbstractContextManager[Any]:
    """Open the input. People at a terminal are told what it waits for."""
    if name != "-":
        return open(name, "rb", HEAD)  # noqa: PTH123 - the shortest form
    if sys.stdin.isatty():
        complain(f"waiting for {what} on standard input; Ctrl-D ends it")
    return nullcontext(sys.stdin.buffer)


def read(chosen: Namespace, form: str = "wire") -> bytes:
    """Return the bytes of a command's input, or those that its text in `form` is about."""
    if "ahead" in chosen:
        data: bytes = chosen.ahead
        return data
    with _opened(chosen.input, _WHAT[form]) as stream:
        given = stream.read()
    return _message_of(bytes_in(given, form), chosen) if form in TEXTS else given


def _message_of(data: bytes, chosen: Namespace) -> bytes:
    """Return the bytes behind the headers of a captured frame, and say so; others unchanged. Nobody cuts a dump by hand."""
    begin = begin_in_frame(data)
    if not begin or recognize(data) or not recognize(data[begin:]):
        return data
    note(f"left out {several(begin, 'byte')} of headers before the message, from a captured frame", chosen.errors)
    return data[begin:]


def lines(chosen: Namespace) -> Iterator[bytes | TooLong]:
    """Yield the lines of a command's input; one at a time is in memory."""
    if "ahead" in chosen:
        yield from chosen.ahead
        return
    with _opened(chosen.input, _WHAT["jsonl"]) as stream:
        if hint := _unlike_lines(stream.peek(), instead(chosen)):
            error = DecodeError("bad_json", "not JSON lines")
            error.hint = hint
            raise error
        yield from read_lines(stream, chosen.max_line)


def instead(chosen: Namespace) -> str:
    """Return what to do with bytes where a command reads JSON."""
    command = chosen.run.__name__
    if command == "encode":
        return "mqconvert decode makes it JSON"
    if command == "frames":
        return "leave out --encode"
    if getattr(chosen, "input_format", None) in FORMATS[1:]:
        return f"leave out --input-format {chosen.input_format}"
    more = "" if command == "decode" else f" (--output-format {chosen.format} is for the output alone)"
    return f"leave out --format {chosen.format}{more}"


def form_of(chosen: Namespace, options: Mapping[str, object]) -> str:
    """Return the form of the input: the one that was named, else `wire`, or `json` where a message in JSON tells itself.

    That is a text of an object which no codec reads, or not the one of the protocol that was named. What is read to find out
    stays in `chosen.ahead`.
    """
    given: str = chosen.input_format or chosen.format
    if chosen.input_format is not None or given != "wire":
        return given
    chosen.ahead = read(chosen)
    if not unmarked(chosen.ahead).startswith(b"{"):
        return given
    found = recognize(chosen.ahead, options)
    if chosen.source == AUTO:
        return given if found else "json"
    return given if chosen.source in found or not _is_json(chosen.ahead) else "json"


def _is_json(data: bytes) -> bool:
    with suppress(DecodeError):
        parsed(data)
        return True
    return False


def source_of(chosen: Namespace, form: str, named: str, options: Mapping[str, object], choose: str = "--from") -> str:
    """Return the protocol of the input: the one that was named, or for `auto` the one that the input tells.

    What is read to find out stays in `chosen.ahead`. `choose` is what stands before a protocol on the command line. Raises
    NoRouteError for an input that may be of several, and the errors of input that cannot be read.
    """
    if named != AUTO:
        return named
    if form not in INPUTS:
        if not is_piped(chosen.input):
            reader(form).files(chosen.input)  # a missing file is an error before a missing protocol
        return _only(reader(form).protocols, choose)
    if form == "jsonl":
        coming = lines(chosen)
        taken = sample(coming)
        chosen.ahead = chain(taken, coming)
        values = [line for line in taken if isinstance(line, TooLong) or line.strip()]
        return told_by(values, lambda line: _of_line(line, options, choose), chosen, choose, archive=True)
    chosen.ahead = read(chosen, form)
    if form != "json":
        return told_by([chosen.ahead], lambda data: of_bytes(data, options, choose), chosen, choose)
    with hinting_bytes(chosen.ahead, instead(chosen)):
        return told_by([chosen.ahead], lambda data: _of_json(parsed(data), options, choose), chosen, choose)


def sample(values: Iterator[T]) -> list[T]:
    """Take the first SAMPLE values of an archive, or fewer large ones. Empty values do not count."""
    taken: list[T] = []
    count = size = 0
    while count < SAMPLE and size < _SAMPLED and (value := next(values, None)) is not None:
        taken.append(value)
        count += value not in (b"", "")
        size += len(value) if isinstance(value, bytes | str) else 0
    return taken


def told_by(
    values: Iterable[T],
    protocols: Callable[[T], list[str]],
    chosen: Namespace,
    choose: str = "--from",
    *,
    archive: bool = False,
) -> str:
    """Return the protocol that most of the values may be meant for, and print which it is, unless one value can be no other.

    `protocols` returns those that read a value, or raises DecodeError. Raises the first of these errors if it does for all
    values, and NoRouteError if as many values may be meant for several protocols.
    """
    found, faults = [], []
    for value in values:
        try:
            found.append(protocols(value))
        except DecodeError as error:
            faults.append(error)
    if not found:
        raise faults[0] if faults else _unrecognized(_EMPTY, choose)
    name = _only(likely(found), choose)
    fits = Counter(chain.from_iterable(found))
    others = "".join(f", could be {other} too" for other in PROTOCOLS if other != name and fits[other] >= fits[name])
    if archive or others:
        by = f" by {_share(fits[name], len(found) + len(faults))}" if archive else ""
        note(f"taken for {name}{by}{others}; {choose} PROTOCOL chooses another", chosen.errors)
    return name


def _share(part: int, number: int) -> str:
    """Return which of the first values a protocol reads.

    >>> _share(99, 100), _share(1, 1)
    ('99 of the first 100 values', 'the first value')
    """
    first = "the first value" if number == 1 else f"the first {several(number, 'value')}"
    return first if part == number else f"{part} of {first}"


def _of_line(line: bytes | TooLong, options: Mapping[str, object], choose: str) -> list[str]:
    """Return the protocol of the message in a line, or those of the bytes in its member `wire`. Raises DecodeError for none."""
    if isinstance(line, TooLong):
        raise line.error()
    given = parsed(line)
    if isinstance(given, dict):
        refuse_unknown(given, PROTOCOLS)
    return _of_json(given, options, choose)


def _of_json(given: object, options: Mapping[str, object], choose: str) -> list[str]:
    if isinstance(given, dict) and isinstance(given.get("wire"), str):
        return of_bytes(unbase64(given["wire"]), options, choose)
    form = message_in(given.get("message", given) if isinstance(given, dict) else given)
    name = form.get("protocol") if isinstance(form, dict) else None
    if isinstance(name, str) and name in PROTOCOLS:
        return [name]
    said = f'its "protocol" is {json.dumps(name)}, not one of {", ".join(PROTOCOLS)}'
    unsaid = f'the JSON has no "protocol": add it, or name it with {choose} PROTOCOL'
    raise _unrecognized(said if isinstance(name, str) else unsaid, choose)


def of_bytes(data: bytes, options: Mapping[str, object], choose: str = "--from") -> list[str]:
    """Return the protocols that the bytes may be messages of. Raises DecodeError, with a guess, for none."""
    found = recognize(data, options)
    if not found:
        raise _unrecognized(guess(data, "", choose) if data else _EMPTY, choose)
    return found


def _unrecognized(hint: str, choose: str) -> DecodeError:
    hint = hint or f"name it with {choose} PROTOCOL to see the byte that is invalid or missing"
    words = f"the protocol of the input is not recognized: {hint}"
    return DecodeError("unknown_protocol", words)


def _only(names: Iterable[str], choose: str) -> str:
    """Return the one protocol; NoRouteError for several."""
    found = list(names)
    if len(found) == 1:
        return found[0]
    words = f"the input may be {titles(found)}: choose with {' or '.join(f'{choose} {name}' for name in found)}"
    raise NoRouteError(words, code="unknown_protocol")
