"""Text for people: errors with the bytes at their offset, tables, and colour on terminals."""

import json
import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from textwrap import wrap
from typing import IO

from mqconvert import PROTOCOLS, DecodeError, MqConvertError, NoRouteError, has_frames
from mqconvert.app.texts import TEXTS, bytes_in, unmarked
from mqconvert.converters.account.folding import cut, folded
from mqconvert.converters.choices import OPTIONS
from mqconvert.converters.environment import Option
from mqconvert.converters.errors import Remedy
from mqconvert.converters.model.jsonform import JsonObject
from mqconvert.converters.model.primitives import text_or_none
from mqconvert.converters.protocols.recognition import begin_in_frame, broken_off, recognize
from mqconvert.converters.readers import MODULES, reader

_STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33"}
_BEFORE, _SHOWN = 8, 16
"""Bytes shown before the offset of an error, and in total."""
_LARGEST_GUESS = 2**20
"""Maximum size of an input for a guess of its protocol, in bytes."""
PARQUET_MAGIC = b"PAR1"
"""The first bytes of a Parquet file."""


def coloured(stream: IO[str] | None) -> bool:
    """Return whether to colour a stream: a terminal other than `dumb`, without NO_COLOR (no-color.org)."""
    return stream is not None and stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def painted(text: str, style: str, stream: IO[str] | None = None) -> str:
    """Return a text in a colour, or unchanged for a stream without colours (default: standard output).

    >>> painted("lost", "red")
    'lost'
    """
    return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if coloured(stream or sys.stdout) else text


def complain(problem: str, *notes: str) -> None:
    """Print one line on standard error, and the notes below it."""
    print(painted("mqconvert:", "red", sys.stderr), problem, file=sys.stderr)
    for note in notes:
        print("\n".join(f"  {line}" for line in note.splitlines()), file=sys.stderr)


def note(words: str, form: str) -> None:
    """Print on standard error what is no error: as text, or as a line of JSON with the member `note`."""
    if form == "json":
        print(json.dumps({"note": words}), file=sys.stderr)
    else:
        complain(words)


class CommandError(MqConvertError):
    """An error of the command line itself, whose text has no code: by default, wrong usage."""

    def __init__(self, problem: str, code: str = "bad_usage") -> None:
        super().__init__(problem, code=code)


def told(error: MqConvertError, words: str, form: str, **named: object) -> None:
    """Print an error on standard error: in these words above its notes and its hint, or as a line of JSON.

    The line is the error, or an object with the members `named` and the error.
    """
    if form == "json":
        print(json.dumps(named | {"error": error.as_dict()} if named else error.as_dict()), file=sys.stderr)
    else:
        complain(words, *getattr(error, "__notes__", ()), *([error.hint] if error.hint else []))


def stated(error: MqConvertError) -> str:
    """Return an error with all its places and its code, and its remedy as an option of the command line.

    >>> stated(DecodeError("bad_value", "no language", offset=4, remedy=Remedy("lenient", "true")))
    'no language (byte 4); try --option lenient=true [bad_value]'
    """
    return f"{error.placed()}{error.advice(flag)} [{error.code}]"


def tell(error: MqConvertError, form: str = "text", **named: object) -> None:
    """Print an error on standard error: as text, or as a line of JSON. `named` are the members of its input line."""
    if form == "json" or isinstance(error, CommandError):
        told(error, error.message, form, **named)
        return
    where = [f"{name} {value}" for name, value in named.items()]
    if error.offset is not None:
        where.append(f"byte {error.offset}")
    elif error.field is not None and not error.names_field:
        where.append(error.field if error.option is None else flag(Remedy(error.option)))
    told(error, ": ".join([*where, f"{error.fault}{error.advice(flag)} [{error.code}]"]), form, **named)


def tell_os_error(error: OSError, form: str = "text") -> None:
    """Print an error of the operating system on standard error: as text, or as a line of JSON."""
    words = error.strerror or str(error)
    words = words if error.filename is None else f"{error.filename}: {words}"
    tell(CommandError(words, code="internal" if isinstance(error, ChildProcessError) else "bad_path"), form)


_UNNAMED = {"skipped": "frames without a message"}
"""Words for entries without members."""


def with_tables(entries: Iterable[JsonObject], tables: Sequence[str]) -> list[JsonObject]:
    """Return counts by rule with the name of a table in place of its number; without names, rows are of several routes.

    A route of one table needs none.

    >>> with_tables([{"rule": "ttl", "leg": 2, "count": 5}], ["mqtt-5.0 -> amqp-1.0", "amqp-1.0 -> nsq"])
    [{'rule': 'ttl', 'count': 5, 'table': 'amqp-1.0 -> nsq'}]
    """

    def named(leg: int | None) -> str | None:
        if not leg or len(tables) == 1:
            return None
        return tables[leg - 1] if tables else f"table {leg} of its route"

    return [{key: entry[key] for key in entry if key != "leg"} | {"table": named(entry["leg"])} for entry in entries]


def counted_lines(counted: Mapping[str, Sequence[JsonObject]]) -> list[str]:
    """Return a line for each entry of the counts by rule or code, below their titles.

    >>> counted_lines({"lost": [{"rule": "header", "type": None, "count": 1200}], "skipped": [{"count": 3}]})
    ['lost                 1,200  header', 'skipped                  3  frames without a message']
    """
    lines = []
    width = max((len(title) for title, entries in counted.items() if entries), default=0)
    for title, entries in counted.items():
        for entry in entries:
            what = "  ".join(str(value) for name, value in entry.items() if name != "count" and value is not None)
            lines.append(f"{title:{max(width, 9)}}  {entry['count']:>15,}  {what or _UNNAMED.get(title, 'others')}")
    return lines


def flag(remedy: Remedy, options: Iterable[Option] = OPTIONS) -> str:
    """Return a remedy as an option of the command line: one of `options`, or of a codec.

    >>> flag(Remedy("payload", "envelope")), flag(Remedy("escape", "true")), flag(Remedy("lenient", "true"))
    ('--payload envelope', '--escape', '--option lenient=true')
    """
    own = next((one for one in options if one.name == remedy.option), None)
    if own is None:
        return f"--option {remedy.option}={'VALUE' if remedy.value is None else remedy.value}"
    name = f"--{own.flag or own.name}".replace("_", "-")
    return name if own.kind is bool or remedy.value is None else f"{name} {remedy.value}"


def several(number: int, unit: str) -> str:
    """Return a number with its unit.

    >>> several(1, "row"), several(1200, "row")
    ('1 row', '1,200 rows')
    """
    return f"{number:,} {unit}{'' if number == 1 else 's'}"


_RATED = 10
"""Seconds of work from which on a rate, and the time that is left, say something."""


def progress(done: str, count: int, seconds: float, share: float | None = None) -> str:
    """Return how far the work is: what is done, its share of all, and from ten seconds on the rate and the time left.

    >>> progress("12,000 lines", 12_000, 2, 0.25), progress("12,000 lines", 12_000, 12, 0.25), progress("1 row", 1, 20)
    ('12,000 lines, 25%', '12,000 lines, 25%, 1,000 a second, 36 s left', '1 row, 0 a second')
    """
    words = [done] if share is None else [f"{done}, {share:.0%}"]
    if seconds >= _RATED:
        words.append(f"{count / seconds:,.0f} a second")
        if share:
            words.append(f"{seconds / share - seconds:,.0f} s left")
    return ", ".join(words)


def tell_progress(done: str, count: int, seconds: float, share: float | None = None) -> None:
    """Print `progress` on standard error, over the line of before."""
    print(f"\r{progress(done, count, seconds, share):<60}", end="", file=sys.stderr, flush=True)


@contextmanager
def hinting(data: bytes, protocol: str, option: str) -> Iterator[None]:
    """Add the bytes around its offset, and a guess about `data`, to a DecodeError raised inside.

    `option` is the command's option for another protocol, such as `--from`.
    """
    try:
        yield
    except DecodeError as error:
        if not data:
            error.hint = "The input is empty."
            raise
        if error.offset is not None:
            error.add_note(excerpt(data, error.offset))
        try:
            hint = "" if error.code == "bad_option" else guess(data, protocol, option)
        except NoRouteError as broken:  # a package with an invalid protocol
            hint = broken.message
        error.hint = hint or error.hint
        raise


@contextmanager
def hinting_bytes(data: bytes, remedy: str) -> Iterator[None]:
    """Add a guess about `data`, with the remedy, to a DecodeError raised inside for what is no JSON."""
    try:
        yield
    except DecodeError as error:
        binary = "" if text_or_none(data) else f"This is no text: {remedy}."
        if error.code == "bad_json" and data and (hint := guess_bytes(data, remedy) or binary):
            error.hint = hint
        raise


def excerpt(data: bytes, offset: int) -> str:
    """Return a line of hex and text around an offset, with a mark below it.

    >>> print(excerpt(bytes.fromhex("3006000174006869"), 4))
    30 06 00 01 74 00 68 69  |0...t.hi|
                ^^
    """
    start = max(0, min(offset, len(data)) - _BEFORE)
    part = data[start : start + _SHOWN]
    text = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in part)
    before, after = "... " if start else "", " ..." if start + _SHOWN < len(data) else ""
    mark = " " * (len(before) + 3 * (offset - start)) + ("^^" if offset < len(data) else "^ end of the input")
    return f"{before}{part.hex(' ')}{after}  |{text}|\n{mark}"


def guess(data: bytes, protocol: str, option: str) -> str:
    """Return a guess about `data` that is not a message of `protocol`, with a remedy; empty text without a guess.

    >>> guess(bytes.fromhex("3006000174006869"), "amqp-1.0", "--from")
    'This looks like MQTT 5.0 or MQTT 3.1.1: try --from mqtt-5.0.'
    >>> guess(b"3006000174006869", "mqtt-5.0", "--from")
    'This looks like the hex text of MQTT 5.0 or MQTT 3.1.1: try --input-format hex.'
    >>> guess(bytes.fromhex("005370c00b054140"), "", "--from")
    'This begins like AMQP 1.0, but ends at byte 8: --from amqp-1.0 shows where it breaks off.'
    """
    if (known := _guess_file(data)) or len(data) > _LARGEST_GUESS:
        return known
    text = unmarked(data)
    if text[:1] in (b"{", b"["):
        return _guess_json(text, option)
    if found := [name for name in recognize(data) if name != protocol]:
        return f"This looks like {titles(found)}: try {_choosing(found[0], option)}."
    if begin := begin_in_frame(data):
        inside = recognize(data[begin:])
        what = f"its message, {titles(inside)}, begins" if inside else "what it carries is no whole message, and begins"
        return f"This looks like a captured frame: {what} at byte {begin}; copy it without the headers before it."
    if what := next((f"This looks like {what}: try --input-format {form}." for what, form in _texts(text)), ""):
        return what
    begun = broken_off(data)
    if not begun or protocol in begun:
        return ""
    where = f"{_choosing(begun[0], option)} shows where it breaks off"
    return f"This begins like {titles(begun)}, but ends at byte {len(data)}: {where}."


def _choosing(protocol: str, option: str) -> str:
    return f"{'mqconvert decode' if option == 'mqconvert frames' and not has_frames(protocol) else option} {protocol}"


_CAPTURE = "a capture file: copy the bytes of one message, as a hex dump for --input-format hexdump"
_FILES = {
    PARQUET_MAGIC: "Parquet: convert, explain and decode read it from a file, named as INPUT",
    b"\x1f\x8b\x08": "gzip: unpack it first, with gzip -dc",
    b"\x28\xb5\x2f\xfd": "zstd: unpack it first, with zstd -dc",
    b"PK\x03\x04": "a zip archive: unpack it first",
    b"\xd4\xc3\xb2\xa1": _CAPTURE,
    b"\n\r\r\n": _CAPTURE,
}
"""Formats of files by their first bytes: gzip (RFC 1952), zstd (RFC 8878), zip, pcap and pcapng."""


def _guess_file(data: bytes) -> str:
    return next((f"This looks like {what}." for begin, what in _FILES.items() if data.startswith(begin)), "")


def _guess_json(text: bytes, option: str) -> str:
    if option == "mqconvert frames":
        return "This looks like JSON: --encode makes it bytes."
    if option != "--from":
        lines = b'"wire"' in text.partition(b"\n")[0]
        return f"This looks like JSON: {'try --format jsonl' if lines else 'encode makes it bytes'}."
    for name in MODULES:
        if what := reader(name).looks_like(text):
            return f"This looks like {what}: try --input-format {name}."
    if text[:1] == b"[":
        return f"This looks like an array in JSON: --input-format also names files of brokers ({', '.join(MODULES)})."
    return f"This looks like JSON: try --input-format {'jsonl' if _SEVERAL.search(text) else 'json'}."


_SEVERAL = re.compile(rb"\}\r?\n\s*\{")
"""The end of an object in JSON, and the begin of another on the next line."""


def _texts(text: bytes) -> Iterator[tuple[str, str]]:
    """Yield what a text may be, and its form."""
    for form in TEXTS:
        with suppress(DecodeError):
            if found := recognize(bytes_in(text, form)):
                yield f"the {form} text of {titles(found)}", form


def guess_bytes(data: bytes, remedy: str) -> str:
    """Return a guess about `data` that is no JSON, with the remedy; empty text without a guess.

    >>> guess_bytes(bytes.fromhex("3006000174006869"), "leave out --format jsonl")
    'This looks like MQTT 5.0 or MQTT 3.1.1: leave out --format jsonl.'
    >>> guess_bytes(b"3006000174006869", "leave out --format jsonl")
    'This looks like the hex text of MQTT 5.0 or MQTT 3.1.1: leave out --format jsonl; such text needs --input-format hex.'
    """
    if (known := _guess_file(data)) or len(data) > _LARGEST_GUESS:
        return known
    if found := recognize(data):
        return f"This looks like {titles(found)}: {remedy}."
    if unmarked(data)[:1] == b"{":
        return "This looks like JSON lines: try --input-format jsonl." if _SEVERAL.search(data) else ""
    texts = _texts(unmarked(data))
    return next((f"This looks like {what}: {remedy}; such text needs --input-format {form}." for what, form in texts), "")


def titles(names: Iterable[str]) -> str:
    """Return the titles of protocols for a sentence."""
    return " or ".join(PROTOCOLS[name].title for name in names)


_LAST = 16
"""The least width of the last column of a table."""


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], *, wide: bool = False) -> str:
    """Return rows under their columns, on a terminal in lines of its width unless `wide`.

    There the last column goes on below itself. Where it has no room, every cell follows the name of its column instead.

    >>> print(table(("name", "title"), [("nsq", "NSQ"), ("mqtt-5.0", "MQTT 5.0")]))
    name      title
    nsq       NSQ
    mqtt-5.0  MQTT 5.0
    """
    listed = [columns, *rows]
    widths = [max(len(row[at]) for row in listed) for at in range(len(columns))]
    room = None if wide or not sys.stdout.isatty() else shutil.get_terminal_size().columns
    if room is not None and sum(widths[:-1]) + 2 * len(widths[:-1]) + min(widths[-1], _LAST) > room:
        return "\n".join(_named(columns, row, widths[0], room) for row in listed[1:])
    lines = [_in_columns(row, widths, room) for row in listed]
    return "\n".join([painted(lines[0], "bold"), *lines[1:]])


def _in_columns(row: Sequence[str], widths: Sequence[int], room: int | None) -> str:
    """Return the aligned cells of a row; the last one goes on below itself, and a word of it that is too long is cut."""
    begin = "".join(f"{cell:{width}}  " for cell, width in zip(row[:-1], widths[:-1], strict=True))
    if room is None or len(begin) + len(row[-1]) <= room:
        return f"{begin}{row[-1]}".rstrip()
    left = room - len(begin)
    words = " ".join(cut(word, left) for word in row[-1].split(" "))
    return begin + f"\n{' ' * len(begin)}".join(wrap(words, left, break_on_hyphens=False))


def _named(columns: Sequence[str], row: Sequence[str], longest: int, room: int) -> str:
    """Return the first cell of a row, and the others behind the names of their columns."""
    cells = [f"{name}\xa0{cell}" for name, cell in zip(columns[1:], row[1:], strict=True) if cell]
    lines = folded([f"{row[0]:{longest}}", *cells], room)
    return _NAME.sub(lambda found: f"{painted(found[1], 'dim')} ", lines)


_NAME = re.compile(r"(\S+)\xa0")
"""The name of a cell; the blank behind it does not break, so that it is in one line with the beginning of its cell."""


_COLOURS = {"applied": "green", "lost": "red", "dropped": "yellow", "elsewhere": "dim", "implied": "dim"}


def on_output(outcome: str, text: str) -> str:
    """Return the text of an outcome in its colour, if standard output shows colours: `styled` of `explained`."""
    return painted(text, _COLOURS[outcome])


def on_errors(outcome: str, text: str) -> str:
    """Return the same for standard error."""
    return painted(text, _COLOURS[outcome], sys.stderr)
