"""The differences of two answers to the same message, place by place."""

from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from tests.oracle.wire import View

ENTRIES = (
    "delivery_annotations",
    "message_annotations",
    "application_properties",
    "footer",
    "basic.headers",
    "user_properties",
)


@dataclass(frozen=True, slots=True)
class Difference:
    """RabbitMQ's and the library's value of one place, or of the entry of a key there; None for no value.

    A value is `(type, value)`.
    """

    place: str
    key: Any
    theirs: Any
    ours: Any

    def __str__(self) -> str:
        where = self.place if self.key is None else f"{self.place}[{self.key!r:.60}]"
        return f"{where}: RabbitMQ {_short(self.theirs)}, mqconvert {_short(self.ours)}"


def _short(value: Any) -> str:
    return "nothing" if value is None else f"{value!r:.300}"


def differences(theirs: View, ours: View) -> list[Difference]:
    """Return every difference, those of entries in their order; an empty list for equal answers."""
    if theirs == ours:
        return []
    found: list[Difference] = []
    for place in {**theirs, **ours}:
        one, other = theirs.get(place), ours.get(place)
        if one == other:
            continue
        if place.partition("#")[0] in ENTRIES:
            found += _of_entries(place, one or [], other or [])
        elif place == "payload" and one is not None and other is not None and one[0] == other[0] == "sections":
            found += [
                Difference(f"payload:{each.place}", each.key, each.theirs, each.ours) for each in differences(one[1], other[1])
            ]
        else:
            found.append(Difference(place, None, one, other))
    return found


def _of_entries(place: str, theirs: list[Any], ours: list[Any]) -> list[Difference]:
    """Return the differences of entries: outside the common runs they are paired by key, in order."""
    left: list[Any] = []
    right: list[Any] = []
    matcher = SequenceMatcher(None, [repr(each) for each in theirs], [repr(each) for each in ours], autojunk=False)
    for kind, start, end, from_, to in matcher.get_opcodes():
        if kind != "equal":
            left += theirs[start:end]
            right += ours[from_:to]
    found = []
    for key, value in left:
        match = next((each for each in right if each[0] == key), None)
        if match is not None:
            right.remove(match)
        found.append(Difference(place, key, value, None if match is None else match[1]))
    return found + [Difference(place, key, None, value) for key, value in right]
