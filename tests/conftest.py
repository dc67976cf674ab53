"""Settings of the whole suite: reproducible examples, others with a seed, no deadlines, and which tests a worker runs."""

import gc
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadGroupScheduling

from tests.on_spark import ENVIRONMENT
from tests.proofs import pytest_addoption, pytest_collection_modifyitems, pytest_sessionfinish  # noqa: F401 - hooks
from tests.strategies import DEEP, draw_messages, load_library

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

settings.register_profile(
    "deep",
    deadline=None,
    derandomize=True,
    max_examples=DEEP,
    # Machines differ in speed, and strategies filter out messages that their codec refuses.
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
settings.register_profile("fast", settings.get_profile("deep"), max_examples=DEEP // 5)
settings.register_profile("seeded", settings.get_profile("deep"), derandomize=False, database=None)


def pytest_configure(config: pytest.Config) -> None:
    seeded = config.getoption("--hypothesis-seed") is not None
    settings.load_profile("seeded" if seeded else "deep" if config.getoption("deep") else "fast")


class ByFile(LoadGroupScheduling):  # type: ignore[misc]  # xdist has no types
    """Gives a worker the tests of a group, or else of a file: what they share is made once.

    With one unit per test, the work of xdist also grows with the square of their number.
    """

    def _split_scope(self, nodeid: str) -> str:
        group = super()._split_scope(nodeid)
        return nodeid.partition("::")[0] if group == nodeid else group


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByFile | None:
    """Replace the scheduler of `--dist loadgroup`."""
    return ByFile(config, log) if config.getvalue("dist") == "loadgroup" else None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return the number of workers for `-n auto`: half again as many as processors, since tests of servers and Spark wait."""
    return (os.cpu_count() or 1) * 3 // 2


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collect tests without the garbage collector, and let it search seldom while they run.

    Tests and imported modules are half a million objects, in use to the end. Searching them took a seventh of all time.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(10_000, 20, 20)
        gc.enable()


@pytest.fixture(scope="session")
def shared_folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that all workers of a run share."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if hasattr(request.config, "workerinput") else own


@pytest.fixture(scope="module", autouse=True)
def drawn(request: pytest.FixtureRequest, shared_folder: Path) -> None:
    """Draw the messages that tests of a module share, before the first of these tests."""
    if hasattr(request.module, "DRAWN") or hasattr(request.module, "mixed_messages"):
        load_library()
        draw_messages(shared_folder)


@pytest.fixture(scope="session")
def spark() -> "Iterator[SparkSession]":
    """Start one small Spark session for all tests of a worker; tests that use it have the marks ON_SPARK."""
    from pyspark.sql import SparkSession  # noqa: PLC0415 - it costs a second, and most tests run without it

    os.environ.update(ENVIRONMENT)
    options: dict[str, Any] = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "1g",
        "spark.log.level": "ERROR",
        # Spark interprets the tests' small queries: to print and compile Java for each takes a tenth of their processor time.
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    session = SparkSession.builder.master("local[2]").appName("tests").config(map=options).getOrCreate()
    yield session
    session.stop()


@pytest.fixture
def without_packages(tmp_path: Path) -> Path:
    """Return a folder for PYTHONPATH that hides lz4 and google_crc32c, as if the extra `brokers` were not installed."""
    for name in ("lz4", "google_crc32c"):
        (tmp_path / f"{name}.py").write_text(f"raise ModuleNotFoundError({f'No module named {name!r}'!r})\n")
    return tmp_path


@pytest.fixture
def workers_without_packages(spark: "SparkSession", without_packages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Start Spark workers without packages that the driver has."""
    monkeypatch.setitem(spark.sparkContext.environment, "PYTHONPATH", str(without_packages))
