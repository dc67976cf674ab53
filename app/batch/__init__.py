"""The Spark job: `mqconvert batch`, and `run`, the same as a function. `mqconvert.converters.spark` converts.

| module | task |
|---|---|
| `options` | the options of the command, and the `Job` that they make |
| `command` | options in, exit status out |
| `session`, `java`, `failures` | starting Spark, and messages about it |
| `threads` | work beside the run: imports and a Python worker before they are needed, progress lines |
| `held` | the outputs: leases, and checks before Spark starts |
| `dataset` | one run: prepare, convert, check, publish |
| `frames`, `sample` | data sets as frames; a sample before the work |
| `lease`, `place`, `storage`, `table` | concurrent and killed runs, file systems, tables |
| `stream` | a growing folder |
| `summary` | the summary of a run |
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from mqconvert import Environment, JobError, LossPolicy, OnLoss, Profile
from mqconvert.app.batch.options import job_of
from mqconvert.app.options import now
from mqconvert.converters.choices import Choices
from mqconvert.converters.columns import Encoding
from mqconvert.converters.environment import DEFAULT_ENVIRONMENT
from mqconvert.converters.overlays import DOCUMENTED, Rules, listed
from mqconvert.converters.protocols.options import NOTHING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from mqconvert.app.batch.summary import Summary


def run(
    spark: "SparkSession",
    *,
    source: str,
    target: str,
    input: "str | Sequence[str] | DataFrame",
    output: str | None = None,
    table: str | None = None,
    input_format: str = "parquet",
    output_format: str | None = None,
    encoding: Encoding | None = None,
    wire_column: str = "wire",
    prefix: str = "",
    rejects: str | None = None,
    overwrite: bool = False,
    partitions: int | None = None,
    max_reject_share: float | None = None,
    profile: Profile | str = DOCUMENTED,
    rules: Rules | Iterable[Rules] = (),
    environment: Environment = DEFAULT_ENVIRONMENT,
    on_loss: OnLoss | LossPolicy = LossPolicy.REPORT,
    options: Mapping[str, str | int | bool] = NOTHING,
    conf: Mapping[str, str] | None = None,
) -> "Summary":
    """Convert a data set in the caller's session, classic or Spark Connect, and return its summary.

    `source` is a protocol, or `column:NAME` for a column that names the protocol of each row. `input` is one or several
    paths, or a frame. The output is a folder (`output`, local over Spark Connect) or a table of the session's catalog (`table`,
    in any `output_format` of the session). An `environment` without a clock gets the start time, which the summary has. All
    other arguments are the options of `mqconvert batch` (`options` those of codecs); `conf` has settings of Spark SQL for this
    run, which are restored at its end.

    The output is complete when the function returns; `Summary.problem` reports too many rejected rows. Raises MqConvertError
    and publishes nothing: `output_exists`, `output_busy`, `mismatch`, `too_many_rejects` (from the sample), `bad_path`,
    `bad_option` and those of `convert_frame`. Errors of Spark are raised unchanged.

        done = run(spark, source="mqtt-5.0", target="amqp-0.9.1", input="archive", output="converted")
        print(done.counts.rejected, done.problem)
    """
    given = dict(locals())
    from mqconvert.app.batch.dataset import prepared  # noqa: PLC0415 - reading options needs no PySpark

    frame = None if isinstance(input, str | Sequence) else input
    given["input"] = (input,) if isinstance(input, str) else tuple(input) if isinstance(input, Sequence) else ()
    if frame is None and not given["input"]:
        raise JobError("input has no path", code="bad_option")
    caller = environment if environment.clock is not None else replace(environment, clock=now())
    given["choices"] = Choices(profile, listed(rules), caller, on_loss, tuple(options.items()))
    asked = job_of(given)
    with prepared(spark, asked, frame) as work:
        return work()
