"""How things are timed here: side by side in one run, because machines differ and are noisy. Only that lives here."""

import platform
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from time import perf_counter_ns


def fastest(functions: dict[str, Callable[[], object]], *, rounds: int = 150, calls: int = 200) -> dict[str, float]:
    """Microseconds a call: of `rounds` turns, in which every function runs `calls` times, the fastest turn of each."""
    best = dict.fromkeys(functions, float("inf"))
    for function in functions.values():
        for _ in range(calls):
            function()
    for _ in range(rounds):
        for name, function in functions.items():
            start = perf_counter_ns()
            for _ in range(calls):
                function()
            best[name] = min(best[name], (perf_counter_ns() - start) / calls / 1000)
    return best


@dataclass(frozen=True, slots=True)
class Row:
    """One comparison. `ratio` is what the bound is about; the sentences say what was measured against what."""

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
    machine = f"CPython {platform.python_version()}, {platform.machine()}, one run, each figure the fastest of many turns."
    return "\n".join([f"## {title}", "", machine, "", head, *map(str, rows), ""])
