"""Services that tests share, each started for the first test that uses it. Such tests have the mark SERVICE."""

from collections.abc import Iterator

import pytest

from tests.app.services import Client, in_flight, service

MUCH = str(2**30)


@pytest.fixture(scope="session")
def client() -> Iterator[Client]:
    """Start a service with the default settings."""
    with service() as made:
        yield made


@pytest.fixture(scope="session")
def _guarded() -> Iterator[Client]:
    origins = "https://a.example https://b.example"
    with service(max_body="200", max_line="200", max_messages="2", token="t0ken", cors=origins) as made:
        yield made


@pytest.fixture
def guarded(_guarded: Client) -> Iterator[Client]:
    """Start a service with a token, small limits, and CORS."""
    yield _guarded
    _guarded.headers.pop("authorization", None)


@pytest.fixture(scope="session")
def limited() -> Iterator[Client]:
    """Start a service with low limits for the content of a value, and one request at a time."""
    limits = {"max_frames": "1000", "max_batch": "2", "max_decompressed": str(2**20), "max_answer": str(2**19)}
    with service(concurrency="1", **limits) as made:
        yield made


@pytest.fixture(scope="session")
def _lavish() -> Iterator[Client]:
    limits = dict.fromkeys(("max_batch", "max_frames", "max_answer", "max_decompressed"), MUCH)
    with service(work_timeout="3600", idle_timeout="1", allow_rules="on", max_rules="4000", **limits) as made:
        yield made


@pytest.fixture
def lavish(_lavish: Client) -> Client:
    """Start a service that lets a request work for an hour. No request is running when a test begins."""
    in_flight(_lavish.port, 1)
    return _lavish


@pytest.fixture(scope="session")
def impatient() -> Iterator[Client]:
    """Start a service that waits one second for a client, and works for two."""
    times = {"head_timeout": "1", "body_timeout": "1", "work_timeout": "2"}
    limits = {"max_batch": "1000000", "max_answer": MUCH, "options": f"max_decompressed={2**27}"}
    with service(min_rate="1000", concurrency="2", allow_rules="on", max_rules="4000", **times, **limits) as made:
        yield made
