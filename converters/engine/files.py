"""Read table files: TOML with one row per line; each row keeps its line number.

tables.py defines the members of a file and builds tables from its rows.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from mqconvert.converters.engine.columns import CARRIED, KINDS, Checked, Row, texts
from mqconvert.converters.errors import RuleTableError

_LAYOUT = "write rows as `rules = [{ id = ..., ... }, ...]`, each on a line of its own if they are several"

MOST_PARTS = 64
"""Maximum parts of a dotted key: tomllib takes quadratic time for one, and no key of a table has more than two."""

MOST_DIGITS = 500
"""Maximum digits of a number: Python refuses to write longer ones in errors."""

_STRING = re.compile(
    r""""{3}(?:[^"\\]|\\.|"(?!""))*+(?:"{3,5})?|'{3}(?:[^']|'(?!'{2}))*+(?:'{3,5})?"""
    r"""|"(?:[^"\\\n]|\\.)*+"?|'[^'\n]*+'?|#[^\n]*+""",
    re.DOTALL,
)
"""Matches a string or a comment; an open string is one, too, so that no place is searched twice."""

_PARTS = re.compile(r"[^=,\[\]{}]+")
_LONG_NUMBER = re.compile(rf"(?<!\w)[0-9]\w{{{MOST_DIGITS}}}")


@dataclass(frozen=True, slots=True)
class TableFile(Checked):
    """A parsed file: its name, its members with a Row for each row, and its text."""

    name: str
    values: dict[str, Any]
    text: str = ""

    def wrong(self, problem: str, word: str | None = None) -> RuleTableError:
        return RuleTableError(problem, file=self.name, line=_line_of(word, self.text) if word else None)

    def refuse_unknown(self, members: dict[str, object], known: tuple[str, ...], where: str = "") -> None:
        unknown = min(members.keys() - set(known), default="")
        self.refuse_if(unknown, f"unknown member {unknown!r}{where}", unknown)


def parse_file(text: str, name: str) -> TableFile:
    """Read TOML whose rows are inline tables in arrays: the n-th of these is the n-th row, which gives each row its line.

    The name follows rows in generated code, reports and logs, so it must be one line of text. A byte order mark is no part of
    the text.
    """
    text = text.removeprefix("\ufeff")
    if not name.isprintable():
        raise RuleTableError("the name of the file is not one line of text", file=repr(name))
    parsed = TableFile(name, _toml(text, name), text)
    check_head(parsed, parsed.values)
    starts = row_lines(text)
    rows = list(row_places(parsed))
    parsed.refuse_if(len(rows) != len(starts), f"rows: {len(rows)}, tables in arrays: {len(starts)}; {_LAYOUT}", "[[")
    for (found, at), line in zip(rows, starts, strict=True):
        found[at] = Row(found[at], name, line)
    _write_out_likes(parsed)
    return parsed


def row_lines(text: str) -> list[int]:
    """Return the lines where rows begin: tables in arrays, not those inside them.

    >>> row_lines('rules = [{ id = "{" },\\n  { set = { a = 1 }, reads = ["b"] }]')
    [1, 2]
    """
    emptied = _STRING.sub(_emptied, text)
    return [line for line, bracket, around in _openings(emptied) if bracket == "{" and around == ["["]]


def _openings(text: str) -> Iterator[tuple[int, str, list[str]]]:
    """Yield each opening bracket of a text with its line, and the brackets around it until the next one is asked for."""
    around: list[str] = []
    for number, line in enumerate(_lines(text), 1):
        for character in line:
            if character in "[{":
                yield number, character, around
                around.append(character)
            elif character in "]}" and around:
                around.pop()


def _write_out_likes(parsed: TableFile) -> None:
    """Add the columns under the name in a row's `like`; the row's own columns stay."""
    likes = parsed.values.pop("like", {})
    tables = isinstance(likes, dict) and all(isinstance(columns, dict) for columns in likes.values())
    parsed.refuse_if(not tables, "like is not a table of columns by a name", "like")
    unused = dict.fromkeys(likes)
    for found, at in row_places(parsed):
        name = found[at].columns.pop("like", None)
        if name is None:
            continue
        known = isinstance(name, str) and name in likes
        found[at].refuse_if(not known, f"unknown like = {name!r}; known: {', '.join(likes) or 'none'}")
        unused.pop(name, None)
        found[at].columns.update({column: value for column, value in likes[name].items() if column not in found[at].columns})
    for name in unused:
        raise parsed.wrong(f"no row is like {name!r}", f"{name} =")


def _line_of(word: str, text: str) -> int | None:
    """Return the first line with a word, not as a part of a longer word; comments count only without such a line.

    A key, `NAME =`, may stand in quotes.

    >>> _line_of("row", "# no row\\nrows = 1\\nrow = 2"), _line_of("id", "a = 1"), _line_of("a b =", "c = 1\\n'a b' = 2")
    (3, None, 2)
    """
    import json  # noqa: PLC0415 - for errors alone

    key = word.removesuffix(" =")
    forms = [re.escape(word)]
    if key != word:
        forms += [rf"{re.escape(form)}\s*=" for form in (json.dumps(key), json.dumps(key, ensure_ascii=False), f"'{key}'")]
    whole = re.compile(rf"(?<![\w-])(?:{'|'.join(forms)})(?![\w-])")
    found = [(line.lstrip().startswith("#"), at) for at, line in enumerate(_lines(text), 1) if whole.search(line)]
    return min(found)[1] if found else None


def _toml(text: str, name: str) -> dict[str, object]:
    for at, line in enumerate(_lines(_STRING.sub(_emptied, text)), 1):
        if any(part.count(".") >= MOST_PARTS for part in _PARTS.findall(line)):
            raise RuleTableError(f"a key has more than {MOST_PARTS} parts", file=name, line=at)
        if _LONG_NUMBER.search(line):
            raise RuleTableError("cannot be read: a number has too many digits", file=name, line=at)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        lines = _lines(text)
        at, column = _place(error) or (len(lines), 0)
        raise RuleTableError(f"not TOML: {error}{_advice(lines, at, column)}", file=name, line=at) from None
    except RecursionError:
        raise RuleTableError("not TOML: values nest too deep", file=name, line=_deepest_line(text)) from None


def _place(error: tomllib.TOMLDecodeError) -> tuple[int, int] | None:
    """Return the line and the column of an error, counted from 1; None for the end of the text."""
    told = re.search(r"line (\d+), column (\d+)", str(error))
    return (int(told[1]), int(told[2])) if told else None


def _advice(lines: list[str], at: int, column: int) -> str:
    """Return what to write instead of a line that is not TOML: the first remedy with which reading goes on behind the column.

    >>> _advice(["[amqp-1.0 -> nsq]"], 1, 11), _advice(["rules = [", "  { id = a }]"], 2, 10)
    ('; a name with blanks stands in quotes: ["amqp-1.0 -> nsq"]', '; a text stands in quotes: "a"')
    """
    line = lines[at - 1]
    for words, mended in _remedies(line, column):
        if _reads_on([*lines[: at - 1], mended, *lines[at:]], (at, column + len(mended) - len(line))):
            return f"; {words}"
    return f"; {_LAYOUT}" if line.lstrip().startswith("{") else ""


def _reads_on(lines: list[str], place: tuple[int, int]) -> bool:
    """Return whether lines are TOML up to behind a place."""
    try:
        tomllib.loads("\n".join(lines))
    except tomllib.TOMLDecodeError as error:
        found = _place(error)
        return found is None or found > place
    except RecursionError:
        return False
    return True


_WORDS = {"true": "true", "yes": "true", "on": "true", "false": "false", "no": "false", "off": "false"}


def _remedies(line: str, column: int) -> Iterator[tuple[str, str]]:
    """Yield what may be wrong in a line at a column, and the line without it.

    >>> list(_remedies("{ id: 'a' }", 5))
    [('a column and its value have = between them', "{ id= 'a' }")]
    """
    before, behind = line[: max(column - 1, 0)], line[max(column - 1, 0) :]
    name = line.partition("#")[0].strip("[] \t")
    if line.lstrip().startswith("[") and '"' not in name:
        yield f'a name with blanks stands in quotes: ["{name}"]', f'["{name}"]'
    if before.rstrip().endswith(","):
        yield "remove the comma before }", before.rstrip().removesuffix(",") + behind
    if behind.startswith(":"):
        yield "a column and its value have = between them", f"{before}={behind[1:]}"
    if behind.startswith("{"):
        yield f"a comma is missing before this row; {_LAYOUT}", f"{before},{behind}"
    elif word := re.match(r"[\w-]+(?=\s*=)", behind):
        yield f"a comma is missing before {word[0]}", f"{before},{behind}"
    begin, equal, start = before.rpartition("=")
    found = re.search("[,}#]", behind)
    end = found.start() if found else len(behind)
    value, rest = (start + behind[:end]).strip(), behind[end:]
    if equal and value and not {*value} & {*"\"'{"} and value[0] != "[":
        if value.lower() in _WORDS:
            yield f"write {_WORDS[value.lower()]}", f"{begin}= {_WORDS[value.lower()]} {rest}"
        yield f'a text stands in quotes: "{value}"', f'{begin}= "{value}" {rest}'


def _emptied(found: re.Match[str]) -> str:
    """Return an empty string over the same lines.

    >>> _STRING.sub(_emptied, "a.'b.c' = 1 # d.e")
    'a."" = 1 ""'
    """
    return '""' + "\n" * found[0].count("\n")


def _lines(text: str) -> list[str]:
    """Return lines as TOML counts them. (`str.splitlines` ends a line at U+2028 and others, too, which a string may hold.)"""
    return text.removesuffix("\n").split("\n")


def _deepest_line(text: str) -> int:
    """Return the line in which brackets nest deepest, including those within strings.

    >>> _deepest_line("a = [\\n[\\n]\\n]")
    2
    """
    return max(_openings(text), key=lambda opening: len(opening[2]), default=(1,))[0]


def check_head(parsed: TableFile, members: dict[str, object]) -> None:
    """Refuse a head, of a file or of a part, with members of a wrong type."""
    for member in ("source", "target", "title", "extends", "protocol", "shared"):
        parsed.refuse_if(not isinstance(members.get(member, ""), str), f"{member} is not a text", member)
    parsed.refuse_if(not texts(members.get("cites", [])), "cites is not a list of texts", "cites")


_BELOW = ', those of an overlay below the name of their table, such as ["amqp-1.0 -> mqtt-5.0"]'


def row_places(parsed: TableFile) -> Iterator[tuple[list[Any], int]]:
    """Yield the lists of rows and the places in them, in the order of the file: its own, then those of its parts."""
    for part in (parsed.values, *(value for value in parsed.values.values() if isinstance(value, dict))):
        for kind in part:
            if kind not in (*KINDS, CARRIED):
                holds_rows = isinstance(part[kind], list) and any(isinstance(member, dict) for member in part[kind])
                words = f"unknown member {kind!r}; rows stand in {', '.join(KINDS)}{_BELOW if part is parsed.values else ''}"
                parsed.refuse_if(holds_rows, words, kind)
                continue
            rows = part[kind]
            array = isinstance(rows, list) and all(isinstance(row, dict | Row) for row in rows)
            parsed.refuse_if(not array, f"{kind} must be an array of rows", kind)
            yield from ((rows, at) for at in range(len(rows)))
