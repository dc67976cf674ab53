"""One broker for the whole suite, or the reason why there is none."""

import contextlib
import os
import random
from collections.abc import Callable, Iterator

import pytest

from tests.interop.brokers import Broker, Mosquitto, NoBrokerError, RabbitMQ
from tests.interop.peers import check_pika


@pytest.fixture(scope="session")
def broker() -> Iterator[Broker]:
    """RabbitMQ. Where there is none the suite is skipped with the reason; in CI, or where one was named, that is a failure."""
    with contextlib.ExitStack() as stack:
        yield started(lambda: check_pika(stack.enter_context(RabbitMQ())))


@pytest.fixture(scope="session")
def mqtt_broker() -> Iterator[Broker]:
    """Mosquitto, likewise."""
    with contextlib.ExitStack() as stack:
        yield started(lambda: stack.enter_context(Mosquitto()))


@pytest.fixture(scope="session")
def refusing_broker() -> Iterator[Broker]:
    """A Mosquitto that takes no user."""
    with contextlib.ExitStack() as stack:
        yield started(lambda: stack.enter_context(Mosquitto(refusing=True)))


def started(start: Callable[[], Broker]) -> Broker:
    """What `start` gives; where it says that there is no broker, the test is skipped or failed."""
    try:
        return start()
    except NoBrokerError as error:
        reason = f"no broker: {error}"
    if os.environ.get("CI") or os.environ.get("MQCONVERT_RABBITMQ"):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def fresh_seed() -> int:
    """Another one every run; MQCONVERT_SEED repeats a run."""
    return int(os.environ.get("MQCONVERT_SEED") or random.SystemRandom().randrange(2**32))


def pytest_report_header() -> str:
    return f"rabbitmq: {os.environ.get('MQCONVERT_RABBITMQ') or 'made for this run'}"
