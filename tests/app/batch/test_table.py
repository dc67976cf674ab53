"""Tables of the catalog: written under the run's own name, then renamed; a failure leaves the old table."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from mqconvert import MqConvertError
from mqconvert.app.batch import table
from mqconvert.app.batch.options import Job
from tests.app.batch.runs import job as job_of_arguments
from tests.on_spark import ON_SPARK

pytestmark = ON_SPARK

RUN = "20260102T030405-1f"


@pytest.fixture
def lake(spark: SparkSession, tmp_path: Path) -> Iterator[str]:
    """Return the name of a database, which ends with the test."""
    spark.sql(f"CREATE DATABASE shelf LOCATION 'file:{tmp_path}/shelf'")
    yield "shelf"
    spark.sql("DROP DATABASE shelf CASCADE")


def job(name: str, *more: str) -> Job:
    return job_of_arguments("--input", "in", "--output-table", name, *more)


def tables(spark: SparkSession) -> list[str]:
    return sorted(row["tableName"] for row in spark.sql("SHOW TABLES IN shelf").collect())


def made(spark: SparkSession, of: Job, name: str, count: int) -> None:
    """Write a table of that many converted rows."""
    table.write(of, spark.range(count).selectExpr("id", "'converted' status"), name)


@pytest.mark.parametrize("name", ["made", "`made`"])
def test_a_run_writes_under_its_own_name_and_renames(spark: SparkSession, lake: str, name: str) -> None:
    for count, more in ((2, ()), (3, ("--overwrite",))):
        asked = job(f"{lake}.{name}", *more)
        with table.staged(spark, asked, RUN) as own:
            made(spark, asked, own, count)
            assert any("unfinished_20260102t030405_1f" in one for one in tables(spark))
            assert table.rows(spark, own, "status", "converted") == count
            assert table.rows(spark, own, "status", "rejected") == 0
            table.commit(spark, asked, RUN, own)
        assert tables(spark) == [name.strip("`")]
        assert spark.table(f"{lake}.{name}").count() == count


def test_a_failed_run_leaves_no_table(spark: SparkSession, lake: str) -> None:
    asked = job(f"{lake}.made")

    def interrupted() -> None:
        with table.staged(spark, asked, RUN) as own:
            made(spark, asked, own, 1)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        interrupted()
    assert tables(spark) == []


def test_an_existing_table_is_refused_without_overwrite_also_at_the_end(spark: SparkSession, lake: str) -> None:
    asked = job(f"{lake}.made")
    table.refuse_existing(spark, asked)
    with table.staged(spark, asked, RUN) as own:
        made(spark, asked, own, 1)
        made(spark, asked, f"{lake}.made", 5)  # by another run in the meantime
        with pytest.raises(MqConvertError, match="exists: --overwrite replaces it") as refused:
            table.commit(spark, asked, RUN, own)
    assert refused.value.code == "output_exists"
    assert spark.table(f"{lake}.made").count() == 5
    table.refuse_existing(spark, job(f"{lake}.made", "--overwrite"))


def test_the_old_table_returns_if_the_new_one_cannot_be_renamed(
    spark: SparkSession, lake: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, rename = job(f"{lake}.made", "--overwrite"), table._rename
    made(spark, asked, f"{lake}.made", 5)

    def fails(spark: SparkSession, name: str, to: str) -> None:
        if "unfinished" in name:
            raise OSError("the catalog went away")
        rename(spark, name, to)

    monkeypatch.setattr(table, "_rename", fails)
    with table.staged(spark, asked, RUN) as own:
        made(spark, asked, own, 1)
        with pytest.raises(OSError, match="the catalog went away"):
            table.commit(spark, asked, RUN, own)
    assert tables(spark) == ["made"]
    assert spark.table(f"{lake}.made").count() == 5


@pytest.mark.parametrize(
    ("name", "renamed"),
    [
        ("spark_catalog.shelf.b", "ALTER TABLE own RENAME TO spark_catalog.shelf.b"),
        ("iceberg.shelf.b", "ALTER TABLE own RENAME TO shelf.b"),
        ("`iceberg`.`shelf.a`.b", "ALTER TABLE own RENAME TO `shelf.a`.b"),
        ("shelf.b", "ALTER TABLE own RENAME TO shelf.b"),
        ("b", "ALTER TABLE own RENAME TO b"),
    ],
)
def test_the_new_name_omits_a_configured_catalog(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, name: str, renamed: str
) -> None:
    said: list[str] = []
    monkeypatch.setattr(SparkSession, "sql", lambda _spark, text: said.append(text))
    spark.conf.set("spark.sql.catalog.iceberg", "some.Catalog")
    try:
        table._rename(spark, "own", name)
    finally:
        spark.conf.unset("spark.sql.catalog.iceberg")
    assert said == [renamed]
