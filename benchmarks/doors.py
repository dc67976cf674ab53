"""Overhead of the entry points: imports, HTTP service and command line, and one HTTP call next to an empty route."""

import asyncio
import base64
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from measure import Row, seconds
from starlette.responses import JSONResponse
from typical import WIRES

from mqconvert import convert, message_to_json
from mqconvert.app.http.models import ConvertRequest
from mqconvert.app.http.service import create_app
from mqconvert.app.http.settings import Settings

SOURCE, TARGET = "amqp-0.9.1", "amqp-1.0"
WIRE = base64.b64encode(WIRES[SOURCE]).decode()
LINES = 20_000


def importing() -> list[Row]:
    """Return rows for imports and first calls in an empty environment, without the `.pth` files that every start reads.

    The time is that of the processor: another process on the machine delays a start, and costs it nothing.
    """
    with tempfile.TemporaryDirectory() as folder:
        environment = {"PYTHONPATH": str(Path(__file__).parents[1]), "PYTHONPYCACHEPREFIX": folder}

        def started(program: str) -> float:
            return min(_processor_time([sys.executable, "-S", "-c", program], environment) for _ in range(25)) * 1000

        bare = started("pass")
        made = [(name, started(program), wanted) for name, program, wanted in STARTS]
    words = "compiled to byte code before as an installer does"
    return [
        Row(
            f"{name}, {words}",
            "a bare interpreter",
            f"{ours:.0f} ms to {bare:.0f} ms: {ours - bare:.0f} ms more",
            None,
            wanted,
        )
        for name, ours, wanted in made
    ]


def _processor_time(command: list[str], environment: dict[str, str]) -> float:
    """Return the seconds of processor time that a command takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


_FIRST = "from mqconvert import convert; convert(bytes.fromhex('3006000174006869'), 'amqp-0.9.1', source='mqtt-5.0')"
_SAMPLE = Path(__file__).parents[1] / "docs" / "samples" / "mqtt-5.0.bin"
_COMMAND = f"from mqconvert.app.cli import main; main('convert --from mqtt-5.0 --to amqp-0.9.1 {_SAMPLE}'.split())"
STARTS = (
    ("`import mqconvert`", "import mqconvert", "under 50 ms more"),
    ("`from mqconvert import convert`", "from mqconvert import convert", "stated"),
    ("a first conversion", _FIRST, "under 80 ms more"),
    ("`mqconvert convert`", _COMMAND, "under 150 ms"),
)


async def _call(app: Any, path: str, query: str, body: bytes) -> bytes:
    """Send one request through ASGI, without a socket, to measure only the server's side."""
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "scheme": "http",
        "path": path, "raw_path": path.encode(), "query_string": query.encode(), "root_path": "",
        "headers": [(b"host", b"bench"), (b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))],
        "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 2),
    }  # fmt: skip
    step = 2**16  # uvicorn passes this many bytes at once
    parts = [body[at : at + step] for at in range(0, len(body), step)]
    left = iter([{"type": "http.request", "body": part, "more_body": True} for part in parts])
    answers: list[bytes] = []

    async def receive() -> dict[str, Any]:
        return next(left, {"type": "http.request", "body": b"", "more_body": False})

    async def send(message: dict[str, Any]) -> None:
        assert message.get("status", 200) == 200
        answers.append(message.get("body", b""))

    await app(scope, receive, send)
    return b"".join(answers)


def one_call() -> Row:
    """Return a row for POST /v1/convert against a route with the same request model and a constant response."""
    empty = FastAPI()
    done = convert(WIRES[SOURCE], TARGET, source=SOURCE)
    answer = {"wire": WIRE, "message": message_to_json(done.message), "report": done.report.as_dict()}

    @empty.post("/v1/convert", response_model=None)
    async def nothing(request: ConvertRequest) -> JSONResponse:  # noqa: ARG001 - FastAPI reads and validates it
        return JSONResponse(answer)

    body = json.dumps({"from": SOURCE, "to": TARGET, "wire": WIRE}).encode()
    service = create_app(Settings())

    async def turns(app: Any) -> None:
        for _ in range(200):
            await _call(app, "/v1/convert", "", body)

    best = {"ours": float("inf"), "nothing": float("inf")}
    for _ in range(12):
        for name, app in (("ours", service), ("nothing", empty)):
            best[name] = min(best[name], seconds(lambda app=app: asyncio.run(turns(app)), 1) / 200 * 1e6)  # type: ignore[misc]  # mypy cannot type a lambda with a default
    return Row(
        "one POST /v1/convert, all members",
        "an async def route of the same request model that answers a constant of the same form; both through ASGI",
        f"{best['ours']:.0f} µs to {best['nothing']:.0f} µs",
        best["ours"] / best["nothing"],
        "at most 1.4",
    )


def batch() -> Row:
    """Return a row for POST /v1/convert/batch against the command line's jsonl loop: the same lines and members."""
    lines = (json.dumps({"wire": WIRE}) + "\n").encode() * LINES
    service = create_app(Settings())
    query = f"from={SOURCE}&to={TARGET}"
    http = seconds(lambda: asyncio.run(_call(service, "/v1/convert/batch", query, lines)), 4)
    with tempfile.TemporaryDirectory() as folder:
        many, one = Path(folder, "many.jsonl"), Path(folder, "one.jsonl")
        many.write_bytes(lines)
        one.write_bytes(lines[: lines.index(b"\n") + 1])

        def command(path: Path) -> float:
            words = ["convert", "--from", SOURCE, "--to", TARGET, "--format", "jsonl", str(path), "-o", f"{path}.out"]
            return seconds(lambda: subprocess.run([sys.executable, "-m", "mqconvert.app", *words], check=True), 4)

        loop = command(many) - command(one)
    return Row(
        f"POST /v1/convert/batch, {LINES} lines, one process, through ASGI",
        "the command line's jsonl loop over the same lines with the same members (its start-up taken off)",
        f"{LINES / http:.0f} lines/s to {LINES / loop:.0f} lines/s",
        loop / http,
        "at least 0.6",
    )


def rows() -> list[Row]:
    return [*importing(), one_call(), batch()]


if __name__ == "__main__":
    for row in rows():
        print(row)
