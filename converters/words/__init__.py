"""Words: conditions for a row's `when` and transforms for its `via`, with their decorators.

A call costs more than the work of most words. So a word may have an expression that the compiler writes in place of a call:
`inline`, from which its function is made if it has no other (expressions.py); `octets`, the same for bytes, with the UTF-8
bytes of a literal that is text; `quick`, a test that ordinary values pass, beside the call for all others; `rare`, a test
that ordinary values fail, before the call of a condition, or of a transform that passes them on. An expression is the tree of
a constant text of ours, in which `{0}` is the value (printed/templates.py). It is parsed when the compiler asks for it: the
functions of shipped tables are there without. Tests may be joined only by `and`. tests/converters/words/test_inlined.py
compares.

A word may end in a literal, such as `at-most 5`. A maker returns its facts, where these depend on the literal (literals.py):
the literal is a node of the tree, and never a part of a text. Words make others, such as `A and B`: phrases.py.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from inspect import Parameter, signature
from math import isfinite
from typing import TYPE_CHECKING, Any, Final, TypeVar

from mqconvert.converters.errors import did_you_mean
from mqconvert.converters.model.bodies import Data
from mqconvert.converters.model.plain import topic_fault
from mqconvert.converters.model.values import TypedValue
from mqconvert.converters.model.wiretypes import WireType
from mqconvert.converters.words.answers import NOT_MINE, Loss, NotMine, Partial, kept
from mqconvert.converters.words.scanning import unquoted

if TYPE_CHECKING:  # the nodes of functions take a fifth of the time of a first conversion, which needs none
    from mqconvert.converters.printed.nodes import Expression

__all__ = ["NOT_MINE", "Loss", "NotMine", "Partial", "kept"]

TEXTS: Final = ("string", "symbol", "shortstr", "utf8")
"""The wire types that hold any short ASCII text: for `Transform.fits`."""


NAMES: dict[str, object] = {"Data": Data, "TypedValue": TypedValue, "isfinite": isfinite, "topic_fault": topic_fault}
"""The names that expressions use, besides Python's own. The words of a protocol add theirs."""


def tree(text: str, **literals: object) -> "Callable[[], Expression]":
    """Return what makes the nodes of an expression with literals, each a node of its own.

    >>> from mqconvert.converters.printed.printer import written
    >>> written(tree("{most} - 1", most=5)())
    '5 - 1'
    """

    def made() -> "Expression":
        from mqconvert.converters.printed.nodes import literal  # noqa: PLC0415 - see the import of Expression
        from mqconvert.converters.printed.templates import code  # noqa: PLC0415 - the same

        return code(text, **{name: literal(value) for name, value in literals.items()})

    return made


def _nodes(wanted: Any) -> "Expression | None":
    if isinstance(wanted, str):
        return tree(wanted)()
    made: Expression | None = None if wanted is None else wanted()
    return made


def _both(wanted: Any) -> "tuple[Expression, Expression] | None":
    """Return the nodes of two texts; those of a joined word are made already."""
    made: Any = tuple(map(_nodes, wanted)) if isinstance(wanted, tuple) else wanted and wanted()
    return made  # type: ignore[no-any-return]  # two, or None


def _arity_of(function: Callable[..., Any]) -> tuple[int, int]:
    parameters = signature(function).parameters.values()
    return len(parameters), sum(each.default is Parameter.empty for each in parameters)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Word:
    """A function with the name that rows use.

    `arity` is the number of its arguments (the value, then the row's `reads`), and of those without a default, unless they are
    those of the function. `samples` are values that it asks for beyond the ordinary ones of the wire types, by names.
    """

    name: str
    own: Callable[..., Any] | None = None
    """Its function, unless its expression makes it."""
    meaning: str = ""
    """The docstring of a function that its expression makes."""
    head: str = ""
    """Its name without literals, or that of its first part: in names of generated functions."""
    trees: Mapping[str, Any] = field(default_factory=dict)
    """Its expressions, by the names of the properties that make their nodes."""
    samples: Mapping[str, object] = field(default_factory=dict)
    arity: tuple[int, int] | None = None
    _made: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def takes(self) -> int:
        return self._arity()[0]

    @property
    def needs(self) -> int:
        """Return the number of arguments without a default."""
        return self._arity()[1]

    @property
    def wants(self) -> list[str]:
        """Return what a row has to read for it, told by its parameters.

        These are "@type" and "@key" of the value, "@clock" and "@escape" of the caller, else any "PLACE".

        >>> from mqconvert.converters.engine.vocabulary import TRANSFORMS
        >>> TRANSFORMS["to-json"].wants, TRANSFORMS.known("by-clock delay").wants
        (['@type'], ['@type', '@clock'])
        """
        known = {"type_": "@type", "key": "@key", "clock": "@clock", "escape": "@escape"}
        needed = (name for name, one in signature(self.function).parameters.items() if one.default is one.empty)
        return [known.get(name, "PLACE") for name in needed][1:]

    @property
    def does(self) -> str:
        """Return the first line of its docstring, without the full stop; that of a function that gets literals first, too.

        >>> from mqconvert.converters.engine.vocabulary import CONDITIONS
        >>> CONDITIONS["ascii"].does
        'Match bytes 0 to 127 only'
        """
        function = self.function.func if isinstance(self.function, partial) else self.function
        return (self.meaning or function.__doc__ or "").strip().partition("\n")[0].rstrip(".")

    def _arity(self) -> tuple[int, int]:
        if "arity" not in self._made:
            self._made["arity"] = self.arity or (_arity_of(self.own) if self.own else (1, 1))
        made: tuple[int, int] = self._made["arity"]
        return made

    def _once(self, fact: str, make: Callable[[Any], Any]) -> Any:
        """Return a fact with its nodes, made on first access."""
        if fact not in self._made:
            self._made[fact] = make(self.trees.get(fact))
        return self._made[fact]

    @property
    def function(self) -> Callable[..., Any]:
        return self.own or self._once("inline_function", self._written)

    def _written(self, _: object) -> Callable[..., Any]:
        from mqconvert.converters.printed.defining import function_of  # noqa: PLC0415 - see the import of Expression
        from mqconvert.converters.printed.nodes import Choice  # noqa: PLC0415 - the same

        assert self.inline is not None
        inline = self.inline if self.octets is None else Choice(tree("type({0}) is bytes")(), self.octets, self.inline)
        function = function_of(inline, NAMES)
        function.__doc__ = self.meaning
        return function

    @property
    def inline(self) -> "Expression | None":
        made: Expression | None = self._once("inline", _nodes)
        return made

    @property
    def octets(self) -> "Expression | None":
        made: Expression | None = self._once("octets", _nodes)
        return made

    def inline_for(self, kind: str | None) -> "Expression | None":
        """Return the expression for values of that kind, or of several (None); None where only the function serves."""
        if self.octets is None or kind not in (None, "bytes"):
            return self.inline
        return None if kind is None else self.octets

    @property
    def rare(self) -> "Expression | None":
        made: Expression | None = self._once("rare", _nodes)
        return made


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Condition(Word):
    """A condition of `parts` has a `form`: `and` requires each, `not` negates one.

    `asks` is the number of the argument that its `octets` are for.
    """

    asks: int = 0
    form: str = ""
    parts: tuple["Condition", ...] = ()

    @property
    def quick(self) -> "Mapping[str, Expression]":
        """Return tests by the kind of the value."""
        made: Mapping[str, Expression] = self._once(
            "quick", lambda texts: {kind: _nodes(text) for kind, text in (texts or {}).items()}
        )
        return made


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Transform(Word):
    """`gives` is the kind of its result; `passes` (on to the next row) and `loses` are its other possible answers.

    * `fits`: the wire types that hold its result for every valid value, so that no check is needed;
    * `makes`: the wire type that every result has, in place of `fits`;
    * `of`: the kind of values for which an error advises it; `where`: the condition of those that it can take;
    * `parts`: the transforms that it joins, in order;
    * `grows`: how many times longer it can make a text;
    * `moves`: its result has the same entries in another order.
    """

    gives: str
    passes: bool = False
    loses: bool = False
    fits: tuple[str, ...] = ()
    makes: WireType | None = None
    of: str = ""
    where: str = ""
    parts: tuple["Transform", ...] = ()
    grows: int = 1
    moves: bool = False

    def advised(self, when: str | None = None) -> str:
        """Return the columns of a row with this word, and with its condition beside that of the row.

        >>> from mqconvert.converters.engine.vocabulary import TRANSFORMS
        >>> TRANSFORMS["from-decimal"].advised("not is 5"), TRANSFORMS["to-decimal"].advised()
        ("when = 'not is 5 and number', via = 'from-decimal'", "via = 'to-decimal'")
        """
        conditions = " and ".join(each for each in (when, self.where) if each)
        return (f"when = {conditions!r}, " if self.where else "") + f"via = {self.name!r}"

    def __post_init__(self) -> None:
        if self.grows > MOST_GROWTH:
            raise ValueError(f"it can make a text {self.grows if self.grows < 10**9 else 'over 10^9'} times longer")

    @property
    def quick(self) -> "tuple[Expression, Expression] | None":
        """Return a test, and the result for values that pass it; only for values of the kind `of` where that is given."""
        made: tuple[Expression, Expression] | None = self._once("quick", _both)
        return made

    @property
    def utf8(self) -> "Expression | None":
        """Return the result for text that is valid UTF-8 by its type: all but short strings (PEP 383)."""
        made: Expression | None = self._once("utf8", _nodes)
        return made


MOST_GROWTH = 4096
"""Maximum growth of a text in one row: a chain of `replaced` could fill the memory."""

W = TypeVar("W", bound=Word)
F = TypeVar("F", bound=Callable[..., Any])
Maker = Callable[[str], dict[str, object]]
"""Turns the literals after a word's name into the facts of the word; raises ValueError for invalid literals."""


def _read(text: str, readers: tuple[Callable[[str], object], ...]) -> list[object]:
    """Return the results of readers for as many literals; ValueError for fewer literals."""
    parts = text.split(" ", len(readers) - 1)
    if len(parts) < len(readers):
        raise ValueError(f"it needs {len(readers)} literals")
    return [read(part) for read, part in zip(readers, parts, strict=True)]


_TREES = ("inline", "octets", "rare", "utf8", "quick")
"""The facts of a word that are expressions."""


class Words(dict[str, W]):
    """Words by name. Those with literals, such as `at-most 5`, and compound ones are made when a row names them."""

    def __init__(self, kind: type[W]) -> None:
        super().__init__()
        self.kind = kind
        self.makers: dict[str, Maker] = {}
        self.composed: Callable[[str], dict[str, Any] | None] = lambda _: None
        self.others: Mapping[str, str] = {}
        """Names that people try, by ours: for errors."""
        self.columns: Mapping[str, str] = {}
        """Names that people try where a column says it: for errors."""
        self._made = lru_cache(maxsize=1024)(self._make)

    def word(self, name: str, *readers: Callable[[str], object], **facts: Any) -> Callable[[F], F]:
        """Let rows use a function under this name; `facts` are fields of Condition or Transform.

        `inline`, `quick`, `rare` and `utf8` are texts with `{0}` for the value.

        With `readers`, the name is followed by as many literals: the function gets their results as its first arguments. The
        last literal is the rest of the text.

        Raises LookupError if a word of another module has that name: a row would be ambiguous.

        >>> from mqconvert.converters.words import conditions
        >>> condition("utf8")(len)
        Traceback (most recent call last):
            ...
        LookupError: two words are called 'utf8': in mqconvert.converters.words.conditions and in builtins
        """

        def register(function: F) -> F:
            before = dict.get(self, name)
            there, here = function.__module__ if before is None else before.function.__module__, function.__module__
            if there != here:
                raise LookupError(f"two words are called {name!r}: in {there} and in {here}")
            if not readers:
                self[name] = self._word(name, facts | {"function": function})
            else:
                self.makers[name] = lambda text: {"function": partial(function, *_read(text, readers))} | facts
            return function

        return register

    def expression(
        self,
        name: str,
        text: str,
        meaning: str,
        read: Callable[[str], Any] | None = None,
        *,
        octets: Callable[[Any], Any] | None = None,
        **facts: object,
    ) -> None:
        """Let rows use an expression of a value under this name; `{literal}` in it is what `read` makes of the literal.

        `octets` makes of that the literal for values that are bytes, or None if these have no other. `{1}` in the expression is
        the first place that the row reads.

        Raises LookupError if another word has that name.

        >>> from mqconvert.converters.words import expressions
        >>> CONDITIONS.expression("set", "{0} is True", "Match true.")
        Traceback (most recent call last):
            ...
        LookupError: two words are called 'set'
        """
        before = dict.get(self, name)
        if before is not None and before.trees.get("inline") != text:
            raise LookupError(f"two words are called {name!r}")
        facts["arity"] = (2, 2) if "{1}" in text else (1, 1)
        if read is not None:

            def made(given: str) -> dict[str, object]:
                literal = read(given)
                of_bytes = octets and octets(literal)
                more = {} if of_bytes is None else {"octets": tree(text, literal=of_bytes)}
                return {"inline": tree(text, literal=literal)} | more | facts

            self.makers[name] = made
        else:
            self[name] = self._word(name, {"inline": text, "meaning": meaning} | facts)

    def maker(self, name: str) -> Callable[[Maker], Maker]:
        """Let rows use words of this name followed by literals."""
        return lambda maker: self.makers.setdefault(name, maker)

    def known(self, name: str) -> W:
        """Return the word of that name; ValueError with the reason if there is none.

        >>> from mqconvert.converters.words import literals
        >>> CONDITIONS.known("at-most x")
        Traceback (most recent call last):
            ...
        ValueError: unknown condition 'at-most x': 'x' is not a whole number
        """
        made = super().get(name) or self._made(name)
        if isinstance(made, self.kind):
            return made
        raise ValueError(f"unknown {self.kind.__name__.lower()} {name!r}{made}")

    def _make(self, name: str) -> W | str:
        """Return the word, or the fault in its name or literals."""
        head, _, literals = name.partition(" ")
        try:
            facts = self.composed(name)
            if facts is None and head in self.makers:
                facts = self.makers[head](literals)
            if facts is None:
                return ": it has no literals" if dict.get(self, head) else self._advice(name)
            return self._word(name, {"head": head} | facts)
        except ValueError as error:
            return f": {error}{'; instead of `or`, write a row for each' if 'or' in unquoted(name) else ''}"

    def _advice(self, name: str) -> str:
        """Say what a row may have meant by an unknown word."""
        head, space, literals = name.partition(" ")
        if meant := self.others.get(head.lower().replace("_", "-")):
            return f"; write {f'{meant}{space}{literals}'!r}"
        if column := self.columns.get(head.lower()):
            return f": {column}"
        others: tuple[tuple[Words[Any], str], ...] = ((CONDITIONS, "when"), (TRANSFORMS, "via"))
        for words, column in others:
            if words is not self and (head in words.makers or dict.get(words, head)):
                return f": it is a {words.kind.__name__.lower()}, for the column `{column}`"
        like = did_you_mean(head, [*self, *self.makers])
        return like or "; mappings/README.md lists the words with literals, docs/words.md all others"

    def _word(self, name: str, facts: dict[str, Any]) -> W:
        """Return the word of a function or an expression, with its other facts."""
        trees = {fact: facts[fact] for fact in _TREES if fact in facts}
        others = {fact: value for fact, value in facts.items() if fact not in (*_TREES, "function")}
        return self.kind(name=name, own=facts.get("function"), trees=trees, **{"head": name} | others)

    def __missing__(self, name: object) -> W:
        try:
            return self.known(str(name))
        except ValueError as error:
            raise KeyError(name) from error

    def get(self, name: Any, default: object = None) -> Any:
        made = super().get(name) or self._made(str(name))
        return made if isinstance(made, self.kind) else default


CONDITIONS: Words[Condition] = Words(Condition)
TRANSFORMS: Words[Transform] = Words(Transform)
condition, transform = CONDITIONS.word, TRANSFORMS.word
