"""Words: conditions for a row's `when` and transforms for its `via`, with their decorators.

A call costs more than the work of most words. So a word may have an expression that the compiler writes in place of a call:
`inline`, from which its function is made if it has no other (expressions.py); `quick`, a test that ordinary values pass, beside
the call for all others; `rare`, a test that ordinary values fail, before the call of a condition, or of a transform that passes
them on. An expression is the tree of a constant text of ours, in which `{0}` is the value (printed/templates.py); it is parsed
once, when the word is defined. Tests may be joined only by `and`. tests/converters/words/test_inlined.py compares.

A word may end in a literal, such as `at-most 5`. A maker returns its facts, where these depend on the literal (literals.py):
the literal is a node of the tree, and never a part of a text. Words make others, such as `A and B`: phrases.py.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from inspect import Parameter, signature
from math import isfinite
from typing import Any, Final, TypeVar

from mqconvert.converters.errors import did_you_mean
from mqconvert.converters.model.bodies import Data
from mqconvert.converters.model.plain import topic_fault
from mqconvert.converters.model.values import TypedValue
from mqconvert.converters.model.wiretypes import WireType
from mqconvert.converters.printed.defining import function_of
from mqconvert.converters.printed.nodes import Expression, literal
from mqconvert.converters.printed.templates import code, template
from mqconvert.converters.words.answers import NOT_MINE, Loss, NotMine, Partial

__all__ = ["NOT_MINE", "Loss", "NotMine", "Partial"]

TEXTS: Final = ("string", "symbol", "shortstr", "utf8")
"""The wire types that hold any short ASCII text: for `Transform.fits`."""


def kept(answer: object) -> Any:
    """Return the kept value of a transform's answer: the answer itself or a Partial's value, None for a loss.

    >>> kept(5), kept(Partial(5, "its type")), kept(Loss("all of it")), kept(NOT_MINE)
    (5, 5, None, None)
    """
    if isinstance(answer, Partial):
        return answer.value
    return None if isinstance(answer, (Loss, NotMine)) else answer


NAMES: dict[str, object] = {"Data": Data, "TypedValue": TypedValue, "isfinite": isfinite, "topic_fault": topic_fault}
"""The names that expressions use, besides Python's own. The words of a protocol add theirs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A function with the name that rows use.

    `takes` is the number of its arguments (the value, then the row's `reads`), `needs` the number without a default: those of
    the function, unless given. `samples` are values that it asks for beyond the ordinary ones of the wire types, by names.
    """

    name: str
    function: Callable[..., Any]
    head: str = ""
    """Its name without literals, or that of its first part: in names of generated functions."""
    inline: Expression | None = None
    rare: Expression | None = None
    samples: Mapping[str, object] = field(default_factory=dict)
    takes: int = 0
    needs: int = 0

    def __post_init__(self) -> None:
        if not self.takes:
            parameters = signature(self.function).parameters.values()
            object.__setattr__(self, "takes", len(parameters))
            object.__setattr__(self, "needs", sum(each.default is Parameter.empty for each in parameters))


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition(Word):
    """`quick` is a test by the kind of the value.

    A condition of `parts` has a `form`: `and` requires each, `not` negates one.
    """

    quick: Mapping[str, Expression] = field(default_factory=dict)
    form: str = ""
    parts: tuple["Condition", ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Transform(Word):
    """`gives` is the kind of its result; `passes` (on to the next row) and `loses` are its other possible answers.

    * `quick`: a test, and the result for values that pass it; only for values of the kind `of` where that is given;
    * `utf8`: the result for text that is valid UTF-8 by its type: all but short strings (PEP 383);
    * `fits`: the wire types that hold its result for every valid value, so that no check is needed;
    * `makes`: the wire type that every result has, in place of `fits`;
    * `of`: the kind of values for which an error advises it;
    * `parts`: the transforms that it joins, in order;
    * `grows`: how many times longer it can make a text.
    """

    gives: str
    passes: bool = False
    loses: bool = False
    quick: tuple[Expression, Expression] | None = None
    utf8: Expression | None = None
    fits: tuple[str, ...] = ()
    makes: WireType | None = None
    of: str = ""
    parts: tuple["Transform", ...] = ()
    grows: int = 1

    def __post_init__(self) -> None:
        Word.__post_init__(self)
        if self.grows > MOST_GROWTH:
            raise ValueError(f"it can make a text {self.grows if self.grows < 10**9 else 'over 10^9'} times longer")


MOST_GROWTH = 4096
"""Maximum growth of a text in one row: a chain of `replaced` could fill the memory."""

W = TypeVar("W", bound=Word)
F = TypeVar("F", bound=Callable[..., Any])
Maker = Callable[[str], dict[str, object]]
"""Turns the literals after a word's name into the facts of the word; raises ValueError for invalid literals."""


def _parsed(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts of a word with the trees of their texts."""
    made = dict(facts)
    for fact in ("inline", "rare", "utf8", "quick"):
        match made.get(fact):
            case str(text):
                made[fact] = template(text)
            case tuple(texts):
                made[fact] = tuple(map(template, texts))
            case dict(texts):
                made[fact] = {kind: template(text) for kind, text in texts.items()}
    return made


def _read(text: str, readers: tuple[Callable[[str], object], ...]) -> list[object]:
    """Return the results of readers for as many literals; ValueError for fewer literals."""
    parts = text.split(" ", len(readers) - 1)
    if len(parts) < len(readers):
        raise ValueError(f"it needs {len(readers)} literals")
    return [read(part) for read, part in zip(readers, parts, strict=True)]


class Words(dict[str, W]):
    """Words by name. Those with literals, such as `at-most 5`, and compound ones are made when a row names them."""

    def __init__(self, kind: type[W]) -> None:
        super().__init__()
        self.kind = kind
        self.makers: dict[str, Maker] = {}
        self.composed: Callable[[str], dict[str, Any] | None] = lambda _: None
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
        facts = _parsed(facts)

        def register(function: F) -> F:
            before = dict.get(self, name)
            there, here = function.__module__ if before is None else before.function.__module__, function.__module__
            if there != here:
                raise LookupError(f"two words are called {name!r}: in {there} and in {here}")
            if not readers:
                self[name] = self.kind(name=name, head=name, function=function, **facts)
            else:
                self.makers[name] = lambda text: {"function": partial(function, *_read(text, readers))} | facts
            return function

        return register

    def expression(self, name: str, text: str, meaning: str, read: Callable[[str], Any] | None = None, **facts: object) -> None:
        """Let rows use an expression of a value under this name; `{literal}` in it is what `read` makes of the literal."""
        if read is not None:
            self.makers[name] = lambda given: {"inline": code(text, literal=literal(read(given)))} | facts
            return
        function = function_of(template(text), NAMES)
        function.__doc__ = meaning
        self.word(name, inline=text, **facts)(function)

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
                return ": it has no literals" if dict.get(self, head) else did_you_mean(head, [*self, *self.makers])
            if "function" not in facts:
                facts["function"] = function_of(facts["inline"], NAMES)
            return self.kind(name=name, **{"head": head} | facts)
        except ValueError as error:
            return f": {error}"

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
