"""The service under load and under attack, written to benchmarks/load.md; with --short, the assertions of CI, without times.

All measurements are from outside: statuses by real clients, health by a separate process, memory from /proc.
"""

import asyncio
import base64
import json
import multiprocessing
import os
import platform
import signal
import socket
import subprocess
import sys
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import permutations
from pathlib import Path
from typing import Any

import cramjam

from mqconvert import PROTOCOLS, encode, encode_batch
from mqconvert.app.http.settings import Settings
from mqconvert.converters.protocols.phpmq import message as phpmq
from mqconvert.converters.protocols.pulsar import message as pulsar
from mqconvert.converters.protocols.rocketmq import message as rocketmq

SHORT = "--short" in sys.argv
SECRET = b"s3cret-payload"
FULL_SECONDS, ATTACK_SECONDS, STEP_SECONDS, CALM_SECONDS = (6, 2, 1, 11) if SHORT else (60, 6, 2, 11)
PAGE = os.sysconf("SC_PAGE_SIZE")


# ---- requests ---------------------------------------------------------------------------------------------------------


def post(path: str, body: bytes, kind: str = "application/json") -> bytes:
    """Return a whole request."""
    head = f"POST {path} HTTP/1.1\r\nhost: load\r\ncontent-type: {kind}\r\ncontent-length: {len(body)}\r\n\r\n"
    return head.encode() + body


def text(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


def asked(**members: Any) -> bytes:
    return json.dumps(members).encode()


def batch(line: bytes, source: str = "pulsar") -> bytes:
    path = f"/v1/convert/batch?from={source}&to=amqp-1.0&address=t"
    return post(path, line, "application/x-ndjson")


def _pulsar(payload: bytes = b"", number: int | None = None) -> str:
    one = pulsar.Message(payload=payload, producer_name="p", sequence_id=0, publish_time=1, compression="ZSTD")
    return text(encode(one) if number is None else encode_batch([one] * number))


PUBLISH = b"\x30" + bytes([len(SECRET) + 4]) + b"\0\1t\0" + SECRET
CONVERT = post("/v1/convert", json.dumps({"from": "mqtt-5.0", "to": "amqp-1.0", "wire": text(PUBLISH)}).encode())


def attacks() -> dict[str, "Attack"]:
    """Return the attacks, each as a client that runs until it is cancelled."""
    members = _pulsar(number=100_000)
    zeros = {"pulsar": _pulsar(bytes(64 * 2**20)), "large pulsar": _pulsar(bytes(4 * 2**20))}
    packed = rocketmq.Message(topic="t", body=bytes(64 * 2**20))
    zeros["rocketmq"] = text(encode(packed, max_body=2**30, compress="ZSTD"))
    nops, deflate = b"NOP\n" * 4_000_000, zlib.compressobj(wbits=-zlib.MAX_WBITS)
    streams = {
        "deflate": deflate.compress(nops) + deflate.flush(zlib.Z_SYNC_FLUSH),
        "snappy": bytes(cramjam.snappy.compress(nops)),
    }
    nulls = b"\0\x53\x77\xd0" + (700_004).to_bytes(4, "big") + (700_000).to_bytes(4, "big") + b"\x40" * 700_000
    queue = encode(phpmq.Message(queue=b"q", content=b"x")) * 6000
    tiny = b'{"from":"amqp-1.0","to":"mqtt-5.0","message":{"body":' + b"[" + b"[]," * 340_000 + b"[]]}}"
    line = json.dumps({"wire": members}).encode() + b"\n"
    large = asked(**{"from": "pulsar", "to": "amqp-1.0", "wire": zeros["large pulsar"]})
    head = b"POST /v1/convert HTTP/1.1\r\nhost: load\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"
    many = (json.dumps({"wire": text(PUBLISH)}) + "\n").encode() * 5000
    pairs = [f"/v1/fidelity/{a}/{b}?back=true" for a, b in permutations(PROTOCOLS, 2)]
    both = b"POST /v1/convert HTTP/1.1\r\nhost: load\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"
    return {
        "100,000 members in a line": again(batch(line), 4),
        "100,000 members in three lines": again(batch(line * 3), 4),
        "100,000 members, /v1/decode": again(post("/v1/decode", asked(protocol="pulsar", wire=members)), 4),
        "64 MiB of zeros, Pulsar": again(post("/v1/decode", asked(protocol="pulsar", wire=zeros["pulsar"])), 4),
        "64 MiB of zeros, RocketMQ": again(post("/v1/decode", asked(protocol="rocketmq", wire=zeros["rocketmq"])), 4),
        "4 MiB of zeros, converted": again(post("/v1/convert", large), 4),
        "4 MiB of zeros, answer not read": deaf(post("/v1/convert", large), 20),
        "5000 lines, answers not read": deaf(batch(many * 3, "mqtt-5.0"), 20),
        "4 M NOPs, deflate": again(
            post("/v1/frames/nsq/decode", asked(wire=text(streams["deflate"]), options={"compression": "deflate"})), 4
        ),
        "4 M NOPs, snappy": again(post("/v1/frames/nsq/decode", asked(wire=text(streams["snappy"]))), 4),
        "6000 PHPMQ messages in a row": again(post("/v1/decode", asked(protocol="phpmq", wire=text(queue))), 4),
        "100,000 PUBLISH in a row": again(
            post("/v1/decode", asked(protocol="mqtt-5.0", wire=text(b"0\4\0\1t\0" * 100_000))), 4
        ),
        "700,000 nulls": again(post("/v1/decode", asked(protocol="amqp-1.0", wire=text(nulls))), 4),
        "340,000 empty arrays": again(post("/v1/convert", tiny), 8),
        "100,000 brackets": again(post("/v1/convert", b"[" * 100_000), 8),
        "lines without anything": again(batch(b"\n" * 2**20), 8),
        "gone before the answer": gone(batch(line.replace(line, many), "mqtt-5.0"), 16),
        "64 bodies that do not come": silent(head, 64),
        "300 silent connections": silent(b"", 300),
        "300 heads that do not end": silent(b"GET / HTTP/1.1\r\nx: ", 300),
        "pipelined requests": again(CONVERT * 50, 8),
        "both lengths": again(both, 8),
        "forecasts of every pair": turns([f"GET {path} HTTP/1.1\r\nhost: load\r\n\r\n".encode() for path in pairs], 6),
    }


Attack = Callable[[int], Awaitable[None]]


def _times(number: int, work: Callable[[int, int], Awaitable[None]]) -> Attack:
    async def attack(port: int) -> None:
        await asyncio.gather(*(work(port, index) for index in range(number)))

    return attack


async def _read(reader: asyncio.StreamReader) -> None:
    """Read some bytes, of any content."""
    with suppress(TimeoutError):
        async with asyncio.timeout(5):
            while await reader.read(2**16):
                pass


def again(request: bytes, clients: int) -> Attack:
    """Return an attack that sends a request, reads the response, and repeats."""
    return turns([request], clients)


def turns(requests: list[bytes], clients: int) -> Attack:
    async def work(port: int, index: int) -> None:
        at = index
        while True:
            with suppress(OSError):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                end = b"connection: close\r\n\r\n"
                writer.write(requests[at % len(requests)].replace(b"\r\n\r\n", b"\r\n" + end, 1))
                at += 1
                await _read(reader)
                writer.close()

    return _times(clients, work)


def gone(request: bytes, clients: int) -> Attack:
    async def work(port: int, _index: int) -> None:
        while True:
            with suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(request)
                await asyncio.sleep(0.05)
                writer.transport.abort()

    return _times(clients, work)


def silent(words: bytes, clients: int) -> Attack:
    """Return an attack that sends these bytes and nothing more."""

    async def work(port: int, _index: int) -> None:
        while True:
            with suppress(OSError):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(words)
                await reader.read(2**16)
                writer.close()
            await asyncio.sleep(0.1)

    return _times(clients, work)


def deaf(request: bytes, clients: int) -> Attack:
    """Return an attack that sends requests and reads no response."""

    async def work(port: int, _index: int) -> None:
        loop = asyncio.get_running_loop()
        with socket.socket() as one:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.setblocking(False)
            with suppress(OSError):
                await loop.sock_connect(one, ("127.0.0.1", port))
                await loop.sock_sendall(one, request)
            await asyncio.sleep(3600)

    return _times(clients, work)


# ---- measuring --------------------------------------------------------------------------------------------------------


def probe(port: int, seconds: float, answer: Any) -> None:
    """Request the health on new connections and on an open one. Send back times in seconds, None for no response."""
    request = b"GET /healthz HTTP/1.1\r\nhost: load\r\n\r\n"
    times: list[float | None] = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        start = time.perf_counter()
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=5) as one:
                one.sendall(request)
                good = one.recv(65536).startswith(b"HTTP/1.1 200")
        except OSError:
            good = False
        times.append(time.perf_counter() - start if good else None)
        time.sleep(0.01)
    answer.send(times)


def resident(pid: int) -> int:
    """Return the resident memory of one process, in bytes."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE


def memory(pid: int) -> int:
    """Return the resident memory of a process and its descendants, in bytes."""
    total, found = 0, [pid]
    while found:
        one = found.pop()
        with suppress(OSError):
            total += resident(one)
            found += [int(pid) for file in Path(f"/proc/{one}/task").glob("*/children") for pid in file.read_text().split()]
    return total


class Service:
    """A separate service with default settings."""

    def __init__(self, log: Path) -> None:
        with socket.socket() as probe_:
            probe_.bind(("127.0.0.1", 0))
            self.port = probe_.getsockname()[1]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("MQCONVERT_")}
        command = [sys.executable, "-m", "mqconvert.app", "serve", "--port", str(self.port)]
        with log.open("wb") as errors:
            self.process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=errors)
        for _ in range(600):
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return
            time.sleep(0.05)
        raise SystemExit("the service did not start")

    def end(self) -> None:
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()


async def clients(port: int, number: int, seconds: float) -> tuple[Counter[str], list[float]]:
    """Run this number of clients that convert one message after the other; return statuses, and times in seconds."""
    statuses: Counter[str] = Counter()
    times: list[float] = []
    end = time.monotonic() + seconds

    async def client() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while time.monotonic() < end:
            start = time.perf_counter()
            writer.write(CONVERT)
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            await reader.readexactly(int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0]))
            statuses[head[9:12].decode()] += 1
            times.append(time.perf_counter() - start)
        writer.close()

    await asyncio.gather(*(client() for _ in range(number)))
    return statuses, sorted(times)


async def under(attack: Attack, service: Service, seconds: float) -> tuple[list[float | None], int]:
    """Return the health during an attack, and the peak memory."""
    ours, theirs = multiprocessing.Pipe()
    running = asyncio.ensure_future(attack(service.port))
    await asyncio.sleep(0.5)
    prober = multiprocessing.get_context("spawn").Process(target=probe, args=(service.port, seconds, theirs))
    prober.start()
    most = 0
    while not ours.poll():
        most = max(most, memory(service.process.pid))
        await asyncio.sleep(0.1)
        if running.done():
            running.result()
    times: list[float | None] = ours.recv()
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running
    prober.join()
    return times, most


def p99(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.99)] * 1000 if times else float("nan")


async def measure(service: Service) -> tuple[list[str], list[str]]:
    """Return the page's lines, and the failures."""
    wrong: list[str] = []
    await clients(service.port, 4, STEP_SECONDS)
    warm, server = memory(service.process.pid), resident(service.process.pid)
    rates: dict[int, float] = {}
    number = 1
    while number <= 64:
        statuses, _ = await clients(service.port, number, STEP_SECONDS)
        rates[number] = statuses["200"] / STEP_SECONDS
        if number > 1 and rates[number] < rates[number // 2] * 1.1:
            break
        number *= 2
    best = max(rates, key=lambda one: rates[one])
    statuses, times = await clients(service.port, 2 * best, FULL_SECONDS)
    if set(statuses) - {"200", "429"}:
        wrong.append(f"statuses under load: {dict(statuses)}")
    lines = [
        (
            f"Throughput stops growing at {best} clients ({rates[best]:.0f} requests a second, one conversion each). With "
            f"{2 * best} clients for {FULL_SECONDS} s: {', '.join(f'{n} x {s}' for s, n in sorted(statuses.items()))}, "
            f"99th percentile {p99(times):.0f} ms."
        ),
        "",
        "| while | health checks | unanswered | p50 ms | p99 ms | memory at most, MB |",
        "|---|---|---|---|---|---|",
    ]
    limit = Settings(workers=len(os.sched_getaffinity(0))).memory
    for name, attack in attacks().items():
        answers, most = await under(attack, service, ATTACK_SECONDS)
        good = [one for one in answers if one is not None]
        lost = len(answers) - len(good)
        median = sorted(good)[len(good) // 2] * 1000 if good else float("nan")
        lines.append(f"| {name} | {len(answers)} | {lost} | {median:.1f} | {p99(good):.1f} | {most / 2**20:.0f} |")
        print(lines[-1], flush=True)
        if lost or not good:
            wrong.append(f"{name}: {lost} of {len(answers)} health checks unanswered")
        if not SHORT and p99(good) >= 100:
            wrong.append(f"{name}: health at the 99th percentile takes {p99(good):.0f} ms")
        if most > limit:
            wrong.append(f"{name}: {most} bytes of memory, the settings allow {limit}")
    await asyncio.sleep(CALM_SECONDS)
    calm = memory(service.process.pid)
    if calm - warm > 50 * 2**20:
        wrong.append(f"memory after it all: {calm}, after warming up {warm}")
    lines += [
        "",
        (
            f"Memory after warming up {warm / 2**20:.0f} MB, {CALM_SECONDS} s after the last attack {calm / 2**20:.0f} MB "
            f"(of which the server without its workers {server / 2**20:.0f} and {resident(service.process.pid) / 2**20:.0f}); "
            f"the sum of the settings is {limit / 2**20:.0f} MB."
        ),
    ]
    return lines, wrong


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        service = Service(log)
        try:
            lines, wrong = asyncio.run(measure(service))
        finally:
            service.end()
        written = log.read_bytes()
    held = sum(written.count(form) for form in (SECRET, base64.b64encode(SECRET)[:-4], zlib.compress(SECRET)[2:10]))
    if held:
        wrong.append(f"{held} pieces of messages in the log")
    for line in written.splitlines():
        if not (line.startswith(b"{") and json.loads(line)["time"]):
            wrong.append(f"a line of another form in the log: {line[:80]!r}")
            break
    lines.append(f"Messages in the log: {held} bytes of {len(written)}.")
    if not SHORT:
        machine = f"{os.cpu_count()} processors, Python {platform.python_version()}"
        title = f"# The service under load and attack\n\nBy `make load`, {machine}, the service at its defaults.\n\n"
        Path(__file__).with_name("load.md").write_text(title + "\n".join(lines) + "\n")
    print("\n".join(lines))
    for one in wrong:
        print(f"WRONG: {one}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
