"""A data source of Spark over files that brokers left: `spark.read.format("mqconvert").option("reader", NAME).load(PATH)`.

`register(spark)` makes it known to a session. A path is a file, a folder or a pattern that the workers see, too, since they
read the files: one partition a file. A row is a message, or a broken entry:

* `file`, `position` (offset in bytes), `protocol`, `wire` (null for a broken entry), `maybe_settled`: see Record in readers;
* `fault`: what is wrong with a broken entry; null for a message.
"""

from collections.abc import Iterator, Sequence
from glob import glob
from pathlib import Path

from pyspark.sql import SparkSession
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition

from mqconvert.converters.readers import Broken, Record, reader
from mqconvert.converters.readers.files import local_path

NAME = "mqconvert"
SCHEMA = "file string, position bigint, protocol string, wire binary, maybe_settled boolean, fault string"

Row = tuple[str, int, str | None, bytes | None, bool | None, str | None]


def register(spark: SparkSession) -> None:
    """Let a session read `format("mqconvert")`."""
    spark.dataSource.register(StoredMessages)


class StoredMessages(DataSource):
    """The data source; its options are `reader`, the name of a format, and `path`."""

    @classmethod
    def name(cls) -> str:
        """Return the name for `format(...)`."""
        return NAME

    def schema(self) -> str:
        """Return the columns."""
        return SCHEMA

    def reader(self, schema: object) -> "StoreReader":
        """Return what reads one path. Raises ConversionError `bad_option` for an unknown format."""
        del schema
        return StoreReader(self.options.get("reader", ""), self.options.get("path", ""))


class _File(InputPartition):
    """One file."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


class StoreReader(DataSourceReader):
    """Reads the files of one path. Raises FileNotFoundError if there are none."""

    def __init__(self, name: str, path: str) -> None:
        reader(name)  # raises for an unknown one
        self._name = name
        self._path = path

    def partitions(self) -> Sequence[InputPartition]:
        """Return a partition for each file."""
        return [_File(str(file)) for place in _places(self._path) for file in reader(self._name).files(place)]

    def read(self, partition: InputPartition) -> Iterator[Row]:
        """Yield the rows of a file."""
        assert isinstance(partition, _File)
        for entry in reader(self._name).read(Path(partition.path)):
            yield _row(entry)


def _row(entry: Record | Broken) -> Row:
    if isinstance(entry, Broken):
        return entry.file, entry.position, None, None, None, f"{entry.error.message} [{entry.error.code}]"
    return entry.file, entry.position, entry.protocol, entry.wire, entry.maybe_settled, None


def _places(path: str) -> list[str]:
    """Return the files and folders of a path, or of the `file:` URI of one; of a pattern those that match."""
    local = str(local_path(path))
    if Path(local).exists():
        return [local]
    return sorted(glob(local)) or [local]  # noqa: PTH207 - Path.glob takes no absolute pattern
