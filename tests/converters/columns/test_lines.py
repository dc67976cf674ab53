"""JSON lines keep their text to the character, wherever the wire value is in them."""

import json
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import DecodeError
from mqconvert.converters.columns.lines import CORRUPT, Line, read_object
from mqconvert.converters.columns.loop import Columns

SPACES = st.text(" \t\r\n", max_size=2)
NUMBERS = st.sampled_from(["0", "-0.0", "1.50", "1e-400", "1" * 40])
TEXTS = st.one_of(
    st.sampled_from(['"}"', '"\\""', r'"\u00e9\/"', '"wire"', "true", "null"]), NUMBERS, st.text(max_size=3).map(json.dumps)
)
NAMES = ["wire", "m", "n", "a}", 'a"']


@st.composite
def objects(draw: st.DrawFn, member: str, value: str) -> str:
    """Return the text of an object with other members around one with this value, which may come twice."""
    others = st.tuples(st.sampled_from(NAMES), TEXTS | st.just('[1, {"wire": 2}]'))
    before = draw(st.lists(others, max_size=2))
    after = [one for one in draw(st.lists(others, max_size=2)) if one[0] != member]
    parts = [
        f"{draw(SPACES)}{json.dumps(name)}{draw(SPACES)}:{draw(SPACES)}{text}{draw(SPACES)}"
        for name, text in (*before, (member, value), *after)
    ]
    return f"{draw(SPACES)}{{{','.join(parts)}}}{draw(SPACES)}"


MARK = '"the wire value"'


@given(st.data())
def test_only_the_wire_value_of_a_line_becomes_null(data: st.DataObject) -> None:
    """Python's own JSON reader finds the value at the path; all other text stays, also with duplicate names."""
    inner = data.draw(objects("wire", MARK))
    text = data.draw(objects("m", inner))
    line = Line(("m", "wire"), lambda found: str(found).encode())
    assert json.loads(text)["m"]["wire"] == json.loads(MARK)
    assert line.wire(text).decode() == json.loads(MARK)
    assert line.rest(text) == text.replace(MARK, "null")


@given(
    st.text(max_size=20) | st.recursive(st.none() | st.integers(), st.lists, max_leaves=3).map(json.dumps) | objects("n", "1")
)
def test_only_objects_are_read(text: str) -> None:
    try:
        known = json.loads(text, parse_int=str, parse_float=str)
    except ValueError:
        known = None
    assert read_object(text) == (known if isinstance(known, dict) else None)


def test_lines_that_nest_too_deep_are_no_objects() -> None:
    assert read_object('{"a":' * 100_000 + "1" + "}" * 100_000) is None


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (None, "none"),
        ("no object", "none"),
        ('{"m": null}', "none"),
        ('{"m": "wire"}', "none"),
        ('{"m": {"wire": ["a"]}}', "wrong_column_type"),
        ('{"m": {"wire": true}}', "wrong_column_type"),
    ],
)
def test_lines_without_text_at_the_path_have_no_wire_value(text: str | None, code: str) -> None:
    def raw(found: object) -> bytes:
        assert found is None
        raise DecodeError("none", "no wire value")

    with pytest.raises(DecodeError) as caught:
        Line(("m", "wire"), raw).wire(text)
    assert caught.value.kind == code


def test_each_row_keeps_the_members_of_its_line() -> None:
    """The rows of a batch that begins within a value: a line with two messages, an invalid line, and a null."""
    made = Columns()
    error: dict[str, Any] = {"code": "no_wire"}
    made.index, made.error, made.wire, made.last = [1, None, None, 0], [None, error, error, None], [False, True, True, True], 3
    lines = pa.array(['{"wire":"a", "n":1.0}', "no object", None, '{"wire":"b"}'])
    assert Line(("wire",), lambda _found: b"").kept(lines, made).to_pylist() == [
        '{"wire":null, "n":1.0}',
        json.dumps({CORRUPT: "no object"}),
        json.dumps({CORRUPT: ""}),
        '{"wire":"b"}',
    ]
