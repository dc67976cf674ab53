"""The number of cases of each known deviation, and complaints about numbers far from the expected ones."""

from collections import Counter
from collections.abc import Iterable
from math import sqrt

from tests.oracle.deviations import DEVIATIONS, Deviation, explanation
from tests.oracle.judge import Case, Item

OF = 100_000
"""The number of cases that `expected` refers to."""


class Tally:
    """The cases of one run, counted by the deviations that explain their items."""

    def __init__(self) -> None:
        self.cases = 0
        self.equal = 0
        self.seen: Counter[str] = Counter()

    def add(self, case: Case) -> list[Item]:
        """Count a case, and return its unexplained items."""
        found = [(item, explanation(case, item)) for item in case.items]
        self.cases += 1
        self.equal += not found
        self.seen.update({deviation.name for _, deviation in found if deviation is not None})
        return [item for item, deviation in found if deviation is None]

    def complaints(self, deviations: Iterable[Deviation] = DEVIATIONS) -> list[str]:
        """Return a line for each deviation whose number is not near the expected one."""
        wrong = []
        for each in deviations:
            least, most = bounds(each.expected * self.cases / OF)
            if not least <= self.seen[each.name] <= most:
                wrong.append(f"{each.name}: seen {self.seen[each.name]} times, expected {least} to {most}")
        return wrong


def bounds(mean: float) -> tuple[int, int]:
    """Return the accepted range: half to twice the mean, extended by three standard deviations.

    >>> bounds(100), bounds(2), bounds(0)
    ((20, 231), (0, 9), (0, 1))
    """
    chance = 3 * sqrt(mean)
    return max(0, int(mean / 2 - chance)), int(2 * mean + chance) + 1
