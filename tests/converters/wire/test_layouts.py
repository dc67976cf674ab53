"""Printed codecs are the committed modules, pass the wall, and run without a file of their own, too."""

import traceback
from importlib import import_module
from types import FunctionType

import pytest

from docs.codecs import FOLDER, layouts, modules
from mqconvert import DecodeError, RuleTableError
from mqconvert.converters.printed.templates import lines
from mqconvert.converters.wire.coded import Coded
from mqconvert.converters.wire.forms import Form
from mqconvert.converters.wire.layouts import Layout
from mqconvert.converters.wire.shapes import function

LAYOUTS = layouts()


def test_printed_codecs_match_the_committed_ones() -> None:
    committed = {
        file.relative_to(FOLDER).as_posix(): file.read_text(encoding="utf-8") for file in FOLDER.glob("*/printed_codec.py")
    }
    assert modules() == committed


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_layout_without_a_module_has_the_same_functions(name: str) -> None:
    printed = import_module(f"{LAYOUTS[name].package}.printed_codec")
    loaded = {name for name, value in LAYOUTS[name].load().items() if isinstance(value, FunctionType)}
    assert loaded >= {function.name for function in LAYOUTS[name].functions} <= set(vars(printed))


def test_a_traceback_of_a_loaded_layout_shows_the_printed_line() -> None:
    printed = LAYOUTS["amqp091"].load()
    with pytest.raises(IndexError) as failed:
        printed["read_value"](ord("t"), b"t", 1, 1, 1)
    lines = [frame.line for frame in traceback.extract_tb(failed.value.__traceback__)]
    assert lines[-1] == "return 'bool', data[at] != 0, at + 1"
    with pytest.raises(DecodeError):
        printed["read_value"](ord("?"), b"?", 1, 1, 1)


def test_a_layout_refuses_a_form_with_an_unknown_name() -> None:
    form = Form(type="longstr", read="open(data)", size=1, write="out.write(value)")
    package = "mqconvert.converters.protocols.amqp091"
    odd = Coded(name="odd", rows={b"o": form}, read_parameters="end depth", write_parameters="depth")
    layout = Layout(package=package, types="AMQP091_TYPES", shapes=[odd])
    with pytest.raises(RuleTableError, match="it names open"):
        layout.load()


def test_a_layout_prints_single_functions_beside_those_of_its_shapes() -> None:
    single = function("read_one", "Read.", "data at", "i64", lines("return data[at]"))
    layout = Layout(package="mqconvert.converters.protocols.amqp091", types="AMQP091_TYPES", shapes=[single])
    assert layout.load()["read_one"](b"\0\5", 1) == 5
