"""What a row may ask (conditions, its `when`) and do (transforms, its `via`): the decorators that name a function so, and the
words of no one protocol. Words of one protocol stand in its folder.

A call costs more than what most words do. So a word may say what the compiler writes out in place of one: `inline`, the very
expression that its function returns; `quick`, a test that ordinary values pass, beside the call for all others; `rare`, a test
that ordinary values do not pass, before the call. `{0}` is the value, `{1}` what is read first. Tests may be joined by `and`,
but by nothing else. tests/converters/engine/test_source_text.py compares them with the functions.

A word may end in literals, such as `at-most 5`: literals.py has the makers, which give its facts when a row names it.
A `when` may join conditions: `set and not at-most 5`, `ascii unless longer-than 9 and begins x-`. Each looks at the value, and
each takes its share of what the row reads, in their order; `payload: utf8` looks at that place alone, which comes here as a
number: `2: utf8`, an argument behind that share. A `via` may join transforms: `scale 1000 then to-decimal` (phrases.py).
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from inspect import Parameter, signature
from sys import maxsize
from typing import Any, Final, TypeVar

A = TypeVar("A")


class NotMine:
    """The class of NOT_MINE."""

    __slots__ = ()


NOT_MINE: Final = NotMine()
"""A transform's answer to a value that is for the next row."""


@dataclass(slots=True)
class Loss:
    """The value could not be kept at all, and why."""

    reason: str


@dataclass(slots=True)
class Partial:
    """A value that keeps a part of what was there, and what is missing."""

    value: Any
    reason: str


def kept(answer: Any) -> Any:
    """What a transform's answer keeps of the value: the answer itself or a Partial's value, None where there is nothing.

    >>> kept(5), kept(Partial(5, "its type")), kept(Loss("all of it")), kept(NOT_MINE)
    (5, 5, None, None)
    """
    if isinstance(answer, Partial):
        return answer.value
    return None if isinstance(answer, Loss | NotMine) else answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A function under the name that rows have for it.

    `takes` is how many arguments it has (the value, then what the row reads), `needs` how many of them have no default; one
    with `*beside` takes all that is read.
    `samples` are values that it asks for and that no wire type has as an ordinary one, by what they are.
    """

    name: str
    function: Callable[..., Any]
    inline: str | None = None
    samples: Mapping[str, Any] = field(default_factory=dict)
    takes: int = field(init=False)
    needs: int = field(init=False)

    def __post_init__(self) -> None:
        parameters = signature(self.function).parameters.values()
        every = any(each.kind is Parameter.VAR_POSITIONAL for each in parameters)
        object.__setattr__(self, "takes", maxsize if every else len(parameters))
        object.__setattr__(self, "needs", sum(each.default is Parameter.empty for each in parameters))


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition(Word):
    """`quick` is a test by the kind of the value; `parts` are the conditions that this one joins, and what each must say.

    One with a number `at` asks its part of that argument alone.
    """

    quick: Mapping[str, str] = field(default_factory=dict)
    rare: str | None = None
    parts: "Parts" = ()
    at: int = 0

    def __post_init__(self) -> None:
        Word.__post_init__(self)
        if self.parts:
            last = max([self.at, *(part.at for part, _ in self.parts)])
            shared = [part for part, _ in self.parts if not part.at]
            object.__setattr__(self, "takes", max(min(1 + sum(part.takes - 1 for part in shared), maxsize), last + 1))
            object.__setattr__(self, "needs", max(1 + sum(part.needs - 1 for part in shared), last + 1))


Parts = tuple[tuple[Condition, bool], ...]


def shares(parts: Parts, arguments: Sequence[A]) -> Iterator[tuple[Condition, bool, list[A]]]:
    """Each part of a condition, what it must say, and its arguments: the value, and its share of what is read."""
    at, named = 1, min((part.at for part, _ in parts if part.at), default=maxsize)
    for part, wanted in parts:
        if part.at:
            yield part.parts[0][0], wanted, [arguments[part.at]]
            continue
        end = min(at + part.takes - 1, named)
        yield part, wanted, [arguments[0], *arguments[at:end]]
        at = end


def _hold(parts: Parts, *arguments: Any) -> bool:
    """Whether the parts, each asked in turn, say what they must."""
    return all(bool(part.function(*asked)) is wanted for part, wanted, asked in shares(parts, arguments))


@dataclass(frozen=True, slots=True, kw_only=True)
class Transform(Word):
    """`gives` is the kind of its result; `passes` (on to the next row) and `loses` say what else it may answer.

    * `renames`: it gives as many pairs as it gets, each in its place and perhaps under another name;
    * `quick`: a test, and what is made of the values that pass it;
    * `utf8`: what is made of text of which the type says that it is valid UTF-8: all but short strings (PEP 383);
    * `fits`: the wire types that hold whatever it makes of a valid value, so that no check is written out;
    * `parts`: the transforms that it joins, one after the other.
    """

    gives: str
    passes: bool = False
    loses: bool = False
    renames: bool = False
    quick: tuple[str, str] | None = None
    utf8: str | None = None
    fits: frozenset[str] = frozenset()
    parts: tuple["Transform", ...] = ()


W = TypeVar("W", bound=Word)
Maker = Callable[[str], dict[str, Any]]
"""From the literals behind a word's name to the facts of the word; ValueError for literals that it cannot have."""


class Words(dict[str, W]):
    """Words by name. Those that end in literals, such as `at-most 5`, are made when a row asks for them."""

    def __init__(self, kind: type[W]) -> None:
        super().__init__()
        self.makers: dict[str, Maker] = {}
        self.composed: Callable[[str], dict[str, Any] | None] = lambda _: None
        self._made = lru_cache(maxsize=1024)(partial(self._make, kind))

    def _make(self, kind: type[W], name: str) -> W | str:
        """The word, or what is wrong with it."""
        head, _, literals = name.partition(" ")
        try:
            facts = self.composed(name) or (self.makers[head](literals) if head in self.makers else None)
            return "" if facts is None else kind(name=name, **facts)
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
        """Why there is no word of that name, as far as its literals say."""
        made = self._found(name)
        return f": {made}" if isinstance(made, str) and made else ""


_NUMBERED: Final = re.compile(r"([0-9]+): ((?:(?! and | unless ).)+)\Z")


class Conditions(Words[Condition]):
    """Conditions by name, and those that `and`, `not` and `unless` join: all before `unless`, and not all behind it."""

    def _make(self, kind: type[Condition], name: str) -> Condition | str:
        every, unless, never = f" {name}".partition(" unless ")
        asked = [(text.removeprefix("not "), not text.startswith("not ")) for text in every[1:].split(" and ") if text]
        asked += [(never, False)] if unless else []
        if asked in ([], [(name, True)]) and _NUMBERED.match(name) is None:
            return super()._make(kind, name)
        for word, _ in asked:
            text = word if (numbered := _NUMBERED.match(word)) is None else numbered[2]
            if text not in self:
                return f"unknown condition {text!r}{self.fault(text)}"
        parts = tuple((self._part(word), wanted) for word, wanted in asked)
        if any(part.takes == maxsize for part, _ in parts[:-1]):
            return "a condition that looks at all that is read comes last"
        if any(part.at and part.parts[0][0].takes > 1 for part, _ in parts):
            return "a condition of another place looks at that alone"
        if any(inner.at for part, _ in parts if not part.at for inner, _ in part.parts):
            return "of several conditions behind 'unless' none names a place"
        samples = {case: value for part, _ in parts if not part.at for case, value in part.samples.items()}
        return kind(name=name, function=partial(_hold, parts), samples=samples, parts=parts)

    def _part(self, text: str) -> Condition:
        numbered = _NUMBERED.match(text)
        if numbered is None:
            return self[text]
        inner = self[numbered[2]]
        return Condition(name=text, function=inner.function, parts=((inner, True),), at=int(numbered[1]))


CONDITIONS: Words[Condition] = Conditions(Condition)
TRANSFORMS: Words[Transform] = Words(Transform)
F = TypeVar("F", bound=Callable[..., Any])


def _apart(name: str, function: Callable[..., Any], before: Word | None) -> None:
    """LookupError for a word of another module that has that name already: a row would not say which one it means."""
    if before is not None and before.function.__module__ != function.__module__:
        there, here = before.function.__module__, function.__module__
        raise LookupError(f"two words are called {name!r}: in {there} and in {here}")


def condition(name: str, **facts: Any) -> Callable[[F], F]:
    """Let rows ask a function under this name; `facts` are fields of Condition.

    LookupError where the words of another module have that name.

    >>> from mqconvert.converters.words import conditions
    >>> condition("utf8")(len)
    Traceback (most recent call last):
        ...
    LookupError: two words are called 'utf8': in mqconvert.converters.words.conditions and in builtins
    """

    def register(function: F) -> F:
        _apart(name, function, CONDITIONS.get(name))
        CONDITIONS[name] = Condition(name=name, function=function, **facts)
        return function

    return register


def transform(name: str, *, gives: str, fits: tuple[str, ...] = (), **facts: Any) -> Callable[[F], F]:
    """Let rows use a function under this name; `facts` are fields of Transform. LookupError as above."""

    def register(function: F) -> F:
        _apart(name, function, TRANSFORMS.get(name))
        TRANSFORMS[name] = Transform(name=name, function=function, gives=gives, fits=frozenset(fits), **facts)
        return function

    return register


def condition_maker(name: str) -> Callable[[Maker], Maker]:
    """Let rows ask a condition under this name and literals behind it."""

    def register(maker: Maker) -> Maker:
        CONDITIONS.makers[name] = maker
        return maker

    return register


def transform_maker(name: str) -> Callable[[Maker], Maker]:
    """Let rows use a transform under this name and literals behind it."""

    def register(maker: Maker) -> Maker:
        TRANSFORMS.makers[name] = maker
        return maker

    return register
