"""Errors of Spark on one line."""

import re

from py4j.protocol import Py4JJavaError

_RAISED = re.compile(r"Traceback \(most recent call last\):\n(?:[ \t].*\n)*(?:mqconvert\.[\w.]+: )?(\S.*)")
"""The last line of a traceback; an error of mqconvert without its class."""


def cause(error: BaseException) -> str:
    """Return an error on one line: the first cause of a Java error, or the exception that a worker raised."""
    if isinstance(error, Py4JJavaError) and not CODEC.search(str(error)):
        thrown = error.java_exception
        while thrown.getCause() is not None:
            thrown = thrown.getCause()
        error = RuntimeError(thrown.toString())
    text = str(error).strip()
    codec = CODEC.search(text)
    if codec:
        return f"{codec[1]} is compressed with {codec[2].upper()}, for which Spark has no codec: {ANOTHER_CODEC}"
    raised = _RAISED.findall(text)
    if raised:
        return str(raised[-1])
    return text.splitlines()[0] if text else type(error).__name__


CODEC = re.compile(r"while reading file (\S+?)\. .*?Class \S+\.(\w+)Codec was not found", re.DOTALL)
"""Matches the error for a compression of Parquet; the groups are the file, as a URI, and the codec."""

ANOTHER_CODEC = "write it with zstd, or give Spark the codec (--conf spark.jars=...)"

_HEAP = {3, 52}
"""Exit statuses of a Java machine without memory: -XX:+ExitOnOutOfMemoryError, and Spark's own."""

_WORKER = re.compile(r"Python worker exited unexpectedly|MemoryError|Cannot allocate memory")


def failed(error: BaseException, ended: int | None, memory: str) -> str:
    """Return the reason why the work ended, with limit and option if memory was short.

    `ended` is the exit status of the Java machine, or None while it runs; `memory` is its size.

    >>> failed(OSError("Connection refused"), 3, "1024m").split(":")[0]
    'the job failed'
    >>> failed(OSError("Connection refused"), -9, "1024m").endswith("fewer tasks at once (--master local[1])")
    True
    """
    fewer = "fewer tasks at once (--master local[1])"
    if ended is None and "java.lang.OutOfMemoryError" in str(error):
        return f"the job failed: an executor needs more memory: give more (--executor-memory, here --memory), or {fewer}"
    if ended in _HEAP:
        return f"the job failed: the Java machine needs more than its {memory} of memory: give more (--memory), or {fewer}"
    if ended is not None:
        how = f"was killed by signal {-ended}" if ended < 0 else f"ended with status {ended}"
        hint = f"; if the system had no memory left, give the Java machine less (--memory, now {memory}), or {fewer}"
        return f"the job failed: the Java machine {how}{hint}"
    words = cause(error)
    if _WORKER.search(str(error)):
        return f"the job failed: {words}: a Python worker had no memory left, or was killed: {fewer}, or a larger machine"
    return f"the job failed: {words}"
