"""The modules of shipped functions: they are the printed ones, and serve tables with exactly their rows."""

import ast
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from docs.functions import FOLDER, modules, tables
from mqconvert import Environment, Rule, RuleTable, mappings
from mqconvert.compiled import is_compiled
from mqconvert.converters.engine.building import build
from mqconvert.converters.engine.compiler import Compiler, printed_table, row_of
from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.engine.tables import load_tables
from mqconvert.converters.overlays import Leg
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.mqtt5.message import Message
from mqconvert.converters.shipped import shipped_function
from mqconvert.converters.shipped.index import MODULES
from mqconvert.converters.words import CONDITIONS

REPOSITORY = Path(__file__).parents[3]
TABLES = tables()
COMMITTED = sorted(file.name for file in FOLDER.glob("[!_]*.py"))
FILE, ROW = "mqtt5_to_amqp091.toml", 'via = "choose 2 1"'


@pytest.mark.skipif(is_compiled(), reason="make generate runs the sources")
@pytest.mark.parametrize("name", sorted({*(f"{name}.py" for name in TABLES), "index.py", *COMMITTED}))
def test_the_committed_modules_are_the_generated_ones(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8").splitlines() == modules()[name].splitlines()


class _Untyped(ast.NodeTransformer):
    """Takes away the types of names, docstrings, and `pass`."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        for argument in node.args.args:
            argument.annotation = None
        self.generic_visit(node)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        return None if node.value is None else ast.Assign([node.target], node.value)

    def visit_Pass(self, _node: ast.Pass) -> None:
        return None

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        return None if isinstance(node.value, ast.Constant) else node


def _untyped(statements: list[ast.stmt]) -> str:
    return ast.dump(_Untyped().visit(ast.Module(statements, [])))


@pytest.mark.proof
@pytest.mark.parametrize("name", TABLES)
def test_a_module_has_the_statements_of_the_printed_function(name: str) -> None:
    module = ast.parse((FOLDER / f"{name}.py").read_text(encoding="utf-8"))
    (bind,) = (each for each in module.body if isinstance(each, ast.FunctionDef))
    before = MODULES[TABLES[name].digest][1]
    function = [each for each in bind.body if each.lineno > before]
    assert isinstance(function.pop(), ast.Return)
    assert _untyped(function) == _untyped(ast.parse(printed_table(TABLES[name]).text).body)


@pytest.mark.skipif(is_compiled(), reason="a function in C does not show its names")
@pytest.mark.parametrize("name", TABLES)
def test_a_module_finds_the_objects_that_the_compiler_names(name: str) -> None:
    compiler = Compiler(build(TABLES[name]))
    compiler.compile()
    shipped = shipped_function(TABLES[name])
    assert shipped is not None
    function: Any = shipped.function
    module = import_module(function.__module__)
    bound = dict(zip(function.__code__.co_freevars, (cell.cell_contents for cell in function.__closure__), strict=True))
    for known, wanted in compiler.names.known.items():
        if known in bound or hasattr(module, known):
            found = bound.get(known) if known in bound else getattr(module, known)
            assert found == wanted or _parts(found) == _parts(wanted), known


def test_the_row_of_a_failing_word_is_found_in_a_module() -> None:
    def failing(_value: object) -> bool:
        raise ValueError

    table = TABLES["documented_amqp091_to_amqp10"]
    CONDITIONS["number"] = replace(CONDITIONS["number"], own=failing)
    try:
        leg = Leg(table)
    finally:
        del CONDITIONS["number"]  # it is made when a row names it
    with pytest.raises(ValueError) as failed:  # noqa: PT011 - the test's own error
        leg.function(amqp091.Message(basic=amqp091.BasicProperties(expiration="soon")), Environment(), Notes())
    found = row_of(failed.value, table, leg.printed, leg.module)
    assert found is not None
    assert (found[0].id, found[1]) == ("expiration", "when = 'number'")


def _parts(found: Any) -> object:
    """Return the fields of a row, and what a word with literals calls: neither has an equality of its own."""
    if isinstance(found, partial):
        return found.func, found.args, found.keywords
    return {name: getattr(found, name) for name in Rule.__dataclass_fields__}


def _edited(old: str, new: str) -> RuleTable:
    text = mappings.read(FILE)
    assert old in text
    (table,) = load_tables(text.replace(old, new), FILE)
    return table


def test_a_table_with_an_edited_row_gets_a_new_function() -> None:
    table = _edited(ROW, 'via = "choose 1 2"')
    assert shipped_function(table) is None
    assert Leg(table).function(Message(topic_name="t", qos=1), Environment(), Notes()).basic.delivery_mode == 1


@pytest.mark.parametrize(("old", "new"), [('to = "basic.expiration"', 'to = "basic.type"'), ("MQTT 5.0 to", "MQTT 5 to")])
def test_any_change_of_the_rows_is_noticed(old: str, new: str) -> None:
    assert shipped_function(_edited(old, new)) is None


def test_a_comment_needs_no_new_function_and_moves_the_rows() -> None:
    table = _edited("source =", "# why\nsource =")
    assert shipped_function(table) is not None
    assert table.row("qos").line == TABLES["documented_mqtt5_to_amqp091"].row("qos").line + 1


def test_a_checkout_runs_the_rows_of_an_edited_file(tmp_path: Path) -> None:
    for name in ("mqconvert", "converters", "app"):
        shutil.copytree(REPOSITORY / name, tmp_path / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    shutil.copytree(REPOSITORY / "mappings", tmp_path / "mappings")
    file = tmp_path / "mappings" / FILE
    file.write_text(file.read_text(encoding="utf-8").replace(ROW, 'via = "choose 1 2"'), encoding="utf-8")
    ask = "from mqconvert import convert; m = bytes.fromhex('32080001740001006869')"
    ask += "; print(convert(m, 'amqp-0.9.1', source='mqtt-5.0').message.basic.delivery_mode)"
    done = subprocess.run(
        [sys.executable, "-S", "-c", ask],
        cwd=tmp_path,
        env=os.environ | {"MQCONVERT_PURE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "1\n"
