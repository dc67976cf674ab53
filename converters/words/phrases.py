"""Compound words. Text in double quotes is not split.

In `when`: `A and B`, `not A`, and `PLACE: A`, which applies A to the value of another place than the row's own, or of several:
`PLACE, PLACE: A`. In `via`: `A then B`, which hands the result of A to B.
"""

import re
from math import prod

from mqconvert.converters.printed.nodes import Expression, Hole, opposite
from mqconvert.converters.printed.templates import filled, uses
from mqconvert.converters.words import CONDITIONS, TRANSFORMS, Transform
from mqconvert.converters.words.answers import InTurn
from mqconvert.converters.words.scanning import parted, split_at

_ONE = r"@?[a-z0-9_]+(?:\.[a-z0-9_]+)?(?:\[[^\]]+\])?"
PLACES = re.compile(rf"(not )?({_ONE}(?:, {_ONE})*): (.+)\Z", re.DOTALL)
"""A condition of the values at other places."""
_NUMBERED = re.compile(r"([0-9]+(?:, [0-9]+)*): (.+)\Z", re.DOTALL)


def parts_of(when: str) -> list[str]:
    """Return the conditions of a text and the joint between them, in turn."""
    return parted(when, "and")


def numbered(when: str, first: int, *, valued: bool = True) -> tuple[str, tuple[str, ...]]:
    """Return a condition with numbers for the places that it names, from `first` on, and those places.

    The numbers are those of the condition's arguments. Number 0 is the value of the row itself, `@value`, if it is `valued`.

    >>> numbered("is 1 and not payload, @value: utf8", 2)
    ('is 1 and not 2, 0: utf8', ('payload',))
    """
    places: list[str] = []

    def number(place: str) -> str:
        if place == "@value" and valued:
            return "0"
        if place not in places:
            places.append(place)
        return str(first + places.index(place))

    parts = parts_of(when)
    for at, named in enumerate(map(PLACES.match, parts)):
        if named is not None:
            contrary, known, asked = named.groups("")
            parts[at] = f"{contrary}{', '.join(map(number, known.split(', ')))}: {asked}"
    return "".join(parts), tuple(places)


def composed_condition(name: str) -> dict[str, object] | None:
    """Return the facts of `A and B`, `not A` or `N: A`; None for other names.

    >>> made = composed_condition("at-least 5 and not is 6")
    >>> made["function"](5), made["function"](6), made["function"](4)
    (True, False, False)
    """
    names, at = split_at(name, "and"), _NUMBERED.match(name)
    places: tuple[int, ...] = ()
    if len(names) > 1:
        form = "and"
    elif name.startswith("not "):
        form, names = "not", [name[4:]]
    elif at is not None:
        form, names, places = "at", [at[2]], tuple(map(int, at[1].split(", ")))
    else:
        return None
    parts = tuple(CONDITIONS.known(part) for part in names)
    if places and not parts[0].needs <= len(places) <= parts[0].takes:
        raise ValueError(f"{parts[0].name} looks at {parts[0].needs}, and {len(places)} places stand before it")
    wanted = form != "not"

    def asked(*given: object) -> bool:
        seen = [given[place] for place in places] if places else given
        return all(bool(part.function(*seen[: part.takes])) is wanted for part in parts)

    takes = 1 + max(places) if places else max(part.takes for part in parts)
    inline = parts[0].inline if form == "not" else None  # the other forms are joined where they are written
    return {
        "function": asked,
        "inline": None if inline is None else opposite(inline),
        "form": form,
        "parts": parts,
        "places": places,
        "samples": {} if places else {case: value for part in parts for case, value in part.samples.items()},
        "takes": takes,
        "needs": takes if places else max(part.needs for part in parts),
    }


def composed_transform(name: str) -> dict[str, object] | None:
    """Return the facts of `A then B`; None for any other name, ValueError for an unknown A or B.

    >>> made = composed_transform("scale 2 then to-decimal") or {}
    >>> made["function"](3), made["gives"]
    ('6', 'str')
    """
    names = split_at(name, "then")
    if len(names) == 1:
        return None
    first, *others = (TRANSFORMS.known(part) for part in names)
    several = [word.name for word in others if word.needs > 1]
    if several:
        raise ValueError(f"{several[0]!r} reads more than its value, which the first of several alone may do")

    parts = (first, *others)
    return {
        "function": InTurn(first.function, [word.function for word in others]),
        "takes": first.takes,
        "needs": first.needs,
        "inline": _written("inline", first, others),
        "utf8": _written("utf8", first, others),
        "gives": others[-1].gives,
        "fits": others[-1].fits,
        "passes": any(word.passes for word in parts),
        "loses": any(word.loses for word in parts),
        "parts": parts,
        "grows": prod(word.grows for word in parts),
        "head": f"{first.head} then {others[-1].head}",
        "samples": first.samples,
    }


def _written(fact: str, first: Transform, others: list[Transform]) -> Expression | None:
    """Return the expression of joined words, if each word has one, keeps valid text valid, and computes its value once."""
    made: Expression | None = getattr(first, fact) or first.inline
    for word in others:
        following: Expression | None = getattr(word, fact) or word.inline
        if made is None or following is None or (uses(following, "0") > 1 and not isinstance(made, Hole)):
            return None
        made = filled(following, {"0": made})
    return made


CONDITIONS.composed = composed_condition
TRANSFORMS.composed = composed_transform
