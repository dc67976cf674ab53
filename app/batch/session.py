"""The Spark session of the command, and the settings that the job needs in any session."""

import logging
import os
import signal
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from importlib.resources import as_file, files
from pathlib import Path
from threading import Lock
from warnings import catch_warnings
from weakref import WeakKeyDictionary

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from mqconvert import JobError
from mqconvert.app.batch.failures import cause
from mqconvert.app.batch.java import find_java
from mqconvert.app.batch.options import free_memory, memory
from mqconvert.app.batch.storage import scheme_of
from mqconvert.app.signals import handled

SETTINGS = {
    # Spark passes whole batches to Python and back: limit their rows, and their bytes (which one row may exceed).
    "spark.sql.execution.arrow.maxRecordsPerBatch": "10000",
    "spark.sql.execution.arrow.maxBytesPerBatch": str(64 * 2**20),
    # Write base64 on one line, not in lines of 76 characters.
    "spark.sql.chunkBase64String.enabled": "false",
    # Write both statuses at once, without sorting by status.
    "spark.sql.maxConcurrentOutputFileWriters": "4",
}
"""Settings that the job needs in every session."""

_LOGGING = """rootLogger.level = {level}
rootLogger.appenderRef.err.ref = err
appender.err.type = Console
appender.err.name = err
appender.err.target = SYSTEM_ERR
appender.err.layout.type = PatternLayout
appender.err.layout.pattern = %d{{yyyy-MM-dd HH:mm:ss}} %p %c{{1}}: %m%n%ex
logger.gateway.name = org.apache.spark.api.python.PythonGatewayServer
logger.gateway.level = {level}
"""
"""Logging of our Java machine. Its errors are raised, and printed on one line (see failures.py)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """The machine and the resources of Spark. Memory is in Spark's spelling; None takes the default.

    `input_bytes` is the size of the input, None if it is large or unknown.
    """

    master: str | None = None
    memory: str | None = None
    executor_memory: str | None = None
    conf: Mapping[str, str] = field(default_factory=dict)
    log_level: str = "off"
    event_log: str | None = None
    input_bytes: int | None = None

    @property
    def works(self) -> bool:
        """Return whether our Java machine also does the work."""
        return SUBMITTED not in os.environ and self.local

    @property
    def local(self) -> bool:
        return self.master is None or self.master.startswith("local")


SMALL = 16 * 2**20
"""Inputs of fewer bytes use only the first compiler of the Java machine.

Spark then starts in half the processor time, and 400,000 rows took 26 s of it instead of 40 s."""

TINY = 2**20
"""Inputs of fewer bytes are one task, since each further task starts a Python worker."""


@dataclass(slots=True)
class _Held:
    """A setting in use: its value, the value to restore, and the number of runs that use it."""

    value: str
    before: str | None
    runs: int = 0


_HELD: WeakKeyDictionary[SparkSession, dict[str, _Held]] = WeakKeyDictionary()
_LOCK = Lock()


@contextmanager
def settings(spark: SparkSession, wanted: Mapping[str, str]) -> Iterator[None]:
    """Hold settings of a session. Concurrent runs share them; the last one restores the old values.

    Raises JobError `bad_option` if another run in the session needs another value.
    """
    with ExitStack() as held:
        for name, value in wanted.items():
            held.enter_context(_setting(spark, name, value))
        yield


@contextmanager
def _setting(spark: SparkSession, name: str, value: str) -> Iterator[None]:
    with _LOCK:
        all_held = _HELD.setdefault(spark, {})
        held = all_held.get(name)
        if held is None:
            held = _Held(value, spark.conf.get(name, None))
            spark.conf.set(name, value)
            all_held[name] = held
        elif held.value != value:
            words = f"{name} is {held.value} for another run in this session, and {value} here: give each run its own session"
            raise JobError(words, code="bad_option")
        held.runs += 1
    try:
        yield
    finally:
        with _LOCK:
            held.runs -= 1
            if not held.runs:
                del all_held[name]
                with suppress(Exception):  # the session itself may have failed
                    if held.before is None:
                        spark.conf.unset(name)
                    else:
                        spark.conf.set(name, held.before)


def checked(machine: Machine) -> Machine:
    """Return the machine with its memory, after finding Java and setting the environment of Spark.

    Workers use our interpreter, unless PYSPARK_PYTHON names another one for a cluster. Raises MqConvertError for
    errors found before Spark starts.
    """
    if (machine.master or "").startswith("sc://"):
        words = "the command needs a classic session; over Spark Connect, call mqconvert.app.batch.run"
        raise JobError(f"--master {machine.master}: {words}", code="bad_option")
    if SUBMITTED not in os.environ:
        os.environ["JAVA_HOME"] = str(find_java().resolve().parent.parent)
        if machine.local:
            os.environ["PYSPARK_PYTHON"] = sys.executable
        machine = replace(machine, memory=memory(machine.memory, free_memory()))
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    return machine


SUBMITTED = "PYSPARK_GATEWAY_PORT"
"""The environment variable that `spark-submit` sets."""


@contextmanager
def session(machine: Machine) -> Iterator[SparkSession]:
    """Open a new session: under `spark-submit` with its settings, else on `master` or this machine.

    `machine` comes from `checked`. Raises JobError `not_started` if Spark does not start; an error
    while it stops is a line on standard error.
    """
    submitted, master = SUBMITTED in os.environ, machine.master
    with tempfile.TemporaryDirectory() as folder:
        chosen = {} if submitted else _ours(machine, Path(folder))
        if machine.executor_memory is not None:
            chosen["spark.executor.memory"] = machine.executor_memory
        if machine.event_log is not None:
            chosen |= {"spark.eventLog.enabled": "true", "spark.eventLog.dir": _folder(machine.event_log)}
        builder = SparkSession.builder.appName("mqconvert batch").config(map={**chosen, **machine.conf})
        if master is not None or not submitted:
            builder = builder.master(master or f"local[*,{ATTEMPTS}]")
        ended, spark = False, None
        try:
            spark = _started(builder)
            if not (submitted or machine.local):
                spark.sparkContext.addPyFile(str(package_zip(Path(folder))))
            yield spark
            ended = True
        finally:
            if spark is not None:
                _stop(spark, tell=ended)
            logging.getLogger().disabled = False
            logging.getLogger("py4j").setLevel(logging.NOTSET)


ATTEMPTS = 4
"""Attempts for a task, as on a cluster; Spark's default for `local` masters is 1."""


def _started(builder: SparkSession.Builder) -> SparkSession:
    logging.getLogger().disabled = True  # the logger of py4j and PySpark, with long tracebacks
    logging.getLogger("py4j").setLevel(logging.CRITICAL + 1)
    try:
        with _deferred():
            spark = builder.getOrCreate()
    except (PySparkException, Py4JError, OSError) as error:
        raise JobError(f"Spark did not start: {cause(error)}", code="not_started") from None
    # PySpark's accumulator server prints a traceback if the Java machine ends; we print one line.
    counts = getattr(spark.sparkContext, "_accumulatorServer", None)
    if counts is not None:
        counts.handle_error = lambda _request, _client: None
    return spark


@contextmanager
def _deferred() -> Iterator[None]:
    """Defer SIGINT and SIGTERM: a Java machine that is interrupted while starting would outlive this process.

    It also replaces PySpark's handler of SIGINT, which would call Java during another call.
    """
    told: list[int] = []
    try:
        with handled(lambda number, _frame: told.append(number), signal.SIGINT, signal.SIGTERM):
            yield
    finally:
        for number in told[:1]:
            signal.raise_signal(number)


def _stop(spark: SparkSession, *, tell: bool) -> None:
    """Stop Spark. A Java machine that has already ended is not a new error: its work has failed."""
    try:
        # After an interrupt broke the connection, the Java machine ends with our process, and PySpark warns.
        with catch_warnings(action="ignore", category=RuntimeWarning):
            spark.stop()
    except (PySparkException, Py4JError, OSError) as error:
        if tell and machine_status(spark, 1.0) is None:
            print(f"mqconvert: Spark did not stop: {cause(error)}", file=sys.stderr)  # noqa: T201 - a command line prints


def machine_status(spark: SparkSession, seconds: float) -> int | None:
    """Wait for the Java machine of this session, and return its exit status.

    None if it still runs, or if this process did not start it.
    """
    process = getattr(spark.sparkContext._gateway, "proc", None)  # noqa: SLF001 - PySpark has no public name for it
    if process is None:
        return None
    with suppress(subprocess.TimeoutExpired):
        return int(process.wait(timeout=seconds))
    return None


def _ours(machine: Machine, folder: Path) -> dict[str, str]:
    """Return the settings of our own Java machine, and write the file for its log."""
    logging = folder / "log4j2.properties"
    logging.write_text(_LOGGING.format(level=machine.log_level))
    java = f"-Dlog4j2.configurationFile={logging} -XX:+ExitOnOutOfMemoryError"
    made = {
        "spark.driver.memory": str(machine.memory),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": str(sys.stderr.isatty()).lower(),
    }
    if machine.local:
        made |= {"spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1"}
    if machine.local and machine.input_bytes is not None:
        java += " -XX:TieredStopAtLevel=1"
        # Local files open fast, so a task may read many small ones; each task has the cost of a Python worker.
        made["spark.sql.files.openCostInBytes"] = str(2**18)
    if machine.input_bytes is not None and machine.input_bytes <= TINY:
        made["spark.sql.files.minPartitionNum"] = "1"
    return made | {"spark.driver.defaultJavaOptions": java}


def _folder(path: str) -> str:
    """Return the URI of a folder; make it if it is local."""
    if scheme_of(path):
        return path
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise JobError(f"--event-log {path} cannot be written: {error.strerror}", code="bad_path") from None
    return Path(path).absolute().as_uri()


def package_zip(folder: Path) -> Path:
    """Pack mqconvert for workers that lack it: the content of the wheel, under a name that PySpark accepts."""
    made = folder / "mqconvert.zip"
    with as_file(files("mqconvert")) as package, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as out:
        for root, _, names in os.walk(package, followlinks=True):  # in a checkout the three folders are links
            for name in names:
                file = Path(root, name)
                if file.suffix in {".py", ".toml", ".typed", ".sha256"}:
                    out.write(file, Path("mqconvert", file.relative_to(package)))
    return made
