"""The program of test_lake.py for a separate PySpark: it runs the job into a table twice, and once without permission.

It also converts a table of each format, and refuses the files of one.

Arguments: folder of jars, folder of the data. It prints summaries and contents of the table of each format as JSON.
"""

import json
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pyspark
from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812 - its usual name

from mqconvert import MqConvertError, encode
from mqconvert.app import batch
from mqconvert.converters.protocols.mqtt5.message import Message

TABLES = {"delta": "made", "iceberg": "lake.archive.made"}
INPUTS = {"delta": "{}/given", "iceberg": "lake.archive.given"}
FILES = {"delta": "{}/given", "iceberg": "{}/lake/archive/given"}


def main(jars: str, folder: str) -> None:
    settings = {
        "spark.jars": ",".join(map(str, Path(jars).glob("*.jar"))),
        "spark.sql.warehouse.dir": f"{folder}/warehouse",
        "spark.driver.extraJavaOptions": "-XX:+UseSerialGC -XX:TieredStopAtLevel=1",
        "spark.sql.shuffle.partitions": "2",
        "spark.ui.enabled": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.databricks.delta.snapshotPartitions": "1",
        "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        "spark.sql.catalog.lake": "org.apache.iceberg.spark.SparkCatalog",
        "spark.sql.catalog.lake.type": "jdbc",
        "spark.sql.catalog.lake.uri": f"jdbc:h2:{folder}/catalog",
        "spark.sql.catalog.lake.jdbc.schema-version": "V1",
        "spark.sql.catalog.lake.warehouse": f"{folder}/lake",
    }
    builder = SparkSession.builder.master("local[2]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sql("CREATE NAMESPACE IF NOT EXISTS lake.archive")
    print(
        json.dumps(
            {"spark": pyspark.__version__}
            | {format_: told(spark, format_) | read(spark, format_, folder) for format_ in TABLES}
        )
    )
    spark.stop()


def told(spark: SparkSession, format_: str) -> dict[str, Any]:
    wire = encode(Message(topic_name="t"))
    df = spark.createDataFrame([(number, wire if number % 10 else b"\xff") for number in range(50)], "id int, wire binary")
    run = partial(
        batch.run, spark, source="mqtt-5.0", target="amqp-1.0", input=df, table=TABLES[format_], output_format=format_
    )
    accounts = [json.loads(run(overwrite=overwrite).as_json()) for overwrite in (False, True)]
    try:
        run()
    except MqConvertError as error:
        refused = error.code
    statuses = {row["status"]: row["count"] for row in spark.table(TABLES[format_]).groupBy("status").count().collect()}
    place = TABLES[format_].rpartition(".")[0]
    tables = [row["tableName"] for row in spark.sql(f"SHOW TABLES{' IN ' + place if place else ''}").collect()]
    return {"accounts": accounts, "refused": refused, "statuses": statuses, "tables": tables}


def read(spark: SparkSession, format_: str, folder: str) -> dict[str, Any]:
    """Write a table twice, so that its folder has files of old rows. Convert it as a table, and as files."""
    df = spark.createDataFrame([(number, encode(Message(topic_name="t"))) for number in range(6)], "id int, wire binary")
    given = INPUTS[format_].format(folder)
    if format_ == "delta":
        df.write.format(format_).save(given)
        df.write.format(format_).mode("overwrite").save(given)
    else:
        df.writeTo(given).using(format_).create()
        df.writeTo(given).overwrite(F.lit(True))
    run = partial(batch.run, spark, source="mqtt-5.0", target="amqp-1.0", output=f"{folder}/out-{format_}")
    refused = []
    for path in (FILES[format_].format(folder), f"{FILES[format_].format(folder)}/*"):
        try:
            run(input=path)
        except MqConvertError as error:
            refused.append(error.message)
    return {"read": run(input=given, input_format=format_, max_reject_share=0.0).counts.read, "files": refused}


if __name__ == "__main__":  # `make interop` looks for doctests in every module
    main(*sys.argv[1:])
