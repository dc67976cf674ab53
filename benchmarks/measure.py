"""Timing side by side in one run, since machines differ and are noisy, and in processor time, which other load affects less."""

import platform
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from time import process_time_ns


def fastest(functions: dict[str, Callable[[], object]], *, rounds: int = 150, calls: int = 200) -> dict[str, float]:
    """Return microseconds of processor time a call, from the fastest of `rounds` turns with `calls` calls of each function."""
    best = dict.fromkeys(functions, float("inf"))
    for function in functions.values():
        for _ in range(calls):
            function()
    for _ in range(rounds):
        for name, function in functions.items():
            start = process_time_ns()
            for _ in range(calls):
                function()
            best[name] = min(best[name], (process_time_ns() - start) / calls / 1000)
    return best


def seconds(run: Callable[[], object], turns: int) -> float:
    """Return the processor time of the fastest of `turns` runs, including processes that it started and waited for."""
    best = float("inf")
    for _ in range(turns):
        before = _spent()
        run()
        best = min(best, _spent() - before)
    return best


def _spent() -> float:
    usages = getrusage(RUSAGE_SELF), getrusage(RUSAGE_CHILDREN)
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


@dataclass(frozen=True, slots=True)
class Row:
    """One comparison. The bound applies to `ratio`; the sentences name both sides."""

    what: str
    against: str
    figure: str
    ratio: float | None = None
    wanted: str = ""

    def __str__(self) -> str:
        ratio = "" if self.ratio is None else f"{self.ratio:.2f}"
        return f"| {self.what} | {self.against} | {self.figure} | {ratio} | {self.wanted} |"


def page(title: str, rows: Iterable[Row]) -> str:
    head = "| what | against | measured | ratio | wanted |\n|---|---|---|---|---|"
    how = f"{machine()}, one run; processor time, of many turns the fastest."
    return "\n".join([f"## {title}", "", how, "", head, *map(str, rows), ""])


def machine() -> str:
    return f"CPython {platform.python_version()}, {platform.machine()}"
