"""Words made of others: places in `when`, as in `PLACE: A`, and transforms one after the other in `via`, as in `A then B`.

What `and`, `not` and `unless` join is made with the words themselves, in __init__.py.
"""

import ast
import re
from collections.abc import Callable
from functools import wraps
from typing import Any

from mqconvert.converters.words import TRANSFORMS, Loss, NotMine, Partial, Transform

_THEN = re.compile(r' then (?=(?:[^"]*"[^"]*")*[^"]*\Z)')
_PLACE = re.compile(
    r"(?:(?<=\A)|(?<=\Anot )|(?<=\Aunless )|(?<= and )|(?<= not )|(?<= unless ))"
    r"(@?[a-z0-9_]+(?:\.[a-z0-9_]+)?(?:\[[^\]]+\])?): "
)


def numbered(when: str, first: int) -> tuple[str, tuple[str, ...]]:
    """A condition with numbers for the places that it names, from `first` on, and those places.

    The numbers are those of the condition's arguments.

    >>> numbered("is 1 and not payload: utf8", 2)
    ('is 1 and not 2: utf8', ('payload',))
    """
    places = tuple(dict.fromkeys(_PLACE.findall(when)))
    return _PLACE.sub(lambda found: f"{first + places.index(found[1])}: ", when), places


def _known(name: str) -> Transform:
    found: Transform | None = TRANSFORMS.get(name)
    if found is None:
        raise ValueError(f"unknown transform {name!r}{TRANSFORMS.fault(name)}")
    return found


def composed_transform(name: str) -> dict[str, Any] | None:
    """The facts of `A then B`; None for any other name, ValueError where there is no A or B.

    >>> made = composed_transform("scale 2 then to-decimal") or {}
    >>> made["function"](3), made["inline"], made["gives"]
    ('6', 'str({0} * 2)', 'str')
    """
    names = _THEN.split(name)
    if len(names) == 1:
        return None
    first, *others = map(_known, names)
    several = [word.name for word in others if word.needs > 1]
    if several:
        raise ValueError(f"{several[0]!r} reads more than its value, which the first of several alone may do")

    @wraps(first.function)
    def in_turn(*given: Any) -> Any:
        made = first.function(*given)
        for word in others:
            made = _handed_on(word.function, made)
        return made

    last = others[-1]
    facts: dict[str, Any] = {
        "function": in_turn,
        "gives": last.gives,
        "fits": last.fits,
        "parts": (first, *others),
        "samples": first.samples,
    }
    facts["passes"] = any(word.passes for word in (first, *others))
    facts["loses"] = any(word.loses for word in (first, *others))
    for fact in ("inline", "utf8"):
        facts[fact] = _written(fact, first, others)
    return facts


def _written(fact: str, first: Transform, others: list[Transform]) -> str | None:
    """What is written out in place of a call, where each of the words has it. What they make of valid text is valid text."""
    made: str | None = getattr(first, fact) or first.inline
    for word in others:
        following: str | None = getattr(word, fact) or word.inline
        if made is None or following is None:
            return None
        plain = isinstance(
            ast.parse(made.format("value"), mode="eval").body, ast.Name | ast.Call | ast.Attribute | ast.Constant
        )
        inside = plain or following.count("{0}") == following.count("({0})")
        made = following.replace("{0}", made if inside else f"({made})")
    return made


def _handed_on(function: Callable[[Any], Any], made: Any) -> Any:
    """What the next word makes; of two partial values the reason of the first is told."""
    if made.__class__ is not Partial:
        return made if made.__class__ is Loss or made.__class__ is NotMine else function(made)
    following = function(made.value)
    if isinstance(following, Loss | NotMine):
        return following
    return Partial(following.value if isinstance(following, Partial) else following, made.reason)


TRANSFORMS.composed = composed_transform
