"""One broker for the whole suite, or the reason why there is none."""

import os
import random
from collections.abc import Iterator

import pytest

from tests.interop.broker import Broker, NoBrokerError, mosquitto, rabbitmq


@pytest.fixture(scope="session")
def broker() -> Iterator[Broker]:
    """RabbitMQ. Where none can be had the suite is skipped with the reason; in CI that is a failure."""
    try:
        with rabbitmq() as started:
            yield started
    except NoBrokerError as reason:
        _none(reason)


@pytest.fixture(scope="session")
def mqtt_broker() -> Iterator[Broker]:
    """Mosquitto, likewise."""
    try:
        with mosquitto() as started:
            yield started
    except NoBrokerError as reason:
        _none(reason)


def _none(reason: NoBrokerError) -> None:
    if os.environ.get("CI"):
        pytest.fail(f"no broker: {reason}", pytrace=False)
    pytest.skip(f"no broker: {reason}")


@pytest.fixture(scope="session")
def fresh_seed() -> int:
    """Another one every run; MQCONVERT_SEED repeats a run."""
    return int(os.environ.get("MQCONVERT_SEED") or random.SystemRandom().randrange(2**32))


def pytest_report_header() -> str:
    return f"rabbitmq: {os.environ.get('MQCONVERT_RABBITMQ') or 'made for this run'}"
