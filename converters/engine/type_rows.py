"""The type rows of a table as text: one small function for each source type and scope, and the dicts that find them."""

from mqconvert.converters.engine.nodes import RECURSIVE, Branch, Chains, Function, plain_keys
from mqconvert.converters.engine.rules import Rule
from mqconvert.converters.engine.source_text import Block, Lines, Names, answered_else


def type_rows(function: Function, names: Names) -> Lines:
    """Write the functions `types_SCOPE[TYPE]` of every scope, and `inside`, which converts the values inside a value by them.

    A scope with the rows of an earlier one shares its functions.
    """
    lines: Lines = []
    made: dict[str, Chains] = {}
    for scope, chains in function.types.items():
        alike = next((other for other in made if made[other] == chains), None)
        lines += [f"types_{scope} = types_{alike}", ""] if alike is not None else _scope(function, names, scope, chains)
        made[scope] = chains
    top, nested, entry = (function.types[scope] for scope in ("top", "nested", "entry"))
    renamed = [type_ for type_, chain in top.items() if only_renamed(chain[0])]
    everywhere = bool(renamed) and all(top[type_] == nested.get(type_) == entry.get(type_) for type_ in renamed)
    given = f"types_nested, types_entry, types_key, {plain_keys(function.source)!r}, {'renamed_top' if everywhere else '{}'}"
    return [*lines, f"inside = Inside({given})", ""]


def _scope(function: Function, names: Names, scope: str, chains: Chains) -> Lines:
    """Write the functions of one scope; types with the same rows as at the top share its function."""
    top = {} if scope == "top" else function.types["top"]
    lines = _renamed(chains) if scope == "top" else []
    own = [type_ for type_, chain in chains.items() if chain != top.get(type_)]
    for type_ in own:
        lines += [Block(f"def {scope}_{type_}(value, lost):", _chain(names, type_, chains[type_])), ""]
    as_top = scope != "top" and top.keys() <= chains.keys()
    found = [f"    {type_!r}: {scope if type_ in own else 'top'}_{type_}," for type_ in (own if as_top else chains)]
    return [*lines, f"types_{scope} = TypeTable({{", *["    **types_top,"] * as_top, *found, "})", ""]


def _renamed(chains: Chains) -> Lines:
    """Write the types whose values stay as they are: the row, and the name of the type in the target."""
    rows = ((type_, branch.rule) for type_, (branch, *_) in chains.items() if only_renamed(branch))
    lines: Lines = [f"    {type_!r}: ({rule.id!r}, {rule.as_!r}),  # {rule.where}" for type_, rule in rows]
    return ["renamed_top = {", *lines, "}", ""] if lines else []


def only_renamed(branch: Branch) -> bool:
    """Return whether every value of a type row stays as it is, under the type's name in the target."""
    return bool(branch.rule.as_) and branch.when is None and branch.via is None and branch.fits


def _chain(names: Names, type_: str, chain: list[Branch]) -> Lines:
    """Write the branches of one type, in the order of its rows; the last one is the loss."""
    lines: Lines = []
    for branch in chain:
        if branch.when is None:
            return [*lines, branch.rule, *_row(names, type_, branch)]
        lines.append(
            Block(f"if {names.condition(branch.when, branch.kind, ['value'])}:", _row(names, type_, branch), branch.rule)
        )
    return [*lines, f"lost.append(('', {type_!r}, 'no row takes this {type_}', None))", "return None, None, None"]


def _row(names: Names, type_: str, branch: Branch) -> Lines:
    rule, via, row = branch.rule, branch.via, names.row(branch.rule)
    nothing = "return None, None, None"
    if rule.as_ is None:
        return [f"lost.append(('', {type_!r}, {rule.lost or rule.note or 'not converted'!r}, {row}))", nothing]
    lines: Lines = []
    if via is not None:
        lines.append(f"made = {names.transformed(via, ['value', *(repr(type_) for _ in rule.reads)], utf8=branch.utf8)}")
        if via.loses or via.passes:
            kept: Lines = [f"made = part(made, {type_!r}, {row}, lost)", Block("if made is None:", [nothing])]
            lines.append(Block(f"if {answered_else(via.gives, may_pass=via.passes)}:", kept))
    made = "value" if via is None else "made"
    if not branch.fits:
        lost = f"lost.append(('', {type_!r}, fault, {row}))"
        lines.append(Block(f"if {names.unfit(rule.as_, made)}:", [lost, nothing]))
    return [*lines, f"return {rule.id!r}, {rule.as_!r}, {made}"]


TYPED_LOCALS = {"str": "text", "bytes": "raw", "int": "number"}
"""The name of a value of an entry by its kind: scripts/speed types it, so that compiled code calls its methods directly."""


def _of_value(kind: str, test: str, made: str) -> tuple[str, str]:
    """Return a test and the expression behind it for `typed.value`; the first of them names the value.

    >>> _of_value("str", "", "{0}.encode()")
    ('', '(text := typed.value).encode()')
    """
    name = TYPED_LOCALS.get(kind)
    if name is None or made == "{0}" or (kind == "int" and not test):
        return test.format("typed.value"), made.format("typed.value")
    if test:
        return _named(test, name, "typed.value"), made.format(name)
    return "", _named(made, name, "typed.value")


def _named(expression: str, name: str, value: str) -> str:
    """Return an expression of a value, which names the value.

    >>> _named("len({0}) < 9 and {0}.isascii()", "text", "typed.value")
    'len(text := typed.value) < 9 and text.isascii()'
    """
    before, _, after = expression.partition("{0}")
    bare = before.endswith("(") and after.startswith(")")
    return expression.replace("{0}", f"{name} := {value}" if bare else f"({name} := {value})", 1).format(name)


def _fitting(function: Function, branch: Branch, test: str, made: str) -> tuple[str, str]:
    """Return the test and the value with the check whether the value fits its type."""
    kind = str(branch.kind) if branch.via is None else branch.via.gives
    name = TYPED_LOCALS[kind]
    check = _named(str(function.target.named[str(branch.rule.as_)].quick), name, made)
    return " and ".join([*[test] * bool(test), check]), name


def at_once(function: Function) -> list[tuple[list[str], Branch, str, str]]:
    """Return the rows whose values mostly need no call, with their types: the row, the test of `typed` for such a value,
    and the value that it becomes. Text comes first, as most values are text.
    """
    found: dict[tuple[Rule, str, str], tuple[list[str], Branch]] = {}
    for type_, (branch, *_) in function.types["top"].items():
        written = _at_once(function, type_, branch)
        if written is not None:
            parts = dict.fromkeys(
                part for test in written[:-1] for part in test.split(" and ")
            )  # a shared test is written once
            test, made = _of_value(str(branch.kind), " and ".join(parts), written[-1])
            if not branch.fits:
                test, made = _fitting(function, branch, test, made)
            key = (branch.rule, test, made)
            found.setdefault(key, ([], branch))[0].append(type_)
    rows = [(types, branch, test, made) for (_, test, made), (types, branch) in found.items()]
    return sorted(rows, key=lambda row: row[1].kind not in ("str", "bytes"))


def _at_once(function: Function, type_: str, branch: Branch) -> list[str] | None:
    """Return tests of a value, and behind them the expression of what it becomes; None where that needs a call."""
    when, via, as_ = branch.when, branch.via, branch.rule.as_
    test = "" if when is None else when.inline or when.quick.get(str(branch.kind))
    if test is None or as_ is None:
        return None
    if not branch.fits and (function.target.named[as_].quick is None or branch.kind not in ("str", "bytes")):
        return None
    tests = [test] * bool(test)
    if via is None:
        return [*tests, "{0}"] if not branch.fits or (tests and as_ == type_) else None
    if branch.utf8 and via.utf8 is not None:
        return [*tests, via.utf8]
    if via.quick is not None:
        return [*tests, *via.quick]
    return None if via.inline is None or via.name in RECURSIVE or via.loses or via.passes else [*tests, via.inline]
