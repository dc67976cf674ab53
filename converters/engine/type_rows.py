"""The type rows of a table as text: one small function for each source type and scope, and the dicts that find them."""

from mqconvert.converters.engine.rules import Rule
from mqconvert.converters.engine.signatures import RECURSIVE, Rows
from mqconvert.converters.engine.source_text import FunctionText, answered_else
from mqconvert.converters.engine.vocabulary import CONDITIONS, TRANSFORMS
from mqconvert.converters.model.values import KIND_OF

SCOPES: dict[str, tuple[str | None, ...]] = {
    "top": (None, "top"),
    "nested": (None, "nested"),
    "entry": (None, "nested", "entry"),
    "key": ("key",),
}
"""Where type rows apply, by their `scope`: entries of the message itself, elements of lists, values of maps, their keys."""

Chains = dict[str, list[Rule]]
"""By source type, the rows that may take its values, in their order."""


def write_type_rows(rows: Rows, text: FunctionText) -> None:
    """The functions `types_SCOPE[TYPE]` of every scope, and `items`, `entries` and `array_items` over them.

    A scope whose rows are those of an earlier one shares its functions.
    """
    made: dict[str, Chains] = {}
    for scope, chains in scoped(rows).items():
        alike = next((other for other in made if made[other] == chains), None)
        if alike is not None:
            text.say(0, f"types_{scope} = types_{alike}")
        else:
            _scope(rows, text, scope, chains, made.get("top", {}))
        made[scope] = chains
    text.say(0, "items, entries, array_items = recursion(types_nested, types_entry, types_key)")
    text.say(0, "")


def scoped(rows: Rows) -> dict[str, Chains]:
    """The type rows by scope and source type."""
    found: dict[str, Chains] = {}
    for scope, scopes in SCOPES.items():
        there = [rule for rule in rows.table.types if rule.scope in scopes]
        chains = {type_: [rule for rule in there if type_ in rule.type.split("|")] for type_ in rows.source.types}
        found[scope] = {type_: chain for type_, chain in chains.items() if chain}
    return found


def at_once(rows: Rows) -> list[tuple[str, Rule, str, str]]:
    """The types whose values need no call in nearly every message: the row, the test of `typed` for such a value, and the
    value that it becomes. Text comes first, as most values are text.
    """
    found = []
    for type_, chain in scoped(rows)["top"].items():
        rule, kind = chain[0], KIND_OF[type_]
        asked, via = CONDITIONS.get(rule.when or ""), TRANSFORMS.get(rule.via or "")
        tests = [] if asked is None else [asked.inline or asked.quick.get(kind)]
        if rule.via is None and rule.when is not None and rule.as_ == type_ and rows.same(type_, rule.as_):
            made = "{0}"
        elif via is not None and via.quick is not None and rule.as_ is not None and rows.certain(rule, rule.as_):
            test, value = via.quick
            if via.utf8 is not None and rows.utf8_type(type_):
                value = via.utf8
            else:
                tests.append(test)
            made = value
        else:
            continue
        if None not in tests:
            parts = dict.fromkeys(part for test in tests for part in str(test).split(" and "))  # what two ask is asked once
            found.append((type_, rule, " and ".join(parts).format("typed.value"), made.format("typed.value")))
    return sorted(found, key=lambda row: KIND_OF[row[0]] not in ("str", "bytes"))


def _scope(rows: Rows, text: FunctionText, scope: str, chains: Chains, top: Chains) -> None:
    """The functions of one scope; types whose rows are those of the top have the top's function."""
    if scope == "top":
        _renamed(rows, text, chains)
    own = [type_ for type_, chain in chains.items() if chain != top.get(type_)]
    for type_ in own:
        _function(rows, text, scope, type_, chains[type_])
    as_top = scope != "top" and top.keys() <= chains.keys()
    text.say(0, f"types_{scope} = TypeTable({{")
    if as_top:
        text.say(1, "**types_top,")
    for type_ in own if as_top else chains:
        text.say(1, f"{type_!r}: {scope if type_ in own else 'top'}_{type_},")
    text.say(0, "})")
    text.say(0, "")


def _renamed(rows: Rows, text: FunctionText, chains: Chains) -> None:
    """The types whose values stay as they are: the row, and the name of the type in the target."""
    text.say(0, "renamed_top = {")
    for type_, chain in chains.items():
        rule = chain[0]
        if rule.as_ and rule.when is None and rule.via is None and rows.same(type_, rule.as_):
            text.say(1, f"{type_!r}: ({rule.id!r}, {rule.as_!r}),  # {rule.where}")
    text.say(0, "}")
    text.say(0, "")


def _function(rows: Rows, text: FunctionText, scope: str, type_: str, chain: list[Rule]) -> None:
    text.say(0, f"def {scope}_{type_}(value, lost):")
    for rule in chain:
        if rule.when is None:
            text.say(1, f"# {rule.id}, {rule.where}")
            _row(rows, text, 1, type_, rule)
            break
        test = text.condition(rule.when, KIND_OF[type_], ["value"])
        text.say(1, f"if {test}:  # {rule.id}, {rule.where}")
        _row(rows, text, 2, type_, rule)
    else:
        text.say(1, f"lost.append(('', {type_!r}, 'no row of the type table takes it', None))")
        text.say(1, "return None, None, None")
    text.say(0, "")


def _row(rows: Rows, text: FunctionText, depth: int, type_: str, rule: Rule) -> None:
    row = text.row(rule)
    if rule.as_ is None:
        text.say(depth, f"lost.append(('', {type_!r}, {rule.note or 'not converted'!r}, {row}))")
        text.say(depth, "return None, None, None")
        return
    made = "made" if rule.via else "value"
    transform = TRANSFORMS.get(rule.via or "")
    if rule.via in RECURSIVE:
        text.say(depth, f"made = {rule.via.replace('-', '_')}(value, lost)")
    elif transform is not None:
        arguments = ["value", *(repr(type_) for _ in rule.reads)]
        text.say(depth, f"made = {text.transformed(transform.name, arguments, utf8=rows.utf8_type(type_))}")
        if transform.loses or transform.passes:
            text.say(depth, f"if {answered_else(transform.gives, may_pass=transform.passes)}:")
            text.say(depth + 1, f"made = part(made, {type_!r}, {row}, lost)")
            text.say(depth + 1, "if made is None:")
            text.say(depth + 2, "return None, None, None")
    fits = rule.via in RECURSIVE or (rows.same(type_, rule.as_) if rule.via is None else rows.certain(rule, rule.as_))
    if not fits:
        text.check(depth, rule.as_, made)
        text.say(depth + 1, f"lost.append(('', {type_!r}, fault, {row}))")
        text.say(depth + 1, "return None, None, None")
    text.say(depth, f"return {rule.id!r}, {rule.as_!r}, {made}")
