"""Decode and encode of the four brokers against commit 1a3c9b7, in turn: `make bench-codecs` writes broker_codecs.md.

In every round each runner decodes and encodes the same messages: the compiled modules, the sources, and the sources of that
commit. Compare only the ratios: all runners share one noisy machine. `python benchmarks/broker_codecs.py ROOT` is a runner with
the package in the folder ROOT.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from os import environ
from pathlib import Path
from time import process_time_ns
from typing import Any

ROOT = Path(__file__).parents[1]
BEFORE = "1a3c9b7"
"""The commit before anything was compiled."""
CALLS = 200


def serve(root: str) -> None:
    """Answer lines `PROTOCOL decode|encode HEX` with the nanoseconds of processor time of a call."""
    sys.path.insert(0, root)
    from mqconvert import decode, encode  # noqa: PLC0415 - from the folder on the path

    timed: dict[str, Callable[[], Any]] = {}
    for line in sys.stdin:
        if line not in timed:
            protocol, way, digits = line.split()
            wire = bytes.fromhex(digits)
            timed[line] = _call(decode, encode, protocol, wire, way)
            for _ in range(CALLS):
                timed[line]()
        function = timed[line]
        start = process_time_ns()
        for _ in range(CALLS):
            function()
        print((process_time_ns() - start) // CALLS, flush=True)


def _call(decode: Callable[..., Any], encode: Callable[..., Any], protocol: str, wire: bytes, way: str) -> Callable[[], Any]:
    if way == "decode":
        return lambda: decode(protocol, wire)
    message = decode(protocol, wire)
    return lambda: encode(message)


class Runner:
    """A process that calls codecs and prints the processor time."""

    def __init__(self, root: Path, **variables: str) -> None:
        site = next(path for path in sys.path if path.endswith("site-packages"))
        self.process = subprocess.Popen(
            [sys.executable, "-S", __file__, str(root)],
            env={**environ, "PYTHONPATH": site, "PYTHONSAFEPATH": "1", **variables},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="ascii",
        )

    def spent(self, line: str) -> int:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())


def main() -> None:
    parser = argparse.ArgumentParser(description="The codecs of the brokers, against an older commit.")
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--root", type=Path, default=ROOT, help="the folder with the compiled modules")
    options = parser.parse_args()
    import brokers  # noqa: PLC0415 - a runner must import mqconvert from its own folder
    from measure import machine  # noqa: PLC0415 - in this folder

    with ExitStack() as ends:
        folder = Path(ends.enter_context(tempfile.TemporaryDirectory()))
        archive = subprocess.run(["git", "archive", BEFORE], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
        subprocess.run(["tar", "-x", "-C", str(folder)], input=archive, check=True)
        runners = {"compiled": Runner(options.root), "sources": Runner(ROOT, MQCONVERT_PURE="1"), BEFORE: Runner(folder)}
        for runner in runners.values():
            ends.enter_context(runner.process)
        rows = []
        for name, (protocol, wire) in brokers.WIRES.items():
            for way in ("decode", "encode"):
                line = f"{protocol} {way} {wire.hex()}"
                turns = [{side: runner.spent(line) for side, runner in runners.items()} for _ in range(options.rounds)]
                best = {side: min(turn[side] for turn in turns) / 1000 for side in runners}
                compiled = best[BEFORE] / best["compiled"]
                sources = best[BEFORE] / best["sources"]
                rows.append((name, way, best, compiled, sources))
        for runner in runners.values():
            assert runner.process.stdin is not None
            runner.process.stdin.close()
    lines = [
        "# The codecs of the brokers",
        "",
        f"Written by `make bench-codecs`. {machine()}, one run; microseconds of processor time, of {options.rounds} turns the",
        f"fastest. Ratios: how many times as fast as {BEFORE}, the commit before anything was compiled.",
        "",
        f"| message | call | compiled | sources | {BEFORE} | ratio, compiled | ratio, sources |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, way, best, compiled, sources in rows:
        figures = " | ".join(f"{best[side]:.2f}" for side in runners)
        lines.append(f"| {name} | {way} | {figures} | {compiled:.2f} | {sources:.2f} |")
    middle = statistics.median(row[3] for row in rows), statistics.median(row[4] for row in rows)
    lines += ["", f"Median: compiled {middle[0]:.2f}, sources {middle[1]:.2f}.", ""]
    print("\n".join(lines))
    if options.root == ROOT:
        Path(__file__).with_suffix(".md").write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) == 2 and not sys.argv[1].startswith("-"):
        serve(sys.argv[1])
    else:
        main()
