"""Compound words. Text in double quotes is not split.

In `when`: `A and B`, `A or B` (which binds least), `not A`, `A unless B` (A, and not all of B), and `PLACE: A`, which applies A
to the value of another place than the row's own, or of several: `PLACE, PLACE: A`. In `via`: `A then B`, which hands the result
of A to B, and `A but C "WHY"`, which notes the loss WHY where condition C holds for the result of A.
"""

import re
from functools import wraps
from math import prod

from mqconvert.converters.printed.nodes import Expression, Hole, opposite
from mqconvert.converters.printed.templates import filled, uses
from mqconvert.converters.words import CONDITIONS, TRANSFORMS, Partial, Transform, kept
from mqconvert.converters.words.answers import InTurn
from mqconvert.converters.words.scanning import last_quoted, parted, split_at

JOINTS = ("and", "or", "unless")
"""The joints of conditions: `unless` stands before conditions that must not all hold, and may begin a text."""
_ONE = r"@?[a-z0-9_]+(?:\.[a-z0-9_]+)?(?:\[[^\]]+\])?"
PLACES = re.compile(rf"(not )?({_ONE}(?:, {_ONE})*): (.+)\Z", re.DOTALL)
"""A condition of the values at other places."""
_NUMBERED = re.compile(r"([0-9]+(?:, [0-9]+)*): (.+)\Z", re.DOTALL)


def parts_of(when: str) -> list[str]:
    """Return the conditions of a text and the joints between them, in turn."""
    return parted(when, JOINTS, leading="unless")


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
    """Return the facts of `A and B`, `A or B`, `not A`, `A unless B` or `N: A`; None for other names.

    >>> made = composed_condition("1: is 5 unless is 6")
    >>> made["function"](5, 5), made["function"](6, 5), made["function"](5, 6)
    (True, False, False)
    """
    either, at = split_at(name, "or"), _NUMBERED.match(name)
    every, *never = parted(name, ("unless",), leading="unless")
    names = split_at(name, "and")
    places: tuple[int, ...] = ()
    if len(either) > 1:
        form, names = "or", either
    elif never:
        form, names = ("and", [every, f"unless {''.join(never[1:])}"]) if every else ("not", ["".join(never[1:])])
    elif len(names) > 1:
        form = "and"
    elif name.startswith("not "):
        form, names = "not", [name[4:]]
    elif at is not None:
        form, names, places = "at", [at[2]], tuple(map(int, at[1].split(", ")))
    else:
        return None
    if places and _NUMBERED.match(names[0]):
        raise ValueError("a place stands before another one")
    parts = tuple(CONDITIONS.known(part) for part in names)
    if places and not parts[0].needs <= len(places) <= parts[0].takes:
        raise ValueError(f"{parts[0].name} looks at {parts[0].needs}, and {len(places)} places stand before it")
    wanted, enough = form != "not", any if form == "or" else all

    def asked(*given: object) -> bool:
        seen = [given[place] for place in places] if places else given
        return enough(bool(part.function(*seen[: part.takes])) is wanted for part in parts)

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
    """Return the facts of `A then B` and `A but C "WHY"`; None for any other name, ValueError for an unknown A, B or C.

    >>> made = composed_transform("scale 2 then to-decimal") or {}
    >>> made["function"](3), made["gives"]
    ('6', 'str')
    >>> made = composed_transform('scale 2 but at-least 4 "its size"') or {}
    >>> made["function"](1), made["function"](3)
    (2, Partial(value=6, reason='its size'))
    """
    name, *losses = split_at(name, "but")
    if losses:
        return _but(TRANSFORMS.known(name), losses)
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


def _but(via: Transform, losses: list[str]) -> dict[str, object]:
    """Return the facts of `A but C "WHY"`: the first condition that holds gives the reason."""
    reasons = []
    for text in losses:
        asked, reason = last_quoted(text) or ("", "")
        if not reason or (condition := CONDITIONS.known(asked)).needs > 1:
            raise ValueError(f"{text!r} is not a condition of one value with its reason in double quotes")
        reasons.append((condition.function, reason))

    @wraps(via.function)
    def told(*given: object) -> object:
        made = via.function(*given)
        found = kept(made)
        held = None if found is None else next((reason for asked, reason in reasons if asked(found)), None)
        return made if held is None else Partial(found, held)

    return {
        "function": told,
        "head": via.head,
        "grows": via.grows,
        "gives": via.gives,
        "passes": via.passes,
        "loses": True,
        "samples": via.samples,
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
