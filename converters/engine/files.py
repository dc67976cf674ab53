"""Read table files: TOML with one row per line; each row keeps its line number.

tables.py defines the members of a file and builds tables from its rows.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from mqconvert.converters.engine.rules import CARRIED, KINDS, Checked, Row, texts
from mqconvert.converters.errors import RuleTableError

_CROWDED = re.compile(r"\[\[|\[\s*\{|\}\s*,\s*\{")
"""Matches a line with two rows, with a row after its bracket, or with a row in TOML's long form."""

_LAYOUT = "write `rules = [` on one line, each row on a line of its own, `{ id = ..., ... },`, and `]` on the last line"

MOST_PARTS = 64
"""Maximum parts of a dotted key: tomllib takes quadratic time for one, and no key of a table has more than two."""

_STRING = re.compile(r"""'[^']*+'|"(?:[^"\\]|\\.)*+\"""")
_DEEP_KEY = re.compile(rf"""(?:[\w"-]++[ \t]*+\.[ \t]*+){{{MOST_PARTS}}}""")

_LONG_NUMBER = re.compile(r"[0-9_]{4300}")


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
    """Read TOML with one row a line: the n-th line that starts with `{` is the n-th row, which gives each row its line.

    The name follows rows in generated code, reports and logs, so it must be one line of text.
    """
    if not name.isprintable():
        raise RuleTableError("the name of the file is not one line of text", file=repr(name))
    parsed = TableFile(name, _toml(text, name), text)
    check_head(parsed, parsed.values)
    starts = [number for number, line in enumerate(text.splitlines(), 1) if line.lstrip().startswith("{")]
    rows = list(row_places(parsed))
    crowded = next((line for line in text.splitlines() if _CROWDED.search(line)), None)
    words = f"rows: {len(rows)}, lines that begin with a row: {len(starts)}; {_LAYOUT}"
    parsed.refuse_if(len(rows) != len(starts), words, crowded)
    for (found, at), line in zip(rows, starts, strict=True):
        found[at] = Row(found[at], name, line)
    _write_out_likes(parsed)
    return parsed


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

    >>> _line_of("row", "# no row\\nrows = 1\\nrow = 2"), _line_of("id", "a = 1")
    (3, None)
    """
    whole = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])")
    found = [(line.lstrip().startswith("#"), at) for at, line in enumerate(text.splitlines(), 1) if whole.search(line)]
    return min(found)[1] if found else None


def _toml(text: str, name: str) -> dict[str, object]:
    deep = next((at for at, line in enumerate(text.splitlines(), 1) if _has_deep_key(line)), None)
    if deep is not None:
        raise RuleTableError(f"a key has more than {MOST_PARTS} parts", file=name, line=deep)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        lines = text.splitlines()
        at = re.search(r"line (\d+)", str(error))
        line = int(at.group(1)) if at else len(lines)  # the error "at end of document" has no line
        layout = f"; {_LAYOUT}" if any(found.lstrip().startswith("{") for found in lines[line - 1 : line]) else ""
        raise RuleTableError(f"not TOML: {error}{layout}", file=name, line=line) from None
    except RecursionError:
        raise RuleTableError("not TOML: values nest too deep", file=name, line=_deepest_line(text)) from None
    except ValueError:  # Python limits the digits of an integer
        long = (at for at, line in enumerate(text.splitlines(), 1) if _LONG_NUMBER.search(line))
        raise RuleTableError("cannot be read: a number has too many digits", file=name, line=next(long, None)) from None


def _has_deep_key(line: str) -> bool:
    """Return whether a line has a key of too many parts; dots within strings do not count.

    >>> _has_deep_key("a." * 100 + "b = 1"), _has_deep_key(f'a = "{"a." * 100}"')
    (True, False)
    """
    return line.count(".") > MOST_PARTS and _DEEP_KEY.search(_STRING.sub('""', line)) is not None


def _deepest_line(text: str) -> int:
    """Return the line in which brackets nest deepest, including those within strings.

    >>> _deepest_line("a = [\\n[\\n]\\n]")
    2
    """
    depth = deepest = 0
    found = 1
    for number, line in enumerate(text.splitlines(), 1):
        for character in line:
            depth += (character in "[{") - (character in "]}")
            if depth > deepest:
                deepest, found = depth, number
    return found


def check_head(parsed: TableFile, members: dict[str, object]) -> None:
    """Refuse a head, of a file or of a part, with members of a wrong type."""
    for member in ("source", "target", "title", "extends", "protocol", "shared"):
        parsed.refuse_if(not isinstance(members.get(member, ""), str), f"{member} is not a text", member)
    parsed.refuse_if(not texts(members.get("cites", [])), "cites is not a list of texts", "cites")


def row_places(parsed: TableFile) -> Iterator[tuple[list[Any], int]]:
    """Yield the lists of rows and the places in them, in the order of the file: its own, then those of its parts."""
    for part in (parsed.values, *(value for value in parsed.values.values() if isinstance(value, dict))):
        for kind in part:
            if kind not in (*KINDS, CARRIED):
                holds_rows = isinstance(part[kind], list) and any(isinstance(member, dict) for member in part[kind])
                parsed.refuse_if(holds_rows, f"unknown member {kind!r}; rows stand in {', '.join(KINDS)}", kind)
                continue
            rows = part[kind]
            array = isinstance(rows, list) and all(isinstance(row, dict | Row) for row in rows)
            parsed.refuse_if(not array, f"{kind} must be an array of rows", kind)
            yield from ((rows, at) for at in range(len(rows)))
