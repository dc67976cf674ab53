"""One side of the race: converts messages from wire to wire, and prints the processor time.

    python benchmarks/runner.py ROOT CALL        ROOT holds the package mqconvert; CALL is one of CALLS

A line in, as for race.erl: `REPEATS SOURCE TARGET HEX...`. A line out: microseconds for all repeats, or `failed`.
"""

import sys
from time import process_time_ns
from typing import Any

sys.path.insert(0, sys.argv[1])

from mqconvert import Environment, MqConvertError, convert, decode, encode

ADDRESSED = Environment(address="orders/created")
"""The topic for targets of MQTT."""


def objects(repeats: int, source: str, target: str, wires: list[bytes]) -> None:
    """Decode, convert and encode each message, and read its report."""
    for _ in range(repeats):
        for wire in wires:
            made: Any = convert(decode(source, wire), to=target, environment=ADDRESSED)
            encode(made.message)
            made.report  # noqa: B018 - the benchmark includes the report


def transcoded(repeats: int, source: str, target: str, wires: list[bytes]) -> None:
    """Transcode each message. The report is not read."""
    from mqconvert import transcode  # noqa: PLC0415 - older commits have none

    for _ in range(repeats):
        for wire in wires:
            transcode(wire, target, source=source, environment=ADDRESSED)


def reported(repeats: int, source: str, target: str, wires: list[bytes]) -> None:
    """Transcode each message, and read its report."""
    from mqconvert import transcode  # noqa: PLC0415 - as above

    for _ in range(repeats):
        for wire in wires:
            transcode(wire, target, source=source, environment=ADDRESSED).report  # noqa: B018 - as above


CALLS = {"objects": objects, "transcode": transcoded, "report": reported}


def spent(call: str, repeats: int, source: str, target: str, wires: list[bytes]) -> int:
    """Return microseconds of processor time."""
    start = process_time_ns()
    CALLS[call](repeats, source, target, wires)
    return (process_time_ns() - start) // 1000


def main() -> None:
    for line in sys.stdin:
        repeats, source, target, *words = line.split()
        try:
            answer = str(spent(sys.argv[2], int(repeats), source, target, [bytes.fromhex(word) for word in words]))
        except MqConvertError:
            answer = "failed"
        print(answer, flush=True)


if __name__ == "__main__":
    main()
