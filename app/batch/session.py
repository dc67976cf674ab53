"""The Spark session of the job, and the files behind its paths."""

import logging
import os
import re
import signal
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any
from warnings import catch_warnings

from py4j.protocol import Py4JJavaError
from pyspark.sql import SparkSession

from mqconvert import MqConvertError
from mqconvert.app.batch.java import find_java
from mqconvert.app.batch.options import free_memory, memory

SETTINGS = {
    # A batch goes to Python and back in one piece: few enough rows, and never more octets than this and one more row.
    "spark.sql.execution.arrow.maxRecordsPerBatch": "10000",
    "spark.sql.execution.arrow.maxBytesPerBatch": str(64 * 2**20),
    # Base64 is a line, not a text of lines of 76 characters.
    "spark.sql.chunkBase64String.enabled": "false",
    # Both statuses are written as rows come, without sorting by status first.
    "spark.sql.maxConcurrentOutputFileWriters": "4",
}
"""What the job relies on in any session it runs in."""

_LOGGING = """appender.none.type = Null
appender.none.name = none
rootLogger.level = off
rootLogger.appenderRef.none.ref = none
logger.gateway.name = org.apache.spark.api.python.PythonGatewayServer
logger.gateway.level = off
"""
"""Of the Java machine that we start: what goes wrong there is raised, and said on one line (see `cause`)."""


@contextmanager
def session(master: str | None, memory_size: str) -> Iterator[SparkSession]:
    """A session that is ours: under `spark-submit` with what that was told, else on `master` or this machine.

    Finds Java first. Workers use our own interpreter, unless PYSPARK_PYTHON names another for a cluster's machines.
    """
    submitted = "PYSPARK_GATEWAY_PORT" in os.environ
    local = master is None or master.startswith("local")
    if master is not None and master.startswith("sc://"):
        words = "the job needs a classic session, not Spark Connect (the functions of mqconvert.converters.spark work on both)"
        raise MqConvertError(f"--master {master}: {words}", code="bad_option")
    if not submitted:
        os.environ["JAVA_HOME"] = str(find_java().resolve().parent.parent)
        if local:
            os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    with tempfile.TemporaryDirectory() as folder:
        builder = SparkSession.builder.appName("mqconvert batch")
        if not submitted:
            builder = _ours(builder, memory(memory_size, free_memory()), Path(folder), local=local)
        if master is not None or not submitted:
            builder = builder.master(master or "local[*]")
        interrupt = signal.getsignal(signal.SIGINT)
        spark = builder.getOrCreate()
        # PySpark's own handler asks the Java machine to cancel in the middle of another question, which py4j logs at length.
        signal.signal(signal.SIGINT, interrupt)
        logging.getLogger().disabled = True
        try:
            if not (submitted or local):
                spark.sparkContext.addPyFile(str(package_zip(Path(folder))))
            yield spark
        finally:
            # Where an interrupt broke the connection, the Java machine ends with our process, and PySpark warns of it.
            with catch_warnings(action="ignore", category=RuntimeWarning):
                spark.stop()
            logging.getLogger().disabled = False


def _ours(builder: SparkSession.Builder, size: str, folder: Path, *, local: bool) -> SparkSession.Builder:
    """The settings of a Java machine that we start ourselves."""
    logging = folder / "log4j2.properties"
    logging.write_text(_LOGGING)
    made = (
        builder.config("spark.driver.memory", size)
        .config("spark.driver.defaultJavaOptions", f"-Dlog4j2.configurationFile={logging}")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", str(sys.stderr.isatty()).lower())
    )
    if local:
        made = made.config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
    return made


def package_zip(folder: Path) -> Path:
    """The mqconvert that runs here as a zip, for workers that have none: what the wheel is, under a name that PySpark takes."""
    made = folder / "mqconvert.zip"
    with as_file(files("mqconvert")) as package, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as out:
        for root, _, names in os.walk(package, followlinks=True):  # the three folders are links in a checkout
            for name in names:
                file = Path(root, name)
                if file.suffix in {".py", ".toml", ".typed"}:
                    out.write(file, Path("mqconvert", file.relative_to(package)))
    return made


class Storage:
    """The files behind Spark's paths, through Hadoop's file systems; PySpark has no public face of them."""

    def __init__(self, spark: SparkSession) -> None:
        context = spark.sparkContext
        self._hadoop: Any = context._jvm.org.apache.hadoop  # type: ignore[union-attr]  # noqa: SLF001 - see the class
        self._settings: Any = context._jsc.hadoopConfiguration()  # noqa: SLF001 - see the class

    def _at(self, path: str) -> tuple[Any, Any]:
        try:
            place = self._hadoop.fs.Path(path)
            return place.getFileSystem(self._settings), place
        except Py4JJavaError as error:
            raise MqConvertError(f"{path}: {cause(error)}", code="bad_path") from None

    def exists(self, path: str) -> bool:
        """Whether anything is there; `path` may be a pattern."""
        system, place = self._at(path)
        try:
            return bool(system.globStatus(place))
        except Py4JJavaError as error:
            raise MqConvertError(f"{path}: {cause(error)}", code="bad_path") from None

    def same_system(self, one: str, other: str) -> bool:
        return bool(self._at(one)[0].equals(self._at(other)[0]))

    def inside(self, path: str, folder: str) -> bool:
        """Whether a path is that of the folder, or leads into it."""
        inner, outer = (
            f"{system.makeQualified(place).toUri().normalize()}/" for system, place in map(self._at, (path, folder))
        )
        return inner.startswith(outer)

    def is_file(self, path: str) -> bool:
        system, place = self._at(path)
        return bool(system.exists(place) and system.getFileStatus(place).isFile())

    def make(self, path: str) -> None:
        """Make a folder; MqConvertError where nothing can be written."""
        system, place = self._at(path)
        try:
            made = system.mkdirs(place)
        except Py4JJavaError as error:
            raise MqConvertError(f"{path} cannot be written: {cause(error)}", code="bad_path") from None
        if not made:
            raise MqConvertError(f"{path} cannot be written", code="bad_path")

    def delete(self, path: str) -> None:
        """Delete a file or folder; nothing where there is none."""
        system, place = self._at(path)
        system.delete(place, True)

    def move(self, path: str, to: str) -> None:
        """Rename, and make the folder above if need be; MqConvertError when the file system refuses."""
        system, place = self._at(path)
        target = self._hadoop.fs.Path(to)
        if target.getParent() is not None:
            system.mkdirs(target.getParent())
        if not system.rename(place, target):
            raise MqConvertError(f"cannot rename {path} to {to}", code="bad_path")

    def write(self, path: str, text: str) -> None:
        system, place = self._at(path)
        out = system.create(place, True)
        try:
            out.write(bytearray(text.encode()))
        finally:
            out.close()


_RAISED = re.compile(r"Traceback \(most recent call last\):\n(?:[ \t].*\n)*(?:mqconvert\.[\w.]+: )?(\S.*)")
"""What a traceback ends with; an error of ours without its class."""


def cause(error: Exception) -> str:
    """What went wrong, on one line: of an error of the Java machine what it was at first, of a worker's what it raised."""
    if isinstance(error, Py4JJavaError):
        thrown = error.java_exception
        while thrown.getCause() is not None:
            thrown = thrown.getCause()
        error = RuntimeError(thrown.toString())
    text = str(error).strip()
    raised = _RAISED.findall(text)
    if raised:
        return str(raised[-1])
    return text.splitlines()[0] if text else type(error).__name__
