"""Prepare brokers, run one until interrupted, or measure all of them: see the package."""

import contextlib
import signal
import sys
import time

from tests.interop.brokers import BROKERS, NoBrokerError

_ENDS = (signal.SIGINT, signal.SIGTERM)


def main(arguments: list[str]) -> int:
    """Return 0 when all is prepared, or the broker has ended; 1, and print the reason, without a broker; 2 for wrong usage."""
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
    """Start the brokers one by one, and print the time of each and the memory of all."""
    with contextlib.ExitStack() as stack:
        brokers = [stack.enter_context(BROKERS[name]()) for name in names]
        memory = sum(each.memory() for each in brokers)
    for each in brokers:
        print(f"{each.name}: up after {each.took:.0f} s")
    print(f"all: up after {sum(each.took for each in brokers):.0f} s, {memory / 1e9:.1f} GB")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
