"""Data sets in each format, with the columns and names of their users."""

import base64
import json
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import orc
from pyspark.sql import SparkSession

from mqconvert.app.batch.options import FORMATS
from tests.app.batch.runs import BAD, CONVERTED, PUBLISH, archive, left, read_lines, run, statuses, stored
from tests.on_spark import ON_SPARK

pytestmark = ON_SPARK


def test_every_input_format_converts_to_every_output_format(spark: SparkSession, tmp_path: Path) -> None:
    """Each input format converts to itself and to every other format."""
    orc.write_table(pa.table({"id": range(2), "wire": [PUBLISH, BAD]}), tmp_path / "in.orc")
    texts = [base64.b64encode(wire).decode() for wire in (PUBLISH, BAD)]
    lines = [json.dumps({"id": id_, "wire": text}) for id_, text in enumerate(texts)]
    (tmp_path / "in.jsonl").write_text("\n".join([*lines, "{no json", '{"id": 3, "wire": "*"}']) + "\n")
    (tmp_path / "in.lines").write_text(f"{PUBLISH.hex()}\n{BAD.hex()}\nno hex\n")
    for format_, *options in (["orc"], ["jsonl"], ["lines", "--encoding", "hex"]):
        arguments = ["--input", str(tmp_path / f"in.{format_}"), "--output", str(tmp_path / format_), *options]
        assert run(spark, *arguments, "--input-format", format_) == 0
    made = spark.read.orc(str(tmp_path / "orc"))
    assert statuses(made) == {0: "converted", 1: "rejected"}
    assert [row["converted"] for row in made.where("id = 0").collect()] == [CONVERTED]
    converted, rejected = (read_lines(tmp_path / "jsonl" / f"status={status}") for status in ("converted", "rejected"))
    assert [base64.b64decode(json.loads(line)["converted"]) for line in converted] == [CONVERTED]
    errors = [json.loads(line) for line in rejected]
    assert [row["error"]["code"] for row in errors] == ["truncated", "no_wire", "bad_base64"]
    assert [row.get("_corrupt_record") for row in errors] == [None, "{no json", None]
    assert read_lines(tmp_path / "lines" / "status=converted") == [CONVERTED.hex()]
    assert [json.loads(line)["error"]["code"] for line in read_lines(tmp_path / "lines" / "status=rejected")] == [
        "truncated",
        "bad_hex",
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--wire-column", "body"], "no column 'body'; there are: id, wire"),
        (["--wire-column", "id"], "column 'id' is bigint, not binary"),
        (["--from", "column:protocol"], "no column 'protocol'; there are: id, wire; --from column:NAME names another"),
        (["--from", "column:id"], "is bigint, not string"),
        (["--input", "/no/such/archive"], "there is no such path"),
        (["--input", "nosuch://host/archive"], 'No FileSystem for scheme "nosuch"'),
        (["--input-format", "orc"], "Malformed ORC file"),
        (["--output", "/proc/nothing/here"], "cannot be written"),
        (["--rejects", "{}/out/bad"], "--rejects {}/out/bad is inside --output {}/out"),
        (["--rejects", "{}"], "is inside --rejects {}"),
        (["--output", "{}/in/./out"], "is inside --input {}/in"),
        (["--output", "{}", "--overwrite"], "--input {}/in is inside --output {}"),
        (["--stream", "--checkpoint", "/proc/nothing/here"], "--input {}/in is a file: a stream needs a folder"),
        (["--stream", "--checkpoint", "{}/in/state"], "{}/in/state is inside --input {}/in"),
    ],
)
def test_invalid_data_sets_are_one_line_errors(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    """The error is one clear line, before any work starts."""
    source = archive(tmp_path / "in", [PUBLISH])
    here = [argument.replace("{}", str(tmp_path)) for argument in arguments]
    assert run(spark, "--input", str(source), "--output", str(tmp_path / "out"), *here) == 2
    said = capsys.readouterr().err
    assert words.replace("{}", str(tmp_path)) in said
    assert said.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_columns_missing_in_some_parts_are_kept(spark: SparkSession, tmp_path: Path) -> None:
    archive(tmp_path / "in" / "a.parquet", [PUBLISH])
    archive(tmp_path / "in" / "b.parquet", [PUBLISH], extra=["here"])
    assert run(spark, "--input", str(tmp_path / "in"), "--output", str(tmp_path / "out")) == 0
    made = spark.read.parquet(str(tmp_path / "out")).select("extra").collect()
    assert sorted(str(row["extra"]) for row in made) == ["None", "here"]


def test_columns_of_two_types_are_refused_by_name(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive(tmp_path / "in" / "a.parquet", [PUBLISH], extra=[1])
    archive(tmp_path / "in" / "b.parquet", [PUBLISH], extra=["one"])
    assert run(spark, "--input", str(tmp_path / "in"), "--output", str(tmp_path / "out")) == 2
    said = capsys.readouterr().err
    assert "column extra" in said
    assert said.count("\n") == 1


@pytest.mark.parametrize("format_", ["parquet", "orc", "jsonl"])
@pytest.mark.parametrize(
    ("column", "words"),
    [("Wire", "two columns wire"), ("${spark.master}", "a column ${spark.master}, and Spark would replace")],
)
def test_names_that_spark_confuses_or_replaces_are_refused_in_files(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str], format_: str, column: str, words: str
) -> None:
    write = {"parquet": pq.write_table, "orc": orc.write_table}
    if format_ == "jsonl":
        (tmp_path / "in").write_text(json.dumps({"wire": "MAYAAXQAaGk=", column: "a"}))
    else:
        write[format_](pa.table({"wire": [PUBLISH], column: ["a"]}), tmp_path / "in")
    asked = ("--input", str(tmp_path / "in"), "--output", str(tmp_path / "out"), "--input-format", format_)
    assert run(spark, *asked) == 2
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1
    assert left(tmp_path) == ["in"]


def test_a_kafka_archive_converts_to_every_format(spark: SparkSession, tmp_path: Path) -> None:
    """The archive has columns `partition` and `status`, the wire in a struct, and names with backticks."""
    message = pa.array([{"wire": PUBLISH * 2, "k`ey.": 1}, {"wire": BAD, "k`ey.": 2}])
    columns = {"partition": [3, 4], "status": ["a", "b"], "a `b.c": [1, 2], "msg": message}
    pq.write_table(pa.table(columns), tmp_path / "in")
    for format_ in FORMATS:
        asked = (
            "--output",
            str(tmp_path / format_),
            "--output-format",
            format_,
            "--wire-column",
            "msg.wire",
            "--prefix",
            "mq_",
        )
        assert run(spark, "--input", str(tmp_path / "in"), *asked) == 0
        assert {path.name for path in (tmp_path / format_).glob("mq_*")} == {"mq_status=converted", "mq_status=rejected"}
    rows = spark.read.parquet(str(tmp_path / "parquet")).orderBy("partition", "mq_index").collect()
    assert [(row["partition"], row["status"], row["mq_index"], row["a `b.c"]) for row in rows] == [
        (3, "a", 0, 1),
        (3, "a", 1, 1),
        (4, "b", None, 2),
    ]
    assert [row["msg"]["wire"] for row in rows] == [PUBLISH * 2, None, BAD]


def test_input_columns_with_result_names_need_a_prefix(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("Status", "partition", "index", "error", "report"):
        source = archive(tmp_path / name, [PUBLISH], **{name: [1]})
        assert run(spark, "--input", str(source), "--output", str(tmp_path / "out")) == 2
        assert "--prefix" in capsys.readouterr().err


def test_inputs_may_be_patterns_or_names_with_spaces_and_brackets(spark: SparkSession, tmp_path: Path) -> None:
    """Inputs are several paths expanded by the shell, names that look like patterns, and a pattern."""
    for name in ("a [1].parquet", "b{2}.parquet", "c 3.parquet", "c 4.parquet"):
        archive(tmp_path / "lake" / name, [PUBLISH])
    files = [str(tmp_path / "lake" / name) for name in ("a [1].parquet", "b{2}.parquet", "c*.parquet")]
    target = tmp_path / "out [x] y"
    for format_ in ("jsonl", "parquet"):
        asked = ("--output", str(target), "--rejects", str(tmp_path / "b{a}d"), "--output-format", format_, "--overwrite")
        assert run(spark, "--input", *files, *asked, "--max-reject-share", "0.5") == 0
    assert stored(target) == Counter({0: 4})
    assert left(tmp_path) == ["b{a}d", "lake", "out [x] y"]
