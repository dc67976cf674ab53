"""Responses that depend only on the tables are computed once, compressed once, and have an ETag."""

import asyncio
import json
import re
import threading
from collections import Counter
from typing import Any

import httpx
import pytest

from mqconvert.app.http.service import create_app
from mqconvert.app.http.settings import Settings
from mqconvert.app.http.work import Job, Reply
from mqconvert.app.http.workers import Here
from tests.app.services import SERVICE, Client

pytestmark = SERVICE

FORECAST = "/v1/fidelity/mqtt-5.0/amqp-0.9.1?back=true"
PATHS = [
    FORECAST,
    "/v1/fidelity/amqp-1.0/pulsar",
    "/v1/protocols",
    "/v1/routes",
    "/v1/rules",
    "/v1/rules?profile=rabbitmq-4.0",
    "/v1/rules/amqp-1.0/mqtt-5.0",
    "/v1/schemas/amqp-1.0",
    "/openapi.json",
]


def _worked(client: Client) -> float:
    """Return the processor seconds of the workers so far."""
    [seconds] = re.findall(r"^mqconvert_workers_cpu_seconds_total (.*)$", client.get("/metrics").text, re.MULTILINE)
    return float(seconds)


def test_simultaneous_forecasts_are_computed_once_while_health_responds(client: Client) -> None:
    answers: list[httpx.Response] = []
    threads = [threading.Thread(target=lambda: answers.append(client.get(FORECAST))) for _ in range(6)]
    for thread in threads:
        thread.start()
    healthy = 0
    while any(thread.is_alive() for thread in threads):
        assert client.get("/healthz").status_code == 200
        healthy += 1
    assert healthy > 0
    assert [answer.status_code for answer in answers] == [200] * 6
    assert len({answer.headers["etag"] for answer in answers}) == len({answer.content for answer in answers}) == 1
    before = _worked(client)
    for _ in range(6):
        assert client.get(FORECAST).content == answers[0].content
    assert _worked(client) == before  # no worker did any work


@pytest.mark.parametrize("path", PATHS)
def test_a_response_about_tables_is_revalidated_by_its_etag(path: str, client: Client) -> None:
    first = client.get(path)
    assert (first.status_code, first.headers["cache-control"], first.headers["vary"]) == (200, "no-cache", "accept-encoding")
    again = client.get(path, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    plain = client.get(path, headers={"accept-encoding": "identity"})
    assert (plain.json(), plain.headers["etag"]) == (first.json(), first.headers["etag"])
    assert ("content-encoding" in first.headers) is (len(plain.content) >= 1024)
    assert "content-encoding" not in plain.headers


def test_a_cached_response_is_decompressed_in_small_parts() -> None:
    """A client without gzip blocks the event loop only briefly. A client that does not read takes little memory."""
    events: list[Any] = []

    async def ask() -> None:
        async def receive() -> Any:
            return {"type": "http.request"}

        async def send(event: Any) -> None:
            events.append(event)

        scope = {"type": "http", "method": "GET", "path": "/openapi.json", "query_string": b"", "headers": []}
        await create_app(Settings())(scope, receive, send)

    asyncio.run(ask())
    start, *parts = events
    sizes = [len(part["body"]) for part in parts]
    assert dict(start["headers"])[b"content-length"] == str(sum(sizes)).encode()
    assert sum(sizes) > 2**16
    assert max(sizes) <= 2**14
    assert [part["more_body"] for part in parts] == [*[True] * (len(parts) - 1), False]
    assert json.loads(b"".join(part["body"] for part in parts))["openapi"]


class _Counting(Here):
    """Counts its jobs, and takes a turn of the event loop for each."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.done: Counter[str] = Counter()

    async def run(self, job: Job, *, patient: bool = False) -> Reply:
        await asyncio.sleep(0)
        self.done[job.name] += 1
        return await super().run(job, patient=patient)


def test_a_response_about_tables_is_computed_again_only_after_eviction() -> None:
    async def ask(max_cache: int) -> Counter[str]:
        settings = Settings(max_cache=max_cache)
        counting = _Counting(settings)
        transport = httpx.ASGITransport(create_app(settings, tables=counting))
        async with httpx.AsyncClient(transport=transport, base_url="http://inside") as inside:
            for _ in range(2):
                for path in ("/v1/routes", "/v1/protocols"):
                    answers = await asyncio.gather(*(inside.get(path) for _ in range(3)))
                    assert {answer.status_code for answer in answers} == {200}
        return counting.done

    assert asyncio.run(ask(2**20)) == {"routes": 1, "protocols": 1}
    assert asyncio.run(ask(1)) == {"routes": 2, "protocols": 2}  # no answer fits the cache; concurrent requests still share one
