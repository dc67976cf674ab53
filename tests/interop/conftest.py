"""One broker of each kind for the whole suite, or the reason for its absence; the seed, and the figures at the end."""

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
"""The fixture of each broker by name. Fixtures of other configurations begin with the same name."""
_MEMORY, _START = pytest.StashKey[figures.Memory](), pytest.StashKey[float]()
_WORKERS = pytest.StashKey[list[dict[str, Any]]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--broker", choices=sorted(BROKERS), help="only the tests with this broker")
    parser.addoption(
        "--seed",
        type=int,
        default=random.SystemRandom().randrange(2**32),
        help="the seed of all generated messages; another one every run, which prints it at its end",
    )
    parser.addoption(
        "--kills", type=int, default=3, help="kills of move and of brokers for each pair, among 1,000 messages each"
    )
    parser.addoption(
        "--observe", action="store_true", help="write what the brokers answer to the examples into docs/observed.json"
    )


@pytest.hookimpl(tryfirst=True)  # xdist reads the groups in the same hook
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    wanted = config.getoption("--broker")
    if wanted is not None:
        begin = FIXTURE.format(wanted)
        items[:] = [item for item in items if any(name.startswith(begin) for name in _used(item))]
    for item in items:
        item.add_marker(pytest.mark.xdist_group(_group(item)))


def _group(item: pytest.Item) -> str:
    """Return which tests a worker runs together: those of a broker, so that few start it; of RabbitMQ, which has most, those
    of a function, so that every worker has some.
    """
    prefixes = {name: FIXTURE.format(name) for name in BROKERS}
    brokers = {broker for broker, begin in prefixes.items() if any(name.startswith(begin) for name in _used(item))}
    one = brokers - {"rabbitmq"}
    return "-".join(sorted(one)) if one else item.nodeid.partition("::")[2].partition("[")[0]


def _used(item: pytest.Item) -> set[str]:
    """Return the fixtures of a test, and those that its parameters name."""
    parameters = item.callspec.params if hasattr(item, "callspec") else {}
    return {*getattr(item, "fixturenames", ()), *(each for each in parameters.values() if isinstance(each, str))}


def running(broker: Broker) -> Iterator[Broker]:
    """Run the broker for the tests that use it."""
    with contextlib.ExitStack() as stack:
        yield started(lambda: stack.enter_context(broker))


def started(start: Callable[[], Peer]) -> Peer:
    """Return the result of `start`. Without a broker, the test is skipped; in CI, or with BROKER=NAME, it fails."""
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
"""A Mosquitto that refuses every user."""
transacting = _fixture(Pulsar, "module", "pulsar_broker_transacting", transactions=True)
"""A Pulsar with transactions: the client inside it connects through the proxy of every test."""


@pytest.fixture(scope="session")
def fresh_seed(request: pytest.FixtureRequest) -> int:
    """Return the seed of the run, the same in every worker: --seed, or a new one for every run."""
    given = getattr(request.config, "workerinput", {})
    return int(given.get("seed", request.config.getoption("--seed")))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Give a worker of xdist the seed of the run: it would draw another one."""
    node.workerinput["seed"] = node.config.getoption("--seed")


def pytest_sessionstart(session: pytest.Session) -> None:
    session.config.stash[_START], session.config.stash[_MEMORY] = time.monotonic(), figures.Memory()
    session.config.stash[_WORKERS] = []
    session.config.stash[_MEMORY].start()


def pytest_sessionfinish(session: pytest.Session) -> None:
    session.config.stash[_MEMORY].end()
    own = figures.measured(session.config.stash[_MEMORY])
    getattr(session.config, "workeroutput", {})["figures"] = own
    session.config.stash[_WORKERS].append(own)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take the figures of a worker of xdist; one that crashed has none."""
    node.config.stash[_WORKERS].append(getattr(node, "workeroutput", {}).get("figures", figures.NONE))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    terminalreporter.section("figures")
    for line in figures.lines(config.stash[_WORKERS], int(config.getoption("--seed")), config.stash[_START]):
        terminalreporter.write_line(line)
