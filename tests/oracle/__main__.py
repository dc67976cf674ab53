"""`make oracle` converts random messages by RabbitMQ's own code and by the library, and accepts only known differences.

    python -m tests.oracle [--cases N] [--seed N] [--case TEXT]

`--case` judges one message, in the format of printed reproductions.
"""

import argparse
import random
import sys
import time

from tests.interop.brokers import NoBrokerError
from tests.oracle.deviations import DEVIATIONS, explanation
from tests.oracle.generate import question
from tests.oracle.judge import Case, Item, judged
from tests.oracle.peer import Peer, Question, started
from tests.oracle.shrink import shrunk
from tests.oracle.tally import Tally
from tests.oracle.wire import View

BATCH = 1000
MOST_SHOWN = 5
"""A run ends after this number of reproductions."""


def main(arguments: list[str]) -> int:
    """Return 0 when every difference is known and every known difference was seen, else 1."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracle", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=None, help="default: another one every run")
    parser.add_argument("--case", help="one message")
    options = parser.parse_args(arguments)
    seed = random.SystemRandom().randrange(2**32) if options.seed is None else options.seed
    try:
        with started() as peer:
            if options.case:
                return show(peer, Question.read(options.case))
            print(f"oracle: {options.cases} cases, seed {seed}", flush=True)
            return witnesses(peer) or run(peer, options.cases, seed)
    except NoBrokerError as reason:
        print(f"no oracle: {reason}", file=sys.stderr)
        return 1


def show(peer: Peer, asked: Question) -> int:
    """Print one message, its answers and its items."""
    (case,) = judged(peer, [asked])
    print(told(case, [item for item in case.items if explanation(case, item) is None]))
    for item in case.items:
        known = explanation(case, item)
        print(f"  {item}: {'NOT KNOWN' if known is None else f'{known.name}: {known.reason}'}")
    return int(any(explanation(case, item) is None for item in case.items))


def witnesses(peer: Peer) -> int:
    """Return 1 unless the witness of each known deviation shows that deviation only; print the others."""
    cases = judged(peer, [Question.read(each.witness) for each in DEVIATIONS])
    wrong = 0
    for each, case in zip(DEVIATIONS, cases, strict=True):
        names = {getattr(explanation(case, item), "name", str(item)) for item in case.items}
        if names != {each.name}:
            wrong = 1
            print(f"{each.name}: its witness shows {sorted(names) or 'no deviation'}\n{told(case, case.items)}\n")
    return wrong


def run(peer: Peer, count: int, seed: int) -> int:
    """Judge the messages of a seed; return 1 for unknown differences or wrong counts, else 0."""
    tally, shown, start = Tally(), 0, time.monotonic()
    for first in range(0, count, BATCH):
        numbers = range(first, min(first + BATCH, count))
        for number, case in zip(numbers, judged(peer, [question(seed, each) for each in numbers]), strict=True):
            unknown = tally.add(case)
            if unknown:
                shown += 1
                print(f"case {number} of seed {seed} differs in a way that tests/oracle/deviations.py does not list\n")
                print(reproduction(peer, case.question, unknown[0]), flush=True)
            if shown == MOST_SHOWN:
                return 1
    complaints = tally.complaints()
    print(
        "\n".join(complaints) or f"{tally.equal} equal, {len(DEVIATIONS)} known deviations in the other {count - tally.equal}"
    )
    print(f"{time.monotonic() - start:.0f} s")
    return int(bool(shown or complaints))


def reproduction(peer: Peer, asked: Question, item: Item) -> str:
    """Return the smallest message found that differs in the same way, with both answers."""

    def unknown(smaller: Question) -> list[Item]:
        (case,) = judged(peer, [smaller])
        return [each for each in case.items if explanation(case, each) is None and alike(each, item)]

    small = shrunk(asked, lambda smaller: bool(unknown(smaller)))
    (case,) = judged(peer, [small])
    return told(case, unknown(small))


def alike(item: Item, other: Item) -> bool:
    """Return whether two items are of the same kind: they may differ in keys and values."""
    names = ("place", "why", "code")
    return type(item) is type(other) and all(getattr(item, name, None) == getattr(other, name, None) for name in names)


def told(case: Case, items: list[Item]) -> str:
    """Return a case as text for people: the message, both answers, the report, and these items."""
    lines = [f"  --case '{case.question}'", f"  message    {_plain(case.source())}"]
    lines += [f"  RabbitMQ   {case.error}"] if case.error else []
    lines += [f"  RabbitMQ   {_plain(case.theirs)}", f"  mqconvert  {_plain(case.ours)}"]
    if case.report is not None:
        lines += [f"  {word:10} {line.as_dict()}" for word in ("lost", "dropped") for line in getattr(case.report, word)]
    return "\n".join([*lines, *(f"  * {item}" for item in items)]) + "\n"


def _plain(view: View | None) -> str:
    if view is None:
        return "none"
    return "\n             ".join(f"{place}: {value!r:.1000}" for place, value in view.items()) or "nothing"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
