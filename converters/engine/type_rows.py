"""The type rows of a table as nodes: one small function for each source type and scope, and the dicts that find them."""

from mqconvert.converters.engine.names import Names, answered_else, fault_of, guarded, identifier, numbered
from mqconvert.converters.engine.nodes import RECURSIVE, Branch, Function, plain_keys
from mqconvert.converters.engine.rules import Rule
from mqconvert.converters.printed.nodes import (
    Assign,
    Dictionary,
    Expression,
    If,
    Name,
    Return,
    Statement,
    Statements,
    both,
    every,
    literal,
)
from mqconvert.converters.printed.nodes import Function as Printed
from mqconvert.converters.printed.templates import code, filled, line, named_once, template

_NOTHING = Return(code("(None, None, None)"))
_VALUE, _TYPED_VALUE = Name("value"), template("typed.value")


def type_rows(function: Function, names: Names) -> Statements:
    """Return the functions `types_SCOPE[TYPE]` of every scope, and `inside`, which converts the values inside a value by them.

    Types and scopes with equal functions share one, which has the name of its first row.
    """
    top, nested, entry = (function.types[scope] for scope in ("top", "nested", "entry"))
    renamed = {type_: branch.rule for type_, (branch, *_) in top.items() if only_renamed(branch)}
    pairs = tuple((literal(type_), literal((rule.id, rule.as_))) for type_, rule in renamed.items())
    lines: Statements = []
    if renamed:  # for each type, the row and the type's name in the target
        lines.append(Assign(Name("renamed_top"), Dictionary(pairs)))
    functions: dict[tuple[Statement, ...], Name] = {}
    tables: dict[str, dict[str, Name]] = {}
    for scope, chains in function.types.items():
        table: dict[str, Name] = {}
        for type_, chain in chains.items():
            body = tuple(_chain(names, type_, chain))
            if body not in functions:
                names_of_row = map(Name, numbered(identifier(scope, chain[0].rule.id)))
                functions[body] = next(name for name in names_of_row if name not in functions.values())
                lines.append(Printed(functions[body].id, ("value", "lost"), body))
            table[type_] = functions[body]
        alike = next((Name(f"types_{other}") for other in tables if tables[other] == table), None)
        lines.append(Assign(Name(f"types_{scope}"), alike or code("TypeTable({0})", _changed(tables.get("top", {}), table))))
        tables[scope] = table
    everywhere = bool(renamed) and all(top[type_] == nested.get(type_) == entry.get(type_) for type_ in renamed)
    given = (literal(plain_keys(function.source)), Name("renamed_top") if everywhere else Dictionary())
    return [*lines, line("inside = Inside(types_nested, types_entry, types_key, {0}, {1})", *given)]


def _changed(top: dict[str, Name], table: dict[str, Name]) -> Dictionary:
    """Return a dict of functions by type: that of the types at the top with its changes, if it has all of these."""
    if not top or not top.keys() <= table.keys():
        return Dictionary(tuple((literal(type_), name) for type_, name in table.items()))
    others = ((literal(type_), name) for type_, name in table.items() if name != top.get(type_))
    return Dictionary(((None, Name("types_top")), *others))


def only_renamed(branch: Branch) -> bool:
    """Return whether every value of a type row stays as it is, under the type's name in the target."""
    return bool(branch.rule.as_) and branch.when is None and branch.via is None and branch.fits


def _chain(names: Names, type_: str, chain: list[Branch]) -> Statements:
    """Return the branches of one type, in the order of its rows; the last one is the loss."""
    lines: Statements = []
    for branch in chain:
        if branch.when is None:
            return [*lines, *guarded(branch.rule, None, _row(names, type_, branch))]
        test = names.condition(branch.when, [branch.kind], [_VALUE])
        lines += guarded(branch.rule, test, _row(names, type_, branch))
    return [*lines, _lost(type_, literal(f"no row takes this {type_}"), literal(None)), _NOTHING]


def _lost(type_: str, reason: Expression, row: Expression) -> Statement:
    return line("lost.append(('', {0}, {1}, {2}))", literal(type_), reason, row)


def _row(names: Names, type_: str, branch: Branch) -> Statements:
    rule, via, row = branch.rule, branch.via, names.row(branch.rule)
    if rule.as_ is None:
        return [_lost(type_, literal(rule.lost or rule.note or "not converted"), row), _NOTHING]
    lines: Statements = []
    made: Expression = _VALUE
    if via is not None:
        made = names.transformed(via, [_VALUE, *(literal(type_) for _ in rule.reads)], branch.kind, utf8=branch.utf8)
        if via.loses or via.passes or not branch.fits:
            lines.append(Assign(Name("made"), made))
            made = Name("made")
        if via.loses or via.passes:
            kept = line("made = part(made, {0}, {1}, lost)", literal(type_), row)
            lines.append(If(answered_else(via.gives, may_pass=via.passes), (kept, If(code("made is None"), (_NOTHING,)))))
    if not branch.fits:
        lines.append(If(names.unfit(rule.as_, made), (_lost(type_, fault_of(rule, via), row), _NOTHING)))
    return [*lines, Return(code("({0}, {1}, {2})", literal(rule.id), literal(rule.as_), made))]


TYPED_LOCALS = {"str": "text", "bytes": "raw", "int": "number"}
"""The name of a value of an entry by its kind: scripts/speed types it, so that compiled code calls its methods directly."""

_SAME = template("{0}")


def _of_value(kind: str, test: Expression | None, made: Expression) -> tuple[Expression | None, Expression]:
    """Return a test and the expression behind it for `typed.value`; the first of them names the value.

    >>> from mqconvert.converters.printed.printer import written
    >>> written(_of_value("str", None, template("{0}.encode()"))[1])
    '(text := typed.value).encode()'
    """
    name = TYPED_LOCALS.get(kind)
    if name is None or made == _SAME or (kind == "int" and test is None):
        return (test and filled(test, {"0": _TYPED_VALUE})), filled(made, {"0": _TYPED_VALUE})
    if test is not None:
        return named_once(test, name, _TYPED_VALUE), filled(made, {"0": Name(name)})
    return None, named_once(made, name, _TYPED_VALUE)


def _fitting(function: Function, branch: Branch, test: Expression | None, made: Expression) -> tuple[Expression, Expression]:
    """Return the test and the value with the check whether the value fits its type."""
    kind = str(branch.kind) if branch.via is None else branch.via.gives
    name = TYPED_LOCALS[kind]
    check = named_once(template(str(function.target.named[str(branch.rule.as_)].quick)), name, made)
    return both(test, check), Name(name)


def at_once(function: Function) -> list[tuple[list[str], Branch, Expression | None, Expression]]:
    """Return the rows whose values mostly need no call, with their types: the row, the test of `typed` for such a value,
    and the value that it becomes. Text comes first, as most values are text.
    """
    found: dict[tuple[Rule, Expression | None, Expression], tuple[list[str], Branch]] = {}
    for type_, (branch, *_) in function.types["top"].items():
        direct = _at_once(function, type_, branch)
        if direct is not None:
            test, made = _of_value(str(branch.kind), every(direct[:-1]), direct[-1])
            if not branch.fits:
                test, made = _fitting(function, branch, test, made)
            found.setdefault((branch.rule, test, made), ([], branch))[0].append(type_)
    rows = [(types, branch, test, made) for (_, test, made), (types, branch) in found.items()]
    return sorted(rows, key=lambda row: row[1].kind not in ("str", "bytes"))


def _at_once(function: Function, type_: str, branch: Branch) -> list[Expression] | None:
    """Return tests of a value, and behind them the expression of what it becomes; None where that needs a call."""
    when, via, as_ = branch.when, branch.via, branch.rule.as_
    test = None if when is None else when.inline_for(branch.kind) or when.quick.get(str(branch.kind))
    if (when is not None and test is None) or as_ is None:
        return None
    if not branch.fits and (function.target.named[as_].quick is None or branch.kind not in ("str", "bytes")):
        return None
    tests = [test] if test else []
    if via is None:
        return [*tests, _SAME] if not branch.fits or (tests and as_ == type_) else None
    if branch.utf8 and via.utf8 is not None:
        return [*tests, via.utf8]
    if via.quick is not None:
        return [*tests, *via.quick]
    made = via.inline_for(branch.kind)
    return None if made is None or via.name in RECURSIVE or via.loses or via.passes else [*tests, made]
