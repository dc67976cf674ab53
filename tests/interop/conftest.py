"""One broker of each kind for the whole suite, or the reason why it is missing."""

import contextlib
import os
import random
from collections.abc import Callable, Iterator
from typing import TypeVar

import pytest

from tests.interop.brokers import Artemis, Broker, Mosquitto, NoBrokerError, Nsqd, Pulsar, RabbitMQ, RocketMQ
from tests.interop.peers import check_pika

Peer = TypeVar("Peer")
USED_BY: dict[str, type[Broker]] = {
    "broker": RabbitMQ,
    "mqtt_broker": Mosquitto,
    "refusing_broker": Mosquitto,
    "nsqd": Nsqd,
    "rocketmq_broker": RocketMQ,
    "pulsar_broker": Pulsar,
    "artemis": Artemis,
}
"""The broker behind each fixture."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--broker", choices=sorted({each.name for each in USED_BY.values()}), help="only the tests with this broker"
    )
    parser.addoption(
        "--seed",
        type=int,
        default=int(os.environ.get("MQCONVERT_SEED") or random.SystemRandom().randrange(2**32)),
        help="the seed of all generated messages; another one every run, which the header says",
    )
    parser.addoption(
        "--observe", action="store_true", help="write what the brokers answer to the examples into docs/observed.json"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    wanted = config.getoption("--broker")
    if wanted is not None:
        names = {fixture for fixture, broker in USED_BY.items() if broker.name == wanted}
        items[:] = [item for item in items if names & _used(item)]


def _used(item: pytest.Item) -> set[str]:
    """The fixtures of a test, and those that its parameters name."""
    parameters = item.callspec.params if hasattr(item, "callspec") else {}
    return {*getattr(item, "fixturenames", ()), *(each for each in parameters.values() if isinstance(each, str))}


@pytest.fixture(scope="session")
def broker() -> Iterator[Broker]:
    """RabbitMQ. Where there is none the suite is skipped with the reason; in CI, or where one was named, that is a failure."""
    with contextlib.ExitStack() as stack:
        yield started(lambda: check_pika(stack.enter_context(RabbitMQ())))


@pytest.fixture(scope="session")
def mqtt_broker() -> Iterator[Broker]:
    """Mosquitto, likewise."""
    yield from running(Mosquitto())


@pytest.fixture(scope="session")
def refusing_broker() -> Iterator[Broker]:
    """A Mosquitto that takes no user."""
    yield from running(Mosquitto(refusing=True))


@pytest.fixture(scope="session")
def nsqd() -> Iterator[Broker]:
    yield from running(Nsqd())


@pytest.fixture(scope="session")
def rocketmq_broker() -> Iterator[Broker]:
    yield from running(RocketMQ())


@pytest.fixture(scope="session")
def pulsar_broker() -> Iterator[Broker]:
    yield from running(Pulsar())


@pytest.fixture(scope="session")
def artemis() -> Iterator[Broker]:
    yield from running(Artemis())


def running(broker: Broker) -> Iterator[Broker]:
    """The broker, while the tests that ask for it run."""
    with contextlib.ExitStack() as stack:
        yield started(lambda: stack.enter_context(broker))


def started(start: Callable[[], Peer]) -> Peer:
    """What `start` gives; where it says that there is no broker, the test is skipped or failed."""
    try:
        return start()
    except NoBrokerError as error:
        reason = f"no broker: {error}"
    if os.environ.get("CI") or os.environ.get("MQCONVERT_RABBITMQ"):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def fresh_seed(request: pytest.FixtureRequest) -> int:
    """One for the whole run: --seed, MQCONVERT_SEED, or another one every run."""
    return int(request.config.getoption("--seed"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    terminalreporter.write_line(f"The messages were those of MQCONVERT_SEED={config.getoption('--seed')}")
