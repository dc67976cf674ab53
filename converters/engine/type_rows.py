"""The type rows of a table as text: one small function for each source type and scope, and the dicts that find them."""

from mqconvert.converters.engine.nodes import Branch, Chains, Function, plain_keys
from mqconvert.converters.engine.source_text import Block, Lines, Names, answered_else


def type_rows(function: Function, names: Names) -> Lines:
    """Write the functions `types_SCOPE[TYPE]` of every scope, and `items`, `entries` and `array_items` over them.

    A scope with the rows of an earlier one shares its functions.
    """
    lines: Lines = []
    made: dict[str, Chains] = {}
    for scope, chains in function.types.items():
        alike = next((other for other in made if made[other] == chains), None)
        lines += [f"types_{scope} = types_{alike}"] if alike is not None else _scope(function, names, scope, chains)
        made[scope] = chains
    keys = plain_keys(function.source)
    return [*lines, f"items, entries, array_items = recursion(types_nested, types_entry, types_key, {keys!r})", ""]


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
    """Write the types with unchanged values: the row, and the name of the type in the target."""
    lines: Lines = ["renamed_top = {"]
    for type_, (branch, *_) in chains.items():
        rule, as_ = branch.rule, branch.rule.as_
        if as_ and branch.when is None and branch.via is None and branch.fits:
            lines.append(f"    {type_!r}: ({rule.id!r}, {as_!r}),  # {rule.where}")
    return [*lines, "}", ""]


def _chain(names: Names, type_: str, chain: list[Branch]) -> Lines:
    """Write the branches of one type, in the order of its rows; the last one is the loss."""
    lines: Lines = []
    for branch in chain:
        if branch.when is None:
            return [*lines, branch.rule, *_row(names, type_, branch)]
        lines.append(
            Block(f"if {names.condition(branch.when, branch.kind, ['value'])}:", _row(names, type_, branch), branch.rule)
        )
    return [*lines, f"lost.append(('', {type_!r}, 'no row of the type table takes it', None))", "return None, None, None"]


def _row(names: Names, type_: str, branch: Branch) -> Lines:
    rule, via, row = branch.rule, branch.via, names.row(branch.rule)
    nothing = "return None, None, None"
    if rule.as_ is None:
        return [f"lost.append(('', {type_!r}, {rule.note or 'not converted'!r}, {row}))", nothing]
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


def at_once(function: Function) -> list[tuple[str, Branch, str, str]]:
    """Return the types whose values mostly need no call: the row, the test of `typed`, and the result; text first.

    Most values are text.
    """
    found = []
    for type_, (branch, *_) in function.types["top"].items():
        when, via, as_ = branch.when, branch.via, branch.rule.as_
        tests = [] if when is None else [when.inline or when.quick.get(str(branch.kind))]
        if via is None and when is not None and as_ == type_ and branch.fits:
            made = "{0}"
        elif via is not None and via.quick is not None and as_ is not None and branch.fits:
            test, value = via.quick
            if via.utf8 is not None and branch.utf8:
                value = via.utf8
            else:
                tests.append(test)
            made = value
        else:
            continue
        if None not in tests:
            parts = dict.fromkeys(part for test in tests for part in str(test).split(" and "))  # write a shared test once
            found.append((type_, branch, " and ".join(parts).format("typed.value"), made.format("typed.value")))
    return sorted(found, key=lambda row: row[1].kind not in ("str", "bytes"))
