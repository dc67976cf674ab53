"""Mutated inputs against the compiled decoders of every protocol, under the address sanitizer: `make fuzz-native`.

The modules are compiled in a copy of the tree, build/fuzz, with gcc's -fsanitize=address. Every input is a message of other
software with some bytes changed. A decoder may answer or raise an error of the library. Any other error ends the run, and so
does a memory error that the sanitizer reports. The last line has the number of inputs.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
COPY = ROOT / "build" / "fuzz"
FOLDERS = ("mqconvert", "app", "converters", "mappings", "scripts", "tests")
FLAGS = "-fsanitize=address -fno-omit-frame-pointer -g1"
EDGES = (0, 1, 0x7F, 0x80, 0xFF)


def build() -> None:
    """Compile the models and codecs with the sanitizer, in a copy of the tree."""
    shutil.rmtree(COPY, ignore_errors=True)
    for name in FOLDERS:
        unused = shutil.ignore_patterns("__pycache__", "*.so", "compiled.json", "web", "corpus_*")
        shutil.copytree(ROOT / name, COPY / name, symlinks=True, ignore=unused)
    environment = os.environ | {"CFLAGS": FLAGS, "MYPYC_OPT_LEVEL": "1"}
    groups = [f"--group={name}" for name in ("model", "codecs", "brokers")]
    subprocess.run([sys.executable, "scripts/speed/build.py", *groups, "--profile=none"], cwd=COPY, env=environment, check=True)


def run(options: argparse.Namespace) -> None:
    """Run this script again, in the copy and under the sanitizer."""
    found = subprocess.run(["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True)
    command = [sys.executable, "-m", "tests.fuzz", "--within", "--inputs", str(options.inputs), "--seed", str(options.seed)]
    environment = os.environ | {
        "LD_PRELOAD": found.stdout.strip(),
        "ASAN_OPTIONS": "detect_leaks=0",
        "PYTHONMALLOC": "malloc",  # the sanitizer cannot see inside Python's own pools
        "PYTHONPATH": str(COPY),
        "PYTHONSAFEPATH": "1",
    }
    sys.exit(subprocess.run(command, cwd=COPY, env=environment, check=False).returncode)


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


def fuzz(inputs: int, seed: int) -> None:
    """Decode this number of inputs, in turn for every protocol."""
    from mqconvert import PROTOCOLS, MqConvertError, decode, decode_all  # noqa: PLC0415 - from the copy
    from mqconvert.compiled import RUNNING  # noqa: PLC0415 - as above
    from mqconvert.converters.protocols.calls import decode_frames, has_frames  # noqa: PLC0415 - as above
    from tests.converters.protocols.test_decoded_bytes import REPAIRS, seeds  # noqa: PLC0415 - as above

    if RUNNING != "compiled modules":
        sys.exit(f"fuzz-native: {RUNNING} run")
    draw, started, answers = random.Random(seed), time.monotonic(), Counter[str]()
    names = list(PROTOCOLS)
    known = {protocol: seeds(protocol) for protocol in names}
    calls = {protocol: [decode, decode_all, *([decode_frames] if has_frames(protocol) else [])] for protocol in names}
    for number in range(inputs):
        protocol = draw.choice(names)
        wire = mutated(draw, draw.choice(known[protocol]), known[protocol])
        if draw.randrange(2):
            wire = REPAIRS.get(protocol, bytes)(wire) if len(wire) >= 4 else wire
        call = draw.choice(calls[protocol])
        try:
            call(protocol, wire)
        except MqConvertError as error:
            answers[error.code] += 1
        except BaseException:
            print(f"input {number}, seed {seed}: {call.__name__}({protocol!r}, bytes.fromhex({wire.hex()!r}))", flush=True)
            raise
        else:
            answers["decoded"] += 1
        if number % 100_000 == 99_999:
            print(f"{number + 1:,} inputs, {time.monotonic() - started:.0f} s", flush=True)
    print(", ".join(f"{code} {count:,}" for code, count in answers.most_common()))
    print(f"{inputs:,} inputs, seed {seed}: no memory error, no error that is not the library's")


def main() -> None:
    parser = argparse.ArgumentParser(description="Mutated inputs against the compiled decoders, under the address sanitizer.")
    parser.add_argument("--inputs", type=int, default=1_000_000)
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
