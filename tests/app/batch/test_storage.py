"""Paths and files on local and other file systems."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from pyspark.sql import SparkSession

from mqconvert.app.batch.lease import Lease
from mqconvert.app.batch.storage import Local, local_size, plain_files, storage_of
from tests.app.batch.runs import PUBLISH, WIRES, archive, left, read_lines, run
from tests.on_spark import ON_SPARK

pytestmark = ON_SPARK


def test_another_file_system_works_through_hadoop(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Leases, renaming, manifests and counted rows go through Hadoop on a file system that is not local."""
    settings = spark.sparkContext._jsc.hadoopConfiguration()
    settings.set("fs.viewfs.mounttable.lake.link./data", f"file://{tmp_path}")
    source = archive(tmp_path / "in", WIRES)
    asked = ("--input", str(source), "--output", "viewfs://lake/data/out [x]", "--rejects", "viewfs://lake/data/bad")
    for format_ in ("parquet", "jsonl"):
        assert run(spark, *asked, "--output-format", format_, "--overwrite") == 0
        told = json.loads((tmp_path / "out [x]" / "_manifest.json").read_text())
        assert (told["read"], told["messages"], told["rejected"]) == (6, 4, 3)
    assert len(read_lines(tmp_path / "out [x]" / "status=converted")) == 4
    assert len(read_lines(tmp_path / "bad")) == 3
    assert run(spark, *asked) == 2
    assert "exists: --overwrite" in capsys.readouterr().err
    lease = Lease(storage_of(spark, asked[3]), asked[3], "first")
    lease.acquire()
    lease.beat()
    assert run(spark, *asked, "--overwrite") == 1
    assert "is being written by run first" in capsys.readouterr().err
    lease.check()
    lease.release()
    assert [name for name in left(tmp_path) if not name.endswith(".crc")] == ["bad", "in", "out [x]"]


def test_every_spelling_of_an_output_path_has_the_same_lease(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "folder")
    spellings: list[Any] = [tmp_path / "folder" / "out", f"file:{tmp_path}/link/../folder/./out", tmp_path / "link" / "out"]
    assert len({Local().qualified(str(spelling)) for spelling in spellings}) == 1


def test_only_small_local_inputs_have_a_known_size(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}").write_bytes(bytes(10))
    assert local_size([str(tmp_path)], 30) == 30
    assert local_size([f"file://{tmp_path}/1", str(tmp_path / "2")], 30) == 20
    for paths in ([str(tmp_path), str(tmp_path / "0")], [str(tmp_path / "*")], ["s3a://lake/archive"]):
        assert local_size(paths, 30) is None


def test_listed_files_equal_those_that_spark_reads(spark: SparkSession, tmp_path: Path) -> None:
    """Hidden files are skipped. Patterns and nested folders are left to Spark."""
    lake = tmp_path / "lake %41"
    for name in ("b.parquet", "a [1].parquet", "_hidden", ".hidden", "c._COPYING_"):
        archive(lake / name, [PUBLISH])
    one = archive(tmp_path / "one", [PUBLISH])
    found = plain_files([str(lake), f"file:{one}"])
    assert found == [str(lake / "a [1].parquet"), str(lake / "b.parquet"), str(one)]
    uris = spark.read.parquet(str(lake), str(one)).inputFiles()
    assert sorted(found) == sorted(unquote(urlsplit(uri).path) for uri in uris)
    for paths in ([str(tmp_path)], [f"{lake}/*"], [str(tmp_path / "none")]):
        assert plain_files(paths) is None
    for name in ("_a=1", "_metadata"):
        special = archive(lake / name, [PUBLISH])
        assert plain_files([str(lake)]) is None
        special.unlink()
