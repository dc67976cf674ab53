"""A layout of a whole message: statements around its shapes, which read it into variables and write it from them."""

from dataclasses import dataclass
from typing import Any

import pytest

from mqconvert.converters.model import primitives
from mqconvert.converters.model.fields import wire
from mqconvert.converters.printed.defining import defined
from mqconvert.converters.printed.nodes import Display, Expression, Function, Name, Return
from mqconvert.converters.printed.printer import Printed
from mqconvert.converters.printed.templates import lines
from mqconvert.converters.wire.forms import Form
from mqconvert.converters.wire.groups import Flagged
from mqconvert.converters.wire.messages import Entries, MessageLayout, within

OCTET = Form(type="octet", read="data[{at}]", size=1, write="out.write(SIZES[value])")


@dataclass
class Head:
    """The section `head`: its fields are the places `head.first` and `head.second`."""

    first: int | None = wire("octet")
    second: int | None = wire("octet")


PAIRS = Entries(
    each="{out}.write(SIZES[{key}])\n{out}.write(SIZES[{value}])",
    whole="out.write({value})",
    read="{place} = list(data[end:])",
    find="{place} = end",
    first="at = {place}",
    more="at < len(data)",
    next="{key} = data[at]\nvalue = data[at + 1]\nat += 2",
    last="if at != len(data): return None",
)
LAYOUT = MessageLayout(
    shapes={"head": Flagged(name="head", of=Head, forms={"octet": OCTET}, first_flag=2)},
    reading="""
    if data[0] != 65:
        return None
    flags = data[2]
    at = 3
    {read_head}
    {body} = data[at]
    end = at + 1
    {read_pairs}
    """,
    writing="""
    out = Writer()
    out.write(b'A')
    {write_head}
    out.write(SIZES[{body}])
    {write_pairs}
    return out.getvalue()
    """,
    maps={"pairs": PAIRS},
)
PLACES: dict[str, Expression] = {
    path: Name(path.replace(".", "_")) for path in ("head", "head.first", "head.second", "body", "pairs")
}


def _made(*parts: Any) -> Any:
    function = Function("made", ("data", "head_first", "head_second", "body", "pairs"), parts)
    known = {name: getattr(primitives, name) for name in primitives.__all__}
    made = defined([function], Printed([function]), known | {"i64": int}, "<layout>")["made"]
    return lambda data, *values: made(data, *(values or (None,) * 4))


FOUND = Return(Display("()", tuple(PLACES[path] for path in ("head.first", "head.second", "body", "pairs"))))


def test_a_message_is_read_into_the_variables_of_its_places() -> None:
    read = _made(*LAYOUT.read(PLACES, ()), FOUND)
    assert read(b"A\0\3\1\2\3\4\5") == (1, 2, 3, [4, 5])
    assert read(b"A\0\1\2\3") == (None, 2, 3, [])
    assert read(b"B\0\3\1\2\3\4\5") is None


def test_the_entries_of_a_found_map_are_read_in_one_loop() -> None:
    loop = PAIRS.loop(PLACES["pairs"], Name("key"), lines("pairs_of.append([key, value])"))
    parts = *lines("pairs_of = []"), *LAYOUT.read(PLACES, ("pairs",)), *loop, Return(Name("pairs_of"))
    read = _made(*parts)
    assert read(b"A\0\3\1\2\3\4\5\6\7") == [[4, 5], [6, 7]]
    assert read(b"A\0\3\1\2\3") == []
    with pytest.raises(IndexError):
        read(b"A\0\3\1\2\3\4")


def test_a_message_is_written_from_the_variables_of_its_places() -> None:
    head = LAYOUT.shapes["head"].writing(within("head", PLACES))
    entry = LAYOUT.entry("pairs", Name("out"), Name("head_first"), Name("type_"), Name("body"))
    write = _made(*LAYOUT.write(PLACES, {"head": list(head), "pairs": list(entry)}))
    assert write(b"", 1, 2, 3, None) == b"A\0\3\1\2\3\1\3"
    assert _made(*LAYOUT.write(PLACES, {"head": [], "pairs": []}))(b"", 1, 2, 3, None) == b"A\3"


def test_fields_of_a_section_go_before_those_of_the_message() -> None:
    places = {"first": "of the message", "head.first": "of the section", "body": "b"}
    assert [within("head", places)[name] for name in ("first", "body")] == ["of the section", "b"]
    with pytest.raises(KeyError):
        within("head", places)["second"]
