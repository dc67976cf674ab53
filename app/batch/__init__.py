"""The Spark job: `mqconvert batch`, and `run`, the same as a function. `mqconvert.converters.spark` converts.

| module | task |
|---|---|
| `options` | the options of the command, and the `Job` that they make |
| `command` | options in, exit status out |
| `function` | `run`, for notebooks |
| `session`, `java`, `failures`, `progress` | starting Spark, and messages about it |
| `ahead` | imports and a Python worker before they are needed |
| `held` | the outputs: leases, and checks before Spark starts |
| `dataset` | one run: prepare, convert, check, publish |
| `frames`, `sample` | data sets as frames; a sample before the work |
| `lease`, `place`, `storage`, `table` | concurrent and killed runs, file systems, tables |
| `stream` | a growing folder |
| `summary` | the summary of a run |
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mqconvert.app.batch.function import run

__all__ = ["run"]


def __getattr__(name: str) -> Any:
    """Import `run` on first use: reading options needs no PySpark."""
    if name == "run":
        return import_module("mqconvert.app.batch.function").run
    raise AttributeError(name)
