"""The service as an object in this process, for what is hard to observe from outside."""

import json
from typing import Any

import httpx

from mqconvert.app.http import work
from mqconvert.app.http.service import create_app
from mqconvert.app.http.settings import Settings
from mqconvert.app.http.work import Job, Jobs, Reply
from tests.app.services import WIRE

REQUEST = {"from": "mqtt-5.0", "to": "amqp-1.0", "wire": WIRE}
PARAMS = {"from": "mqtt-5.0", "to": "amqp-1.0"}


def in_process(settings: Settings = Settings()) -> httpx.AsyncClient:  # noqa: B008 - it is immutable
    return httpx.AsyncClient(transport=httpx.ASGITransport(create_app(settings)), base_url="http://inside")


def wrong(*_arguments: Any, **_choices: Any) -> Any:
    raise ValueError("s3cret") from KeyError("s3cret")


def answer(jobs: Jobs, request: dict[str, Any]) -> Reply:
    return jobs.perform(Job(work.convert, {"body": json.dumps(request).encode()}))
