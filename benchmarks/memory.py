"""The memory of the command line for a long jsonl input: `python -m benchmarks.memory [MEGABYTES]`.

Lines go through a pipe into `mqconvert convert --format jsonl`, and its output is discarded. The result is the peak resident
set of that process by the kernel's count (getrusage). Every line has different ids, keys and values, and a body of up to 64
KiB, so that memory kept for each line would show.
"""

import base64
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator

from mqconvert import Entry, TypedValue, encode
from mqconvert.converters.protocols.amqp10 import message as amqp10

BODIES = (0, 100, 1000, 10_000, 65_536)


def lines(raw: int) -> Iterator[bytes]:
    """Yield jsonl lines of `raw` bytes in total."""
    number = made = 0
    while made < raw:
        message = amqp10.Message(
            header=amqp10.Header(durable=True, ttl=number % 2**32),
            properties=amqp10.Properties(message_id=TypedValue("string", f"id-{number}"), reply_to=f"queue-{number}"),
            application_properties=[Entry(f"key-{number}-{index}", "long", number + index) for index in range(6)],
            body=amqp10.Data([bytes(BODIES[number % len(BODIES)])]),
        )
        line = json.dumps({"id": number, "wire": base64.b64encode(encode(message)).decode()}).encode() + b"\n"
        number, made = number + 1, made + len(line)
        yield line


def peak(raw: int) -> tuple[int, int]:
    """Return the peak resident set of the command line in bytes, and the number of converted lines."""
    command = [
        sys.executable,
        "-m",
        "mqconvert.app",
        "convert",
        "--from",
        "amqp-1.0",
        "--to",
        "amqp-0.9.1",
        "--format",
        "jsonl",
    ]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    assert process.stdin is not None
    count = 0
    with process.stdin as stream:
        for line in lines(raw):
            stream.write(line)
            count += 1
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"the command line ended with {process.returncode}")
    return usage.ru_maxrss * 1024, count


def main() -> None:
    megabytes = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    start = time.monotonic()
    raw, count = peak(megabytes * 1_000_000)
    seconds = time.monotonic() - start
    print(
        f"amqp-1.0 to amqp-0.9.1, wire and report: {megabytes} MB of jsonl in {count:,} lines,"
        f" peak resident set {raw / 1e6:.0f} MB ({seconds:.0f} s)"
    )


if __name__ == "__main__":
    main()
