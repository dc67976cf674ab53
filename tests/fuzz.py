"""Mutated inputs against the compiled modules of every protocol, under the address sanitizer: `make fuzz-native`.

The modules are compiled in a copy of the tree, build/fuzz, with gcc's -fsanitize=address. Every input is a message of other
software with some bytes changed. A decoder may answer or raise an error of the library. A decoded message is encoded again, and
converted to every other protocol and encoded there, which may only do the same. Any other error ends the run, and so does a
memory error that the sanitizer reports. A run of a million inputs writes benchmarks/fuzz.md.
"""

import argparse
import os
import platform
import random
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
COPY = ROOT / "build" / "fuzz"
FOLDERS = ("mqconvert", "app", "converters", "mappings", "scripts", "tests")
FLAGS = "-fsanitize=address -fno-omit-frame-pointer -g1"
PAGE = ROOT / "benchmarks" / "fuzz.md"
MILLION = 1_000_000
DECODED, CONVERTED, UNCONVERTED = "decoded", "converted", "not converted"
EDGES = (0, 1, 0x7F, 0x80, 0xFF)


def build() -> None:
    """Compile the modules and the functions of one profile with the sanitizer, in a copy of the tree."""
    shutil.rmtree(COPY, ignore_errors=True)
    for name in FOLDERS:
        unused = shutil.ignore_patterns("__pycache__", "*.so", "compiled.json", "web", "corpus_*")
        shutil.copytree(ROOT / name, COPY / name, symlinks=True, ignore=unused)
    environment = os.environ | {"CFLAGS": FLAGS, "MYPYC_OPT_LEVEL": "1"}
    subprocess.run([sys.executable, "scripts/speed/build.py", "--profile=documented"], cwd=COPY, env=environment, check=True)


def run(options: argparse.Namespace) -> None:
    """Run this script again, in the copy and under the sanitizer; write the page after a million inputs."""
    found = subprocess.run(["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True)
    command = [sys.executable, "-m", "tests.fuzz", "--within", "--inputs", str(options.inputs), "--seed", str(options.seed)]
    environment = os.environ | {
        "LD_PRELOAD": found.stdout.strip(),
        "ASAN_OPTIONS": "detect_leaks=0",
        "PYTHONMALLOC": "malloc",  # the sanitizer cannot see inside Python's own pools
        "PYTHONPATH": str(COPY),
        "PYTHONSAFEPATH": "1",
    }
    done = subprocess.run(command, cwd=COPY, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    print(done.stdout, end="")
    if done.returncode == 0 and options.inputs >= MILLION:
        PAGE.write_text(done.stdout)
    sys.exit(done.returncode)


def mutated(draw: random.Random, wire: bytes, others: list[bytes]) -> bytes:
    """Return the bytes with one to six changes."""
    data = bytearray(wire)
    for _ in range(draw.choice((1, 1, 1, 2, 3, 6))):
        at, kind = draw.randrange(len(data) + 1), draw.randrange(7)
        if kind <= 1 and at < len(data):
            data[at] = draw.choice(EDGES) if kind else draw.randrange(256)
        elif kind == 2 and at < len(data):
            data[at] ^= 1 << draw.randrange(8)
        elif kind == 3:
            del data[at : at + draw.choice((1, 2, 4, 16))]
        elif kind == 4:
            data[at:at] = draw.randbytes(draw.choice((1, 2, 4, 8)))
        elif kind == 5:
            del data[at:]
        else:
            other = draw.choice(others)
            start = draw.randrange(len(other) + 1)
            data[at : at + 8] = other[start : start + draw.choice((1, 4, 8, 32))]
    return bytes(data)


def converted(draw: random.Random, message: Any, targets: list[str], answers: Counter[str]) -> None:
    """Convert a message to every target, with choices by chance; encode and report the results."""
    from mqconvert import PAYLOADS, Environment, MqConvertError, convert, encode  # noqa: PLC0415 - from the copy

    address, payload, clock = draw.choice((None, "a/b")), draw.choice(PAYLOADS), draw.choice((None, 1))
    environment = Environment(address, payload=payload, escape=draw.random() < 0.5, clock=clock)
    for target in targets:
        try:
            done = convert(message, target, environment=environment)
            done.report.as_dict()
            encode(done.message)
            answers[CONVERTED] += 1
        except MqConvertError as error:
            if error.code == "row_failed":
                raise AssertionError(f"to {target}, {environment}") from error
            answers[UNCONVERTED] += 1


def fuzz(inputs: int, seed: int) -> None:
    """Decode this number of inputs, each of a protocol by chance, and print the page."""
    from mqconvert import PROTOCOLS, MqConvertError, decode, decode_all, encode  # noqa: PLC0415 - from the copy
    from mqconvert.compiled import RUNNING  # noqa: PLC0415 - as above
    from mqconvert.converters.protocols.calls import decode_frames, has_frames  # noqa: PLC0415 - as above
    from tests.converters.protocols.test_decoded_bytes import REPAIRS, seeds  # noqa: PLC0415 - as above

    if RUNNING != "compiled modules":
        sys.exit(f"fuzz-native: {RUNNING} run")
    draw, started = random.Random(seed), time.monotonic()
    names = list(PROTOCOLS)
    answers = {protocol: Counter[str]() for protocol in names}
    known = {protocol: seeds(protocol) for protocol in names}
    calls: dict[str, list[Callable[[str, bytes], Any]]]
    calls = {protocol: [decode, decode_all, *([decode_frames] if has_frames(protocol) else [])] for protocol in names}
    for number in range(inputs):
        protocol = draw.choice(names)
        wire = mutated(draw, draw.choice(known[protocol]), known[protocol])
        if draw.randrange(2):
            wire = REPAIRS.get(protocol, bytes)(wire) if len(wire) >= 4 else wire
        call = draw.choice(calls[protocol])
        try:
            made = call(protocol, wire)
            if call is decode:
                converted(draw, made, [name for name in names if name != protocol], answers[protocol])
                encode(made)
            answers[protocol][DECODED] += 1
        except MqConvertError as error:
            answers[protocol][error.code] += 1
        except BaseException:
            found = f"{call.__name__}({protocol!r}, bytes.fromhex({wire.hex()!r}))"
            print(f"input {number}, seed {seed}: {found}", file=sys.stderr, flush=True)
            raise
        if number % 100_000 == 99_999:
            print(f"{number + 1:,} inputs, {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
    print(page(answers, inputs, seed), end="")


def page(answers: dict[str, Counter[str]], inputs: int, seed: int) -> str:
    """Return the page of a run without faults, from the number of each answer by protocol."""
    lines = [
        "# Mutated inputs under the address sanitizer",
        "",
        f"Written by `make fuzz-native`: {inputs:,} inputs of seed {seed}, with no memory error and no error that is not the",
        "library's. Each is a message of other software with one to six changes, for the compiled decoders of one message, of",
        "all messages, or of frames. A message that `decode` returns is encoded again. It is also converted to the other seven",
        "protocols, with options by chance, and its report and its bytes are written.",
        f"CPython {platform.python_version()}, {platform.machine()}, gcc's `-fsanitize=address` on the modules",
        "and on the functions of the profile `documented`.",
        "",
        "| protocol | conversions done | refused | inputs decoded | refused | error codes | the most frequent |",
        "|---|---|---|---|---|---|---|",
    ]
    for protocol, counts in answers.items():
        decoded, done, not_done = counts.pop(DECODED, 0), counts.pop(CONVERTED, 0), counts.pop(UNCONVERTED, 0)
        often = ", ".join(f"`{code}` {count:,}" for code, count in counts.most_common(4))
        lines.append(f"| {protocol} | {done:,} | {not_done:,} | {decoded:,} | {counts.total():,} | {len(counts)} | {often} |")
    return "\n".join([*lines, ""])


def main() -> None:
    parser = argparse.ArgumentParser(description="Mutated inputs against the compiled decoders, under the address sanitizer.")
    parser.add_argument("--inputs", type=int, default=MILLION)
    parser.add_argument("--seed", type=int, default=15)
    parser.add_argument("--kept", action="store_true", help="use the modules of the last run")
    parser.add_argument("--within", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.within:
        fuzz(options.inputs, options.seed)
        return
    if not options.kept:
        build()
    run(options)


if __name__ == "__main__":
    main()
