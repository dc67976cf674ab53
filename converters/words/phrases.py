"""Compound words: in `when`, `A and B` and `not A`; in `via`, `A then B`, which hands the result of A to B.

Text in double quotes is not split.
"""

from functools import partial
from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING

from mqconvert.converters.words import CONDITIONS, TRANSFORMS, Condition, Transform
from mqconvert.converters.words.answers import InTurn
from mqconvert.converters.words.scanning import split_at

if TYPE_CHECKING:  # as in words/__init__.py
    from mqconvert.converters.printed.nodes import Expression

HANDED = "handed"
"""The variable of a value between two words, where the next one asks for it more than once."""


def composed_condition(name: str) -> dict[str, object] | None:
    """Return the facts of `A and B` or `not A`; None for other names.

    >>> made = composed_condition("at-least 5 and not is 6")
    >>> made["function"](5), made["function"](6), made["function"](4)
    (True, False, False)
    """
    names, form = split_at(name, "and"), "and"
    if len(names) == 1:
        if not name.startswith("not "):
            return None
        names, form = [name[4:]], "not"
    parts = tuple(CONDITIONS.known(part) for part in names)
    wanted = form != "not"

    def asked(*given: object) -> bool:
        return all(bool(part.function(*given[: part.takes])) is wanted for part in parts)

    return {
        "function": asked,
        # Parts of `and` are joined where they are written.
        "inline": partial(_opposite, parts[0], "inline") if form == "not" else None,
        "octets": partial(_opposite, parts[0], "octets") if form == "not" else None,
        "form": form,
        "parts": parts,
        "samples": {case: value for part in parts for case, value in part.samples.items()},
        "arity": (max(part.takes for part in parts), max(part.needs for part in parts)),
    }


def _opposite(word: Condition, fact: str) -> "Expression | None":
    from mqconvert.converters.printed.nodes import opposite  # noqa: PLC0415 - see words/__init__.py

    asked: Expression | None = getattr(word, fact)
    return None if asked is None else opposite(asked)


def composed_transform(name: str) -> dict[str, object] | None:
    """Return the facts of `A then B`; None for any other name, ValueError for an unknown A or B.

    >>> made = composed_transform("scale 2 then to-decimal") or {}
    >>> made["function"](3), made["gives"]
    ('6', 'str')
    """
    names = split_at(name, "then")
    if len(names) == 1:
        return None
    parts = first, *others = tuple(TRANSFORMS.known(part) for part in names)
    readers = [word for word in parts if word.needs > 1]
    if len(readers) > 1:
        raise ValueError(f"{readers[0].name!r} and {readers[1].name!r} both read more than their value, which one alone may do")
    reader = readers[0] if readers else first
    return {
        "function": InTurn(lambda: [word.function for word in parts], parts.index(reader)),
        "arity": (reader.takes, reader.needs),
        "inline": partial(_written, "inline", first, others),
        "octets": lambda: None if first.octets is None else _written("octets", first, others),
        "utf8": partial(_written, "utf8", first, others),
        "quick": partial(_quickly, first, others),
        "of": first.of,
        "where": next((word.where for word in parts if word.where), ""),
        "gives": others[-1].gives,
        "fits": others[-1].fits,
        "makes": others[-1].makes,
        "passes": any(word.passes for word in parts),
        "loses": any(word.loses for word in parts),
        "parts": parts,
        "grows": prod(word.grows for word in parts),
        "head": f"{first.head} then {others[-1].head}",
        "samples": first.samples,
    }


def _written(fact: str, first: Transform, others: list[Transform]) -> "Expression | None":
    """Return the expression of joined words, if each word has one, keeps valid text valid, and computes its value once."""
    return _followed(getattr(first, fact) or first.inline, fact, first, others)


def _quickly(first: Transform, others: list[Transform]) -> "tuple[Expression, Expression] | None":
    """Return the tests of the words, and the result of all for values that pass them; None if a word needs its call."""
    from mqconvert.converters.printed.nodes import Name, both  # noqa: PLC0415 - see words/__init__.py
    from mqconvert.converters.printed.templates import filled, named_once  # noqa: PLC0415 - the same

    test, made = first.quick or (None, first.inline)
    for before, word in pairwise((first, *others)):
        whole = _followed(made, "inline", before, [word])
        if whole is None and made is not None and word.quick is not None and word.of in ("", before.gives):
            test = both(test, named_once(word.quick[0], HANDED, made))
            whole = filled(word.quick[1], {"0": Name(HANDED)})
        made = whole
    return None if test is None or made is None else (test, made)


def _followed(made: "Expression | None", fact: str, before: Transform, others: list[Transform]) -> "Expression | None":
    from mqconvert.converters.printed.nodes import Hole  # noqa: PLC0415 - see words/__init__.py
    from mqconvert.converters.printed.templates import filled, uses  # noqa: PLC0415 - the same

    for word in others:
        following: Expression | None = (word.utf8 if fact == "utf8" else None) or word.inline_for(before.gives)
        before = word
        if made is None or following is None or (uses(following, "0") > 1 and not isinstance(made, Hole)):
            return None
        made = filled(following, {"0": made})
    return made


CONDITIONS.composed = composed_condition
TRANSFORMS.composed = composed_transform
