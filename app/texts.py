"""Bytes that people copy as text: hex digits, base64, the lines of a hex dump. app/web/bytes.js reads the same forms."""

import binascii
import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import suppress
from typing import NoReturn

from mqconvert.converters.errors import DecodeError

TEXTS = ("hex", "base64", "hexdump")
"""The forms of bytes as text, as the command line names them."""

_CODE = re.compile(r"\A\s*b(['\"])(.*)\1\s*\Z", re.DOTALL)
_ESCAPES = re.compile(r"\\x([0-9a-fA-F]{2})|\\([0-7]{1,3})|\\([abfnrtv\\'\"])|([^\\\n])")
_NAMED = dict(zip("abfnrtv\\'\"", "\a\b\f\n\r\t\v\\'\"", strict=True))
_COMMENTS = re.compile(r"/\*(?s:.*?)(?:\*/|\Z)|//.*")  # an open comment is one, too: no place is searched twice
_BRACES = re.compile(r"\{([^{}]*)\}")
_ONE_DIGIT = re.compile(r"(?:0x|\\x)([0-9a-f])(?![0-9a-f])", re.IGNORECASE)
_SEPARATORS = re.compile(r"0x|\\x|\\?[\s,;:\"'-]", re.IGNORECASE)
_NO_DIGIT = re.compile("[^0-9a-fA-F]")
_NO_BASE64 = re.compile("[^A-Za-z0-9+/]")
_DUMPED = re.compile(r"\s*(?:0x)?([0-9a-fA-F]{4,16})(?::|\s|\Z)[ \t]*(.*)")
_SWAPPED = re.compile(r"\s*0{6,8}\s+[0-9a-fA-F]{4,}(?: +[0-9a-fA-F]{4,})+\s*\Z")
"""A line without a colon and a text, of numbers of several bytes, as `hexdump` and `od -x` print them."""
_BEGIN = re.compile(r"\s*(?:0x)?0{4,16}(?::|\s)")
_PAIRS = re.compile(r"((?:[0-9a-fA-F]{2})+)(?: |\Z)( *)")


def bytes_in(text: bytes, form: str) -> bytes:
    r"""Return the bytes that a text in one of TEXTS is about; DecodeError names what is wrong, and where.

    * `hex`: digits with or without separators, `0x` and `\x`; the array of a C program; the `b'...'` of Python;
    * `base64`: both alphabets, with or without padding and line ends;
    * `hexdump`: lines as `xxd`, `hexdump -C`, `od -t x1`, `tcpdump -X` and Wireshark print them.

    >>> bytes_in(b"30:06 0x00, 0x01", "hex").hex(), bytes_in(rb"b'0\x06t'", "hex").hex()
    ('30060001', '300674')
    >>> bytes_in(b"MAYAAQ", "base64").hex(), bytes_in(b"00000000: 3006 0001  0...", "hexdump").hex()
    ('30060001', '30060001')
    """
    try:
        words = text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        _refuse(form, f"byte {error.start} is not text")
    try:
        return _READERS[form](words)
    except DecodeError as error:
        error.hint = _meant(words, form)
        raise


def unmarked(data: bytes) -> bytes:
    """Return what may be text without blanks around it, and without the byte order mark that programs for Windows write.

    >>> unmarked("\\ufeff {} ".encode())
    b'{}'
    """
    return data.removeprefix(BOM_UTF8).strip()


def _meant(text: str, form: str) -> str | None:
    """Return a sentence about the forms in which the text can be read: hex and its dump are taken for each other."""
    for other in {"hex": ("hexdump",), "hexdump": ("hex",)}.get(form, ()):
        with suppress(DecodeError):
            if _READERS[other](text):
                return f"It can be read as {other}: try --input-format {other}."
    return None


def _refuse(form: str, problem: str) -> NoReturn:
    raise DecodeError("bad_base64" if form == "base64" else "bad_hex", f"not {form}: {problem}")


def _hex(text: str) -> bytes:
    if code := _CODE.match(text):
        return _literal(code[2])
    inside = _BRACES.search(_COMMENTS.sub("", text))
    digits = _SEPARATORS.sub("", _ONE_DIGIT.sub(r"0\1", inside[1] if inside else text))
    if wrong := _NO_DIGIT.search(digits):
        _refuse("hex", f"{wrong[0]!r} is not a hex digit (0 to 9, a to f)")
    if len(digits) % 2:
        _refuse("hex", "the last byte has one digit")
    return bytes.fromhex(digits)


def _literal(text: str) -> bytes:
    """Return the bytes between the quotes of a Python literal."""
    made, at = bytearray(), 0
    while at < len(text):
        found = _ESCAPES.match(text, at)
        if found is None or (found[4] or "").isascii() is False or int(found[2] or "0", 8) > 255:
            _refuse("hex", f"no bytes of Python at {text[at : at + 8]!r}")
        pair, octal, named, plain = found.groups()
        made.append(int(pair, 16) if pair else int(octal, 8) if octal else ord(_NAMED[named] if named else plain))
        at = found.end()
    return bytes(made)


def _base64(text: str) -> bytes:
    packed = re.sub(r"\s", "", text).replace("-", "+").replace("_", "/").rstrip("=")
    if wrong := _NO_BASE64.search(packed):
        if wrong[0] == "=":
            _refuse("base64", "'=' ends a message, and more text follows: give one message, or JSON lines with the member wire")
        _refuse("base64", f"{wrong[0]!r} is not a base64 character (letters, digits, + and /)")
    if len(packed) % 4 == 1:
        _refuse("base64", "it ends in the middle of a byte")
    return binascii.a2b_base64(packed + "=" * (-len(packed) % 4))


def _dump(text: str) -> bytes:
    """Return the bytes of a dump with offsets in hex, or in octal as `od` prints them."""
    try:
        return _dumped(text, 16)
    except DecodeError:
        with suppress(DecodeError, ValueError):
            return _dumped(text, 8)
        raise


def _dumped(text: str, base: int) -> bytes:
    """Return the bytes of a dump, whose lines are `OFFSET HEX TEXT`; `*` repeats the line before it.

    Lines before the offset 0 are those of tcpdump about the packet.
    The offset of the next line says how many bytes a line has. The last line has as many as there are pairs of digits
    before a gap, up to the width of the dump.
    """
    listed = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    listed = listed[next((at for at, (_, line) in enumerate(listed) if _BEGIN.match(line)), 0) :]
    if listed and _SWAPPED.match(listed[0][1]):
        _refuse("hexdump", "numbers of several bytes, which hexdump and od -x swap: print bytes, with hexdump -C or od -t x1")
    made, first, width = bytearray(), None, _width((line for _, line in listed), base)
    last, repeated = b"", False
    for number, line in listed:
        if line.strip() == "*" and last:
            repeated = True
            continue
        found = _DUMPED.match(line)
        if found is None:
            _refuse("hexdump", f"line {number} does not begin with an offset")
        offset = int(found[1], base)
        first = offset if first is None else first
        while repeated and len(made) < offset - first < _MOST:
            made += last
        repeated = False
        if offset - first != len(made):
            _refuse("hexdump", f"line {number} has the offset {offset:#x} where {first + len(made):#x} is due")
        digits = _pairs(found[2], width or _WIDEST)
        if digits is None:
            _refuse("hexdump", f"line {number} has something else than pairs of hex digits")
        last = bytes.fromhex(digits)
        made += last
    return bytes(made)


_READERS = {"hex": _hex, "base64": _base64, "hexdump": _dump}

_WIDEST, _MOST = 64, 2**26
"""The most bytes of a line, and of a dump with `*`."""


def _width(lines: Iterator[str], base: int) -> int:
    """Return the number of bytes in a full line: the first offset to the second one; 0 for a dump of one line."""
    offsets = [int(found[1], base) for line in (next(lines, ""), next(lines, "")) if (found := _DUMPED.match(line))]
    return offsets[1] - offsets[0] if len(offsets) == 2 and 0 < offsets[1] - offsets[0] <= _WIDEST else 0


def _pairs(text: str, width: int) -> str | None:
    """Return the digits of a line without its text on the right, which begins behind a gap; None for anything else.

    >>> _pairs("30 06 00 01 74 00 68 69  68 69                    |0...t.hihi|", 16)
    '30060001740068696869'
    """
    digits, at = "", 0
    while len(digits) < 2 * width and (found := _PAIRS.match(text, at)):
        digits, at = digits + found[1], found.end()
        if len(found[2]) > 1 or (found[2] and (len(digits) != 16 or not re.match(r"[0-9a-fA-F]{2}(?= |\Z)", text[at:]))):
            return digits  # the text follows; a gap of two blanks behind eight bytes is in the middle
    return digits if at >= len(text) or len(digits) >= 2 * width else None
