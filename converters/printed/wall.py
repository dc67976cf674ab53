"""The wall before a function runs: its text must read back as the tree that was built, with known names alone.

It stands behind the printer: should a literal ever reach the text unquoted, the text reads as another tree, and does not run.
"""

from collections.abc import Collection, Sequence

from mqconvert.converters.errors import RuleTableError
from mqconvert.converters.printed.nodes import (
    Assign,
    Attribute,
    Call,
    Declare,
    For,
    Function,
    Item,
    ListOf,
    Name,
    Named,
    Remark,
    Statement,
    Try,
    nodes_in,
    targets,
)
from mqconvert.converters.printed.reading import read_module
from mqconvert.converters.printed.templates import spliced

BUILTINS = {
    made.__name__: made
    for made in (bool, bytes, dict, enumerate, float, format, int, len, list, set, str, type, zip)
}  # fmt: skip
"""Python's own names that functions use; they get no others."""

_UNSAFE = frozenset(("format", "format_map"))
"""Methods that read attributes by the content of a text."""


def pass_wall(text: str, statements: Sequence[Statement], known: Collection[str], file: str) -> None:
    """Refuse a text that is not exactly these statements, and statements with a name that is neither `known` nor their own.

    Raises RuleTableError for the table's file.

    >>> from mqconvert.converters.printed.nodes import Do, Literal
    >>> pass_wall("'a' + run()", [Do(Literal("a' + run()"))], (), "mine.toml")
    Traceback (most recent call last):
        ...
    mqconvert.converters.errors.RuleTableError: mine.toml: the function of the rules is refused: ...
    """
    fault = _strange(statements, known) or _other_text(text, statements)
    if fault is not None:
        raise RuleTableError(f"the function of the rules is refused: {fault}", file=file)


def _other_text(text: str, statements: Sequence[Statement]) -> str | None:
    try:
        same = read_module(text) == _bare(statements)
    except (SyntaxError, ValueError, RecursionError) as error:
        return f"its text cannot be read back ({error})"
    return None if same else "its text is not the one that was built"


def _bare(statements: Sequence[Statement]) -> tuple[Statement, ...]:
    """Return statements without remarks, which the text has as comments."""
    return spliced(statements, lambda each: () if isinstance(each, Remark) else None)


def _strange(statements: Sequence[Statement], known: Collection[str]) -> str | None:
    """Return a name that no function of ours has; None without one."""
    own: set[str] = set()
    named: set[str] = set()
    for node in nodes_in(*statements):
        match node:
            case Name():
                named.add(node.id)
            case Attribute() if node.name.startswith("_") or node.name in _UNSAFE:
                return f"it asks for {node.name}"
            case Call() if not isinstance(node.function, Name | Attribute | Item):
                return "it calls what has no name"
            case Named() | ListOf() | Declare():
                own.add(node.name)
            case Try() if node.name is not None:
                own.add(node.name)
            case Function():
                own |= {node.name, *node.parameters}
            case Assign() | For():
                if not all(isinstance(each, Name | Attribute | Item) for each in targets(node)):
                    return "it assigns to what is no place"
                own |= {each.id for each in targets(node) if isinstance(each, Name)}
    return next((f"it names {name}" for name in sorted(named - own - set(known) - BUILTINS.keys())), None)
