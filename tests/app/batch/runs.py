"""Runs of `mqconvert batch`: in the session of the tests, or in a new process."""

import argparse
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession

from mqconvert import convert, encode
from mqconvert.app.batch.command import execute
from mqconvert.app.batch.options import Job, add_arguments, job_of
from mqconvert.converters.protocols.mqtt5.message import Message as Publish
from tests.on_spark import ENVIRONMENT

PUBLISH = bytes.fromhex("3006000174006869")
CONVERTED = encode(convert(PUBLISH, "amqp-0.9.1", source="mqtt-5.0").message)
LOSSY = encode(Publish(topic_name="t", content_type="x" * 300, retain=1, payload=b"hi"))
BAD = PUBLISH[:-1]
WIRES = [PUBLISH, PUBLISH * 2, BAD, LOSSY, None, b""]
PAIR = ("--from", "mqtt-5.0", "--to", "amqp-0.9.1")


def archive(path: Path, wires: list[Any], **columns: list[Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table({"id": range(len(wires)), "wire": pa.array(wires, pa.binary())} | columns), path)
    return path


def run(spark: SparkSession, *arguments: str) -> int:
    """Run the job in the session of the tests, like `command` without its own Java machine."""
    return execute(spark, job(*arguments))


def job(*arguments: str) -> Job:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return job_of(vars(parser.parse_args([*PAIR, *arguments])))


SMALL = ["--memory", "512m", "--master", "local[1]"]


def batch(*arguments: str, **environment: str) -> "subprocess.Popen[str]":
    return python("-m", "mqconvert.app", "batch", *PAIR, *SMALL, *arguments, **environment)


def python(*arguments: str, **environment: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | ENVIRONMENT | environment,
        start_new_session=True,
    )


def left(folder: Path) -> list[str]:
    """Return everything in a folder, hidden files too."""
    return sorted(path.name for path in folder.iterdir())


def statuses(df: DataFrame) -> dict[int, str]:
    return {row["id"]: row["status"] for row in df.select("id", "status").collect()}


def read_lines(folder: Path) -> list[str]:
    return [line for file in sorted(folder.glob("part-*")) for line in file.read_text().splitlines()]


def stored(*folders: Path) -> Counter[int]:
    """Return the ids on disk, read without Spark."""
    files = [file for folder in folders for file in folder.rglob("*.parquet") if not file.name.startswith((".", "_"))]
    return Counter(id_ for file in files for id_ in pq.read_table(file, columns=["id"])["id"].to_pylist())
