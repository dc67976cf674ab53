"""The whole job as a function: `mqconvert.app.batch.run`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from pyspark.sql import DataFrame, SparkSession

from mqconvert import Environment, MqConvertError
from mqconvert.app.batch.dataset import prepared
from mqconvert.app.batch.options import COLUMN, Job, check
from mqconvert.app.batch.summary import Summary
from mqconvert.app.options import now
from mqconvert.converters.environment import DEFAULT_ENVIRONMENT
from mqconvert.converters.routes import DOCUMENTED, Rules, listed


def run(
    spark: SparkSession,
    *,
    source: str,
    target: str,
    input: str | Sequence[str] | DataFrame,
    output: str | None = None,
    table: str | None = None,
    input_format: str = "parquet",
    output_format: str | None = None,
    encoding: str | None = None,
    wire_column: str = "wire",
    prefix: str = "",
    rejects: str | None = None,
    overwrite: bool = False,
    partitions: int | None = None,
    max_reject_share: float | None = None,
    profile: str = DOCUMENTED,
    rules: Rules | Iterable[Rules] = (),
    environment: Environment = DEFAULT_ENVIRONMENT,
    on_loss: str = "report",
    conf: Mapping[str, str] | None = None,
) -> Summary:
    """Convert a data set in a session of the caller's, classic or Spark Connect, and return the account of it.

    `source` is a protocol, or `column:NAME` for a column that names the protocol of each row. `input` is one or several
    paths, or a frame. The output is a folder (`output`, local over Spark Connect) or a table of the session's catalog
    (`table`, in any `output_format` that the session writes). An `environment` without a clock gets the time of the start,
    which the summary states. All other arguments are the options of `mqconvert batch`; `conf` holds settings of Spark SQL
    for this run. The session's settings are as before when it ends.

    The output is complete when this returns; `Summary.problem` says whether too many rows were rejected. Raises
    MqConvertError, and nothing is in place then: `output_exists`, `output_busy`, `mismatch`, `too_many_rejects` (from the
    sample), `bad_path`, `bad_option` and those of `convert_frame`. Errors of Spark are raised as they are.

        done = run(spark, source="mqtt-5.0", target="amqp-0.9.1", input="archive", output="converted")
        print(done.counts.rejected, done.problem)
    """
    frame: DataFrame | None = None
    paths: tuple[str, ...] = ()
    if isinstance(input, str):
        paths = (input,)
    elif isinstance(input, Sequence):
        paths = tuple(input)
    else:
        frame = input
    if frame is None and not paths:
        raise MqConvertError("input names no path", code="bad_option")
    column = source.removeprefix(COLUMN) if source.startswith(COLUMN) else None
    asked = Job(
        source=None if column is not None else source,
        source_column=column,
        target=target,
        input=paths,
        output=None if output is None else output.rstrip("/"),
        table=table,
        input_format=input_format,
        output_format=output_format or ("parquet" if table is not None else input_format),
        encoding=encoding or ("binary" if input_format in {"parquet", "orc"} else "base64"),
        wire_column=wire_column,
        prefix=prefix,
        rejects=None if rejects is None else rejects.rstrip("/"),
        overwrite=overwrite,
        partitions=partitions,
        max_reject_share=max_reject_share,
        report=None,
        stream=False,
        checkpoint=None,
        once=False,
        files_per_batch=None,
        profile=profile,
        rules=listed(rules),
        environment=environment if environment.clock is not None else replace(environment, clock=now()),
        on_loss=on_loss,
        conf=dict(conf or {}),
    )
    check(asked)
    with prepared(spark, asked, frame) as work:
        return work()
