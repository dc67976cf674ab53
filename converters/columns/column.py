"""`transcode_column`: a column of wire values in, the columns of the results out. It imports pyarrow only when it is called."""

from collections.abc import Iterable
from typing import Any

from mqconvert.converters.choices import Choices
from mqconvert.converters.columns.loop import ValueConverter
from mqconvert.converters.engine.report import LossPolicy
from mqconvert.converters.environment import DEFAULT_ENVIRONMENT, Environment
from mqconvert.converters.errors import ArgumentError
from mqconvert.converters.overlays import DOCUMENTED, Rules, listed, read_overlay
from mqconvert.converters.protocols.packages import package
from mqconvert.converters.routes import converter


def transcode_column(
    wires: Any,
    to: str,
    *,
    source: str,
    profile: str = DOCUMENTED,
    rules: Rules | Iterable[Rules] = (),
    environment: Environment = DEFAULT_ENVIRONMENT,
    on_loss: str = LossPolicy.REPORT.value,
) -> Any:
    """Convert a column of wire values, one message each, and return a `pyarrow.Table` of as many rows.

    `wires` is a `pyarrow.Array` or `ChunkedArray` of bytes. `converted` has what `transcode` makes of each value, null for a
    rejected one; `error` (a struct of `code`, `message`, `field`, `rule`, `offset` and `remedy`) tells why, and is null for all
    others.
    The values are read from Arrow's memory, and the results written into it. Other arguments are those of `transcode`.

    Raises NoRouteError, RuleTableError, ArgumentError for anything but a column of bytes, EncodeError `too_large` for more than
    2 GiB from at most 1000 values, and ClientLibraryError without pyarrow (extra `parquet`).

    >>> import pyarrow as pa
    >>> wires = pa.array([bytes.fromhex("3006000174006869"), b"", None])
    >>> made = transcode_column(wires, "amqp-0.9.1", source="mqtt-5.0")
    >>> made["converted"][0].as_py()[-3:-1], made["converted"].null_count
    (b'hi', 2)
    >>> [error and error["code"] for error in made["error"].to_pylist()]
    [None, 'truncated', 'no_wire']
    """
    if type(environment) is not Environment:
        raise ArgumentError("environment", "an Environment", type(environment))
    package("pyarrow", "parquet")
    from mqconvert.converters.columns.arrow import converted_table  # noqa: PLC0415 - needs pyarrow

    converter(source, to, profile=profile, rules=rules)  # refuses what `transcode` refuses, before the first row
    choices = Choices(profile, tuple(map(read_overlay, listed(rules))), environment, on_loss)
    return converted_table(ValueConverter(choices, report=False), wires, source, to)
