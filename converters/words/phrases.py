"""Words made of others. In `when`: `A and B`, `not A`, and `PLACE: A`, which asks A of what stands at another place than the
row's own. In `via`: `A then B`, which hands to B what A makes. Text in double quotes stays whole.
"""

import ast
import re
from collections.abc import Callable
from functools import wraps
from inspect import Parameter, Signature
from typing import Any

from mqconvert.converters.words import CONDITIONS, TRANSFORMS, Loss, NotMine, Partial, Transform, W, Words

_QUOTED = r'(?=(?:[^"]*"[^"]*")*[^"]*\Z)'
_AND, _THEN = re.compile(rf" and {_QUOTED}"), re.compile(rf" then {_QUOTED}")
_PLACE = re.compile(r"(not )?(@?[a-z0-9_]+(?:\.[a-z0-9_]+)?(?:\[[^\]]+\])?): (.+)\Z")
_NUMBERED = re.compile(r"([0-9]+): (.+)\Z")


def numbered(when: str, first: int) -> tuple[str, tuple[str, ...]]:
    """A condition with numbers for the places that it names, from `first` on, and those places.

    The numbers are those of the condition's arguments.

    >>> numbered("is 1 and not payload: utf8", 2)
    ('is 1 and not 2: utf8', ('payload',))
    """
    places: list[str] = []
    parts = []
    for part in _AND.split(when):
        named = _PLACE.match(part)
        if named is None:
            parts.append(part)
            continue
        contrary, place, asked = named.groups("")
        if place not in places:
            places.append(place)
        parts.append(f"{contrary}{first + places.index(place)}: {asked}")
    return " and ".join(parts), tuple(places)


def _known(words: Words[W], name: str, kind: str) -> W:
    found: W | None = words.get(name)
    if found is None:
        raise ValueError(f"unknown {kind} {name!r}{words.fault(name)}")
    return found


def _wide(function: Callable[..., Any], width: int) -> Callable[..., Any]:
    """A function that says how many arguments it takes."""
    parameters = [Parameter(f"argument_{index}", Parameter.POSITIONAL_ONLY) for index in range(width)]
    function.__signature__ = Signature(parameters)  # type: ignore[attr-defined]  # which inspect looks for
    return function


def composed_condition(name: str) -> dict[str, Any] | None:
    """The facts of `A and B`, `not A` and `N: A`; None for any other name, ValueError where there is no A or B.

    >>> made = composed_condition("1: is 5 and not is 6")
    >>> made["function"](5, 5), made["function"](6, 5), made["function"](5, 6)
    (True, False, False)
    """
    names, at = _AND.split(name), _NUMBERED.match(name)
    before = 0
    if len(names) > 1:
        form = "and"
    elif name.startswith("not "):
        form, names = "not", [name[4:]]
    elif at is not None:
        form, names, before = "at", [at[2]], int(at[1])
    else:
        return None
    parts = tuple(_known(CONDITIONS, part, "condition") for part in names)
    wanted = form != "not"

    def asked(*given: Any) -> bool:
        return all(bool(part.function(*given[before : before + part.takes])) is wanted for part in parts)

    samples = {} if before else {case: value for part in parts for case, value in part.samples.items()}
    width = before + max(part.takes for part in parts)
    return {"function": _wide(asked, width), "form": form, "parts": parts, "before": before, "samples": samples}


def composed_transform(name: str) -> dict[str, Any] | None:
    """The facts of `A then B`; None for any other name, ValueError where there is no A or B."""
    names = _THEN.split(name)
    if len(names) == 1:
        return None
    first, *others = (_known(TRANSFORMS, part, "transform") for part in names)
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
    facts: dict[str, Any] = {"function": in_turn, "gives": last.gives, "fits": last.fits, "samples": first.samples}
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
    if isinstance(made, Loss | NotMine):
        return made
    if not isinstance(made, Partial):
        return function(made)
    following = function(made.value)
    if isinstance(following, Loss | NotMine):
        return following
    return Partial(following.value if isinstance(following, Partial) else following, made.reason)


CONDITIONS.composed = composed_condition
TRANSFORMS.composed = composed_transform
