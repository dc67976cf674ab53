"""Files that Spark would count wrongly, or not read, are refused with file, column and remedy."""

import os
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from mqconvert import JobError
from mqconvert.app.batch.held import held
from tests.app.batch.runs import PUBLISH, archive, job, left, run
from tests.on_spark import ON_SPARK

pytestmark = ON_SPARK


def refused(spark: SparkSession, capsys: pytest.CaptureFixture[str], folder: Path, source: str, *more: str) -> str:
    """Return the error of a run, which is the same before Spark starts if the input needs no Spark to list it."""
    asked = ("--input", source, "--output", str(folder / "out"), *more)
    assert run(spark, *asked) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert not (folder / "out").exists()
    if ":" not in source and "*" not in source:
        with pytest.raises(JobError) as early, held(job(*asked)):
            pass
        assert said == f"mqconvert: {early.value.message}\n"
    return said


def mounted(spark: SparkSession, folder: Path) -> str:
    """Mount a folder on a file system of its own; Hadoop keeps file systems by name."""
    name = f"mount{folder.stat().st_ino}"
    spark.sparkContext._jsc.hadoopConfiguration().set(f"fs.viewfs.mounttable.{name}.link./data", f"file://{folder}")
    return name


def lake(folder: Path, inside: str, name: str, file: str) -> Path:
    """Make a folder like a table with one file of rows."""
    (folder / inside).mkdir(parents=True)
    (folder / inside / name).touch()
    (folder / file).parent.mkdir(parents=True, exist_ok=True)
    archive(folder / file, [PUBLISH])
    return folder


TABLES = {
    "Delta": ("_delta_log", "00000000000000000000.json", "day=1/part.parquet", "--input-format delta"),
    "Hudi": (".hoodie", "hoodie.properties", "day=1/part.parquet", "mqconvert.app.batch.run"),
    "Iceberg": ("metadata", "v1.metadata.json", "data/day=1/part.parquet", "--input-format iceberg"),
}


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize(
    "spelling", ["{}/made", "{}", "{}/made/{file}", "{}/made/{folder}", "{}/m*/{folder}/*", "viewfs://{mount}/data/made"]
)
def test_a_folder_of_a_table_is_refused_as_files(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str, spelling: str
) -> None:
    """Also a part of the table, or a folder above it."""
    inside, name, file, remedy = TABLES[kind]
    lake(tmp_path / "lake" / "made", inside, name, file)
    mount = mounted(spark, tmp_path / "lake")
    source = (
        spelling.replace("{file}", file)
        .replace("{folder}", file.rpartition("/")[0])
        .replace("{mount}", mount)
        .replace("{}", str(tmp_path / "lake"))
    )
    said = refused(spark, capsys, tmp_path, source)
    assert f"belongs to a table of {kind}" in said
    assert f"made has {inside})" in said
    assert remedy in said


def test_a_folder_named_metadata_makes_no_table(spark: SparkSession, tmp_path: Path) -> None:
    lake(tmp_path / "in", "metadata", "a.metadata.json", "part.parquet")
    assert run(spark, "--input", str(tmp_path / "in" / "part.parquet"), "--output", str(tmp_path / "out")) == 0


@pytest.mark.parametrize("format_", ["delta", "iceberg"])
def test_a_table_needs_its_package_in_the_session(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str], format_: str
) -> None:
    (tmp_path / "in").mkdir()
    asked = ("--input", str(tmp_path / "in"), "--output", str(tmp_path / "out"), "--input-format", format_)
    assert run(spark, *asked) == 2
    said = capsys.readouterr().err
    assert "--conf spark.jars.packages=" in said
    assert said.count("\n") == 1
    assert left(tmp_path) == ["in"]


def test_a_name_of_a_table_that_is_missing_is_a_one_line_error(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, words in (("no.such", "cannot be found"), ("x; y", "nor the name of a table, such as ")):
        assert run(spark, "--input", name, "--output", str(tmp_path / "out"), "--input-format", "iceberg") == 2
        said = capsys.readouterr().err
        assert words in said
        assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--wire-column", "packet"], "no column 'packet'; there are: id, wire, msg, day; --wire-column NAME names another"),
        (["--wire-column", "message.wire"], "no column 'message.wire'"),
        (
            ["--from", "column:protocol"],
            "no column 'protocol'; there are: id, wire, msg, day; --from column:NAME names another",
        ),
        (["--wire-column", "msg.wire"], None),
        (["--from", "column:day"], None),
    ],
)
def test_a_missing_column_is_told_before_spark_starts(tmp_path: Path, options: list[str], words: str | None) -> None:
    archive(tmp_path / "in" / "day=1" / "a.parquet", [PUBLISH], msg=[{"wire": PUBLISH}])
    asked = job("--input", str(tmp_path / "in"), "--output", str(tmp_path / "out"), *options)
    if words is None:
        with held(asked) as before:
            assert before.checked
        return
    with pytest.raises(JobError, match=re.escape(words)) as caught, held(asked):
        pass
    assert caught.value.code == "missing_column"


@pytest.mark.parametrize("where", ["{}", "viewfs://{mount}/data"])
@pytest.mark.parametrize("format_", ["parquet", "orc"])
def test_a_file_of_no_bytes_is_refused(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str], where: str, format_: str
) -> None:
    archive(tmp_path / "in" / "a.parquet", [PUBLISH])
    (tmp_path / "in" / "b.parquet").touch()
    where = where.replace("{mount}", mounted(spark, tmp_path)).replace("{}", str(tmp_path))
    said = refused(spark, capsys, tmp_path, f"{where}/in", "--input-format", format_)
    assert "in/b.parquet has 0 bytes" in said


@pytest.mark.parametrize("link", [os.symlink, os.link])
@pytest.mark.parametrize("nested", ["", "day=1/"])
def test_a_link_that_doubles_rows_is_refused(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str], link: Any, nested: str
) -> None:
    (tmp_path / "in").mkdir()
    file = archive(tmp_path / "in" / nested / "a.parquet", [PUBLISH])
    link(file, file.with_name("b.parquet"))
    said = refused(spark, capsys, tmp_path, str(tmp_path / "in"))
    assert "is the same file as" in said
    assert "rows would count twice" in said
    assert refused(spark, capsys, tmp_path, str(file), "--input", str(file)).count("a.parquet") == 2


def interval(path: Path) -> None:
    """Write a column of INTERVAL, which PyArrow cannot: add its code to the footer of a file."""
    pq.write_table(pa.table({"wire": [PUBLISH], "odd": pa.array([bytes(12)], pa.binary(12))}), path, store_schema=False)
    raw = path.read_bytes()
    size = int.from_bytes(raw[-8:-4], "little")
    footer = raw[-8 - size : -8].replace(b"\x18\x03odd\x00", b"\x18\x03odd\x25\x2a\x00")
    path.write_bytes(raw[: -8 - size] + footer + len(footer).to_bytes(4, "little") + b"PAR1")


UNREADABLE: dict[str, tuple[Any, str, str]] = {
    "nanoseconds": (
        pa.timestamp("ns"),
        "column odd is a timestamp in nanoseconds",
        "spark.sql.legacy.parquet.nanosAsLong=true",
    ),
    "in UTC": (
        pa.timestamp("ns", "UTC"),
        "column odd is a timestamp in nanoseconds",
        "spark.sql.legacy.parquet.nanosAsLong=true",
    ),
    "nested": (pa.list_(pa.timestamp("ns")), "column odd.list.element is a timestamp in nanoseconds", "nanosAsLong"),
    "time": (pa.time64("us"), "column odd is TIME", "spark.sql.timeType.enabled=true"),
    "milliseconds": (pa.time32("ms"), "column odd is TIME", "write it as text or a number"),
    "uuid": (pa.uuid(), "column odd is UUID", "write it as text"),
    "float16": (pa.float16(), "column odd is FLOAT16", "write it as float"),
    "decimal": (pa.decimal256(50, 2), "column odd is a decimal of more than 38 digits", "write it as text"),
    "interval": (None, "column odd is INTERVAL", "write it as text or numbers"),
    "brotli": ("brotli", "column wire is compressed with BROTLI", "write it with zstd"),
}


@pytest.mark.parametrize("case", UNREADABLE)
@pytest.mark.parametrize("where", ["{}", "viewfs://{mount}/data"])
def test_a_column_that_spark_cannot_read_is_named(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str], case: str, where: str
) -> None:
    """Local files by their footers, without Spark; files elsewhere by their footers after Spark's error."""
    type_, words, remedy = UNREADABLE[case]
    path = tmp_path / "in" / "a.parquet"
    archive(path, [PUBLISH])
    path = path.with_name("b.parquet")
    if type_ is None:
        interval(path)
    elif type_ == "brotli":
        pq.write_table(pa.table({"wire": [PUBLISH]}), path, compression="brotli")
    else:
        pq.write_table(pa.table({"wire": [PUBLISH], "odd": pa.nulls(1, type_)}), path)
    where = where.replace("{mount}", mounted(spark, tmp_path)).replace("{}", str(tmp_path))
    source = f"{where}/in"
    if case == "brotli" and ":" in source:  # Spark reads the columns, and fails when it reads the rows
        assert run(spark, "--input", source, "--output", str(tmp_path / "out")) == 1
        said = capsys.readouterr().err
    else:
        said = refused(spark, capsys, tmp_path, source)
    assert words in said
    assert remedy in said
    assert "in/b.parquet" in said


@pytest.mark.parametrize(
    ("type_", "setting"),
    [(pa.timestamp("ns"), "spark.sql.legacy.parquet.nanosAsLong"), (pa.time64("ns"), "spark.sql.timeType.enabled")],
)
def test_the_setting_of_the_error_reads_the_column(
    spark: SparkSession, tmp_path: Path, type_: pa.DataType, setting: str
) -> None:
    archive(tmp_path / "in" / "a.parquet", [PUBLISH], odd=pa.array([1], type_))
    asked = ("--input", str(tmp_path / "in"), "--output", str(tmp_path / "out"), "--conf", f"{setting}=true")
    with held(job(*asked)):
        pass
    assert run(spark, *asked) == 0


def test_a_file_that_is_no_parquet_is_told_before_spark_starts(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive(tmp_path / "in" / "a.parquet", [PUBLISH])
    (tmp_path / "in" / "b.jsonl").write_text('{"wire": "MAYAAXQAaGk="}\n')
    said = refused(spark, capsys, tmp_path, str(tmp_path / "in"))
    assert f"{tmp_path}/in/b.jsonl is not a Parquet file: name its format with --input-format" in said
