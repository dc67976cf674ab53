"""One side of the race: converts messages from wire to wire with a report, and prints the processor time.

    python benchmarks/runner.py ROOT        ROOT holds the package mqconvert

A line in, as for race.erl: `REPEATS SOURCE TARGET HEX...`. A line out: microseconds for all repeats, or `failed`.
"""

import sys
from time import process_time_ns
from typing import Any

sys.path.insert(0, sys.argv[1])

from mqconvert import Environment, MqConvertError, convert, decode, encode

ADDRESSED = Environment(address="orders/created")
"""The topic for targets of MQTT."""


def spent(repeats: int, source: str, target: str, wires: list[bytes]) -> int:
    """Return microseconds of processor time."""
    start = process_time_ns()
    for _ in range(repeats):
        for wire in wires:
            made: Any = convert(decode(source, wire), to=target, environment=ADDRESSED)
            encode(made.message)
            made.report  # noqa: B018 - the benchmark includes the report
    return (process_time_ns() - start) // 1000


def main() -> None:
    for line in sys.stdin:
        repeats, source, target, *words = line.split()
        try:
            answer = str(spent(int(repeats), source, target, [bytes.fromhex(word) for word in words]))
        except MqConvertError:
            answer = "failed"
        print(answer, flush=True)


if __name__ == "__main__":
    main()
