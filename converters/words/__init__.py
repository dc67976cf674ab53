"""Words: conditions for a row's `when` and transforms for its `via`. Here are the decorators that name a function so, and the
words for all protocols. The words of one protocol are in its folder.

A call costs more than the work of most words. So a word may give text that the compiler writes in place of a call: `inline`,
the expression that its function returns; `quick`, a test that ordinary values pass, beside the call for all others; `rare`, a
test that ordinary values fail, before the call. `{0}` is the value, `{1}` the first of the row's `reads`. Tests may be joined
only by `and`. tests/converters/engine/test_source_text.py compares them with the functions.

A word may end in literals, such as `at-most 5`: literals.py has the makers, which return its facts when a row names it. Words
make others, such as `A and B`: phrases.py.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from inspect import Parameter, signature
from typing import Any, Final, TypeVar

from mqconvert.converters.words.answers import NOT_MINE, Loss, NotMine, Partial

__all__ = ["NOT_MINE", "Loss", "NotMine", "Partial"]

TEXTS: Final = ("string", "symbol", "shortstr", "utf8")
"""The wire types that hold any short ASCII text: for `Transform.fits`."""


def kept(answer: Any) -> Any:
    """Return the kept value of a transform's answer: the answer itself or a Partial's value, None for a loss.

    >>> kept(5), kept(Partial(5, "its type")), kept(Loss("all of it")), kept(NOT_MINE)
    (5, 5, None, None)
    """
    if isinstance(answer, Partial):
        return answer.value
    return None if isinstance(answer, Loss | NotMine) else answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A function under the name that rows have for it.

    `takes` is the number of its arguments (the value, then the row's `reads`), `needs` the number without a default.
    `samples` are values that it asks for beyond the ordinary ones of the wire types, by their names.
    """

    name: str
    function: Callable[..., Any]
    inline: str | None = None
    samples: Mapping[str, Any] = field(default_factory=dict)
    takes: int = field(init=False)
    needs: int = field(init=False)

    def __post_init__(self) -> None:
        parameters = signature(self.function).parameters.values()
        object.__setattr__(self, "takes", len(parameters))
        object.__setattr__(self, "needs", sum(each.default is Parameter.empty for each in parameters))


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition(Word):
    """`quick` is a test by the kind of the value.

    A condition made of `parts` has a `form`: `and` asks each of them, `not` negates one, `at` asks one of the arguments with
    the numbers `places`.
    """

    quick: Mapping[str, str] = field(default_factory=dict)
    rare: str | None = None
    form: str = ""
    parts: tuple["Condition", ...] = ()
    places: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Transform(Word):
    """`gives` is the kind of its result; `passes` (on to the next row) and `loses` are its other possible answers.

    * `renames`: it gives as many pairs as it gets, each in its place and perhaps under another name;
    * `quick`: a test, and the result for values that pass it;
    * `utf8`: the result for text of a type that is valid UTF-8: all but short strings (PEP 383);
    * `fits`: the wire types that hold its result for every valid value, so that no check is written out;
    * `parts`: the transforms that it joins, one after the other.
    """

    gives: str
    passes: bool = False
    loses: bool = False
    renames: bool = False
    quick: tuple[str, str] | None = None
    utf8: str | None = None
    fits: tuple[str, ...] = ()
    parts: tuple["Transform", ...] = ()


W = TypeVar("W", bound=Word)
F = TypeVar("F", bound=Callable[..., Any])
Maker = Callable[[str], dict[str, Any]]
"""Turns the literals after a word's name into the facts of the word; raises ValueError for invalid literals."""


class Words(dict[str, W]):
    """Words by name. Those with literals, such as `at-most 5`, and compound ones are created when a row names them."""

    def __init__(self, kind: type[W]) -> None:
        super().__init__()
        self.kind = kind
        self.makers: dict[str, Maker] = {}
        self.composed: Callable[[str], dict[str, Any] | None] = lambda _: None
        self._made = lru_cache(maxsize=1024)(self._make)

    def word(self, name: str, **facts: Any) -> Callable[[F], F]:
        """Let rows use a function under this name; `facts` are fields of Condition or Transform.

        LookupError where the words of another module have that name: a row would be ambiguous.

        >>> from mqconvert.converters.words import conditions
        >>> condition("utf8")(len)
        Traceback (most recent call last):
            ...
        LookupError: two words are called 'utf8': in mqconvert.converters.words.conditions and in builtins
        """

        def register(function: F) -> F:
            before = self.get(name)
            there, here = function.__module__ if before is None else before.function.__module__, function.__module__
            if there != here:
                raise LookupError(f"two words are called {name!r}: in {there} and in {here}")
            self[name] = self.kind(name=name, function=function, **facts)
            return function

        return register

    def maker(self, name: str) -> Callable[[Maker], Maker]:
        """Let rows use words of this name with literals behind it."""

        def register(maker: Maker) -> Maker:
            self.makers[name] = maker
            return maker

        return register

    def _make(self, name: str) -> W | str:
        """Return the word, or the fault in it."""
        head, _, literals = name.partition(" ")
        try:
            facts = self.composed(name)
            if facts is None and head in self.makers:
                facts = self.makers[head](literals)
            return "" if facts is None else self.kind(name=name, **facts)
        except ValueError as error:
            return str(error)

    def _found(self, name: Any) -> W | str:
        return self._made(name) if isinstance(name, str) else ""

    def __getitem__(self, name: str | None) -> W:
        known = super().get(str(name)) or self._found(name)
        if isinstance(known, str):
            raise KeyError(name)
        return known

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or not isinstance(self._found(name), str)

    def get(self, name: Any, default: Any = None) -> Any:
        try:
            return self[name]
        except KeyError:
            return default

    def fault(self, name: str) -> str:
        """Return the reason why no word has that name, if its literals show one."""
        made = self._found(name)
        return f": {made}" if isinstance(made, str) and made else ""


CONDITIONS: Words[Condition] = Words(Condition)
TRANSFORMS: Words[Transform] = Words(Transform)
condition, condition_maker = CONDITIONS.word, CONDITIONS.maker
transform, transform_maker = TRANSFORMS.word, TRANSFORMS.maker
