"""Conversion of columns on a real Spark: the corpus, then properties, then rows, batches and types of Spark."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - its usual name
from pyspark.sql.types import BinaryType, StringType, StructType

from mqconvert import Environment, MqConvertError, convert, decode, decode_all, encode, encode_batch, explain, message_to_json
from mqconvert.converters.overlays import Overlay
from mqconvert.converters.protocols.mqtt5.message import Message as Publish
from mqconvert.converters.spark import convert_frame, convert_udf, register
from tests import corpus
from tests.converters.columns.batches import LOSSY, PUBLISH
from tests.converters.protocols.test_batches import BATCHES
from tests.converters.test_corpus import wanted
from tests.on_spark import ON_SPARK
from tests.oracle.wellformed import well_formed
from tests.oracle.wire import view
from tests.validity import parts_of

pytestmark = ON_SPARK


def frame(spark: SparkSession, *wires: Any, protocol: Any = "mqtt-5.0") -> DataFrame:
    schema = StructType().add("id", "long").add("protocol", StringType()).add("wire", BinaryType())
    return spark.createDataFrame([(id_, protocol, wire) for id_, wire in enumerate(wires)], schema)


def rows(df: DataFrame) -> list[Row]:
    return sorted(df.collect(), key=lambda row: (row["id"], row["index"] or 0))


def plain(value: Any) -> Any:
    """Return rows as dictionaries without null values, which the JSON form omits."""
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, Row):
        return {name: plain(part) for name, part in value.asDict().items() if part is not None}
    return [plain(part) for part in value] if isinstance(value, list) else value


# ---- the corpus -------------------------------------------------------------------------------------------------------


def cases_to(target: str) -> list[tuple[dict[str, Any], bytes]]:
    """Return every case of the corpus with this target and a wire form."""
    found = []
    for case in (case for pair in corpus.PAIRS for case in corpus.lines(pair)):
        if case["target"] != target:
            continue
        if case["source"] == "amqp-0.9.1":
            found.append((case, encode(corpus.read("amqp-0.9.1", case["input"]))))
        else:
            found.append((case, bytes.fromhex(case["input"]["wire"])))
    return found


def by_the_library(source: str, wire: bytes, target: str, environment: Environment) -> dict[str, Any]:
    """Return the row by the library's own call."""
    try:
        (message,) = decode_all(source, wire)
        done = convert(message, target, environment=environment)
        converted = encode(done.message)
    except MqConvertError as error:
        return {"error": error.as_dict()}
    known = done.report.as_dict()
    made = {"index": 0, "converted": converted}
    gone = {name: known[name] for name in ("dropped", "lost")}
    return made | {"report": gone} if any(gone.values()) else made


@pytest.mark.system
@pytest.mark.parametrize("target", ["amqp-1.0", "amqp-0.9.1", "mqtt-5.0"])
def test_spark_gives_the_answers_of_the_corpus(spark: SparkSession, target: str) -> None:
    """The rows of one mixed archive equal the answers of the corpus and the results of the library."""
    environment = Environment(address="t") if target == "mqtt-5.0" else Environment()
    cases = cases_to(target)
    schema = StructType().add("id", "long").add("protocol", StringType()).add("wire", BinaryType())
    df = spark.createDataFrame([(id_, case["source"], wire) for id_, (case, wire) in enumerate(cases)], schema)
    made = rows(convert_frame(df, source=F.col("protocol"), target=target, environment=environment))
    compared = 0
    for (case, wire), row in zip(cases, made, strict=True):
        ours = plain(row)
        assert ours.pop("wire") == wire
        assert ours.pop("protocol") == case["source"]
        ours.pop("id")
        library = by_the_library(case["source"], wire, target, environment)
        assert ours == plain(library), case["id"]
        answer = wanted(case, "documented")
        refused = any((loss.get("rule") or "").endswith("-refused") for loss in library.get("report", {}).get("lost", ()))
        if answer is None or row["converted"] is None or well_formed(target, answer)[1] or refused:
            continue  # test_corpus.py covers these
        assert view(target, parts_of(decode(target, row["converted"]))) == answer, case["id"]
        compared += 1
    assert compared > 1500


def test_other_columns_are_kept(spark: SparkSession) -> None:
    """Every type of column is kept, also beside a value that becomes several rows."""
    df = frame(spark, PUBLISH, PUBLISH * 2, b"").select(
        "*",
        F.create_map(F.lit("k"), F.col("id")).alias("map"),
        F.array(F.struct(F.col("id"), F.lit("x").alias("text"))).alias("list"),
        F.lit(None).cast("decimal(20,3)").alias("decimal"),
        F.timestamp_millis(F.col("id")).alias("time"),
        F.to_date(F.lit("2026-01-02")).alias("date"),
    )
    made = rows(convert_frame(df, source="mqtt-5.0", target="amqp-1.0"))
    others = ["id", "protocol", "map", "list", "decimal", "time", "date"]
    given_ = rows(df.withColumn("index", F.lit(0)))
    assert [[row[name] for name in others] for row in made] == [[given_[at][name] for name in others] for at in (0, 1, 1, 2)]
    assert [row["index"] for row in made] == [0, 0, 1, None]
    assert made[3]["error"]["code"] == "truncated"


def test_every_column_of_the_result_is_nullable(spark: SparkSession) -> None:
    """Rows of further messages have no wire, even if the input column is NOT NULL."""
    schema = StructType().add("id", "long", nullable=False).add("wire", BinaryType(), nullable=False)
    df = spark.createDataFrame([(0, PUBLISH * 2)], schema)
    made = convert_frame(df, source="mqtt-5.0", target="amqp-1.0")
    assert [row["wire"] for row in rows(made)] == [PUBLISH * 2, None]
    assert made.where("wire is null").count() == 1
    assert all(field.nullable for field in made.schema.fields)


def test_the_wire_may_be_a_field_of_a_struct(spark: SparkSession) -> None:
    """Names may have dots, spaces and backticks. Of several messages, only the first row has the wire."""
    names = StructType().add("a`b.c", BinaryType(), nullable=False).add("n", "long")
    df = spark.createDataFrame(
        [((PUBLISH * 2, 7), 1), ((PUBLISH, 8), 2), (None, 3)], StructType().add("x y", names).add("id", "long")
    )
    made = rows(convert_frame(df, source="mqtt-5.0", target="amqp-1.0", wire_column="x y.`a``b.c`"))
    assert [row["index"] for row in made] == [0, 1, 0, None]
    assert [row["x y"] and tuple(row["x y"]) for row in made] == [(PUBLISH * 2, 7), (None, 7), (PUBLISH, 8), None]
    assert made[3]["error"]["code"] == "no_wire"
    with pytest.raises(MqConvertError) as caught:
        convert_frame(df, source="mqtt-5.0", target="amqp-1.0", wire_column="x y.n")
    assert caught.value.code == "wrong_column_type"


def test_a_prefix_avoids_equal_column_names(spark: SparkSession) -> None:
    df = frame(spark, PUBLISH).withColumns({"index": F.lit(7), "Error": F.lit("mine")})
    made = convert_frame(df, source="mqtt-5.0", target="amqp-1.0", prefix="mq_")
    assert made.columns == ["id", "protocol", "wire", "index", "Error", "mq_index", "mq_converted", "mq_report", "mq_error"]
    (row,) = made.collect()
    assert (row["index"], row["mq_index"], row["Error"], row["mq_error"]) == (7, 0, "mine", None)


def test_mixed_archives_with_bad_rows_are_converted(spark: SparkSession) -> None:
    """The archive has null, empty, foreign and truncated wires, and wrong, unknown and null protocols."""
    wires: dict[str, list[Any]] = {
        "mqtt-5.0": [PUBLISH, None, b"", b"GET / HTTP/1.1", PUBLISH[:-1]],
        "amqp-1.0": [PUBLISH],
        "stomp": [PUBLISH],
    }
    df = frame(spark, PUBLISH, protocol=None)
    for protocol, some in wires.items():
        df = df.union(frame(spark, *some, protocol=protocol))
    converted = convert_frame(df, source=F.col("protocol"), target="amqp-0.9.1", report=False)
    assert converted.columns == ["id", "protocol", "wire", "index", "converted", "error"]
    made = converted.collect()
    codes = [row["error"] and row["error"]["code"] for row in made]
    assert codes[:4] == ["unknown_protocol", None, "no_wire", "truncated"]
    assert codes[-1] == "unknown_protocol"
    assert all(code is not None for code in codes[4:])


def test_members_of_broker_batches_become_rows(spark: SparkSession) -> None:
    """The rows equal the conversions of the library. A truncated batch gives the members before its end, if it shows them."""
    wires = {name: encode_batch(members) for name, members in BATCHES.items()}
    df = frame(spark)
    for name, wire in wires.items():
        df = df.union(frame(spark, wire, wire[:-1], protocol=name))
    made = convert_frame(df, source=F.col("protocol"), target="amqp-1.0").collect()
    for name, wire in wires.items():
        ours = [encode(convert(message, "amqp-1.0").message) for message in decode_all(name, wire)]
        rows = [row for row in made if row["protocol"] == name]
        members, (*before, cut) = rows[: len(ours)], rows[len(ours) :]
        assert [(row["index"], row["converted"]) for row in members] == list(enumerate(ours))
        assert [row["wire"] for row in members] == [wire, None, None]
        assert [(row["index"], row["converted"]) for row in before] == list(enumerate(ours[:-1] if name == "nsq" else []))
        assert (cut["index"], cut["converted"], cut["wire"]) == (len(before) or None, None, wire[:-1])
        assert cut["error"]["code"] == "truncated"


def test_a_long_message_converts_among_short_ones(spark: SparkSession, tmp_path: Path) -> None:
    long = encode(Publish(topic_name="t", payload=bytes(2**26)))
    pq.write_table(pa.table({"id": range(50), "wire": [long if id_ == 25 else PUBLISH for id_ in range(50)]}), tmp_path / "a")
    made = convert_frame(spark.read.parquet(str(tmp_path / "a")), source="mqtt-5.0", target="amqp-1.0")
    sizes = sorted(row["n"] for row in made.select(F.octet_length("converted").alias("n")).collect())
    assert len(sizes) == 50
    assert sizes[-1] > 2**26 > sizes[-2]


def test_overlays_are_shipped_as_data(spark: SparkSession, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        '["mqtt-5.0 -> amqp-0.9.1"]\nrules = [\n{ replace = "payload", via = "", set = { "basic.type" = "mine" } },\n]\n'
    )
    df = frame(spark, PUBLISH)
    made = convert_frame(df, source="mqtt-5.0", target="amqp-0.9.1", rules=[str(file)])
    text = file.read_text()
    file.unlink()
    (row,) = made.collect()
    ours = convert(PUBLISH, "amqp-0.9.1", source="mqtt-5.0", rules=[Overlay("mine.toml", text)])
    assert row["converted"] == encode(ours.message)
    assert row["converted"] != encode(convert(PUBLISH, "amqp-0.9.1", source="mqtt-5.0").message)


def test_the_udf_converts_the_first_message_of_a_value(spark: SparkSession) -> None:
    df = frame(spark, PUBLISH, PUBLISH * 2, None)
    made = df.select("id", convert_udf("mqtt-5.0", "amqp-1.0")("wire").alias("made")).select("id", "made.*")
    first, *others = rows(made)
    assert plain(first) == {"id": 0} | by_the_library("mqtt-5.0", PUBLISH, "amqp-1.0", Environment())
    assert [row["error"]["code"] for row in others] == ["trailing_bytes", "no_wire"]
    several = df.select("id", F.inline(convert_udf("mqtt-5.0", "amqp-1.0", several=True)("wire")))
    assert [(row["id"], row["index"]) for row in rows(several)] == [(0, 0), (1, 0), (1, 1), (2, None)]


def test_text_for_a_function_of_bytes_is_rejected(spark: SparkSession) -> None:
    """In SQL the type of a column is known only when its values arrive."""
    register(spark)
    (row,) = spark.sql("SELECT mq_convert('MAYAAXQAaGk=', 'mqtt-5.0', 'amqp-1.0').error AS error").collect()
    assert plain(row["error"]) == {"code": "wrong_column_type", "message": "the wire value is str, not bytes"}


def test_the_sql_functions_convert(spark: SparkSession) -> None:
    register(spark)
    frame(spark, PUBLISH, b"", PUBLISH * 2).createOrReplaceTempView("archive")
    made = spark.sql(
        "SELECT made.* FROM (SELECT id, mq_convert(wire, protocol, 'amqp-1.0') made FROM archive) ORDER BY id"
    ).collect()
    assert made[0]["converted"] == encode(convert(PUBLISH, "amqp-1.0", source="mqtt-5.0").message)
    assert [row["error"] and row["error"]["code"] for row in made] == [None, "truncated", "trailing_bytes"]
    made = spark.sql(
        "SELECT id, inline(mq_convert_all(wire, 'mqtt-5.0', 'amqp-0.9.1')) FROM archive ORDER BY id, index"
    ).collect()
    assert [(row["id"], row["index"]) for row in made] == [(0, 0), (1, None), (2, 0), (2, 1)]
    texts = "SELECT mq_decode(wire, 'mqtt-5.0') d, mq_explain(wire, 'mqtt-5.0', 'amqp-0.9.1') e FROM archive ORDER BY id"
    first, second, _ = spark.sql(texts).collect()
    assert json.loads(first["d"]) == message_to_json(decode("mqtt-5.0", PUBLISH))
    assert first["e"] == explain(PUBLISH, "amqp-0.9.1", source="mqtt-5.0")
    assert json.loads(second["d"])["error"]["code"] == json.loads(second["e"])["error"]["code"] == "truncated"
    unknown = spark.sql("SELECT mq_convert(wire, 'stomp', 'amqp-1.0').error.code AS code FROM archive").first()
    assert unknown is not None
    assert unknown["code"] == "unknown_protocol"


@pytest.mark.parametrize(
    "environment",
    [
        Environment(payload="envelope"),
        Environment(address="a/b c", escape=True),
        Environment(address="orders", frame="message", clock=1_700_000_000_000),
    ],
)
def test_the_environment_reaches_the_workers(spark: SparkSession, environment: Environment) -> None:
    """Every function takes the Environment of the library and gives the results of the library."""
    ours = encode(convert(PUBLISH, "nsq", source="mqtt-5.0", environment=environment).message)
    assert ours != encode(convert(PUBLISH, "nsq", source="mqtt-5.0").message)
    df = frame(spark, PUBLISH)
    df.createOrReplaceTempView("archive")
    register(spark, environment=environment)
    column = convert_udf("mqtt-5.0", "nsq", environment=environment)("wire")
    frames = [
        convert_frame(df, source="mqtt-5.0", target="nsq", environment=environment).select("converted"),
        df.select(column.alias("made")).select("made.converted"),
        spark.sql("SELECT mq_convert(wire, 'mqtt-5.0', 'nsq').converted FROM archive"),
        spark.sql("SELECT inline(mq_convert_all(wire, 'mqtt-5.0', 'nsq')) FROM archive").select("converted"),
    ]
    assert [bytes(row[0]) for made in frames for row in made.collect()] == [ours] * len(frames)


@pytest.mark.system
@pytest.mark.usefixtures("workers_without_packages")
def test_a_package_missing_on_workers_fails_the_job(spark: SparkSession) -> None:
    """The error names the package to install. Other protocols do not need it."""
    register(spark)
    df = frame(spark, PUBLISH)
    df.createOrReplaceTempView("archive")
    frames = {
        "frame": convert_frame(df, source="pulsar", target="amqp-1.0"),
        "column": convert_frame(frame(spark, PUBLISH, protocol="pulsar"), source=F.col("protocol"), target="amqp-1.0"),
        "target": convert_frame(df, source="mqtt-5.0", target="pulsar", environment=Environment(clock=1)),
        "udf": df.select(convert_udf("pulsar", "amqp-1.0")("wire")),
        "mq_decode": spark.sql("SELECT mq_decode(wire, 'pulsar') FROM archive"),
        "mq_explain": spark.sql("SELECT mq_explain(wire, 'pulsar', 'amqp-1.0') FROM archive"),
    }
    for name, made in frames.items():
        with pytest.raises(PySparkException, match=r"pip install 'mqconvert\[brokers\]'"):
            print(name, made.collect())  # noqa: T201 - names the call that did not fail
    (row,) = convert_frame(df, source="mqtt-5.0", target="amqp-1.0").collect()
    assert row["error"] is None


@pytest.mark.parametrize(
    ("choices", "code"),
    [
        ({"wire_column": "body"}, "missing_column"),
        ({"wire_column": "id"}, "wrong_column_type"),
        ({"encoding": "base64"}, "wrong_column_type"),
        ({"encoding": "rot13"}, "bad_option"),
        ({"source": "stomp"}, "unknown_protocol"),
        ({"source": "column"}, "wrong_column_type"),
        ({"target": "stomp"}, "unknown_protocol"),
        ({"profile": "rabbitmq-9"}, "unknown_profile"),
        ({"rules": ["/no/such/overlay.toml"]}, "bad_table"),
        ({"rules": [Overlay("mine.toml", "[")]}, "bad_table"),
        ({"on_loss": "perhaps"}, "bad_option"),
        ({"options": {"lenient": True}}, "bad_option"),
        ({"options": {"stream": 1}}, "bad_option"),
        ({"options": {"max_colours": 5}}, "bad_option"),
    ],
)
def test_invalid_arguments_are_refused_before_any_work(spark: SparkSession, choices: dict[str, Any], code: str) -> None:
    given_ = {"source": "mqtt-5.0", "target": "amqp-1.0"} | choices
    if given_["source"] == "column":  # columns need a session
        given_["source"] = F.col("id")
    df = frame(spark, PUBLISH)
    with pytest.raises(MqConvertError) as caught:
        convert_frame(df, **given_)
    assert caught.value.code == code


def test_every_function_takes_options_of_the_codecs(spark: SparkSession) -> None:
    wire = bytes.fromhex("005370c00402405204005375a00161")  # a priority of type uint
    df, options = frame(spark, wire), {"lenient": True}
    (row,) = convert_frame(df, source="amqp-1.0", target="amqp-0.9.1", options=options).collect()
    udf_ = convert_udf("amqp-1.0", "amqp-0.9.1", options=options)
    register(spark, options=options)
    df.createOrReplaceTempView("odd")
    pair = "wire, 'amqp-1.0', 'amqp-0.9.1'"
    (sql,) = spark.sql(f"SELECT mq_convert({pair}) a, mq_decode(wire, 'amqp-1.0') b, mq_explain({pair}) c FROM odd").collect()
    (made,) = df.select(udf_("wire").alias("made")).collect()
    register(spark)
    assert decode("amqp-0.9.1", bytes(row["converted"])).basic.priority == 4
    assert row["converted"] == made["made"]["converted"] == sql["a"]["converted"]
    assert json.loads(sql["b"])["header"]["priority"] == 4
    assert "header.priority" in sql["c"]


def test_options_of_codecs_reach_the_workers(spark: SparkSession) -> None:
    options: dict[str, str | int | bool] = {"compress": "ZLIB"}
    made = convert_frame(frame(spark, PUBLISH), source="mqtt-5.0", target="pulsar", environment=CLOCK, options=options)
    assert [decode("pulsar", row["converted"]).compression for row in made.collect()] == ["ZLIB"]
    register(spark, environment=CLOCK, options=options)
    (row,) = frame(spark, PUBLISH).selectExpr("mq_convert(wire, 'mqtt-5.0', 'pulsar').converted AS made").collect()
    assert decode("pulsar", row["made"]).compression == "ZLIB"


CLOCK = Environment(clock=1)


def test_an_existing_result_column_is_refused(spark: SparkSession) -> None:
    with pytest.raises(MqConvertError, match="column error"):
        convert_frame(frame(spark, PUBLISH).withColumn("Error", F.lit(1)), source="mqtt-5.0", target="amqp-1.0")


def test_losses_reject_rows_with_on_loss_fail(spark: SparkSession) -> None:
    (row,) = convert_frame(frame(spark, LOSSY), source="mqtt-5.0", target="amqp-0.9.1", on_loss="fail").collect()
    assert row["error"]["code"] == "loss"
    (row,) = convert_frame(frame(spark, LOSSY), source="mqtt-5.0", target="amqp-0.9.1").collect()
    assert [entry["field"] for entry in row["report"]["lost"]] == ["content_type"]
