"""The objects behind the names of a table's function, and the tests and calls of words, types and keys as nodes."""

import re
import sys
from collections.abc import Collection, Iterator, Sequence
from itertools import count
from typing import Any

from mqconvert.converters.engine import runtime
from mqconvert.converters.engine.rules import Rule
from mqconvert.converters.model.compound import EntriesType
from mqconvert.converters.model.wiretypes import WireType, WireTypes
from mqconvert.converters.printed.nodes import (
    Call,
    Choice,
    Display,
    Expression,
    If,
    Junction,
    Name,
    Raise,
    Remark,
    Statement,
    Statements,
    both,
    literal,
    opposite,
)
from mqconvert.converters.printed.templates import code, filled, line, template
from mqconvert.converters.words import Condition, Transform

PYTHON_CLASSES = ("str", "bytes", "int", "bool", "float", "list")
"""The kinds that are also names of Python classes."""

_PLAIN = re.compile(r"[A-Za-z0-9 -]{1,48}")
"""Matches a word whose literals may stand in the name of its function."""

NONE = literal(None)
_TRUTH = template("bool({0})")


def given(arguments: Sequence[Expression]) -> dict[str, Expression]:
    """Return the arguments of a word by the names of their holes."""
    return {str(at): argument for at, argument in enumerate(arguments)}


def identifier(prefix: str, word: str) -> str:
    """Return a name in Python with that word of ours in it.

    >>> identifier("row", "x-opt-*")
    'row_x_opt'
    """
    return re.sub(r"[^A-Za-z0-9]+", "_", f"{prefix}_{word}").rstrip("_")


def numbered(name: str) -> Iterator[str]:
    """Yield a name, and then others like it: `name_2`, `name_3`."""
    yield name
    yield from (f"{name}_{number}" for number in count(2))


class Names:
    """The objects behind the names of a function, and the expressions that use those names."""

    def __init__(self, types: WireTypes) -> None:
        self.types = types
        self.known: dict[str, Any] = dict(runtime.NAMES)

    def name(self, prefix: str, word: str, value: object) -> Name:
        """Return a unique name for an object, with that word of ours in it."""
        return self._known(identifier(prefix, word), value)

    def _known(self, name: str, value: object) -> Name:
        return Name(next(each for each in numbered(name) if self.known.setdefault(each, value) == value))

    def row(self, rule: Rule) -> Name:
        return self.name("row", rule.id, rule)

    def word(self, prefix: str, word: Condition | Transform) -> Name:
        """Return the name of the function of a word, with those of its literals that are short names or numbers."""
        return self.name(prefix, word.name if _PLAIN.fullmatch(word.name) else word.head, word.function)

    def of_class(self, class_: Any) -> Name:
        """Return the name of the class of a message, section or body."""
        return self._known(class_.__name__, class_)

    def condition(self, word: Condition, kinds: Sequence[str | None], arguments: Sequence[Expression]) -> Expression:
        """Return the test of a `when` for arguments of these kinds: the function's expression, or else the call."""
        if word.form:
            tests = [self.condition(part, kinds, arguments) for part in word.parts]
            return opposite(tests[0]) if word.form == "not" else both(*tests)
        arguments, kind = arguments[: word.takes], kinds[word.asks]
        if (inline := word.inline_for(kind)) is not None:
            return arguments[0] if inline == _TRUTH else filled(inline, given(arguments))  # Python tests any value
        called = Call(self.word("when", word), tuple(arguments))
        if word.rare is not None:
            return both(filled(word.rare, given(arguments)), called)
        quick = word.quick.get(str(kind))
        return called if quick is None else Junction("or", (filled(quick, given(arguments)), called))

    def transformed(
        self, word: Transform, arguments: Sequence[Expression], kind: str | None, *, utf8: bool = False
    ) -> Expression:
        """Return the expression of a `via` for a value of that kind: the function's own (with `utf8` that for valid text), or
        else the call.
        """
        own = word.utf8 if utf8 and word.utf8 is not None else word.inline_for(kind)
        if own is not None:
            return filled(own, given(arguments))
        *firsts, last = word.parts or (word,)
        parts = zip(firsts, [kind, *(part.gives for part in firsts)], strict=False)
        inlined = [inline for part, of in parts if (inline := part.inline_for(of)) is not None]
        if inlined and len(inlined) == len(firsts):
            value, *reads = arguments
            for inline in inlined:
                value = filled(inline, given([value, *reads]))
            return Call(self.word("via", last), (value, *reads[: last.needs - 1]))
        called = Call(self.word("via", word), tuple(arguments))
        first = firsts[0] if len(firsts) == 1 else None
        if first is not None and word.quick is None and first.quick is not None and first.of in ("", kind) and last.needs > 1:
            test, quickly = (filled(each, given(arguments)) for each in first.quick)
            return Choice(test, Call(self.word("via", last), (quickly, *arguments[1:])), called)
        if word.quick is None or word.of not in ("", kind):
            return called
        test, quickly = (filled(each, given(arguments)) for each in word.quick)
        return Choice(test, quickly, called)

    def unfit(self, type_: str, made: Expression) -> Expression:
        """Return the test for a `made` that does not fit the type; `fault_of` is then the reason."""
        wanted = self.types[type_]
        return _unfit(wanted, made, self.name("fault", type_, wanted.fault), [])

    def unfit_key(self, entries: EntriesType, key: Expression, *, or_number: bool) -> Expression:
        """Return the same test for the key of an entry; with `or_number`, the key may be a number."""
        assert entries.keys is not None
        name = self.name("key_fault", entries.keys.name, entries.key_fault)
        return _unfit(entries.keys, key, name, [is_text(key)] if or_number else [])


def fault_of(rule: Rule, via: Transform | None) -> Expression:
    """Return the reason where `unfit` holds. A number that the row computed differs from the one that a report shows."""
    return Name("fault") if via is None or via.gives != "int" else code("{0} + fault", literal(f"after {rule.via}: "))


def _unfit(type_: WireType, made: Expression, function: Name, also: list[Expression]) -> Expression:
    faulty = code("(fault := {0}({1})) is not None", function, made)
    if type_.quick is None:
        return faulty
    return both(opposite(both(*also, code(type_.quick, made))), faulty)


# ---- tests ------------------------------------------------------------------------------------------------------------


def is_text(value: Expression) -> Expression:
    return code("type({0}) is str", value)


def is_there(value: Expression) -> Expression:
    return code("{0} is not None", value)


def begins(name: Expression, stem: str) -> Expression:
    """Return the test whether a text begins with `stem`: two comparisons where possible, which need no call or new text.

    >>> from mqconvert.converters.printed.printer import written
    >>> written(begins(Name("key"), "x-"))
    "'x-' <= key < 'x.'"
    """
    if ord(stem[-1]) == sys.maxunicode:
        return code("{0}.startswith({1})", name, literal(stem))
    return code("{least} <= {0} < {above}", name, least=literal(stem), above=literal(stem[:-1] + chr(ord(stem[-1]) + 1)))


def common_stem(texts: Collection[str]) -> str:
    """Return the characters with which all the texts begin.

    >>> common_stem({"x-a-1", "x-a-2", "x-b"})
    'x-'
    """
    first, last = min(texts), max(texts)
    return first[: next((at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first))]


def of_type(types: Sequence[str]) -> Expression:
    """Return the test whether `type_` is one of these.

    >>> from mqconvert.converters.printed.printer import written
    >>> written(of_type(["int"])), written(of_type(["byte", "short"]))
    ("type_ == 'int'", "type_ in {'byte', 'short'}")
    """
    if len(types) == 1:
        return code("type_ == {0}", literal(types[0]))
    return code("type_ in {0}", Display("{}", tuple(map(literal, types))))


def answered_else(gives: str, *, may_pass: bool = False) -> Expression:
    """Return the test for a transform's answer that is not a value: a loss, or "not mine" where it `may_pass`.

    >>> answered_else("str") == code("type(made) is not str")
    True
    """
    if gives in PYTHON_CLASSES:
        return code("type(made) is not {0}", Name(gives))
    either = code("type(made) is Partial or type(made) is Loss")
    return code("type(made) is Partial or type(made) is Loss or made is NOT_MINE") if may_pass else either


# ---- statements -------------------------------------------------------------------------------------------------------


def lost(path: Expression, type_: Expression, reason: Expression, row: Expression = NONE) -> Statement:
    """Return the note of a loss."""
    return line("notes.lost.append(({0}, {1}, {2}, {3}))", path, type_, reason, row)


def refused(row: Expression, path: Expression, value: Expression) -> Statement:
    """Return the statement that refuses the message, for a row with `error`."""
    return Raise(code("refused({0}, {1}, {2})", row, path, value))


def part_kept(via: Transform, path: Expression, type_: Expression, row: Expression, *, may_be_none: bool = False) -> Statements:
    """Return what follows `made = ...` for a transform that may lose: note the loss, and continue with the kept part."""
    if not via.loses:
        return []
    test = both(is_there(Name("made")) if may_be_none else None, answered_else(via.gives))
    kept = line("made = made.value if type(made) is Partial else None")
    return [If(test, (lost(path, type_, code("made.reason"), row), kept))]


def either(test: Expression, then: Sequence[Statement], other: Sequence[Statement]) -> Statements:
    """Return statements that run `then` if the test holds, else `other`."""
    return [If(test, tuple(then), tuple(other))]


def guarded(rule: Rule, test: Expression | None, body: Sequence[Statement], other: Sequence[Statement] = ()) -> Statements:
    """Return a row's statements behind its test, or without one below a comment with the row."""
    return [Remark(rule), *body] if test is None else [If(test, tuple(body), tuple(other), rule)]
