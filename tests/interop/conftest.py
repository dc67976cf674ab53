"""One broker of each kind for the whole suite, or the reason why it is missing; the seed, and the figures at the end."""

import contextlib
import os
import random
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import pytest

from tests.interop import figures
from tests.interop.brokers import BROKERS, Broker, NoBrokerError
from tests.interop.brokers.mosquitto import Mosquitto
from tests.interop.brokers.pulsar import Pulsar

Peer = TypeVar("Peer")
FIXTURE = "{}_broker"
"""The fixture of a broker by its name. The names of fixtures with another one of its kind begin so, too."""
_MEMORY, _START = pytest.StashKey[figures.Memory](), pytest.StashKey[float]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--broker", choices=sorted(BROKERS), help="only the tests with this broker")
    parser.addoption(
        "--seed",
        type=int,
        default=random.SystemRandom().randrange(2**32),
        help="the seed of all generated messages; another one every run, which prints it at its end",
    )
    parser.addoption(
        "--observe", action="store_true", help="write what the brokers answer to the examples into docs/observed.json"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    wanted = config.getoption("--broker")
    if wanted is not None:
        begin = FIXTURE.format(wanted)
        items[:] = [item for item in items if any(name.startswith(begin) for name in _used(item))]


def _used(item: pytest.Item) -> set[str]:
    """The fixtures of a test, and those that its parameters name."""
    parameters = item.callspec.params if hasattr(item, "callspec") else {}
    return {*getattr(item, "fixturenames", ()), *(each for each in parameters.values() if isinstance(each, str))}


def running(broker: Broker) -> Iterator[Broker]:
    """The broker, while the tests that ask for it run."""
    with contextlib.ExitStack() as stack:
        yield started(lambda: stack.enter_context(broker))


def started(start: Callable[[], Peer]) -> Peer:
    """Return what `start` gives. Where there is no broker, the test is skipped; in CI, or where one was named, it fails."""
    try:
        return start()
    except NoBrokerError as error:
        reason = f"no broker: {error}"
    if os.environ.get("CI") or os.environ.get("MQCONVERT_RABBITMQ"):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


def _fixture(kind: type[Broker], scope: Any, name: str, **options: Any) -> Any:
    def fixture() -> Iterator[Broker]:
        yield from running(kind(**options))

    return pytest.fixture(fixture, scope=scope, name=name)


for _name, _kind in BROKERS.items():
    globals()[f"_{_name}"] = _fixture(_kind, "session", FIXTURE.format(_name))

refusing = _fixture(Mosquitto, "session", "mosquitto_broker_refusing", refusing=True)
"""A Mosquitto that takes no user."""
transacting = _fixture(Pulsar, "module", "pulsar_broker_transacting", transactions=True)
"""A Pulsar with transactions: the client inside it connects through the proxy of every test."""


@pytest.fixture(scope="session")
def fresh_seed(request: pytest.FixtureRequest) -> int:
    """One for the whole run: --seed, or another one every run."""
    return int(request.config.getoption("--seed"))


def pytest_sessionstart(session: pytest.Session) -> None:
    session.config.stash[_START], session.config.stash[_MEMORY] = time.monotonic(), figures.Memory()
    session.config.stash[_MEMORY].start()


def pytest_sessionfinish(session: pytest.Session) -> None:
    session.config.stash[_MEMORY].end()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    terminalreporter.section("figures")
    for line in figures.lines(config.stash[_MEMORY], int(config.getoption("--seed")), config.stash[_START]):
        terminalreporter.write_line(line)
