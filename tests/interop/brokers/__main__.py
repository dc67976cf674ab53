"""Prepare brokers, run one until interrupted, or measure all of them: see the package."""

import contextlib
import os
import re
import signal
import sys
import time
from pathlib import Path

from tests.interop.brokers import BROKERS, NoBrokerError

_ENDS = (signal.SIGINT, signal.SIGTERM)


def main(arguments: list[str]) -> int:
    """0 when all is prepared, or the broker has ended; 1, and the reason, where there is none; 2 for wrong usage."""
    command, names = (arguments or [""])[0], arguments[1:]
    if command not in ("prepare", "run", "measure") or not set(names) <= set(BROKERS) or (command == "run" and len(names) != 1):
        print(
            "usage: python -m tests.interop.brokers prepare [NAME ...] | run NAME | measure [NAME ...];"
            f" NAME: {', '.join(BROKERS)}",
            file=sys.stderr,
        )
        return 2
    try:
        if command == "prepare":
            for name in names or BROKERS:
                start = time.monotonic()
                BROKERS[name].prepare()
                print(f"{name}: prepared ({time.monotonic() - start:.0f} s)", flush=True)
            return 0
        if command == "measure":
            measure(names or list(BROKERS))
            return 0
        with BROKERS[names[0]]() as broker:
            signal.pthread_sigmask(signal.SIG_BLOCK, _ENDS)
            print(f"{broker.host}", *(f"{name}:{port}" for name, port in broker.port.items()), flush=True)
            signal.sigwait(_ENDS)
    except NoBrokerError as reason:
        print(reason, file=sys.stderr)
        return 1
    return 0


def measure(names: list[str]) -> None:
    """Start the brokers one after the other, and print how long each took and the memory of all."""
    start = time.monotonic()
    with contextlib.ExitStack() as stack:
        for name in names:
            began = time.monotonic()
            stack.enter_context(BROKERS[name]())
            print(f"{name}: up ({time.monotonic() - began:.0f} s)", flush=True)
        memory = sum(map(_memory, _below(os.getpid())))
        print(f"all: up ({time.monotonic() - start:.0f} s), {memory / 1_000_000:.1f} GB", flush=True)


def _below(process: int) -> list[int]:
    """The processes that one started, and those that they started."""
    children = map(int, Path(f"/proc/{process}/task/{process}/children").read_text().split())
    return [each for child in children for each in (child, *_below(child))]


def _memory(process: int) -> int:
    """Its resident memory in kilobytes, what it shares divided among those that share it."""
    found = re.search(r"^Pss: +(\d+)", Path(f"/proc/{process}/smaps_rollup").read_text(), re.MULTILINE)
    return int(found[1]) if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
