"""schemathesis against the real server over a socket, by its own document: every check, every operation."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, settings

from mqconvert.app.http.service import create_app
from mqconvert.app.http.settings import Settings
from tests.app.test_http import service

schema = schemathesis.openapi.from_dict(create_app(Settings()).openapi())


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    with service() as made:
        yield made


@schema.parametrize()
@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_answer_is_as_the_document_says(case: Any, client: httpx.Client) -> None:
    case.call_and_validate(base_url=str(client.base_url))
