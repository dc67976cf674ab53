"""The lists of error codes match the codes that the syntax trees of the sources raise."""

import ast
import re
from collections.abc import Iterator
from functools import cache

import pytest

from mqconvert import CODES, rule_tables
from mqconvert.app.codes import DOOR_CODES
from tests.sources import trees
from tests.vectors import vectors

CODE_FIRST = {"DecodeError", "EncodeError", "LimitError", "NotJsonError", "_wrong"}
"""Functions whose first argument is a code; all others have a keyword `code`."""


@cache
def _raised(folder: str) -> set[str]:
    found = trees(folder, "|".join(("code", "problem", *CODE_FIRST)))
    return {code for file, tree in found if file.parent.name != "wire" for code in _codes(tree)}  # it raises in printed codecs


def _codes(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        named: list[ast.expr | None] = []
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            named = [word.value for word in node.keywords if word.arg == "code"]
            named += node.args[:1] if name in CODE_FIRST else node.args[1:2] if name == "problem" else []
        elif isinstance(node, ast.Dict):
            named = [value for key, value in zip(node.keys, node.values, strict=True) if _text(key) == "code"]
        elif isinstance(node, ast.FunctionDef):
            arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            defaults = [*node.args.defaults, *node.args.kw_defaults]
            pairs = zip(reversed(arguments), reversed(defaults), strict=False)
            named = [default for argument, default in pairs if argument.arg == "code"]
        gets = [call for call in named if isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "get"]
        named += [word for call in gets for word in call.args[1:]]  # the default of `get`
        named += [word for either in named if isinstance(either, ast.IfExp) for word in (either.body, either.orelse)]
        yield from filter(None, map(_text, named))


def _text(node: ast.expr | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


@pytest.mark.parametrize("folder", ["converters", "app"])
def test_every_error_is_of_a_class_below_the_base(folder: str) -> None:
    calls = (
        f"{file.name}:{node.lineno}"
        for file, tree in trees(folder, "MqConvertError|Exception")
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("MqConvertError", "Exception")
    )
    assert list(calls) == []


def test_the_library_raises_exactly_its_listed_codes() -> None:
    by_rows = {rule.error for table in rule_tables() for rule in table.rules + table.finish if rule.error is not None}
    raised = _raised("converters") | by_rows
    assert raised <= CODES.keys() <= raised | _raised("app")


def test_the_doors_add_exactly_their_listed_codes() -> None:
    from mqconvert.app.http.service import _CODES, _OTHER  # noqa: PLC0415 - needs the extra

    raised = _raised("app") | set(_CODES.values()) | {_OTHER}
    assert raised - CODES.keys() == DOOR_CODES.keys()
    assert not CODES.keys() & DOOR_CODES.keys()


@pytest.mark.parametrize("protocol", ["nsq", "phpmq", "pulsar", "rocketmq"])
def test_codes_raised_for_malformed_bytes_are_listed(protocol: str) -> None:
    """Some codes are composed at run time, so the syntax tree does not show them. A name alone is no frame."""
    of_bytes = [vector for vector in vectors(protocol) if not {"session_state", "name"} & {*vector["tags"]}]
    assert {vector["fields"]["error"] for vector in of_bytes if "malformed" in vector["tags"]} <= CODES.keys()


@pytest.mark.parametrize("code", [*CODES, *DOOR_CODES])
def test_codes_are_lowercase_words(code: str) -> None:
    assert code == code.lower()
    assert code.replace("_", "").isalnum()


def test_errors_of_the_library_name_no_option_of_the_command_line() -> None:
    said = (
        f"{file.name}: {text}"
        for file, tree in trees("converters", "Error|bad_option|refuse")
        for node in ast.walk(tree)
        if isinstance(node, ast.Raise) and node.exc is not None
        for part in ast.walk(node.exc)
        if isinstance(part, ast.expr) and (text := _text(part)) is not None and re.search(r"(^|[ (`])--[a-z]", text)
    )
    assert list(said) == []
