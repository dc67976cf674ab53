"""Write mqconvert/__init__.pyi: the public names for type checkers, which cannot follow imports on first use.

A function that returns a message, a frame, or a conversion, gets a signature for each of our protocols, with the classes of the
protocol, and one for any other name. Texts with few valid values get the type that lists them: the functions themselves take
any text, and refuse others with a code. With `--check`, compare the file with the committed one.
"""

import ast
import builtins
import inspect
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType

import mqconvert
from docs.generated import write_or_check
from mqconvert.converters.model.protocol import Protocol
from mqconvert.converters.protocols import PROTOCOLS
from mqconvert.converters.protocols.calls import has_frames

PACKAGE = Path(mqconvert.__file__).parent
FLAG, WRAPPED = "spans", "Located"
"""The parameter that has a result wrapped in a class."""
KEYS = ("to", "protocol")
"""The parameters that name the protocol of a result."""
OWN = ("Message", "Frame")
"""The classes that a signature for one protocol replaces by its own."""
LISTED = {"profile": "Profile | str", "on_loss": "OnLoss | LossPolicy"}
"""The types of parameters that are text with few valid values, which editors complete. A profile often comes from a setting."""


def stub() -> str:
    """Return the text of the file."""
    imports = defaultdict(set, {"typing": {"Literal", "overload"}})
    overloads: list[str] = []
    for name, room in vars(mqconvert)["_HOME"].items():
        module = import_module(f"mqconvert.converters.{room}")
        value = getattr(module, name)
        tree = _definition(value) if isinstance(value, FunctionType) else None
        if tree is None or not (_own(tree) or _lists_values(tree)):
            imports[module.__name__].add(name)
            continue
        for flagged in (False, True) if FLAG in inspect.signature(value).parameters else (None,):
            overloads += _overloads(value, flagged)
        for used in _names(tree.args) | _names(tree.returns):
            imports[_home(module, used)].add(used)
    return _formatted(
        "\n".join(
            [
                "# Written by `make generate` from the names in __init__.py and the signatures of the functions.",
                *(f"from {module} import {', '.join(sorted(names))}" for module, names in imports.items()),
                *(f"from {package} import message as {alias}" for package, alias in map(_package, PROTOCOLS.ours())),
                f"__all__ = {mqconvert.__all__}",
                "__version__: str",
                *overloads,
            ]
        )
    )


def _own(tree: ast.FunctionDef) -> tuple[Protocol, ...]:
    """Return the protocols with a class of their own in the result of a function, of which a parameter names the protocol."""
    if not _names(tree.returns).intersection(OWN) or not any(argument.arg in KEYS for argument in tree.args.args):
        return ()
    return tuple(each for each in PROTOCOLS.ours() if "Frame" not in _names(tree.returns) or has_frames(each.name))


def _lists_values(tree: ast.FunctionDef) -> bool:
    return any(argument.arg in LISTED for argument in tree.args.kwonlyargs + tree.args.args)


def _package(protocol: Protocol) -> tuple[str, str]:
    """Return the package of a protocol, and its short name."""
    package = protocol.message.__module__.removesuffix(".message")
    return package, package.rpartition(".")[2]


def _definition(function: FunctionType) -> ast.FunctionDef:
    """Return the syntax tree of a function, with nothing in its body but the docstring."""
    (tree,) = ast.parse(inspect.getsource(function)).body
    assert isinstance(tree, ast.FunctionDef)
    tree.body = tree.body[:1]
    return tree


def _names(tree: ast.AST | None) -> set[str]:
    """Return the names in a part of a signature, except those of Python itself and of default values."""
    if isinstance(tree, ast.arguments):
        annotations = [argument.annotation for argument in ast.walk(tree) if isinstance(argument, ast.arg)]
        return set().union(*map(_names, annotations))
    found = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} if tree is not None else set()
    return found - vars(builtins).keys()


def _home(module: ModuleType, name: str) -> str:
    """Return the module from which another one has a name, perhaps for type checkers alone: itself, if it defines the name."""
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.ImportFrom) and node.module and name in {alias.name for alias in node.names}:
            return node.module
    return module.__name__


class _Instead(ast.NodeTransformer):
    """Replaces the names of classes of any protocol by those of one."""

    def __init__(self, protocol: str) -> None:
        self.protocol = protocol

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return _expression(f"{self.protocol}.{node.id}") if node.id in OWN else node


def _overloads(function: FunctionType, flagged: bool | None) -> Iterator[str]:
    """Yield the signatures of a function: one for each protocol, the first with the docstring, and one for any other name.

    `flagged` is the value of the parameter FLAG, None for a function without it.
    """
    ours = (*_own(_definition(function)), None)
    for protocol in ours:
        tree = _definition(function)
        for argument in tree.args.kwonlyargs + tree.args.args:
            if argument.arg in LISTED:
                argument.annotation = _expression(LISTED[argument.arg])
        if flagged is not None:
            _flag(tree, on=flagged)
        if protocol is not ours[0] or flagged:
            tree.body = [ast.Expr(ast.Constant(...))]
        if protocol is not None:
            _narrow(tree, protocol)
        tree.args.defaults = [_shown(default) for default in tree.args.defaults]
        tree.args.kw_defaults = [default and _shown(default) for default in tree.args.kw_defaults]
        yield f"{'@overload' if len(ours) > 1 else ''}\n{ast.unparse(tree)}"


def _flag(tree: ast.FunctionDef, *, on: bool) -> None:
    """Make a signature that of one value of the parameter FLAG."""
    at = next(index for index, argument in enumerate(tree.args.kwonlyargs) if argument.arg == FLAG)
    tree.args.kwonlyargs[at].annotation = _expression(f"Literal[{on}]")
    if on:
        tree.args.kw_defaults[at] = None
        tree.returns = ast.Subscript(_expression(WRAPPED), tree.returns or _expression("None"))


def _shown(default: ast.expr) -> ast.expr:
    """Return a default value as a stub shows it: a literal, or an ellipsis."""
    return default if isinstance(default, ast.Constant) else ast.Constant(...)


def _narrow(tree: ast.FunctionDef, protocol: Protocol) -> None:
    """Make a signature that of one protocol: its name is required, and the result has its class."""
    given = tree.args.args
    at = next(index for index, argument in enumerate(given) if argument.arg in KEYS)
    given[at].annotation = _expression(f"Literal[{protocol.name!r}]")
    required = at + 1 - (len(given) - len(tree.args.defaults))
    tree.args.defaults = tree.args.defaults[max(required, 0) :]
    tree.returns = _Instead(_package(protocol)[1]).visit(tree.returns or _expression("None"))


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _formatted(text: str) -> str:
    """Return Python text as `make lint` requires it."""
    for command in (["check", "--fix-only", "--select", "I,RUF022"], ["format"]):
        arguments = [sys.executable, "-m", "ruff", *command, "-q", "--stdin-filename", str(PACKAGE / "__init__.pyi"), "-"]
        text = subprocess.run(arguments, input=text, capture_output=True, text=True, check=True).stdout
    return text


if __name__ == "__main__":
    sys.exit(write_or_check(PACKAGE, "*.pyi", {"__init__.pyi": stub()}, sys.argv[1:]))
