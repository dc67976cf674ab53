"""The data source over files that brokers left, in a real session: one partition a file, broken entries as rows."""

from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import spark_partition_id

from mqconvert import decode
from mqconvert.converters.spark import convert_frame, source
from tests.app.batch.runs import job, run
from tests.converters.readers import written
from tests.on_spark import ON_SPARK

pytestmark = ON_SPARK


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with two files of nsqd, one of them with a gap."""
    made = tmp_path / "in"
    made.mkdir()
    (made / "a.diskqueue.000000.dat").write_bytes(written.nsqd(b"1", b"2"))
    (made / "b.diskqueue.000000.dat.bad").write_bytes(b"junk" + written.nsqd(b"3"))
    return made


def load(spark: SparkSession, path: str, reader: str = "nsqd") -> DataFrame:
    source.register(spark)
    return spark.read.format("mqconvert").option("reader", reader).load(path)


@pytest.mark.parametrize("path", ["{}", "file:{}", "{}/*.dat*"])
def test_each_file_is_a_partition_and_each_message_a_row(path: str, folder: Path, spark: SparkSession) -> None:
    df = load(spark, path.format(folder))
    found = df.withColumn("partition", spark_partition_id()).collect()
    assert [(Path(row.file).name[0], row.position) for row in found] == [("a", 0), ("a", 31), ("b", 0), ("b", 4)]
    assert len({row.partition for row in found}) == 2
    assert [row.fault for row in found] == [None, None, "4 bytes that are no message of nsqd [bad_length]", None]
    assert [None if row.wire is None else decode("nsq", bytes(row.wire)).body for row in found] == [b"1", b"2", None, b"3"]
    assert {row.protocol for row in found if row.fault is None} == {"nsq"}


@pytest.mark.parametrize("name", ["a b", "a#b", "a?b", "a%20b", "[a]"])
def test_paths_and_uris_of_odd_names_are_literal(name: str, folder: Path, tmp_path: Path) -> None:
    odd = folder.rename(tmp_path / name)
    (tmp_path / "a").mkdir()
    for path in (str(odd), f"file:{odd}", f"file://{odd}"):
        found = source.StoreReader("nsqd", path).partitions()
        assert [part.path for part in found] == sorted(map(str, odd.iterdir()))  # type: ignore[attr-defined]  # our own class


def test_rows_are_converted(folder: Path, spark: SparkSession) -> None:
    made = convert_frame(load(spark, str(folder)), source="nsq", target="amqp-1.0").collect()
    assert [row.error and row.error.code for row in made] == [None, None, "no_wire", None]
    bodies: list[Any] = [decode("amqp-1.0", bytes(row.converted)).body for row in made if row.error is None]
    assert [body.sections for body in bodies] == [[b"1"], [b"2"], [b"3"]]


@pytest.mark.parametrize(
    ("reader", "path", "words"), [("nsqd", "{}/none*", "there is no file"), ("nsq-files", "{}", "unknown format 'nsq-files'")]
)
def test_wrong_paths_and_formats_are_told(reader: str, path: str, words: str, folder: Path, spark: SparkSession) -> None:
    with pytest.raises(PySparkException, match=words):
        load(spark, path.format(folder), reader).collect()


def test_the_batch_job_reads_the_formats(folder: Path, tmp_path: Path, spark: SparkSession) -> None:
    out = tmp_path / "out"
    pair = ("--from", "nsq", "--to", "amqp-1.0", "--input-format", "nsqd")
    assert run(spark, *pair, "--input", str(folder), "--output", str(out)) == 0
    made = spark.read.parquet(str(out)).collect()
    assert sorted((row["status"], row["fault"]) for row in made) == [
        ("converted", None),
        ("converted", None),
        ("converted", None),
        ("rejected", "4 bytes that are no message of nsqd [bad_length]"),
    ]


def test_each_message_of_a_store_is_converted_from_its_own_protocol(tmp_path: Path, spark: SparkSession) -> None:
    given: Any = (written.Atom("mqtt_msg"), written.Atom("false"), 0, b"t/a", written.Atom("false"), 0, b"mqtt", {}, 0)
    terms = [written.mc("mc_amqpl", written.amqp091(b"\x10\0\x02", b"091")), written.mc("mc_mqtt", given)]
    (tmp_path / "0.qs").write_bytes(written.queue_store(*terms))
    for source_, count in (("column:protocol", 2), ("mqtt-5.0", 1)):
        out = tmp_path / f"out-{count}"
        pair = ("--from", source_, "--to", "amqp-1.0", "--input-format", "rabbitmq-classic")
        assert run(spark, *pair, "--input", str(tmp_path / "0.qs"), "--output", str(out)) == 0
        assert spark.read.parquet(str(out)).count() == count


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--from", "amqp-1.0"), "nsqd has messages of nsq, not of amqp-1.0"),
        (("--from", "nsq", "--stream", "--checkpoint", "c"), "--stream reads files that grow, not nsqd"),
    ],
)
def test_wrong_options_are_refused_before_spark_starts(arguments: tuple[str, ...], words: str) -> None:
    with pytest.raises(Exception, match=words):
        job(*arguments, "--to", "mqtt-5.0", "--input-format", "nsqd", "--input", "in", "--output", "out")
