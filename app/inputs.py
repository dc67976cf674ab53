"""The input of a command: opened once, and the protocol that it tells where the command line names none."""

import json
import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from itertools import chain
from pathlib import Path
from typing import Any

from mqconvert import PROTOCOLS, DecodeError, NoRouteError
from mqconvert.app.lines import FORMATS, TooLong, message_in, parsed, read_lines, unbase64
from mqconvert.app.options import AUTO
from mqconvert.app.terminal import PARQUET_MAGIC, complain, guess, guess_bytes, hinting_bytes, titles
from mqconvert.app.texts import TEXTS, bytes_in
from mqconvert.converters.protocols.recognition import likely
from mqconvert.converters.readers import reader

INPUTS = (*FORMATS, *TEXTS)
"""The formats of an input that a command reads itself; readers have the others."""
HEAD = 2**20
"""Bytes of a file that are read at once, which a guess about it may have."""
_EMPTY = "the input is empty"
PARQUET = "parquet"
"""The format of Parquet files."""
_WHAT = {"wire": "the bytes of a message", "json": "a message in JSON", "jsonl": "JSON lines"}
_WHAT |= {form: f"the bytes of a message in {form}" for form in TEXTS}


def is_parquet(name: str) -> bool:
    """Return whether a file begins like Parquet."""
    with suppress(OSError), Path(name).open("rb") as file:
        return file.read(len(PARQUET_MAGIC)) == PARQUET_MAGIC
    return False


def unlike_lines(name: str, remedy: str) -> str:
    """Return a guess about a file that does not begin like JSON lines, with the remedy for wire bytes; else an empty text."""
    with suppress(OSError), Path(name).open("rb") as file:
        return _unlike_lines(file.read(HEAD), remedy)
    return ""


def _unlike_lines(head: bytes, remedy: str) -> str:
    return "" if head.lstrip()[:1] in (b"", b"{") else guess_bytes(head, remedy)


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
    return bytes_in(given, form) if form in TEXTS else given


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
    """Return the form of the input: the one that was named, else `wire`.

    Where the protocol is `auto` and no codec reads the bytes, a message in JSON tells itself.
    """
    given: str = chosen.input_format or chosen.format
    if chosen.input_format is None and given == "wire" and chosen.source == AUTO:
        chosen.ahead = read(chosen)
        return "json" if chosen.ahead.lstrip().startswith(b"{") and not likely(chosen.ahead, options) else given
    return given


def source_of(chosen: Namespace, form: str, named: str, options: Mapping[str, object], choose: str = "--from") -> str:
    """Return the protocol of the input: the one that was named, or for `auto` the one that the input tells.

    What is read to find out stays in `chosen.ahead`. `choose` is what stands before a protocol on the command line. Raises
    NoRouteError `unknown_protocol` with the guesses, and the errors of input that cannot be read.
    """
    if named != AUTO:
        return named
    if form not in INPUTS:
        return _only(reader(form).protocols, choose)
    if form != "jsonl":
        chosen.ahead = read(chosen, form)
        if form != "json":
            return recognized(chosen.ahead, options, choose)
        with hinting_bytes(chosen.ahead, instead(chosen)):
            return _told(chosen.ahead, options, choose)
    coming = lines(chosen)
    skipped = []
    for line in coming:
        skipped.append(line)
        if isinstance(line, TooLong) or line.strip():
            break
    chosen.ahead = chain(skipped, coming)
    first = skipped[-1] if skipped else b""
    return _told(first, options, choose) if isinstance(first, bytes) and first.strip() else _only((), choose, _EMPTY)


def _told(data: bytes, options: Mapping[str, object], choose: str) -> str:
    """Return the protocol of a message in JSON, or of the bytes in its member `wire`."""
    given = parsed(data)
    if isinstance(given, dict) and isinstance(given.get("wire"), str):
        return recognized(unbase64(given["wire"]), options, choose)
    form = message_in(given.get("message", given) if isinstance(given, dict) else given)
    name = form.get("protocol") if isinstance(form, dict) else None
    said = f'its "protocol" is {json.dumps(name)}, not one of {", ".join(PROTOCOLS)}'
    hint = said if isinstance(name, str) else 'a message in JSON has its "protocol"'
    return _only([name] if isinstance(name, str) and name in PROTOCOLS else [], choose, hint)


def recognized(data: bytes, options: Mapping[str, object], choose: str = "--from") -> str:
    """Return the protocol whose codec reads the bytes as a whole; `choose` is what names one. Raises NoRouteError."""
    return _only(likely(data, options), choose, guess(data, "", choose) if data else _EMPTY)


def _only(names: Iterable[str], choose: str, hint: str = "") -> str:
    """Return the one protocol; NoRouteError for none and for several."""
    found = list(names)
    if len(found) == 1:
        return found[0]
    if found:
        words = f"the input may be {titles(found)}: choose with {' or '.join(f'{choose} {name}' for name in found)}"
    else:
        words = f"the protocol of the input is not recognized: {hint or f'name it with {choose} PROTOCOL'}"
    raise NoRouteError(words, code="unknown_protocol")
